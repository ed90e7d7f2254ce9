"""A prover that lies about a shuffle and follows the proof in everything else, as well as possible.

It may commit to something that is no order and to powers that fit no order, chosen after it saw the challenge; it may
multiply the factors of one order, sum the cards by another, and choose the outputs. With one honest order and honest
outputs it makes valid proofs, so its failures come from its lies. `sides` returns each equation by itself, to show
which of them a proof fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha512
from itertools import accumulate
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import (
    IDENTITY,
    ONE,
    ORDER,
    ZERO,
    Point,
    Scalar,
    add,
    add_scalars,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    public_scalar,
    reduce_scalar,
    subtract,
    total,
    weigh,
    weigh_scalars,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.shuffle import Ciphertext, ShuffleClaim, card_point, verify_shuffles
from wasabi_protocol.sealed.transcript import SUITE, ProofTranscript

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    Powers: TypeAlias = Callable[[int], Sequence[int]]
    """Maps x to the numbers used in place of its powers."""


def verify_shuffle(
    transcript: ProofTranscript,
    joint: Point,
    inputs: Sequence[Ciphertext],
    outputs: bytes,
    proof: bytes,
    sizes: Sequence[int] | None = None,
) -> tuple[Ciphertext, ...]:
    """Return the library's verdict on one message, by default of one pile."""
    (shuffled,) = verify_shuffles(joint, [ShuffleClaim(transcript, sizes or [len(inputs)], inputs, outputs, proof)])
    return shuffled


def some_scalar(*seed: object) -> Scalar:
    """Return a scalar determined by the seed."""
    return reduce_scalar(sha512(repr(seed).encode()).digest())


def remask(joint: Point, pair: Ciphertext, r: Scalar) -> Ciphertext:
    """Return the pair under one more mask."""
    return Ciphertext(add(pair.a, multiply_base(r)), add(pair.b, multiply(r, joint)))


@dataclass
class Forgery:
    """The forger's claim."""

    order: Sequence[int]
    masks: Sequence[Scalar]
    outputs: Sequence[Ciphertext]
    committed: Powers | None = None
    """The commitment once x is known, if not to the powers in its order."""
    multiplied: Sequence[int] | None = None
    """The order whose factors are multiplied, if not the committed one."""
    moved: Powers | None = None
    """The factors used for the sum of the cards, if not the committed ones."""
    shifts: Mapping[str, Point] = field(default_factory=dict)
    """The amounts added to the commitment that stands alone in each equation, which then fails by that amount."""
    sizes: Sequence[int] | None = None
    """The piles, if there is more than one."""


def ordered(order: Sequence[int]) -> Powers:
    """Return the honest powers for an order."""
    return lambda x: [pow(x, j + 1, ORDER) for j in order]


def forge(transcript: ProofTranscript, joint: Point, inputs: Sequence[Ciphertext], forgery: Forgery) -> bytes:
    """Return the proof of the claim, following every step of the protocol."""
    count, order, outputs = len(inputs), forgery.order, forgery.outputs
    committed = forgery.committed or ordered(order)
    moved = forgery.moved or committed
    sizes = forgery.sizes or [count]
    inner = _inner(sizes)
    _begin(transcript, joint, sizes, inputs, outputs)
    masks = [some_scalar("mask of a commitment", i) for i in range(7)]
    w_a = [some_scalar("w a", i) for i in range(count)]
    w_b = [some_scalar("w b", i) if i in inner else ZERO for i in range(count + 1)]
    w_f = [some_scalar("w f", i) for i in range(count)]

    c_order = _commit([public_scalar(j + 1) for j in order], masks[0])
    transcript.absorb(b"order", c_order)
    x = int.from_bytes(transcript.challenge(b"x"), "little")
    c_powers = _commit([public_scalar(power) for power in committed(x)], masks[1])
    transcript.absorb(b"powers", c_powers)
    y, z = (int.from_bytes(scalar, "little") for scalar in transcript.challenges(b"y z", 2))

    numbered = forgery.multiplied or order
    used = ordered(numbered)(x) if forgery.multiplied else committed(x)
    a = [public_scalar(y * (j + 1) + power - z) for j, power in zip(numbered, used, strict=True)]
    b = [ONE]
    for factor in a:
        b.append(multiply_scalars(b[-1], factor))
    powers = [public_scalar(power) for power in moved(x)]
    cross = [negate_scalar(multiply_scalars(w_b[i], w_a[i])) for i in range(count)]
    link = [
        weigh_scalars((ONE, negate_scalar(a[i]), negate_scalar(b[i])), (w_b[i + 1], w_b[i], w_a[i]))
        for i in range(count)
    ]
    points: tuple[Point, ...] = (
        _commit(w_a, masks[2]),
        _commit(cross, masks[3]),
        _commit(link, masks[4]),
        _commit(w_f, masks[5]),
        add(multiply_base(masks[6]), weigh(w_f, [pair.a for pair in outputs])),
        add(multiply(masks[6], joint), weigh(w_f, [pair.b for pair in outputs])),
    )
    alone = ("factors", "product", "", "powers", "first halves", "second halves")
    points = tuple(add(point, forgery.shifts.get(name, IDENTITY)) for name, point in zip(alone, points, strict=True))
    transcript.absorb(b"commitments", *points)
    e = transcript.challenge(b"shuffle")
    known = [
        *zip(w_a, a, strict=True), *((w_b[i], b[i]) for i in inner), *zip(w_f, powers, strict=True),
        (masks[2], add_scalars(multiply_scalars(public_scalar(y), masks[0]), masks[1])),
        (masks[3], masks[4]),
        (masks[5], masks[1]),
        (masks[6], negate_scalar(weigh_scalars(powers, forgery.masks))),
    ]  # fmt: skip
    answers = [add_scalars(nonce, multiply_scalars(e, value)) for nonce, value in known]
    return b"".join((c_order, c_powers, *points, *answers))


