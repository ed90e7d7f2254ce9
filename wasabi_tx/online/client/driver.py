"""The driver runs a client over a transport, one action after another, in the client's own thread."""

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

from ...engine.observe import Observation
from ...games import game
from ...games.plans import NO_PLANS, Plans
from ...net.transport import Arrived, Connected, Lost, Transport, TransportEvent
from ...text.os_problem import os_problem
from ..result import OnlineResult
from ..rules_adapter.history import History
from ..saved.situation import Situation
from .client import Client, Event
from .event_log import log_event
from .talk import player_of

T = TypeVar("T")
# Without a handler here, a warning would be printed across the screen.
_logger = logging.getLogger(__name__)
_logger.addHandler(logging.NullHandler())

TICK = 0.25
"""Seconds after which a client is ticked although nothing arrived."""
MOST_AT_ONCE = 64


@dataclass(frozen=True)
class Snapshot:
    """The values that the event loop may read while the client works in its thread."""

    begun: bool = False
    """True once the game has started."""
    observation: Observation | None = None
    """None until the seats are drawn."""
    my_turn: bool = False
    """True if our person may send a bundle now."""
    shuffled: bool = False
    """True once there is a table to show: the seats are drawn, and every deck is sealed."""
    slot: int = 0
    out: bool = False
    """True if we had a seat and no longer have it."""
    excluded_by: tuple[str, ...] = ()
    """The names of those whose vote took our seat away."""
    over: bool = False
    ended: bool = False
    """True if the game is over, or our part in it."""
    people_wish_rematch: bool = False
    all_wish_rematch: bool = False
    result: OnlineResult | None = None
    """The result of the game, once it has ended."""
    situation: Situation | None = None
    """The situation of our person's game, for those who do not have it open."""
    plans: Plans = NO_PLANS
    """Our person's plans for later turns."""
    unsent: bool = False
    """True if one of our messages has reached no broker, as far as we know."""
    carried: bool = False
    """True if every message that others need of us has come back to us."""
    clock: int = 0
    """Seconds that a turn may take; 0 for no limit."""
    since: float = 0.0
    """Monotonic time at which the present wait began."""


@dataclass(frozen=True)
class _Step:
    """The values that the client's thread hands to the event loop after each action."""

    snapshot: Snapshot
    events: list[Event]
    filters: list[str]


class Driver:
    """Owns a client and its connection. The client is touched by one thread at a time, never by the event loop's."""

    def __init__(self, client: Client, transport: Transport, tick: float = TICK) -> None:
        self._client = client
        self._tick = tick
        self._title = client.channel.table[:6]
        self.transport = transport
        self.snapshot = Snapshot()
        self.up = False
        self.lost = ""
        """Reason why there is no connection; empty while there is one."""
        self._filters = client.filters
        self._steps: deque[_Step] = deque()
        self._followed = False
        """True once the history was taken, so that its reader needs every change."""
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()
        # Bounded, so that the transport's inbox drops the excess, as it is designed to.
        self._arrived: asyncio.Queue[TransportEvent] = asyncio.Queue(MOST_AT_ONCE)
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="table")
        self._tasks: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._closed = False
        self._unsaved = ""
        """Reason why the client could not save something that it still holds; empty if there is nothing."""
        self._failure: BaseException | None = None
        client.outgoing.hurry = self._carry

    async def open(self) -> None:
        """Start to connect, and return at once."""
        self.transport.subscribe(self._filters)
        self.transport.open(self._client.will, self._client.screen)
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
                if not await self.do(partial(_feed, batch)):
                    self._tell_unsaved("")

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Pass an internal error on to waiting callers: it must not look like a game in which nothing happens."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = error
            self._events.put_nowait(None)
            self._changed.set()

    async def do(self, action: Callable[[Client, float], T]) -> T:
        """Run an action on the client in its thread, then publish its messages and emit its events."""
        async with self._turn:
            return await self._do(action)

    async def _do(self, action: Callable[[Client, float], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._run, action)
        except OSError as error:
            self._tell_unsaved(os_problem(error))
            raise
        finally:
            self._take_steps()

    async def history(self) -> History:
        """Return the game so far. The stream of events begins here, so that no change is in both.

        Meant for one reader, once the seats are drawn.
        """
        async with self._turn:
            history = await self._do(lambda client, _now: client.history())
            self._followed = True
            return history

    def _tell_unsaved(self, reason: str) -> None:
        """Emit an `Unsaved` event when the reason changes, because writes are retried often."""
        if reason != self._unsaved:
            self._unsaved = reason
            self.emit(game.Unsaved(reason))

    def emit(self, event: Event) -> None:
        """Add an event that happened outside the client."""
        log_event(self._title, event)
        self._events.put_nowait(event)

    def _run(self, action: Callable[[Client, float], T]) -> T:
        """Run an action in the client's thread, publish its messages, and queue a step for the event loop."""
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
        """Apply on the event loop the steps that the client's thread has queued."""
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
            # Old filters are dropped last, so that nothing is missed in between.
            self.transport.subscribe([each for each in wanted if each not in self._filters])
            self.transport.unsubscribe([each for each in self._filters if each not in wanted])
            self._filters = wanted

    async def changed(self) -> None:
        """Wait until something may have changed."""
        await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    async def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Wait until the condition is true or the driver is closed."""
        while not condition(self.snapshot) and not self._closed:
            await self.changed()

    async def next_event(self) -> Event | None:
        """Return the next event; None once the driver is closed. Meant for one reader."""
        event = await self._events.get()
        if event is None and self._failure is not None and not self._closed:
            raise self._failure
        return event

    async def events(self) -> AsyncIterator[Event]:
        """Yield all events until `close`; a game's changes only after its `history` was taken."""
        while (event := await self.next_event()) is not None:
            yield event

    @property
    def closed(self) -> bool:
        return self._closed

    async def close(self) -> None:
        """Say goodbye and close the connection; what was played is on disk."""
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


def _feed(batch: list[TransportEvent], client: Client, now: float) -> bool:
    """Feed the whole batch even if one message fails: a full disk must not lose the later ones.

    Return whether the client holds a turn that it could not save.
    """
    failed: OSError | None = None
    for item in batch:
        try:
            _feed_one(client, item, now)
        except OSError as error:
            failed = error
    client.tick(now)
    if failed is not None:
        raise failed
    return client.unsaved is not None


def _feed_one(client: Client, item: TransportEvent, now: float) -> None:
    match item:
        case Arrived(topic, payload, retained):
            try:
                client.receive(topic, payload, retained, now)
            except OSError:
                raise
            except Exception:
                # A stranger's message triggered a bug: drop this message, not the game.
                _logger.exception("dropped a message under %s", topic)
        case Connected():
            client.connected(now)
        case Lost(reason):
            client.lost(reason, now)


def snapshot_of(client: Client) -> Snapshot:
    """Return an immutable snapshot of the client."""
    playing = client.playing
    if playing is None:
        return Snapshot(carried=client.outgoing.all_carried)
    session, seated = playing.session, playing.sealed is not None
    joins = playing.founded.joins
    return Snapshot(
        begun=True,
        observation=playing.observation() if seated else None,
        my_turn=playing.may_move and client.unsaved is None,
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
        plans=client.plans,
        unsent=client.outgoing.stuck,
        carried=client.outgoing.all_carried,
        clock=playing.founded.genesis.terms.clock,
        since=playing.patience.since,
    )
