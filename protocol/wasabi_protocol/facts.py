"""What checked seals say, in the words that the rules of a game understand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wasabi_protocol.game import Drawn, Fact, Reshuffled, Returned, Revealed, TurnedUp
from wasabi_protocol.sealed.cards import read_card
from wasabi_protocol.verdicts import Code, Invalid

if TYPE_CHECKING:
    from wasabi_protocol.messages import Bundle
    from wasabi_protocol.sealed.state import Card, Decks


def dealt_face(seat: int | None, card: Card, decks: Decks) -> int | None:
    """The face of a card that arrived before everybody; a hand card shows none."""
    return decks.faces[card] if seat is None else None


def on_its_way(seat: int | None, card: Card) -> Drawn | TurnedUp:
    """A card that left its deck, for a seat or for everybody."""
    return TurnedUp(card) if seat is None else Drawn(card, seat)


def bundle_facts(entry: Bundle, after: Decks) -> list[Fact]:
    """What checked seals say, in the words that the rules understand."""
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
