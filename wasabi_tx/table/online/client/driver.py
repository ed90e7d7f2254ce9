"""Runs a client over a transport: one thing after another, curve work off the loop, words in the order said."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import UnionType
from typing import TypeVar

from ....engine.observe import Observation
from ....net.transport import Arrived, Connected, Lost, Transport, TransportEvent
from ...game import Ready
from . import events as table_news
from .client import Client, Event

T = TypeVar("T")
TICK = 0.25
MOST_AT_ONCE = 64
TELL_TROUBLE = 60.0


@dataclass(frozen=True)
class Snapshot:
    """What the loop may read while the client works in its thread."""

    observation: Observation | None = None
    my_turn: bool = False
    slot: int = 0
    over: bool = False
    settled: bool = False


class Driver:
    """Owns a client and its connection. The client is touched by one thread at a time, never by the loop's."""

    def __init__(self, client: Client, transport: Transport) -> None:
        self.client = client
        self.transport = transport
        self.snapshot = Snapshot()
        self.up = False
        self.lost = ""
        """Why there is no connection, if there is none."""
        self._filters: list[str] = []
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        self._news: asyncio.Queue[TransportEvent] = asyncio.Queue()
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="table")
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._closed = False
        self._trouble = ""
        self._trouble_due = 0.0
        self._failure: BaseException | None = None
        client.mail.hurry = self._carry

    async def open(self) -> None:
        """Starts to connect; returns at once."""
        self._filters = self.client.filters
        self.transport.subscribe(self._filters)
        self.transport.open()
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._work())]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        await self.do(lambda client, now: client.tick(now))

    async def _read(self) -> None:
        async for item in self.transport.events():
            self._news.put_nowait(item)

    async def _work(self) -> None:
        while True:
            batch: list[TransportEvent] = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    batch.append(await self._news.get())
            while not self._news.empty() and len(batch) < MOST_AT_ONCE:
                batch.append(self._news.get_nowait())
            for item in batch:
                if isinstance(item, Connected):
                    self.up, self.lost = True, ""
                elif isinstance(item, Lost):
                    self.up, self.lost = False, item.reason
            with contextlib.suppress(OSError):
                await self.do(lambda client, now, batch=batch: _feed(client, batch, now))  # type: ignore[misc]

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A mistake of ours must not look like a game in which nothing happens: whoever waits gets it."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = error
            self._events.put_nowait(None)
            self._changed.set()

    async def do(self, action: Callable[[Client, float], T]) -> T:
        """Lets the client do something in its thread, then sends what it says and tells what happened."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            try:
                return await loop.run_in_executor(self._thread, self._run, action)
            except OSError as error:
                self._tell_trouble(error.strerror or str(error))
                raise
            finally:
                self._settle()

    def _tell_trouble(self, reason: str) -> None:
        """Once a minute for one reason: it is tried several times a second."""
        now = time.monotonic()
        if reason != self._trouble or now >= self._trouble_due:
            self._trouble, self._trouble_due = reason, now + TELL_TROUBLE
            self._events.put_nowait(table_news.Trouble(reason))

    def _run(self, action: Callable[[Client, float], T]) -> T:
        try:
            return action(self.client, time.monotonic())
        finally:
            self._next = snapshot_of(self.client)

    def _carry(self) -> None:
        for publication in self.client.outgoing:
            self.transport.publish(publication)

    def _settle(self) -> None:
        self._carry()
        wanted = self.client.filters
        if wanted != self._filters:
            # What is no longer wanted is dropped last, so that nothing is missed between.
            self.transport.subscribe([each for each in wanted if each not in self._filters])
            self.transport.unsubscribe([each for each in self._filters if each not in wanted])
            self._filters = wanted
        before, self.snapshot = self.snapshot, self._next
        for event in self.client.take_events():
            self._events.put_nowait(event)
        if self.snapshot.my_turn and not before.my_turn:
            self._events.put_nowait(Ready())
        if self.snapshot.over and not before.over:
            self._events.put_nowait(table_news.Over())
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Waits until something may be different."""
        await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    async def until(self, condition: Callable[[Snapshot], bool]) -> None:
        while not condition(self.snapshot) and not self._closed:
            await self.changed()

    async def next_event(self) -> Event | None:
        """What happened next; None once this is closed. For one reader."""
        event = await self._events.get()
        if event is None and self._failure is not None and not self._closed:
            raise self._failure
        return event

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens from now on, until `close`."""
        while (event := await self.next_event()) is not None:
            yield event

    def forget(self, kinds: UnionType) -> None:
        """Leaves out what nobody has read yet and is known otherwise."""
        waiting = [self._events.get_nowait() for _ in range(self._events.qsize())]
        for event in waiting:
            if not isinstance(event, kinds):
                self._events.put_nowait(event)

    @property
    def closed(self) -> bool:
        return self._closed

    async def close(self) -> None:
        """Says goodbye; what was played is on disk."""
        if self._closed:
            return
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(OSError):
            await self.do(lambda client, _now: client.close())
        await self.transport.close()
        self._thread.shutdown()
        self._events.put_nowait(None)
        self._changed.set()


def _feed(client: Client, batch: list[TransportEvent], now: float) -> None:
    """All of it, whatever one of them leads to: what comes after a full disk must not be lost for that."""
    failed: OSError | None = None
    for item in batch:
        try:
            _feed_one(client, item, now)
        except OSError as error:
            failed = error
    client.tick(now)
    if failed is not None:
        raise failed


def _feed_one(client: Client, item: TransportEvent, now: float) -> None:
    match item:
        case Arrived(topic, payload, retained):
            client.receive(topic, payload, retained, now)
        case Connected():
            client.connected(now)
        case Lost(reason):
            client.lost(reason, now)


def snapshot_of(client: Client) -> Snapshot:
    """Values only: nothing in it changes any more."""
    playing = client.playing
    if playing is None or playing.laid is None:
        return Snapshot()
    session = playing.session
    mine = "bundle" in session.owes and not playing.laid.owed and not playing.leaving
    free = not session.ballots.bound() and not playing.asking.catching_up and session.heads.other_run is None
    return Snapshot(
        playing.observation(), mine and free, session.log.head.number, playing.over, session.state.outcome is not None
    )
