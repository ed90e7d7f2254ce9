"""Proofs about logarithms: Schnorr, equality for one or many pairs, and carrying a hand card over.

Knowledge of the logarithm x of a key is proved by an Ed25519 signature under x, which libsodium checks in half the time
that our own products would take; equality adds one commitment. A carry is a challenge and its answers. The transcript
passed in has already absorbed the proof's place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    SIGNATURE_SIZE,
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
    signature_challenge,
    signature_holds,
    subtract,
    total,
    weigh,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.secrets import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.transcript import ProofTranscript

KEY_PROOF_SIZE = SIGNATURE_SIZE
EQUALITY_SIZE = SIGNATURE_SIZE + SIZE
CARRY_PROOF_SIZE = 3 * SIZE


def prove_key(transcript: ProofTranscript, secret: bytes, x: Scalar) -> bytes:
    """Prove knowledge of x for the key xG."""
    key = multiply_base(x)
    transcript.absorb(b"key", key)
    nonce = Source(secret, transcript).scalar(b"key nonce")
    return _sign(transcript, key, x, nonce)


def verify_key(transcript: ProofTranscript, key: bytes, proof: bytes) -> Point:
    """Return the key if its sender knows its logarithm."""
    commitment, answer = _split(proof, KEY_PROOF_SIZE)
    import_scalar(answer)
    transcript.absorb(b"key", key)
    point = import_point(key)
    if not signature_holds(point, commitment + answer, transcript.digest()):
        raise SealRefused("proof.key")
    return point


def prove_equal(
    transcript: ProofTranscript, secret: bytes, x: Scalar, bases: Sequence[Point], images: Sequence[Point]
) -> bytes:
    """Prove that one x takes G to xG and every base to its image."""
    key = multiply_base(x)
    weights = _equality_weights(transcript, key, bases, images)
    base = bases[0] if len(bases) == 1 else weigh(weights, bases)
    nonce = Source(secret, transcript).scalar(b"equality nonce")
    second = multiply(nonce, base)
    transcript.absorb(b"commitment", second)
    return _sign(transcript, key, x, nonce, second)


def verify_equal(
    transcript: ProofTranscript, key: Point, bases: Sequence[Point], images: Sequence[bytes], proof: bytes
) -> list[Point]:
    """Return the images if the logarithm of the key takes every base to its image."""
    first, second, raw_answer = _split(proof, EQUALITY_SIZE)
    answer = import_scalar(raw_answer)
    weights = _equality_weights(transcript, key, bases, images)
    transcript.absorb(b"commitment", second)
    message = transcript.digest()
    challenge = signature_challenge(key, first, message)
    if len(bases) == 1:
        base, (points, (image,)) = bases[0], import_points(images, (challenge,))
    else:
        base = weigh(weights, bases)
        points, products = import_points(images, weights)
        image = multiply(challenge, total(products))
    if not signature_holds(key, first + answer, message) or subtract(multiply(answer, base), image) != second:
        raise SealRefused("proof.equality")
    return points


@dataclass(frozen=True, slots=True)
class CarryStatement:
    """The statement that a hand card is the same under the new keys.

    With the holder's old key X = xG: `first` = rG and `second` − `open` = rY − x·`old`, where `open` is the card under
    the holder's layer alone, and Y is the new joint key.
    """

    key: Point
    old: Point
    open: Point
    joint: Point


def prove_carry(
    transcript: ProofTranscript, secret: bytes, carry: CarryStatement, x: Scalar, r: Scalar, first: Point, second: Point
) -> bytes:
    """Prove the statement about (first, second) for the secrets x and r."""
    _absorb_carry(transcript, carry, first, second)
    source = Source(secret, transcript)
    for_x, for_r = source.scalar(b"carry nonce", 0), source.scalar(b"carry nonce", 1)
    transcript.absorb(
        b"commitments",
        multiply_base(for_x),
        multiply_base(for_r),
        subtract(multiply(for_r, carry.joint), multiply(for_x, carry.old)),
    )
    challenge = transcript.challenge(b"carry")
    return challenge + _answer(challenge, for_x, x) + _answer(challenge, for_r, r)


def verify_carry(
    transcript: ProofTranscript, carry: CarryStatement, first: bytes, second: bytes, proof: bytes
) -> tuple[Point, Point]:
    """Return the pair if the statement about it is proved."""
    challenge, answer_x, answer_r = map(import_scalar, _split(proof, CARRY_PROOF_SIZE))
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
        raise SealRefused("proof.carry")
    return a, b


def prove_remask(
    transcript: ProofTranscript, secret: bytes, joint: Point, old: tuple[Point, Point], r: Scalar
) -> tuple[Point, Point, bytes]:
    """Return a pair that hides the same card under a fresh mask r, with its proof."""
    shift = multiply(r, joint)
    first, second = add(old[0], multiply_base(r)), add(old[1], shift)
    transcript.absorb(b"remask", *old, first, second)
    return first, second, prove_equal(transcript, secret, r, [joint], [shift])


def verify_remask(
    transcript: ProofTranscript, joint: Point, old: tuple[Point, Point], first: bytes, second: bytes, proof: bytes
) -> tuple[Point, Point]:
    """Return the new pair if it hides the same card under a different mask."""
    transcript.absorb(b"remask", *old, first, second)
    a, b = import_point(first), import_point(second)
    key, shift = subtract(a, old[0]), subtract(b, old[1])
    if IDENTITY in (key, shift):
        raise SealRefused("return.same-mask")
    verify_equal(transcript, key, [joint], [shift], proof)
    return a, b


def _equality_weights(
    transcript: ProofTranscript, key: Point, bases: Sequence[bytes], images: Sequence[bytes]
) -> Sequence[Scalar]:
    transcript.absorb(b"equality", BASE, key)
    transcript.absorb(b"bases", *bases)
    transcript.absorb(b"images", *images)
    return (ONE,) if len(bases) == 1 else transcript.challenges(b"weights", len(bases))


def _absorb_carry(transcript: ProofTranscript, carry: CarryStatement, first: bytes, second: bytes) -> None:
    transcript.absorb(b"carry", carry.key, carry.old, carry.open, carry.joint, first, second)


def _sign(transcript: ProofTranscript, key: Point, x: Scalar, nonce: Scalar, *others: Point) -> bytes:
    """Return an Ed25519 signature of everything absorbed so far, with `others` between its halves."""
    commitment = multiply_base(nonce)
    answer = _answer(signature_challenge(key, commitment, transcript.digest()), nonce, x)
    return b"".join((commitment, *others, answer))


def _answer(challenge: Scalar, nonce: Scalar, x: Scalar) -> Scalar:
    return add_scalars(nonce, multiply_scalars(challenge, x))


def _split(proof: bytes, size: int) -> list[bytes]:
    if len(proof) != size:
        raise SealRefused("encoding.shape")
    return cut(proof)
