"""The counts of fixed positions: some worked out by hand here, all compared with their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.perft import FILES, FOLDER, counted, with_counts, written_counts


def test_there_are_a_dozen_positions() -> None:
    assert len(FILES) >= 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_counts_are_those_of_the_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = written_counts(text)
    assert list(written) == list(range(1, len(written) + 1))
    assert counted(text) == written


def counts(name: str) -> list[int]:
    return list(written_counts((FOLDER / f"{name}.txt").read_text(encoding="utf-8")).values())


def test_gifts_by_hand() -> None:
    """Four categories of four kinds: any of 16, then 12 of the other three, then 8 of the last two; then anew."""
    assert counts("opening") == [16, 16 * 12, 16 * 12 * 8, 16 * 12 * 8 * 16]


def test_first_draws_by_hand() -> None:
    """Four decks each time, whoever draws."""
    assert counts("first-draws") == [4, 4**2, 4**3, 4**4]


def test_first_turn_by_hand() -> None:
    """Three kinds of tile on 30 squares, or 15 passes.

    A tile is followed by `done` alone and then by any of 24 kinds of tile. A pass is followed by four decks; then the
    3 passes of one recipe end the turn, and the other player has as many ways to begin; the 12 others draw again.
    """
    first = 3 * 30 + (3 + 6 + 6)
    assert counts("first-turn") == [first, 90 + 15 * 4, 90 * 24 + 3 * 4 * first + 12 * 4 * 4]


def test_no_tile_in_hand_by_hand() -> None:
    """Two lone tiles, each to the 27 empty squares or back to its own; the stack's top to the 27; or a pass."""
    assert counts("no-tile-in-hand")[0] == 2 * 28 + 27 + 1


def test_a_changed_count_is_found_and_written() -> None:
    text = "# depth 1: 7\nposition"
    assert written_counts(text) == {1: 7}
    assert with_counts(text, {1: 8}) == "# depth 1: 8\nposition"
