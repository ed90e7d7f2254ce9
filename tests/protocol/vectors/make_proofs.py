"""Vectors of proofs about logarithms and of shuffles: right, wrong, and out of place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Any

from wasabi_protocol.sealed.cards import mask
from wasabi_protocol.sealed.group import (
    BASE,
    ONE,
    ORDER,
    ZERO,
    Point,
    Scalar,
    add,
    add_scalars,
    hash_to_group,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    public_scalar,
    signature_challenge,
    subtract,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.proofs import CarryStatement, prove_carry, prove_equal, prove_key, prove_remask
from wasabi_protocol.sealed.shuffle import Ciphertext, card_point, permute, prove_shuffle
from wasabi_protocol.sealed.transcript import NO_DECK, Context, ProofTranscript

from tests.protocol.sealed.forger import Forgery, Read, cancelling, forge, remask, some_scalar
from tests.protocol.sessions import secret
from tests.protocol.vectors.make_group import IDENTITY, POINTS
from tests.protocol.vectors.vector import Book, Vector

SECRET = secret("prover")
ZERO_POINT = Point(bytes.fromhex(IDENTITY))
X, Y = some_scalar("x"), some_scalar("y")
KEYS = ((0, multiply_base(X)), (1, multiply_base(Y)))
JOINT = add(KEYS[0][1], KEYS[1][1])
CONTEXT = Context(secret("gid"), 0, 7, secret("prev"), 0, secret("identity key"), KEYS, JOINT)


def _place(kind: str, index: Sequence[int] = (), deck: int = NO_DECK, **changes: Any) -> dict[str, Any]:
    place = {
        "kind": kind,
        "gid": CONTEXT.gid.hex(),
        "epoch": CONTEXT.epoch,
        "slot": CONTEXT.slot,
        "prev": CONTEXT.prev.hex(),
        "seat": CONTEXT.seat,
        "identity": CONTEXT.identity.hex(),
        "keys": [[seat, key.hex()] for seat, key in KEYS],
        "joint": JOINT.hex(),
        "index": list(index),
    }
    return place | ({} if deck == NO_DECK else {"deck": deck}) | changes


def _start(kind: str, index: Sequence[int] = (), deck: int = NO_DECK) -> ProofTranscript:
    return CONTEXT.transcript(kind.encode(), deck, index)


ELSEWHERE: dict[str, tuple[str, dict[str, Any]]] = {
    "other-game": ("copied from another game", {"gid": secret("another gid").hex()}),
    "other-epoch": ("copied from another epoch", {"epoch": 1}),
    "other-slot": ("copied from another slot", {"slot": 8}),
    "other-past": ("copied from another branch", {"prev": secret("another prev").hex()}),
    "other-seat": ("copied from another seat", {"seat": 1}),
    "other-identity": ("copied from another person", {"identity": secret("another key").hex()}),
    "other-keys": ("copied from another key set", {"keys": [[0, KEYS[0][1].hex()]]}),
    "other-kind": ("copied from another kind of proof", {"kind": "tags"}),
    "other-index": ("copied from another card or shuffle", {"index": [9]}),
    "other-deck": ("copied from another deck", {"deck": 5}),
}


def _plus_order(proof: bytes, piece: int) -> bytes:
    """Return the proof with L added to one of its scalars: the same number in another spelling."""
    start = 32 * piece
    number = int.from_bytes(proof[start : start + 32], "little") + ORDER
    return proof[:start] + number.to_bytes(32, "little") + proof[start + 32 :]


def _bent(kind: str, good: dict[str, Any], code: str) -> Iterator[Vector]:
    """Yield the faults of any proof: elsewhere, flipped, respelled, cut."""
    for name, (comment, changes) in ELSEWHERE.items():
        moved = good | {"place": good["place"] | changes}
        yield Vector(f"{kind}/{name}", kind, comment, moved, code, flags=("replay",))
    proof = bytes.fromhex(good["proof"])
    flipped = proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:]
    yield Vector(f"{kind}/flipped", kind, "a bit of the last answer", good | {"proof": flipped.hex()}, code)
    spelled = good | {"proof": _plus_order(proof, len(proof) // 32 - 1).hex()}
    yield Vector(f"{kind}/s-plus-l", kind, "an answer plus L", spelled, "encoding.scalar", flags=("malleable",))
    cut = good | {"proof": proof[:-1].hex()}
    yield Vector(f"{kind}/cut", kind, "a byte too few", cut, "encoding.shape")


def _key_proofs() -> Iterator[Vector]:
    kind = "key-proof"
    key, proof = KEYS[0][1], prove_key(_start("key"), SECRET, X)
    good = {"place": _place("key"), "key": key.hex(), "proof": proof.hex()}
    yield Vector(f"{kind}/good", kind, "whoever sent the key knows its logarithm", good)
    yield Vector(f"{kind}/other-key", kind, "for another key", good | {"key": KEYS[1][1].hex()}, "proof.key")
    yield Vector(f"{kind}/identity", kind, "the identity as key", good | {"key": IDENTITY}, "encoding.point")
    mixed = good | {"key": POINTS["mixed-order"][1]}
    yield Vector(f"{kind}/mixed-order", kind, "a key of mixed order", mixed, "encoding.point")
    statement = _start("key")
    statement.absorb(b"key", key)
    empty = good | {"proof": _signed(statement, ZERO).hex()}
    yield Vector(f"{kind}/no-nonce", kind, "t is the identity: the equation holds", empty, "proof.key")
    yield from _bent(kind, good, "proof.key")


def _signed(statement: ProofTranscript, nonce: Scalar, *others: Point) -> bytes:
    """Return a signature of the absorbed data with a chosen nonce."""
    commitment = multiply_base(nonce)
    challenge = signature_challenge(KEYS[0][1], commitment, statement.digest())
    return b"".join((commitment, *others, add_scalars(nonce, multiply_scalars(challenge, X))))


def _signed_equality(images: Sequence[Point], bases: Sequence[Point], second: Point, nonce: Scalar) -> bytes:
    """Return a signature over any second commitment."""
    statement = _start("shares")
    statement.absorb(b"equality", BASE, KEYS[0][1])
    statement.absorb(b"bases", *bases)
    statement.absorb(b"images", *images)
    if len(bases) != 1:
        statement.challenges(b"weights", len(bases))
    statement.absorb(b"commitment", second)
    return _signed(statement, nonce, second)


def _equal(images: Sequence[Point], bases: Sequence[Point]) -> dict[str, Any]:
    proof = prove_equal(_start("shares"), SECRET, X, bases, images)
    return {
        "place": _place("shares"),
        "key": KEYS[0][1].hex(),
        "bases": [base.hex() for base in bases],
        "images": [image.hex() for image in images],
        "proof": proof.hex(),
    }


def _equality_proofs() -> Iterator[Vector]:
    kind = "equality-proof"
    bases = [hash_to_group(bytes([number])) for number in range(3)]
    images = [multiply(X, base) for base in bases]
    one, many = _equal(images[:1], bases[:1]), _equal(images, bases)
    yield Vector(f"{kind}/one", kind, "one share: DLEQ", one)
    yield Vector(f"{kind}/many", kind, "three shares with one proof", many)
    none = _equal([], [])
    yield Vector(f"{kind}/none", kind, "no share: t' is the identity", none)
    other = none | {"proof": _signed_equality([], [], BASE, some_scalar("nonce")).hex()}
    yield Vector(f"{kind}/none-other", kind, "no share, and t' is another point", other, "proof.equality")
    empty = one | {"proof": _signed_equality(images[:1], bases[:1], ZERO_POINT, ZERO).hex()}
    yield Vector(f"{kind}/no-nonce", kind, "t and t' are the identity: both hold", empty, "proof.equality")
    lie = _equal([multiply(Y, bases[0])], bases[:1])
    yield Vector(f"{kind}/wrong-share", kind, "a share with another key", lie, "proof.equality")
    swapped = many | {"images": [many["images"][number] for number in (1, 0, 2)]}
    yield Vector(f"{kind}/swapped", kind, "shares in another order", swapped, "proof.equality")
    shifted = [add(images[0], BASE), subtract(images[1], BASE), images[2]]
    cancel = _equal(shifted, bases)
    yield Vector(f"{kind}/cancelling", kind, "two wrong shares whose errors cancel", cancel, "proof.equality")
    small = many | {"images": [POINTS["order-8"][1], *many["images"][1:]]}
    yield Vector(f"{kind}/small-order", kind, "a share of order 8", small, "encoding.point")
    yield from _bent(kind, many, "proof.equality")


def _carry_proofs() -> Iterator[Vector]:
    kind = "carry-proof"
    old, face, r = hash_to_group(b"old"), hash_to_group(b"face"), some_scalar("r")
    left = add(face, multiply(X, old))
    carry = CarryStatement(KEYS[0][1], old, left, JOINT)

    def case(second: Point, x: Scalar = X) -> dict[str, Any]:
        first = multiply_base(r)
        proof = prove_carry(_start("carry", (0, 1, 2), 1), SECRET, carry, x, r, first, second)
        return {
            "place": _place("carry", (0, 1, 2), 1),
            "key": carry.key.hex(),
            "old": old.hex(),
            "open": left.hex(),
            "joint": JOINT.hex(),
            "first": first.hex(),
            "second": second.hex(),
            "proof": proof.hex(),
        }

    honest = add(face, multiply(r, JOINT))
    yield Vector(f"{kind}/good", kind, "the same card under the new keys", case(honest))
    other = add(hash_to_group(b"a better card"), multiply(r, JOINT))
    yield Vector(f"{kind}/other-card", kind, "another card under the new keys", case(other), "proof.carry")
    yield Vector(f"{kind}/other-x", kind, "made with another key", case(honest, Y), "proof.carry")
    yield from _bent(kind, case(honest), "proof.carry")


def _remask_proofs() -> Iterator[Vector]:
    kind = "remask-proof"
    old = (hash_to_group(b"a"), hash_to_group(b"b"))

    def case(r: Scalar, joint: Point = JOINT, masked: tuple[Point, Point] = old) -> dict[str, Any]:
        first, second, proof = prove_remask(_start("return", (0, 1, 2), 1), SECRET, joint, masked, r)
        return {
            "place": _place("return", (0, 1, 2), 1),
            "joint": JOINT.hex(),
            "old_a": old[0].hex(),
            "old_b": old[1].hex(),
            "first": first.hex(),
            "second": second.hex(),
            "proof": proof.hex(),
        }

    good = case(some_scalar("mask"))
    yield Vector(f"{kind}/good", kind, "the same card under a fresh mask", good)
    same = case(Scalar(bytes(32)))
    yield Vector(f"{kind}/same-mask", kind, "r = 0: everybody's shares are public", same, "return.same-mask")
    mine = case(some_scalar("mask"), KEYS[0][1])
    yield Vector(f"{kind}/own-key", kind, "masked under one's own key alone", mine, "proof.equality")
    other = case(some_scalar("mask"), masked=(old[0], hash_to_group(b"c")))
    yield Vector(f"{kind}/swapped-card", kind, "another card's second half", other, "proof.equality")
    yield from _bent(kind, good, "proof.equality")


def proofs() -> Book:
    vectors = [*_key_proofs(), *_equality_proofs(), *_carry_proofs(), *_remask_proofs()]
    return Book("proofs", "proofs about logarithms, right, wrong and out of place", vectors)


# Shuffles


def _fresh(count: int) -> list[Ciphertext]:
    return mask(map(card_point, range(count)), JOINT)


def _shuffle(
    *sizes: int, inputs: Sequence[Ciphertext] | None = None, turn: int = 0
) -> tuple[dict[str, Any], Sequence[Ciphertext]]:
    """Return an honest shuffle of these piles, and its outputs."""
    inputs = inputs or _fresh(sum(sizes))
    starts = [_start("shuffle", (0, turn, 0)) for _ in range(2)]
    permuted = permute(starts[0], SECRET, JOINT, sizes, inputs)
    proof = prove_shuffle(starts[1], SECRET, JOINT, sizes, inputs, permuted)
    told = _told(inputs, permuted.outputs, proof, sizes)
    return told | {"place": _place("shuffle", (0, turn, 0))}, permuted.outputs


def _told(
    inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext], proof: bytes, sizes: Sequence[int] = (3,)
) -> dict[str, Any]:
    return {
        "place": _place("shuffle", (0, 0, 0)),
        "joint": JOINT.hex(),
        "sizes": list(sizes),
        "inputs": [[pair.a.hex(), pair.b.hex()] for pair in inputs],
        "outputs": b"".join(pair.a + pair.b for pair in outputs).hex(),
        "proof": proof.hex(),
    }


def _row(*bends: int) -> dict[str, Any]:
    """Return two consecutive shuffles whose last answers are off by these amounts."""
    first, left = _shuffle(2, 1)
    second, _ = _shuffle(2, 1, inputs=left, turn=1)
    shuffles = []
    for told, bend in zip((first, second), bends, strict=True):
        proof = bytes.fromhex(told["proof"])
        answer = public_scalar(int.from_bytes(proof[-32:], "little") + bend)
        shuffles.append(told | {"proof": (proof[:-32] + answer).hex()})
    return {"shuffles": shuffles}


def _forged(order: Sequence[int], foreign: bool = False, **lies: Any) -> dict[str, Any]:
    """Return a liar's best forgery with three cards."""
    inputs = _fresh(3)
    source = [*inputs[:2], *mask([card_point(9)], JOINT)] if foreign else inputs
    masks = [some_scalar("mask", number) for number in range(3)]
    outputs = [remask(JOINT, source[j], r) for j, r in zip(order, masks, strict=True)]
    forgery = Forgery(order, masks, outputs, **lies)
    proof = forge(_start("shuffle", (0, 0, 0)), JOINT, inputs, forgery)
    return _told(inputs, outputs, proof, lies.get("sizes", (3,)))


