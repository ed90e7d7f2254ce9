"""Cards: their names, the points for their faces, and a fresh deck, which anyone can compute."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.errors import SealRefused, SealsStopped
from wasabi_protocol.sealed.group import BASE, Point, add
from wasabi_protocol.sealed.plain_values import items, number
from wasabi_protocol.sealed.shuffle import Ciphertext, card_point
from wasabi_protocol.sealed.transcript import SUITE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_CARDS = 130
"""With more cards, a shuffle of all decks would not fit into one message."""
MOST_DECKS = 16
_LIMIT = 2**32


class Card(NamedTuple):
    """A card's public name, which says nothing of its face: where it lay when its deck was last shuffled."""

    epoch: int
    deck: int
    number: int


def read_card(value: object) -> Card:
    """A card's name from the wire."""
    epoch, deck, place = (number(part, _LIMIT) for part in items(value, 3))
    return Card(epoch, deck, place)


def check_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes of the decks, if decks of these sizes can be played."""
    if not 1 <= len(sizes) <= MOST_DECKS or any(size < 0 for size in sizes) or sum(sizes) > MOST_CARDS:
        raise SealRefused("decks.sizes", sizes=tuple(sizes))
    return tuple(sizes)


def face_point(sizes: Sequence[int], deck: int, face: int) -> Point:
    """The point for a face, in decks of these sizes."""
    return card_point(sum(sizes[:deck]) + face)


@cache
def _faces(first: int, size: int) -> dict[Point, int]:
    return {card_point(first + face): face for face in range(size)}


def find_face(card: Card, sizes: Sequence[int], point: Point) -> int:
    """The face to which this point belongs in the card's deck."""
    face = _faces(sum(sizes[: card.deck]), sizes[card.deck]).get(point)
    if face is None:
        raise SealsStopped("face.unknown", card=card)
    return face


def mask(points: Iterable[Point], joint: Point) -> list[Ciphertext]:
    """Known cards under a mask that everyone computes alike (mask 1, so that there is no identity point)."""
    return [Ciphertext(BASE, add(point, joint)) for point in points]


def params_hash(sizes: Sequence[int]) -> bytes:
    """SHA-256 over the suite and every fixed point that decks of these sizes use."""
    digest = sha256(SUITE)
    for deck, size in enumerate(check_sizes(sizes)):
        digest.update(deck.to_bytes(4, "big") + size.to_bytes(4, "big"))
        for face in range(size):
            digest.update(face_point(sizes, deck, face))
    return digest.digest()
