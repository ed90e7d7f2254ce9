"""The parts of a position that all editions share: a public value that contains nothing hidden."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from .board import Board
from .decks import Decks
from .errors import Illegal
from .scores import score
from .sealed_card import Card
from .value import Value

NOBODY = -1
"""The mover when it is chance's turn, or when the game is over."""

NO_CARD = -1
"""No action card: none was played, or the edition has none with that effect."""


class Claimed(NamedTuple):
    """A completed recipe, with the cubes earned by its style."""

    recipe: int
    cubes: int


class Outcome(NamedTuple):
    """The way a game ended, its winners and its scores."""

    ending: str
    """`tokens`, `board`, `passes`, `turns`, `abandoned` or `pantry`."""
    winners: tuple[int, ...]
    """The winners in seat order; several if the game is a draw."""
    scores: tuple[int, ...]


class Seat(Value):
    """Everything that lies open in front of one player, and the sealed cards in their hand."""

    __slots__ = ("_encoded", "cards", "claimed", "cubes", "gone", "points", "recipes", "tiles", "tokens")

    tiles: tuple[int, ...]
    """Tiles by number, sorted."""
    cards: tuple[int, ...]
    """Action cards by number, sorted."""
    recipes: tuple[Card, ...]
    """Recipe cards in the order in which they were drawn."""
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
    """The state of a game. Editions add their own parts. Its lists are never changed; see `Value`."""

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
    """The number of times the decks have been rebuilt."""
    first: int
    """The starting player's seat."""
    laid: tuple[int, ...]
    """Squares with tiles laid this turn, sorted, each listed once per tile."""
    mover: int
    outcome: Outcome | None
    pantry: list[int]
    """Tiles in the pantry, by number; number 0 is no tile."""
    phase: str
    seats: list[Seat]
    turn: int
    """The number of the turn, from 1; 0 during setup."""

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats still in the game."""
        return tuple(n for n, seat in enumerate(self.seats) if not seat.gone)

    def next_playing(self, seat: int) -> int:
        """Return the nearest seat to the left that is still in the game."""
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
    """Move the top card of a non-empty deck to the mover's hand, in a fresh copy."""
    decks, seats, mover = after.decks.copy(), after.seats.copy(), after.mover
    cards = decks[deck]
    decks[deck] = cards[1:]
    seats[mover] = seat = seats[mover].evolve()
    seat.recipes = (*seat.recipes, cards[0])
    after.decks, after.seats = decks, seats
    return after


def wrong_phase(position: Position) -> Illegal:
    return Illegal("phase", now=position.phase)