def _half_swapped(committed: Sequence[int]) -> dict[str, Any]:
    """Return a shuffle that swaps only the second halves of the first two cards, with a proof for one of the halves."""
    fresh = _fresh(3)
    inputs = [remask(JOINT, pair, some_scalar("input", number)) for number, pair in enumerate(fresh)]
    masks = [some_scalar("mask", number) for number in range(3)]
    whole = [remask(JOINT, pair, r) for pair, r in zip(inputs, masks, strict=True)]
    other = [remask(JOINT, inputs[j], r) for j, r in zip((1, 0, 2), masks, strict=True)]
    outputs = [Ciphertext(one.a, two.b) for one, two in zip(whole, other, strict=True)]
    forgery = Forgery(committed, masks, outputs)
    return _told(inputs, outputs, forge(_start("shuffle", (0, 0, 0)), JOINT, inputs, forgery))


def _blended(**lies: Any) -> dict[str, Any]:
    """Return a shuffle with the second card added to the first, and powers that compensate for it once x is known."""
    inputs = _fresh(3)
    masks = [some_scalar("mask", number) for number in range(3)]
    sums = Ciphertext(add(inputs[0].a, inputs[1].a), add(inputs[0].b, inputs[1].b))
    outputs = [remask(JOINT, pair, r) for pair, r in zip((sums, *inputs[1:]), masks, strict=True)]
    forgery = Forgery((0, 1, 2), masks, outputs, **lies)
    return _told(inputs, outputs, forge(_start("shuffle", (0, 0, 0)), JOINT, inputs, forgery))


