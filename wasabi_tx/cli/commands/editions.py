"""`wasabi-tx editions`: what can be played, its cards, and files of one's own: written, checked, added."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...engine.edition import Edition, EditionError
from ...engine.editions import PACKAGED, edition_text, read_playable
from ...store.paths import find_paths, short_path
from ...store.transcripts import read_text
from ...store.user_files import LONGEST_EDITION, find_edition, user_editions
from ...text import Texts
from ...view.sentences import say_problem
from .. import Failure, Misuse
from ..options import added_edition, language_option, texts_for
from ..output import echo

TEMPLATE = """\
# Your own list for the rules of {name}: what your box says, typed in.
#
# 1. Give it an id of its own below: small letters, digits and hyphens. Everybody at a table needs the same file.
# 2. Type in your recipes: id, strip (codes of the tiles, in the order of the style), name{worth}. Delete what your box
#    does not have, copy a [[recipe]] block for what it has and this list lacks. Only the English name is needed.
# 3. Go through the other blocks: each list "ours" names the keys whose values we made up, because no rulebook prints
#    them. Put the figures of your box there, and take their keys out of the list.
# 4. wasabi-tx editions --check FILE tells what is wrong; wasabi-tx play --edition FILE plays it.
#
# Names are at most 20 characters long. A recipe needs two to five tiles, and no more of a kind than there are.
"""


@click.command()
@click.option("--show", "--edition", "show", metavar="NAME", help="print every card of an edition, and which are ours")
@click.option("--template", type=click.Choice(PACKAGED), help="write a file to type your own list into")
@click.option("--check", metavar="FILE", type=click.Path(path_type=Path), help="say what is wrong with an edition file")
@click.option("--add", metavar="FILE", type=click.Path(path_type=Path), help="put an edition file among your own")
@language_option
@click.pass_context
def editions(
    ctx: click.Context,
    show: str | None,
    template: str | None,
    check: Path | None,
    add: Path | None,
    language: str | None,
) -> None:
    """The editions that can be played; your own are in the folder that `wasabi-tx locate` names."""
    texts = texts_for(language)
    folder = find_paths().editions
    if check is not None:
        ctx.exit(_check(check, texts))
    if add is not None:
        edition = added_edition(add, texts)
        echo(f"{edition.id}: {edition.names[texts.language]}, {short_path(folder / f'{edition.id}.toml')}")
    elif template is not None:
        echo(make_template(template).rstrip("\n"))
    elif show is not None:
        _show(_find(show, folder, texts), texts.language)
    else:
        _list(folder, texts)


def _list(folder: Path, texts: Texts) -> None:
    for name in [*PACKAGED, *user_editions(folder)]:
        try:
            edition = find_edition(name, folder)
        except EditionError as error:
            echo(f"{name:12} {say_problem(texts, error.problems[0])}", err=True)
            continue
        except OSError as error:
            echo(texts.say("cli.unreadable", file=name, reason=error), err=True)
            continue
        tiles = sum(ingredient.count for ingredient in edition.ingredients)
        echo(
            f"{name:12} {edition.names[texts.language]}: {tiles} tiles of {len(edition.ingredients)} kinds, "
            f"{len(edition.recipes)} recipes, {edition.hash[:12]}"
        )


def make_template(name: str) -> str:
    """The packaged file with a head that tells how to make it one's own; it can be played as it is."""
    text = edition_text(name)
    worth = "" if name == "classic" else ", value, style"
    head = TEMPLATE.format(name=f"the {'first' if name == 'classic' else 'second'} edition", worth=worth)
    body = re.sub(r"\A(#.*\n)+", "", text)
    body = body.replace(f'id = "{name}"', f'id = "my-{name}"', 1)
    return head + re.sub(r"^name = .*$", 'name = { en = "My box" }', body, count=1, flags=re.MULTILINE)


def _find(name: str, folder: Path, texts: Texts) -> Edition:
    try:
        return find_edition(name, folder)
    except KeyError:
        known = ", ".join([*PACKAGED, *user_editions(folder)])
        raise Misuse(texts.say("cli.no-edition", edition=name, known=known)) from None
    except EditionError as error:
        raise Failure(f"{name}: {say_problem(texts, error.problems[0])}") from None
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=name, reason=error)) from None


