"""A bot in its own process behind its own proxy: killed, restarted, and asked for its result."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.envelope import Item as Item
from wasabi_protocol.verdicts import Refused

from tests.net.proxy import Proxy


class Peer:
    """One seat: its home outlives its process."""

    def __init__(self, home: Path, proxy: Proxy, words: list[str]) -> None:
        self.home = home
        self.proxy = proxy
        self.words = words
        self.result: dict[str, Any] | None = None
        self.invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.starts = 0
        self.gone = False
        """True if it must not come back."""
        self._process: asyncio.subprocess.Process | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def record(self) -> Path | None:
        return next(iter(sorted((self.home / "games").glob("*.wasabi"))), None)

    @property
    def written(self) -> int:
        record = self.record
        return record.stat().st_size if record is not None else 0

    def items(self) -> set[Item]:
        """Return the items in its file now."""
        record = self.record
        if record is None:
            return set()
        try:
            return set(read_record(record.read_bytes())[0])
        except Refused:
            return set()

    def begin(self, first: list[str], line: str = "") -> None:
        """Run its process until it has a result, restarting it whenever it ends without one."""
        self._running = asyncio.create_task(self._run(first, line))

    async def _run(self, first: list[str], line: str) -> None:
        words = first
        while self.result is None and not self.gone:
            await self._once(words, line)
            seat = next(iter((self.home / "games" / "seats").glob("*.seat")), None)
            if seat is not None:
                words, line = ["--seat", seat.stem], ""
            if self.result is None:
                # A person restarts a process that gave up because its broker was away.
                await asyncio.sleep(0.2)

    async def _once(self, words: list[str], line: str) -> None:
        self.starts += 1
        url = self.proxy.address.url()
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "wasabi_tx", "bot", "--json", "--broker", url, *self.words, *words),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "WASABI_TX_HOME": str(self.home)},
        )
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.write(line.encode() + b"\n")
            await process.stdin.drain()
        while text := await process.stdout.readline():
            said = json.loads(text)
            if "invite" in said and not self.invite.done():
                self.invite.set_result(said["invite"])
            elif "head" in said:
                self.result = said
        await process.wait()

    def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def finished(self) -> None:
        assert self._running is not None
        await self._running

    async def end(self) -> None:
        """Stop every process that is still running."""
        self.gone = True
        self.kill()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
