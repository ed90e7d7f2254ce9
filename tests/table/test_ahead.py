"""Turns ahead are composed on what their author can foresee, and fit only where all of that has come true."""

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
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.table.ahead import NOTHING, UNREADABLE, Ahead, NotPlayed, Unfit
from wasabi_tx.table.draft import Draft
from wasabi_tx.table.quick_start import in_setup, setup_bundle

from .seeded import SeededGame
from .whole_turns import whole_turn

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


def turn_of(foreseen: Observation) -> Sequence[Step]:
    return whole_turn(foreseen, Random(str(foreseen.position.turn)))


def first_bundle(foreseen: Observation, steps: Sequence[Step]) -> Bundle:
    """The steps up to where their author would learn something."""
    draft = Draft(foreseen)
    for step in steps:
        if not draft.complete:
            draft.add(step)
    return draft.bundle()


def waiting(game: SeededGame) -> Observation:
    """What the seat sees that comes last."""
    seat = (game.position.mover - 1) % game.rules.players
    return observe(game.rules, game.position, seat, game.dealer.faces)


def left_by(now: Observation) -> tuple[Ahead, Observation, Bundle]:
    """A turn that a bot leaves, what it foresaw, and the first bundle of the turn."""
    foreseen = NOTHING.foreseen(now)
    assert foreseen is not None
    steps = turn_of(foreseen)
    return NOTHING.with_turn(foreseen, steps), foreseen, first_bundle(foreseen, steps)


def one_bundle(edition: str, seed: str, turns: int) -> tuple[SeededGame, Ahead, Observation, Bundle]:
    """The same where a bot's turn is one bundle, in the first game from this seed on."""
    for number in range(100):
        game = in_play(edition, f"{seed} {number}", turns)
        ahead, foreseen, bundle = left_by(waiting(game))
        if ahead.turns[0].steps == game.rules.format(bundle.steps):
            return game, ahead, foreseen, bundle
    raise AssertionError("every turn draws")


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
        played, rest = Ahead.load(ahead.dump()).fitting(foreseen)
        assert played == bundle
        assert Ahead(ahead.turns * 3).fitting(foreseen)[0] == bundle
        assert bool(rest.turns) == (ahead.turns[0].steps != game.rules.format(bundle.steps))


@settings(max_examples=40)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), turns=st.integers(0, 16))
def test_it_is_played_bundle_after_bundle_to_the_end_of_its_turn(edition: str, seed: int, turns: int) -> None:
    """Whatever is turned up meanwhile, and whichever cards are drawn."""
    game = in_play(edition, str(seed), turns)
    if game.position.outcome is not None:
        return
    ahead, foreseen, _ = left_by(waiting(game))
    seat, turn, steps = foreseen.position.mover, foreseen.position.turn, ahead.turns[0].steps
    game.position = foreseen.position
    played: list[Step] = []
    while game.position.turn == turn and game.position.outcome is None:
        if game.deal() is None:
            bundle, ahead = Ahead.load(ahead.dump()).fitting(observe(game.rules, game.position, seat, foreseen.faces))
            assert bundle is not None
            game.position = game.rules.apply_bundle(game.position, bundle)
            played += bundle.steps
    assert game.rules.format(played) == steps
    assert ahead == NOTHING


def test_the_rest_of_a_turn_is_not_played_where_its_beginning_was_not() -> None:
    """A program that died between the two has noted the rest already."""
    for seed in range(40):
        game = in_play("classic", f"rest {seed}", 8)
        ahead, foreseen, _ = left_by(waiting(game))
        _, rest = ahead.fitting(foreseen)
        if rest.turns:
            with pytest.raises(Unfit) as unfit:
                rest.fitting(foreseen)
            assert unfit.value.code == "illegal"
            return
    raise AssertionError("no turn draws")


def test_where_a_deck_is_used_up_the_rest_draws_what_another_alternative_draws() -> None:
    for seed in range(60):
        game = in_play("classic", f"decks {seed}", 8)
        ahead, foreseen, bundle = left_by(waiting(game))
        (one,) = ahead.turns
        if one.steps.count("draw") < 2:
            continue
        other = replace(one, steps=one.steps.rpartition("; ")[0] + "; draw 2", squares=(("a1", "Xx"),))
        _, rest = Ahead((one, other)).fitting(foreseen)
        after = game.rules.apply_bundle(foreseen.position, bundle).evolve()
        after.decks = [deck if number == 2 else () for number, deck in enumerate(after.decks)]
        played, left = rest.fitting(observe(game.rules, after, foreseen.seat, foreseen.faces))
        assert played is not None
        assert game.rules.format(played.steps) == "draw 2"
        assert [way.steps for way in left.turns] == [] or left.turns[0].phase == "restock"
        return
    raise AssertionError("no turn draws twice")


