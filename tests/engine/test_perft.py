"""The counts of fixed positions: some derived by hand here, all compared with their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.perft import FILES, FOLDER, counted, with_counts, written_counts
from wasabi_tx.engine.editions import PACKAGED


def test_there_are_a_dozen_positions_and_each_edition_has_some() -> None:
    assert len(FILES) >= 12
    heads = {path: path.read_text(encoding="utf-8").partition("position: ")[2].split(",")[0] for path in FILES}
    assert set(heads.values()) == set(PACKAGED)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_counts_are_those_of_the_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    written = written_counts(text)
    assert list(written) == list(range(1, len(written) + 1))
    assert counted(text) == written


def counts(name: str) -> list[int]:
    return list(written_counts((FOLDER / f"{name}.txt").read_text(encoding="utf-8")).values())


def test_gifts_by_hand() -> None:
    """There are four categories of four kinds: 16 choices, then 12 of the other three, then 8 of the last two, then 16
    again.
    """
    assert counts("opening") == [16, 16 * 12, 16 * 12 * 8, 16 * 12 * 8 * 16]


def test_first_draws_by_hand() -> None:
    """There are four decks each time, whoever draws."""
    assert counts("first-draws") == [4, 4**2, 4**3, 4**4]


def test_first_turn_by_hand() -> None:
    """There are three kinds of tile on 30 squares, or 15 passes.

    A tile is followed by `done` alone and then by any of 24 kinds of tile. A pass is followed by four decks; then the 3
    passes of one recipe end the turn, and the other player has as many first steps; the 12 others draw again.
    """
    first = 3 * 30 + (3 + 6 + 6)
    assert counts("first-turn") == [first, 90 + 15 * 4, 90 * 24 + 3 * 4 * first + 12 * 4 * 4]


def test_no_tile_in_hand_by_hand() -> None:
    """Two single tiles go to 27 empty squares or back; the stack's top to 27; plus a pass and two cards."""
    assert counts("no-tile-in-hand")[0] == 2 * 28 + 27 + 1 + 2


def test_opening_and_first_turn_of_the_second_edition_by_hand() -> None:
    """There are four kinds of card three times; then two cups to 28 spaces, or 26 kinds of tile on them.

    A cup is followed by the other cup's 28 moves or a tile. A tile is followed by cups on 27 spaces, 15 exchanges,
    three kinds of card and the pool.
    """
    first = 2 * 28 + 26 * 28
    assert counts("master-opening") == [4, 4**2, 4**3, 4**3 * first]
    assert counts("master-first-turn") == [first, 56 * (28 + 26 * 28) + 26 * 28 * (2 * 27 + 15 + 3 + 1)]


def test_one_space_and_four_cups_by_hand() -> None:
    """There are four cups or 16 kinds of tile; then three cups or a tile; or, on a full board, an exchange, a card, the
    pool.
    """
    assert counts("master-one-space-four-cups")[:2] == [4 + 16, 4 * (3 + 16) + 16 * (1 + 3 + 1)]


def test_draws_after_serving_by_hand() -> None:
    """There are four decks, three times; then two cups or any of 26 kinds of tile to 25 spaces."""
    assert counts("master-drawing") == [4, 4**2, 4**3, 4**3 * (2 * 25 + 26 * 25)]


def test_a_changed_count_is_found_and_written() -> None:
    text = "# depth 1: 7\nposition"
    assert written_counts(text) == {1: 7}
    assert with_counts(text, {1: 8}) == "# depth 1: 8\nposition"
