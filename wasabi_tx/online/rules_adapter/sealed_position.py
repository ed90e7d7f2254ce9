"""A sealed position: the rules' position, and which sealed card each of its cards is.

The rules name cards by where they lay, the sealed decks by their own names. In hands the two are paired when a card is
drawn; a card that the rules have dealt and the sealed decks have not is owed, and the next bundle brings it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from wasabi_protocol.game.rules_port import Drawn, Fact, Reshuffled, Returned, Revealed, TurnedUp
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, Reveal, Seal, TurnUp
from wasabi_protocol.sealed.state import Card as Sealed

from ...engine.position import NOBODY, Position
from ...engine.rules import AnyRules
from ...engine.sealed_card import Card, deck_of
from ...engine.step import Step


@dataclass(frozen=True)
class SealedPosition:
    """A public value, the same for everybody at the table."""

    rules: AnyRules
    position: Position
    order: tuple[int, ...]
    """The protocol's seats around the table; the game's places are the indices."""
    hands: Mapping[Card, Sealed]
    open: Mapping[Sealed, int]
    """Faces of the cards that were turned up for everyone."""
    rebuilt: int | None = None
    """The deck that the rules have reshuffled from open cards, until the sealed decks have done the same."""

    @cached_property
    def owed(self) -> list[Seal]:
        """The seals due before the game goes on; the next bundle, without steps, makes them."""
        seals: list[Seal] = []
        if self.rebuilt is not None:
            seals.append(Reshuffle(self.deck_index(self.rebuilt), self._discarded(self.rebuilt)))
        for seat, held in zip(self.order, self.position.seats, strict=True):
            seals += [Draw(self.deck_index(deck_of(card)), seat) for card in held.recipes if card not in self.hands]
        awaited = self.rules.awaited(self.position)
        if awaited is not None and self.rebuilt is None:
            seals.append(TurnUp(self.deck_index(deck_of(awaited))))
        return seals

    @property
    def dealer(self) -> int:
        """The seat whose client writes the owed seals: the mover's, or the first that has not left."""
        mover = self.position.mover
        return self.order[self.position.playing[0] if mover == NOBODY else mover]

    def deck_index(self, deck: int) -> int:
        """Return the sealed decks' index of a deck of the rules."""
        return sorted(self.rules.deck_numbers).index(deck)

    def face(self, sealed: Sealed, face: int) -> int:
        """Return a sealed card's face, as the rules number it."""
        return self.rules.deck_faces(sorted(self.rules.deck_numbers)[sealed.deck])[face]

    def known(self, hand: Mapping[Sealed, int]) -> dict[Card, int]:
        """Return the faces of a hand, with its cards as the rules name them."""
        return {card: self.face(sealed, hand[sealed]) for card, sealed in self.hands.items() if sealed in hand}

    def seals(self, seat: int, steps: tuple[Step, ...], after: Position) -> list[Seal]:
        """Return the seals for a bundle of these steps: hand cards first, then what is owed after them."""
        return [*self._given(seat, steps), *self.moved(seat, steps, after).owed]

    def _given(self, seat: int, steps: tuple[Step, ...]) -> list[Reveal | Return]:
        """Return seals for the hand cards that the steps show or put back, in their order."""
        hand = self.position.seats[seat].recipes
        shown = self.rules.claiming
        return [
            Reveal(self.hands[arg]) if step.verb in shown else Return(self.hands[arg])
            for step in steps
            for arg in step.args
            if arg in hand
        ]

    def moved(
        self, seat: int | None, steps: tuple[Step, ...], after: Position, expected_epoch: int = 0
    ) -> SealedPosition:
        """Return the position after steps of the rules, before the sealed decks have followed."""
        given = () if seat is None else self._given(seat, steps)
        gone = {give.card for give in given}
        hands = {card: sealed for card, sealed in self.hands.items() if sealed not in gone}
        rebuilt = self.rebuilt
        if after.epoch != (expected_epoch or self.position.epoch):
            awaited = self.rules.awaited(after)
            assert awaited is not None, "decks are shuffled anew only to turn up a card"
            rebuilt = deck_of(awaited)
        return replace(self, position=after, hands=hands, rebuilt=rebuilt)

    def agrees(self, seal: Seal, fact: Fact, steps: tuple[Step, ...]) -> bool:
        """Return whether a checked seal is the one that follows from the steps."""
        match seal, fact:
            case Draw(deck, seat), Drawn(card, drawer):
                return (card.deck, drawer) == (deck, seat)
            case TurnUp(deck), TurnedUp(card):
                return card.deck == deck
            case Return(wanted), Returned(card):
                return card == wanted
            case Reveal(wanted), Revealed(card, face):
                return card == wanted and self._claims(card, self.face(card, face), steps)
            case Reshuffle(deck, wanted_cards), Reshuffled(number, cards):
                # Cards of one kind are equal to the rules: any of them will do.
                kinds = Counter(self.open.get(card, -1) for card in cards)
                return number == deck and kinds == Counter(self.open[card] for card in wanted_cards)
        return False

    def _claims(self, sealed: Sealed, face: int, steps: tuple[Step, ...]) -> bool:
        claims = (step.args for step in steps if step.verb in self.rules.claiming)
        return any(self.hands.get(card) == sealed and claimed == face for card, claimed in claims)

    def _discarded(self, deck: int) -> tuple[Sealed, ...]:
        """Return open cards of the kinds that the rules have put back into a deck."""
        wanted = Counter(self.rules.unseen(self.position, deck, {}))
        chosen = []
        for sealed, kind in sorted(self.open.items()):
            if sealed.deck == self.deck_index(deck) and wanted[kind]:
                wanted[kind] -= 1
                chosen.append(sealed)
        return tuple(chosen)

    def followed(self, facts: list[Fact]) -> SealedPosition:
        """Return the position after the sealed decks did what was owed; drawn cards are paired in the order drawn."""
        drawn = iter([fact.card for fact in facts if isinstance(fact, Drawn)])
        unpaired = [card for held in self.position.seats for card in held.recipes if card not in self.hands]
        hands = {**self.hands, **dict(zip(unpaired, drawn, strict=True))}
        shuffled = {card for fact in facts if isinstance(fact, Reshuffled) for card in fact.cards}
        if not shuffled:
            return replace(self, hands=hands)
        left = {card: kind for card, kind in self.open.items() if card not in shuffled}
        return replace(self, hands=hands, open=left, rebuilt=None)
