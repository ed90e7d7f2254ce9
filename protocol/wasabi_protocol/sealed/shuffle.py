"""A shuffle of masked cards and the Bayer–Groth proof that it is one: the same cards, no known order.

The proof is the argument of Bayer and Groth (EUROCRYPT 2012; checked by machine, eprint 2025/461) with all cards
in one row. The shuffler commits to its order, then to the powers of a challenge in that order. The products that both
must have show that it is one order of all cards; the sums of inputs and outputs under these powers show that the
cards follow it. A verifier folds the five equations into one by weights that are drawn when everything is fixed:
five multiplications a card, and every point is imported by one of them. Page 6 of the specification has the letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.errors import Refused
from wasabi_protocol.sealed.group import (
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
from wasabi_protocol.sealed.wire import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wasabi_protocol.sealed.transcript import Transcript

PAIR_SIZE = 2 * SIZE
COMMITMENTS = 8
"""Points in a proof."""


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


def verify_shuffle(
    transcript: Transcript, joint: Point, inputs: Sequence[Ciphertext], outputs: bytes, proof: bytes
) -> list[Ciphertext]:
    """The shuffled cards, if the proof holds; its own multiplications import every point."""
    count = len(inputs)
    if not count or len(outputs) != PAIR_SIZE * count or len(proof) != proof_size(count):
        raise Refused("encoding.shape")
    fields, raw_outputs = cut(proof), cut(outputs)
    raw_points, raw_answers = fields[:COMMITMENTS], fields[COMMITMENTS:]
    answers = [_number(import_scalar(raw)) for raw in raw_answers]
    alpha, middle, phi = answers[:count], answers[count : 2 * count - 1], answers[2 * count - 1 : 3 * count - 1]
    s_factors, s_cross, s_powers, s_halves = answers[3 * count - 1 :]

    _absorb_inputs(transcript, joint, inputs)
    transcript.absorb(b"outputs", *raw_outputs)
    x = _absorb_order(transcript, raw_points[0])
    y, z = map(_number, _absorb_powers(transcript, raw_points[1]))
    c = _number(_absorb_commitments(transcript, raw_points[2:]))
    transcript.absorb(b"answers", *raw_answers)
    v1, v2, v3, v4, v5 = map(_number, transcript.challenges(b"weights", 5))

    rising = [_number(power) for power in _powers(x, count)]
    product = c
    for number, power in enumerate(rising, 1):
        product = product * (y * number + power - z) % ORDER
    beta = [c, *middle, product]
    # How often each point is counted; all of it together must be nothing.
    for_points = [-v1 * c * y, -(v1 + v3) * c, -v1, -v2, -v2 * c, -v3, -v4, -v5]
    for_h = [v1 * (alpha[i] + c * z) + v2 * (c * beta[i + 1] - beta[i] * alpha[i]) + v3 * phi[i] for i in range(count)]
    _, weighted = import_points(raw_points, _scalars(for_points))
    out_a, weighted_a = import_points(raw_outputs[::2], _scalars(v4 * answer for answer in phi))
    out_b, weighted_b = import_points(raw_outputs[1::2], _scalars(v5 * answer for answer in phi))
    left = total((
        multiply_base(public_scalar(v1 * s_factors + v2 * s_cross + v3 * s_powers + v4 * s_halves)),
        multiply(public_scalar(v5 * s_halves), joint),
        *weighted, *weighted_a, *weighted_b,
        weigh(_scalars(for_h), _generators(count)),
        weigh(_scalars(-v4 * c * power for power in rising), [pair.a for pair in inputs]),
        weigh(_scalars(-v5 * c * power for power in rising), [pair.b for pair in inputs]),
    ))  # fmt: skip
    if left != IDENTITY:
        raise Refused("proof.shuffle")
    return [Ciphertext(*pair) for pair in zip(out_a, out_b, strict=True)]


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
