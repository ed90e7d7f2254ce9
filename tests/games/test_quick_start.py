"""Quick start: starting tiles and first recipes are chosen at random, within the rules, for everybody."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY, Position
from wasabi_tx.engine.sealed_card import deck_of
from wasabi_tx.games.game import Dealt, Player
from wasabi_tx.games.local import LocalGame
from wasabi_tx.games.quick_start import in_setup, setup_bundle
from wasabi_tx.games.transcript import read_transcript

PEOPLE = tuple(Player(name) for name in ("Ana", "Bo", "Chiara", "Dario"))


async def _first_turn(edition: str, players: int, seed: str, quick: bool = True) -> Position:
    """Return the first position in which a person has to act."""
    game = LocalGame(rules_for(edition, players), PEOPLE[:players], seed, lambda _text: None, quick=quick)
    events = game.events()
    while game.position.mover == NOBODY:
        assert isinstance(await anext(events), Dealt)
    await game.close()
    return game.position


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_everybody_begins_with_three_tiles_and_three_recipes(players: int) -> None:
    position = await _first_turn("classic", players, "any")
    edition = rules_for("classic", players).edition
    assert position.turn == 1
    for seat in position.seats:
        categories = {edition.ingredients[tile - 1].category for tile in seat.tiles}
        assert len(seat.tiles) == len(categories) == 3
        assert not categories & {"base", "unique"}
        assert sorted(deck_of(card) for card in seat.recipes) == [2, 3, 3]


async def test_the_same_seed_deals_the_same_and_another_one_does_not() -> None:
    hands = [[seat.tiles for seat in (await _first_turn("classic", 4, seed)).seats] for seed in ("a", "a", "b")]
    assert hands[0] == hands[1] != hands[2]


async def test_what_was_dealt_is_in_the_file_and_the_game_goes_on_from_it() -> None:
    lines: list[str] = []
    game = LocalGame(rules_for("classic", 2), PEOPLE[:2], "any", lines.append, quick=True)
    await game.close()
    earlier = read_transcript("".join(lines), rules_for)
    assert len(earlier.moves) == 2 + 2 * 3
    assert earlier.last.turn == 1
    assert LocalGame.resumed(earlier, lines.append).position.seats[0].tiles == game.position.seats[0].tiles


async def test_without_it_the_first_question_is_a_starting_tile() -> None:
    assert (await _first_turn("classic", 2, "any", quick=False)).phase == "give"


async def test_the_second_edition_has_nothing_to_choose_before_the_first_turn() -> None:
    slow = await _first_turn("master", 2, "any", quick=False)
    quick = await _first_turn("master", 2, "any")
    assert slow.turn == quick.turn == 1


@given(st.integers(), st.integers(0, 3))
def test_what_the_lot_chooses_is_legal_whoever_starts(number: int, first: int) -> None:
    rules, chance = rules_for("classic", 4), Random(number)
    position: Position = rules.start(first)
    while not position.turn:
        known = observe(rules, position, position.mover, {})
        assert in_setup(known)
        position = rules.apply_bundle(position, setup_bundle(known, chance))
    assert position.mover == first
    assert not in_setup(observe(rules, position, first, {}))
