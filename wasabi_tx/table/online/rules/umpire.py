"""The umpire answers for the rules: what a bundle means, and that its steps and its seals say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from wasabi_protocol.game.rules_port import CardArrived, Drawn, Due, Fact, Finished, IllegalSteps, Turn, TurnedUp
from wasabi_protocol.sealed.player import Seal
from wasabi_protocol.signed.messages import Terms

from ....engine.errors import Illegal, RulesError
from ....engine.position import Position
from ....engine.rules import OUT_OF_TURN, Rules
from ....engine.step import Bundle, Step
from .sealed_position import SealedPosition


class Umpire:
    """The rules of one edition for any number of seats; pure."""

    def __init__(self, rules_for: Callable[[int], Rules[Any]]) -> None:
        self._rules_for = rules_for

    def begin(self, _terms: Terms, order: tuple[int, ...]) -> SealedPosition:
        rules = self._rules_for(len(order))
        return SealedPosition(rules, rules.start(0), order, {}, {})

    def due(self, laid: SealedPosition) -> Due:
        outcome = laid.position.outcome
        if outcome is not None:
            return Finished(outcome.scores)
        return Turn(laid.dealer if laid.owed else laid.order[laid.position.mover])

    def play(self, laid: SealedPosition, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> SealedPosition:
        try:
            parsed = tuple(laid.rules.grammar.parse(step) for step in steps)
            after = bundle_position(laid, seat, parsed)
        except RulesError as error:
            raise IllegalSteps(str(error)) from None
        mover = laid.order.index(seat)
        wanted = laid.seals(mover, parsed, after) if parsed else laid.owed
        agreed = len(wanted) == len(facts) and all(
            laid.agrees(seal, fact, parsed) for seal, fact in zip(wanted, facts, strict=True)
        )
        if not agreed:
            raise IllegalSteps("steps and seals differ")
        return laid.moved(mover, parsed, after).followed(list(facts))

    def dealt(self, laid: SealedPosition, cards: Sequence[CardArrived]) -> SealedPosition:
        for card in cards:
            if card.face is not None:
                laid = self._turned(laid, card)
        return laid

    def _turned(self, laid: SealedPosition, card: CardArrived) -> SealedPosition:
        awaited = laid.rules.awaited(laid.position)
        assert card.face is not None
        assert awaited is not None, "only what the rules wait for is turned up"
        kind = laid.face(card.card, card.face)
        after = laid.rules.apply(laid.position, Step("turn", (awaited, kind)))
        shown = replace(laid, open={**laid.open, card.card: kind})
        return shown.moved(None, (), after)

    def left(self, laid: SealedPosition, seat: int) -> SealedPosition:
        if laid.position.outcome is not None:
            # Its last wish was heard by the bundle that ended the game: how it ended stands.
            return laid
        place = laid.order.index(seat)
        hand = laid.position.seats[place].recipes
        stays = {card: sealed for card, sealed in laid.hands.items() if card not in hand}
        after = laid.rules.apply(laid.position, Step("leave", (place,)))
        return replace(laid, hands=stays).moved(None, (), after)

    def excluded(self, laid: SealedPosition, seat: int, void: Sequence[Drawn | TurnedUp]) -> SealedPosition:
        if laid.position.outcome is not None:
            # Whoever vanishes before it signed the end changes nothing of it.
            return laid
        place = laid.order.index(seat)
        hand = laid.position.seats[place].recipes
        lost = {drawn.card for drawn in void}
        stays = {card: sealed for card, sealed in laid.hands.items() if card not in hand and sealed not in lost}
        after = laid.rules.apply(laid.position, Step("exclude", (place,)))
        return replace(laid, hands=stays).moved(None, (), after, expected_epoch=laid.position.epoch + 1)

    def digest(self, laid: SealedPosition) -> bytes:
        return laid.rules.digest(laid.position)


def sealed_bundle(laid: SealedPosition, bundle: Bundle) -> tuple[list[str], list[Seal]]:
    """A bundle as the protocol carries it: steps as text, and the seals that follow; `RulesError` if it is illegal."""
    after = bundle_position(laid, laid.order[bundle.seat], bundle.steps)
    steps = [laid.rules.grammar.format(step) for step in bundle.steps]
    return steps, laid.seals(bundle.seat, bundle.steps, after)


def bundle_position(laid: SealedPosition, seat: int, steps: tuple[Step, ...]) -> Position:
    """The position after a bundle of a protocol's seat, or a `RulesError`; one without steps deals what is owed."""
    if laid.owed and steps:
        raise Illegal("bundle-too-long", step=1)
    if laid.owed:
        return laid.position
    if any(step.verb in OUT_OF_TURN for step in steps):
        raise Illegal("leave-apart")
    after: Position = laid.rules.apply_bundle(laid.position, Bundle(laid.order.index(seat), steps))
    return after
