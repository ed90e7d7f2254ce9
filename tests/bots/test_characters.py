"""The characters of bots: each likes what its name promises, and nothing else."""

from __future__ import annotations

from functools import cache
from random import Random
from statistics import fmean

import pytest

from tests.bots.games import walk
from wasabi_tx.bots.level_names import CHARACTER_NAMES, bot_of, character_of, level_of
from wasabi_tx.bots.levels import CHARACTERS, LEVELS, find_bot
from wasabi_tx.bots.taste import POINTS_ALONE, Taste, prizes
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.position import Claimed
from wasabi_tx.view.names import RIVALS
from wasabi_tx.view.rivals import find_rivals

GAMES = 12


@cache
def habits(edition: str, character: str) -> tuple[float, float, float]:
    """Return a normal bot's mean recipe length, its style cubes and its rival's score over several games."""
    bot, other = find_bot(bot_of("normal", character)), find_bot("normal")
    recipes = rules_for(edition, 2).edition.recipes
    lengths, cubes, scores = [], [], []
    for game in range(GAMES):
        own = game % 2
        bots = [bot, other] if own == 0 else [other, bot]
        for moment in walk(edition, bots, Random(f"habits {game // 2}").randrange(1 << 32)):
            after = moment.after
        claimed = after.seats[own].claimed
        lengths += [recipes[done.recipe].length for done in claimed]
        cubes.append(sum(done.cubes for done in claimed))
        scores.append(after.seats[1 - own].score)
    return fmean(lengths), fmean(cubes), fmean(scores)


@pytest.mark.long
def test_a_builder_completes_longer_recipes_than_others() -> None:
    assert habits("classic", "builder")[0] > habits("classic", "")[0]


@pytest.mark.long
def test_a_stylist_wins_more_cubes_by_style() -> None:
    assert habits("classic", "stylist")[1] > habits("classic", "")[1]


@pytest.mark.long
def test_a_blocker_leaves_less_to_its_rival() -> None:
    assert habits("classic", "blocker")[2] < habits("classic", "")[2]


def test_who_likes_points_alone_counts_points_alone() -> None:
    rules = rules_for("classic", 2)
    recipes = rules.edition.recipes
    assert POINTS_ALONE.enjoyed([Claimed(0, 3)], recipes) == 0
    assert [tuple(prize) for prize in prizes(rules, POINTS_ALONE)] == [
        (one.points, one.points + one.style) for one in recipes
    ]


def test_a_completed_recipe_is_worth_what_it_promised() -> None:
    """A completed recipe is worth what it promised, or a bot would delay claims it could make now."""
    rules, taste = rules_for("master", 2), Taste(style=1.0, length=0.5)
    recipes = rules.edition.recipes
    for number, (recipe, prize) in enumerate(zip(recipes, prizes(rules, taste), strict=True)):
        for cubes, promised in ((0, prize.plain), (recipe.style, prize.styled)):
            enjoyed = taste.enjoyed([Claimed(number, cubes)], recipes)
            assert recipe.points + cubes + enjoyed == pytest.approx(promised)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("character", ["", *CHARACTER_NAMES])
def test_every_level_has_every_character(level: str, character: str) -> None:
    name = bot_of(level, character)
    assert find_bot(name) is find_bot(name)
    assert (level_of(name), character_of(name)) == (level, character)


@pytest.mark.parametrize("name", ["normal-", "normal-cook", "builder", "greedy-builder", "-builder"])
def test_a_bot_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(Malformed):
        find_bot(name)


def test_the_names_are_those_of_the_characters() -> None:
    assert set(CHARACTER_NAMES) == set(CHARACTERS) == set(RIVALS.values()) - {""}


def test_rivals_are_drawn_by_lot_and_all_come_up() -> None:
    drawn = [tuple(find_rivals(["Ana"], 2, "hard", str(seed))) for seed in range(60)]
    assert {one.name for pair in drawn for one in pair} == set(RIVALS)
    assert all(one.name != two.name for one, two in drawn)
    assert {level_of(one.bot or "") for pair in drawn for one in pair} == {"hard"}
    assert drawn[7] == tuple(find_rivals(["Ana"], 2, "hard", "7"))


def test_chosen_rivals_come_first_and_a_name_that_is_taken_is_left_to_its_person() -> None:
    first, second = find_rivals(["ponzu"], 2, "easy", "x", ["Ponzu", "Udon"])
    assert (second.name, second.bot) == ("Udon", "easy-builder")
    assert first.bot == "easy-blocker"
    assert first.name.casefold() not in {"ponzu", *map(str.casefold, RIVALS)}
