"""The moving picture in the README, from the running app: `python -m tests.lab.pictures.moving [FILE]`.

The app is driven by keys, and each picture that it composes is kept with the time for which it would stay. Librsvg and
FFmpeg, of the system's packages, make one file of them: `apt install librsvg2-bin ffmpeg`.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot

from tests.tui.memory_games import MemoryGames, app_at, played
from tests.tui.on_screen import table_of
from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens import ending, home
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.svg import svg_of
from wasabi_tx.view.rivals import seat_players

FILE = Path(__file__).parents[3] / "docs" / "pictures" / "game.gif"
MOST_BYTES = 3_000_000
SIZE = (120, 40)
SEED, TURN, LAST = "ebi", 18, 58
"""A game in which you complete a recipe, a rival uses Wasabi! in the same round, and you win by the last turn."""
FIRST, FINAL = ("3", "a", "3"), ("1", "f", "6")
"""The keys that put down a tile in each of these turns."""
BELT_STEPS = 16
KEY, TYPED, LOOK, RESULT = 0.7, 0.3, 1.6, 5.0
"""Seconds before a key that decides something, before one of a square's name, on a new screen, and on the result."""
SETTINGS = Settings("en", pace="slow", bell=False, notes=False)
NEVER = 1e9


@dataclass
class Film:
    """Pictures of one app, each with the seconds for which it stays."""

    pictures: list[tuple[str, float]] = field(default_factory=list)

    def add(self, app: WasabiApp, seconds: float) -> None:
        """Keep what is on the screen; an unchanged one stays longer."""
        svg = svg_of(app.screen._compositor.render_strips(), SIZE[0])
        if self.pictures and self.pictures[-1][0] == svg:
            seconds += self.pictures.pop()[1]
        self.pictures.append((svg, seconds))


class Stage:
    """An app that runs on the film's time: it continues once its picture has been taken."""

    def __init__(self, app: WasabiApp, pilot: Pilot[None], film: Film) -> None:
        self.app, self.pilot, self.film = app, pilot, film
        self._shown = asyncio.Event()
        self._waits: float | None = None

    async def _sleep(self, seconds: float) -> None:
        self._waits = seconds
        self._shown.clear()
        await self._shown.wait()

    async def press(self, key: str, after: float) -> None:
        """Show the screen for this many seconds, then press a key and show what moves."""
        self.film.add(self.app, after)
        await self.pilot.press(key)
        await self.roll()

    async def roll(self) -> None:
        """Film the table until it is our turn, or the game is over."""
        table = table_of(self.app)
        motion, game = table.moving.motion, table.opened.game
        motion.sleep = self._sleep
        await self.pilot.pause()
        while not isinstance(self.app.screen, EndPage):
            if self._waits is not None:
                seconds, self._waits = self._waits, None
                self.film.add(self.app, seconds)
                self._shown.set()
            elif motion.flash is None and (game.position.mover == 0 or game.position.outcome is not None):
                break
            await self.pilot.pause()

    async def turn(self, keys: Sequence[str]) -> None:
        """Put down a tile by keys, then do what the green button says until the others have moved."""
        game = table_of(self.app).opened.game
        mine = game.position.turn
        self.film.add(self.app, LOOK)
        for number, key in enumerate(keys):
            await self.press(key, TYPED if number else KEY)
        while game.position.outcome is None and game.position.turn == mine:
            await self.press("enter", KEY)


@asynccontextmanager
async def on_stage(app: WasabiApp, film: Film) -> AsyncIterator[Stage]:
    # Timers of the app stand still: a picture is taken of each of their steps.
    with (
        patch.object(home, "BELT_STEP", NEVER),
        patch.object(home, "BELT_RUNS", 2 * NEVER * BELT_STEPS),
        patch("wasabi_tx.tui.screens.table.screen.monotonic", lambda: 0.0),
    ):
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            yield Stage(app, pilot, film)


async def film() -> list[tuple[str, float]]:
    """Return the pictures of home with its belt, one round of a game, its last turn and its result."""
    players = seat_players(["Ana"], ("Udon", "Mochi", "Miso"), "normal", "")
    games, kept, step = MemoryGames(SETTINGS), Film(), home.BELT_STEP
    games.take_up(*played(TURN, "classic", players, SEED))
    async with on_stage(WasabiApp(games, language="en"), kept) as stage:
        page = stage.app.screen
        assert isinstance(page, HomeScreen)
        for _ in range(BELT_STEPS):
            page.move_belt()
            await stage.pilot.pause()
            kept.add(stage.app, step)
        await stage.press("c", step)
        await stage.turn(FIRST)
        kept.add(stage.app, LOOK)
    last = app_at(LAST, players=players, seed=SEED, settings=SETTINGS)
    async with on_stage(last, kept) as stage:
        await stage.turn(FINAL)
        result = stage.app.screen
        assert isinstance(result, EndPage)
        result._rises.pause()
        while result._shown < 1.0:
            kept.add(stage.app, ending.TICK)
            result._rise()
            await stage.pilot.pause()
        kept.add(stage.app, RESULT)
    return kept.pictures


def encode(pictures: Sequence[tuple[str, float]], file: Path) -> None:
    """Make one endless GIF; each picture has its own duration."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda one: _raster(folder, *one), enumerate(svg for svg, _ in pictures)))
        # The last one is there twice: what ends a list takes the time of the one before.
        (last, stays) = pictures[-1]
        timed = [*pictures[:-1], (last, stays / 2), (last, stays / 2)]
        lines = [
            f"file '{min(number, len(pictures) - 1):04}.png'\nduration {seconds:.2f}"
            for number, (_, seconds) in enumerate(timed)
        ]
        (folder / "list.txt").write_text("\n".join(lines), encoding="utf-8")
        colours = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"
        reads = ("ffmpeg", "-loglevel", "error", "-y", "-f", "concat", "-i", str(folder / "list.txt"))
        subprocess.run([*reads, "-vf", colours, "-fps_mode", "passthrough", "-loop", "0", str(file)], check=True)


def _raster(folder: Path, number: int, svg: str) -> None:
    target = folder / f"{number:04}.png"
    subprocess.run(["rsvg-convert", "--output", str(target)], input=svg.encode(), check=True)


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    pictures = asyncio.run(film())
    encode(pictures, file)
    size, seconds = file.stat().st_size, sum(seconds for _, seconds in pictures)
    print(f"{file}: {len(pictures)} pictures, {seconds:.0f} s, {size / 1e6:.2f} MB")
    if size > MOST_BYTES:
        sys.exit(f"{file} is larger than {MOST_BYTES / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
