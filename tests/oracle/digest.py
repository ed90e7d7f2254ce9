"""The bytes that identify a position, written one field after the other."""

import hashlib

from tests.oracle.alike import number_of, one, two, written_cards, written_outcome, written_table
from tests.oracle.state import State

PHASES = ["give", "draw", "play", "restock", "over"]
ENDINGS = {"tokens": 1, "board": 2, "passes": 3, "turns": 4, "abandoned": 5}


def digest(state: State, edition_hash: bytes) -> bytes:
    """Return the SHA-256 that every client must compute for this state."""
    text = b"wasabi position 2\n" + edition_hash
    text += _table(state) + _seats(state) + written_outcome(state, ENDINGS) + _turn(state)
    return hashlib.sha256(text).digest()


def _table(state: State) -> bytes:
    mover = 0 if state.mover is None else state.mover + 1
    return one(len(state.seats), state.first, mover) + two(state.turn) + two(state.epoch) + written_table(state)


def _seats(state: State) -> bytes:
    text = b""
    for seat in state.seats:
        text += one(1 if seat.gone else 0)
        text += one(len(seat.tiles), *sorted(seat.tiles))
        text += written_cards(seat)
        text += one(6, *[seat.tokens.get(length, 0) for length in range(6)])
        text += two(seat.points) + two(seat.cubes)
    return text


def _turn(state: State) -> bytes:
    flags = (1 if state.owed else 0) + (2 if state.extra else 0) + (4 if state.stacking else 0)
    played = 0 if state.played is None else state.played + 1
    text = one(PHASES.index(state.phase), flags, played, state.rewards)
    squares = sorted(number_of(state, square) for square in state.wasabi)
    text += one(len(squares), *squares) + one(*state.kitchen) + two(state.passes)
    return text
