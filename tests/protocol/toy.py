"""A toy card game that uses everything the decks can do; the protocol must carry it without knowing it.

The first player deals two cards of deck 0 to everybody. In a turn a player may draw (up to four cards), reveal a card
for its face in points, return a card, turn up the top of a deck, or shuffle the open faces of an empty deck back, and
finally must pass. After a number of passes the game is finished.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wasabi_protocol.game.rules_port import (
    CardArrived,
    Drawn,
    Due,
    Fact,
    Finished,
    IllegalSteps,
    Reshuffled,
    Returned,
    Revealed,
    Turn,
    TurnedUp,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.state import Card
    from wasabi_protocol.signed.messages import Terms

MOST_CARDS = 4


@dataclass(frozen=True)
class Position:
    """Everything public: hands by card name only."""

    order: tuple[int, ...]
    passes_left: int
    turn: int = 0
    dealt: bool = False
    hands: tuple[tuple[int, Card], ...] = ()
    points: tuple[tuple[int, int], ...] = ()
    shown: tuple[tuple[Card, int], ...] = ()
    waiting: int = 0
    gone: tuple[int, ...] = ()

    def hand(self, seat: int) -> tuple[Card, ...]:
        return tuple(card for holder, card in self.hands if holder == seat)


class Toy:
    """The rules of the toy game."""

    def __init__(self, passes: int = 6) -> None:
        self.passes = passes

    def begin(self, terms: Terms, order: tuple[int, ...]) -> Position:
        assert terms.edition == "toy"
        return Position(order, self.passes)

    def due(self, position: Position) -> Due:
        if position.passes_left <= 0 or len(position.order) == 1:
            points = dict(position.points)
            seats = sorted((*position.order, *position.gone))
            return Finished(tuple(points.get(seat, 0) for seat in seats))
        return Turn(position.order[position.turn])

    def play(self, position: Position, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> Position:
        left = list(facts)
        for number, step in enumerate(steps):
            if number and steps[number - 1] == "pass":
                raise IllegalSteps("after the pass")
            position = self._step(position, seat, step, left)
        if left or not steps:
            raise IllegalSteps("steps and seals differ")
        return position

    def _step(self, position: Position, seat: int, step: str, facts: list[Fact]) -> Position:
        if step == "deal":
            return self._deal(position, facts)
        if not position.dealt or (position.waiting and step != "pass"):
            raise IllegalSteps("not now")
        if step == "pass":
            if position.waiting:
                raise IllegalSteps("a card is on its way")
            turn = (position.turn + 1) % len(position.order)
            return replace(position, turn=turn, passes_left=position.passes_left - 1)
        fact = facts.pop(0) if facts else None
        match step.split(), fact:
            case ["draw", deck], Drawn(card, to):
                if to != seat or card.deck != int(deck) or len(position.hand(seat)) >= MOST_CARDS:
                    raise IllegalSteps(step)
                return replace(position, waiting=1)
            case ["up", deck], TurnedUp(card) if card.deck == int(deck):
                return replace(position, waiting=1)
            case ["reveal", face], Revealed(card, proved) if proved == int(face):
                points = dict(position.points)
                points[seat] = points.get(seat, 0) + proved
                shown = (*position.shown, (card, proved))
                return replace(_without(position, card), points=tuple(sorted(points.items())), shown=shown)
            case ["return"], Returned(card):
                return _without(position, card)
            case ["shuffle", deck], Reshuffled(number, cards) if number == int(deck):
                return replace(position, shown=tuple(pair for pair in position.shown if pair[0] not in cards))
        raise IllegalSteps(step)

    def _deal(self, position: Position, facts: list[Fact]) -> Position:
        wanted = [seat for _ in range(2) for seat in position.order]
        drawn = [fact.seat for fact in facts if isinstance(fact, Drawn) and fact.card.deck == 0]
        if position.dealt or drawn != wanted or len(facts) != len(drawn):
            raise IllegalSteps("deal")
        facts.clear()
        return replace(position, dealt=True, waiting=len(wanted))

    def dealt(self, position: Position, cards: Sequence[CardArrived]) -> Position:
        hands, shown = position.hands, position.shown
        for card in cards:
            if card.seat is not None:
                hands += ((card.seat, card.card),)
            if card.face is not None:
                shown += ((card.card, card.face),)
        return replace(position, hands=hands, shown=shown, waiting=0)

    def without_seat(self, position: Position, seat: int) -> Position:
        current = position.order[position.turn]
        order = tuple(other for other in position.order if other != seat)
        follower = position.turn % len(order) if current == seat else order.index(current)
        return replace(
            position,
            order=order,
            turn=follower,
            hands=tuple(pair for pair in position.hands if pair[0] != seat),
            gone=(*position.gone, seat),
        )

    def excluded(self, position: Position, seat: int, void: Sequence[Drawn | TurnedUp]) -> Position:
        after = replace(self.without_seat(position, seat), waiting=0)
        if void and not position.hands:
            return replace(after, dealt=False)
        return after

    def digest(self, position: Position) -> bytes:
        return hashlib.sha256(repr(position).encode()).digest()


def _without(position: Position, card: Card) -> Position:
    hands = tuple(pair for pair in position.hands if pair[1] != card)
    if len(hands) == len(position.hands):
        raise IllegalSteps("not in hand")
    return replace(position, hands=hands)
