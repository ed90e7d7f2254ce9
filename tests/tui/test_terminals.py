"""Short games in terminals with less and less to draw with; `python -m tests.lab.terminals` plays whole ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.terminals import Evening, play

from .short import put_short_editions

pytestmark = pytest.mark.long
EVENINGS = (
    Evening("short-master", "256 colours", mouse=True),
    Evening("short-classic", "16 colours", (120, 40)),
    Evening("short-master", "NO_COLOR", language="it"),
    Evening("short-classic", "ASCII", mouse=True),
    Evening("short-master", "ASCII", (120, 40), language="it"),
)


@pytest.mark.parametrize("evening", EVENINGS, ids=str)
def test_a_game_is_played_to_its_end_with_what_the_terminal_has(evening: Evening, tmp_path: Path) -> None:
    put_short_editions(tmp_path)
    play(evening, tmp_path)
