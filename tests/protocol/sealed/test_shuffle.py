"""Real shuffles can be proved, and nothing else can."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from itertools import combinations, islice
from math import prod
from typing import Any

import pytest
from wasabi_protocol.sealed.cards import mask
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    ORDER,
    Point,
    add,
    multiply,
    multiply_base,
    subtract,
    total,
    weigh,
)
from wasabi_protocol.sealed.plain_values import cut
from wasabi_protocol.sealed.shuffle import (
    COMMITMENTS,
    Ciphertext,
    ShuffleClaim,
    _Balance,
    card_point,
    cut_pairs,
    permute,
    proof_size,
    prove_shuffle,
    verify_shuffles,
)
from wasabi_protocol.sealed.transcript import SUITE, Context, ProofTranscript

from tests.protocol.sealed.forger import (
    Forgery,
    Read,
    cancelling,
    forge,
    ordered,
    remask,
    sides,
    some_scalar,
    verify_shuffle,
)
from tests.protocol.sealed.test_group import BAD_BYTES

X = some_scalar("joint secret")
JOINT = multiply_base(X)
SECRET = sha256(b"shuffler").digest()
COUNT = 5


def transcript(**changes: object) -> ProofTranscript:
    fields: dict[str, object] = {
        "gid": bytes(32), "epoch": 0, "slot": 3, "prev": bytes(32), "seat": 1, "identity": bytes(32),
        "keys": ((0, JOINT),), "total": JOINT,
    }  # fmt: skip
    deck = changes.pop("deck", 2)
    index = changes.pop("index", (0, 0))
    assert isinstance(deck, int)
    assert isinstance(index, tuple)
    return Context(**(fields | changes)).transcript(b"shuffle", deck, index)  # type: ignore[arg-type]


def unmask(pair: Ciphertext) -> Point:
    return subtract(pair.b, multiply(X, pair.a))


def inputs(count: int = COUNT) -> list[Ciphertext]:
    fresh = mask(map(card_point, range(count)), JOINT)
    return [remask(JOINT, pair, some_scalar("input", index)) for index, pair in enumerate(fresh)]


def flat(pairs: list[Ciphertext]) -> bytes:
    return b"".join(pair.a + pair.b for pair in pairs)


def honest(*sizes: int) -> tuple[list[Ciphertext], bytes, bytes]:
    cards = inputs(sum(sizes or [COUNT]))
    claim = shuffled(cards, sizes=sizes)
    return cards, claim.outputs, claim.proof


def shuffled(cards: Sequence[Ciphertext], sizes: Sequence[int] = (), **place: object) -> ShuffleClaim:
    """Return an honest seat's claim, by default about one pile."""
    sizes = sizes or [len(cards)]
    permuted = permute(transcript(**place), SECRET, JOINT, sizes, cards)
    proof = prove_shuffle(transcript(**place), SECRET, JOINT, sizes, cards, permuted)
    return ShuffleClaim(transcript(**place), sizes, cards, flat(list(permuted.outputs)), proof)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_a_shuffle_holds_the_same_cards_under_other_masks(count: int) -> None:
    cards, outputs, proof = honest(count)
    found = verify_shuffle(transcript(), JOINT, cards, outputs, proof)
    assert {unmask(pair) for pair in found} == {card_point(face) for face in range(count)}
    assert not {pair.a for pair in found} & {pair.a for pair in cards}
    assert len(proof) == proof_size([count]) == 32 * (3 * count + 11)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (1, 4, 1), (3, 1, 2, 1)])
def test_every_pile_of_a_row_keeps_its_cards(sizes: tuple[int, ...]) -> None:
    cards, outputs, proof = honest(*sizes)
    found = iter(verify_shuffle(transcript(), JOINT, cards, outputs, proof, sizes))
    faces = iter(range(len(cards)))
    for size in sizes:
        assert {unmask(pair) for pair in islice(found, size)} == {card_point(face) for face in islice(faces, size)}
    assert len(proof) == proof_size(sizes) == 32 * (3 * len(cards) - len(sizes) + 12)


