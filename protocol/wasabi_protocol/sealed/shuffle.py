"""A shuffle of masked cards and the Bayer–Groth proof that it is one: the same cards, no known order.

The proof is the argument of Bayer and Groth (EUROCRYPT 2012; checked by machine: Haines, Goré and Tiwari, USENIX
Security 2023) with all cards of all piles in one row. The shuffler commits to its order, then to the powers of a
challenge in that order. The products that both must have, from pile to pile, show that it is one order of all cards
that keeps each in its pile; the sums of inputs and outputs under these powers show that the cards follow it. A
verifier folds the five equations into one sum, with weights drawn when everything is fixed; consecutive shuffles can
also be folded into one sum, in which each card between two of them counts once. Every point is imported by its
multiplication. Page 6 of the specification defines the letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    ORDER,
    SIZE,
    ZERO,
    Point,
    Scalar,
    add,
    add_scalars,
    hash_to_group,
    import_points,
    import_scalar,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    public_scalar,
    subtract,
    sum_scalars,
    total,
    weigh,
    weigh_scalars,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.secrets import Source
from wasabi_protocol.sealed.transcript import SUITE, ProofTranscript

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAIR_SIZE = 2 * SIZE
COMMITMENTS = 8
"""Points in a proof."""
EQUATIONS = 5
"""Equations that a proof must satisfy."""


class Ciphertext(NamedTuple):
    """A masked card: (rG, M + rY)."""

    a: Point
    b: Point


@cache
def card_point(number: int) -> Point:
    """Return the point of a card, counted through all decks from 0; also the base for that place in commitments."""
    return hash_to_group(b"card" + number.to_bytes(4, "big"))


@cache
def _card_points(count: int) -> tuple[Point, ...]:
    return tuple(card_point(number) for number in range(count))


def proof_size(sizes: Sequence[int]) -> int:
    """Return the size in bytes of the proof for piles of these sizes."""
    return SIZE * (COMMITMENTS + 3 * sum(sizes) - len(sizes) + 4)


@dataclass(frozen=True, slots=True)
class Permuted:
    """A shuffler's knowledge: output i is input order[i], masked once more with masks[i]."""

    order: Sequence[int]
    masks: Sequence[Scalar]
    outputs: Sequence[Ciphertext]


def permute(
    transcript: ProofTranscript, secret: bytes, joint: Point, sizes: Sequence[int], inputs: Sequence[Ciphertext]
) -> Permuted:
    """Shuffle and remask each pile of a row; the result follows from the secret and the place in the game alone."""
    _absorb_inputs(transcript, joint, sizes, inputs)
    source = Source(secret, transcript)
    order: list[int] = []
    for number, size in enumerate(sizes):
        first = len(order)
        order += (first + place for place in source.permutation(b"order" + number.to_bytes(4, "big"), size))
    masks = source.scalars(b"masks", len(inputs))
    outputs = [
        Ciphertext(add(inputs[j].a, multiply_base(r)), add(inputs[j].b, multiply(r, joint)))
        for j, r in zip(order, masks, strict=True)
    ]
    return Permuted(order, masks, outputs)


