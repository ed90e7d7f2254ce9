"""The broker dies with its parent, whatever ends the parent, and its files are removed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.broker.running import alive, empty
from tests.brokers import PATIENCE, until
from tests.needs import needs

PARENT = """
import asyncio, sys, threading
from pathlib import Path
from wasabi_tx.broker.broker import Broker

async def main():
    broker = await Broker.start(Path(sys.argv[1]), engine=sys.argv[2])
    print(broker.pid, broker._child._process.pid, flush=True)
    await asyncio.Event().wait()

if len(sys.argv) > 3:
    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    thread.join()
else:
    asyncio.run(main())
"""


@asynccontextmanager
async def parent(folder: Path, *words: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, int, int]]:
    """Start another process with a broker; yield the process, the broker's id and the leash's."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARENT, str(folder), *words, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
    pid, leash = (int(word) for word in line.split())
    try:
        yield process, pid, leash
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("words", "number"),
    [
        (("nats",), signal.SIGKILL),
        pytest.param(("mosquitto",), signal.SIGKILL, marks=needs("mosquitto")),
        (("nats", "in a thread"), signal.SIGKILL),
        (("nats",), signal.SIGTERM),
    ],
)
async def test_the_broker_is_gone_when_its_parent_is_killed(
    tmp_path: Path, words: tuple[str, ...], number: signal.Signals
) -> None:
    async with parent(tmp_path, *words) as (process, pid, leash):
        assert alive(pid)
        process.send_signal(number)
        await process.wait()
        await asyncio.to_thread(until, lambda: not alive(pid), PATIENCE)
        await asyncio.to_thread(until, lambda: not alive(leash) and empty(tmp_path), PATIENCE)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can tell a process that its parent died")
async def test_the_broker_is_gone_even_when_its_leash_is_killed(tmp_path: Path) -> None:
    async with parent(tmp_path, "nats") as (process, pid, leash):
        # The parent would restart it, so it is stopped first, without being able to close the leash.
        process.send_signal(signal.SIGSTOP)
        os.kill(leash, signal.SIGKILL)
        await asyncio.to_thread(until, lambda: not alive(pid), PATIENCE)


@pytest.mark.skipif(os.name != "posix", reason="signals")
async def test_ctrl_c_at_the_terminal_does_not_reach_the_broker(tmp_path: Path) -> None:
    async with parent(tmp_path, "nats") as (_, pid, leash):
        assert os.getpgid(pid) == os.getpgid(leash) != os.getpgid(0)
        assert os.getsid(pid) != os.getsid(0)
