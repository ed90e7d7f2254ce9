"""`wasabi-tx editions`: what can be played, its cards, and a check of a file of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from ...engine.edition import Edition, EditionError
from ...engine.editions import PACKAGED, read_playable
from ...store.paths import find_paths
from ...store.transcripts import read_text
from ...store.user_files import LONGEST_EDITION, find_edition, user_editions
from ...text import Texts
from ...view.sentences import say_problem
from .. import Failure
from ..options import language_option, texts_for
from ..output import echo


@click.command()
@click.option("--show", "--edition", "show", metavar="NAME", help="print every card of an edition")
@click.option("--check", metavar="FILE", type=click.Path(path_type=Path), help="say what is wrong with an edition file")
@language_option
@click.pass_context
def editions(ctx: click.Context, show: str | None, check: Path | None, language: str | None) -> None:
    """The editions that can be played; your own go into the folder that `wasabi-tx locate` names."""
    texts = texts_for(language)
    if check is not None:
        ctx.exit(_check(check, texts))
    folder = find_paths().editions
    if show is not None:
        _show(_find(show, folder, texts), texts.language)
        return
    for name in [*PACKAGED, *user_editions(folder)]:
        try:
            edition = find_edition(name, folder)
        except (EditionError, OSError) as error:
            problem = say_problem(texts, error.problems[0]) if isinstance(error, EditionError) else str(error)
            echo(f"{name:12} {problem}", err=True)
            continue
        tiles = sum(ingredient.count for ingredient in edition.ingredients)
        echo(
            f"{name:12} {edition.names[texts.language]}: {tiles} tiles of {len(edition.ingredients)} kinds, "
            f"{len(edition.recipes)} recipes, {edition.hash[:12]}"
        )


def _find(name: str, folder: Path, texts: Texts) -> Edition:
    try:
        return find_edition(name, folder)
    except KeyError:
        known = ", ".join([*PACKAGED, *user_editions(folder)])
        said = f"there is no edition {name!r}; there are: {known}"
        raise click.BadParameter(said, param_hint="--show / --edition") from None
    except EditionError as error:
        raise Failure(f"{name}: {say_problem(texts, error.problems[0])}") from None
    except OSError as error:
        raise Failure(f"{name}: {error.strerror or error}") from None


def _check(path: Path, texts: Texts) -> int:
    try:
        edition = read_playable(read_text(path, LONGEST_EDITION))
    except OSError as error:
        raise Failure(f"{path}: {error.strerror or error}") from None
    except EditionError as error:
        for problem in error.problems:
            echo(f"{path}: {say_problem(texts, problem)}", err=True)
        return 1
    echo(f"{path}: {edition.names[texts.language]}, {len(edition.recipes)} recipes, {edition.hash[:12]}: ok")
    return 0


def _show(edition: Edition, language: str) -> None:
    sizes = ", ".join(f"{players} players {edition.rows} x {n}" for players, n in sorted(edition.columns.items()))
    echo(f"{edition.id}: {edition.names[language]}\nboard: {sizes}\nhash: {edition.hash}\n")
    for category in edition.categories:
        echo(category.names[language])
        for one in (i for i in edition.ingredients if i.category == category.id):
            echo(f"  {one.code}  {one.emoji}  x{one.count}  {one.names[language]}")
    if edition.tokens:
        echo("\ntokens a player")
        for token in edition.tokens:
            echo(f"  length {token.length}: x{token.count}, {token.points} points, style {token.style}")
    if edition.decks:
        echo("\nbacks of the recipes: wasabi when one is drawn after serving")
        for back in edition.decks:
            echo(f"  length {back.length}: {back.gain} to the drawer, {back.pool} to the pool")
    echo("\naction cards")
    for action in edition.actions:
        counts = "/".join(str(action.counts[players]) for players in sorted(action.counts))
        echo(f"  {action.code}  x{counts}  {action.names[language]}: {action.texts[language]}")
    echo("\nrecipes")
    for recipe in edition.recipes:
        codes = " ".join(edition.ingredients[tile - 1].code for tile in recipe.strip.tiles)
        echo(f"  {recipe.names[language]:22} {codes:16} {recipe.points} points, style {recipe.style}")
