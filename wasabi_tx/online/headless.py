"""Headless players and watchers: a bot in a seat, and a watcher who follows a game to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from wasabi_protocol.table.private import derive

from ..bots.levels import find_bot
from ..engine.errors import RulesError
from ..engine.step import Bundle
from ..games.bot_process import NODES
from ..games.quick_start import in_setup, setup_bundle
from .client import events as table_events
from .client.client import Client, Event
from .online_table import OnlineTable
from .result import OnlineResult
from .terms import QUICK_START

Report = Callable[[Event], None]


@dataclass(frozen=True)
class Habits:
    """A bot's way of playing: its level, its pace so that people can follow, and the slot after which it leaves."""

    level: str = "normal"
    pace: float = 0.0
    leaves_at: int | None = None


class CannotGoOn(Exception):
    """Raised when there will be no game here for us; the event is the reason."""

    def __init__(self, event: table_events.CannotPlay | table_events.HostBroken) -> None:
        super().__init__(event)
        self.event = event


async def play_bot(table: OnlineTable, habits: Habits, report: Report = lambda _event: None) -> OnlineResult | None:
    """Play the seat to the end of the game, stay as long as others need it, and return the result."""
    return await _to_the_end(table, report, _think(table, habits))


async def follow_to_end(table: OnlineTable, report: Report = lambda _event: None) -> OnlineResult | None:
    """Watch a game to its end, and return the result."""
    return await _to_the_end(table, report)


async def rematch_with_people(table: OnlineTable) -> OnlineTable | None:
    """Do a bot's part in a rematch: wish for it once all people do, however late, and go with them."""
    await table.until(lambda now: now.people_wish_rematch or now.all_wish_rematch)
    if table.driver.closed:
        return None
    if not table.snapshot.all_wish_rematch:
        await table.wish_rematch()
    return await table.rematch()


async def _to_the_end(table: OnlineTable, report: Report, *work: Coroutine[Any, Any, None]) -> OnlineResult | None:
    """Wait for the end while other tasks run; fail if one of them fails."""
    ending = asyncio.create_task(_end(table))
    tasks: list[asyncio.Task[Any]] = [ending, asyncio.create_task(_report_events(table, report))]
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


async def _report_events(table: OnlineTable, report: Report) -> None:
    async for event in table.driver.events():
        if isinstance(event, table_events.CannotPlay | table_events.HostBroken) and table.snapshot.observation is None:
            raise CannotGoOn(event)
        report(event)


async def _think(table: OnlineTable, habits: Habits) -> None:
    driver = table.driver
    bot = find_bot(habits.level)
    while True:
        await driver.until(lambda now: now.my_turn or now.over)
        snapshot = driver.snapshot
        view = snapshot.observation
        if snapshot.over or view is None:
            return
        if habits.leaves_at is not None and snapshot.slot >= habits.leaves_at:
            await driver.do(lambda client, now: client.quit(now))
            return
        chance = _chance(table, snapshot.slot)
        if in_setup(view) and QUICK_START in await driver.do(lambda client, _now: client.options):
            # Nobody has to follow a dealt setup.
            bundle = setup_bundle(view, chance)
        else:
            await asyncio.sleep(habits.pace)
            bundle = await asyncio.to_thread(bot.choose, view, chance, NODES)
        try:
            await driver.do(partial(_play, bundle))
        except (RulesError, OSError):
            # Something happened while it was thinking, or the disk is full: try again.
            await driver.changed()


def _chance(table: OnlineTable, slot: int) -> Random:
    """Return a bot's random source, derived from its secrets: nobody can work out its hand by simulating it."""
    seat = table.seat
    assert seat is not None, "somebody who only looks on does not play"
    return Random(derive(seat.seed or seat.secret, f"bot {table.table} {slot}"))


def _play(bundle: Bundle, client: Client, now: float) -> None:
    client.play(bundle, now)


async def _end(table: OnlineTable) -> OnlineResult | None:
    await table.until(lambda now: now.ended)
    while not table.driver.closed and await table.driver.do(lambda client, now: client.goes_on(now)):
        await table.driver.changed()
    return await table.finish()
