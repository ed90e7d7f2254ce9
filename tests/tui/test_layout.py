"""The layout: the largest tiles that fit, and every panel at its place for every size, edition and number of seats.

The places are kept as data: see `rectangles.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from wasabi_tx.tui.tiles import HUGE, LARGE, MIDDLE, SMALL, SMALL_WIDE, TINY, Size
from wasabi_tx.tui.widgets.table.shape import SECTIONS, Room, choose_shape

from .memory_games import app_at
from .rectangles import GUIDED, app_of, kept, places, sizes_of

QUICK = ((40, 15), (60, 20), (80, 24), (100, 32), (100, 40), (120, 40), (160, 50), (190, 49), (200, 50))


async def check(edition: str, seats: int, sizes: Sequence[tuple[int, int]], section: str = SECTIONS[0]) -> None:
    app = app_of(edition, seats, section)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in sizes:
            found = await places(pilot, size)
            case = (edition, seats, size)
            assert found == kept(edition, seats, size, section), case
            assert all(size[0] >= one.right and size[1] >= one.bottom for one in found.values()), case
            for one, other in combinations(found, 2):
                assert not found[one].overlaps(found[other]), (case, one, other)


@pytest.mark.grid
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_every_panel_lies_where_it_belongs(edition: str, seats: int) -> None:
    await check(edition, seats, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_every_panel_lies_where_it_belongs_at_every_size(edition: str, seats: int) -> None:
    """Share the sizes out: each number of seats has a third of them, and all have all."""
    await check(edition, seats, sizes_of(edition, seats, SECTIONS[0])[seats - 2 :: 3])


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_a_lesson_has_its_guide_where_it_belongs(edition: str) -> None:
    await check(edition, 2, QUICK, GUIDED)


@pytest.mark.parametrize("size", [(40, 15), (60, 20), (79, 24)])
async def test_the_sections_of_a_small_terminal_lie_where_they_belong(size: tuple[int, int]) -> None:
    app = app_at(14, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        for section in SECTIONS:
            assert await places(pilot, size) == kept("classic", 4, size, section), section
            await pilot.press("tab")


@pytest.mark.parametrize(
    ("terminal", "columns", "size"),
    [
        ((200, 50), 7, HUGE), ((120, 40), 7, LARGE), ((110, 40), 6, LARGE), ((100, 40), 5, LARGE),
        ((100, 32), 7, MIDDLE), ((80, 24), 7, SMALL), ((80, 24), 5, SMALL_WIDE), ((79, 24), 7, TINY),
        ((40, 15), 7, TINY),
    ],
)  # fmt: skip
def test_the_size_of_tiles_follows_the_terminal(terminal: tuple[int, int], columns: int, size: Size) -> None:
    shape = choose_shape(Room(*terminal, columns, 6, columns - 3, hand=True))
    assert (shape.tiles, shape.fits) == (size, True)


def test_a_terminal_that_is_too_small_has_no_room_for_a_table() -> None:
    assert not choose_shape(Room(39, 15, 7, 6, 4, hand=True)).fits
    assert not choose_shape(Room(40, 14, 7, 6, 4, hand=True)).fits


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_beside_a_board_of_middle_size_each_player_has_two_rows(seats: int) -> None:
    shape = choose_shape(Room(100, 32, seats + 3, 6, seats, hand=True))
    assert (shape.tiles, shape.deep) == (MIDDLE, 2)
