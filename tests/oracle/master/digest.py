"""The bytes that identify a position of the second edition, written one field after the other."""

import hashlib
from collections.abc import Iterable

from tests.oracle.alike import Square, number_of, one, two, written_cards, written_outcome, written_table
from tests.oracle.master.state import State

PHASES = ["refill", "play", "serve", "gain", "discard", "restock", "exchange", "over"]
ENDINGS = {"board": 2, "turns": 4, "abandoned": 5, "pantry": 6}


def digest(state: State, edition_hash: bytes) -> bytes:
    """Return the SHA-256 that every client must compute for this state."""
    text = b"wasabi position 2\n" + edition_hash
    text += _table(state) + _seats(state) + written_outcome(state, ENDINGS) + _turn(state)
    return hashlib.sha256(text).digest()


def _nobody_or(seat: int | None) -> bytes:
    return one(0 if seat is None else seat + 1)


def _squares(state: State, squares: Iterable[Square]) -> bytes:
    bits = 0
    for square in squares:
        bits += 1 << number_of(state, square)
    return bits.to_bytes(8, "big")


def _table(state: State) -> bytes:
    text = one(len(state.seats), state.first) + _nobody_or(state.mover) + two(state.turn) + two(state.epoch)
    return text + written_table(state)


def _seats(state: State) -> bytes:
    tiles = tokens = 0
    text = b""
    for seat in state.seats:
        text += one(1 if seat.gone else 0, tiles)
        text += written_cards(seat)
        text += one(tokens) + two(seat.points) + two(seat.cubes)
    return text


def _turn(state: State) -> bytes:
    flags = (1 if state.owed else 0) + (2 if state.serving else 0)
    text = one(PHASES.index(state.phase)) + _nobody_or(state.chef) + one(flags)
    cups = sorted(number_of(state, square) for square in state.cups)
    text += one(len(cups), *cups) + _squares(state, state.moved)
    text += one(len(state.display), *sorted(state.display))
    for kind in range(len(state.edition.actions)):
        text += one(state.discards.count(kind))
    text += two(state.pool)
    text += one(0 if state.trigger is None else ENDINGS[state.trigger])
    return text + one(sum(2**seat for seat in state.final))