def test_a_proof_of_a_row_is_none_of_the_same_cards_in_other_piles() -> None:
    cards, outputs, proof = honest(2, 3)
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffle(transcript(), JOINT, cards, outputs, proof, (3, 2))


@pytest.mark.parametrize("known", [False, True], ids=["known to be fresh", "or not"])
@pytest.mark.parametrize("fresh", [False, True], ids=["fresh", "or not"])
def test_a_verifier_that_knows_cards_to_be_fresh_judges_no_otherwise(fresh: bool, known: bool) -> None:
    cards = mask(map(card_point, range(COUNT)), JOINT) if fresh else inputs()
    good, outputs = shuffled(cards), shuffled(cards).outputs
    assert verify_shuffles(JOINT, [replace(good, fresh=known)])
    wrong = {"swapped": outputs[64:128] + outputs[:64] + outputs[128:], "last": outputs[:-32] + bytes(BASE)}
    for told in wrong.values():
        with pytest.raises(SealRefused, match=r"proof\.shuffle"):
            verify_shuffles(JOINT, [replace(good, transcript=transcript(), outputs=told, fresh=known)])
    answer = int.from_bytes(good.proof[-32:], "little") + 1
    bent = good.proof[:-32] + answer.to_bytes(32, "little")
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, [replace(good, transcript=transcript(), proof=bent, fresh=known)])


def test_freshly_masked_cards_are_shuffled_like_any_others() -> None:
    verify_shuffles(JOINT, [shuffled(mask(map(card_point, range(COUNT)), JOINT))])


def test_every_order_can_come_up() -> None:
    cards = inputs(3)
    orders = set()
    for slot in range(60):
        orders.add(tuple(permute(transcript(slot=slot), SECRET, JOINT, [3], cards).order))
    assert len(orders) == 6


def test_piles_of_a_row_are_shuffled_independently() -> None:
    orders = {tuple(permute(transcript(slot=slot), SECRET, JOINT, [2, 2], inputs(4)).order) for slot in range(40)}
    assert orders == {(0, 1, 2, 3), (1, 0, 2, 3), (0, 1, 3, 2), (1, 0, 3, 2)}


def failed(order: list[int], outputs: list[Ciphertext], **lies: Any) -> set[str]:
    """Return the equations that a forger's claim fails; the claim must be refused if there are any."""
    masks, sizes = [some_scalar("mask", i) for i in range(COUNT)], lies.get("sizes")
    proof = forge(transcript(), JOINT, inputs(), Forgery(order, masks, outputs, **lies))
    equations = sides(transcript(), JOINT, inputs(), outputs, proof, sizes)
    names = {name for name, (left, right) in equations.items() if left != right}
    with pytest.raises(SealRefused, match=r"proof\.shuffle") if names else nullcontext():
        verify_shuffle(transcript(), JOINT, inputs(), flat(outputs), proof, sizes)
    return names


def outputs_of(order: list[int]) -> list[Ciphertext]:
    cards = inputs()
    return [remask(JOINT, cards[j], some_scalar("mask", i)) for i, j in enumerate(order)]


HONEST = [3, 1, 4, 0, 2]
DOUBLE = [3, 1, 4, 0, 3]
HALVES = {"first halves", "second halves"}


def test_the_forger_is_believed_when_it_tells_the_truth() -> None:
    assert failed(HONEST, outputs_of(HONEST)) == set()


def test_cards_that_change_piles_are_refused() -> None:
    within = [1, 0, 4, 2, 3]
    assert failed(within, outputs_of(within), sizes=(2, 3)) == set()
    assert failed(HONEST, outputs_of(HONEST), sizes=(2, 3)) == {"product"}
    assert failed(HONEST, outputs_of(HONEST), sizes=(2, 3), multiplied=within) == {"factors"}
    assert failed(within, outputs_of(HONEST), sizes=(2, 3)) == HALVES
    assert failed(within, outputs_of(HONEST), sizes=(2, 3), moved=ordered(HONEST)) == {"powers"}