def prove_shuffle(
    transcript: ProofTranscript,
    secret: bytes,
    joint: Point,
    sizes: Sequence[int],
    inputs: Sequence[Ciphertext],
    permuted: Permuted,
) -> bytes:
    """Prove that every output pile is a shuffle of its inputs, on a fresh copy of `permute`'s transcript."""
    count, outputs, known = len(inputs), permuted.outputs, _ends(sizes)
    _absorb_inputs(transcript, joint, sizes, inputs)
    _absorb_outputs(transcript, outputs)
    source = Source(secret, transcript)
    r_order, r_powers, r_factors, r_cross, r_link, r_sums, r_halves = source.scalars(b"masks", 7)
    w_factor = source.scalars(b"w factor", count)
    w_power = source.scalars(b"w power", count)
    w_product = [ZERO if i in known else w for i, w in enumerate(source.scalars(b"w product", count + 1))]

    counting = _scalars(range(1, count + 1))
    numbers = [counting[j] for j in permuted.order]
    order = _commit(numbers, r_order)
    x = _absorb_order(transcript, order)
    rising = _powers(x, count)
    powers = [rising[j] for j in permuted.order]
    powers_point = _commit(powers, r_powers)
    y, z = _absorb_powers(transcript, powers_point)

    # The factors are y · number + power − z; products[i] is the product of the first i of them.
    less = negate_scalar(z)
    factors = [
        sum_scalars((multiply_scalars(y, number), power, less)) for number, power in zip(numbers, powers, strict=True)
    ]
    products = [ONE]
    for factor in factors:
        products.append(multiply_scalars(products[-1], factor))
    cross = [negate_scalar(multiply_scalars(w_product[i], w_factor[i])) for i in range(count)]
    link = [
        add_scalars(
            w_product[i + 1],
            negate_scalar(weigh_scalars((factors[i], products[i]), (w_product[i], w_factor[i]))),
        )
        for i in range(count)
    ]
    mask_sum = weigh_scalars(powers, permuted.masks)
    commitments = (  # A, B, D, E, F, K, T_a and T_b of the specification
        order,
        powers_point,
        _commit(w_factor, r_factors),
        _commit(cross, r_cross),
        _commit(link, r_link),
        _commit(w_power, r_sums),
        add(multiply_base(r_halves), weigh(w_power, [pair.a for pair in outputs])),
        add(multiply(r_halves, joint), weigh(w_power, [pair.b for pair in outputs])),
    )
    c = _absorb_commitments(transcript, commitments[2:])

    answers = [
        *(_respond(c, nonce, factor) for nonce, factor in zip(w_factor, factors, strict=True)),
        *(_respond(c, w_product[i], products[i]) for i in range(count) if i not in known),
        *(_respond(c, nonce, power) for nonce, power in zip(w_power, powers, strict=True)),
        _respond(c, r_factors, add_scalars(multiply_scalars(y, r_order), r_powers)),
        _respond(c, r_cross, r_link),
        _respond(c, r_sums, r_powers),
        _respond(c, r_halves, negate_scalar(mask_sum)),
    ]
    return b"".join((*commitments, *answers))


@dataclass(frozen=True, slots=True)
class ShuffleClaim:
    """A shuffler's unverified claim about a row of piles, with a fresh transcript for its place.

    The inputs are cards that we know, or the outputs of another claim verified together with this one. Fresh inputs
    have the mask that everyone computes for known cards.
    """

    transcript: ProofTranscript
    sizes: Sequence[int]
    inputs: Sequence[tuple[bytes, bytes]]
    outputs: bytes
    proof: bytes
    fresh: bool = False


def verify_shuffles(joint: Point, claims: Sequence[ShuffleClaim]) -> list[tuple[Ciphertext, ...]]:
    """Return the shuffled cards of every claim if all proofs are valid."""
    readings = [_Reading(joint, claim) for claim in claims]
    fold = ProofTranscript(SUITE)
    fold.absorb(b"claims", *(claim.transcript.digest() for claim in claims))
    weights = [_number(weight) for weight in fold.challenges(b"weights", EQUATIONS * len(claims))]
    balance = _Balance()
    for number, reading in enumerate(readings):
        reading.weigh(balance, *weights[EQUATIONS * number : EQUATIONS * (number + 1)])
    if balance.total() != IDENTITY:
        raise SealRefused("proof.shuffle")
    return [tuple(Ciphertext(Point(a), Point(b)) for a, b in reading.outputs) for reading in readings]


def cut_pairs(raw: bytes) -> list[tuple[bytes, bytes]]:
    """Split masked cards into pairs as they were sent, not yet imported."""
    halves = cut(raw)
    return list(zip(halves[::2], halves[1::2], strict=True))


class _Balance:
    """A sum of weighted points. Each is multiplied once, however often it is counted, and thereby imported."""

    def __init__(self) -> None:
        self._weights: dict[bytes, int] = {}

    def count(self, points: Iterable[bytes], weights: Iterable[int]) -> None:
        """Add points, our own or foreign ones."""
        known = self._weights
        for point, weight in zip(points, weights, strict=True):
            known[point] = known.get(point, 0) + weight

    def total(self) -> Point:
        """Return the sum; raise SealRefused if any of them is not a point."""
        base = multiply_base(public_scalar(self._weights.pop(BASE, 0)))
        _, products = import_points([*self._weights], _scalars(self._weights.values()))
        return total((base, *products))


