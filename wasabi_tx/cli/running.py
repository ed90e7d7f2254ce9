"""Running a command that lasts: until it is done or somebody stops it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any, TypeVar

import click

from ..app.output import echo
from ..games.game import Unsaved
from ..online.client import events as table_events
from ..online.client.client import Event
from ..online.result import OnlineResult
from ..text import Texts
from ..view.online.waiting_room import room_line

T = TypeVar("T")


def run_until_stopped(main: Callable[[], Awaitable[T]], terminated: int = 130) -> T:
    """Run to the end, or until stopped: then everything is closed in order, and the exit code is 130.

    After a signal to terminate it is `terminated`: for a service, being stopped is not a failure.
    """
    code = 130

    async def stoppable() -> T:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()

        def stop() -> None:
            nonlocal code
            code = terminated
            task.cancel()

        for number in (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ():
            loop.add_signal_handler(number, stop)
        return await main()

    try:
        return asyncio.run(stoppable())
    except (KeyboardInterrupt, asyncio.CancelledError):
        raise click.exceptions.Exit(code) from None


def trouble_teller(texts: Texts) -> Callable[[Event], None]:
    """Return an event handler that reports a host who does not answer, and a game that can no longer be saved."""

    def report(event: Event) -> None:
        if isinstance(event, Unsaved | table_events.NoAnswer):
            echo(f"wasabi-tx: {room_line(event, texts)}", err=True)

    return report


def result_json(result: OnlineResult | None) -> dict[str, Any]:
    return {} if result is None else asdict(result)
