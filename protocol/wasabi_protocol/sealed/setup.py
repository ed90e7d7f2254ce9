"""The setup of decks, at the start, mid-game and in a new epoch: keys, fresh piles and shuffles."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.cards import Card, face_point, mask
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import IDENTITY, SIZE, total
from wasabi_protocol.sealed.plain_values import blob, items
from wasabi_protocol.sealed.proofs import KEY_PROOF_SIZE, verify_key
from wasabi_protocol.sealed.shuffle import PAIR_SIZE, Ciphertext, ShuffleClaim, cut_pairs, proof_size, verify_shuffles
from wasabi_protocol.sealed.state import Decks, Key, KeySet, Kind, Pile, Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wasabi_protocol.sealed.transcript import ProofTranscript

_ORDER: tuple[Kind, ...] = ("keys", "carry", "shuffle", "multiply", "tags", "shares", "play")


def advance(decks: Decks, after: Kind) -> Decks:
    """Return the same cards in the next phase that has work to do."""
    if len(decks.seats) < 2:
        return replace(decks, kind="over", turns=0)
    work: Mapping[Kind, object] = {
        "carry": after == "keys" and decks.held,
        "shuffle": decks.piles,
        "multiply": decks.chain,
        "tags": decks.chain,
        "shares": decks.carried or decks.pending,
        "play": True,
    }
    kind = next(kind for kind in _ORDER[_ORDER.index(after) + 1 :] if work[kind])
    return replace(decks, kind=kind, turns=0)


def check_keys(decks: Decks, place: Place, seat: int, payload: object) -> Key:
    """Verify a seat's new masking key."""
    raw, proof = items(payload, 2)
    transcript = decks.context(place, seat).transcript(b"key")
    point = verify_key(transcript, blob(raw, SIZE), blob(proof, KEY_PROOF_SIZE))
    if point in decks.retired:
        raise SealRefused("keys.reused")
    return Key(seat, point, decks.epoch, place)


def close_keys(decks: Decks, keys: Sequence[Key]) -> Decks:
    """Combine all keys and mask every card that is not face up afresh for shuffling."""
    seen = set()
    for key in keys:
        if key.point in seen:
            raise SealRefused("keys.duplicate", seat=key.seat)
        seen.add(key.point)
    joint = total(key.point for key in keys)
    if joint == IDENTITY:
        raise SealRefused("keys.identity", seat=keys[-1].seat)
    ready = replace(
        decks,
        keys=KeySet(tuple(keys), joint),
        retired=decks.retired | seen,
        decks=((),) * len(decks.sizes),
        named=(0,) * len(decks.sizes),
    )
    for deck, size in enumerate(decks.sizes):
        shown = decks.shown(deck)
        ready = add_pile(ready, deck, [face for face in range(size) if face not in shown])
    return advance(ready, "keys")


def add_pile(decks: Decks, deck: int, faces: Sequence[int]) -> Decks:
    """Put known cards in a pile to be shuffled, under new names; return the decks unchanged if there are none."""
    if not faces:
        return decks
    first = decks.named[deck]
    cards = tuple(Card(decks.epoch, deck, first + index) for index in range(len(faces)))
    points = (face_point(decks.sizes, deck, face) for face in faces)
    pile = Pile(deck, cards, tuple(mask(points, decks.joint.total)))
    named = tuple(count + len(faces) if number == deck else count for number, count in enumerate(decks.named))
    return replace(decks, piles=tuple(sorted((*decks.piles, pile), key=lambda pile: pile.deck)), named=named)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The piles after one seat's proved shuffle."""

    piles: tuple[Pile, ...]


class SealedMessage(NamedTuple):
    """A seat's message in a slot."""

    place: Place
    seat: int
    payload: object


def check_shuffle(decks: Decks, place: Place, seat: int, payload: object) -> Shuffled:
    """Verify one seat's shuffle of every pile."""
    return check_shuffles(decks, [SealedMessage(place, seat, payload)])[0]


def check_shuffles(decks: Decks, messages: Sequence[SealedMessage]) -> list[Shuffled]:
    """Verify consecutive shuffles, each of the previous result; accept all of them or none."""
    claims: list[ShuffleClaim] = []
    sizes = [len(pile.cards) for pile in decks.piles]
    inputs: Sequence[tuple[bytes, bytes]] = [cipher for pile in decks.piles for cipher in pile.ciphers]
    for later, (place, seat, payload) in enumerate(messages):
        raw_outputs, proof = items(payload, 2)
        outputs = blob(raw_outputs, PAIR_SIZE * len(inputs))
        transcript = shuffle_transcript(decks, place, seat, later)
        fresh = decks.turns + later == 0
        claims.append(ShuffleClaim(transcript, sizes, inputs, outputs, blob(proof, proof_size(sizes)), fresh))
        inputs = cut_pairs(outputs)
    return [_pile_up(decks, shuffled) for shuffled in verify_shuffles(decks.joint.total, claims)]


def shuffle_transcript(decks: Decks, place: Place, seat: int, later: int = 0) -> ProofTranscript:
    """Return the start of a proof about the piles, after `later` more seats have shuffled them."""
    index = (decks.shuffles, decks.turns + later, *(pile.deck for pile in decks.piles))
    return decks.context(place, seat).transcript(b"shuffle", index=index)


def _pile_up(decks: Decks, shuffled: Sequence[Ciphertext]) -> Shuffled:
    firsts = {cipher.a for cipher in shuffled}
    # Repeated masks never happen by chance.
    if len(firsts) < len(shuffled) or not firsts.isdisjoint(decks.masks):
        raise SealRefused("mask.repeated")
    cards = iter(shuffled)
    return Shuffled(tuple(replace(pile, ciphers=tuple(islice(cards, len(pile.cards)))) for pile in decks.piles))


def close_shuffle(decks: Decks, shuffled: Shuffled) -> Decks:
    """Apply one seat's shuffle; the next seat shuffles, and after the last one the piles become decks."""
    if decks.turns + 1 < len(decks.seats):
        return replace(decks, piles=shuffled.piles, turns=decks.turns + 1)
    lying = list(decks.decks)
    ciphers = dict(decks.ciphers)
    for pile in shuffled.piles:
        # Cards already in the deck were returned in the meantime, to the bottom.
        lying[pile.deck] = pile.cards + lying[pile.deck]
        ciphers |= zip(pile.cards, pile.ciphers, strict=True)
    wanted = {carried.card.deck for carried in decks.carried}
    chain = [ciphers[card] for deck in sorted(wanted) for card in lying[deck]]
    chain += [carried.cipher for carried in decks.carried]
    done = replace(
        decks,
        piles=(),
        shuffles=decks.shuffles + 1,
        decks=tuple(lying),
        ciphers=ciphers,
        chain=tuple(chain),
    )
    return advance(done, "shuffle")
