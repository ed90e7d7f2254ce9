"""Embedded brokers in tests, and checks of their processes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.brokers import PATIENCE
from wasabi_tx.broker.broker import Broker


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # The process that inherits a dead one may be slow to reap it.
    state = Path(f"/proc/{pid}/stat")
    try:
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def empty(folder: Path) -> bool:
    return not any(folder.iterdir())


class Told:
    """The messages a broker has sent to its owner, to be awaited."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    def __call__(self, what: str) -> None:
        self._queue.put_nowait(what)

    @property
    def silent(self) -> bool:
        return self._queue.empty()

    async def next(self, seconds: float = PATIENCE) -> str:
        return await asyncio.wait_for(self._queue.get(), seconds)


@asynccontextmanager
async def running(folder: Path, **options: object) -> AsyncIterator[Broker]:
    broker = await Broker.start(folder, **options)  # type: ignore[arg-type]
    try:
        yield broker
    finally:
        await broker.stop()
