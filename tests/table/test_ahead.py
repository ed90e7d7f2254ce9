"""Bundles ahead are composed on what their author can foresee, and fit only where all of that has come true."""

from __future__ import annotations

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
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Bundle
from wasabi_tx.table.ahead import NOTHING, UNREADABLE, Ahead, NotPlayed, Unfit
from wasabi_tx.table.quick_start import in_setup, setup_bundle

from .seeded import SeededGame

EDITIONS = ("classic", "master")


def in_play(edition: str, seed: str, turns: int, players: int = 3) -> SeededGame:
    """A game of bots after some turns."""
    game = SeededGame(rules_for(edition, players), seed)
    while game.position.turn <= turns and game.position.outcome is None:
        if game.deal() is None:
            now = game.observation()
            bundle = setup_bundle(now, game.rng) if in_setup(now) else chosen(now)
            game.position = game.rules.apply_bundle(game.position, bundle)
    return game


def chosen(now: Observation) -> Bundle:
    return find_bot("greedy").choose(now, Random(str(now.position.turn)), 1000)


def waiting(game: SeededGame) -> Observation:
    """What the seat sees that comes last."""
    seat = (game.position.mover - 1) % game.rules.players
    return observe(game.rules, game.position, seat, game.dealer.faces)


def left_by(now: Observation) -> tuple[Ahead, Observation, Bundle]:
    """A bundle that a bot leaves for its next turn, and what it foresaw."""
    foreseen = NOTHING.foreseen(now)
    assert foreseen is not None
    bundle = chosen(foreseen)
    return NOTHING.with_bundle(foreseen, bundle), foreseen, bundle


def with_stack(position: Position, square: int, stack: int) -> Position:
    """The same position with something else on one square."""
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
        ahead, foreseen, bundle = left_by(waiting(game))
        assert Ahead.load(ahead.dump()).fitting(foreseen) == (bundle, NOTHING)
        assert Ahead(ahead.bundles * 3).fitting(foreseen) == (bundle, NOTHING)


@settings(max_examples=25)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), data=st.data())
def test_another_tile_on_a_square_that_it_minds_keeps_it_from_being_played(
    edition: str, seed: int, data: st.DataObject
) -> None:
    game = in_play(edition, str(seed), 8)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.bundles
    names = game.rules.grid.names
    square = data.draw(st.sampled_from(range(game.rules.grid.size)))
    stack = foreseen.position.board.stacks[square]
    now = observe(game.rules, with_stack(foreseen.position, square, stack << 5 | 1), foreseen.seat, foreseen.faces)
    if names[square] in dict((*one.squares, *one.lines)):
        with pytest.raises(Unfit) as unfit:
            ahead.fitting(now)
        assert (unfit.value.code, unfit.value.square) == ("square", names[square])
    else:
        assert ahead.fitting(now)


def test_it_minds_every_square_of_a_recipe_that_it_completes() -> None:
    found = 0
    for seed in range(40):
        game = in_play("classic", str(seed), 12)
        if game.position.outcome is not None:
            continue
        ahead, foreseen, bundle = left_by(waiting(game))
        for step in bundle.steps:
            if step.verb in game.rules.claiming:
                found += 1
                length = game.rules.edition.recipes[step.args[1]].length
                assert len(ahead.bundles[0].squares) >= length
                assert foreseen.my_turn
    assert found >= 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_several_are_left_for_turn_after_turn(edition: str) -> None:
    game = in_play(edition, "several", 3)
    now, ahead = waiting(game), NOTHING
    for _ in range(4):
        foreseen = ahead.foreseen(now)
        assert foreseen is not None
        ahead = ahead.with_bundle(foreseen, chosen(foreseen))
    turns = [one.turn for one in ahead.bundles]
    assert turns == sorted(turns)
    assert turns[0] == now.position.turn + 2
    assert turns[-1] > turns[0]
    assert ahead.without_last().bundles == ahead.bundles[:3]


def test_of_alternatives_the_first_that_fits_is_played_and_the_others_are_gone() -> None:
    game = in_play("classic", "alternatives", 6)
    ahead, foreseen, first = left_by(waiting(game))
    (one,) = ahead.bundles
    spoilt = replace(one, squares=(("a1", "Xx"),))
    later = replace(one, turn=one.turn + 3, hand="Tu 5")
    both = Ahead((spoilt, one, later))
    assert both.moments == ((spoilt, one), (later,))
    assert both.fitting(foreseen) == (first, Ahead((later,)))
    assert Ahead((spoilt, one)).before_last() == NOTHING
    with pytest.raises(Unfit) as unfit:
        Ahead((spoilt, later)).fitting(foreseen)
    assert (unfit.value.code, unfit.value.square) == ("square", "a1")


