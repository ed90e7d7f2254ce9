"""Plans are composed on what their author can foresee, and are played only if all of that has come true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.board import make_board
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.games.draft import Draft
from wasabi_tx.games.plans import MOST_PLANS, NO_PLANS, UNREADABLE, NotPlayed, PlanBroken, PlannedTurn, Plans
from wasabi_tx.games.quick_start import in_setup, setup_bundle

from .seeded import SeededGame
from .whole_turns import whole_turn

EDITIONS = ("classic", "master")
PASS = PlannedTurn(3, "pass", "play", ())


def in_play(edition: str, seed: str, turns: int, players: int = 3) -> SeededGame:
    """Return a game of bots after some turns."""
    game = SeededGame(rules_for(edition, players), seed)
    while game.position.turn <= turns and game.position.outcome is None:
        if game.deal() is None:
            now = game.observation()
            bundle = setup_bundle(now, game.rng) if in_setup(now) else chosen(now)
            game.position = game.rules.apply_bundle(game.position, bundle)
    return game


def chosen(now: Observation) -> Bundle:
    return find_bot("greedy").choose(now, Random(str(now.position.turn)), 1000)


def turn_of(foreseen: Observation) -> Sequence[Step]:
    return whole_turn(foreseen, Random(str(foreseen.position.turn)))


def first_bundle(foreseen: Observation, steps: Sequence[Step]) -> Bundle:
    """Return the steps up to where their author would learn something."""
    draft = Draft(foreseen)
    for step in steps:
        if not draft.complete:
            draft.add(step)
    return draft.bundle()


def waiting(game: SeededGame) -> Observation:
    """Return what the last seat in turn order sees."""
    seat = (game.position.mover - 1) % game.rules.players
    return observe(game.rules, game.position, seat, game.dealer.faces)


def left_by(now: Observation) -> tuple[Plans, Observation, Bundle]:
    """Return a bot's plan, what it foresaw, and the first bundle of the turn."""
    foreseen = NO_PLANS.foreseen(now)
    assert foreseen is not None
    steps = turn_of(foreseen)
    return NO_PLANS.with_turn(foreseen, steps), foreseen, first_bundle(foreseen, steps)


def with_stack(position: Position, square: int, stack: int) -> Position:
    """Return the same position with another stack on one square."""
    stacks = position.board.stacks.copy()
    stacks[square] = stack
    changed = position.evolve()
    changed.board = make_board(stacks, position.board.blocked)
    changed.before = stacks
    return changed


@settings(max_examples=25)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), turns=st.integers(0, 20))
def test_what_is_foreseen_is_the_turn_that_comes_if_the_others_do_nothing(edition: str, seed: int, turns: int) -> None:
    game = in_play(edition, str(seed), turns)
    if game.position.outcome is not None:
        return
    for seat in range(game.rules.players):
        foreseen = game.rules.foresee(game.position, seat)
        assert foreseen is not None
        assert foreseen.mover == seat
        away = (seat - game.position.mover) % game.rules.players
        assert foreseen.turn == game.position.turn + away
        assert foreseen.board == game.position.board
        assert foreseen.seats == game.position.seats
        assert game.rules.legal(foreseen, game.dealer.faces)


@settings(max_examples=25)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), turns=st.integers(0, 16))
def test_it_fits_where_what_was_foreseen_came_true(edition: str, seed: int, turns: int) -> None:
    game = in_play(edition, str(seed), turns)
    if game.position.outcome is None:
        plans, foreseen, bundle = left_by(waiting(game))
        played, rest = Plans.load(plans.dump()).next_bundle(foreseen)
        assert played == bundle
        assert bool(rest.turns) == (plans.turns[0].steps != game.rules.format(bundle.steps))


@settings(max_examples=40)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), turns=st.integers(0, 16))
@pytest.mark.long
def test_it_is_played_bundle_after_bundle_to_the_end_of_its_turn(edition: str, seed: int, turns: int) -> None:
    """Check this for every card turned up or drawn meanwhile."""
    game = in_play(edition, str(seed), turns)
    if game.position.outcome is not None:
        return
    plans, foreseen, _ = left_by(waiting(game))
    seat, turn, steps = foreseen.position.mover, foreseen.position.turn, plans.turns[0].steps
    game.position = foreseen.position
    played: list[Step] = []
    while game.position.turn == turn and game.position.outcome is None:
        if game.deal() is None:
            bundle, plans = Plans.load(plans.dump()).next_bundle(
                observe(game.rules, game.position, seat, foreseen.faces)
            )
            assert bundle is not None
            game.position = game.rules.apply_bundle(game.position, bundle)
            played += bundle.steps
    assert game.rules.format(played) == steps
    assert plans == NO_PLANS


def test_the_rest_of_a_turn_is_not_played_where_its_beginning_was_not() -> None:
    """Let a program die between the two, after it has saved the rest."""
    for seed in range(40):
        game = in_play("classic", f"rest {seed}", 8)
        plans, foreseen, _ = left_by(waiting(game))
        _, rest = plans.next_bundle(foreseen)
        if rest.turns:
            with pytest.raises(PlanBroken) as broken:
                rest.next_bundle(foreseen)
            assert broken.value.code == "illegal"
            return
    raise AssertionError("no turn draws")


