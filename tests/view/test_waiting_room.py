"""The waiting room in words."""

from __future__ import annotations

import pytest

from wasabi_tx.text import Texts
from wasabi_tx.view.online.waiting_room import clock_line


@pytest.mark.parametrize(
    ("clock", "words"),
    [
        (0, "no clock"),
        (3600, "by correspondence, 1 hour a turn"),
        (36 * 3600, "by correspondence, 36 hours a turn"),
        (3 * 86_400, "by correspondence, 3 days a turn"),
    ],
)
def test_the_clock_of_a_table_is_told_as_people_would(clock: int, words: str) -> None:
    assert clock_line(clock, Texts("en")) == words
