"""A threaded game lives on a loop in another thread, for screens that block while somebody types."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from ..engine.observe import Observation
from ..engine.position import Position
from ..engine.step import Bundle
from .ahead import Ahead
from .game import Can, Event, Game, SeatState

T = TypeVar("T")


class TableThread:
    """A thread with an event loop, for everything that must not wait for the screen."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="wasabi-table", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs the work there and waits for it; an error is raised here."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The same from another loop, which goes on meanwhile."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Begins it there and does not wait."""
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Ends the loop; work that is still running is cancelled first."""
        self.call(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class ThreadedGame:
    """The same game, followed and played from another thread; what it shows are values, which may be read anywhere."""

    def __init__(self, game: Game, thread: TableThread) -> None:
        self._game = game
        self._thread = thread
        self.rules = game.rules
        self.players = game.players
        self.title = game.title

    @property
    def can(self) -> Can:
        return self._game.can

    @property
    def people(self) -> tuple[int, ...]:
        return self._game.people

    @property
    def viewer(self) -> int | None:
        return self._game.viewer

    @property
    def position(self) -> Position:
        return self._game.position

    @property
    def observation(self) -> Observation:
        return self._game.observation

    @property
    def clock(self) -> int:
        return self._game.clock

    @property
    def since(self) -> float | None:
        return self._game.since

    @property
    def late_cards(self) -> bool:
        return self._game.late_cards

    @property
    def awaiting(self) -> bool:
        return self._game.awaiting

    @property
    def ahead(self) -> Ahead:
        return self._game.ahead

    def seen_by(self, seat: int) -> Observation:
        return self._game.seen_by(seat)

    async def events(self) -> AsyncIterator[Event]:
        here = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue()

        async def pump() -> None:
            async for event in self._game.events():
                if here.is_closed():
                    return
                here.call_soon_threadsafe(queue.put_nowait, event)
            if not here.is_closed():
                here.call_soon_threadsafe(queue.put_nowait, None)

        self._thread.start(pump())
        while (event := await queue.get()) is not None:
            yield event

    async def submit(self, bundle: Bundle) -> None:
        await self._thread.wait(self._game.submit(bundle))

    async def leave_ahead(self, ahead: Ahead) -> None:
        await self._thread.wait(self._game.leave_ahead(ahead))

    async def leave(self, seat: int) -> None:
        await self._thread.wait(self._game.leave(seat))

    async def say(self, text: str) -> None:
        await self._thread.wait(self._game.say(text))

    async def vote(self, out: int, yes: bool) -> None:
        await self._thread.wait(self._game.vote(out, yes))

    async def rematch(self) -> None:
        await self._thread.wait(self._game.rematch())

    async def confirm_run(self) -> None:
        await self._thread.wait(self._game.confirm_run())

    async def doing(self, state: SeatState) -> None:
        await self._thread.wait(self._game.doing(state))

    async def close(self) -> None:
        await self._thread.wait(self._game.close())
