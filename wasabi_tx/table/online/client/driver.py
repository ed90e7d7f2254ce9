"""The driver runs a client over a transport: one thing after another, in a thread of the client's own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from ....engine.observe import Observation
from ....net.transport import Arrived, Connected, Lost, Transport, TransportEvent
from ....text.os_problem import os_problem
from ... import game
from ...ahead import NOTHING, Ahead
from ..keep.situation import Situation
from ..result import OnlineResult
from ..rules.history import History
from . import events as table_events
from .client import Client, Event
from .event_log import log_event
from .talk import player_of

T = TypeVar("T")
# Without a handler of its own a warning would be printed across the screen.
_logger = logging.getLogger(__name__)
_logger.addHandler(logging.NullHandler())

TICK = 0.25
"""Seconds after which a client looks at the clock though nothing arrived."""
MOST_AT_ONCE = 64
TELL_TROUBLE = 60.0


@dataclass(frozen=True)
class Snapshot:
    """What the loop may read while the client works in its thread."""

    begun: bool = False
    """Whether the game has started."""
    observation: Observation | None = None
    """None until the seats are drawn."""
    my_turn: bool = False
    """Whether our person may send a bundle now."""
    shuffled: bool = False
    """Whether there is a table to look at: the seats are drawn, and every deck is sealed."""
    slot: int = 0
    out: bool = False
    """Whether we had a seat and have it no longer."""
    excluded_by: tuple[str, ...] = ()
    """The names of those whose vote took our seat away."""
    over: bool = False
    ended: bool = False
    """Whether the game is over, or our part in it."""
    people_wish_rematch: bool = False
    all_wish_rematch: bool = False
    result: OnlineResult | None = None
    """What came of the game, once it has ended."""
    situation: Situation | None = None
    """How our person's game stands, for those who do not look at it."""
    ahead: Ahead = NOTHING
    """What our person has left for later turns."""
    unsent: bool = False
    """Whether something that we wrote has reached no broker, as far as we know."""
    clock: int = 0
    """Seconds that a turn may take; 0 is for ever."""
    since: float = 0.0
    """When the present wait began, by the monotonic clock."""


@dataclass(frozen=True)
class _Step:
    """What the client's thread hands over to the loop after each thing that the client did."""

    snapshot: Snapshot
    events: list[Event]
    filters: list[str]


