"""A small run of the fuzzer; the large one is `python -m tests.lab.soaks.messages --messages 100000`."""

from __future__ import annotations

import pytest

from tests.protocol.fuzz import fuzz
from tests.speeds import budget


@pytest.mark.long
def test_bent_messages_give_verdicts_and_nothing_else() -> None:
    count = budget(400, 5_000)
    report = fuzz(count, seed=7)
    assert report.messages == count
    assert report.codes["bad-signature"] > count // 20
    assert report.memory < 200_000
