"""A prover that lies about a shuffle and follows the proof in everything else, as well as that can be done.

It commits to the matrix that sends input `order[i]` to output i, permutation or not, and is free to choose the
outputs, the challenges that it pretends to have permuted and the sums of masks that it answers with. With an honest
order and honest outputs it makes proofs that hold, so its failures are the fault of its lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha512
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.group import (
    ONE,
    Point,
    Scalar,
    add,
    add_scalars,
    multiply,
    multiply_base,
    multiply_scalars,
    reduce_scalar,
    subtract,
    sum_scalars,
    total,
    weigh,
    weigh_scalars,
)
from wasabi_protocol.sealed.shuffle import Ciphertext, generator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.transcript import Transcript


def some_scalar(*seed: object) -> Scalar:
    """A scalar that the seed fixes."""
    return reduce_scalar(sha512(repr(seed).encode()).digest())


def remask(joint: Point, pair: Ciphertext, r: Scalar) -> Ciphertext:
    """The pair under one more mask."""
    return Ciphertext(add(pair.a, multiply_base(r)), add(pair.b, multiply(r, joint)))


@dataclass
class Forgery:
    """What the forger claims."""

    order: Sequence[int]
    masks: Sequence[Scalar]
    outputs: Sequence[Ciphertext]
    pretended: Sequence[int] | None = None
    """The order in which it uses the challenges, if not the one that it committed to."""


def forge(transcript: Transcript, joint: Point, inputs: Sequence[Ciphertext], forgery: Forgery) -> bytes:
    """The proof of the claim, every step of the protocol taken."""
    count, order, outputs = len(inputs), forgery.order, forgery.outputs
    h = [generator(index) for index in range(1, count + 1)]
    transcript.absorb(b"shuffle", joint, count.to_bytes(4, "big"))
    transcript.absorb(b"inputs", *(half for pair in inputs for half in pair))
    transcript.absorb(b"outputs", *(half for pair in outputs for half in pair))

    rho = [some_scalar("rho", j) for j in range(count)]
    columns = [total(h[i] for i in range(count) if order[i] == j) for j in range(count)]
    c = [add(multiply_base(rho[j]), columns[j]) for j in range(count)]
    transcript.absorb(b"c", *c)
    u = transcript.challenges(b"u", count)
    u_prime = [u[j] for j in (order if forgery.pretended is None else forgery.pretended)]

    r_hat = [some_scalar("r hat", i) for i in range(count)]
    w = [some_scalar("w", i) for i in range(4)]
    w_hat = [some_scalar("w hat", i) for i in range(count)]
    w_prime = [some_scalar("w prime", i) for i in range(count)]
    c_hat, t_hat = [generator(0)], []
    for i in range(count):
        t_hat.append(add(multiply_base(w_hat[i]), multiply(w_prime[i], c_hat[-1])))
        c_hat.append(add(multiply_base(r_hat[i]), multiply(u_prime[i], c_hat[-1])))
    transcript.absorb(b"c hat", *c_hat[1:])
    transcript.absorb(
        b"t",
        multiply_base(w[0]),
        multiply_base(w[1]),
        add(multiply_base(w[2]), weigh(w_prime, h)),
        subtract(weigh(w_prime, [pair.b for pair in outputs]), multiply(w[3], joint)),
        subtract(weigh(w_prime, [pair.a for pair in outputs]), multiply_base(w[3])),
    )
    transcript.absorb(b"t hat", *t_hat)
    challenge = transcript.challenge(b"shuffle")

    v = [ONE]
    for factor in reversed(u_prime[1:]):
        v.insert(0, multiply_scalars(factor, v[0]))
    sums = (
        sum_scalars(rho),
        weigh_scalars(r_hat, v),
        weigh_scalars(rho, u),
        weigh_scalars(forgery.masks, u_prime),
    )
    pairs = [*zip(w, sums, strict=True), *zip(w_hat, r_hat, strict=True), *zip(w_prime, u_prime, strict=True)]
    answers = [add_scalars(nonce, multiply_scalars(challenge, known)) for nonce, known in pairs]
    return b"".join((*c, *c_hat[1:], challenge, *answers))
