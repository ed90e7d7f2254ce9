"""A challenge depends on every value, on its label and on where one value ends and the next begins."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wasabi_protocol.sealed.group import ORDER, multiply_base
from wasabi_protocol.sealed.transcript import Context, ProofTranscript

from tests.protocol.sealed.forger import some_scalar

KEY, OTHER = multiply_base(some_scalar(1)), multiply_base(some_scalar(2))
CONTEXT = Context(b"g" * 32, 1, 2, b"p" * 32, 3, b"i" * 32, ((0, KEY), (3, OTHER)), KEY)


def challenge(*absorbed: tuple[bytes, tuple[bytes, ...]]) -> bytes:
    transcript = ProofTranscript(b"test")
    for label, values in absorbed:
        transcript.absorb(label, *values)
    return transcript.challenge(b"c")


def test_values_labels_and_boundaries_all_count() -> None:
    variants = [
        challenge(),
        challenge((b"a", ())),
        challenge((b"a", (b"",))),
        challenge((b"a", (b"", b""))),
        challenge((b"a", (b"bc",))),
        challenge((b"a", (b"b", b"c"))),
        challenge((b"ab", (b"c",))),
        challenge((b"a", (b"bc", b"d"))),
        challenge((b"a", (b"b", b"cd"))),
        challenge((b"a", (b"b",)), (b"c", ())),
        challenge((b"a", (b"b",)), (b"a", (b"c",))),
        challenge((b"a", (b"c",)), (b"a", (b"b",))),
    ]
    assert len(set(variants)) == len(variants)


def test_the_label_of_a_challenge_counts_and_each_challenge_is_new() -> None:
    one, two = ProofTranscript(b"test"), ProofTranscript(b"test")
    assert one.challenge(b"c") != two.challenge(b"d")
    three = ProofTranscript(b"test")
    assert three.challenge(b"c") != three.challenge(b"c")
    many = ProofTranscript(b"test").challenges(b"c", 20)
    assert len(set(many)) == 20
    assert ProofTranscript(b"test").challenges(b"c", 19) != many[:19]


def test_challenges_fill_the_whole_range_of_scalars() -> None:
    values = [int.from_bytes(scalar, "little") for scalar in ProofTranscript(b"range").challenges(b"c", 400)]
    assert all(value < ORDER for value in values)
    assert any(value > ORDER * 9 // 10 for value in values)
    assert any(value < ORDER // 10 for value in values)


@pytest.mark.parametrize(
    "changed",
    [
        replace(CONTEXT, gid=b"h" * 32),
        replace(CONTEXT, epoch=2),
        replace(CONTEXT, slot=1),
        replace(CONTEXT, epoch=2, slot=1),
        replace(CONTEXT, prev=b"q" * 32),
        replace(CONTEXT, seat=2),
        replace(CONTEXT, identity=b"j" * 32),
        replace(CONTEXT, keys=((0, KEY), (2, OTHER))),
        replace(CONTEXT, keys=((0, OTHER), (3, KEY))),
        replace(CONTEXT, keys=((0, KEY),)),
        replace(CONTEXT, keys=()),
        replace(CONTEXT, total=OTHER),
        replace(CONTEXT, total=None),
    ],
)
def test_every_part_of_the_context_counts(changed: Context) -> None:
    assert changed.transcript(b"kind", 1, (2,)).digest() != CONTEXT.transcript(b"kind", 1, (2,)).digest()


def test_kind_deck_and_index_count() -> None:
    digests = [
        CONTEXT.transcript(b"kind", 1, (2,)).digest(),
        CONTEXT.transcript(b"other", 1, (2,)).digest(),
        CONTEXT.transcript(b"kind", 2, (2,)).digest(),
        CONTEXT.transcript(b"kind", 1, (1,)).digest(),
        CONTEXT.transcript(b"kind", 1, (2, 2)).digest(),
        CONTEXT.transcript(b"kind", 1).digest(),
        CONTEXT.transcript(b"kind").digest(),
    ]
    assert len(set(digests)) == len(digests)


def test_a_copy_goes_its_own_way() -> None:
    """The common start of all proofs of a key set is cached, and no proof may change it."""
    start = CONTEXT.transcript(b"kind")
    before, twin = start.digest(), start.copy()
    assert twin.digest() == before
    twin.absorb(b"more")
    assert start.digest() == CONTEXT.transcript(b"kind").digest() == before != twin.digest()
