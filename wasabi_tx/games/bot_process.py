"""The bot process: bots think and review games in a process of their own, so that no screen ever waits for one.

Requests for moves and reviews arrive on its standard input; bundles and review findings leave on its standard output.
Where there are no processes, another kind of worker may take its place.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from ..engine.observe import Observation
from ..engine.step import Bundle

if TYPE_CHECKING:
    from .review import LuckyDraw, ReviewedTurn, ReviewWish


class ThinkerLost(Exception):
    """The bot process ended or gave an invalid answer."""


class Worker(Protocol):
    """Answers requests, one after the other, while the screen goes on; `OSError` says that it is lost."""

    @property
    def ended(self) -> bool: ...

    async def send(self, request: bytes) -> None: ...

    async def receive(self) -> bytes: ...

    def stop(self) -> None:
        """End it, whatever it is working on."""

    async def close(self) -> None: ...


class Thinker:
    """One worker for all bots of a table; as a process it ends when its input does, so it never outlives the table."""

    start: ClassVar[Callable[[], Awaitable[Worker]]]
    """Starts a worker; a process unless something else is set."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._turn = asyncio.Lock()

    async def choose(self, bot: str, observation: Observation, seed: str) -> Bundle:
        """Return the bundle that the bot plays; the same seed and observation always give the same one."""
        async with self._turn:
            worker = await self._running()
            await _send(worker, Thought(bot, observation, seed))
            answer = await _receive(worker)
            if not isinstance(answer, Bundle):
                raise ThinkerLost(str(answer))
            return answer

    async def review(self, wish: ReviewWish) -> AsyncIterator[LuckyDraw | ReviewedTurn]:
        """Yield the findings of a review as they come; raise `CannotReview` if the game cannot be reviewed."""
        from .review import CannotReview, LuckyDraw, ReviewedTurn

        async with self._turn:
            worker = await self._running()
            await _send(worker, wish)
            while (answer := await _receive(worker)) is not None:
                if isinstance(answer, CannotReview):
                    raise answer
                if not isinstance(answer, LuckyDraw | ReviewedTurn):
                    raise ThinkerLost(str(answer))
                yield answer

    async def _running(self) -> Worker:
        if self._worker is None or self._worker.ended:
            self._worker = await Thinker.start()
        return self._worker

    async def stop(self) -> None:
        """End the worker, whatever it is working on."""
        if self._worker is not None:
            self._worker.stop()
        await self.close()

    async def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.close()


class WorkerProcess:
    """A worker in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls) -> WorkerProcess:
        pipe = asyncio.subprocess.PIPE
        words = (sys.executable, "-m", "wasabi_tx.games.bot_process")
        return cls(
            await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
        )

    @property
    def ended(self) -> bool:
        return self.process.returncode is not None

    async def send(self, request: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(frame(request))
        await self.process.stdin.drain()

    async def receive(self) -> bytes:
        assert self.process.stdout is not None
        try:
            size = int.from_bytes(await self.process.stdout.readexactly(4), "big")
            return await self.process.stdout.readexactly(size)
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError from error

    def stop(self) -> None:
        if self.process.returncode is None:
            self.process.terminate()

    async def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        await self.process.wait()


Thinker.start = WorkerProcess.start


async def _send(worker: Worker, wish: object) -> None:
    try:
        await worker.send(pickle.dumps(wish))
    except OSError as error:
        raise ThinkerLost from error


async def _receive(worker: Worker) -> object:
    try:
        answer: object = pickle.loads(await worker.receive())
    except (OSError, EOFError) as error:
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


def answers_to(request: bytes) -> Iterator[bytes]:
    """Yield the answers to one request."""
    for answer in _answers(pickle.loads(request)):
        yield pickle.dumps(answer)


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
        for answer in answers_to(source.read(int.from_bytes(head, "big"))):
            target.write(frame(answer))
            target.flush()


if __name__ == "__main__":
    # Requests are instances of this module's classes under its real name, not `__main__`.
    from wasabi_tx.games import bot_process

    bot_process.main()
