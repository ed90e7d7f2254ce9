"""Runs the app in a terminal, from its start to its end."""

from __future__ import annotations

import asyncio
import gc
import os
import select
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..app.local_games import LocalGames
    from ..app.online_tables import OnlineTables
    from ..app.values import Opened
    from ..games.transcript import Transcript
    from ..online.online_table import OnlineTable
    from ..puzzles.puzzle import Puzzle
    from .app import WasabiApp

STDIN = 0
Close = Callable[[], Awaitable[None]]


def _app_class() -> type[WasabiApp]:
    """Import the app with garbage collection disabled, which saves a tenth of the start-up time."""
    gc.disable()
    from .app import WasabiApp

    return WasabiApp


def _end_with_terminal() -> None:
    """End the program as SIGHUP does when its terminal is gone, even if nobody sends the signal.

    Otherwise Textual would read the end of its input for ever, and wait for ever to write.
    """
    if sys.platform != "win32" and os.isatty(STDIN):
        terminal = select.poll()
        terminal.register(STDIN, 0)
        if any(event & select.POLLHUP for _, event in terminal.poll()):
            os.kill(os.getpid(), signal.SIGHUP)


async def _run_in_loop(app: WasabiApp, close: Close | None = None) -> None:
    """Run the app and raise its error here, so that the caller can explain it in one sentence."""
    # What is imported by now stays: a full collection would go through all of it and stop the screen for 70 ms.
    gc.freeze()
    gc.enable()
    for name in ("COLUMNS", "LINES"):
        # Some shells export the size that they began with, and it would be believed before the terminal itself.
        os.environ.pop(name, None)
    if sys.platform != "win32":
        # Our parent may have blocked or ignored the signals of a closed or resized terminal.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP, signal.SIGTERM, signal.SIGWINCH})
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.exit)
        threading.Thread(target=_end_with_terminal, name="terminal", daemon=True).start()
    try:
        await app.run_async()
    finally:
        if close is not None:
            await close()
    # In public there is only a `return_code`, which does not say what went wrong.
    if app._exception is not None:
        raise app._exception


def _run(app: WasabiApp, close: Close | None = None) -> WasabiApp:
    asyncio.run(_run_in_loop(app, close))
    return app


def run_home(
    games: LocalGames,
    *,
    language: str | None = None,
    colours: int = 1 << 24,
    online: Callable[[], OnlineTables] | None = None,
    newcomer: str | None = None,
    lobby: str | None = None,
    anybody: str | None = None,
) -> WasabiApp:
    """Run the home screen; `newcomer` is the suggested name of a person who starts for the first time.

    With an address, or an empty one for the broker of the settings, the `lobby` there is open above it; with an
    edition, `anybody` is sought.
    """
    app = _app_class()(
        games, language=language, colours=colours, online=online, newcomer=newcomer, lobby=lobby, anybody=anybody
    )
    return _run(app, app.leave_tables)


def run_game(games: LocalGames, opened: Opened, *, language: str | None = None, colours: int = 1 << 24) -> WasabiApp:
    """Run one game until it is closed; it stays saved."""
    return _run(_app_class()(games, opened=opened, language=language, colours=colours))


def run_lesson(games: LocalGames, course: str, *, language: str | None = None, colours: int = 1 << 24) -> WasabiApp:
    """Run a course, resumed where it was left; a game played after it stays saved."""
    return _run(_app_class()(games, lesson=course, language=language, colours=colours))


def run_puzzles(
    games: LocalGames, puzzles: Iterator[Puzzle], *, language: str | None = None, colours: int = 1 << 24
) -> WasabiApp:
    """Run puzzles one after the other until the user leaves."""
    return _run(_app_class()(games, puzzles=puzzles, language=language, colours=colours))


def run_replay(
    games: LocalGames, transcript: Transcript, file: str, *, language: str | None = None, colours: int = 1 << 24
) -> WasabiApp:
    """Replay a saved game step by step."""
    return _run(_app_class()(games, replay=transcript, replay_file=file, language=language, colours=colours))


async def run_table(
    games: LocalGames, table: OnlineTable, *, close: Close, language: str | None = None, colours: int = 1 << 24
) -> None:
    """Run an online table on the current loop until it is left; raise `Failure` if there is no game for us."""
    app = _app_class()(games, language=language, colours=colours, table=table)
    await _run_in_loop(app, close)
    if app.refused is not None:
        raise app.refused
