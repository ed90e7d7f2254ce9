"""A graceful leave: the hand goes back unseen and the leaver's layer comes off every card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import subtract
from wasabi_protocol.sealed.plain_values import items
from wasabi_protocol.sealed.play import return_card
from wasabi_protocol.sealed.setup import advance
from wasabi_protocol.sealed.sharing import CheckedShares, arrive, give, read_shares, share_transcript
from wasabi_protocol.sealed.shuffle import Ciphertext

if TYPE_CHECKING:
    from wasabi_protocol.sealed.state import Card, Decks, Place


def check_leave(decks: Decks, place: Place, seat: int, payload: object) -> Decks:
    """The decks under the keys of those who stay."""
    returns, shares, proof = items(payload, 3)
    hand = decks.own(seat)
    after = decks
    for own, value in zip(hand, items(returns, len(hand)), strict=True):
        cipher, remask_proof = items(value, 2)
        after = return_card(after, place, own, cipher, remask_proof)
    cards, coming = lying(after), after.wanted(seat)
    named = [*cards, *(pending.card for pending in coming)]
    transcript = share_transcript(after, place, seat, b"leave", named)
    firsts = [*(after.ciphers[card].a for card in cards), *(pending.cipher.a for pending in coming)]
    given = read_shares(transcript, seat, after.joint.of(seat).point, firsts, shares, proof)
    ciphers = {
        card: Ciphertext(after.ciphers[card].a, subtract(after.ciphers[card].b, share))
        for card, share in zip(cards, given.points, strict=False)
    }
    after = give(after, CheckedShares(seat, given.points[len(cards) :]))
    stayed = replace(
        after,
        seats=tuple(other for other in after.seats if other != seat),
        keys=after.joint.without(seat),
        ciphers=ciphers,
        held=tuple(held.without(seat) for held in after.held),
        pending=tuple(pending.without(seat) for pending in after.pending),
        voided=tuple(pending for pending in after.voided if pending.seat != seat),
    )
    return advance(arrive(stayed), "carry")


def lying(decks: Decks) -> list[Card]:
    """Every card in a deck, deck by deck."""
    return [card for deck in decks.decks for card in deck]
