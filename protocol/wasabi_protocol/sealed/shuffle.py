"""A shuffle of masked cards and the Terelius–Wikström proof that it is one: the same cards, no known order.

Names follow the published description (Haenni et al., arXiv 1901.08371): `c` commits to the permutation, `u`
are the challenges that only a permutation meets, `c_hat` chains them to their product. Both halves of a masked
card share the answers `s_prime` and `s4`; that is what makes the proof sound for pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.sealed.errors import Refused
from wasabi_protocol.sealed.group import (
    ONE,
    SIZE,
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
    subtract,
    sum_scalars,
    total,
    weigh,
    weigh_scalars,
)
from wasabi_protocol.sealed.secrets import Source
from wasabi_protocol.sealed.wire import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.transcript import Transcript

PAIR_SIZE = 2 * SIZE


class Ciphertext(NamedTuple):
    """A masked card: (rG, M + rY)."""

    a: Point
    b: Point


@cache
def generator(index: int) -> Point:
    """h_index of the commitments; h itself is number 0."""
    return hash_to_group(b"generator" + index.to_bytes(4, "big"))


@cache
def _generators(count: int) -> tuple[tuple[Point, ...], Point]:
    points = tuple(generator(index) for index in range(1, count + 1))
    return points, total(points)


def proof_size(count: int) -> int:
    """Bytes of the proof for so many cards."""
    return SIZE * (4 * count + 5)


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
    count, order, outputs = len(inputs), permuted.order, permuted.outputs
    h, _ = _generators(count)
    _absorb_inputs(transcript, joint, inputs)
    transcript.absorb(b"outputs", *(half for pair in outputs for half in pair))
    source = Source(secret, transcript)

    rho = source.scalars(b"rho", count)
    c = list(h)
    for i, j in enumerate(order):
        c[j] = add(multiply_base(rho[j]), h[i])
    u = _absorb_commitments(transcript, c)
    u_prime = [u[j] for j in order]

    r_hat = source.scalars(b"r hat", count)
    w = source.scalars(b"w", 4)
    w_hat = source.scalars(b"w hat", count)
    w_prime = source.scalars(b"w prime", count)
    c_hat, t_hat = [generator(0)], []
    for i in range(count):
        t_hat.append(add(multiply_base(w_hat[i]), multiply(w_prime[i], c_hat[-1])))
        c_hat.append(add(multiply_base(r_hat[i]), multiply(u_prime[i], c_hat[-1])))
    mask_sum = add_scalars(weigh_scalars(w_prime, permuted.masks), negate_scalar(w[3]))
    t = (
        multiply_base(w[0]),
        multiply_base(w[1]),
        add(multiply_base(w[2]), weigh(w_prime, h)),
        subtract(weigh(w_prime, [pair.b for pair in outputs]), multiply(w[3], joint)),
        # Σ w'a' by way of the inputs: their first halves are all G when the cards were freshly masked.
        add(weigh(w_prime, [inputs[j].a for j in order]), multiply_base(mask_sum)),
    )
    challenge = _challenge(transcript, c_hat[1:], t, t_hat)

    v = [ONE]
    for factor in reversed(u_prime[1:]):
        v.append(multiply_scalars(factor, v[-1]))
    v.reverse()
    sums = (
        sum_scalars(rho),
        weigh_scalars(r_hat, v),
        weigh_scalars(rho, u),
        weigh_scalars(permuted.masks, u_prime),
    )
    s = [_respond(challenge, nonce, known) for nonce, known in zip(w, sums, strict=True)]
    s_hat = [_respond(challenge, nonce, known) for nonce, known in zip(w_hat, r_hat, strict=True)]
    s_prime = [_respond(challenge, nonce, known) for nonce, known in zip(w_prime, u_prime, strict=True)]
    return b"".join((*c, *c_hat[1:], challenge, *s, *s_hat, *s_prime))


def verify_shuffle(
    transcript: Transcript, joint: Point, inputs: Sequence[Ciphertext], outputs: bytes, proof: bytes
) -> list[Ciphertext]:
    """The shuffled cards, if the proof holds; its own multiplications import every point."""
    count = len(inputs)
    if len(outputs) != PAIR_SIZE * count or len(proof) != proof_size(count):
        raise Refused("encoding.shape")
    fields = cut(proof)
    raw_c, raw_c_hat = fields[:count], fields[count : 2 * count]
    challenge, s1, s2, s3, s4, *rest = map(import_scalar, fields[2 * count :])
    s_hat, s_prime = rest[:count], rest[count:]
    h, sum_h = _generators(count)

    _absorb_inputs(transcript, joint, inputs)
    raw_outputs = cut(outputs)
    transcript.absorb(b"outputs", *raw_outputs)
    u = _absorb_commitments(transcript, raw_c)

    c, weighted_c = import_points(raw_c, u)
    c_hat, challenged = import_points(raw_c_hat, [challenge] * count)
    a, weighted_a = import_points(raw_outputs[::2], s_prime)
    b, weighted_b = import_points(raw_outputs[1::2], s_prime)

    product = ONE
    for factor in u:
        product = multiply_scalars(product, factor)
    sum_b = weigh(u, [pair.b for pair in inputs])
    sum_a = weigh(u, [pair.a for pair in inputs])
    last = challenged[-1]
    t = (
        subtract(multiply_base(s1), multiply(challenge, subtract(total(c), sum_h))),
        add(multiply_base(s2), subtract(multiply(multiply_scalars(challenge, product), generator(0)), last)),
        add(multiply_base(s3), subtract(weigh(s_prime, h), multiply(challenge, total(weighted_c)))),
        subtract(total(weighted_b), add(multiply(s4, joint), multiply(challenge, sum_b))),
        subtract(total(weighted_a), add(multiply_base(s4), multiply(challenge, sum_a))),
    )
    t_hat = [
        add(multiply_base(s_hat[i]), subtract(multiply(s_prime[i], previous), challenged[i]))
        for i, previous in enumerate([generator(0), *c_hat[:-1]])
    ]
    if _challenge(transcript, c_hat, t, t_hat) != challenge:
        raise Refused("proof.shuffle")
    return [Ciphertext(*pair) for pair in zip(a, b, strict=True)]


def _absorb_inputs(transcript: Transcript, joint: Point, inputs: Sequence[Ciphertext]) -> None:
    transcript.absorb(b"shuffle", joint, len(inputs).to_bytes(4, "big"))
    transcript.absorb(b"inputs", *(half for pair in inputs for half in pair))


def _absorb_commitments(transcript: Transcript, c: Sequence[bytes]) -> list[Scalar]:
    transcript.absorb(b"c", *c)
    return transcript.challenges(b"u", len(c))


def _challenge(transcript: Transcript, c_hat: Sequence[Point], t: Sequence[Point], t_hat: Sequence[Point]) -> Scalar:
    transcript.absorb(b"c hat", *c_hat)
    transcript.absorb(b"t", *t)
    transcript.absorb(b"t hat", *t_hat)
    return transcript.challenge(b"shuffle")


def _respond(challenge: Scalar, nonce: Scalar, known: Scalar) -> Scalar:
    return add_scalars(nonce, multiply_scalars(challenge, known))