@settings(max_examples=25)
@given(edition=st.sampled_from(EDITIONS), seed=st.integers(0, 10_000), data=st.data())
def test_another_tile_on_a_square_that_it_minds_keeps_it_from_being_played(
    edition: str, seed: int, data: st.DataObject
) -> None:
    game = in_play(edition, str(seed), 8)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.turns
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
                assert len(ahead.turns[0].squares) >= length
                assert foreseen.my_turn
    assert found >= 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_several_are_left_for_turn_after_turn(edition: str) -> None:
    game = in_play(edition, "several", 3)
    now, ahead = waiting(game), NOTHING
    for _ in range(4):
        foreseen = ahead.foreseen(now)
        assert foreseen is not None
        ahead = ahead.with_turn(foreseen, turn_of(foreseen))
    first = now.position.turn + 2
    assert [one.turn for one in ahead.turns] == [first, first + 3, first + 6, first + 9]
    assert ahead.without_last().turns == ahead.turns[:3]


def test_of_alternatives_the_first_that_fits_is_played_and_the_others_are_gone() -> None:
    _, ahead, foreseen, first = one_bundle("classic", "alternatives", 6)
    (one,) = ahead.turns
    spoilt = replace(one, squares=(("a1", "Xx"),))
    later = replace(one, turn=one.turn + 3)
    both = Ahead((spoilt, one, later))
    assert both.alternatives == ((spoilt, one), (later,))
    assert both.fitting(foreseen) == (first, Ahead((later,)))
    assert Ahead((spoilt, one)).before_last() == NOTHING
    with pytest.raises(Unfit) as unfit:
        Ahead((spoilt, later)).fitting(foreseen)
    assert (unfit.value.code, unfit.value.square) == ("square", "a1")


def test_what_was_left_for_another_turn_waits_or_is_gone() -> None:
    game = in_play("classic", "other", 5)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.turns
    later, earlier = replace(one, turn=one.turn + 3), replace(one, turn=one.turn - 3)
    assert Ahead((later,)).fitting(foreseen) == (None, Ahead((later,)))
    assert Ahead((earlier,)).fitting(foreseen) == (None, NOTHING)
    assert Ahead((earlier, later)).fitting(foreseen) == (None, Ahead((later,)))


def test_what_cannot_be_played_does_not_fit() -> None:
    game = in_play("classic", "other", 5)
    ahead, foreseen, _ = left_by(waiting(game))
    (one,) = ahead.turns
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
    _, ahead, foreseen, bundle = one_bundle("classic", "broken lines", 6)
    (one,) = ahead.turns
    broken = replace(one, lines=(("a1", "Xx"),))
    other = replace(one, squares=(("a1", "Xx"),))
    assert Ahead((other, broken)).fitting(foreseen) == (bundle, NOTHING)
    assert Ahead((broken, one)).fitting(foreseen) == (bundle, NOTHING)
    for left in ((broken,), (other, other)):
        with pytest.raises(Unfit) as unfit:
            Ahead(left).fitting(foreseen)
        assert (unfit.value.code, unfit.value.square) == ("square", "a1")


@pytest.mark.parametrize(("edition", "slot"), [("classic", "tile"), ("classic", "card"), ("master", "card")])
def test_what_is_gone_is_replaced_by_what_another_alternative_takes(edition: str, slot: str) -> None:
    for seed in range(40):
        game = in_play(edition, f"gone {seed}", 6)
        ahead, foreseen, bundle = left_by(waiting(game))
        (one,) = ahead.turns
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
            instead = turn_of(now)
            game.rules.apply_bundle(foreseen.position, first_bundle(now, instead))
            others = NOTHING.with_turn(foreseen, instead)
        except RulesError:
            continue
        if taking and len([step for step in instead if game.rules.slots.get(step.verb) == slot]) >= len(taking):
            other = replace(others.turns[0], squares=(("a1", "Xx"),))
            played, _ = Ahead((one, other)).fitting(now)
            assert played is not None
            assert game.rules.apply_bundle(gone, played)
            mine = [step for step in played.steps if game.rules.slots.get(step.verb) != slot]
            assert mine == [step for step in bundle.steps if game.rules.slots.get(step.verb) != slot]
            assert played != bundle
            with pytest.raises(Unfit) as unfit:
                ahead.fitting(now)
            assert unfit.value.code == "gone"
            assert unfit.value.gone in map(game.rules.grammar.format, taking)
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
        '{"turns": [], "not_played": {"turn": 3, "code": "\\u001b[2J", "square": ""}}',
        "[" * 100_000,
    ],
)
def test_what_cannot_be_read_is_a_reason_and_no_turn(text: str) -> None:
    assert Ahead.load(text) == UNREADABLE


def test_the_reason_is_kept_and_its_words_are_harmless() -> None:
    kept = Ahead((), NotPlayed(9, "square", "d3", "tile Ro", (12, 15)), (3, 6))
    assert Ahead.load(kept.dump()) == kept
    wild = Ahead.load(kept.dump().replace("d3", "\\u001b[2Jxxxxx")).not_played
    assert wild is not None
    assert wild.square.isprintable()
    old = '{"turns": [], "not_played": {"turn": 3, "code": "square", "square": "d3"}}'
    assert Ahead.load(old) == Ahead((), NotPlayed(3, "square", "d3"))
