"""A shuffle of masked cards and the Bayer–Groth proof that it is one: the same cards, no known order.

The proof is the argument of Bayer and Groth (EUROCRYPT 2012; checked by machine: Haines, Goré and Tiwari, USENIX
Security 2023) with all cards in one row. The shuffler commits to its order, then to the powers of a challenge in that
order. The products that both must have show that it is one order of all cards; the sums of inputs and outputs under
these powers show that the cards follow it. A verifier folds the five equations of every pile of a message into one sum,
by weights that are drawn when everything is fixed: at most five multiplications a card, and every point is imported
by one of them. Page 6 of the specification has the letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.errors import Refused
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
    sum_scalars,
    total,
    weigh,
    weigh_scalars,
)
from wasabi_protocol.sealed.secrets import Source
from wasabi_protocol.sealed.transcript import SUITE, Transcript
from wasabi_protocol.sealed.wire import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAIR_SIZE = 2 * SIZE
COMMITMENTS = 8
"""Points in a proof."""
EQUATIONS = 5
"""What a proof has to stand up to."""


class Ciphertext(NamedTuple):
    """A masked card: (rG, M + rY)."""

    a: Point
    b: Point


@cache
def generator(index: int) -> Point:
    """h_index of the commitments, from 1."""
    return hash_to_group(b"generator" + index.to_bytes(4, "big"))


@cache
def _generators(count: int) -> tuple[Point, ...]:
    return tuple(generator(index) for index in range(1, count + 1))


def proof_size(count: int) -> int:
    """Bytes of the proof for so many cards."""
    return SIZE * (3 * count + 11)


@dataclass(frozen=True, slots=True)
class Permuted:
    """What a shuffler knows: output i is input order[i], masked once more with masks[i]."""

    order: Sequence[int]
    masks: Sequence[Scalar]
    outputs: Sequence[Ciphertext]


def permute(transcript: Transcript, secret: bytes, joint: Point, inputs: Sequence[Ciphertext]) -> Permuted:
    """Shuffles and masks anew, in a way that only the secret and the place in the game decide."""
    _absorb_inputs(transcript, joint, inputs)
    source = Source(secret, transcript)
    order = source.permutation(b"order", len(inputs))
    masks = source.scalars(b"masks", len(inputs))
    outputs = [
        Ciphertext(add(inputs[j].a, multiply_base(r)), add(inputs[j].b, multiply(r, joint)))
        for j, r in zip(order, masks, strict=True)
    ]
    return Permuted(order, masks, outputs)


def prove_shuffle(
    transcript: Transcript, secret: bytes, joint: Point, inputs: Sequence[Ciphertext], permuted: Permuted
) -> bytes:
    """Proves that the outputs are a shuffle of the inputs, on a fresh copy of the transcript of `permute`."""
    count, outputs = len(inputs), permuted.outputs
    _absorb_inputs(transcript, joint, inputs)
    transcript.absorb(b"outputs", *(half for pair in outputs for half in pair))
    source = Source(secret, transcript)
    r_order, r_powers, r_factors, r_cross, r_link, r_sums, r_halves = source.scalars(b"masks", 7)
    w_factor = source.scalars(b"w factor", count)
    w_power = source.scalars(b"w power", count)
    w_product = [ZERO, *source.scalars(b"w product", count - 1), ZERO]

    counting = _scalars(range(1, count + 1))
    numbers = [counting[j] for j in permuted.order]
    order = _commit(numbers, r_order)
    x = _absorb_order(transcript, order)
    rising = _powers(x, count)
    powers = [rising[j] for j in permuted.order]
    powers_point = _commit(powers, r_powers)
    y, z = _absorb_powers(transcript, powers_point)

    # What is multiplied: factor i = y · number + power − z, and the products of the first i of them.
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
        *(_respond(c, nonce, known) for nonce, known in zip(w_factor, factors, strict=True)),
        *(_respond(c, nonce, known) for nonce, known in zip(w_product[1:-1], products[1:-1], strict=True)),
        *(_respond(c, nonce, known) for nonce, known in zip(w_power, powers, strict=True)),
        _respond(c, r_factors, add_scalars(multiply_scalars(y, r_order), r_powers)),
        _respond(c, r_cross, r_link),
        _respond(c, r_sums, r_powers),
        _respond(c, r_halves, negate_scalar(mask_sum)),
    ]
    return b"".join((*commitments, *answers))


@dataclass(frozen=True, slots=True)
class Claim:
    """What a shuffler says of one pile, not believed yet; the transcript is a fresh one of its place."""

    transcript: Transcript
    inputs: Sequence[Ciphertext]
    outputs: bytes
    proof: bytes


def verify_shuffles(joint: Point, claims: Sequence[Claim]) -> list[list[Ciphertext]]:
    """The shuffled cards of every pile, if all proofs of a message hold."""
    readings = [_Reading(joint, claim) for claim in claims]
    fold = Transcript(SUITE)
    fold.absorb(b"piles", *(claim.transcript.digest() for claim in claims))
    weights = [_number(weight) for weight in fold.challenges(b"weights", EQUATIONS * len(claims))]
    balance = _Balance()
    shuffled = [
        reading.weigh(balance, *weights[EQUATIONS * number : EQUATIONS * (number + 1)])
        for number, reading in enumerate(readings)
    ]
    if balance.total() != IDENTITY:
        raise Refused("proof.shuffle")
    return shuffled


class _Balance:
    """A sum of weighted points. One that is known is multiplied once, however often it is counted."""

    def __init__(self) -> None:
        self._known: dict[Point, int] = {}
        self._products: list[Point] = []

    def count(self, points: Iterable[Point], weights: Iterable[int]) -> None:
        """Adds points of ours."""
        for point, weight in zip(points, weights, strict=True):
            self._known[point] = self._known.get(point, 0) + weight

    def take(self, raws: Sequence[bytes], weights: Iterable[int]) -> list[Point]:
        """Adds points from outside, which this imports."""
        points, products = import_points(raws, _scalars(weights))
        self._products += products
        return points

    def total(self) -> Point:
        base = multiply_base(public_scalar(self._known.pop(BASE, 0)))
        return total((base, *self._products, weigh(_scalars(self._known.values()), [*self._known])))


class _Reading:
    """A proof taken apart, with its challenges drawn."""

    def __init__(self, joint: Point, claim: Claim) -> None:
        transcript, inputs = claim.transcript, claim.inputs
        count = len(inputs)
        if not count or len(claim.outputs) != PAIR_SIZE * count or len(claim.proof) != proof_size(count):
            raise Refused("encoding.shape")
        fields, outputs = cut(claim.proof), cut(claim.outputs)
        points, raw_answers = fields[:COMMITMENTS], fields[COMMITMENTS:]
        self.joint, self.inputs, self.outputs, self.points = joint, inputs, outputs, points
        self.answers = [_number(import_scalar(raw)) for raw in raw_answers]
        _absorb_inputs(transcript, joint, inputs)
        transcript.absorb(b"outputs", *outputs)
        x = _absorb_order(transcript, points[0])
        self.rising = [_number(power) for power in _powers(x, count)]
        self.y, self.z = map(_number, _absorb_powers(transcript, points[1]))
        self.c = _number(_absorb_commitments(transcript, points[2:]))
        transcript.absorb(b"answers", *raw_answers)

    def weigh(self, balance: _Balance, v1: int, v2: int, v3: int, v4: int, v5: int) -> list[Ciphertext]:
        """Adds each equation as often as its weight says, left less right; the outputs, imported on the way."""
        count, c, y, z, answers, rising = len(self.inputs), self.c, self.y, self.z, self.answers, self.rising
        alpha, middle, phi = answers[:count], answers[count : 2 * count - 1], answers[2 * count - 1 : 3 * count - 1]
        s_factors, s_cross, s_powers, s_halves = answers[3 * count - 1 :]
        product = c
        for number, power in enumerate(rising, 1):
            product = product * (y * number + power - z) % ORDER
        beta = [c, *middle, product]
        balance.take(self.points, (-v1 * c * y, -(v1 + v3) * c, -v1, -v2, -v2 * c, -v3, -v4, -v5))
        first = balance.take(self.outputs[::2], (v4 * answer for answer in phi))
        second = balance.take(self.outputs[1::2], (v5 * answer for answer in phi))
        committed = [
            v1 * (alpha[i] + c * z) + v2 * (c * beta[i + 1] - beta[i] * alpha[i]) + v3 * phi[i] for i in range(count)
        ]
        balance.count(_generators(count), committed)
        balance.count((pair.a for pair in self.inputs), (-v4 * c * power for power in rising))
        balance.count((pair.b for pair in self.inputs), (-v5 * c * power for power in rising))
        base = v1 * s_factors + v2 * s_cross + v3 * s_powers + v4 * s_halves
        balance.count((BASE, self.joint), (base, v5 * s_halves))
        return [Ciphertext(*pair) for pair in zip(first, second, strict=True)]


def _commit(values: Sequence[Scalar], mask: Scalar) -> Point:
    return add(multiply_base(mask), weigh(values, _generators(len(values))))


def _powers(x: Scalar, count: int) -> list[Scalar]:
    """x, x², … of as many cards."""
    powers = [x]
    while len(powers) < count:
        powers.append(multiply_scalars(powers[-1], x))
    return powers


def _number(scalar: Scalar) -> int:
    return int.from_bytes(scalar, "little")


def _scalars(numbers: Iterable[int]) -> list[Scalar]:
    return [public_scalar(number) for number in numbers]


def _absorb_inputs(transcript: Transcript, joint: Point, inputs: Sequence[Ciphertext]) -> None:
    transcript.absorb(b"shuffle", joint, len(inputs).to_bytes(4, "big"))
    transcript.absorb(b"inputs", *(half for pair in inputs for half in pair))


def _absorb_order(transcript: Transcript, order: bytes) -> Scalar:
    transcript.absorb(b"order", order)
    return transcript.challenge(b"x")


def _absorb_powers(transcript: Transcript, powers: bytes) -> list[Scalar]:
    transcript.absorb(b"powers", powers)
    return transcript.challenges(b"y z", 2)


def _absorb_commitments(transcript: Transcript, points: Sequence[bytes]) -> Scalar:
    transcript.absorb(b"commitments", *points)
    return transcript.challenge(b"shuffle")


def _respond(challenge: Scalar, nonce: Scalar, known: Scalar) -> Scalar:
    return add_scalars(nonce, multiply_scalars(challenge, known))
