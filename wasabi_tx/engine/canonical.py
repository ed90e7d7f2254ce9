"""The canonical bytes of the part of a position that all editions share; digests are made from them.

Numbers are big-endian, lists carry their length first and nothing is omitted, so equal bytes mean equal positions.
"""

from __future__ import annotations

from functools import lru_cache
from struct import Struct, pack
from typing import TYPE_CHECKING

from .board import TILE_MASK, Board, stack_tiles
from .decks import Decks
from .position import Claimed, Outcome, Position, Seat
from .sealed_card import Card

if TYPE_CHECKING:
    from .rules import AnyRules

LABEL = b"wasabi position 2\n"
ENDINGS = ("", "tokens", "board", "passes", "turns", "abandoned", "pantry")
"""The endings in the order of the numbers that encode them."""


_HEAD = Struct(">BBBHHQ")
_POINTS = Struct(">HH")


def shared_bytes(rules: AnyRules, position: Position) -> bytes:
    """Encode the shared parts, reusing the cached bytes of seats and board that a step did not change."""
    seats = position.seats
    return b"".join(
        (
            _label(rules.edition.hash),
            _HEAD.pack(len(seats), position.first, position.mover + 1, position.turn, position.epoch, position.changed),
            _changes_bytes(position) if position.changed else b"",
            _board_bytes(position.board),
            bytes(position.pantry)[1:],
            _decks_bytes(rules.deck_numbers, position.decks),
            *map(_seat_bytes, seats),
            b"\0" if position.outcome is None else _outcome_bytes(position.outcome),
        )
    )


@lru_cache(maxsize=64)
def _label(edition: str) -> bytes:
    return LABEL + bytes.fromhex(edition)


def _changes_bytes(position: Position) -> bytes:
    """Encode each changed square: the tile it showed when the turn began, and the number of tiles laid on it since."""
    changed, before, laid = position.changed, position.before, position.laid
    if not changed & changed - 1:
        # Usually only one square has changed.
        square = changed.bit_length() - 1
        return bytes((before[square] & TILE_MASK, laid.count(square)))
    squares = [square for square in range(changed.bit_length()) if changed >> square & 1]
    return bytes([number for square in squares for number in (before[square] & TILE_MASK, laid.count(square))])


def _board_bytes(board: Board) -> bytes:
    encoded = board._encoded
    if encoded is None:
        encoded = b"".join([_LOW[stack] if stack <= TILE_MASK else stack_bytes(stack) for stack in board.stacks])
        board._encoded = encoded
    return encoded


@lru_cache(maxsize=4096)
def stack_bytes(stack: int) -> bytes:
    """Encode a stack: the number of tiles, then the tiles from the bottom."""
    tiles = stack_tiles(stack)
    return bytes((len(tiles), *tiles))


_LOW = tuple(stack_bytes(stack) for stack in range(TILE_MASK + 1))
"""The encoding of squares with no tile or one."""


def _decks_bytes(numbers: tuple[int, ...], decks: Decks) -> bytes:
    """Encode the decks of the edition; the last result is cached, because most steps leave the decks unchanged."""
    global _last_decks
    last, encoded = _last_decks
    if decks is not last:
        encoded = b"".join([_deck_bytes(deck, decks[deck]) for deck in numbers])
        _last_decks = decks, encoded
    return encoded


_last_decks: tuple[Decks, bytes] = [], b""


@lru_cache(maxsize=4096)
def _deck_bytes(deck: int, cards: tuple[Card, ...]) -> bytes:
    """Encode a deck: its number, the number of cards, the cards."""
    return pack(f">BB{len(cards)}I", deck, len(cards), *cards)


@lru_cache(maxsize=4096)
def _hand_bytes(recipes: tuple[Card, ...]) -> bytes:
    return pack(f">B{len(recipes)}I", len(recipes), *recipes)


@lru_cache(maxsize=4096)
def _record_bytes(claimed: tuple[Claimed, ...], tokens: bytes) -> bytes:
    return bytes((len(claimed), *[number for one in claimed for number in one], len(tokens), *tokens))


def _seat_bytes(seat: Seat) -> bytes:
    encoded = seat._encoded
    if encoded is None:
        tiles, cards = seat.tiles, seat.cards
        encoded = b"".join(
            (
                bytes((seat.gone, len(tiles), *tiles, len(cards), *cards)),
                _hand_bytes(seat.recipes),
                _record_bytes(seat.claimed, seat.tokens),
                _POINTS.pack(seat.points, seat.cubes),
            )
        )
        seat._encoded = encoded
    return encoded


def _outcome_bytes(outcome: Outcome) -> bytes:
    scores = pack(f">{len(outcome.scores)}H", *outcome.scores)
    return bytes((ENDINGS.index(outcome.ending), len(outcome.winners), *outcome.winners)) + scores