def test_a_card_twice_and_another_missing_is_refused() -> None:
    assert failed(DOUBLE, outputs_of(DOUBLE)) == {"product", *HALVES}
    assert failed(DOUBLE, outputs_of(DOUBLE), multiplied=HONEST) == {"factors", *HALVES}
    assert failed(HONEST, outputs_of(DOUBLE)) == HALVES
    assert failed(DOUBLE, outputs_of(HONEST), committed=ordered(HONEST)) == {"product"}
    assert failed(DOUBLE, outputs_of(HONEST), committed=ordered(HONEST), multiplied=HONEST) == {"factors"}


def blended() -> list[Ciphertext]:
    """Return honest outputs, but with the second card added to the first."""
    outputs, cards = outputs_of(HONEST), inputs()
    mixed = Ciphertext(add(cards[3].a, cards[1].a), add(cards[3].b, cards[1].b))
    return [remask(JOINT, mixed, some_scalar("mask", 0)), *outputs[1:]]


def adapted(x: int) -> list[int]:
    """Return the powers that compensate for that in the sums."""
    honest = list(ordered(HONEST)(x))
    return [honest[0], honest[1] - honest[0], *honest[2:]]


def test_a_card_blended_into_another_is_refused_by_each_equation_alone() -> None:
    assert failed(HONEST, blended()) == HALVES
    assert failed(HONEST, blended(), moved=adapted) == {"powers"}
    assert failed(HONEST, blended(), committed=adapted) == {"product"}
    assert failed(HONEST, blended(), committed=adapted, multiplied=HONEST) == {"factors"}


@pytest.mark.parametrize("early", [False, True], ids=["no weights", "weights without the answers"])
def test_two_equations_that_fail_by_opposite_amounts_are_refused(early: bool) -> None:
    masks, outputs = [some_scalar("mask", i) for i in range(COUNT)], blended()
    proof = forge(transcript(), JOINT, inputs(), Forgery(HONEST, masks, outputs, committed=adapted))
    read = Read(transcript(), JOINT, inputs(), outputs, proof)
    weights = read.early if early else [ONE] * 5
    bent = cancelling(read, proof, adapted_product(read), weights)
    differences = [subtract(*each) for each in sides(transcript(), JOINT, inputs(), outputs, bent).values()]
    assert sum(difference != IDENTITY for difference in differences) == 2
    assert weigh(weights, differences) == IDENTITY, "it would deceive a verifier with such weights"
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffle(transcript(), JOINT, inputs(), flat(outputs), bent)


EQUATIONS = ("factors", "product", "powers", "first halves", "second halves")
AMOUNT = card_point(9)


LESS = subtract(IDENTITY, AMOUNT)


def shifted(deck: int, shifts: dict[str, Point]) -> ShuffleClaim:
    """Return an honest shuffle whose equations fail by these amounts."""
    masks, outputs = [some_scalar("mask", i) for i in range(COUNT)], outputs_of(HONEST)
    proof = forge(transcript(deck=deck), JOINT, inputs(), Forgery(HONEST, masks, outputs, shifts=shifts))
    return ShuffleClaim(transcript(deck=deck), [COUNT], inputs(), flat(outputs), proof)


@pytest.mark.parametrize(("one", "other"), combinations(EQUATIONS, 2))
def test_no_two_equations_have_one_weight(one: str, other: str) -> None:
    claim = shifted(2, {one: AMOUNT, other: LESS})
    equations = sides(transcript(), JOINT, inputs(), outputs_of(HONEST), claim.proof)
    assert {name for name, (left, right) in equations.items() if left != right} == {one, other}
    assert total(subtract(*each) for each in equations.values()) == IDENTITY
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, [claim])


