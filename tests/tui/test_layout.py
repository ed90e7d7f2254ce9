"""The layout: the largest tiles that fit, and panels that neither overlap nor leave the screen."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from wasabi_tx.tui.layout import SECTIONS, Layout, Rect, choose_layout
from wasabi_tx.tui.tiles import HUGE, LARGE, MIDDLE, SMALL, SMALL_WIDE, TINY, Size


@pytest.mark.parametrize(
    ("terminal", "columns", "size"),
    [
        ((200, 50), 7, HUGE), ((120, 40), 7, LARGE), ((110, 40), 6, LARGE), ((100, 40), 5, LARGE),
        ((100, 32), 7, MIDDLE), ((80, 24), 7, SMALL), ((80, 24), 5, SMALL_WIDE), ((79, 24), 7, TINY),
        ((40, 15), 7, TINY),
    ],
)  # fmt: skip
def test_the_size_of_tiles_follows_the_terminal(terminal: tuple[int, int], columns: int, size: Size) -> None:
    layout = choose_layout(*terminal, columns, 6, columns - 3, hand=True, section="board")
    assert layout is not None
    assert layout.tiles == size


def test_a_terminal_that_is_too_small_has_no_layout() -> None:
    assert choose_layout(39, 15, 7, 6, 4, hand=True, section="board") is None
    assert choose_layout(40, 14, 7, 6, 4, hand=True, section="board") is None


def _layouts() -> list[tuple[int, int, Layout]]:
    found = []
    for seats, rows in product((2, 3, 4), (4, 6, 7)):
        for hand in (True, False):
            for section in SECTIONS:
                for width in (40, 60, 79, 80, 88, 100, 119, 120, 140, 189, 200, 260):
                    for height in (15, 20, 23, 24, 28, 31, 32, 39, 40, 45, 48, 50, 70):
                        layout = choose_layout(width, height, seats + 3, rows, seats, hand, section)
                        assert layout is not None
                        found.append((width, height, layout))
    return found


def test_where_there_is_most_room_the_race_is_beside_the_board_and_else_where_rows_are_left() -> None:
    for width, height, layout in _layouts():
        race = layout.rects.get("race")
        assert race is not None or layout.tiles != HUGE
        assert race is None or race.height >= 7, (width, height)
    tall = choose_layout(160, 50, 7, 6, 4, hand=True, section="board")
    assert tall is not None
    assert "race" in tall.rects


def test_few_rows_of_a_large_terminal_are_left_empty() -> None:
    """Below the hand, the pantry and the story there is at most a gap, whatever the number of rows."""
    for width, height, layout in _layouts():
        if layout.name in ("large", "huge"):
            lowest = max(rect.y + rect.height for name, rect in layout.rects.items() if name not in ("bar", "keys"))
            assert layout.rects["bar"].y - lowest <= 2, (width, height, layout.name)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_beside_a_board_of_middle_size_each_player_has_two_rows(seats: int) -> None:
    layout = choose_layout(100, 32, seats + 3, 6, seats, hand=True, section="board")
    assert layout is not None
    assert layout.tiles == MIDDLE
    assert layout.player_rows == 2
    assert layout.rects["players"].height > 2 * seats


def test_no_panel_leaves_the_screen_and_none_lies_on_another() -> None:
    for width, height, layout in _layouts():
        for name, rect in layout.rects.items():
            where = (width, height, layout.name, name, rect)
            assert rect.x >= 0, where
            assert rect.y >= 0, where
            assert rect.width > 0, where
            assert rect.height >= 0, where
            assert rect.x + rect.width <= width, where
            assert rect.y + rect.height <= height, where
        for (one, first), (other, second) in combinations(layout.rects.items(), 2):
            assert not _overlap(first, second), (width, height, layout.name, one, first, other, second)


def _overlap(one: Rect, other: Rect) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height
