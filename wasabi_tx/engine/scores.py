"""Scores: how points are counted, which seat is ahead, and what a completed recipe adds.

The points of a single recipe and its bonus for style are in the edition's file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .position import Claimed, Position, Seat
    from .sealed_card import Card


def score(seat: Seat) -> int:
    """Return a seat's score: its points, and one for each cube."""
    return seat.points + seat.cubes


def all_scores(position: Position) -> tuple[int, ...]:
    """Return the score of every seat, in seat order."""
    return tuple(score(seat) for seat in position.seats)


def rank(seat: Seat) -> tuple[int, int]:
    """Return the sort key of a seat: the score, then the cubes."""
    return score(seat), seat.cubes


def best_seats(position: Position) -> tuple[int, ...]:
    """Return the best of the seats still playing; several if they are tied."""
    ranks = {number: rank(position.seats[number]) for number in position.playing}
    top = max(ranks.values())
    return tuple(number for number, one in ranks.items() if one == top)


def with_claimed(seat: Seat, card: Card, claimed: Claimed, points: int) -> Seat:
    """Return a fresh copy of the seat after it completed the recipe on this card."""
    seat = seat.evolve()
    seat.recipes = tuple(held for held in seat.recipes if held != card)
    seat.claimed = (*seat.claimed, claimed)
    seat.points += points
    seat.cubes += claimed.cubes
    return seat