class Driver:
    """Owns a client and its connection. The client is touched by one thread at a time, never by the loop's."""

    def __init__(self, client: Client, transport: Transport, tick: float = TICK) -> None:
        self._client = client
        self._tick = tick
        self._title = client.channel.table[:6]
        self.transport = transport
        self.snapshot = Snapshot()
        self.up = False
        self.lost = ""
        """Why there is no connection, if there is none."""
        self._filters = client.filters
        self._steps: deque[_Step] = deque()
        self._followed = False
        """Whether somebody has taken the history, and so needs to hear of every change."""
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        # Bounded, so that the transport's inbox drops what is too much, as it was made to.
        self._arrived: asyncio.Queue[TransportEvent] = asyncio.Queue(MOST_AT_ONCE)
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="table")
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._closed = False
        self._trouble = ""
        self._trouble_due = 0.0
        self._failure: BaseException | None = None
        client.outgoing.hurry = self._carry

    async def open(self) -> None:
        """Starts to connect; returns at once."""
        self.transport.subscribe(self._filters)
        self.transport.open(self._client.will)
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._work())]
        for task in self._tasks:
            task.add_done_callback(self._ended)
        await self.do(lambda client, now: client.tick(now))

    async def _read(self) -> None:
        async for item in self.transport.events():
            await self._arrived.put(item)

    async def _work(self) -> None:
        while True:
            batch: list[TransportEvent] = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._tick):
                    batch.append(await self._arrived.get())
            while not self._arrived.empty() and len(batch) < MOST_AT_ONCE:
                batch.append(self._arrived.get_nowait())
            for item in batch:
                if isinstance(item, Connected):
                    self.up, self.lost = True, ""
                elif isinstance(item, Lost):
                    self.up, self.lost = False, item.reason
            with contextlib.suppress(OSError):
                await self.do(partial(_feed, batch))

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Raises an error of ours where a caller waits: it must not look like a game in which nothing happens."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = error
            self._events.put_nowait(None)
            self._changed.set()

    async def do(self, action: Callable[[Client, float], T]) -> T:
        """Lets the client do something in its thread, then sends what it says and tells what happened."""
        async with self._turn:
            return await self._do(action)

    async def _do(self, action: Callable[[Client, float], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._run, action)
        except OSError as error:
            self._tell_trouble(os_problem(error))
            raise
        finally:
            self._take_steps()

    async def history(self) -> History:
        """The game so far. The stream of events begins here, so that no change is in both.

        For one reader, once the seats are drawn.
        """
        async with self._turn:
            history = await self._do(lambda client, _now: client.history())
            self._followed = True
            return history

    def _tell_trouble(self, reason: str) -> None:
        """Once a minute for one reason: it is tried several times a second."""
        now = time.monotonic()
        if reason != self._trouble or now >= self._trouble_due:
            self._trouble, self._trouble_due = reason, now + TELL_TROUBLE
            self.tell(table_events.Trouble(reason))

    def tell(self, event: Event) -> None:
        """Puts something that happened beside the client among the events."""
        log_event(self._title, event)
        self._events.put_nowait(event)

    def _run(self, action: Callable[[Client, float], T]) -> T:
        """In the client's thread: does it, publishes what the client says, and notes what the loop has to know."""
        client = self._client
        try:
            return action(client, time.monotonic())
        finally:
            self._carry()
            self._steps.append(_Step(snapshot_of(client), client.take_events(), client.filters))

    def _carry(self) -> None:
        for publication in self._client.take_outgoing():
            self.transport.publish(publication)

    def _take_steps(self) -> None:
        """On the loop: shows what the client's thread has handed over."""
        while self._steps:
            step = self._steps.popleft()
            self._subscribe(step.filters)
            self.snapshot = step.snapshot
            for event in step.events:
                log_event(self._title, event)
                if self._followed or not isinstance(event, _IN_HISTORY):
                    self._events.put_nowait(event)
        self._changed.set()
        self._changed = asyncio.Event()

    def _subscribe(self, wanted: list[str]) -> None:
        if wanted != self._filters:
            # What is no longer wanted is dropped last, so that nothing is missed between.
            self.transport.subscribe([each for each in wanted if each not in self._filters])
            self.transport.unsubscribe([each for each in self._filters if each not in wanted])
            self._filters = wanted

    async def changed(self) -> None:
        """Waits until something may be different."""
        await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    async def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Waits until this is so, or this is closed."""
        while not condition(self.snapshot) and not self._closed:
            await self.changed()

    async def next_event(self) -> Event | None:
        """What happened next; None once this is closed. For one reader."""
        event = await self._events.get()
        if event is None and self._failure is not None and not self._closed:
            raise self._failure
        return event

    async def events(self) -> AsyncIterator[Event]:
        """Everything that happens until `close`; a game's changes only after its `history` was taken."""
        while (event := await self.next_event()) is not None:
            yield event

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


_IN_HISTORY = game.Change | game.Rewound | game.Ended


def _feed(batch: list[TransportEvent], client: Client, now: float) -> None:
    """Feeds all of it, even if one message fails: a full disk must not lose what comes after it."""
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
            try:
                client.receive(topic, payload, retained, now)
            except OSError:
                raise
            except Exception:
                # A mistake of ours that a stranger found: it costs this message, and not the game.
                _logger.exception("dropped a message under %s", topic)
        case Connected():
            client.connected(now)
        case Lost(reason):
            client.lost(reason, now)


def snapshot_of(client: Client) -> Snapshot:
    """Values only: nothing in it changes any more."""
    playing = client.playing
    if playing is None:
        return Snapshot()
    session, seated = playing.session, playing.sealed is not None
    joins = playing.founded.joins
    return Snapshot(
        begun=True,
        observation=playing.observation() if seated else None,
        my_turn=playing.may_move,
        shuffled=seated and not session.state.automatic,
        slot=session.log.head.number,
        out=playing.out,
        excluded_by=tuple(player_of(joins[seat]).name for seat in playing.excluded_by),
        over=playing.over,
        ended=playing.ended_at is not None,
        people_wish_rematch=playing.people_wish_rematch,
        all_wish_rematch=playing.all_wish_rematch,
        result=playing.result,
        situation=client.situation,
        ahead=client.ahead,
        unsent=client.outgoing.stuck,
        clock=playing.founded.genesis.terms.clock,
        since=playing.patience.since,
    )
