"""Rules and sealed decks together: whole games, and every way in which a bundle's two halves can differ."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, Seal, TurnUp
from wasabi_protocol.sealed.state import Card as Sealed
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.messages import Bundle, Leave
from wasabi_protocol.verdicts import Code

from wasabi_tx.engine import step as engine
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Step
from wasabi_tx.online.terms import FindRules

from .hub import Hub, found
from .small import small_rules


def _new(edition: str, seats: int, seed: str = "hub", find: FindRules = small_rules) -> Hub:
    hub = Hub(found(edition, seats, seed, find), edition, seed, find)
    hub.settle()
    return hub


def _by_the_engine_alone(hub: Hub) -> Position:
    """Return the last position, from the log's steps and the cards turned up, without any sealed deck."""
    sealed = hub.sealed
    position: Position = sealed.rules.start(0)
    for before, slot in zip(hub.view.log.slots, hub.view.log.slots[1:], strict=False):
        message = parse(slot.bodies[0].body)
        after = slot.state.position
        if isinstance(message, Bundle) and message.steps:
            steps = tuple(sealed.rules.grammar.parse(step) for step in message.steps)
            position = sealed.rules.apply_bundle(position, engine.Bundle(sealed.order.index(message.seat), steps))
            assert sealed.rules.digest(position) == message.digest
        elif isinstance(message, Leave):
            position = sealed.rules.apply(position, Step("leave", (sealed.order.index(message.seat),)))
        elif after is not None and (earlier := before.state.position) is not None:
            for card in [card for card in after.open if card not in earlier.open]:
                awaited = sealed.rules.awaited(position)
                assert awaited is not None
                position = sealed.rules.apply(position, Step("turn", (awaited, after.open[card])))
    return position


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("classic", 4), ("master", 3)])
def test_a_game_with_sealed_decks_is_the_game_that_the_rules_alone_play(edition: str, seats: int) -> None:
    hub = _new(edition, seats, find=rules_for)
    for _ in range(25):
        hub.turn("random")
        hub.settle()
    hub.finish()
    sealed, outcome = hub.sealed, hub.view.state.outcome
    assert outcome is not None
    assert sealed.rules.digest(_by_the_engine_alone(hub)) == outcome.digest
    known = sealed.known(outcome.faces)
    for deck in sealed.rules.deck_numbers:
        if any(card >> 8 & 0xFF == deck for card in known):
            # No face is in two hands, or both claimed and in a hand: the rest is as many as lie in the deck.
            assert len(sealed.rules.unseen(sealed.position, deck, known)) == len(sealed.position.decks[deck])


@pytest.mark.parametrize("seats", [2, 3])
def test_action_cards_are_shuffled_anew_when_they_are_used_up(seats: int) -> None:
    hub = _new("master", seats)
    reshuffles = 0
    while not hub.over:
        hub.turn("gain")
        reshuffles += b"reshuffle" in hub.view.log.head.bodies[0].body
        hub.settle()
    assert reshuffles >= 2
    assert hub.view.state.outcome is not None
    counts = Counter(hub.sealed.rules.deck_faces(1))
    held = Counter(card for seat in hub.sealed.position.seats for card in seat.cards)
    assert not held - counts


# Bundles whose seals disagree with their steps


def _until(hub: Hub, verb: str, level: str = "greedy") -> engine.Bundle:
    """Play on until a bundle with this verb is about to be played."""
    while True:
        bundle = hub.choose(level)
        if any(step.verb == verb for step in bundle.steps):
            return bundle
        hub.play(bundle)
        hub.settle()
        assert not hub.over, f"nobody came to {verb}"


def _said(hub: Hub, bundle: engine.Bundle) -> tuple[int, list[str], list[Seal]]:
    sealed = hub.sealed
    after = sealed.rules.apply_bundle(sealed.position, bundle)
    steps = [sealed.rules.grammar.format(step) for step in bundle.steps]
    return sealed.order[bundle.seat], steps, sealed.seals(bundle.seat, bundle.steps, after)


def _refused(hub: Hub, seat: int, steps: list[str], seals: list[Seal]) -> None:
    verdict = hub.verdict(seat, steps, seals)
    assert verdict is not None
    assert verdict.seat == seat
    assert verdict.code in (Code.ILLEGAL_STEPS, Code.BAD_PROOF, Code.WRONG_CONTENT)


def test_a_draw_takes_one_card_of_its_deck_for_its_seat() -> None:
    hub = _new("classic", 3)
    seat, steps, seals = _said(hub, _until(hub, "draw"))
    assert hub.verdict(seat, steps, seals) is None
    (draw,) = seals
    assert isinstance(draw, Draw)
    other = next(each for each in hub.view.state.seats if each != seat)
    _refused(hub, seat, steps, [])
    _refused(hub, seat, steps, [draw, draw])
    _refused(hub, seat, steps, [Draw((draw.deck + 1) % 3, seat)])
    _refused(hub, seat, steps, [Draw(draw.deck, other)])
    _refused(hub, seat, steps, [TurnUp(draw.deck)])