@pytest.mark.parametrize("name", EQUATIONS)
def test_no_equation_has_one_weight_in_two_claims(name: str) -> None:
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, [shifted(2, {name: AMOUNT}), shifted(3, {name: LESS})])


@pytest.mark.parametrize("place", [0, 1], ids=["forged first", "forged last"])
@pytest.mark.parametrize("absorbed", ["the other claim", "nothing"])
def test_weights_that_leave_out_the_answers_of_a_claim_would_be_deceived(absorbed: str, place: int) -> None:
    """A card is blended into another, with answers that fit weights known in advance."""
    honest, fold = shifted(3, {}), ProofTranscript(SUITE)
    if absorbed == "the other claim":
        Read(honest.transcript, JOINT, inputs(), outputs_of(HONEST), honest.proof)
        honest.transcript.absorb(b"answers", *cut(honest.proof)[8:])
        fold.absorb(b"claims", honest.transcript.digest())
    weights = fold.challenges(b"weights", 10)[5 * place : 5 * place + 5]
    masks, outputs = [some_scalar("mask", i) for i in range(COUNT)], blended()
    proof = forge(transcript(), JOINT, inputs(), Forgery(HONEST, masks, outputs, committed=adapted))
    read = Read(transcript(), JOINT, inputs(), outputs, proof)
    bent = cancelling(read, proof, adapted_product(read), weights)
    differences = [subtract(*each) for each in sides(transcript(), JOINT, inputs(), outputs, bent).values()]
    assert weigh(weights, differences) == IDENTITY, "it would deceive a verifier with such weights"
    claims = [shifted(3, {})]
    claims.insert(place, ShuffleClaim(transcript(), [COUNT], inputs(), flat(outputs), bent))
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, claims)


def in_a_row(cards: Sequence[Ciphertext], sizes: Sequence[int], seats: int) -> list[ShuffleClaim]:
    """Return shuffles by one seat after another."""
    claims: list[ShuffleClaim] = []
    for seat in range(seats):
        claims.append(shuffled(cards, sizes, seat=seat))
        cards = [Ciphertext(Point(a), Point(b)) for a, b in cut_pairs(claims[-1].outputs)]
    return claims


def again(claim: ShuffleClaim, seat: int, **changes: Any) -> ShuffleClaim:
    """Return the same claim with a fresh transcript."""
    return replace(claim, transcript=transcript(seat=seat), **changes)


def test_shuffles_in_a_row_are_judged_together_as_they_are_alone() -> None:
    alone = [verify_shuffles(JOINT, [claim])[0] for claim in in_a_row(inputs(), (2, 3), 3)]
    assert verify_shuffles(JOINT, in_a_row(inputs(), (2, 3), 3)) == alone


@pytest.mark.parametrize("bends", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0), (1, 0, -1), (0, 1, -1)])
def test_no_shuffle_of_a_row_makes_up_for_another(bends: tuple[int, ...]) -> None:
    def bent(claim: ShuffleClaim, seat: int, bend: int) -> ShuffleClaim:
        last = int.from_bytes(claim.proof[-32:], "little") + bend
        return again(claim, seat, proof=claim.proof[:-32] + last.to_bytes(32, "little"))

    claims = in_a_row(inputs(), (2, 3), 3)
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, [bent(*each) for each in zip(claims, range(3), bends, strict=True)])


def test_a_card_changed_between_two_shuffles_of_a_row_is_refused() -> None:
    """The second proof is made for cards that the first seat did not output, although each proves something true."""
    first, _ = in_a_row(inputs(), (), 2)
    cards = [Ciphertext(Point(a), Point(b)) for a, b in cut_pairs(first.outputs)]
    cards[0] = Ciphertext(cards[0].a, add(cards[0].b, subtract(card_point(1), card_point(0))))
    with pytest.raises(SealRefused, match=r"proof\.shuffle"):
        verify_shuffles(JOINT, [first, replace(shuffled(cards, seat=1), inputs=cut_pairs(first.outputs))])


