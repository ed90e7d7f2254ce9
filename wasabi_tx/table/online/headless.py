"""Players and watchers without a screen: a bot in a seat, and somebody who only follows to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

from ...bots.levels import find_bot
from ...engine.errors import RulesError
from ..bot_process import NODES
from .client import events as table_events
from .client.client import Event
from .result import OnlineResult, result_of
from .tables import Attendance

Tell = Callable[[Event], None]


@dataclass(frozen=True)
class Habits:
    """How a bot plays: how well, how slowly so that people can follow, and after which slot it has had enough."""

    level: str = "normal"
    pace: float = 0.0
    leaves_at: int | None = None


class CannotGoOn(Exception):
    """There will be no game here for us; the event says why."""

    def __init__(self, event: table_events.CannotPlay | table_events.HostBroken) -> None:
        super().__init__(event)
        self.event = event


async def play_bot(attendance: Attendance, habits: Habits, tell: Tell = lambda _event: None) -> OnlineResult | None:
    """Plays the seat to the end of the game, stays as long as others need it, and says what came of it."""
    return await _to_the_end(attendance, tell, _think(attendance, habits))


async def follow(attendance: Attendance, tell: Tell = lambda _event: None) -> OnlineResult | None:
    """Watches a game to its end."""
    return await _to_the_end(attendance, tell)


async def _to_the_end(attendance: Attendance, tell: Tell, *work: Coroutine[Any, Any, None]) -> OnlineResult | None:
    """Waits for the end while other things go on; if one of them fails, so does this."""
    ending = asyncio.create_task(_end(attendance))
    tasks: list[asyncio.Task[Any]] = [ending, asyncio.create_task(_tell(attendance, tell))]
    tasks += [asyncio.create_task(each) for each in work]
    try:
        pending = set(tasks)
        while not ending.done():
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        return ending.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _tell(attendance: Attendance, tell: Tell) -> None:
    async for event in attendance.driver.events():
        if (
            isinstance(event, table_events.CannotPlay | table_events.HostBroken)
            and attendance.driver.snapshot.observation is None
        ):
            raise CannotGoOn(event)
        tell(event)


async def _think(attendance: Attendance, habits: Habits) -> None:
    driver = attendance.driver
    bot = find_bot(habits.level)
    while True:
        await driver.until(lambda now: now.my_turn or now.over)
        snapshot = driver.snapshot
        view = snapshot.observation
        if snapshot.over or view is None:
            return
        if habits.leaves_at is not None and snapshot.slot >= habits.leaves_at:
            await driver.do(lambda client, now: client.leave(now))
            return
        await asyncio.sleep(habits.pace)
        seed = f"{attendance.table} {view.seat} {snapshot.slot}"
        bundle = await asyncio.to_thread(bot.choose, view, Random(seed), NODES)
        try:
            await driver.do(lambda client, now, bundle=bundle: client.play(bundle, now))  # type: ignore[misc]
        except (RulesError, OSError):
            # Something happened while it was thinking, or the disk is full: it looks again.
            await driver.changed()


async def _end(attendance: Attendance) -> OnlineResult | None:
    driver = attendance.driver
    await driver.until(lambda now: now.over)
    return await finish(attendance)


async def finish(attendance: Attendance) -> OnlineResult | None:
    """Stays until nobody needs us any more; then the seat's file says that it is over."""
    driver = attendance.driver
    while await driver.do(lambda client, now: client.stay(now)):
        await driver.changed()
    return await driver.do(lambda client, _now: None if client.playing is None else result_of(client.playing.session))
