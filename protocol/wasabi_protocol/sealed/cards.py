"""Cards: their names, the points of their faces, and the mask of a fresh deck, which anyone can compute."""

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
"""Most cards in all decks together; a shuffle of more would not fit into one message."""
MOST_DECKS = 16
_LIMIT = 2**32


class Card(NamedTuple):
    """A card's public name: its place when its deck was last shuffled, which reveals nothing about its face."""

    epoch: int
    deck: int
    number: int


def read_card(value: object) -> Card:
    """Parse a card's name from the wire."""
    epoch, deck, place = (number(part, _LIMIT) for part in items(value, 3))
    return Card(epoch, deck, place)


def check_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the deck sizes; raise SealRefused if they cannot be played."""
    if not 1 <= len(sizes) <= MOST_DECKS or any(size < 0 for size in sizes) or sum(sizes) > MOST_CARDS:
        raise SealRefused("decks.sizes", sizes=tuple(sizes))
    return tuple(sizes)


def face_point(sizes: Sequence[int], deck: int, face: int) -> Point:
    """Return the point of a face, in decks of these sizes."""
    return card_point(sum(sizes[:deck]) + face)


@cache
def _faces(first: int, size: int) -> dict[Point, int]:
    return {card_point(first + face): face for face in range(size)}


def find_face(card: Card, sizes: Sequence[int], point: Point) -> int:
    """Return the face whose point this is in the card's deck."""
    face = _faces(sum(sizes[: card.deck]), sizes[card.deck]).get(point)
    if face is None:
        raise SealsStopped("face.unknown", card=card)
    return face


def mask(points: Iterable[Point], joint: Point) -> list[Ciphertext]:
    """Mask known cards in a way that everyone computes alike (mask 1, so that there is no identity point)."""
    return [Ciphertext(BASE, add(point, joint)) for point in points]


def params_hash(sizes: Sequence[int]) -> bytes:
    """Return the SHA-256 of the suite and every fixed point that decks of these sizes use."""
    digest = sha256(SUITE)
    for deck, size in enumerate(check_sizes(sizes)):
        digest.update(deck.to_bytes(4, "big") + size.to_bytes(4, "big"))
        for face in range(size):
            digest.update(face_point(sizes, deck, face))
    return digest.digest()
