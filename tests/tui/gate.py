"""A gate for motion: every beat waits until the test lets it pass."""

from __future__ import annotations

import asyncio

from textual.pilot import Pilot

from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.motion import Motion

from .memory_games import choose
from .on_screen import table_of


class Gate:
    def __init__(self, pilot: Pilot[None], motion: Motion) -> None:
        self._pilot, self._motion = pilot, motion
        motion.sleep = self._sleep
        self._open: asyncio.Event | None = None
        self.waited: list[float] = []
        """The duration of every beat so far, in seconds."""

    @classmethod
    def at(cls, app: WasabiApp, pilot: Pilot[None]) -> Gate:
        return cls(pilot, table_of(app).moving.motion)

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)
        self._open = asyncio.Event()
        await self._open.wait()

    async def arrived(self) -> None:
        """Wait until a beat waits here."""
        while self._open is None:
            await self._pilot.pause()

    async def next(self) -> bool:
        """Let one beat pass; return whether another one waits now."""
        await self.arrived()
        opened, self._open = self._open, None
        assert opened is not None
        opened.set()
        while self._open is None and self._motion.flash is not None:
            await self._pilot.pause()
        return self._motion.flash is not None


async def send_turn(app: WasabiApp) -> None:
    """Play the rest of our turn at once, without animations."""
    table = table_of(app)
    plan = table.followed.plan
    assert plan is not None
    plan.draft.clear()
    for step in choose(plan.draft.base, "").steps:
        plan.draft.add(step)
    await table.action_send()
    table.moving.motion.skip()