def test_what_was_left_for_another_turn_waits_or_is_gone() -> None:
    game = in_play("classic", "other", 5)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.bundles
    later, earlier = replace(one, turn=one.turn + 3), replace(one, turn=one.turn - 3)
    assert Ahead((later,)).fitting(foreseen) == (None, Ahead((later,)))
    assert Ahead((earlier,)).fitting(foreseen) == (None, NOTHING)
    assert Ahead((earlier, later)).fitting(foreseen) == (None, Ahead((later,)))


def test_a_hand_that_turned_out_otherwise_matters_only_to_what_is_legal() -> None:
    game = in_play("classic", "other", 5)
    ahead, foreseen, bundle = left_by(waiting(game))
    (one,) = ahead.bundles
    assert Ahead((replace(one, hand="Tu 4"),)).fitting(foreseen) == (bundle, NOTHING)


def test_what_cannot_be_played_does_not_fit() -> None:
    game = in_play("classic", "other", 5)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.bundles
    for changed, code in (
        (replace(one, steps="place Xx a1"), "unreadable"),
        (replace(one, steps="done", squares=(), lines=()), "illegal"),
        (replace(one, squares=(("z9", "."),)), "unreadable"),
        (replace(one, lines=(("z9", "."),)), "unreadable"),
    ):
        with pytest.raises(Unfit) as unfit:
            Ahead((changed,)).fitting(foreseen)
        assert unfit.value.code == code


def test_of_alternatives_whose_lines_are_all_broken_the_first_is_played_on_its_own_squares() -> None:
    """A single one is not: whoever leaves no alternative wants that line or nothing."""
    game = in_play("classic", "broken lines", 6)
    ahead, foreseen, bundle = left_by(waiting(game))
    (one,) = ahead.bundles
    broken = replace(one, lines=(("a1", "Xx"),))
    other = replace(one, squares=(("a1", "Xx"),))
    assert Ahead((other, broken)).fitting(foreseen) == (bundle, NOTHING)
    assert Ahead((broken, one)).fitting(foreseen) == (bundle, NOTHING)
    drawing = replace(one, steps="draw 2", hand="", squares=(), lines=())
    for left in ((broken,), (other, other), (broken, drawing)):
        with pytest.raises(Unfit) as unfit:
            Ahead(left).fitting(foreseen)
        assert (unfit.value.code, unfit.value.square) == ("square", "a1")


@pytest.mark.parametrize(("edition", "slot"), [("classic", "tile"), ("classic", "card"), ("master", "card")])
def test_what_is_gone_is_replaced_by_what_another_alternative_takes(edition: str, slot: str) -> None:
    for seed in range(40):
        game = in_play(edition, f"gone {seed}", 6)
        ahead, foreseen, bundle = left_by(waiting(game))
        (one,) = ahead.bundles
        taking = [step for step in bundle.steps if game.rules.slots.get(step.verb) == slot]
        gone = foreseen.position.evolve()
        if isinstance(gone, MasterPosition):
            gone.display = tuple(card for card in gone.display if (card,) not in {step.args for step in taking})
        elif isinstance(gone, ClassicPosition) and slot == "tile":
            gone.pantry = [0 if (tile,) in {step.args for step in taking} else n for tile, n in enumerate(gone.pantry)]
        elif isinstance(gone, ClassicPosition):
            gone.kitchen = bytes(0 if (n,) in {step.args for step in taking} else 1 for n in range(len(gone.kitchen)))
        now = observe(game.rules, gone, foreseen.seat, foreseen.faces)
        try:
            instead = chosen(now)
            game.rules.apply_bundle(foreseen.position, instead)
        except RulesError:
            continue
        if taking and len([step for step in instead.steps if game.rules.slots.get(step.verb) == slot]) >= len(taking):
            other = replace(NOTHING.with_bundle(foreseen, instead).bundles[0], squares=(("a1", "Xx"),))
            played, _ = Ahead((one, other)).fitting(now)
            assert played is not None
            assert game.rules.apply_bundle(gone, played)
            mine = [step for step in played.steps if game.rules.slots.get(step.verb) != slot]
            assert mine == [step for step in bundle.steps if game.rules.slots.get(step.verb) != slot]
            assert played != bundle
            with pytest.raises(Unfit):
                ahead.fitting(now)
            return
    raise AssertionError("no such turn was found")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "7",
        "null",
        '{"bundles": 3, "not_played": null}',
        '{"bundles": [{"turn": "x"}], "not_played": null}',
        '{"bundles": [{"turn": 3, "steps": 4, "hand": "", "squares": []}], "not_played": null}',
        '{"bundles": [], "not_played": {"turn": 3, "code": "\\u001b[2J", "square": ""}}',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_a_reason_and_no_bundle(text: str) -> None:
    assert Ahead.load(text) == UNREADABLE


def test_the_reason_is_kept_and_its_words_are_harmless() -> None:
    kept = Ahead((), NotPlayed(9, "square", "d3"))
    assert Ahead.load(kept.dump()) == kept
    wild = Ahead.load(kept.dump().replace("d3", "\\u001b[2Jxxxxx")).not_played
    assert wild is not None
    assert wild.square.isprintable()