@pytest.mark.parametrize("name", BAD_BYTES)
def test_a_bad_point_between_two_shuffles_of_a_row_is_refused(name: str) -> None:
    first, second = in_a_row(inputs(), (), 2)
    outputs = BAD_BYTES[name] + first.outputs[32:]
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        verify_shuffles(JOINT, [replace(first, outputs=outputs), replace(second, inputs=cut_pairs(outputs))])


def adapted_product(read: Read) -> int:
    x, y, z = (int.from_bytes(scalar, "little") for scalar in (read.rising[0], read.y, read.z))
    factors = [y * (j + 1) + power - z for j, power in zip(HONEST, adapted(x), strict=True)]
    return prod(factors) % ORDER


def test_no_cards_are_no_shuffle() -> None:
    for sizes in ([], [0]):
        with pytest.raises(SealRefused, match=r"encoding\.shape"):
            verify_shuffles(JOINT, [ShuffleClaim(transcript(), sizes, [], b"", bytes(proof_size(sizes)))])


@pytest.mark.parametrize("name", BAD_BYTES)
def test_a_point_that_counts_for_nothing_is_imported_all_the_same(name: str) -> None:
    balance = _Balance()
    balance.count([BAD_BYTES[name]] * 2, [5, ORDER - 5])
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        balance.total()


def test_a_foreign_card_is_refused() -> None:
    outputs = outputs_of(HONEST)
    foreign = Ciphertext(outputs[2].a, add(outputs[2].b, subtract(card_point(9), card_point(4))))
    assert unmask(foreign) == card_point(9)
    assert failed(HONEST, [*outputs[:2], foreign, *outputs[3:]]) == {"second halves"}


@pytest.mark.parametrize("half", ["first halves", "second halves"])
def test_cards_with_one_half_swapped_are_refused(half: str) -> None:
    outputs = outputs_of(HONEST)
    first, second = outputs[0], outputs[1]
    if half == "first halves":
        outputs[:2] = [Ciphertext(second.a, first.b), Ciphertext(first.a, second.b)]
    else:
        outputs[:2] = [Ciphertext(first.a, second.b), Ciphertext(second.a, first.b)]
    assert failed(HONEST, outputs) == {half}
    swapped = [HONEST[1], HONEST[0], *HONEST[2:]]
    assert failed(swapped, outputs)
    assert "powers" in failed(HONEST, outputs, moved=ordered(swapped))
    assert "product" in failed(HONEST, outputs, committed=ordered(swapped))
    assert failed(HONEST, outputs, multiplied=swapped) == {"factors", half}


def test_halves_that_follow_two_orders_are_refused() -> None:
    other = [1, 3, 4, 0, 2]
    mixed = [Ciphertext(left.a, right.b) for left, right in zip(outputs_of(HONEST), outputs_of(other), strict=True)]
    assert failed(HONEST, mixed) == {"second halves"}
    assert failed(other, mixed) == {"first halves"}


def test_a_card_moved_by_a_face_and_another_by_its_opposite_is_refused() -> None:
    outputs = outputs_of(HONEST)
    shift = subtract(card_point(0), card_point(1))
    outputs[0] = Ciphertext(outputs[0].a, add(outputs[0].b, shift))
    outputs[1] = Ciphertext(outputs[1].a, subtract(outputs[1].b, shift))
    assert failed(HONEST, outputs) == {"second halves"}


@pytest.mark.parametrize(
    "changes",
    [
        {"gid": b"\1" * 32}, {"epoch": 1}, {"slot": 4}, {"prev": b"\1" * 32}, {"seat": 0}, {"identity": b"\1" * 32},
        {"keys": ((1, JOINT),)}, {"total": multiply_base(some_scalar("other"))}, {"deck": 1}, {"index": (0, 1)},
        {"index": (1, 0)},
    ],
    ids=lambda changes: "-".join(changes),
)  # fmt: skip
def test_a_proof_is_worth_nothing_elsewhere(changes: dict[str, object]) -> None:
    cards, outputs, proof = honest()
    verify_shuffle(transcript(), JOINT, cards, outputs, proof)
    with pytest.raises(SealRefused) as refused:
        verify_shuffle(transcript(**changes), JOINT, cards, outputs, proof)
    assert refused.value.code == "proof.shuffle"


