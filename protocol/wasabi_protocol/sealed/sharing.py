"""Sharing a card: how it reaches a hand, or is shown to all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.cards import find_face
from wasabi_protocol.sealed.errors import SealsStopped
from wasabi_protocol.sealed.group import SIZE, Point
from wasabi_protocol.sealed.plain_values import blob, cut, items
from wasabi_protocol.sealed.proofs import EQUALITY_SIZE, verify_equal
from wasabi_protocol.sealed.setup import advance
from wasabi_protocol.sealed.state import Card, Decks, Held, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wasabi_protocol.sealed.transcript import ProofTranscript


@dataclass(frozen=True, slots=True)
class CheckedShares:
    """One seat's proved shares, in the order of the cards that it owed them for."""

    seat: int
    points: tuple[Point, ...]


def read_shares(
    transcript: ProofTranscript, seat: int, key: Point, firsts: Sequence[Point], shares: object, proof: object
) -> CheckedShares:
    """x·a for each first component a, proved against the key xG."""
    raw = cut(blob(shares, SIZE * len(firsts)))
    return CheckedShares(seat, tuple(verify_equal(transcript, key, firsts, raw, blob(proof, EQUALITY_SIZE))))


def share_transcript(decks: Decks, place: Place, seat: int, kind: bytes, cards: Iterable[Card]) -> ProofTranscript:
    """The beginning of a proof about shares of these cards."""
    return decks.context(place, seat).transcript(kind, index=(number for card in cards for number in card))


def check_shares(decks: Decks, place: Place, seat: int, payload: object) -> CheckedShares:
    """One seat's shares of every card that is on its way to others."""
    shares, proof = items(payload, 2)
    wanted = decks.wanted(seat)
    transcript = share_transcript(decks, place, seat, b"shares", (pending.card for pending in wanted))
    firsts = [pending.cipher.a for pending in wanted]
    return read_shares(transcript, seat, decks.joint.of(seat).point, firsts, shares, proof)


def close_shares(decks: Decks, shares: Sequence[CheckedShares]) -> Decks:
    """Every card on its way arrives."""
    after = decks
    if decks.carried:
        after = replace(decks, held=(), carried=(), pending=(*decks.carried, *decks.pending))
    for entry in shares:
        after = give(after, entry)
    return advance(arrive(after), "shares")


def give_late(decks: Decks, place: Place, seat: int, payload: object) -> Decks:
    """The decks after a seat has given with its bundle what it owes for cards that others drew before."""
    return arrive(give(decks, check_shares(decks, place, seat, payload)))


def give(decks: Decks, shares: CheckedShares) -> Decks:
    """One seat's shares of the cards that it owes them for."""
    points, wanted = iter(shares.points), decks.wanted(shares.seat)
    pending = (
        replace(card, given=(*card.given, (shares.seat, next(points)))) if card in wanted else card
        for card in decks.pending
    )
    return replace(decks, pending=tuple(pending))


def arrive(decks: Decks) -> Decks:
    """Every card for which all shares are there is where it belongs."""
    after = decks
    for pending in decks.pending:
        if {owner for owner, _ in pending.given} == {seat for seat in decks.seats if seat != pending.seat}:
            left = tuple(other for other in after.pending if other is not pending)
            after = replace(after, pending=left, spent=after.spent | {pending.cipher.a})
            if pending.seat is None:
                after = show(after, pending.card, pending.open)
            else:
                key, shares = decks.joint.of(pending.seat), tuple(sorted(pending.given))
                held = Held(pending.card, pending.seat, pending.cipher, shares, key)
                after = replace(after, held=(*after.held, held))
    return after


def show(decks: Decks, card: Card, point: Point) -> Decks:
    """The card is open from now on; it must be a card of its deck that has not been seen yet."""
    face = find_face(card, decks.sizes, point)
    if face in decks.shown(card.deck):
        raise SealsStopped("face.repeated", card=card, face=face)
    return replace(decks, faces={**decks.faces, card: face})