class _Reading:
    """A parsed proof with its challenges drawn."""

    def __init__(self, joint: Point, claim: ShuffleClaim) -> None:
        transcript, inputs = claim.transcript, claim.inputs
        count = len(inputs)
        if not count or len(claim.outputs) != PAIR_SIZE * count or len(claim.proof) != proof_size(claim.sizes):
            raise SealRefused("encoding.shape")
        fields = cut(claim.proof)
        points, raw_answers = fields[:COMMITMENTS], fields[COMMITMENTS:]
        self.joint, self.claim, self.points, self.outputs = joint, claim, points, cut_pairs(claim.outputs)
        self.answers = [_number(import_scalar(raw)) for raw in raw_answers]
        _absorb_inputs(transcript, joint, claim.sizes, inputs)
        _absorb_outputs(transcript, self.outputs)
        x = _absorb_order(transcript, points[0])
        self.rising = [_number(power) for power in _powers(x, count)]
        self.y, self.z = map(_number, _absorb_powers(transcript, points[1]))
        self.c = _number(_absorb_commitments(transcript, points[2:]))
        transcript.absorb(b"answers", *raw_answers)

    def weigh(self, balance: _Balance, v1: int, v2: int, v3: int, v4: int, v5: int) -> None:
        """Add each equation, left minus right, times its weight."""
        inputs, c, y, z, answers, rising = self.claim.inputs, self.c, self.y, self.z, self.answers, self.rising
        count = len(inputs)
        alpha, middle, phi = answers[:count], iter(answers[count : -count - 4]), answers[-count - 4 : -4]
        s_factors, s_cross, s_powers, s_halves = answers[-4:]
        # At the end of each pile, the product of all factors so far follows from the inputs.
        known, product, beta = _ends(self.claim.sizes), c, [c]
        for number, power in enumerate(rising, 1):
            product = product * (y * number + power - z) % ORDER
            beta.append(product if number in known else next(middle))
        balance.count(self.points, (-v1 * c * y, -(v1 + v3) * c, -v1, -v2, -v2 * c, -v3, -v4, -v5))
        balance.count((a for a, _ in self.outputs), (v4 * answer for answer in phi))
        balance.count((b for _, b in self.outputs), (v5 * answer for answer in phi))
        committed = [
            v1 * (alpha[i] + c * z) + v2 * (c * beta[i + 1] - beta[i] * alpha[i]) + v3 * phi[i] for i in range(count)
        ]
        balance.count(_card_points(count), committed)
        balance.count((a for a, _ in inputs), (-v4 * c * power for power in rising))
        seconds = [-v5 * c * power for power in rising]
        if self.claim.fresh:
            # Each second half is a card's point plus Y; both count elsewhere too.
            balance.count((subtract(Point(b), self.joint) for _, b in inputs), seconds)
            balance.count((self.joint,), (sum(seconds),))
        else:
            balance.count((b for _, b in inputs), seconds)
        base = v1 * s_factors + v2 * s_cross + v3 * s_powers + v4 * s_halves
        balance.count((BASE, self.joint), (base, v5 * s_halves))


def _commit(values: Sequence[Scalar], mask: Scalar) -> Point:
    return add(multiply_base(mask), weigh(values, _card_points(len(values))))


def _powers(x: Scalar, count: int) -> list[Scalar]:
    """Return x, x², … up to x^count."""
    powers = [x]
    while len(powers) < count:
        powers.append(multiply_scalars(powers[-1], x))
    return powers


def _number(scalar: Scalar) -> int:
    return int.from_bytes(scalar, "little")


def _scalars(numbers: Iterable[int]) -> list[Scalar]:
    return [public_scalar(number) for number in numbers]


def _ends(sizes: Sequence[int]) -> set[int]:
    """Return how many cards of a row come before each pile, and the total."""
    return set(accumulate(sizes, initial=0))


def _absorb_inputs(
    transcript: ProofTranscript, joint: Point, sizes: Sequence[int], inputs: Sequence[tuple[bytes, bytes]]
) -> None:
    transcript.absorb(b"shuffle", joint, *(size.to_bytes(4, "big") for size in sizes))
    transcript.absorb(b"inputs", *(half for pair in inputs for half in pair))


def _absorb_outputs(transcript: ProofTranscript, outputs: Sequence[tuple[bytes, bytes]]) -> None:
    transcript.absorb(b"outputs", *(half for pair in outputs for half in pair))


def _absorb_order(transcript: ProofTranscript, order: bytes) -> Scalar:
    transcript.absorb(b"order", order)
    return transcript.challenge(b"x")


def _absorb_powers(transcript: ProofTranscript, powers: bytes) -> list[Scalar]:
    transcript.absorb(b"powers", powers)
    return transcript.challenges(b"y z", 2)


def _absorb_commitments(transcript: ProofTranscript, points: Sequence[bytes]) -> Scalar:
    transcript.absorb(b"commitments", *points)
    return transcript.challenge(b"shuffle")


def _respond(challenge: Scalar, nonce: Scalar, known: Scalar) -> Scalar:
    return add_scalars(nonce, multiply_scalars(challenge, known))
