"""The bot process: bots think and review games in a process of their own, so that no screen ever waits for one.

Requests for moves and reviews arrive on its standard input; bundles and review findings leave on its standard output.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ..engine.observe import Observation
from ..engine.step import Bundle

if TYPE_CHECKING:
    from .review import LuckyDraw, ReviewedTurn, ReviewWish


class ThinkerLost(Exception):
    """The bot process ended or gave an invalid answer."""


class Thinker:
    """One worker process for all bots of a table; it ends when its input does, so it never outlives the table."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def choose(self, bot: str, observation: Observation, seed: str) -> Bundle:
        """Return the bundle that the bot plays; the same seed and observation always give the same one."""
        async with self._turn:
            process = await self._running()
            await _send(process, Thought(bot, observation, seed))
            answer = await _receive(process)
            if not isinstance(answer, Bundle):
                raise ThinkerLost(str(answer))
            return answer

    async def review(self, wish: ReviewWish) -> AsyncIterator[LuckyDraw | ReviewedTurn]:
        """Yield the findings of a review as they come; raise `CannotReview` if the game cannot be reviewed."""
        from .review import CannotReview, LuckyDraw, ReviewedTurn

        async with self._turn:
            process = await self._running()
            await _send(process, wish)
            while (answer := await _receive(process)) is not None:
                if isinstance(answer, CannotReview):
                    raise answer
                if not isinstance(answer, LuckyDraw | ReviewedTurn):
                    raise ThinkerLost(str(answer))
                yield answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "wasabi_tx.games.bot_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        return self._process

    async def stop(self) -> None:
        """End the process, whatever it is working on."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
        await self.close()

    async def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await process.wait()


async def _send(process: asyncio.subprocess.Process, wish: object) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(frame(pickle.dumps(wish)))
        await process.stdin.drain()
    except OSError as error:
        raise ThinkerLost from error


async def _receive(process: asyncio.subprocess.Process) -> object:
    assert process.stdout is not None
    try:
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        answer: object = pickle.loads(await process.stdout.readexactly(size))
    except (OSError, EOFError, asyncio.IncompleteReadError) as error:
        raise ThinkerLost from error
    return answer


NODES = 100_000
"""The most positions that a bot may examine before it answers."""


class Thought(NamedTuple):
    """A request for a move: the bot, its observation, and the seed of its random choices."""

    bot: str
    observation: Observation
    seed: str


def frame(payload: bytes) -> bytes:
    """Prefix the payload with its length, so that the receiver knows where it ends."""
    return len(payload).to_bytes(4, "big") + payload


def _answers(wish: object) -> Iterator[object]:
    """Yield the answers to one request; a review ends with None."""
    # Imported here because only this process needs the bots; the one that starts it opens faster without them.
    from ..bots.levels import find_bot
    from .review import CannotReview, ReviewWish, review_game

    try:
        if isinstance(wish, ReviewWish):
            yield from review_game(wish)
            yield None
        elif isinstance(wish, Thought):
            yield find_bot(wish.bot).choose(wish.observation, Random(wish.seed), NODES)
    except CannotReview as refused:
        yield refused
    except Exception as error:
        yield repr(error)


def main() -> None:
    # Ctrl-C belongs to the table; this process ends when its input does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(4):
        for answer in _answers(pickle.loads(source.read(int.from_bytes(head, "big")))):
            target.write(frame(pickle.dumps(answer)))
            target.flush()


if __name__ == "__main__":
    # Requests are instances of this module's classes under its real name, not `__main__`.
    from wasabi_tx.games import bot_process

    bot_process.main()
