"""Unplayable edition files: every kind of fault is found and located."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wasabi_tx.engine import edition_file, editions
from wasabi_tx.engine.edition import EditionError, Problem
from wasabi_tx.engine.edition_file import MAX_ROWS, MOST_PROBLEMS
from wasabi_tx.engine.editions import edition_text, read_playable
from wasabi_tx.engine.editions.classic import rules as classic_rules
from wasabi_tx.engine.errors import Malformed, RulesError

CLASSIC, MASTER = edition_text("classic"), edition_text("master")
Change = Callable[[str], str]


def swap(old: str, new: str) -> Change:
    """Return a change that replaces the first occurrence of a text."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def without(table: str) -> Change:
    """Return a change that removes every table of this name."""
    return lambda text: re.sub(rf"\[\[{table}\]\]\n(?:(?!\[).*\n)*", "", text)


def more(addition: str) -> Change:
    return lambda text: text + "\n" + addition


def recipe(slug: str, strip: str) -> str:
    return f'[[recipe]]\nid = "{slug}"\nstrip = "{strip}"\nname = {{ en = "A", it = "B" }}\n'


def ingredient(code: str) -> str:
    name = 'name = { en = "A", it = "B" }'
    return f'[[ingredient]]\ncode = "{code}"\ncategory = "fish"\ncount = 1\nemoji = "🐟"\n{name}\n'


def priced(text: str) -> str:
    """Give recipes values of their own, and remove the tokens."""
    return without("token")(text).replace("[[recipe]]\n", "[[recipe]]\nvalue = 2\nstyle = 0\n")


ROWS = swap("rows = 6", "rows = 99")
CARROT = 'strip = "Ca Ma"'

