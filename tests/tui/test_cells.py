"""Every cell of every screen is as it was when its picture was accepted; see `tests.tui.cells`."""

from __future__ import annotations

import pytest

from .cell_scenes import SCENES
from .cells import HERE, SIZES, THEMES, differences, golden, known_places, pictures, read, unified, written
from .every_screen import places, watched

QUICK = ("home", "settings", "table-classic", "book", "ending", "room")


ELSEWHERE = ((80, 24),)
"""The size at which the other themes are compared: they change colours, and the first theme shows every shape."""


async def compare(name: str, theme: str) -> None:
    before = golden(name)
    told, words = [], ""
    with watched() as made:
        taken = await pictures(name, theme, SIZES if theme == "omakase" else ELSEWHERE)
    for size, now in taken.items():
        case = f"{theme} {size}"
        told += differences(case, before[case], now)
        words = words or unified(before[case], now)
    assert not told, "\n".join([*told, words, f"Looked at and better? python -m tests.tui.cells {name}"])
    assert {one.place for one in made} == known_places()[name], "python -m tests.tui.cells notes them"


def test_every_place_in_the_code_that_makes_a_screen_has_a_scene() -> None:
    assert places() == set().union(*known_places().values()), "add it to SCENES"


def test_every_scene_has_a_golden_and_every_golden_a_scene() -> None:
    assert set(known_places()) == set(SCENES)
    assert {path.stem for path in HERE.glob("*.xz")} - {"rectangles"} == set(SCENES)


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
