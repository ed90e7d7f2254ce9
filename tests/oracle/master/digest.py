"""The bytes that name a position of the second edition, written out one field after the other."""

import hashlib
from collections.abc import Iterable

from tests.oracle.master.edition import Square
from tests.oracle.master.state import State, changed, number_of

PHASES = ["refill", "play", "serve", "gain", "discard", "restock", "exchange", "over"]
ENDINGS = {"board": 2, "turns": 4, "abandoned": 5, "pantry": 6}


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


def _nobody_or(seat: int | None) -> bytes:
    return _one(0 if seat is None else seat + 1)


def _squares(state: State, squares: Iterable[Square]) -> bytes:
    bits = 0
    for square in squares:
        bits += 1 << number_of(state, square)
    return bits.to_bytes(8, "big")


def _table(state: State) -> bytes:
    text = _one(len(state.seats), state.first) + _nobody_or(state.mover) + _two(state.turn) + _two(state.epoch)
    spaces = sorted(changed(state))
    text += _squares(state, spaces)
    for square in spaces:
        text += _one(state.shown[square] or 0, state.laid[square].count(True))
    for square in sorted(state.board):
        text += _one(len(state.board[square]), *state.board[square])
    for tile in sorted(state.pantry):
        text += _one(state.pantry[tile])
    for deck in sorted(state.decks):
        text += _one(deck, len(state.decks[deck]))
        for card in state.decks[deck]:
            text += _four(card)
    return text


def _seats(state: State) -> bytes:
    tiles = tokens = 0
    text = b""
    for seat in state.seats:
        text += _one(1 if seat.gone else 0, tiles)
        text += _one(len(seat.cards), *sorted(seat.cards))
        text += _one(len(seat.recipes))
        for card in seat.recipes:
            text += _four(card)
        text += _one(len(seat.claimed))
        for recipe, cubes in seat.claimed:
            text += _one(recipe, cubes)
        text += _one(tokens) + _two(seat.points) + _two(seat.cubes)
    return text


def _outcome(state: State) -> bytes:
    if state.outcome is None:
        return _one(0)
    text = _one(ENDINGS[state.outcome.ending], len(state.outcome.winners), *state.outcome.winners)
    for score in state.outcome.scores:
        text += _two(score)
    return text


def _turn(state: State) -> bytes:
    flags = (1 if state.owed else 0) + (2 if state.serving else 0)
    text = _one(PHASES.index(state.phase)) + _nobody_or(state.chef) + _one(flags)
    cups = sorted(number_of(state, square) for square in state.cups)
    text += _one(len(cups), *cups) + _squares(state, state.moved)
    text += _one(len(state.display), *sorted(state.display))
    for kind in range(len(state.edition.actions)):
        text += _one(state.discards.count(kind))
    text += _two(state.pool)
    text += _one(0 if state.trigger is None else ENDINGS[state.trigger])
    return text + _one(sum(2**seat for seat in state.final))
