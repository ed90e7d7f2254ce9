"""Laws of every position of every game."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.engine.games import CARDS, walk
from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Faces, deck_of

players = st.integers(2, 4)
seeds = st.integers(0, 2**32)
a_dozen_games = settings(max_examples=12, deadline=None)


def tiles_anywhere(position: Any) -> Counter[int]:
    counts = Counter({tile: count for tile, count in enumerate(position.pantry) if count})
    for stack in position.board.stacks:
        counts.update(stack_tiles(stack))
    for seat in position.seats:
        counts.update(seat.tiles)
    return counts


def cards_anywhere(rules: AnyRules, position: Any) -> Counter[str]:
    codes = [action.code for action in rules.edition.actions]
    counts = Counter(dict(zip(codes, position.kitchen, strict=True)))
    counts.update(codes[card] for seat in position.seats for card in seat.cards)
    counts["Wa"] += len(position.covers)
    return counts


def recipes_anywhere(position: Any, faces: Faces) -> list[int]:
    sealed = [card for deck in position.decks for card in deck]
    sealed += [card for seat in position.seats for card in seat.recipes]
    claimed = [done.recipe for seat in position.seats for done in seat.claimed]
    return sorted([faces[card] for card in sealed] + claimed)


def check_conserved(rules: AnyRules, position: Any, faces: Faces) -> None:
    edition = rules.edition
    assert tiles_anywhere(position) == {n: i.count for n, i in enumerate(edition.ingredients, 1)}
    assert cards_anywhere(rules, position) == {a.code: a.counts[rules.players] for a in edition.actions}
    assert recipes_anywhere(position, faces) == list(range(len(edition.recipes)))


def check_seats(rules: AnyRules, position: Any) -> None:
    edition = rules.edition
    for seat in position.seats:
        assert (len(seat.tiles) <= 3, len(seat.recipes) <= 3, len(seat.cards) <= 2) == (True, True, True)
        assert list(seat.tiles) == sorted(seat.tiles)
        assert list(seat.cards) == sorted(seat.cards)
        assert not (seat.gone and (seat.tiles or seat.cards or seat.recipes))
        lengths = Counter(edition.recipes[done.recipe].length for done in seat.claimed)
        assert [seat.tokens[t.length] + lengths[t.length] for t in edition.tokens] == [t.count for t in edition.tokens]
        assert seat.points == sum(edition.recipes[done.recipe].points for done in seat.claimed)
        assert seat.cubes >= sum(done.cubes for done in seat.claimed)


def check_board(rules: AnyRules, position: Any) -> None:
    """Check that the board's derived data follows from its stacks and the Wasabi! cards."""
    board = position.board
    covered = [square for cover in position.covers for square in rules.grid.blocks[cover]]
    assert len(set(covered)) == len(covered) == len(board.blocked)
    for square, stack in enumerate(board.stacks):
        assert board.free[square] == (not stack and square not in covered)
        assert bool(board.packed[square]) == (bool(stack) and square not in covered)


@given(players, seeds, st.sampled_from([0.0, 0.02]))
@settings(max_examples=24, deadline=None)
def test_tiles_action_cards_and_recipes_are_conserved(players: int, seed: int, leaving: float) -> None:
    for moment in walk(players, seed, leaving):
        check_conserved(moment.rules, moment.after, moment.faces)
        check_seats(moment.rules, moment.after)
        check_board(moment.rules, moment.after)


@given(players, seeds, st.sampled_from([0.0, 0.02]))
@settings(max_examples=24, deadline=None)
def test_every_position_that_is_not_over_has_a_legal_step_and_no_other_has_one(
    players: int, seed: int, leaving: float
) -> None:
    for moment in walk(players, seed, leaving):
        over = moment.after.outcome is not None
        assert (moment.after.phase == "over") == (moment.after.mover == -1) == over
        for faces in (moment.faces, {}):
            steps = moment.rules.legal(moment.after, faces)
            assert any(step.verb != "discard" for step in steps) != over, "discards alone would come to an end"


@given(players, seeds, st.sampled_from([0.0, 0.02]))
@a_dozen_games
def test_legal_is_sorted_without_duplicates_and_every_listed_step_applies(
    players: int, seed: int, leaving: float
) -> None:
    for moment in islice(walk(players, seed, leaving), seed % 3, None, 3):
        rules, position = moment.rules, moment.position
        steps = rules.legal(position, moment.faces)
        assert steps == sorted(set(steps))
        before = rules.canonical(position)
        for step in steps:
            assert rules.canonical(rules.apply(position, step)) != before
        assert rules.canonical(position) == before, "applying changes no position but makes a new one"


@given(players, seeds)
@a_dozen_games
def test_knowing_no_faces_leaves_out_claims_and_nothing_else(players: int, seed: int) -> None:
    for moment in walk(players, seed):
        known = moment.rules.legal(moment.position, moment.faces)
        blind = moment.rules.legal(moment.position, {})
        assert blind == [step for step in known if step.verb != "claim"]


@given(players, seeds)
@example(2, 0)
@settings(max_examples=15, deadline=None)
def test_play_goes_round_and_turns_count_up_by_one(players: int, seed: int) -> None:
    for moment in walk(players, seed):
        before, after = moment.position, moment.after
        assert after.turn in (before.turn, before.turn + 1)
        if before.turn and after.turn > before.turn:
            assert after.mover == (before.mover + 1) % players


def test_random_games_tread_on_every_step_and_every_ending() -> None:
    """Random games must exercise everything; otherwise the laws could pass for lack of occasions."""
    verbs, endings = Counter[str](), Counter[str]()
    for seed in range(30):
        for moment in walk(2 + seed % 3, seed, leaving=0.005 * (seed % 2)):
            verbs[moment.step.verb] += 1
            if moment.after.outcome:
                endings[moment.after.outcome.ending] += 1
    assert set(verbs) == set(rules_for("classic", 2).verbs)
    assert min(verbs[card] for card in CARDS) >= 5
    assert set(endings) >= {"board", "passes", "abandoned"}


def test_decks_hold_only_cards_of_their_own_length() -> None:
    for moment in walk(4, 7, leaving=0.02):
        for deck, cards in enumerate(moment.after.decks):
            assert all(deck_of(card) == deck for card in cards)