CLASSIC_FAULTS: list[tuple[Change, Problem]] = [
    (swap('id = "classic"', 'id = "classic'), Problem("file", "toml", "9")),
    (ROWS, Problem("board.rows", "number", "99, 3 to 12")),
    (swap("rows = 6", "rows = true"), Problem("board.rows", "number", "True, 3 to 12")),
    (swap("rows = 6", "rows = 6.0"), Problem("board.rows", "number", "6.0, 3 to 12")),
    (swap("rows = 6", 'rows = "six"'), Problem("board.rows", "number", "'six', 3 to 12")),
    (swap("rows = 6\n", ""), Problem("board.rows", "number", "None, 3 to 12")),
    (swap("4 = 7 }", "4 = 70 }"), Problem("board.columns.4", "number", "70, 3 to 12")),
    (swap("tiles = 3", "tiles = -1"), Problem("hand.tiles", "number", "-1, 0 to 6")),
    (swap("recipes = 3", "recipes = 0"), Problem("hand.recipes", "number", "0, 1 to 6")),
    (swap("cards = 2", "cards = 7"), Problem("hand.cards", "number", "7, 1 to 6")),
    (swap("count = 9", "count = 0"), Problem("ingredient 1 (Ri).count", "number", "0, 1 to 30")),
    (swap("length = 2", "length = 6"), Problem("token 1.length", "number", "6, 2 to 5")),
    (swap("points = 3", "points = 51"), Problem("token 2.points", "number", "51, 0 to 50")),
    (swap("style = 2", "style = 21"), Problem("token 3.style", "number", "21, 0 to 20")),
    (swap("count = { 2 = 1", "count = { 2 = 11"), Problem("action 1 (Ch).count.2", "number", "11, 0 to 10")),
    (swap('id = "classic"', 'id = "Classic!"'), Problem("file.id", "word", "'Classic!'")),
    (swap('id = "classic"', f'id = "{"a" * 41}"'), Problem("file.id", "word", repr("a" * 41))),
    (swap('rules = "classic"', "rules = 1"), Problem("file.rules", "word", "1")),
    (swap('code = "Ri"', 'code = "ri"'), Problem("ingredient 1.code", "word", "'ri'")),
    (swap('code = "Ch"', 'code = "Chop"'), Problem("action 1.code", "word", "'Chop'")),
    (swap('effect = "chop"', 'effect = "Chop!"'), Problem("action 1 (Ch).effect", "word", "'Chop!'")),
    (swap('id = "base"', 'id = "-base"'), Problem("category 1.id", "word", "'-base'")),
    (swap('id = "carrot-top"', 'id = "Carrot Top"'), Problem("recipe 1.id", "word", "'Carrot Top'")),
    (swap('en = "Rice", ', ""), Problem("ingredient 1 (Ri).name.en", "name", "None")),
    (swap('it = "Riso"', "it = 3"), Problem("ingredient 1 (Ri).name.it", "name", "3")),
    (swap('it = "Riso"', '"I/T" = "Riso"'), Problem("ingredient 1 (Ri).name", "word", "'I/T'")),
    (swap('"Rice"', '"  "'), Problem("ingredient 1 (Ri).name.en", "name", "'  '")),
    (swap('"Rice"', '"Ri\\u0007ce"'), Problem("ingredient 1 (Ri).name.en", "name", "'Ri\\x07ce'")),
    (swap('"Rice"', f'"{"R" * 25}"'), Problem("ingredient 1 (Ri).name.en", "name", f"'{'R' * 25}'")),
    (swap('"Carrot Top"', "7"), Problem("recipe 1 (carrot-top).name.en", "name", "7")),
    (
        lambda text: "category = 3\n" + text.replace("[[category]]", "[[kind]]"),
        Problem("category", "table-list", ""),
    ),
    (lambda text: "recipe = [1]\n" + without("recipe")(text), Problem("recipe", "table-list", "")),
    (swap("[board]", "[desk]"), Problem("board", "table", "")),
    (swap("[hand]", "[paw]"), Problem("hand", "table", "")),
    (swap(", 3 = 6, 4 = 7 }", " }"), Problem("board.columns", "by-players", "{'2': 5}")),
    (swap("starting_hand = false", 'starting_hand = "no"'), Problem("category 1.starting_hand", "boolean", "'no'")),
    (swap("🍚", "Ri"), Problem("ingredient 1 (Ri).emoji", "emoji", "'Ri'")),
    (swap("🍚", "é"), Problem("ingredient 1 (Ri).emoji", "emoji", "'é'")),
    (swap(CARROT, 'strip = "Ca"'), Problem("recipe 1 (carrot-top).strip", "strip", "'Ca'")),
    (swap(CARROT, 'strip = "a b c d e f"'), Problem("recipe 1 (carrot-top).strip", "strip", "'a b c d e f'")),
    (swap(CARROT, 'strip = ["Ca", "Ma"]'), Problem("recipe 1 (carrot-top).strip", "strip", "['Ca', 'Ma']")),
    (swap(CARROT, 'strip = "Ca Xx"'), Problem("recipe 1 (carrot-top).strip", "unknown-code", "Xx")),
    (
        swap("[[token]]\nlength = 2", "[[spare]]\nlength = 2"),
        Problem("recipe 1 (carrot-top).strip", "no-token", "2"),
    ),
    (swap('id = "fish"', 'id = "base"'), Problem("category", "twice", "base")),
    (swap('code = "Ma"', 'code = "Ch"'), Problem("recipe 1 (carrot-top).strip", "unknown-code", "Ma")),
    (swap('code = "Sp"', 'code = "Ri"'), Problem("code", "twice", "Ri")),
    (swap('effect = "spicy"', 'effect = "chop"'), Problem("effect", "twice", "chop")),
    (swap('ours = ["rows"]', 'ours = ["rowz"]'), Problem("board.ours", "keys", "['rowz']")),
    (swap("length = 3", "length = 2"), Problem("recipe 22 (california-dreamer).strip", "no-token", "3")),
    (more("[[token]]\nlength = 2\ncount = 1\npoints = 1\nstyle = 0\n"), Problem("token length", "twice", "2")),
    (swap('id = "cool-kappa"', 'id = "carrot-top"'), Problem("recipe", "twice", "carrot-top")),
    (
        more("".join(ingredient("Z" + chr(97 + n)) for n in range(8))),
        Problem("ingredient", "too-many-ingredients", "32"),
    ),
    (
        lambda text: without("recipe")(without("ingredient")(text)),
        Problem("ingredient", "too-many-ingredients", "0"),
    ),
    (swap('category = "base"', 'category = "dough"'), Problem("ingredient (Ri).category", "unknown-category", "dough")),
    (without("recipe"), Problem("recipe", "no-recipes", "")),
    (
        more("".join(recipe(f"r-{n}", "Ri Ma") for n in range(79))),
        Problem("recipe", "too-many-cards", "131"),
    ),
    (swap(CARROT, 'strip = "Na Na"'), Problem("recipe (carrot-top)", "too-few-tiles", "Na x2")),
    (more(recipe("top-carrot", "Ma Ca")), Problem("recipe (top-carrot)", "same-recipe", "carrot-top")),
    (
        lambda text: swap("columns = { 2 = 5", "columns = { 2 = 4")(swap("rows = 6", "rows = 3")(text)),
        Problem("recipe (family-reunion)", "too-long-for-board", "5"),
    ),
    (swap('rules = "classic"', 'rules = "chess"'), Problem("rules", "unknown-rules", "chess")),
    (priced, Problem("token", "missing", "")),
    (swap("tiles = 3", "tiles = 4"), Problem("hand.tiles", "number", "4, 3 to 3")),
    (swap('effect = "chop"', 'effect = "slice"'), Problem("action (Ch).effect", "unknown-effect", "slice")),
    (
        lambda text: text.replace("starting_hand = true", "starting_hand = false", 2),
        Problem("category", "starting-hands", "3 x 4"),
    ),
]

