"""The bot process: bots think and review games outside the program, so that no screen ever waits for one.

Thoughts and wishes for reviews go in on its standard input; bundles, and what a review finds, come out on its standard
output.
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
            await _send(process, Thought(bot, observation, seed))
            answer = await _receive(process)
            if not isinstance(answer, Bundle):
                raise ThinkerLost(str(answer))
            return answer

    async def review(self, wish: ReviewWish) -> AsyncIterator[LuckyDraw | ReviewedTurn]:
        """What a review finds, as it finds it; `CannotReview` if there cannot be one."""
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
                "wasabi_tx.table.bot_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
        return self._process

    async def stop(self) -> None:
        """Ends the process, whatever it is thinking about."""
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
"""How many positions a bot may look at before it has to answer."""


class Thought(NamedTuple):
    """What a bot is asked: who it is, what it sees, and the seed of its whims."""

    bot: str
    observation: Observation
    seed: str


def frame(payload: bytes) -> bytes:
    """Length first, so that the other side knows where it ends."""
    return len(payload).to_bytes(4, "big") + payload


def _answers(wish: object) -> Iterator[object]:
    """All that there is to say to a thought or a wish; a review ends with nothing."""
    # Only this process needs the bots: the one that starts it opens sooner without them.
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
    # What arrives is of the classes of this module under its own name.
    from wasabi_tx.table import bot_process

    bot_process.main()
