"""The pacing of a connection: the amount unacknowledged at once, and the wait before the next attempt."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from time import monotonic
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0
LONGEST_PAUSE_OF_RELAYS = 60.0
"""Longest pause in seconds before calling a public relay again while it is down."""
PUBLISHES_A_SECOND = 8
"""Most publications per second that a relay carries for one client."""


class Pause:
    """Jittered pauses that double with each attempt; a connection that lasted a while resets them."""

    def __init__(self, chance: Random, clock: Callable[[], float] = monotonic, longest: float = LONGEST_PAUSE) -> None:
        self._chance = chance
        self._clock = clock
        self._longest = longest
        self._attempts = 0
        self._since: float | None = None

    def connected(self) -> None:
        """Record that a connection is up."""
        self._since = self._clock()

    def after_loss(self) -> float:
        """Return the seconds until the next attempt."""
        if self._since is not None and self._clock() - self._since >= LONGEST_PAUSE:
            self._attempts = 0
        self._since = None
        longest = min(self._longest, FIRST_PAUSE * 2**self._attempts)
        self._attempts = min(self._attempts + 1, 16)
        return max(FIRST_PAUSE, self._chance.uniform(longest / 2, longest))


class Pace:
    """Limits the number of sends in any second."""

    def __init__(self, most: int = PUBLISHES_A_SECOND, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._sent: deque[float] = deque(maxlen=most)

    def wait(self) -> float:
        """Count one more send and return the seconds until it may go."""
        now = due = self._clock()
        if len(self._sent) == self._sent.maxlen:
            due = max(now, self._sent[0] + 1.0)
        self._sent.append(due)
        return due - now


class SendWindow:
    """Limits the unacknowledged data, so that a slow line does not look like a dead one."""

    def __init__(self, most: int = 16, most_bytes: int = 65_536) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._inside = 0
        self._bytes = 0
        self._left = asyncio.Event()

    async def enter(self, size: int) -> None:
        """Wait until there is room; something larger than the window goes alone."""
        while self._inside and (self._inside >= self._most or self._bytes + size > self._most_bytes):
            await self._next()
        self._inside += 1
        self._bytes += size

    def exit(self, size: int) -> None:
        self._inside -= 1
        self._bytes -= size
        self._left.set()

    async def empty(self) -> None:
        """Wait until nothing is inside."""
        while self._inside:
            await self._next()

    async def _next(self) -> None:
        self._left.clear()
        await self._left.wait()


class DaemonExecutor(ThreadPoolExecutor):
    """A thread for each call, abandoned at exit, because a name lookup or a connection attempt can hang."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=run, name="wasabi-net-connect", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, **_kwargs: Any) -> None:
        del wait
