"""A small run of the fuzzer; the large one is `python -m tests.protocol.fuzz --messages 100000`."""

from __future__ import annotations

from tests.protocol.fuzz import fuzz


def test_bent_messages_give_verdicts_and_nothing_else() -> None:
    report = fuzz(2_000, seed=7)
    assert report.messages == 2_000
    assert report.codes["bad-signature"] > 100
    assert report.memory < 200_000
