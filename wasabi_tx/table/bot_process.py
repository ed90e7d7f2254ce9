"""The bot process: bots think outside the program, so that no screen ever waits for one.

Thoughts go in on its standard input, bundles come out on its standard output.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import sys
from random import Random
from typing import NamedTuple

from ..engine.observe import Observation
from ..engine.step import Bundle


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
                "wasabi_tx.table.bot_process",
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


NODES = 100_000
"""How many positions a bot may look at before it has to answer."""


class Thought(NamedTuple):
    """What a bot is asked: who it is, what it sees, and the seed of its whims."""

    bot: str
    observation: Observation
    seed: str


def frame(payload: bytes) -> bytes:
    """Length first, so that the other side knows where it ends."""
    return len(payload).to_bytes(4, "big") + payload


def main() -> None:
    # Only this process needs the bots: the one that starts it opens sooner without them.
    from ..bots.levels import find_bot

    # Ctrl-C belongs to the table; this process ends when its input does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(4):
        thought = pickle.loads(source.read(int.from_bytes(head, "big")))
        try:
            answer: object = find_bot(thought.bot).choose(thought.observation, Random(thought.seed), NODES)
        except Exception as error:
            answer = repr(error)
        target.write(frame(pickle.dumps(answer)))
        target.flush()


if __name__ == "__main__":
    main()