MASTER_FAULTS: list[tuple[Change, Problem]] = [
    (swap("recipes = [2, 3, 4]", "recipes = [2, 9]"), Problem("setup.recipes", "lengths", "[2, 9]")),
    (swap("recipes = [2, 3, 4]", 'recipes = "2 3 4"'), Problem("setup.recipes", "lengths", "'2 3 4'")),
    (lambda text: re.sub(r"cups = \{.*\}", "cups = 3", text), Problem("setup.cups", "by-players", "3")),
    (
        lambda text: re.sub(r"cups = \{.*\}", 'cups = { 2 = [1, 2], 3 = ["a1"], 4 = [] }', text),
        Problem("setup.cups.2", "squares", "[1, 2]"),
    ),
    (lambda text: re.sub(r"wasabi = \{.*\}", "wasabi = 3", text), Problem("setup.wasabi", "by-players", "3")),
    (swap("4 = [0, 0, 1, 2]", "4 = [0, 1, 2]"), Problem("setup.wasabi.4", "numbers", "[0, 1, 2]")),
    (swap("4 = [0, 0, 1, 2]", "4 = [0, 1, 1, 21]"), Problem("setup.wasabi.4", "numbers", "[0, 1, 1, 21]")),
    (swap("4 = [0, 0, 1, 2]", "4 = [0, 1, true, 2]"), Problem("setup.wasabi.4", "numbers", "[0, 1, True, 2]")),
    (
        more("[[deck]]\nlength = 2\ngain = 0\npool = 0\n"),
        Problem("deck length", "twice", "2"),
    ),
]

EVERY = [(CLASSIC, *fault) for fault in CLASSIC_FAULTS] + [(MASTER, *fault) for fault in MASTER_FAULTS]


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(EditionError) as caught:
        read_playable(text)
    first = caught.value.problems[0]
    assert caught.value.code == "edition"
    assert caught.value.where == {"where": first.where, "problem": first.code, "found": first.found}
    return caught.value.problems


@pytest.mark.parametrize(("text", "change", "problem"), EVERY, ids=[f"{p.where} {p.code}" for _, _, p in EVERY])
def test_each_fault_is_found_and_its_place_named(text: str, change: Change, problem: Problem) -> None:
    found = problems(change(text))
    assert problem in found


def test_the_printed_editions_have_no_fault() -> None:
    assert read_playable(CLASSIC).id == "classic"
    assert read_playable(MASTER).id == "master"


def test_a_recipe_of_an_ingredient_beyond_the_most_is_refused_and_not_more() -> None:
    many = more("".join(ingredient("Z" + chr(97 + n)) for n in range(26)))(CLASSIC)
    faults = problems(swap('strip = "', 'strip = "Zz ')(many))
    assert Problem("ingredient", "too-many-ingredients", "50") in faults


def test_a_list_of_more_rows_than_any_edition_has_is_not_read() -> None:
    rows = '[[recipe]]\nid = "x"\nstrip = "Ri Tu"\nname = {en = "x"}\n' * (MAX_ROWS + 1)
    assert Problem("recipe", "table-list", "") in problems(without("recipe")(CLASSIC) + rows)


def test_only_so_many_faults_are_listed() -> None:
    assert len(problems(without("recipe")(CLASSIC) + "[[recipe]]\n" * MAX_ROWS)) == MOST_PROBLEMS


@pytest.mark.parametrize(
    "text",
    ["a" + ".a" * 140_000 + " = 1", "[" + "a." * 140_000 + "a]", "a = " + "[" * 300_000, "a = '" + "x" * 300_000 + "'"],
    ids=["dotted-key", "dotted-table", "deep", "long"],
)
def test_a_line_that_nobody_wrote_by_hand_is_not_parsed(text: str) -> None:
    (problem,) = problems(text)
    assert problem == Problem("file", "toml", "1")


def test_every_fault_is_listed_not_only_the_first() -> None:
    found = problems(swap('"Rice"', '""')(ROWS(CLASSIC)))
    assert [problem.where for problem in found] == ["ingredient 1 (Ri).name.en", "board.rows"]


def test_every_code_that_the_source_knows_has_a_test_here() -> None:
    codes = set()
    for module in (edition_file, editions, classic_rules):
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
                called = node.func
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                if name in ("fault", "Problem"):
                    codes.add(node.args[1].value)
    assert len(codes) > 20
    assert codes == {problem.code for _, _, problem in EVERY}


@pytest.mark.parametrize("text", ["", "\0", "[" * 3000, "a = " + "[" * 3000, "id = 1979-05-27", "é" * 100])
def test_nonsense_is_refused_like_any_other_file(text: str) -> None:
    assert problems(text)


@given(st.integers(0, len(CLASSIC)), st.integers(0, 40), st.text(max_size=8) | st.sampled_from(["true", "-1", "[]"]))
@settings(max_examples=40, deadline=None)
def test_a_file_with_an_arbitrary_change_is_read_or_refused_and_never_worse(start: int, cut: int, new: str) -> None:
    try:
        edition = read_playable(CLASSIC[:start] + new + CLASSIC[start + cut :])
    except RulesError as error:
        assert isinstance(error, Malformed)  # noqa: PT017
    else:
        assert edition.recipes
