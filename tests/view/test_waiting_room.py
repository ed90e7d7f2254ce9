"""The waiting room in words."""

from __future__ import annotations

import pytest

from wasabi_tx.text import Texts
from wasabi_tx.view.online.waiting_room import clock_line, command_rows


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


@pytest.mark.parametrize("width", range(-3, 30))
def test_a_command_is_broken_into_rows_at_any_width_of_a_screen(width: int) -> None:
    rows = command_rows("wasabi-tx wasabi:abc", width)
    assert "".join(row.removesuffix("\\") for row in rows) == "wasabi-tx wasabi:abc"
    assert all(len(row) <= max(width, 2) for row in rows)
