"""`wasabi-tx editions`: list the editions and their cards; write, check and add edition files."""

from __future__ import annotations

import re
from pathlib import Path

import click

from ...app.editions import added_edition
from ...app.failure import Failure
from ...app.output import echo
from ...app.preferences import texts_for
from ...engine.edition import Edition, EditionError
from ...engine.editions import PACKAGED, edition_text, read_playable
from ...store.paths import find_paths, short_path
from ...store.transcripts import read_text
from ...store.user_files import LONGEST_EDITION, find_edition, user_editions
from ...text import Texts
from ...view.sentences import say_problem
from .. import Misuse
from ..options import language_option


@click.command()
@click.option("--show", "--edition", "show", metavar="NAME", help="print every card of an edition, marking our own")
@click.option("--template", type=click.Choice(PACKAGED), help="print a file to fill in with your own list")
@click.option("--check", metavar="FILE", type=click.Path(path_type=Path), help="check an edition file for errors")
@click.option("--add", metavar="FILE", type=click.Path(path_type=Path), help="add an edition file to your own")
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
    """List the editions that can be played; yours are in the folder that `wasabi-tx doctor` shows."""
    texts = texts_for(language)
    folder = find_paths().editions
    if check is not None:
        ctx.exit(_check(check, texts))
    if add is not None:
        edition = added_edition(add, texts)
        echo(f"{edition.id}: {edition.names[texts.language]}, {short_path(folder / f'{edition.id}.toml')}")
    elif template is not None:
        echo(make_template(template, texts).rstrip("\n"))
    elif show is not None:
        _show(_find(show, folder, texts), texts)
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
        line = texts.say(
            "editions.line",
            name=edition.names[texts.language],
            tiles=tiles,
            kinds=len(edition.ingredients),
            recipes=len(edition.recipes),
            hash=edition.hash[:12],
        )
        echo(f"{name:12} {line}")


def make_template(name: str, texts: Texts) -> str:
    """Return the packaged file with an introduction on how to change it; it can be played as it is."""
    worth = "" if name == "classic" else ", value, style"
    head = texts.say("editions.template", edition=texts.say(f"editions.template-{name}"), worth=worth)
    body = re.sub(r"\A(#.*\n)+", "", edition_text(name))
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
    name, recipes = edition.names[texts.language], len(edition.recipes)
    echo(texts.say("editions.ok", file=path, name=name, recipes=recipes, hash=edition.hash[:12]))
    return 0


class _Marked:
    """Figures of one edition as text, with a star after those that no rulebook prints."""

    def __init__(self, edition: Edition) -> None:
        self._ours = edition.ours

    def __call__(self, table: str, key: str, shown: object) -> str:
        return f"{shown}*" if key in self._ours.get(table, ()) else str(shown)


def _show(edition: Edition, texts: Texts) -> None:
    mark, say, language = _Marked(edition), texts.say, texts.language
    columns = " / ".join(str(n) for _, n in sorted(edition.columns.items()))
    echo(f"{edition.id}: {edition.names[language]}\nhash: {edition.hash}")
    if any(edition.ours.values()):
        echo(say("editions.marks"))
    rows = mark("board", "rows", edition.rows)
    echo("\n" + say("editions.board", rows=rows, columns=mark("board", "columns", columns)))
    hand = (edition.hand_tiles, edition.hand_recipes, edition.hand_cards)
    echo(say("editions.hand", tiles=hand[0], recipes=hand[1], cards=hand[2]) + "\n")
    for category in edition.categories:
        echo(mark(f"category {category.id}", "name", category.names[language]))
        for one in (i for i in edition.ingredients if i.category == category.id):
            table = f"ingredient {one.code}"
            name = mark(table, "name", one.names[language])
            echo(f"  {one.code}  {one.emoji}  x{mark(table, 'count', one.count):3} {name}  {one.japanese}".rstrip())
    _show_worth(edition, mark, texts)
    echo("\n" + say("editions.action-cards"))
    for action in edition.actions:
        table, counts = f"action {action.code}", "/".join(str(n) for _, n in sorted(action.counts.items()))
        name = mark(table, "name", action.names[language])
        text = mark(table, "effect", action.texts[language])
        echo(f"  {action.code}  x{mark(table, 'count', counts)}  {name}: {text}")
    echo("\n" + say("editions.recipes"))
    for recipe in edition.recipes:
        table, codes = f"recipe {recipe.id}", " ".join(edition.ingredients[t - 1].code for t in recipe.strip.tiles)
        points, style = mark(table, "value", recipe.points), mark(table, "style", recipe.style)
        worth = say("editions.worth", points=points, style=style)
        echo(f"  {mark(table, 'name', recipe.names[language]):22} {mark(table, 'strip', codes):16} {worth}")


def _show_worth(edition: Edition, mark: _Marked, texts: Texts) -> None:
    """Print the tokens, or the backs of the recipes and the rest of the setup."""
    say = texts.say
    if edition.tokens:
        echo("\n" + say("editions.tokens"))
    for token in edition.tokens:
        table = f"token {token.length}"
        count, points = mark(table, "count", token.count), mark(table, "points", token.points)
        style = mark(table, "style", token.style)
        echo("  " + say("editions.token", length=token.length, count=count, points=points, style=style))
    if edition.decks:
        echo("\n" + say("editions.backs"))
    for back in edition.decks:
        length = mark(f"deck {back.length}", "length", back.length)
        echo("  " + say("editions.back", length=length, gain=back.gain, pool=back.pool))
    setup = edition.setup
    if setup is not None:
        lengths = " ".join(map(str, setup.recipes))
        echo("\n" + say("editions.setup", display=setup.display, pool=setup.pool, lengths=lengths))
        cups = "; ".join(" ".join(squares) for _, squares in sorted(setup.cups.items()))
        echo("  " + say("editions.cups", squares=mark("setup", "cups", cups)))
        cubes = "; ".join(" ".join(map(str, each)) for _, each in sorted(setup.wasabi.items()))
        echo("  " + say("editions.wasabi", cubes=mark("setup", "wasabi", cubes)))
        turns = mark("setup", "final_turns_after", setup.final_turns_after)
        echo("  " + say("editions.last-turns", turns=turns))
