"""A new epoch after a player vanished: new keys, the same hidden hands, decks of all other cards not face up.

Nobody knows which faces are in hands, so the decks are first rebuilt from all faces that are not face up. Then all
cards, in decks and hands, are multiplied by one secret number to which every seat contributes, and revealed in that
form: equal cards show equal tags, a deck card whose twin is in a hand is removed, and no tag reveals a face.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.errors import SealRefused, SealsStopped
from wasabi_protocol.sealed.group import SIZE, Point, import_point, subtract
from wasabi_protocol.sealed.plain_values import blob, cut, items
from wasabi_protocol.sealed.proofs import CARRY_PROOF_SIZE, EQUALITY_SIZE, CarryStatement, verify_carry, verify_equal
from wasabi_protocol.sealed.setup import advance
from wasabi_protocol.sealed.sharing import CheckedShares, read_shares
from wasabi_protocol.sealed.shuffle import PAIR_SIZE, Ciphertext
from wasabi_protocol.sealed.state import Card, Decks, Held, Pending, Place

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from wasabi_protocol.sealed.transcript import ProofTranscript


def begin_epoch(decks: Decks, out: Collection[int], epoch: int) -> Decks:
    """Return the decks after these seats are out; the others start again with new keys and their old hands.

    An epoch can begin in any state, even during another epoch's setup: hands are then carried over from the last keys
    under which they were complete.
    """
    seats = tuple(seat for seat in decks.seats if seat not in out)
    return Decks(
        gid=decks.gid,
        identities=decks.identities,
        sizes=decks.sizes,
        epoch=epoch,
        seats=seats,
        kind="keys" if len(seats) > 1 else "over",
        held=tuple(held for held in decks.held if held.seat in seats),
        faces=decks.faces,
        voided=tuple(
            pending for pending in (*decks.voided, *decks.pending) if pending.seat is None or pending.seat in seats
        ),
        retired=decks.retired,
    )


def carry_statement(decks: Decks, held: Held) -> CarryStatement:
    """Return the statement that the holder of a card proves when carrying it over."""
    return CarryStatement(held.key.point, held.cipher.a, held.open, decks.joint.total)


@dataclass(frozen=True, slots=True)
class Carried:
    """One seat's hand under the new keys."""

    cards: tuple[Pending, ...]


def check_carry(decks: Decks, place: Place, seat: int, payload: object) -> Carried:
    """Verify one seat's hand, carried over unchanged and unseen."""
    hand = [held for held in decks.held if held.seat == seat]
    context = decks.context(place, seat)
    cards = []
    for held, value in zip(hand, items(payload, len(hand)), strict=True):
        pair, proof = items(value, 2)
        first, second = cut(blob(pair, PAIR_SIZE))
        transcript = context.transcript(b"carry", held.card.deck, held.card)
        statement = carry_statement(decks, held)
        cipher = Ciphertext(*verify_carry(transcript, statement, first, second, blob(proof, CARRY_PROOF_SIZE)))
        cards.append(Pending(held.card, seat, cipher))
    if len({carried.cipher.a for carried in cards}) < len(cards):
        raise SealRefused("mask.repeated")
    return Carried(tuple(cards))


def close_carry(decks: Decks, hands: Sequence[Carried]) -> Decks:
    """Put all hands under the new keys, in their old order."""
    found = {carried.card: carried for hand in hands for carried in hand.cards}
    return advance(replace(decks, carried=tuple(found[held.card] for held in decks.held)), "carry")


@dataclass(frozen=True, slots=True)
class Multiplied:
    """All cards after one more seat's secret factor."""

    chain: tuple[Ciphertext, ...]


def multiply_transcript(decks: Decks, place: Place, seat: int) -> ProofTranscript:
    """Return the start of the proof that every card got the same factor."""
    return decks.context(place, seat).transcript(b"multiply", index=(decks.turns, len(decks.chain)))


def check_multiply(decks: Decks, place: Place, seat: int, payload: object) -> Multiplied:
    """Verify one seat's secret factor on every card that takes part."""
    factor, points, proof = items(payload, 3)
    bases = [half for pair in decks.chain for half in pair]
    raw = cut(blob(points, SIZE * len(bases)))
    key = import_point(blob(factor, SIZE))
    transcript = multiply_transcript(decks, place, seat)
    images = verify_equal(transcript, key, bases, raw, blob(proof, EQUALITY_SIZE))
    return Multiplied(tuple(Ciphertext(*pair) for pair in zip(images[::2], images[1::2], strict=True)))


def close_multiply(decks: Decks, multiplied: Multiplied) -> Decks:
    """Apply one seat's factor; the next seat multiplies, and after the last one the tags are due."""
    done = replace(decks, chain=multiplied.chain, turns=decks.turns + 1)
    return advance(done, "multiply") if done.turns == len(decks.seats) else done


def tag_transcript(decks: Decks, place: Place, seat: int) -> ProofTranscript:
    """Return the start of a proof about the shares that open the tags."""
    return decks.context(place, seat).transcript(b"tags", index=(len(decks.chain),))


def check_tags(decks: Decks, place: Place, seat: int, payload: object) -> CheckedShares:
    """Verify one seat's shares of every multiplied card."""
    shares, proof = items(payload, 2)
    firsts = [pair.a for pair in decks.chain]
    transcript = tag_transcript(decks, place, seat)
    return read_shares(transcript, seat, decks.joint.of(seat).point, firsts, shares, proof)


def close_tags(decks: Decks, shares: Sequence[CheckedShares]) -> Decks:
    """Remove every deck card whose tag shows that it is in a hand."""
    tags = []
    for place, pair in enumerate(decks.chain):
        point = pair.b
        for entry in shares:
            point = subtract(point, entry.points[place])
        tags.append(point)
    twins = _twins(decks, tags)
    done = replace(
        decks,
        decks=tuple(tuple(card for card in deck if card not in twins) for deck in decks.decks),
        ciphers={card: cipher for card, cipher in decks.ciphers.items() if card not in twins},
        chain=(),
        spent=decks.spent.union(pair.a for pair in decks.chain),
    )
    return advance(done, "tags")


def _twins(decks: Decks, tags: Sequence[Point]) -> set[Card]:
    wanted = {carried.card.deck for carried in decks.carried}
    lying = [card for deck in sorted(wanted) for card in decks.decks[deck]]
    by_tag = {(card.deck, tag): card for card, tag in zip(lying, tags, strict=False)}
    if len(by_tag) < len(lying):
        raise SealsStopped("tag.repeated")
    twins = set()
    for carried, tag in zip(decks.carried, tags[len(lying) :], strict=True):
        twin = by_tag.pop((carried.card.deck, tag), None)
        if twin is None:
            raise SealsStopped("tag.unmatched", card=carried.card)
        twins.add(twin)
    return twins
