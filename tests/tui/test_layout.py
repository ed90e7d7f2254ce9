"""The layout: the largest tiles that fit, and every panel at its place for every size, edition and number of seats.

The places are kept as data, `goldens/rectangles.xz`: what each panel's columns and rows are, by edition, seats, size
of the terminal and section, or `guided` for a lesson.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from wasabi_tx.lessons.progress import Progress
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.tiles import HUGE, LARGE, MIDDLE, SMALL, SMALL_WIDE, TINY, Size
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.shape import SECTIONS, Room, choose_shape

from .memory_games import MemoryGames, app_at
from .on_screen import table_of

Places = dict[str, Region]
QUICK = ((40, 15), (60, 20), (80, 24), (100, 32), (100, 40), (120, 40), (160, 50), (190, 49), (200, 50))


@cache
def _kept() -> dict[str, dict[str, list[int]]]:
    file = Path(__file__).parent / "goldens" / "rectangles.xz"
    found: dict[str, dict[str, list[int]]] = json.loads(lzma.decompress(file.read_bytes()))
    return found


def _sizes() -> list[tuple[int, int]]:
    named = {key.split()[2] for key in _kept()}
    return sorted((int(width), int(height)) for width, height in (one.split("x") for one in named))


def kept(edition: str, seats: int, size: tuple[int, int], section: str) -> Places:
    """Return the expected place of each panel."""
    places = _kept()[f"{edition} {seats} {size[0]}x{size[1]} {section}"]
    return {name: Region(*place) for name, place in places.items()}


async def places(pilot: Pilot[None], size: tuple[int, int]) -> Places:
    """Return the place of each panel in a terminal of this size."""
    await pilot.resize_terminal(*size)
    table = table_of(pilot.app).table  # type: ignore[arg-type]
    while table.size != size or table.arranging:
        await pilot.pause()
    return {one.id or "": one.region for one in table.query(Painted) if one.display and one.region.area}


async def check(app: WasabiApp, edition: str, seats: int, sizes: list[tuple[int, int]], guided: bool = False) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        for size in sizes:
            found = await places(pilot, size)
            case = (edition, seats, size)
            assert found == kept(edition, seats, size, "guided" if guided else "board"), case
            assert all(size[0] >= one.right and size[1] >= one.bottom for one in found.values()), case
            for one, other in combinations(found, 2):
                assert not found[one].overlaps(found[other]), (case, one, other)


@pytest.mark.grid
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_every_panel_lies_where_it_belongs(edition: str, seats: int) -> None:
    await check(app_at(14, seed="picture", edition=edition, bots=seats - 1), edition, seats, list(QUICK))


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_every_panel_lies_where_it_belongs_at_every_size(edition: str, seats: int) -> None:
    await check(app_at(14, seed="picture", edition=edition, bots=seats - 1), edition, seats, _sizes())


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
async def test_a_lesson_has_its_guide_where_it_belongs(edition: str) -> None:
    games = MemoryGames(reached=Progress(lessons={edition: 2}))
    await check(WasabiApp(games, language="en", lesson=edition), edition, 2, list(QUICK), guided=True)


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