def _shifted(one: str, other: str) -> dict[str, Any]:
    """Return an honest shuffle with two equations off by opposite amounts, which deceives equal weights."""
    inputs, amount = _fresh(3), some_scalar("amount")
    masks = [some_scalar("mask", number) for number in range(3)]
    outputs = [remask(JOINT, inputs[j], r) for j, r in zip((2, 0, 1), masks, strict=True)]
    shifts = {one: multiply_base(amount), other: multiply_base(negate_scalar(amount))}
    forgery = Forgery((2, 0, 1), masks, outputs, shifts=shifts)
    return _told(inputs, outputs, forge(_start("shuffle", (0, 0, 0)), JOINT, inputs, forgery))


def _cancelling(early: bool) -> dict[str, Any]:
    """Return a false product and a bent factor that deceive equal weights, or weights drawn without the answers."""
    told = _blended(committed=_made_up)
    inputs, proof = _fresh(3), bytes.fromhex(told["proof"])
    halves = cut(bytes.fromhex(told["outputs"]))
    outputs = [Ciphertext(Point(a), Point(b)) for a, b in zip(halves[::2], halves[1::2], strict=True)]
    read = Read(_start("shuffle", (0, 0, 0)), JOINT, inputs, outputs, proof)
    x, y, z = (int.from_bytes(scalar, "little") for scalar in (read.rising[0], read.y, read.z))
    product = prod(y * number + power - z for number, power in enumerate(_made_up(x), 1))
    weights = read.early if early else [ONE] * 5
    return told | {"proof": cancelling(read, proof, product, weights).hex()}


