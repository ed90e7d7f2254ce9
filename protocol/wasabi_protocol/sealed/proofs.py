"""Proofs about logarithms: Schnorr, equality for one or many pairs, and what carries a hand card over.

Each is a challenge and its answers. A verifier recomputes the commitments from the answers and compares the
challenge; the transcript that is passed in already holds where the proof belongs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.errors import Refused
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    SIZE,
    Point,
    Scalar,
    add,
    add_scalars,
    import_point,
    import_points,
    import_scalar,
    multiply,
    multiply_base,
    multiply_scalars,
    subtract,
    total,
    weigh,
)
from wasabi_protocol.sealed.secrets import Source
from wasabi_protocol.sealed.wire import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.transcript import Transcript

PROOF_SIZE = 2 * SIZE
RELATION_SIZE = 3 * SIZE


def prove_key(transcript: Transcript, secret: bytes, x: Scalar) -> bytes:
    """Proves knowledge of x for the key xG."""
    transcript.absorb(b"key", multiply_base(x))
    nonce = Source(secret, transcript).scalar(b"key nonce")
    transcript.absorb(b"commitment", multiply_base(nonce))
    return _answer(transcript.challenge(b"schnorr"), (nonce, x))


def verify_key(transcript: Transcript, key: bytes, proof: bytes) -> Point:
    """The key, if whoever sent it knows its logarithm."""
    challenge, answer = _split(proof, 2)
    transcript.absorb(b"key", key)
    (point,), (weighted,) = import_points((key,), (challenge,))
    transcript.absorb(b"commitment", subtract(multiply_base(answer), weighted))
    if transcript.challenge(b"schnorr") != challenge:
        raise Refused("proof.key")
    return point


def prove_equal(
    transcript: Transcript, secret: bytes, x: Scalar, bases: Sequence[Point], images: Sequence[Point]
) -> bytes:
    """Proves that one x takes G to xG and every base to its image."""
    key = multiply_base(x)
    weights = _equality_weights(transcript, key, bases, images)
    base = bases[0] if len(bases) == 1 else weigh(weights, bases)
    nonce = Source(secret, transcript).scalar(b"equality nonce")
    transcript.absorb(b"commitments", multiply_base(nonce), multiply(nonce, base))
    return _answer(transcript.challenge(b"equality"), (nonce, x))


def verify_equal(
    transcript: Transcript, key: Point, bases: Sequence[Point], images: Sequence[bytes], proof: bytes
) -> list[Point]:
    """The images, if the logarithm of the key takes every base to its image."""
    challenge, answer = _split(proof, 2)
    weights = _equality_weights(transcript, key, bases, images)
    if len(bases) == 1:
        base, (points, weighted) = bases[0], import_points(images, (challenge,))
        image = weighted[0]
    else:
        base = weigh(weights, bases)
        points, products = import_points(images, weights)
        image = multiply(challenge, total(products))
    transcript.absorb(
        b"commitments",
        subtract(multiply_base(answer), multiply(challenge, key)),
        subtract(multiply(answer, base), image),
    )
    if transcript.challenge(b"equality") != challenge:
        raise Refused("proof.equality")
    return points


@dataclass(frozen=True, slots=True)
class Carry:
    """The statement that a hand card was taken under new keys unchanged.

    With the holder's old key X = xG: `first` = rG and `second` − `open` = rY − x·`old`, where `open` is what
    only the holder can still take a layer from, and Y is the new joint key.
    """

    key: Point
    old: Point
    open: Point
    joint: Point


def prove_carry(
    transcript: Transcript, secret: bytes, carry: Carry, x: Scalar, r: Scalar, first: Point, second: Point
) -> bytes:
    """Proves the statement about (first, second) for the secrets x and r."""
    _absorb_carry(transcript, carry, first, second)
    source = Source(secret, transcript)
    for_x, for_r = source.scalar(b"carry nonce", 0), source.scalar(b"carry nonce", 1)
    transcript.absorb(
        b"commitments",
        multiply_base(for_x),
        multiply_base(for_r),
        subtract(multiply(for_r, carry.joint), multiply(for_x, carry.old)),
    )
    return _answer(transcript.challenge(b"carry"), (for_x, x), (for_r, r))


def verify_carry(
    transcript: Transcript, carry: Carry, first: bytes, second: bytes, proof: bytes
) -> tuple[Point, Point]:
    """The pair, if the statement about it holds."""
    challenge, answer_x, answer_r = _split(proof, 3)
    _absorb_carry(transcript, carry, first, second)
    a, b = import_point(first), import_point(second)
    relation = subtract(multiply(answer_r, carry.joint), multiply(answer_x, carry.old))
    transcript.absorb(
        b"commitments",
        subtract(multiply_base(answer_x), multiply(challenge, carry.key)),
        subtract(multiply_base(answer_r), multiply(challenge, a)),
        subtract(relation, multiply(challenge, subtract(b, carry.open))),
    )
    if transcript.challenge(b"carry") != challenge:
        raise Refused("proof.carry")
    return a, b


def prove_remask(
    transcript: Transcript, secret: bytes, joint: Point, old: tuple[Point, Point], r: Scalar
) -> tuple[Point, Point, bytes]:
    """A pair that hides the same card under a fresh mask r, with the proof that it does."""
    shift = multiply(r, joint)
    first, second = add(old[0], multiply_base(r)), add(old[1], shift)
    transcript.absorb(b"remask", *old, first, second)
    return first, second, prove_equal(transcript, secret, r, [joint], [shift])


def verify_remask(
    transcript: Transcript, joint: Point, old: tuple[Point, Point], first: bytes, second: bytes, proof: bytes
) -> tuple[Point, Point]:
    """The new pair, if it hides the same card and its mask is not the old one."""
    transcript.absorb(b"remask", *old, first, second)
    a, b = import_point(first), import_point(second)
    key, shift = subtract(a, old[0]), subtract(b, old[1])
    if IDENTITY in (key, shift):
        raise Refused("return.same-mask")
    verify_equal(transcript, key, [joint], [shift], proof)
    return a, b


def _equality_weights(
    transcript: Transcript, key: Point, bases: Sequence[bytes], images: Sequence[bytes]
) -> Sequence[Scalar]:
    transcript.absorb(b"equality", BASE, key)
    transcript.absorb(b"bases", *bases)
    transcript.absorb(b"images", *images)
    return (ONE,) if len(bases) == 1 else transcript.challenges(b"weights", len(bases))


def _absorb_carry(transcript: Transcript, carry: Carry, first: bytes, second: bytes) -> None:
    transcript.absorb(b"carry", carry.key, carry.old, carry.open, carry.joint, first, second)


def _answer(challenge: Scalar, *nonces_and_secrets: tuple[Scalar, Scalar]) -> bytes:
    answers = [add_scalars(nonce, multiply_scalars(challenge, x)) for nonce, x in nonces_and_secrets]
    return b"".join((challenge, *answers))


def _split(proof: bytes, count: int) -> list[Scalar]:
    if len(proof) != count * SIZE:
        raise Refused("encoding.shape")
    return [import_scalar(piece) for piece in cut(proof)]
