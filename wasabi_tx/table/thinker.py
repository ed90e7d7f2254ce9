"""Bots think in a process of their own, so that no screen ever waits for one."""

from __future__ import annotations

import asyncio
import pickle
import sys

from ..engine.observe import Observation
from ..engine.step import Bundle
from .worker import Thought, frame


class ThinkerLost(Exception):
    """The bots' process ended or answered nonsense."""


class Thinker:
    """One worker process for all bots of a table; it ends when its input does, so it never outlives the table."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def choose(self, bot: str, observation: Observation, seed: str) -> Bundle:
        """What the bot plays; the same seed and observation always give the same bundle."""
        async with self._turn:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(frame(pickle.dumps(Thought(bot, observation, seed))))
                await process.stdin.drain()
                size = int.from_bytes(await process.stdout.readexactly(4), "big")
                answer = pickle.loads(await process.stdout.readexactly(size))
            except (OSError, EOFError, asyncio.IncompleteReadError) as error:
                raise ThinkerLost from error
            if not isinstance(answer, Bundle):
                raise ThinkerLost(str(answer))
            return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "wasabi_tx.table.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        return self._process

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await process.wait()
