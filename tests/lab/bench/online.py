"""Load on the event loop while four play online, three of them bots: `python -m tests.lab.bench.online`.

From the sealed shuffle to the last move, over the embedded broker; fails if a callback ever takes more of its thread's
time than `LONGEST_CALLBACK`.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tempfile
import time

from tests.lab.bench.tui import LONGEST_CALLBACK, Callbacks, Terminal
from tests.ports import own_port
from tests.tui.memory_games import choose
from tests.tui.on_screen import table_of
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.app.values import TableWish
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.table.screen import TableScreen

SEATS = 4


def _at_table(app: WasabiApp) -> bool:
    return any(isinstance(screen, TableScreen) and hasattr(screen, "followed") for screen in app.screen_stack)


async def _play(app: WasabiApp) -> None:
    """Send what a good player would; its thinking is not the screen's work."""
    table = table_of(app)
    while not table.followed.over:
        plan = table.followed.plan
        if plan is not None:
            bundle = await asyncio.to_thread(choose, plan.draft.base, "bench")
            for step in bundle.steps:
                plan.add(step)
            await table.action_send()
        await asyncio.sleep(0.01)


async def measure(edition: str) -> dict[str, float]:
    online = OnlineTables(bind="127.0.0.1", port=own_port())
    wish = TableWish(edition=edition, seats=SEATS, least=SEATS, bots=SEATS - 1, level="easy", welcome=True)
    setup, play = Callbacks(), Callbacks()
    begin = time.perf_counter()
    try:
        with setup.timed():
            table = await online.host(wish, Texts("en"))
            app = WasabiApp(LocalGames("en"), language="en", table=table)
            app.driver_class = Terminal
            task = asyncio.create_task(app.run_async(size=(120, 40), headless=False, mouse=False))
            while not app.is_running or not _at_table(app):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        ready = time.perf_counter()
        with play.timed():
            await _play(app)
        ended = time.perf_counter()
        app.exit()
        await task
    finally:
        await online.close()
    return {
        f"{edition} setup longest callback ms": setup.longest * 1000,
        f"{edition} setup seconds": ready - begin,
        f"{edition} play longest callback ms": play.longest * 1000,
        f"{edition} play callbacks": float(play.count),
        f"{edition} play seconds": ended - ready,
    }


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="wasabi-bench-") as home:
        os.environ["WASABI_TX_HOME"] = home
        gc.freeze()  # As the app does when it is run.
        figures = asyncio.run(measure("classic")) | asyncio.run(measure("master"))
    for name, value in figures.items():
        print(f"{name:36} {value:8.2f}")
    slow = [name for name, value in figures.items() if "longest" in name and value > LONGEST_CALLBACK * 1000]
    if slow:
        sys.exit(f"more than {LONGEST_CALLBACK * 1000:.0f} ms: {', '.join(slow)}")


if __name__ == "__main__":
    main()