def _check(path: Path, texts: Texts) -> int:
    try:
        edition = read_playable(read_text(path, LONGEST_EDITION))
    except OSError as error:
        raise Failure(texts.say("cli.unreadable", file=path, reason=error)) from None
    except EditionError as error:
        for problem in error.problems:
            echo(f"{path}: {say_problem(texts, problem)}", err=True)
        return 1
    echo(f"{path}: {edition.names[texts.language]}, {len(edition.recipes)} recipes, {edition.hash[:12]}: ok")
    return 0


class _Marked:
    """Figures of one edition as text, with a star behind those that no rulebook prints."""

    def __init__(self, edition: Edition) -> None:
        self._ours = edition.ours

    def __call__(self, table: str, key: str, shown: object) -> str:
        return f"{shown}*" if key in self._ours.get(table, ()) else str(shown)


def _show(edition: Edition, language: str) -> None:
    mark = _Marked(edition)
    columns = " / ".join(str(n) for _, n in sorted(edition.columns.items()))
    echo(f"{edition.id}: {edition.names[language]}\nhash: {edition.hash}")
    if any(edition.ours.values()):
        echo("* ours; what has no star is printed in a rulebook")
    rows = mark("board", "rows", edition.rows)
    echo(f"\nboard: {rows} rows, {mark('board', 'columns', columns)} columns for 2 / 3 / 4 players")
    hand = f"{edition.hand_tiles} tiles, {edition.hand_recipes} recipes, {edition.hand_cards} action cards"
    echo(f"hand: {hand}\n")
    for category in edition.categories:
        echo(mark(f"category {category.id}", "name", category.names[language]))
        for one in (i for i in edition.ingredients if i.category == category.id):
            table = f"ingredient {one.code}"
            name = mark(table, "name", one.names[language])
            echo(f"  {one.code}  {one.emoji}  x{mark(table, 'count', one.count):3} {name}  {one.japanese}".rstrip())
    _show_worth(edition, mark)
    echo("\naction cards")
    for action in edition.actions:
        table, counts = f"action {action.code}", "/".join(str(n) for _, n in sorted(action.counts.items()))
        name = mark(table, "name", action.names[language])
        text = mark(table, "effect", action.texts[language])
        echo(f"  {action.code}  x{mark(table, 'count', counts)}  {name}: {text}")
    echo("\nrecipes")
    for recipe in edition.recipes:
        table, codes = f"recipe {recipe.id}", " ".join(edition.ingredients[t - 1].code for t in recipe.strip.tiles)
        worth = f"{mark(table, 'value', recipe.points)} points, style {mark(table, 'style', recipe.style)}"
        echo(f"  {mark(table, 'name', recipe.names[language]):22} {mark(table, 'strip', codes):16} {worth}")


def _show_worth(edition: Edition, mark: _Marked) -> None:
    """Tokens, or the backs of the recipes and the rest of the setup."""
    if edition.tokens:
        echo("\ntokens a player")
    for token in edition.tokens:
        table = f"token {token.length}"
        count, points = mark(table, "count", token.count), mark(table, "points", token.points)
        echo(f"  length {token.length}: x{count}, {points} points, style {mark(table, 'style', token.style)}")
    if edition.decks:
        echo("\nbacks of the recipes: wasabi when one is drawn after serving")
    for back in edition.decks:
        length = mark(f"deck {back.length}", "length", back.length)
        echo(f"  length {length}: {back.gain} to the drawer, {back.pool} to the pool")
    if edition.setup is not None:
        cups = "; ".join(" ".join(squares) for _, squares in sorted(edition.setup.cups.items()))
        lengths = " ".join(map(str, edition.setup.recipes))
        echo(f"\nsetup: {edition.setup.display} open cards, pool {edition.setup.pool}, first recipes {lengths}")
        turns = mark("setup", "final_turns_after", edition.setup.final_turns_after)
        echo(f"  teacups for 2; 3; 4: {mark('setup', 'cups', cups)}\n  turns a player until the final round: {turns}")
