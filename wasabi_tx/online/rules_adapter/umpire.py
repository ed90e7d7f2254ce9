"""The umpire applies the rules for the protocol: what a bundle means, and that its steps and its seals agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from wasabi_protocol.game.rules_port import CardArrived, Drawn, Due, Fact, Finished, IllegalSteps, Turn, TurnedUp
from wasabi_protocol.sealed.player import Seal
from wasabi_protocol.signed.messages import Terms

from ...engine.errors import Illegal, RulesError
from ...engine.position import Position
from ...engine.rules import OUT_OF_TURN, AnyRules
from ...engine.step import Bundle, Step
from .sealed_position import SealedPosition


class Umpire:
    """The rules of one edition for any number of seats; without state."""

    def __init__(self, rules_for: Callable[[int], AnyRules]) -> None:
        self._rules_for = rules_for

    def begin(self, _terms: Terms, order: tuple[int, ...]) -> SealedPosition:
        rules = self._rules_for(len(order))
        return SealedPosition(rules, rules.start(0), order, {}, {})

    def due(self, sealed: SealedPosition) -> Due:
        outcome = sealed.position.outcome
        if outcome is not None:
            return Finished(outcome.scores)
        return Turn(sealed.dealer if sealed.owed else sealed.order[sealed.position.mover])

    def play(self, sealed: SealedPosition, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> SealedPosition:
        try:
            parsed = tuple(sealed.rules.grammar.parse(step) for step in steps)
            after = bundle_position(sealed, seat, parsed)
        except RulesError as error:
            raise IllegalSteps(str(error)) from None
        mover = sealed.order.index(seat)
        wanted = sealed.seals(mover, parsed, after) if parsed else sealed.owed
        agreed = len(wanted) == len(facts) and all(
            sealed.agrees(seal, fact, parsed) for seal, fact in zip(wanted, facts, strict=True)
        )
        if not agreed:
            raise IllegalSteps("steps and seals differ")
        return sealed.moved(mover, parsed, after).followed(list(facts))

    def dealt(self, sealed: SealedPosition, cards: Sequence[CardArrived]) -> SealedPosition:
        for card in cards:
            if card.face is not None:
                sealed = self._turned(sealed, card)
        return sealed

    def _turned(self, sealed: SealedPosition, card: CardArrived) -> SealedPosition:
        awaited = sealed.rules.awaited(sealed.position)
        assert card.face is not None
        assert awaited is not None, "only what the rules wait for is turned up"
        kind = sealed.face(card.card, card.face)
        after = sealed.rules.apply(sealed.position, Step("turn", (awaited, kind)))
        shown = replace(sealed, open={**sealed.open, card.card: kind})
        return shown.moved(None, (), after)

    def without_seat(self, sealed: SealedPosition, seat: int) -> SealedPosition:
        if sealed.position.outcome is not None:
            # The bundle that ended the game heard its last wish: the outcome is settled.
            return sealed
        place = sealed.order.index(seat)
        hand = sealed.position.seats[place].recipes
        stays = {card: name for card, name in sealed.hands.items() if card not in hand}
        after = sealed.rules.apply(sealed.position, Step("leave", (place,)))
        return replace(sealed, hands=stays).moved(None, (), after)

    def excluded(self, sealed: SealedPosition, seat: int, void: Sequence[Drawn | TurnedUp]) -> SealedPosition:
        if sealed.position.outcome is not None:
            # A seat that vanishes before it signed the end does not change the end.
            return sealed
        place = sealed.order.index(seat)
        hand = sealed.position.seats[place].recipes
        lost = {drawn.card for drawn in void}
        stays = {card: name for card, name in sealed.hands.items() if card not in hand and name not in lost}
        after = sealed.rules.apply(sealed.position, Step("exclude", (place,)))
        return replace(sealed, hands=stays).moved(None, (), after, expected_epoch=sealed.position.epoch + 1)

    def digest(self, sealed: SealedPosition) -> bytes:
        return sealed.rules.digest(sealed.position)


def sealed_bundle(sealed: SealedPosition, bundle: Bundle) -> tuple[list[str], list[Seal]]:
    """Return a bundle as the protocol carries it: steps as text, and their seals; raise `RulesError` if illegal."""
    after = bundle_position(sealed, sealed.order[bundle.seat], bundle.steps)
    steps = [sealed.rules.grammar.format(step) for step in bundle.steps]
    return steps, sealed.seals(bundle.seat, bundle.steps, after)


def bundle_position(sealed: SealedPosition, seat: int, steps: tuple[Step, ...]) -> Position:
    """Return the position after a protocol seat's bundle, or raise `RulesError`; no steps deal what is owed."""
    if sealed.owed and steps:
        raise Illegal("bundle-too-long", step=1)
    if sealed.owed:
        return sealed.position
    if any(step.verb in OUT_OF_TURN for step in steps):
        raise Illegal("leave-apart")
    after: Position = sealed.rules.apply_bundle(sealed.position, Bundle(sealed.order.index(seat), steps))
    return after
