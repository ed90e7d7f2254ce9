"""Where each panel lies, as data: `goldens/rectangles.xz`, which `python -m tests.tui.cells rectangles` writes anew.

It has the column, row, width and height of each panel by edition, seats, size of the terminal and section, or `guided`
for a lesson.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path

from textual.geometry import Region
from textual.pilot import Pilot

from wasabi_tx.lessons.progress import Progress
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.widgets.painted import Painted

from .memory_games import MemoryGames, app_at
from .on_screen import table_of

FILE = Path(__file__).parent / "goldens" / "rectangles.xz"
GUIDED = "guided"
Places = dict[str, Region]


@cache
def _kept() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = json.loads(lzma.decompress(FILE.read_bytes()))
    return found


def _key(edition: str, seats: int, size: tuple[int, int], section: str) -> str:
    return f"{edition} {seats} {size[0]}x{size[1]} {section}"


def kept(edition: str, seats: int, size: tuple[int, int], section: str) -> Places:
    """Return the expected place of each panel."""
    return {name: Region(*place) for name, place in _kept()[_key(edition, seats, size, section)].items()}


def sizes_of(edition: str, seats: int, section: str) -> list[tuple[int, int]]:
    """Return the sizes of the terminal for which the places are kept."""
    named = (key.split() for key in _kept())
    found = (size.split("x") for *of, size, shown in named if (*of, shown) == (edition, str(seats), section))
    return sorted((int(width), int(height)) for width, height in found)


def app_of(edition: str, seats: int, section: str) -> WasabiApp:
    """Return the app at a table, or in a lesson."""
    if section == GUIDED:
        return WasabiApp(MemoryGames(reached=Progress(lessons={edition: 2})), language="en", lesson=edition)
    return app_at(14, seed="picture", edition=edition, bots=seats - 1)


async def places(pilot: Pilot[None], size: tuple[int, int]) -> Places:
    """Return the place of each panel in a terminal of this size."""
    await pilot.resize_terminal(*size)
    table = table_of(pilot.app).table  # type: ignore[arg-type]
    while table.size != size or table.arranging:
        await pilot.pause()
    return {one.id or "": one.region for one in table.query(Painted) if one.display and one.region.area}


async def write() -> int:
    """Measure all places, keep them, and return how many tables differ from before."""
    found = {}
    for edition, seats, section in sorted({(of[0], int(of[1]), of[3]) for of in map(str.split, _kept())}):
        app = app_of(edition, seats, section)
        async with app.run_test(size=(80, 24)) as pilot:
            for size in sizes_of(edition, seats, section):
                await places(pilot, size)
                if section != GUIDED:
                    table_of(app).table.section = section
                shown = await places(pilot, size)
                found[_key(edition, seats, size, section)] = {name: list(place) for name, place in shown.items()}
    changed = sum(found[key] != before for key, before in _kept().items())
    if changed:
        FILE.write_bytes(lzma.compress(json.dumps(found, sort_keys=True).encode(), preset=9))
    return changed