def _made_up(x: int) -> Sequence[int]:
    return x, x**2 - x, x**3


def shuffles() -> Book:
    kind, wrong = "shuffle-proof", "proof.shuffle"
    three, _ = _shuffle(3)
    vectors = [
        Vector(f"{kind}/one", kind, "one card is proved like any other", _shuffle(1)[0]),
        Vector(f"{kind}/two", kind, "two cards", _shuffle(2)[0]),
        Vector(f"{kind}/three", kind, "three cards", three),
        Vector(f"{kind}/piles", kind, "piles of two, one and three cards in one row", _shuffle(2, 1, 3)[0]),
        Vector(f"{kind}/other-pile", kind, "cards exchanged between piles", _forged((2, 0, 1), sizes=(2, 1)), wrong),
        Vector(
            f"{kind}/other-pile-hidden", kind, "the same, pretending",
            _forged((2, 0, 1), sizes=(2, 1), multiplied=(0, 1, 2)), wrong,
        ),
        Vector("shuffle-row/good", "shuffle-row", "two seats in a row, in one sum", _row(0, 0)),
        Vector("shuffle-row/cancelling", "shuffle-row", "opposite errors of two seats", _row(1, -1), wrong),
        Vector(f"{kind}/by-the-forger", kind, "the forger's proof of an honest shuffle holds", _forged((2, 0, 1))),
        Vector(f"{kind}/duplicate", kind, "one card twice, one gone", _forged((0, 0, 2)), wrong),
        Vector(
            f"{kind}/duplicate-hidden", kind, "the same, pretending",
            _forged((0, 0, 2), multiplied=(0, 1, 2)), wrong,
        ),
        Vector(f"{kind}/foreign", kind, "a card of another deck", _forged((2, 0, 1), foreign=True), wrong),
        Vector(f"{kind}/blended", kind, "one card in another, powers to fit", _blended(committed=_made_up), wrong),
        Vector(f"{kind}/blended-sums", kind, "the same, other powers committed", _blended(moved=_made_up), wrong),
        Vector(
            f"{kind}/blended-factors", kind, "the same, other factors multiplied",
            _blended(committed=_made_up, multiplied=(0, 1, 2)), wrong,
        ),
        Vector(f"{kind}/half-swapped", kind, "second halves of two cards exchanged", _half_swapped((0, 1, 2)), wrong),
        Vector(f"{kind}/half-kept", kind, "the same, proved for the second halves", _half_swapped((1, 0, 2)), wrong),
        Vector(f"{kind}/cancelling", kind, "two equations fail by opposite amounts", _cancelling(False), wrong),
        Vector(f"{kind}/cancelling-early", kind, "the same, by weights without the answers", _cancelling(True), wrong),
    ]  # fmt: skip
    for one, other in combinations(("factors", "product", "powers", "first halves", "second halves"), 2):
        name = f"{kind}/alike-{one}-{other}".replace(" ", "-")
        vectors.append(Vector(name, kind, f"{one} and {other} fail by opposite amounts", _shifted(one, other), wrong))
    outputs = bytes.fromhex(three["outputs"])
    swapped = three | {"outputs": (outputs[64:128] + outputs[:64] + outputs[128:]).hex()}
    vectors.append(Vector(f"{kind}/swapped", kind, "two outputs exchanged afterwards", swapped, wrong))
    small = three | {"outputs": POINTS["order-8"][1] + three["outputs"][64:]}
    vectors.append(Vector(f"{kind}/small-order", kind, "an output of order 8", small, "encoding.point"))
    identity = three | {"outputs": IDENTITY + three["outputs"][64:]}
    vectors.append(Vector(f"{kind}/identity", kind, "the identity as an output", identity, "encoding.point"))
    for name, point in (("mixed-order", POINTS["mixed-order"][1]), ("identity", IDENTITY)):
        bad = three | {"proof": three["proof"][: 5 * 64] + point + three["proof"][6 * 64 :]}
        vectors.append(Vector(f"{kind}/{name}-point", kind, f"{name} as a point of the proof", bad, "encoding.point"))
    missing = three | {"outputs": three["outputs"][128:]}
    vectors.append(Vector(f"{kind}/missing-card", kind, "two cards for three", missing, "encoding.shape"))
    return Book("shuffles", "shuffles of small decks", [*vectors, *_bent(kind, three, wrong)])


def books() -> list[Book]:
    return [proofs(), shuffles()]