class Read:
    """A parsed proof, with the challenges that a verifier draws."""

    def __init__(
        self,
        transcript: ProofTranscript,
        joint: Point,
        inputs: Sequence[Ciphertext],
        outputs: Sequence[Ciphertext],
        proof: bytes,
        sizes: Sequence[int] | None = None,
    ) -> None:
        count, self.sizes = len(inputs), sizes or [len(inputs)]
        fields = cut(proof)
        self.points = [Point(field) for field in fields[:8]]
        answers = [Scalar(field) for field in fields[8:]]
        self.alpha, self.middle = answers[:count], answers[count : -count - 4]
        self.phi, self.ends = answers[-count - 4 : -4], answers[-4:]
        _begin(transcript, joint, self.sizes, inputs, outputs)
        transcript.absorb(b"order", self.points[0])
        x = int.from_bytes(transcript.challenge(b"x"), "little")
        self.rising = [public_scalar(pow(x, number, ORDER)) for number in range(1, count + 1)]
        transcript.absorb(b"powers", self.points[1])
        self.y, self.z = transcript.challenges(b"y z", 2)
        transcript.absorb(b"commitments", *self.points[2:])
        self.c = transcript.challenge(b"shuffle")
        fold = ProofTranscript(SUITE)
        fold.absorb(b"claims", transcript.digest())
        self.early = fold.challenges(b"weights", 5)
        """The weights of a verifier that draws them before reading the answers."""

    @property
    def products(self) -> list[Scalar]:
        """Return the products that the factors of any order must have, card by card, times the challenge."""
        products = [self.c]
        for number, power in enumerate(self.rising, 1):
            factor = weigh_scalars((self.y, ONE, negate_scalar(ONE)), (public_scalar(number), power, self.z))
            products.append(multiply_scalars(products[-1], factor))
        return products

    @property
    def beta(self) -> list[Scalar]:
        """Return the answers for the products, completed with those that a verifier computes itself."""
        beta = self.products
        for place, answer in zip(_inner(self.sizes), self.middle, strict=True):
            beta[place] = answer
        return beta


def sides(
    transcript: ProofTranscript,
    joint: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    proof: bytes,
    sizes: Sequence[int] | None = None,
) -> dict[str, tuple[Point, Point]]:
    """Return both sides of each equation of the specification, by its name there."""
    read = Read(transcript, joint, inputs, outputs, proof, sizes)
    count, c = len(inputs), read.c
    order, powers, factors, cross, link, sums, t_a, t_b = read.points
    s_factors, s_cross, s_powers, s_halves = read.ends
    beta = read.beta
    h = [card_point(number) for number in range(count)]
    multiplied = subtract(add(multiply(read.y, order), powers), multiply(read.z, total(h)))
    steps = [weigh_scalars((c, negate_scalar(beta[i])), (beta[i + 1], read.alpha[i])) for i in range(count)]
    return {
        "factors": (_commit(read.alpha, s_factors), add(multiply(c, multiplied), factors)),
        "product": (_commit(steps, s_cross), add(multiply(c, link), cross)),
        "powers": (_commit(read.phi, s_powers), add(multiply(c, powers), sums)),
        "first halves": (
            add(multiply_base(s_halves), weigh(read.phi, [pair.a for pair in outputs])),
            add(multiply(c, weigh(read.rising, [pair.a for pair in inputs])), t_a),
        ),
        "second halves": (
            add(multiply(s_halves, joint), weigh(read.phi, [pair.b for pair in outputs])),
            add(multiply(c, weigh(read.rising, [pair.b for pair in inputs])), t_b),
        ),
    }


def cancelling(read: Read, proof: bytes, product: int, weights: Sequence[Scalar]) -> bytes:
    """Return the proof of a false product with its last factor's answer bent, so that two errors cancel out.

    `product` is that of the forger's own factors. A verifier that folds the equations by these weights is deceived.
    """
    v1, v2, c, right = (_number(scalar) for scalar in (*weights[:2], read.c, read.products[-1]))
    last = len(read.alpha) - 1
    before = _number(read.middle[-1])
    bend = -v2 * c * (right - c * product) * pow(v1 - v2 * before, -1, ORDER)
    start = 32 * (8 + last)
    return proof[:start] + public_scalar(_number(read.alpha[last]) + bend) + proof[start + 32 :]


def _inner(sizes: Sequence[int]) -> list[int]:
    """Return the places of the row, from 1, after which a pile continues."""
    ends = set(accumulate(sizes))
    return [place for place in range(1, sum(sizes)) if place not in ends]


def _begin(
    transcript: ProofTranscript,
    joint: Point,
    sizes: Sequence[int],
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
) -> None:
    transcript.absorb(b"shuffle", joint, *(size.to_bytes(4, "big") for size in sizes))
    transcript.absorb(b"inputs", *(half for pair in inputs for half in pair))
    transcript.absorb(b"outputs", *(half for pair in outputs for half in pair))


def _commit(values: Sequence[Scalar], mask: Scalar) -> Point:
    return add(multiply_base(mask), total(multiply(value, card_point(i)) for i, value in enumerate(values)))


def _number(scalar: Scalar) -> int:
    return int.from_bytes(scalar, "little")
