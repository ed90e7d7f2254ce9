"""Hidden information never reaches a seat: games that differ only in hidden cards look alike."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine import games
from tests.engine.games import Moment, walk
from tests.engine.master import games as master_games
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position_text import format_position
from wasabi_tx.engine.sealed_card import Card, Faces, deck_of


def whole_game(edition: str, players: int, seed: int, leaving: float = 0.0) -> list[Moment]:
    if edition == "classic":
        return list(games.walk(players, seed, leaving))
    serving = master_games.preferring("serve", "chop", "stack", "switch")
    return [Moment(*moment) for moment in master_games.walk(players, seed, serving, leaving)]


def seen_by(game: list[Moment], seat: int | None) -> set[Card]:
    """Return every card whose face the seat learnt by the end: those it held, and those claimed or turned up."""
    seen = {moment.step.args[0] for moment in game if moment.step.verb in ("claim", "serve", "turn")}
    if seat is not None:
        seen.update(card for moment in game for card in moment.after.seats[seat].recipes)
    return seen


def with_hidden_cards_mixed(faces: dict[Card, int], seen: set[Card], seed: int) -> dict[Card, int]:
    """Return the same faces for the seen cards; all others are shuffled within their decks and epochs."""
    hidden: dict[int, list[Card]] = {}
    for card in sorted(set(faces) - seen):
        hidden.setdefault(card >> 8, []).append(card)
    mixed = dict(faces)
    for cards in hidden.values():
        order = [faces[card] for card in cards]
        random.Random(seed).shuffle(order)
        mixed.update(zip(cards, order, strict=True))
    return mixed


def view(moment: Moment, position: Any, seat: int | None, faces: Faces) -> tuple[object, ...]:
    """Return everything an observation reveals, and everything derived from it."""
    seen = observe(moment.rules, position, seat, faces)
    text = format_position(seen.rules, seen.position, seen.faces)
    return text, seen.faces, seen.legal(), seen.my_turn, moment.rules.digest(seen.position)


@pytest.mark.parametrize("edition", PACKAGED)
@given(st.integers(2, 4), st.integers(0, 2**32), st.sampled_from([0, 1, None]), st.sampled_from([0.0, 0.01]))
@settings(max_examples=8, deadline=None)
def test_two_games_that_differ_only_in_hidden_cards_look_alike_to_the_seat_at_every_step(
    edition: str, players: int, seed: int, seat: int | None, leaving: float
) -> None:
    game = whole_game(edition, players, seed, leaving)
    faces = dict(game[-1].faces)
    mixed = with_hidden_cards_mixed(faces, seen_by(game, seat), seed)
    other = game[0].position
    for moment in game:
        assert view(moment, moment.position, seat, faces) == view(moment, other, seat, mixed)
        other = moment.rules.apply(other, moment.step)
    assert game[0].rules.digest(other) == game[0].rules.digest(game[-1].after)


@pytest.mark.parametrize("edition", PACKAGED)
def test_the_games_compared_do_differ_in_hidden_cards(edition: str) -> None:
    """The compared games must differ in hidden cards, so that the test above compares two games and not one."""
    game = whole_game(edition, 3, 11)
    rules, faces = game[0].rules, dict(game[-1].faces)
    mixed = with_hidden_cards_mixed(faces, seen_by(game, 0), 11)
    held_by_others = {card for moment in game for n in (1, 2) for card in moment.after.seats[n].recipes}
    assert any(faces[card] != mixed[card] for card in held_by_others)
    assert sorted(faces.values()) == sorted(mixed.values())
    assert all(face in rules.deck_faces(deck_of(card)) for card, face in mixed.items())


@pytest.mark.parametrize("edition", PACKAGED)
@given(st.integers(2, 4), st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_an_observation_holds_the_faces_of_the_seats_own_hand_and_no_others(
    edition: str, players: int, seed: int
) -> None:
    for moment in whole_game(edition, players, seed):
        for seat in range(players):
            own = moment.after.seats[seat].recipes
            seen = observe(moment.rules, moment.after, seat, moment.faces)
            assert seen.faces == {card: moment.faces[card] for card in own}
        assert observe(moment.rules, moment.after, None, moment.faces).faces == {}


@pytest.mark.parametrize("seat", [0, 1, None])
def test_only_the_mover_is_told_what_is_legal(seat: int | None) -> None:
    for moment in walk(2, 3):
        seen = observe(moment.rules, moment.position, seat, moment.faces)
        assert seen.my_turn == (moment.position.mover == seat)
        expected = moment.rules.legal(moment.position, moment.faces) if seen.my_turn else []
        assert seen.legal() == expected
