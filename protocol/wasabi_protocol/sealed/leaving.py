"""A graceful leave: the hand is returned face down and the leaver's layer is removed from every card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import subtract
from wasabi_protocol.sealed.plain_values import items
from wasabi_protocol.sealed.play import return_card
from wasabi_protocol.sealed.setup import advance
from wasabi_protocol.sealed.sharing import read_shares, share_transcript
from wasabi_protocol.sealed.shuffle import Ciphertext

if TYPE_CHECKING:
    from wasabi_protocol.sealed.state import Card, Decks, Place


def check_leave(decks: Decks, place: Place, seat: int, payload: object) -> Decks:
    """Verify a leave and return the decks under the keys of those who stay."""
    returns, shares, proof = items(payload, 3)
    hand = decks.hand(seat)
    after = decks
    for card, value in zip(hand, items(returns, len(hand)), strict=True):
        cipher, remask_proof = items(value, 2)
        after = return_card(after, place, seat, card, cipher, remask_proof)
    cards = lying(after)
    transcript = share_transcript(after, place, seat, b"leave", cards)
    firsts = [after.ciphers[card].a for card in cards]
    given = read_shares(transcript, seat, after.joint.of(seat).point, firsts, shares, proof)
    ciphers = {
        card: Ciphertext(after.ciphers[card].a, subtract(after.ciphers[card].b, share))
        for card, share in zip(cards, given.points, strict=True)
    }
    stayed = replace(
        after,
        seats=tuple(other for other in after.seats if other != seat),
        keys=after.joint.without(seat),
        ciphers=ciphers,
        held=tuple(held.without(seat) for held in after.held),
        voided=tuple(pending for pending in after.voided if pending.seat != seat),
    )
    return advance(stayed, "carry")


def lying(decks: Decks) -> list[Card]:
    """Return every card in a deck, deck by deck."""
    return [card for deck in decks.decks for card in deck]
