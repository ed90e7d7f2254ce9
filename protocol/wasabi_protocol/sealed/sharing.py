"""Sharing cards: how a card reaches a hand or is shown to all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.cards import find_face
from wasabi_protocol.sealed.errors import SealsStopped
from wasabi_protocol.sealed.group import SIZE, Point, subtract
from wasabi_protocol.sealed.plain_values import blob, cut, items
from wasabi_protocol.sealed.proofs import EQUALITY_SIZE, verify_equal
from wasabi_protocol.sealed.setup import advance
from wasabi_protocol.sealed.state import Card, Decks, Held, Pending, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wasabi_protocol.sealed.transcript import ProofTranscript


@dataclass(frozen=True, slots=True)
class CheckedShares:
    """One seat's proved shares, in the order of the cards it owed them for."""

    seat: int
    points: tuple[Point, ...]


def read_shares(
    transcript: ProofTranscript, seat: int, key: Point, firsts: Sequence[Point], shares: object, proof: object
) -> CheckedShares:
    """Read x·a for each first component a, proved against the key xG."""
    raw = cut(blob(shares, SIZE * len(firsts)))
    return CheckedShares(seat, tuple(verify_equal(transcript, key, firsts, raw, blob(proof, EQUALITY_SIZE))))


def share_transcript(decks: Decks, place: Place, seat: int, kind: bytes, cards: Iterable[Card]) -> ProofTranscript:
    """Return the start of a proof about shares of these cards."""
    return decks.context(place, seat).transcript(kind, index=(number for card in cards for number in card))


def check_shares(decks: Decks, place: Place, seat: int, payload: object) -> CheckedShares:
    """Verify one seat's shares of every card on its way to others."""
    shares, proof = items(payload, 2)
    wanted = decks.wanted(seat)
    transcript = share_transcript(decks, place, seat, b"shares", (pending.card for pending in wanted))
    firsts = [pending.cipher.a for pending in wanted]
    return read_shares(transcript, seat, decks.joint.of(seat).point, firsts, shares, proof)


def close_shares(decks: Decks, shares: Sequence[CheckedShares]) -> Decks:
    """Deliver every card on its way."""
    given: dict[Card, list[tuple[int, Point]]] = {}
    for entry in shares:
        for pending, point in zip(decks.wanted(entry.seat), entry.points, strict=True):
            given.setdefault(pending.card, []).append((entry.seat, point))
    held = [] if decks.carried else list(decks.held)
    arrived = decks
    for pending in (*decks.carried, *decks.pending):
        if pending.seat is None:
            arrived = _turn_up(arrived, pending, given)
        else:
            key = decks.joint.of(pending.seat)
            held.append(Held(pending.card, pending.seat, pending.cipher, tuple(given[pending.card]), key))
    spent = decks.spent.union(pending.cipher.a for pending in (*decks.carried, *decks.pending))
    done = replace(arrived, held=tuple(held), carried=(), pending=(), spent=spent)
    return advance(done, "shares")


def _turn_up(decks: Decks, pending: Pending, given: Mapping[Card, list[tuple[int, Point]]]) -> Decks:
    point = pending.cipher.b
    for _, share in given[pending.card]:
        point = subtract(point, share)
    return show(decks, pending.card, point)


def show(decks: Decks, card: Card, point: Point) -> Decks:
    """Mark a card as face up; it must be a card of its deck that has not been seen yet."""
    face = find_face(card, decks.sizes, point)
    if face in decks.shown(card.deck):
        raise SealsStopped("face.repeated", card=card, face=face)
    return replace(decks, faces={**decks.faces, card: face})
