"""What every edition's position has: a public value; nothing hidden is ever in it."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from .board import Board
from .card import Card
from .decks import Decks
from .errors import Illegal
from .scores import score
from .value import Value

NOBODY = -1
"""Who moves when it is chance's turn, or when the game is over."""

NO_CARD = -1
"""No action card: none played, or none with that effect in the edition."""


class Claimed(NamedTuple):
    """A completed recipe, with the cubes that its style gave."""

    recipe: int
    cubes: int


class Outcome(NamedTuple):
    """How a game ended, and nothing else."""

    ending: str
    """`tokens`, `board`, `passes`, `turns`, `abandoned` or `pantry`."""
    winners: tuple[int, ...]
    """In seat order; several share a draw."""
    scores: tuple[int, ...]


class Seat(Value):
    """Everything that lies open before one player, and the sealed cards that they hold."""

    __slots__ = ("_encoded", "cards", "claimed", "cubes", "gone", "points", "recipes", "tiles", "tokens")

    tiles: tuple[int, ...]
    """Sorted."""
    cards: tuple[int, ...]
    """Action cards by number, sorted."""
    recipes: tuple[Card, ...]
    """In the order in which they were drawn."""
    claimed: tuple[Claimed, ...]
    tokens: bytes
    """Unassigned tokens, by length."""
    points: int
    cubes: int
    gone: bool
    _encoded: bytes | None
    """See `canonical`."""

    @property
    def score(self) -> int:
        return score(self)


class Position(Value):
    """The state of a game. Editions add what only they have. Its lists are never changed, see `Value`."""

    __slots__ = (
        "before", "board", "changed", "decks", "epoch", "first", "laid", "mover", "outcome", "pantry", "phase", "seats",
        "turn",
    )  # fmt: skip

    before: list[int]
    """The stacks of the board at the start of the turn; only their top tiles matter."""

    board: Board
    changed: int
    """Squares that the mover changed this turn, one bit each; see `changes`."""
    decks: Decks
    epoch: int
    """How often the decks have been rebuilt."""
    first: int
    """The starting player's seat."""
    laid: tuple[int, ...]
    """Where the tiles lie that were laid this turn: sorted squares, each once for every such tile."""
    mover: int
    outcome: Outcome | None
    pantry: list[int]
    """Tiles left, by number; number 0 is no tile."""
    phase: str
    seats: list[Seat]
    turn: int
    """Counts turns from 1; 0 while the game is being set up."""

    @property
    def playing(self) -> tuple[int, ...]:
        """Seats that have not left."""
        return tuple(n for n, seat in enumerate(self.seats) if not seat.gone)

    def next_playing(self, seat: int) -> int:
        """The nearest seat to the left that has not left."""
        seats = self.seats
        following = (seat + 1) % len(seats)
        while seats[following].gone and following != seat:
            following = (following + 1) % len(seats)
        return following


P = TypeVar("P", bound=Position)


def empty_seat(tokens: bytes = b"") -> Seat:
    seat = Seat()
    seat._encoded = None
    seat.tiles = seat.cards = seat.recipes = seat.claimed = ()
    seat.tokens = tokens
    seat.points = seat.cubes = 0
    seat.gone = False
    return seat


def replace_seat(seats: list[Seat], number: int, seat: Seat) -> list[Seat]:
    seats = seats.copy()
    seats[number] = seat
    return seats


def take_top(after: P, deck: int) -> P:
    """Fills into a fresh copy that the mover draws the top card of a deck that is not empty."""
    decks, seats, mover = after.decks.copy(), after.seats.copy(), after.mover
    cards = decks[deck]
    decks[deck] = cards[1:]
    seats[mover] = seat = seats[mover].evolve()
    seat.recipes = (*seat.recipes, cards[0])
    after.decks, after.seats = decks, seats
    return after


def wrong_phase(position: Position) -> Illegal:
    return Illegal("phase", now=position.phase)
