"""Laws of the second edition at every position of every game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.games import Moment
from tests.engine.master.games import at_random, by_verb, edition_with_only, preferring, walk
from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.engine.sealed_card import deck_of
from wasabi_tx.engine.step import Step

players = st.integers(2, 4)
seeds = st.integers(0, 2**32)
leaving = st.sampled_from([0.0, 0.02])
some_games = settings(max_examples=15, deadline=None)


def tiles_anywhere(position: Any) -> Counter[int]:
    counts = Counter({tile: count for tile, count in enumerate(position.pantry) if count})
    for stack in position.board.stacks:
        counts.update(stack_tiles(stack))
    return counts


def actions_anywhere(position: Any, faces: dict[int, int]) -> Counter[int]:
    counts = Counter({card: count for card, count in enumerate(position.discards) if count})
    counts.update(position.display)
    counts.update(card for seat in position.seats for card in seat.cards)
    counts.update(faces[card] for card in position.decks[1])
    return counts


def recipes_anywhere(position: Any, faces: dict[int, int]) -> list[int]:
    sealed = [card for deck in position.decks[2:] for card in deck]
    sealed += [card for seat in position.seats for card in seat.recipes]
    return sorted([faces[card] for card in sealed] + [done.recipe for seat in position.seats for done in seat.claimed])


@given(players, seeds, leaving)
@some_games
def test_tiles_action_cards_recipes_and_cups_are_conserved(players: int, seed: int, leaving: float) -> None:
    for moment in walk(players, seed, leaving=leaving):
        edition, after = moment.rules.edition, moment.after
        assert tiles_anywhere(after) == {n: i.count for n, i in enumerate(edition.ingredients, 1)}
        assert actions_anywhere(after, moment.faces) == {n: a.counts[players] for n, a in enumerate(edition.actions)}
        assert recipes_anywhere(after, moment.faces) == list(range(len(edition.recipes)))
        assert len(after.board.blocked) == players
        assert all(deck_of(card) == number for number, deck in enumerate(after.decks) for card in deck)


@given(players, seeds, leaving)
@some_games
def test_a_board_knows_its_empty_spaces_and_cups_in_order_whatever_was_moved(
    players: int, seed: int, leaving: float
) -> None:
    for moment in walk(players, seed, leaving=leaving):
        board = moment.after.board
        cups = set(board.blocked)
        assert board.blocked == sorted(cups)
        assert board.empty == [n for n, stack in enumerate(board.stacks) if not stack and n not in cups]


def wasabi_made(moment: Moment) -> int:
    """Return the wasabi that this step brings from the supply into the pool and the dishes."""
    edition, step = moment.rules.edition, moment.step
    if step.verb == "pool":
        return 1
    if step.verb == "draw" and moment.position.phase == "restock":
        back = next(back for back in edition.decks if back.length == step.args[0])
        return back.gain + back.pool
    if step.verb == "serve":
        cubes: int = moment.after.seats[moment.position.mover].claimed[-1].cubes
        assert cubes in (0, edition.recipes[step.args[1]].style)
        return cubes
    return 0


@given(players, seeds, leaving)
@some_games
def test_wasabi_in_pool_and_dishes_changes_only_by_the_rules(players: int, seed: int, leaving: float) -> None:
    serving = preferring("serve")
    for moment in walk(players, seed, serving, leaving):
        before, after = (
            position.pool + sum(seat.cubes for seat in position.seats) for position in (moment.position, moment.after)
        )
        assert after - before == wasabi_made(moment)
        assert moment.after.pool >= 1


@given(players, seeds, leaving)
@some_games
def test_a_position_that_is_not_over_has_a_legal_step_and_its_list_is_sorted(
    players: int, seed: int, leaving: float
) -> None:
    for moment in walk(players, seed, leaving=leaving):
        for faces in (moment.faces, {}):
            steps = moment.rules.legal(moment.after, faces)
            assert list(steps) == sorted(set(steps))
            assert bool(steps) == (moment.after.outcome is None)


@given(players, seeds, leaving)
@some_games
def test_nobody_moves_exactly_while_a_card_is_turned_up_or_the_game_is_over(
    players: int, seed: int, leaving: float
) -> None:
    for moment in walk(players, seed, leaving=leaving):
        rules, after = moment.rules, moment.after
        assert (after.mover == NOBODY) == (after.phase in ("refill", "over"))
        assert (rules.awaited(after) is not None) == (after.phase == "refill")
        assert after.mover in (NOBODY, after.chef)
        assert after.mover == NOBODY or not after.seats[after.mover].gone
        assert all(len(seat.cards) <= 2 for seat in after.seats) or after.phase in ("refill", "discard")


@given(players, seeds, st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_an_illegal_step_is_refused_and_changes_nothing_and_a_listed_one_is_not(
    players: int, seed: int, number: int
) -> None:
    moments = list(walk(players, seed, by_verb))
    rules, position, _, _, faces = moments[min(number, len(moments) - 1)]
    before = rules.canonical(position)
    listed = rules.legal(position, faces)
    for step in listed:
        rules.apply(position, step)
    chance = random.Random(seed)
    for _ in range(40):
        step = chance.choice(moments).step
        if step not in listed and step.verb not in ("leave", "exclude", "serve", "turn"):
            with pytest.raises(RulesError):
                rules.apply(position, step)
    for verb in rules.verbs:
        with pytest.raises(RulesError):
            rules.apply(position, Step(verb, (99, 99, 99, 99)))
    assert rules.canonical(position) == before


@given(players, seeds)
@some_games
def test_steps_and_bundles_have_a_text_that_reads_back(players: int, seed: int) -> None:
    for moment in walk(players, seed):
        text = moment.rules.format([moment.step])
        assert moment.rules.parse(text) == (moment.step,)


@pytest.mark.parametrize("number_of_players", [2, 3, 4])
def test_no_random_game_stalls(number_of_players: int) -> None:
    """Every game must end within the turns that the rules allow, plus the final round."""
    endings = Counter[str]()
    for seed in range(25):
        *_, last = walk(number_of_players, seed, at_random)
        assert last.position.turn <= 61 * number_of_players
        endings[last.after.outcome.ending] += 1
    assert sum(endings.values()) == 25


@pytest.mark.parametrize("number_of_players", [2, 3, 4])
@pytest.mark.parametrize(
    "verbs",
    [("stack", "gain"), ("cup", "gain"), ("place", "chop", "gain"), ("chop", "stack", "switch", "cup"), ("exchange",)],
    ids=" ".join,
)
def test_players_who_try_to_prolong_the_game_are_stopped_by_the_end_rules(
    number_of_players: int, verbs: tuple[str, ...]
) -> None:
    """Stalling must not prolong a game: stacking, moving cups in circles, chopping fresh tiles, always exchanging."""
    for seed in range(3):
        steps_in_turn = Counter[int]()
        for moment in walk(number_of_players, seed, preferring(*verbs)):
            last = moment
            steps_in_turn[moment.position.turn] += 1
        assert last.after.outcome.ending in ("board", "pantry", "turns")
        assert last.position.turn <= 61 * number_of_players
        # Each of the three board changes that two cards and a tile allow frees every cup once more.
        assert max(steps_in_turn.values()) <= 4 * number_of_players + 3 + 12


@pytest.mark.parametrize("number_of_players", [2, 3, 4])
def test_with_chops_alone_the_board_never_fills_and_the_turns_run_out(number_of_players: int) -> None:
    chops = edition_with_only("chop")
    *_, last = walk(number_of_players, 1, preferring("place", "cup", "chop", "gain"), edition=chops)
    assert last.after.outcome.ending == "turns"
    assert last.position.turn == 61 * number_of_players


@pytest.mark.parametrize(("number_of_players", "ending"), [(2, "board"), (3, "board"), (4, "pantry")])
def test_with_stacks_alone_the_pantry_may_run_out_before_the_board_is_full(number_of_players: int, ending: str) -> None:
    stacks = edition_with_only("stack")
    *_, last = walk(number_of_players, 1, preferring("stack", "cup", "gain"), edition=stacks)
    assert last.after.outcome.ending == ending
    assert any(last.after.pantry) == (ending == "board")
