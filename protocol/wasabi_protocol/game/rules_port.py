"""The port to the rules: all that the protocol asks of a game, and what checked seals mean in its words."""

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
    """The steps are not legal here, or differ from the seals beside them."""


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
    """The top card of a deck is about to be shown to all."""

    card: Card


@dataclass(frozen=True, slots=True)
class Revealed:
    """The author proved the face of a card in its hand."""

    card: Card
    face: int


@dataclass(frozen=True, slots=True)
class Returned:
    """The author put a card from its hand under its deck, unseen."""

    card: Card


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """Known cards become a hidden deck again."""

    deck: int
    cards: tuple[Card, ...]


Fact = Drawn | TurnedUp | Revealed | Returned | Reshuffled


@dataclass(frozen=True, slots=True)
class CardArrived:
    """A card arrived: in a seat's hand, with a face that only that seat knows, or open, with its face."""

    card: Card
    seat: int | None
    face: int | None


class RulesPort(Protocol[Position]):
    """The rules as pure functions of positions; the same arguments always give the same result."""

    def begin(self, terms: Terms, order: tuple[int, ...]) -> Position:
        """The first position, with the seats in their order around the table, the first player first."""

    def due(self, position: Position) -> Due:
        """Whose bundle comes next; Finished at the end, and always when one seat is left."""

    def play(self, position: Position, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> Position:
        """The position after a bundle; IllegalSteps if the steps are not legal or do not match the facts."""

    def dealt(self, position: Position, cards: Sequence[CardArrived]) -> Position:
        """The position after cards arrived that a bundle asked for."""

    def left(self, position: Position, seat: int) -> Position:
        """The position after a seat returned its hand and left."""

    def excluded(self, position: Position, seat: int, void: Sequence[Drawn | TurnedUp]) -> Position:
        """The position after a seat was voted out; cards on their way then never arrive, and are owed again."""

    def digest(self, position: Position) -> bytes:
        """32 bytes that are equal for two clients only if they agree about the position."""


def dealt_face(seat: int | None, card: Card, decks: Decks) -> int | None:
    """The face of a card that arrived open; a hand card shows none."""
    return decks.faces[card] if seat is None else None


def on_its_way(seat: int | None, card: Card) -> Drawn | TurnedUp:
    """A card that left its deck, for a seat or for all."""
    return TurnedUp(card) if seat is None else Drawn(card, seat)


def bundle_facts(entry: Bundle, before: Decks, after: Decks) -> list[Fact]:
    """What checked seals say, in the words that the rules understand; shares for earlier draws say nothing to them."""
    seals = entry.seals
    waiting = {pending.card for pending in before.pending}
    arriving = (pending for pending in after.pending if pending.card not in waiting)
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