def test_a_claim_reveals_the_very_card_that_it_claims() -> None:
    hub = _new("classic", 2)
    bundle = _until(hub, "claim")
    seat, steps, seals = _said(hub, bundle)
    assert hub.verdict(seat, steps, seals) is None
    shown = next(seal for seal in seals if isinstance(seal, Reveal))
    rest = [seal for seal in seals if seal is not shown]
    others = [card for card in hub.view.state.decks.hand(seat) if card != shown.card]
    _refused(hub, seat, steps, rest)
    _refused(hub, seat, steps, [Return(shown.card), *rest])
    _refused(hub, seat, steps, [Reveal(others[0]), *rest])
    _refused(hub, seat, steps, [shown, Reveal(others[0]), *rest])
    # The right card, proved, under the name of another recipe of its length.
    claim = next(step for step in bundle.steps if step.verb == "claim")
    rules = hub.sealed.rules
    length = rules.edition.recipes[claim.args[1]].length
    wrong = next(face for face in rules.deck_faces(length) if face != claim.args[1])
    lying = [rules.grammar.format(Step("claim", (claim.args[0], wrong))) if "claim" in text else text for text in steps]
    _refused(hub, seat, lying, seals)


def test_a_card_turned_up_comes_from_its_deck_and_only_when_the_rules_wait_for_it() -> None:
    hub = _new("master", 2)
    seat, steps, seals = _said(hub, _until(hub, "gain", "gain"))
    assert hub.verdict(seat, steps, seals) is None
    assert [seal for seal in seals if isinstance(seal, TurnUp)]
    _refused(hub, seat, steps, [seal for seal in seals if not isinstance(seal, TurnUp)])
    _refused(hub, seat, steps, [*seals, TurnUp(0)])
    _refused(hub, seat, steps, [TurnUp(1) if isinstance(seal, TurnUp) else seal for seal in seals])


def test_the_shuffled_discards_are_of_the_kinds_that_were_discarded() -> None:
    hub = _new("master", 2)
    while True:
        bundle = hub.choose("gain")
        seat, steps, seals = _said(hub, bundle)
        shuffled = next((seal for seal in seals if isinstance(seal, Reshuffle)), None)
        if shuffled is not None:
            break
        hub.play(bundle)
        hub.settle()
    assert hub.verdict(seat, steps, seals) is None
    sealed = hub.sealed
    kept = [card for card in sealed.open if card not in shuffled.cards and card.deck == shuffled.deck]
    kinds = Counter(sealed.open[card] for card in shuffled.cards)
    foreign = next(card for card in kept if kinds[sealed.open[card]] < Counter(sealed.open.values())[sealed.open[card]])
    first = next(card for card in shuffled.cards if sealed.open[card] != sealed.open[foreign])
    swapped = tuple(sorted(foreign if card == first else card for card in shuffled.cards))

    def instead(cards: tuple[Sealed, ...]) -> list[Seal]:
        return [Reshuffle(shuffled.deck, cards) if seal is shuffled else seal for seal in seals]

    _refused(hub, seat, steps, instead(shuffled.cards[1:]))
    _refused(hub, seat, steps, instead(swapped))
    _refused(hub, seat, steps, [seal for seal in seals if seal is not shuffled])
    hub.play(bundle)
    hub.settle()
    assert not hub.sealed.owed


def test_nobody_plays_while_cards_are_owed_and_only_the_dealer_deals() -> None:
    hub = Hub(found("master", 3, "hub"), "master", "hub")
    while hub.view.state.position is None or hub.view.state.automatic:
        assert hub.automatic()
    sealed = hub.sealed
    assert sealed.owed, "the second edition deals before anybody moves"
    dealer = sealed.dealer
    assert hub.view.state.owed == (dealer,)
    assert hub.verdict(dealer, [], sealed.owed) is None
    _refused(hub, dealer, [], sealed.owed[1:])
    _refused(hub, dealer, [], [*sealed.owed, sealed.owed[-1]])
    _refused(hub, dealer, [], list(reversed(sealed.owed)))
    _refused(hub, dealer, ["done"], sealed.owed)
    _refused(hub, dealer, [], [])


def test_out_of_turn_verbs_stand_in_no_bundle() -> None:
    hub = _new("classic", 3)
    (seat,) = hub.view.state.owed
    for verb in ("leave 1", "leave 2", "exclude 2", "turn 1.0 Ch", "give", "", "place  Tu a1"):
        _refused(hub, seat, [verb], [])
    _refused(hub, seat, [], [])


# Leaving and being voted out, in every phase


