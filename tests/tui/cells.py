"""Every cell of every screen, compared with how it looked before: `python -m tests.tui.cells` rewrites the goldens.

A cell is its sign, ink, ground, bold and reverse as a terminal shows them, read from the bytes of one whole frame that
Textual writes. Each screen is resized through five sizes in four themes. Names of screens after the command write those
alone, and what Git then shows is every difference, also at the sizes and in the themes that the tests leave out;
`--show NAME SIZE THEME` prints the words of a golden. `goldens/places.txt` has the places in the code that made
the screens of each scene, and `rectangles` is where the panels of a table lie.
"""

from __future__ import annotations

import asyncio
import difflib
import lzma
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyte
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import Input

from wasabi_tx.app.settings import Settings

from . import rectangles
from .every_screen import watched

HERE = Path(__file__).parent / "goldens"
SIZES = ((80, 24), (40, 15), (120, 40), (160, 50), (200, 60))
"""The first is the one at which the keys of a scene are pressed."""
THEMES = {
    "omakase": Settings("en", "omakase", "letters", reduced_motion=True, bell=False, notes=False),
    "hinoki": Settings("en", "hinoki", "letters", reduced_motion=True, bell=False, notes=False),
    "terminal": Settings("en", "terminal", "letters", reduced_motion=True, bell=False, notes=False),
    "ascii": Settings("en", "monochrome", "ascii", reduced_motion=True, bell=False, notes=False),
}
MOST_ROWS = 12
"""Rows that a difference shows."""
_PRIVATE = re.compile(r"\x1b\[[<>=?][0-9;$]*[a-zA-Z]")
"""Requests that the emulator does not know and would print."""


class Cell(NamedTuple):
    """The visible properties of a cell; a blank one has no ink and no weight."""

    sign: str
    ink: str
    ground: str
    bold: bool
    reverse: bool

    @property
    def look(self) -> str:
        marks = ("b" if self.bold else "") + ("r" if self.reverse else "")
        return f"{self.ink}/{self.ground}/{marks}"


Picture = list[list[Cell]]


class Recorder(HeadlessDriver):
    """A terminal without a screen that keeps what is written to it."""

    written: str = ""

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        Recorder.written += data


async def settle(pilot: Pilot[None]) -> None:
    """Wait until nothing more is written."""
    quiet = 0
    while quiet < 2:
        before = len(Recorder.written)
        await pilot.pause()
        quiet = quiet + 1 if len(Recorder.written) == before else 0


async def take_cells(pilot: Pilot[None], size: tuple[int, int]) -> Picture:
    """Request one whole frame and read its cells."""
    for line in pilot.app.screen.query(Input):
        line.cursor_blink = False
    await settle(pilot)
    Recorder.written = ""
    pilot.app.screen.refresh()
    await settle(pilot)
    screen = pyte.Screen(*size)
    pyte.Stream(screen).feed(_PRIVATE.sub("", Recorder.written))
    return [[_cell(screen.buffer[y][x]) for x in range(size[0])] for y in range(size[1])]


def _cell(one: pyte.screens.Char) -> Cell:
    if one.data == " " and not one.reverse:
        return Cell(" ", "", one.bg, False, False)
    return Cell(one.data, one.fg, one.bg, one.bold, one.reverse)


async def pictures(name: str, theme: str, sizes: Sequence[tuple[int, int]] = SIZES) -> dict[str, Picture]:
    """Show a scene in one theme, resize it through all sizes, and return a picture of each."""
    from .cell_scenes import SCENES

    found = {}
    async with SCENES[name](THEMES[theme]) as pilot:
        for size in sizes:
            if tuple(pilot.app.size) != size:
                await pilot.resize_terminal(*size)
            while pilot.app.screen.outer_size != size:
                await pilot.pause()
            found[f"{size[0]}x{size[1]}"] = await take_cells(pilot, size)
    return found


# Golden files: one compressed text per screen


def written(taken: dict[str, Picture]) -> str:
    """Return the pictures of one screen as text: the words, and numbered styles of runs of cells."""
    looks: dict[str, int] = {}
    lines = []
    for case, picture in taken.items():
        lines.append(f"= {case}")
        for row in picture:
            runs = ((look, len(list(cells))) for look, cells in groupby(cell.look for cell in row))
            coded = " ".join(f"{looks.setdefault(look, len(looks))}*{count}" for look, count in runs)
            lines.append(f"{_signs(row)}\t{coded}")
    return "\n".join([*(f"{number} {look}" for look, number in looks.items()), *lines, ""])


def _signs(row: Sequence[Cell]) -> str:
    """Return the words of the row, with a mark for the second half of a wide sign, which is an empty string."""
    return "".join(cell.sign or "\v" for cell in row)


