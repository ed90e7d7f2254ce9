"""What the protocol asks of the rules of a game; it knows nothing else of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.messages import Terms
    from wasabi_protocol.sealed.state import Card

Position = TypeVar("Position")


class IllegalSteps(Exception):
    """The steps are not legal here, or say something else than the seals beside them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """This seat writes the next bundle."""

    seat: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The game is over; every seat signs the end."""

    scores: tuple[int, ...]


Due = Turn | Finished


@dataclass(frozen=True, slots=True)
class Drawn:
    """The top card of a deck is on its way to a seat."""

    card: Card
    seat: int


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The top card of a deck is about to be shown to everybody."""

    card: Card


@dataclass(frozen=True, slots=True)
class Revealed:
    """The author proved the face of a card of its hand."""

    card: Card
    face: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The author put a card of its hand under its deck, unseen."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """Known cards become a hidden deck again."""

    deck: int
    cards: tuple[Card, ...]


Fact = Drawn | TurnedUp | Revealed | Returned | Reshuffled


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card arrived: in a seat's hand, its face known to that seat alone, or before everybody with its face."""

    card: Card
    seat: int | None
    face: int | None


class Game(Protocol[Position]):
    """The rules as pure functions of positions; the same arguments always give the same result."""

    def begin(self, terms: Terms, order: tuple[int, ...]) -> Position:
        """The first position, with the seats in their order around the table, the first player first."""

    def due(self, position: Position) -> Due:
        """Whose bundle comes next; Finished at the end, and always when one seat is left."""

    def play(self, position: Position, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> Position:
        """The position after a bundle; IllegalSteps if the steps are not legal or do not match the facts."""

    def dealt(self, position: Position, cards: Sequence[Dealt]) -> Position:
        """The position after cards arrived that a bundle asked for."""

    def left(self, position: Position, seat: int) -> Position:
        """The position after a seat returned its hand and left."""

    def excluded(self, position: Position, seat: int, void: Sequence[Drawn | TurnedUp]) -> Position:
        """The position after a seat was voted out; cards on their way then never arrive and are owed anew."""

    def digest(self, position: Position) -> bytes:
        """32 bytes in which two clients agree only if they agree about the position."""
