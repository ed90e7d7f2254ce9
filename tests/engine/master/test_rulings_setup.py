"""1. Setup."""

from __future__ import annotations

import pytest

from tests.engine.master.table import opening
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.sealed_card import format_card

everyone = pytest.mark.parametrize("players", [2, 3, 4])


@everyone
def test_one_cup_a_player_on_the_spaces_of_the_edition_file(players: int) -> None:
    start = opening(players)
    squares = start.rules.edition.setup.cups[players]  # type: ignore[union-attr]
    assert len(squares) == players
    assert all(start.square(square) == "cup" for square in squares)


@everyone
@pytest.mark.parametrize("first", [1, 2])
def test_everybody_starts_with_the_wasabi_of_the_edition_file_from_the_first_player_on(
    players: int, first: int
) -> None:
    start = opening(players, first=first)
    wasabi = start.rules.edition.setup.wasabi[players]  # type: ignore[union-attr]
    assert [start.position.seats[(first - 1 + n) % players].cubes for n in range(players)] == list(wasabi)
    assert wasabi[0] == 0


@everyone
def test_a_display_of_three_is_turned_up_before_the_first_turn(players: int) -> None:
    start = opening(players)
    assert (start.phase, start.position.mover, start.position.turn) == ("refill", NOBODY, 0)
    assert start.legal() == ["turn 1.0 Ch", "turn 1.0 Sp", "turn 1.0 St", "turn 1.0 Sw"]
    first = start.do("turn 1.0 Sw; turn 1.1 Ch; turn 1.2 Sw")
    assert (first.display, len(first.position.decks[1])) == ("Ch Sw Sw", 13)
    assert (first.phase, first.mover, first.position.turn) == ("play", 1, 1)


@everyone
def test_recipes_are_dealt_seat_by_seat_one_each_of_length_two_three_four_without_deck_backs(players: int) -> None:
    start = opening(players, first=2)
    hands = [[format_card(card) for card in seat.recipes] for seat in start.position.seats]
    assert hands == [[f"2.{n}", f"3.{n}", f"4.{n}"] for n in range(players)]
    assert start.position.decks[2][0] == start.position.seats[-1].recipes[0] + 1
    assert start.position.pool == 1


@everyone
def test_nobody_starts_with_an_action_card_or_a_tile(players: int) -> None:
    assert all(seat.cards == seat.tiles == () for seat in opening(players).position.seats)


def test_the_starting_player_has_the_first_turn() -> None:
    assert opening(3, first=3).do("turn Ch; turn Ch; turn Ch").mover == 3


def test_a_starting_player_who_left_during_the_setup_is_skipped() -> None:
    begun = opening(3, first=3).do("turn Ch; leave 3; turn Ch; turn Ch")
    assert (begun.mover, begun.position.turn) == (1, 1)
