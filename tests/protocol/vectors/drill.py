"""The game of the recorded logs: the toy's rules, with a digest that any language can compute."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from wasabi_protocol.signed.canonical import Value, encode

from tests.protocol.toy import Position, Toy

if TYPE_CHECKING:
    from wasabi_protocol.sealed.state import Card

LABEL = b"wsb1 drill\x00"


def _name(card: Card) -> list[Value]:
    return list(card)


class Drill(Toy):
    """The drill described in `protocol/vectors/README.md`."""

    def digest(self, position: Position) -> bytes:
        hands: list[Value] = [[seat, _name(card)] for seat, card in position.hands]
        points: list[Value] = [list(pair) for pair in position.points]
        shown: list[Value] = [[_name(card), face] for card, face in position.shown]
        value: Value = [
            list(position.order),
            position.passes_left,
            position.turn,
            position.dealt,
            hands,
            points,
            shown,
            position.waiting,
            list(position.gone),
        ]
        return hashlib.sha256(LABEL + encode(value)).digest()
