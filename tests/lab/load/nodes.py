"""The nodes of a broker under load: started, killed, and measured."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Protocol

from tests.broker.operated import OperatedMosquitto
from tests.brokers import RealBroker
from tests.faults.cluster import NAMES, Cluster
from wasabi_tx.broker.config import WATCHERS
from wasabi_tx.net.address import Address

TICKS = os.sysconf("SC_CLK_TCK")
STORE = 192_000_000


class Nodes(Protocol):
    """One broker, or several that form one."""

    @property
    def addresses(self) -> list[Address]:
        """Return the addresses to play at."""

    @property
    def pids(self) -> dict[str, int]:
        """Process ids by name; empty if they are not ours."""

    @property
    def carriers(self) -> bool:
        """True if every client connects to all addresses at once."""

    def stop(self) -> None: ...


class Given:
    """A broker that somebody else runs."""

    carriers = False

    def __init__(self, address: Address) -> None:
        self.addresses = [address]
        self.pids: dict[str, int] = {}

    def stop(self) -> None:
        pass


class Single:
    """A broker with the configuration that ships, and room for the requested number of watchers."""

    carriers = False

    def __init__(self, kind: str, watchers: int | None, store: int = STORE) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="wasabi-load-"))
        self._broker = RealBroker(kind, self._folder)
        self._broker.settings = replace(
            self._broker.settings, watchers=WATCHERS if watchers is None else watchers, max_store=store
        )
        self._broker.start()
        self.kind = kind

    @property
    def addresses(self) -> list[Address]:
        return [self._broker.address]

    @property
    def watching(self) -> Address:
        """The address for people without the password."""
        return self._broker.watching

    @property
    def pids(self) -> dict[str, int]:
        return {self.kind: self._broker.pid}

    def stop(self) -> None:
        self._broker.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


class Operated:
    """Mosquitto as the operator's page has it, with a port of its own for people without the password."""

    carriers = False

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="wasabi-load-"))
        self._broker = OperatedMosquitto(self._folder)

    @property
    def addresses(self) -> list[Address]:
        return [self._broker.address]

    @property
    def watching(self) -> Address:
        """The address for people without the password."""
        return self._broker.watching

    @property
    def pids(self) -> dict[str, int]:
        return {"mosquitto": self._broker.pid}

    def stop(self) -> None:
        self._broker.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


class Three:
    """The cluster of the operator's page."""

    carriers = False

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="wasabi-load-"))
        self.cluster = Cluster(self._folder)
        try:
            self.cluster.begin()
        except BaseException:
            self.stop()
            raise

    @property
    def addresses(self) -> list[Address]:
        return [self.cluster.address(name) for name in NAMES]

    @property
    def pids(self) -> dict[str, int]:
        return self.cluster.pids

    async def kill_and_restart(self, name: str, away: float) -> None:
        """Kill a node with kill -9, then restart it after a while from its disk."""
        await asyncio.to_thread(self.cluster.kill, name)
        await asyncio.sleep(away)
        self.cluster.start(name)
        await asyncio.to_thread(self.cluster.wait, name)

    def stop(self) -> None:
        self.cluster.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


class Independent:
    """Brokers with the configuration that ships, which know nothing of one another and carry each table together."""

    carriers = True

    def __init__(self, watchers: int, store: int = STORE) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="wasabi-load-"))
        self._brokers = {name: RealBroker("nats", self._folder / name) for name in NAMES}
        for broker in self._brokers.values():
            broker.settings = replace(broker.settings, watchers=watchers, max_store=store)
            broker.start()
        self._up = dict.fromkeys(NAMES, True)

    @property
    def addresses(self) -> list[Address]:
        return [broker.address for broker in self._brokers.values()]

    @property
    def pids(self) -> dict[str, int]:
        return {name: broker.pid for name, broker in self._brokers.items() if self._up[name]}

    async def kill_and_restart(self, name: str, away: float) -> None:
        """Kill a broker with kill -9, then start it after a while with nothing of what it knew."""
        self._up[name] = False
        await asyncio.to_thread(self._brokers[name].kill)
        await asyncio.sleep(away)
        await asyncio.to_thread(self._brokers[name].start)
        self._up[name] = True

    def stop(self) -> None:
        for broker in self._brokers.values():
            broker.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


class Meter:
    """Memory in MB, and the share of one core since creation, for each process."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._since = perf_counter()
        self._before = {name: (pid, _ticks(pid)) for name, pid in nodes.pids.items()}
        self.peak: dict[str, float] = {}

    def read(self) -> dict[str, tuple[float, float]]:
        seconds, found = perf_counter() - self._since, dict[str, tuple[float, float]]()
        for name, pid in self._nodes.pids.items():
            known, before = self._before.get(name, (pid, 0))
            used = (_ticks(pid) - (before if known == pid else 0)) / TICKS
            self.peak[name] = max(self.peak.get(name, 0.0), _memory(pid))
            found[name] = (self.peak[name], used / seconds)
        return found


def _ticks(pid: int) -> int:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(words[11]) + int(words[12])


def _memory(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
