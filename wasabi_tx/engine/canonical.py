"""The bytes of a position that every edition shares: what digests are made of.

Numbers are big-endian, lists carry their length first, nothing is left out, so equal bytes mean equal positions.
"""

from __future__ import annotations

from functools import lru_cache
from struct import pack
from typing import TYPE_CHECKING, Any

from .board import stack_tiles
from .card import Card
from .position import Outcome, Position, Seat

if TYPE_CHECKING:
    from .rules import Rules

LABEL = b"wasabi position 1\n"
ENDINGS = ("", "tokens", "board", "passes", "turns", "abandoned", "pantry")
"""In the order of the numbers that stand for them."""


def shared_bytes(rules: Rules[Any], position: Position) -> bytes:
    parts = [
        LABEL,
        bytes.fromhex(rules.edition.hash),
        pack(
            ">BBBHHQ",
            len(position.seats),
            position.first,
            position.mover + 1,
            position.turn,
            position.epoch,
            position.changed,
        ),
        b"".join(map(stack_bytes, position.board.stacks)),
        bytes(position.pantry[1:]),
    ]
    for deck in rules.deck_numbers:
        cards = position.decks[deck]
        parts.append(bytes((deck, len(cards))))
        parts.append(card_bytes(cards))
    parts.extend(map(_seat_bytes, position.seats))
    parts.append(_outcome_bytes(position.outcome))
    return b"".join(parts)


@lru_cache(maxsize=65536)
def stack_bytes(stack: int) -> bytes:
    """How many tiles, then the tiles from the bottom."""
    tiles = stack_tiles(stack)
    return bytes((len(tiles), *tiles))


@lru_cache(maxsize=4096)
def card_bytes(cards: tuple[Card, ...]) -> bytes:
    return pack(f">{len(cards)}I", *cards)


def _seat_bytes(seat: Seat) -> bytes:
    tiles, cards, recipes, claimed = seat.tiles, seat.cards, seat.recipes, seat.claimed
    return b"".join(
        (
            bytes((seat.gone, len(tiles), *tiles, len(cards), *cards, len(recipes))),
            card_bytes(recipes),
            bytes((len(claimed), *(number for one in claimed for number in one), len(seat.tokens))),
            seat.tokens,
            pack(">HH", seat.points, seat.cubes),
        )
    )


def _outcome_bytes(outcome: Outcome | None) -> bytes:
    if outcome is None:
        return b"\0"
    scores = pack(f">{len(outcome.scores)}H", *outcome.scores)
    return bytes((ENDINGS.index(outcome.ending), len(outcome.winners), *outcome.winners)) + scores