def test_a_proof_is_worth_nothing_for_other_inputs_or_another_joint_key() -> None:
    cards, outputs, proof = honest()
    for changed in ([cards[1], cards[0], *cards[2:]], inputs(COUNT)[::-1]):
        with pytest.raises(SealRefused, match=r"proof.shuffle"):
            verify_shuffle(transcript(), JOINT, changed, outputs, proof)
    with pytest.raises(SealRefused, match=r"proof.shuffle"):
        verify_shuffle(transcript(), multiply_base(some_scalar("other")), cards, outputs, proof)


@pytest.mark.parametrize("field", range(3 * 2 + 11))
def test_a_flipped_bit_anywhere_in_the_proof_is_refused(field: int) -> None:
    cards, outputs, proof = honest(2)
    for bit in (0, 100, 251, 255):
        flipped = bytearray(proof)
        flipped[32 * field + bit // 8] ^= 1 << bit % 8
        with pytest.raises(SealRefused, match=r"proof\.shuffle|encoding\.(point|scalar)"):
            verify_shuffle(transcript(), JOINT, cards, outputs, bytes(flipped))


@pytest.mark.parametrize("name", BAD_BYTES)
def test_a_bad_point_anywhere_in_the_proof_or_the_outputs_is_refused(name: str) -> None:
    cards, outputs, proof = honest(2)
    for start in range(0, 32 * COMMITMENTS, 32):
        changed = proof[:start] + BAD_BYTES[name] + proof[start + 32 :]
        with pytest.raises(SealRefused, match=r"encoding\.point"):
            verify_shuffle(transcript(), JOINT, cards, outputs, changed)
    for start in range(0, len(outputs), 32):
        changed = outputs[:start] + BAD_BYTES[name] + outputs[start + 32 :]
        with pytest.raises(SealRefused, match=r"encoding\.point"):
            verify_shuffle(transcript(), JOINT, cards, changed, proof)


@pytest.mark.parametrize("field", range(4))
def test_a_flipped_bit_anywhere_in_the_outputs_is_refused(field: int) -> None:
    cards, outputs, proof = honest(2)
    for bit in (0, 100, 255):
        flipped = bytearray(outputs)
        flipped[32 * field + bit // 8] ^= 1 << bit % 8
        with pytest.raises(SealRefused, match=r"proof\.shuffle|encoding\.point"):
            verify_shuffle(transcript(), JOINT, cards, bytes(flipped), proof)


@pytest.mark.parametrize("field", range(8, 3 * 2 + 11))
def test_a_scalar_written_with_the_order_added_is_refused(field: int) -> None:
    cards, outputs, proof = honest(2)
    start = 32 * field
    scalar = int.from_bytes(proof[start : start + 32], "little") + ORDER
    changed = proof[:start] + scalar.to_bytes(32, "little") + proof[start + 32 :]
    with pytest.raises(SealRefused, match=r"encoding\.scalar"):
        verify_shuffle(transcript(), JOINT, cards, outputs, changed)


@pytest.mark.parametrize("cut", [0, 31, 32, 64, -1, -32])
def test_a_proof_of_another_length_is_refused(cut: int) -> None:
    cards, outputs, proof = honest(2)
    with pytest.raises(SealRefused, match=r"encoding\.shape"):
        verify_shuffle(transcript(), JOINT, cards, outputs, proof[:cut])
    with pytest.raises(SealRefused, match=r"encoding\.shape"):
        verify_shuffle(transcript(), JOINT, cards, outputs[:cut], proof)
