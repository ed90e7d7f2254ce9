"""Each proof is valid for its statement in its place, and for nothing else."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import (
    BASE,
    IDENTITY,
    ONE,
    ORDER,
    ZERO,
    Point,
    add,
    add_scalars,
    multiply,
    multiply_base,
    multiply_scalars,
    negate_scalar,
    public_scalar,
    signature_challenge,
    signature_holds,
    subtract,
)
from wasabi_protocol.sealed.proofs import (
    CarryStatement,
    prove_carry,
    prove_equal,
    prove_key,
    prove_remask,
    verify_carry,
    verify_equal,
    verify_key,
    verify_remask,
)
from wasabi_protocol.sealed.transcript import ProofTranscript

from tests.protocol.sealed.forger import some_scalar
from tests.protocol.sealed.test_group import BAD_BYTES

SECRET = sha256(b"prover").digest()
X, R = some_scalar("x"), some_scalar("r")
KEY = multiply_base(X)
JOINT = multiply_base(some_scalar("joint"))
POINTS = [multiply_base(some_scalar("point", i)) for i in range(4)]

Check = Callable[[ProofTranscript, list[bytes], bytes], object]


def place(name: bytes = b"here") -> ProofTranscript:
    return ProofTranscript(name)


def key_case() -> tuple[Check, list[bytes], bytes]:
    def check(transcript: ProofTranscript, points: list[bytes], proof: bytes) -> object:
        return verify_key(transcript, points[0], proof)

    return check, [KEY], prove_key(place(), SECRET, X)


def equal_case(count: int) -> tuple[Check, list[bytes], bytes]:
    bases = POINTS[:count]
    images = [multiply(X, base) for base in bases]

    def check(transcript: ProofTranscript, points: list[bytes], proof: bytes) -> object:
        return verify_equal(transcript, KEY, bases, points, proof)

    return check, list(images), prove_equal(place(), SECRET, X, bases, images)


def remask_case() -> tuple[Check, list[bytes], bytes]:
    old = (POINTS[0], POINTS[1])
    first, second, proof = prove_remask(place(), SECRET, JOINT, old, R)

    def check(transcript: ProofTranscript, points: list[bytes], proof: bytes) -> object:
        return verify_remask(transcript, JOINT, old, points[0], points[1], proof)

    return check, [first, second], proof


CARRY = CarryStatement(KEY, POINTS[0], POINTS[1], JOINT)


def carried() -> tuple[Point, Point]:
    masked = add(subtract(CARRY.open, multiply(X, CARRY.old)), multiply(R, JOINT))
    return multiply_base(R), masked


def carry_case() -> tuple[Check, list[bytes], bytes]:
    first, second = carried()

    def check(transcript: ProofTranscript, points: list[bytes], proof: bytes) -> object:
        return verify_carry(transcript, CARRY, points[0], points[1], proof)

    return check, [first, second], prove_carry(place(), SECRET, CARRY, X, R, first, second)


CASES: dict[str, Callable[[], tuple[Check, list[bytes], bytes]]] = {
    "key": key_case,
    "one share": lambda: equal_case(1),
    "many shares": lambda: equal_case(4),
    "no share": lambda: equal_case(0),
    "remask": remask_case,
    "carry": carry_case,
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[Check, list[bytes], bytes]:
    return CASES[request.param]()


Case = tuple[Check, list[bytes], bytes]


def test_a_true_statement_is_believed(case: Case) -> None:
    check, points, proof = case
    check(place(), points, proof)


def test_no_proof_is_believed_in_another_place(case: Case) -> None:
    check, points, proof = case
    with pytest.raises(SealRefused, match=r"proof\."):
        check(place(b"elsewhere"), points, proof)


def test_a_flipped_bit_of_the_proof_is_refused(case: Case) -> None:
    check, points, proof = case
    for bit in range(0, len(proof) * 8, 13):
        flipped = bytearray(proof)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(SealRefused, match=r"proof\.|encoding\.scalar"):
            check(place(), points, bytes(flipped))


def test_a_flipped_bit_of_the_statement_is_refused(case: Case) -> None:
    check, points, proof = case
    for index, point in enumerate(points):
        for bit in range(0, 256, 37):
            flipped = bytearray(point)
            flipped[bit // 8] ^= 1 << bit % 8
            changed = [*points[:index], bytes(flipped), *points[index + 1 :]]
            with pytest.raises(SealRefused, match=r"proof\.|encoding\.point"):
                check(place(), changed, proof)


@pytest.mark.parametrize("name", BAD_BYTES)
def test_a_bad_point_in_the_statement_is_refused(case: Case, name: str) -> None:
    check, points, proof = case
    for index in range(len(points)):
        changed = [*points[:index], BAD_BYTES[name], *points[index + 1 :]]
        with pytest.raises(SealRefused, match=r"encoding\.point"):
            check(place(), changed, proof)


def test_an_answer_written_with_the_order_added_is_refused(case: Case) -> None:
    check, points, proof = case
    for start in (0, 32, 64) if check.__qualname__.startswith("carry") else (len(proof) - 32,):
        raised = (int.from_bytes(proof[start : start + 32], "little") + ORDER).to_bytes(32, "little")
        with pytest.raises(SealRefused, match=r"encoding\.scalar"):
            check(place(), points, proof[:start] + raised + proof[start + 32 :])


def test_a_proof_of_another_length_is_refused(case: Case) -> None:
    check, points, proof = case
    for wrong in (b"", proof[:-1], proof[:-32], proof + bytes(32)):
        with pytest.raises(SealRefused, match=r"encoding\.shape"):
            check(place(), points, wrong)


def test_all_zeros_prove_nothing(case: Case) -> None:
    check, points, proof = case
    with pytest.raises(SealRefused, match=r"proof\."):
        check(place(), points, bytes(len(proof)))


def test_a_single_wrong_share_among_many_is_refused() -> None:
    bases = POINTS
    images = [multiply(X, base) for base in bases]
    for index in range(len(images)):
        wrong = [*images[:index], multiply(R, bases[index]), *images[index + 1 :]]
        proof = prove_equal(place(), SECRET, X, bases, wrong)
        with pytest.raises(SealRefused, match=r"proof\.equality"):
            verify_equal(place(), KEY, bases, wrong, proof)


def test_wrong_shares_that_cancel_in_a_plain_sum_are_refused() -> None:
    images = [multiply(X, base) for base in POINTS]
    wrong = [add(images[0], JOINT), subtract(images[1], JOINT), *images[2:]]
    proof = prove_equal(place(), SECRET, X, POINTS, wrong)
    with pytest.raises(SealRefused, match=r"proof\.equality"):
        verify_equal(place(), KEY, POINTS, wrong, proof)


@pytest.mark.parametrize("left_out", ["commitment", "images"])
def test_what_is_chosen_when_the_challenge_is_known_proves_nothing(left_out: str) -> None:
    """A second commitment or a share, chosen to fit a challenge drawn without it, proves nothing."""
    base, first, image = POINTS[0], multiply_base(R), multiply(R, POINTS[0])
    second = multiply(R, JOINT)
    absorbed = {"equality": (BASE, KEY), "bases": (base,), "images": (image,), "commitment": (second,)}
    transcript = place()
    for label, points in absorbed.items():
        if label != left_out:
            transcript.absorb(label.encode(), *points)
    challenge = signature_challenge(KEY, first, transcript.digest())
    answer = add_scalars(R, multiply_scalars(challenge, X))
    if left_out == "commitment":
        second = subtract(multiply(answer, base), multiply(challenge, image))
    else:
        inverse = public_scalar(pow(int.from_bytes(challenge, "little"), -1, ORDER))
        image = multiply(inverse, subtract(multiply(answer, base), second))
    assert image != multiply(X, base)
    assert subtract(multiply(answer, base), multiply(challenge, image)) == second, "it fits that challenge"
    with pytest.raises(SealRefused, match=r"proof\.equality"):
        verify_equal(place(), KEY, [base], [image], first + second + answer)


def test_of_no_shares_only_the_identity_is_a_commitment() -> None:
    """The author could sign any other commitment."""
    for second in (BASE, bytes(32)):
        transcript, first = place(), multiply_base(R)
        transcript.absorb(b"equality", BASE, KEY)
        transcript.absorb(b"bases")
        transcript.absorb(b"images")
        transcript.challenges(b"weights", 0)
        transcript.absorb(b"commitment", second)
        challenge = signature_challenge(KEY, first, transcript.digest())
        answer = add_scalars(R, multiply_scalars(challenge, X))
        assert signature_holds(KEY, first + answer, transcript.digest())
        with pytest.raises(SealRefused, match=r"proof\.equality"):
            verify_equal(place(), KEY, [], [], first + second + answer)


def test_a_nonce_of_zero_proves_nothing() -> None:
    """The equation is satisfied, but libsodium refuses the identity as R, and others must too."""
    transcript = place()
    transcript.absorb(b"key", KEY)
    challenge = signature_challenge(KEY, IDENTITY, transcript.digest())
    with pytest.raises(SealRefused, match=r"proof\.key"):
        verify_key(place(), KEY, IDENTITY + multiply_scalars(challenge, X))


def test_shares_under_another_key_are_refused() -> None:
    images = [multiply(R, base) for base in POINTS]
    proof = prove_equal(place(), SECRET, R, POINTS, images)
    with pytest.raises(SealRefused, match=r"proof\.equality"):
        verify_equal(place(), KEY, POINTS, images, proof)


def test_a_mask_that_changes_nothing_is_refused() -> None:
    old = (POINTS[0], POINTS[1])
    first, second, proof = prove_remask(place(), SECRET, JOINT, old, ZERO)
    assert (first, second) == old
    with pytest.raises(SealRefused, match=r"return\.same-mask"):
        verify_remask(place(), JOINT, old, first, second, proof)


def test_a_mask_under_another_key_or_of_another_card_is_refused() -> None:
    old = (POINTS[0], POINTS[1])
    for joint, card in ((KEY, old), (JOINT, (POINTS[2], POINTS[3])), (JOINT, (POINTS[0], POINTS[3]))):
        first, second, proof = prove_remask(place(), SECRET, joint, card, R)
        with pytest.raises(SealRefused, match=r"proof\.equality"):
            verify_remask(place(), JOINT, old, first, second, proof)


@pytest.mark.parametrize("wrong", ["card", "key", "joint key", "layer left on", "layer taken twice"])
def test_a_hand_card_carried_wrongly_is_refused(wrong: str) -> None:
    first, second = carried()
    layer = multiply(X, CARRY.old)
    second = {
        "card": add(second, subtract(POINTS[2], POINTS[3])),
        "key": add(second, subtract(layer, multiply(R, CARRY.old))),
        "joint key": add(second, multiply(R, subtract(KEY, JOINT))),
        "layer left on": add(second, layer),
        "layer taken twice": subtract(second, layer),
    }[wrong]
    proof = prove_carry(place(), SECRET, CARRY, X, R, first, second)
    with pytest.raises(SealRefused, match=r"proof\.carry"):
        verify_carry(place(), CARRY, first, second, proof)


def test_knowing_another_logarithm_proves_no_key() -> None:
    """A rogue key, chosen to cancel the others, has a logarithm that its maker does not know."""
    others = [multiply_base(some_scalar("other", i)) for i in range(3)]
    rogue = KEY
    for key in others:
        rogue = subtract(rogue, key)
    for guess in (X, add_scalars(X, negate_scalar(some_scalar("other", 0))), ONE, ZERO):
        transcript, commitment = place(), multiply_base(R)
        transcript.absorb(b"key", rogue)
        challenge = signature_challenge(rogue, commitment, transcript.digest())
        proof = commitment + add_scalars(R, multiply_scalars(challenge, guess))
        with pytest.raises(SealRefused, match=r"proof\.key"):
            verify_key(place(), rogue, proof)


def test_the_identity_is_no_key() -> None:
    with pytest.raises(SealRefused, match=r"encoding\.point"):
        verify_key(place(), IDENTITY, prove_key(place(), SECRET, ZERO))