def read(text: str) -> dict[str, Picture]:
    """Read pictures that `written` has formatted."""
    looks: dict[str, tuple[str, str, bool, bool]] = {}
    taken: dict[str, Picture] = {}
    picture: Picture = []
    for line in text.split("\n")[:-1]:
        if "\t" in line:
            picture.append(_read_row(line, looks))
        elif line.startswith("= "):
            picture = taken[line[2:]] = []
        else:
            number, _, look = line.partition(" ")
            ink, ground, marks = look.split("/")
            looks[number] = (ink, ground, "b" in marks, "r" in marks)
    return taken


def _read_row(line: str, looks: dict[str, tuple[str, str, bool, bool]]) -> list[Cell]:
    signs, _, coded = line.partition("\t")
    expanded = (looks[run.split("*")[0]] for run in coded.split(" ") for _ in range(int(run.split("*")[1])))
    clusters = _clusters(signs)
    return [Cell(sign, *look) for sign, look in zip(clusters, expanded, strict=True)]


def _clusters(signs: str) -> Iterator[str]:
    """Split a row into one string per cell: a character with the marks that combine with it."""
    found = ""
    for char in signs:
        if char == "\v" or pyte.screens.wcwidth(char) != 0:
            if found:
                yield "" if found == "\v" else found
            found = char
        else:
            found += char
    if found:
        yield "" if found == "\v" else found


def golden(name: str) -> dict[str, Picture]:
    """Return the accepted pictures of a screen, by `THEME SIZE`."""
    return read(lzma.decompress((HERE / f"{name}.xz").read_bytes()).decode())


def keep(name: str, taken: dict[str, Picture]) -> None:
    HERE.mkdir(exist_ok=True)
    (HERE / f"{name}.xz").write_bytes(lzma.compress(written(taken).encode(), preset=9))


def known_places() -> dict[str, set[str]]:
    """Return the places in the code that made the screens of each scene."""
    lines = (line.split(": ") for line in (HERE / "places.txt").read_text().splitlines())
    return {name: set(places.split(", ")) for name, places in lines}


def keep_places(name: str, made: set[str]) -> None:
    known = known_places() | {name: made}
    lines = (f"{scene}: {', '.join(sorted(known[scene]))}\n" for scene in sorted(known))
    (HERE / "places.txt").write_text("".join(lines))


# Differences, for people


def differences(case: str, before: Picture, now: Picture) -> list[str]:
    """Return the rows that differ: their words before and now, and the first cell that looks different."""
    if before == now:
        return []
    told = [f"{case}: {sum(a != b for x, y in zip(before, now, strict=True) for a, b in zip(x, y, strict=True))} cells"]
    rows = [y for y, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
    for y in rows[:MOST_ROWS]:
        old, new = before[y], now[y]
        told += (
            [f"  {y:2} before |{_words(old)}|", f"     now    |{_words(new)}|"] if _words(old) != _words(new) else []
        )
        x = next(x for x, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        told.append(f"  {y:2} column {x}: {tuple(old[x])} → {tuple(new[x])}")
    if len(rows) > MOST_ROWS:
        told.append(f"  … and {len(rows) - MOST_ROWS} more rows")
    return told


def _words(row: Sequence[Cell]) -> str:
    return "".join(cell.sign for cell in row)


async def _write(name: str) -> None:
    with watched() as made:
        taken = {f"{theme} {size}": one for theme in THEMES for size, one in (await pictures(name, theme)).items()}
    keep_places(name, {one.place for one in made})
    old = golden(name) if (HERE / f"{name}.xz").exists() else {}
    changed = [case for case in taken if old.get(case) != taken[case]]
    if changed:
        keep(name, taken)
    print(name, f"{len(changed)} of {len(taken)} changed" if changed else "as before", flush=True)


def main() -> None:
    from .cell_scenes import SCENES

    if sys.argv[1:2] == ["--show"]:
        name, size, theme = sys.argv[2:]
        print("\n".join(map(_words, golden(name)[f"{theme} {size}"])))
        return
    for name in sys.argv[1:] or (*SCENES, rectangles.FILE.stem):
        if name == rectangles.FILE.stem:
            print(name, asyncio.run(rectangles.write()), "changed")
        else:
            asyncio.run(_write(name))


def unified(before: Picture, now: Picture) -> str:
    """Return a unified diff of the words of two pictures."""
    return "\n".join(difflib.unified_diff([*map(_words, before)], [*map(_words, now)], "before", "now", n=1))


if __name__ == "__main__":
    # The scenes import this module by its name: run that copy, not a second one as `__main__`.
    from tests.tui.cells import main as run

    run()