@cache
def _moments(edition: str, seats: int) -> list[tuple[str, Hub]]:
    """Return one moment of each kind: by what is owed, by phase, with and without cards on their way."""
    hub = Hub(found(edition, seats, "moments"), edition, "moments")
    found_: dict[tuple[str, str, bool], Hub] = {}
    levels = ["random", "greedy"] if edition == "classic" else ["gain", "greedy", "gain", "greedy", "random"]
    for turn in range(10_000):
        state = hub.view.state
        if not state.owed:
            break
        phase = "none" if state.position is None else state.position.position.phase
        kind = (state.kinds[0], phase, state.position is not None and bool(state.position.owed))
        if kind not in found_:
            found_[kind] = hub.fork()
        if not hub.automatic():
            hub.turn(levels[turn % len(levels)])
    return [(f"{what}, {phase}{', owed' if owed else ''}", moment) for (what, phase, owed), moment in found_.items()]


def _play_on(hub: Hub, name: str) -> None:
    hub.settle()
    if not hub.over:
        hub.turn("greedy")
        hub.settle()
    assert hub.view.state.stopped is None, name
    assert not hub.over or hub.view.state.outcome is not None, name


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
def test_a_seat_that_vanishes_is_voted_out_in_any_phase_and_the_others_play_on(edition: str) -> None:
    moments = _moments(edition, 3)
    assert len(moments) >= 9, [name for name, _ in moments]
    for name, moment in moments:
        hub = moment.fork()
        out = hub.view.state.owed[-1]
        hub.exclude(out)
        _play_on(hub, name)
        assert hub.view.state.epoch > 0, name
        assert out not in hub.view.state.seats


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_a_seat_leaves_in_any_phase_that_is_its_own_and_the_others_play_on(edition: str) -> None:
    moments = [(name, hub) for name, hub in _moments(edition, 3) if "leave" in hub.view.state.kinds]
    assert len(moments) >= 4, [name for name, _ in moments]
    for name, moment in moments:
        hub = moment.fork()
        (seat,) = hub.view.state.owed
        hub.leave(seat)
        _play_on(hub, name)
        assert hub.view.state.epoch == 0
        assert seat not in hub.view.state.seats


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_two_exclusions_in_a_row_then_a_claim(edition: str) -> None:
    hub = _new(edition, 4)
    for _ in range(16):
        hub.turn("greedy")
        hub.settle()
    hands = {seat: set(hub.faces(seat).values()) for seat in hub.view.state.seats}
    gone = hub.view.state.owed[0]
    hub.exclude(gone)
    hub.automatic()
    # The new keys are not yet complete when the next one vanishes too.
    second = hub.view.state.owed[0]
    hub.exclude(second)
    hub.settle()
    for seat in hub.view.state.seats:
        assert set(hub.faces(seat).values()) == hands[seat], "hidden hands are kept"
    assert sum(slot.voted for slot in hub.view.log.slots) == 2
    bundle = _until(hub, "claim" if edition == "classic" else "serve")
    hub.play(bundle)
    hub.finish()
    assert hub.view.state.outcome is not None


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_a_leave_then_a_return_by_another(edition: str) -> None:
    hub = _new(edition, 3)
    for _ in range(14):
        hub.turn("greedy")
        hub.settle()
    hub.leave(hub.view.state.owed[0])
    hub.settle()
    verb = "pass" if edition == "classic" else "exchange"
    while True:
        (seat,) = hub.view.state.owed
        way = next((step for step in hub.observation(seat).legal() if step.verb == verb), None)
        if way is not None:
            break
        hub.turn("random")
        hub.settle()
    bundle = hub.choose("random")
    while not any(step.verb == verb for step in bundle.steps):
        hub.bundles += 1
        bundle = hub.choose("random")
    hub.play(bundle)
    hub.settle()
    hub.finish()
    assert hub.view.state.outcome is not None


def test_of_two_the_last_one_wins_when_the_other_leaves() -> None:
    for edition in ("classic", "master"):
        hub = _new(edition, 2)
        hub.leave(hub.view.state.owed[0])
        hub.settle()
        outcome = hub.sealed.position.outcome
        assert outcome is not None
        assert outcome.ending == "abandoned"
        assert hub.view.state.outcome is not None, "the one who stays signs the end alone"


def test_whoever_wished_to_leave_before_the_last_bundle_leaves_a_finished_game() -> None:
    hub = _new("classic", 3)
    while True:
        bundle = hub.choose("greedy")
        position = hub.sealed.rules.apply_bundle(hub.sealed.position, bundle)
        if position.outcome is not None:
            break
        hub.play(bundle)
        hub.settle()
    wisher = next(seat for seat in hub.view.state.seats if seat not in hub.view.state.owed)
    hub.say(wisher, hub.sessions[wisher].wish("leave"))
    hub.play(bundle)
    while hub.view.state.automatic:
        hub.automatic()
    assert hub.view.state.kinds == ("leave",)
    hub.settle()
    assert hub.view.state.outcome is not None
    assert hub.sealed.position.outcome == position.outcome
