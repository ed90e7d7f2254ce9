"""The bytes that name a position, written out one field after the other."""

import hashlib

from tests.oracle.state import State, changed, number_of

PHASES = ["give", "draw", "play", "restock", "over"]
ENDINGS = {"tokens": 1, "board": 2, "passes": 3, "turns": 4, "abandoned": 5}


def digest(state: State, edition_hash: bytes) -> bytes:
    """The SHA-256 that every client must find for this state."""
    text = b"wasabi position 2\n" + edition_hash
    text += _table(state) + _seats(state) + _outcome(state) + _turn(state)
    return hashlib.sha256(text).digest()


def _one(*numbers: int) -> bytes:
    return bytes(numbers)


def _two(number: int) -> bytes:
    return number.to_bytes(2, "big")


def _four(number: int) -> bytes:
    return number.to_bytes(4, "big")


def _table(state: State) -> bytes:
    mover = 0 if state.mover is None else state.mover + 1
    text = _one(len(state.seats), state.first, mover) + _two(state.turn) + _two(state.epoch)
    squares = sorted(changed(state))
    text += sum(1 << number_of(state, square) for square in squares).to_bytes(8, "big")
    for square in squares:
        text += _one(state.shown[square] or 0, state.laid[square].count(True))
    for square in sorted(state.board):
        text += _one(len(state.board[square]), *state.board[square])
    for tile in sorted(state.pantry):
        text += _one(state.pantry[tile])
    for length in sorted(state.decks):
        text += _one(length, len(state.decks[length]))
        for card in state.decks[length]:
            text += _four(card)
    return text


def _seats(state: State) -> bytes:
    text = b""
    for seat in state.seats:
        text += _one(1 if seat.gone else 0)
        text += _one(len(seat.tiles), *sorted(seat.tiles))
        text += _one(len(seat.cards), *sorted(seat.cards))
        text += _one(len(seat.recipes))
        for card in seat.recipes:
            text += _four(card)
        text += _one(len(seat.claimed))
        for recipe, cubes in seat.claimed:
            text += _one(recipe, cubes)
        text += _one(6, *[seat.tokens.get(length, 0) for length in range(6)])
        text += _two(seat.points) + _two(seat.cubes)
    return text


def _outcome(state: State) -> bytes:
    if state.outcome is None:
        return _one(0)
    text = _one(ENDINGS[state.outcome.ending], len(state.outcome.winners), *state.outcome.winners)
    for score in state.outcome.scores:
        text += _two(score)
    return text


def _turn(state: State) -> bytes:
    flags = (1 if state.owed else 0) + (2 if state.extra else 0) + (4 if state.stacking else 0)
    played = 0 if state.played is None else state.played + 1
    text = _one(PHASES.index(state.phase), flags, played, state.rewards)
    squares = sorted(number_of(state, square) for square in state.wasabi)
    text += _one(len(squares), *squares) + _one(*state.kitchen) + _two(state.passes)
    return text
