"""The port to the rules: everything the protocol asks of a game, and checked seals expressed as facts for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from wasabi_protocol.sealed.cards import read_card
from wasabi_protocol.verdicts import Code, Invalid

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.state import Card, Decks
    from wasabi_protocol.signed.messages import Bundle, Terms


Position = TypeVar("Position")


class IllegalSteps(Exception):
    """The steps are not legal here, or contradict the seals beside them."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The seat that writes the next bundle."""

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
    """The top card of a deck is about to be shown to all."""

    card: Card


@dataclass(frozen=True, slots=True)
class Revealed:
    """The author proved the face of a card in hand."""

    card: Card
    face: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The author put a card from hand under its deck, face down."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """Known cards become a hidden deck again."""

    deck: int
    cards: tuple[Card, ...]


Fact = Drawn | TurnedUp | Revealed | Returned | Reshuffled


@dataclass(frozen=True, slots=True)
class CardArrived:
    """A card arrived in a seat's hand, with a face only that seat knows, or face up."""

    card: Card
    seat: int | None
    face: int | None


class RulesPort(Protocol[Position]):
    """The rules as pure functions of positions: the same arguments always give the same result."""

    def begin(self, terms: Terms, order: tuple[int, ...]) -> Position:
        """Return the first position; `order` lists the seats around the table, the first player first."""

    def due(self, position: Position) -> Due:
        """Return whose bundle comes next; Finished at the end, and always when only one seat remains."""

    def play(self, position: Position, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> Position:
        """Return the position after a bundle; raise IllegalSteps if the steps are illegal or contradict the facts."""

    def dealt(self, position: Position, cards: Sequence[CardArrived]) -> Position:
        """Return the position after the cards that a bundle asked for arrived."""

    def without_seat(self, position: Position, seat: int) -> Position:
        """Return the position after a seat returned its hand and left."""

    def excluded(self, position: Position, seat: int, void: Sequence[Drawn | TurnedUp]) -> Position:
        """Return the position after a seat was voted out; cards on their way never arrive and are owed again."""

    def digest(self, position: Position) -> bytes:
        """Return 32 bytes that two clients share only if they agree about the position."""


def dealt_face(seat: int | None, card: Card, decks: Decks) -> int | None:
    """Return the face of a card that arrived face up; None for a hand card."""
    return decks.faces[card] if seat is None else None


def on_its_way(seat: int | None, card: Card) -> Drawn | TurnedUp:
    """Return the fact that a card left its deck, for a seat or for all."""
    return TurnedUp(card) if seat is None else Drawn(card, seat)


def bundle_facts(entry: Bundle, after: Decks) -> list[Fact]:
    """Translate checked seals into facts for the rules."""
    seals = entry.seals
    arriving = iter(after.pending)
    facts: list[Fact] = []
    for seal in seals if isinstance(seals, list) else []:
        match seal:
            case ["draw" | "up", *_]:
                pending = next(arriving)
                facts.append(on_its_way(pending.seat, pending.card))
            case ["reveal", name, *_]:
                card = read_card(name)
                if card not in after.faces:
                    raise Invalid(Code.WRONG_CONTENT, entry.seat, "revealed and shuffled in one bundle")
                facts.append(Revealed(card, after.faces[card]))
            case ["return", name, *_]:
                facts.append(Returned(read_card(name)))
            case ["reshuffle", int(deck), list(names)]:
                facts.append(Reshuffled(deck, tuple(read_card(name) for name in names)))
    return facts
