"""`wasabi-tx broker` as a process, for tests."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.brokers import PATIENCE
from wasabi_tx.store.paths import HOME


@asynccontextmanager
async def started(home: Path, *words: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "wasabi_tx",
        "broker",
        "--bind",
        "127.0.0.1",
        *words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, HOME: str(home), "WASABI_TX_LANG": "en", **environment},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line(stream: asyncio.StreamReader | None) -> str:
    assert stream is not None
    return (await asyncio.wait_for(stream.readline(), PATIENCE)).decode().rstrip("\n")
