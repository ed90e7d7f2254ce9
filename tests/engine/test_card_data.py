"""The card data of both editions stays playable, fair and displayable.

`python -m tests.lab.ingredients` prints how often each ingredient occurs.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

EDITIONS = Path(__file__).parents[2] / "wasabi_tx" / "engine" / "editions"
LANGUAGES = {"en", "it"}
PLAYERS = (2, 3, 4)
LONGEST_NAME = 20
LONGEST_TEXT = 200
CODE = re.compile(r"[A-Z][a-z]", re.ASCII)
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)

# Pictures that terminals have long supported, by Unicode version; Python does not know a character's age.
OLD_EMOJI = {
    4: "⚪",
    6: "🍣🍙🍚🍤🍥🍳🍵🍄🌿🐟🐠🐙🏆🔒👀🐍🐚🍢🌸🔴🍲",
    8: "🦀🤖🏺",
    9: "🥑🥒🥕🦑🦐🥜",
    10: "🥢🦔",
    11: "🥬🦞",
}

Table = dict[str, Any]


@dataclass(frozen=True)
class Promise:
    """The components of one edition, as its rules promise."""

    tiles: int
    base: dict[str, int]
    uniques: int
    recipes: dict[int, int]
    recipes_with_unique: int
    effects: set[str]


PROMISES = {
    "classic": Promise(
        tiles=72,
        base={"Ri": 9, "Ma": 9},
        uniques=6,
        recipes={2: 21, 3: 15, 4: 10, 5: 6},
        recipes_with_unique=15,
        effects={"chop", "spicy", "stack", "switch", "wasabi"},
    ),
    # Eight uniques in two recipes each make at least sixteen: 18 of 65 is the same share as 15 of 52.
    "master": Promise(
        tiles=68,
        base={"Ri": 7, "No": 5},
        uniques=8,
        recipes={2: 18, 3: 18, 4: 16, 5: 13},
        recipes_with_unique=18,
        effects={"chop", "spicy", "stack", "switch"},
    ),
}

both = pytest.mark.parametrize("edition", PROMISES)


@cache
def read(edition: str) -> Table:
    return tomllib.loads((EDITIONS / f"{edition}.toml").read_text(encoding="utf-8"))


def strips(edition: str) -> dict[str, list[str]]:
    return {recipe["id"]: recipe["strip"].split(" ") for recipe in read(edition)["recipe"]}


def counts(edition: str) -> dict[str, int]:
    return {ingredient["code"]: ingredient["count"] for ingredient in read(edition)["ingredient"]}


def uniques(edition: str) -> set[str]:
    return {row["code"] for row in read(edition)["ingredient"] if row["category"] == "unique"}


def frequencies(edition: str) -> dict[str, Counter[int]]:
    """Return how many recipes of each length contain each ingredient."""
    table: dict[str, Counter[int]] = {code: Counter() for code in counts(edition)}
    for strip in strips(edition).values():
        for code in set(strip):
            table[code][len(strip)] += 1
    return table


def tables(edition: str) -> list[Table]:
    """Return every table of the file, single or in a list."""
    values = read(edition).items()
    alone = [value for key, value in values if isinstance(value, dict) and key != "name"]
    return alone + [row for _, value in values if isinstance(value, list) for row in value]


@both
def test_the_file_names_its_edition_and_rules(edition: str) -> None:
    assert read(edition)["id"] == read(edition)["rules"] == edition
    assert read(edition)["name"].keys() == LANGUAGES


@both
def test_each_table_marks_which_of_its_figures_are_ours(edition: str) -> None:
    for table in tables(edition):
        assert table["ours"] == [key for key in table if key in table["ours"]], table
        assert not {"id", "code", "emoji", "ours"} & set(table["ours"]), table


def printed(edition: str, kind: str, key: str) -> set[str]:
    """Return the English names of rows whose value for this key is printed in the rulebook."""
    return {row["name"]["en"] for row in read(edition)[kind] if key not in row["ours"]}


def test_classic_marks_what_its_rulebook_prints() -> None:
    classic = read("classic")
    named = {"Rice", "Maki", "Tuna", "Salmon", "Avocado", "Tempura", "Egg"}
    assert (classic["board"]["ours"], classic["hand"]["ours"]) == (["rows"], [])
    assert {row["length"] for row in classic["token"] if "style" not in row["ours"]} == {2, 3}
    assert all("points" in row["ours"] for row in classic["token"]), "which length is worth how much"
    assert printed("classic", "ingredient", "name") == named
    assert printed("classic", "ingredient", "count") == set()
    assert printed("classic", "action", "count") == {row["name"]["en"] for row in classic["action"]}
    assert printed("classic", "action", "text") == set()
    assert printed("classic", "recipe", "name") == {"Tekkamaki", "Crunchy Tuna", "Pickle Barrel"}
    assert printed("classic", "recipe", "strip") == set()


def test_master_marks_what_its_rulebook_prints() -> None:
    master = read("master")
    pairs = {row["name"]["en"] for row in master["recipe"] if len(row["strip"].split(" ")) == 2}
    named = {"Avocado Nigiri", "Sake-Avo Maki", "Red Dragon", "Mirugai", "Dynamite Roll"}
    guests = {"The Maine Course", "Pearl Jammed", "Roe-My-Boat"}
    assert (master["board"]["ours"], master["hand"]["ours"]) == (["rows", "columns"], [])
    assert master["setup"]["ours"] == ["cups", "wasabi", "final_turns_after"]
    assert [row["ours"] for row in master["deck"]] == [["length"]] * 4
    assert printed("master", "ingredient", "name") == {"Avocado", "Cucumber", "Scallop", "Shrimp"}
    every = {row["name"]["en"] for row in master["ingredient"]}
    assert printed("master", "ingredient", "count") == every - {"Rice", "Nori"}
    assert printed("master", "action", "effect") == {"Chop", "Switch"}
    assert printed("master", "action", "count") == set()
    assert printed("master", "recipe", "name") == guests | named
    assert printed("master", "recipe", "strip") == printed("master", "recipe", "value") == set()
    assert printed("master", "recipe", "style") == pairs | {"Red Dragon"}


@both
def test_the_board_is_six_rows_of_five_six_or_seven_columns(edition: str) -> None:
    board = read(edition)["board"]
    assert (board["rows"], board["columns"]) == (6, {"2": 5, "3": 6, "4": 7})


@both
def test_tiles_are_split_as_the_rules_say(edition: str) -> None:
    promise, rows = PROMISES[edition], read(edition)["ingredient"]
    split = Counter((row["category"], row["count"]) for row in rows if row["category"] != "base")
    by_three = {(category, 3): 4 for category in ("fish", "seafood", "vegetable", "other")}
    assert split == {**by_three, ("unique", 1): promise.uniques}
    assert {row["code"]: row["count"] for row in rows if row["category"] == "base"} == promise.base
    assert sum(row["count"] for row in rows) == promise.tiles


@both
def test_ingredients_follow_the_order_of_the_categories(edition: str) -> None:
    shown = [category["id"] for category in read(edition)["category"]]
    order = [shown.index(row["category"]) for row in read(edition)["ingredient"]]
    assert order == sorted(order)
    assert set(order) == set(range(len(shown)))


@both
def test_codes_are_two_letters_and_unique_across_tiles_and_cards(edition: str) -> None:
    codes = [row["code"] for key in ("ingredient", "action") for row in read(edition)[key]]
    assert all(CODE.fullmatch(code) for code in codes)
    assert len(set(codes)) == len(codes)


def test_one_code_is_the_same_ingredient_in_both_editions() -> None:
    faces = [
        {row["code"]: (row["category"], row["name"], row["emoji"]) for row in read(edition)["ingredient"]}
        for edition in PROMISES
    ]
    shared = faces[0].keys() & faces[1].keys()
    assert len(shared) >= 17
    assert {code: faces[0][code] for code in shared} == {code: faces[1][code] for code in shared}


@both
def test_emoji_are_one_old_code_point_two_cells_wide(edition: str) -> None:
    emoji = [row["emoji"] for row in read(edition)["ingredient"]]
    assert all(len(face) == 1 and unicodedata.east_asian_width(face) == "W" for face in emoji)
    assert set(emoji) <= set("".join(OLD_EMOJI.values()))
    assert len(set(emoji)) == len(emoji)


@both
@pytest.mark.parametrize("key", ["category", "ingredient", "action", "recipe"])
def test_names_exist_in_both_languages_and_fit_on_a_screen(edition: str, key: str) -> None:
    names = [row["name"] for row in read(edition)[key]]
    assert all(name.keys() == LANGUAGES for name in names)
    for language in LANGUAGES:
        here = [name[language] for name in names]
        assert [name for name in here if not 1 <= len(name) <= LONGEST_NAME or name != name.strip()] == []
        assert all(name.isprintable() for name in here)
        assert [name for name, times in Counter(here).items() if times > 1] == []


@both
def test_card_texts_exist_in_both_languages_and_fit_in_a_panel(edition: str) -> None:
    actions = read(edition)["action"]
    assert {action["effect"] for action in actions} == PROMISES[edition].effects
    assert len(actions) == len(PROMISES[edition].effects)
    for action in actions:
        assert action["text"].keys() == LANGUAGES
        assert all(20 <= len(text) <= LONGEST_TEXT for text in action["text"].values())


@both
def test_recipes_are_as_many_of_each_length_as_the_rules_say(edition: str) -> None:
    assert Counter(len(strip) for strip in strips(edition).values()) == PROMISES[edition].recipes


@both
def test_recipes_stand_by_length_and_id_and_no_id_twice(edition: str) -> None:
    order = [(len(row["strip"].split(" ")), row["id"]) for row in read(edition)["recipe"]]
    assert order == sorted(order)
    assert len({identity for _, identity in order}) == len(order)
    assert all(SLUG.fullmatch(identity) for _, identity in order)


@both
def test_every_recipe_can_be_made_from_the_tiles_that_exist(edition: str) -> None:
    pantry = Counter(counts(edition))
    assert {name for name, strip in strips(edition).items() if not Counter(strip) <= pantry} == set()


@both
def test_no_two_recipes_hold_the_same_ingredients(edition: str) -> None:
    contents = Counter(" ".join(sorted(strip)) for strip in strips(edition).values())
    assert [content for content, times in contents.items() if times > 1] == []


@both
def test_a_unique_ingredient_occurs_in_two_or_three_recipes(edition: str) -> None:
    table = frequencies(edition)
    assert {code: table[code].total() for code in uniques(edition) if table[code].total() not in (2, 3)} == {}


@both
def test_a_recipe_holds_at_most_one_unique_ingredient_and_few_hold_one(edition: str) -> None:
    held = [sum(code in uniques(edition) for code in strip) for strip in strips(edition).values()]
    assert max(held) == 1
    assert sum(held) <= PROMISES[edition].recipes_with_unique


@both
def test_every_other_ingredient_occurs_in_several_recipes(edition: str) -> None:
    table = frequencies(edition)
    assert {code for code in table.keys() - uniques(edition) if table[code].total() < 4} == set()


@both
def test_nearly_all_recipes_hold_rice_or_its_wrapper_as_sushi_does(edition: str) -> None:
    base = PROMISES[edition].base.keys()
    without = [name for name, strip in strips(edition).items() if base.isdisjoint(strip)]
    assert len(without) * 10 <= len(strips(edition))


@both
def test_strips_that_read_alike_from_both_ends_are_rare(edition: str) -> None:
    palindromes = [name for name, strip in strips(edition).items() if strip == strip[::-1]]
    assert len(palindromes) <= 2
    assert all(len(strips(edition)[name]) > 2 for name in palindromes)


@both
def test_hands_are_three_recipes_two_cards_and_in_classic_three_tiles(edition: str) -> None:
    hand = read(edition)["hand"]
    assert (hand["tiles"], hand["recipes"], hand["cards"]) == (3 if edition == "classic" else 0, 3, 2)


def test_classic_starting_hands_come_from_four_categories() -> None:
    allowed = {row["id"] for row in read("classic")["category"] if row["starting_hand"]}
    assert allowed == {"fish", "seafood", "vegetable", "other"}


def test_classic_tokens_are_ten_a_player_and_make_the_printed_twenty_points() -> None:
    tokens = {row["length"]: row for row in read("classic")["token"]}
    figures = {length: (row["count"], row["points"], row["style"]) for length, row in tokens.items()}
    assert figures == {2: (4, 2, 0), 3: (3, 3, 1), 4: (2, 5, 2), 5: (1, 8, 3)}
    assert sum(tokens[length]["points"] for length in (5, 3, 4, 2, 2)) == 20


def test_classic_kitchen_is_five_seven_or_ten_cards() -> None:
    kitchens = {
        players: {row["effect"]: row["count"][str(players)] for row in read("classic")["action"]} for players in PLAYERS
    }
    assert set(kitchens[2].values()) == {1}
    assert kitchens[3] == {"chop": 1, "spicy": 2, "stack": 1, "switch": 1, "wasabi": 2}
    assert set(kitchens[4].values()) == {2}


def test_classic_recipes_of_the_rulebook_suit_its_examples() -> None:
    classic = strips("classic")
    assert sorted(classic["tekkamaki"]) == ["Ma", "Tu"]
    assert sorted(classic["crunchy-tuna"]) == ["Ma", "Te", "Tu"]
    assert ["Ma", "Te", "Tu"] not in (classic["crunchy-tuna"], classic["crunchy-tuna"][::-1])
    assert len(classic["pickle-barrel"]) == 3
    assert {"Pi", "Ma"} < set(classic["pickle-barrel"])


def test_master_has_no_tokens_and_values_near_those_of_its_length() -> None:
    assert "token" not in read("master")
    usual = {2: 2, 3: 4, 4: 8, 5: 10}
    for row in read("master")["recipe"]:
        length = len(row["strip"].split(" "))
        assert row["style"] == length - 2, row["id"]
        assert abs(row["value"] - usual[length]) <= (length > 2), row["id"]
        easier = uniques("master").isdisjoint(row["strip"].split(" "))
        assert easier or row["value"] >= usual[length], row["id"]


def test_master_decks_give_what_their_backs_say() -> None:
    backs = {row["length"]: (row["gain"], row["pool"]) for row in read("master")["deck"]}
    assert backs == {2: (0, 0), 3: (0, 1), 4: (0, 2), 5: (1, 1)}


def test_master_has_sixteen_action_cards_four_of_each() -> None:
    assert [row["count"] for row in read("master")["action"]] == [4, 4, 4, 4]
    assert not any("!" in name for row in read("master")["action"] for name in row["name"].values())


def test_master_setup_lays_one_cup_a_player_inside_the_play_area() -> None:
    setup, board = read("master")["setup"], read("master")["board"]
    assert (setup["display"], setup["pool"], setup["recipes"]) == (3, 1, [2, 3, 4])
    assert setup["final_turns_after"] == 60
    for players in PLAYERS:
        columns = "abcdefg"[: board["columns"][str(players)]]
        spaces = {f"{column}{row}" for column in columns for row in range(1, board["rows"] + 1)}
        cups = setup["cups"][str(players)]
        assert len(cups) == len(set(cups)) == players
        assert set(cups) <= spaces


def test_master_recipes_of_the_rulebook_suit_its_examples() -> None:
    master = strips("master")
    assert sorted(master["avocado-nigiri"]) == ["Av", "Ri"]
    assert sorted(master["sake-avo-maki"]) == ["Av", "No", "Sa"]
    assert len(master["red-dragon"]) == 4
    assert len(master["mirugai"]) == 2
    assert "Sh" in master["dynamite-roll"]
    assert "Cu" not in master["dynamite-roll"]
