"""Leaving a game, on purpose or by vanishing, in any edition: what the seat held goes back where it came from."""

from __future__ import annotations

from .decks import rebuilt, returned
from .errors import Illegal
from .position import P, Seat, replace_seat


def remove_player(position: P, leaver: int) -> tuple[P, Seat]:
    """Return a copy without the leaver, whose recipes go to the bottom of their decks, and the seat as it was."""
    after, seat = _vacated(position, leaver)
    after.decks = returned(position.decks, seat.recipes)
    return after, seat


def exclude(position: P, leaver: int) -> tuple[P, Seat]:
    """Do the same for a seat that vanished: its recipes are shuffled back in, so every card of every deck is new."""
    after, seat = _vacated(position, leaver)
    after.epoch += 1
    after.decks = rebuilt(position.decks, seat.recipes, after.epoch)
    return after, seat


def _vacated(position: P, leaver: int) -> tuple[P, Seat]:
    """Return a copy with the seat empty and its tiles in the pantry, and the old seat; completed recipes remain."""
    seat = position.seats[leaver]
    if seat.gone:
        raise Illegal("seat-gone", seat=leaver + 1)
    after = position.evolve()
    after.pantry = position.pantry.copy()
    for tile in seat.tiles:
        after.pantry[tile] += 1
    empty = seat.evolve()
    empty.tiles = empty.cards = empty.recipes = ()
    empty.gone = True
    after.seats = replace_seat(position.seats, leaver, empty)
    return after, seat
