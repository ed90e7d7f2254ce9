"""Motion at a table: what has just happened is shown for a moment, one thing at a time, and any key ends it.

Nothing waits for motion: a game and its keys go on as if it were not there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from .views.flash import Flash

FOR_EVER = float("inf")


class Beat(NamedTuple):
    """One frame of an animation, and the seconds for which it stays."""

    flash: Flash
    seconds: float


class Motion:
    def __init__(self, draw: Callable[[], None]) -> None:
        self._draw = draw
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        """The sleep between beats; tests replace it."""
        self.flash: Flash | None = None
        """The present frame of the animation."""
        self._task: asyncio.Task[None] | None = None

    def begin(self, beats: Sequence[Beat]) -> None:
        """Replace the animation with these beats; the caller draws the first one."""
        self._end()
        if beats:
            self.flash = beats[0].flash
            self._task = asyncio.create_task(self._run(beats))

    def skip(self) -> None:
        """End the animation and draw the present state."""
        if self.flash is not None:
            self._end()
            self._draw()

    def stop(self) -> None:
        """End the animation without drawing."""
        self._end()

    async def ended(self) -> None:
        """Wait until no animation runs."""
        while self._task is not None:
            await asyncio.wait([self._task])

    def _end(self) -> None:
        task, self._task, self.flash = self._task, None, None
        if task is not None:
            task.cancel()

    async def _run(self, beats: Sequence[Beat]) -> None:
        for beat in beats:
            if beat.flash != self.flash:
                self.flash = beat.flash
                self._draw()
            if beat.seconds == FOR_EVER:
                await asyncio.Event().wait()
            await self.sleep(beat.seconds)
        self.flash, self._task = None, None
        self._draw()