@settings(max_examples=25)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), data=st.data())
@pytest.mark.long
def test_another_tile_on_a_square_that_it_minds_keeps_it_from_being_played(
    edition: str, seed: int, data: st.DataObject
) -> None:
    game = in_play(edition, str(seed), 8)
    plans, foreseen, _ = left_by(waiting(game))
    (one,) = plans.turns
    names = game.rules.grid.names
    square = data.draw(st.sampled_from(range(game.rules.grid.size)))
    stack = foreseen.position.board.stacks[square]
    now = observe(game.rules, with_stack(foreseen.position, square, stack << 5 | 1), foreseen.seat, foreseen.faces)
    if names[square] in dict((*one.squares, *one.lines)):
        with pytest.raises(PlanBroken) as broken:
            plans.next_bundle(now)
        assert (broken.value.code, broken.value.square) == ("square", names[square])
    else:
        assert plans.next_bundle(now)


@pytest.mark.long
def test_it_minds_every_square_of_a_recipe_that_it_completes() -> None:
    found = 0
    for seed in range(40):
        game = in_play("classic", str(seed), 12)
        if game.position.outcome is not None:
            continue
        plans, foreseen, bundle = left_by(waiting(game))
        for step in bundle.steps:
            if step.verb in game.rules.claiming:
                found += 1
                length = game.rules.edition.recipes[step.args[1]].length
                assert len(plans.turns[0].squares) >= length
                assert foreseen.my_turn
    assert found >= 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_several_are_left_for_turn_after_turn(edition: str) -> None:
    game = in_play(edition, "several", 3)
    now, plans = waiting(game), NO_PLANS
    for _ in range(4):
        foreseen = plans.foreseen(now)
        assert foreseen is not None
        plans = plans.with_turn(foreseen, turn_of(foreseen))
    first = now.position.turn + 2
    assert [one.turn for one in plans.turns] == [first, first + 3, first + 6, first + 9]
    assert plans.without_last().turns == plans.turns[:3]


def test_what_was_left_for_another_turn_waits_or_is_gone() -> None:
    game = in_play("classic", "other", 5)
    plans, foreseen, _ = left_by(waiting(game))
    (one,) = plans.turns
    later, earlier = replace(one, turn=one.turn + 3), replace(one, turn=one.turn - 3)
    assert Plans((later,)).next_bundle(foreseen) == (None, Plans((later,)))
    assert Plans((earlier,)).next_bundle(foreseen) == (None, NO_PLANS)
    assert Plans((earlier, later)).next_bundle(foreseen) == (None, Plans((later,)))


def test_what_cannot_be_played_does_not_fit() -> None:
    game = in_play("classic", "other", 5)
    plans, foreseen, _ = left_by(waiting(game))
    (one,) = plans.turns
    for changed, code in (
        (replace(one, steps="place Xx a1"), "unreadable"),
        (replace(one, steps="done", squares=(), lines=()), "illegal"),
        (replace(one, squares=(("z9", "."),)), "unreadable"),
        (replace(one, lines=(("z9", "."),)), "unreadable"),
    ):
        with pytest.raises(PlanBroken) as broken:
            Plans((changed,)).next_bundle(foreseen)
        assert broken.value.code == code


@pytest.mark.parametrize(("edition", "slot"), [("classic", "tile"), ("classic", "card"), ("master", "card")])
def test_what_somebody_else_has_taken_breaks_it_and_is_named(edition: str, slot: str) -> None:
    for seed in range(40):
        game = in_play(edition, f"gone {seed}", 6)
        plans, foreseen, bundle = left_by(waiting(game))
        taking = [step for step in bundle.steps if game.rules.slots.get(step.verb) == slot]
        wanted = {step.args for step in taking}
        gone = foreseen.position.evolve()
        if isinstance(gone, MasterPosition):
            gone.display = tuple(card for card in gone.display if (card,) not in wanted)
        elif isinstance(gone, ClassicPosition) and slot == "tile":
            gone.pantry = [0 if (tile,) in wanted else count for tile, count in enumerate(gone.pantry)]
        elif isinstance(gone, ClassicPosition):
            gone.kitchen = bytes(0 if (card,) in wanted else 1 for card in range(len(gone.kitchen)))
        if taking:
            with pytest.raises(PlanBroken) as broken:
                plans.next_bundle(observe(game.rules, gone, foreseen.seat, foreseen.faces))
            assert broken.value.code == "gone"
            assert broken.value.gone in map(game.rules.grammar.format, taking)
            return
    raise AssertionError("no such turn was found")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "7",
        "null",
        '{"turns": 3, "not_played": null}',
        '{"turns": [{"turn": "x"}], "not_played": null}',
        '{"turns": [{"turn": 3, "steps": 4, "phase": "", "squares": [], "lines": []}], "not_played": null}',
        '{"turns": [], "not_played": null, "played": ["3"]}',
        '{"turns": [], "not_played": null}',
        '{"turns": [], "not_played": {"turn": 3, "code": "square", "square": "d3"}, "played": []}',
        Plans((PASS, PASS)).dump(),
        Plans((replace(PASS, turn=4), PASS)).dump(),
        Plans(tuple(replace(PASS, turn=turn) for turn in range(MOST_PLANS + 1))).dump(),
        '{"turns": [], "not_played": {"turn": 3, "code": "\\u001b[2J", "square": ""}}',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_a_reason_and_no_turn(text: str) -> None:
    assert Plans.load(text) == UNREADABLE


def test_the_reason_is_kept_and_its_words_are_harmless() -> None:
    kept = Plans((), NotPlayed(9, "square", "d3", "tile Ro", (12, 15)), (3, 6))
    assert Plans.load(kept.dump()) == kept
    wild = Plans.load(kept.dump().replace("d3", "\\u001b[2Jxxxxx")).not_played
    assert wild is not None
    assert wild.square.isprintable()
