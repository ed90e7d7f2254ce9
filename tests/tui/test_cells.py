"""Every cell of every screen is as it was when its picture was accepted; see `tests.tui.cells`."""

from __future__ import annotations

import pytest

from .cell_scenes import SCENES
from .cells import SIZES, THEMES, differences, golden, pictures, read, unified, written

QUICK = ("home", "settings", "table-classic", "book", "ending", "room")


async def compare(name: str, theme: str) -> None:
    before = golden(name)
    told, words = [], ""
    for size, now in (await pictures(name, theme)).items():
        case = f"{theme} {size}"
        told += differences(case, before[case], now)
        words = words or unified(before[case], now)
    assert not told, "\n".join([*told, words, f"Looked at and better? python -m tests.tui.cells {name}"])


@pytest.mark.parametrize("name", QUICK)
async def test_the_main_screens_look_as_they_did(name: str) -> None:
    await compare(name, "omakase")


@pytest.mark.long
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
async def test_every_screen_looks_as_it_did(name: str, theme: str) -> None:
    await compare(name, theme)


@pytest.mark.grid
@pytest.mark.parametrize("name", SCENES)
def test_a_golden_has_every_size_and_theme_and_is_read_as_it_was_written(name: str) -> None:
    taken = golden(name)
    assert set(taken) == {f"{theme} {width}x{height}" for theme in THEMES for width, height in SIZES}
    for case, picture in taken.items():
        width, height = map(int, case.split()[1].split("x"))
        assert [len(row) for row in picture] == [width] * height, case
    assert read(written(taken)) == taken
