"""Three NATS nodes as the operator's page describes them, on loopback, to be killed and started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

from tests.brokers import until
from wasabi_tx.net.address import Address
from wasabi_tx.net.broker.child import Child
from wasabi_tx.net.broker.native import Caretaker, NativeFailed
from wasabi_tx.net.broker.ports import free_port
from wasabi_tx.net.broker.probe import welcomes
from wasabi_tx.net.broker.program import find_program
from wasabi_tx.net.broker.tending import prepare, tend

CARE = "secret-of-the-caretaker"
NAMES = ("one", "two", "three")
PAGE = Path(__file__).parents[2] / "OPERATING.md"


def page_block(kind: str) -> str:
    """A configuration on the operator's page."""
    found = re.search(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"the page has no {kind}"
    return found[1]


class Cluster:
    """A node by name: `kill` is kill -9, `start` goes on with what its disk holds."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.password = "secret-of-players"
        taken: set[int] = set()
        for _ in range(9):
            taken.add(free_port("127.0.0.1", 0, taken))
        ports = sorted(taken)
        self.ports = dict(zip(NAMES, ports[:3], strict=True))
        self._routes = dict(zip(NAMES, ports[3:6], strict=True))
        self._native = dict(zip(NAMES, ports[6:], strict=True))
        self._children: dict[str, Child] = {}
        self._engine = find_program("nats")

    def address(self, name: str) -> Address:
        return Address("127.0.0.1", self.ports[name], user="play", password=self.password)

    @property
    def pids(self) -> dict[str, int]:
        """The processes of the nodes that are up."""
        return {name: child.pid for name, child in self._children.items()}

    def start(self, name: str) -> None:
        """Starts a node; returns at once."""
        path = self.folder / f"{name}.conf"
        path.write_text(self._configuration(name), encoding="utf-8")
        home = self.folder / f"home-{name}"
        home.mkdir(exist_ok=True)
        log = str(self.folder / f"{name}.log")
        self._children[name] = Child.start([str(self._engine.path), "-c", str(path), "-l", log], home)

    def wait(self, name: str) -> None:
        """Until a node lets watchers and players in: then the cluster has found its leaders."""
        until(lambda: asyncio.run(self._answers(name)), 60)

    async def _answers(self, name: str) -> bool:
        here = ("127.0.0.1", self.ports[name], False)
        return await welcomes(*here) and await welcomes(*here, "play", self.password)

    def caretaker(self, name: str) -> Caretaker:
        return Caretaker("127.0.0.1", self._native[name], "care", CARE)

    def begin(self) -> None:
        """What an operator does: starts all nodes, prepares the streams, lets people in, and bounds the streams."""
        for name in NAMES:
            self.start(name)
        until(lambda: asyncio.run(self._prepared()), 60)
        for name in NAMES:
            self.wait(name)
        self.tend(NAMES[0])

    def tend(self, name: str) -> None:
        """What an operator does when a node has been started."""
        asyncio.run(tend(self.caretaker(name)))

    async def _prepared(self) -> bool:
        try:
            await prepare(self.caretaker(NAMES[0]), len(NAMES))
        except NativeFailed:
            # They have not found one another yet.
            return False
        return True

    def kill(self, name: str) -> None:
        os.kill(self._children[name].pid, signal.SIGKILL)
        self._children.pop(name).stop()

    def stop(self) -> None:
        for child in self._children.values():
            child.stop()
        self._children.clear()

    def _configuration(self, name: str) -> str:
        """The page's block, with what an operator would fill in."""
        text = page_block("nats cluster").replace("NODE", name)
        for other in NAMES:
            text = text.replace(f"{other}.example.org:6222", f"127.0.0.1:{self._routes[other]}")
        values = {
            "127.0.0.1:4222": f"127.0.0.1:{self._native[name]}",
            "0.0.0.0:6222": f"127.0.0.1:{self._routes[name]}",
            "0.0.0.0:1883": f"127.0.0.1:{self.ports[name]}",
            "/var/lib/wasabi": str(self.folder / f"store-{name}"),
            "CHANGE-PLAY": self.password,
            "CHANGE-CARE": CARE,
        }
        for old, new in values.items():
            assert old in text, f"the page no longer has {old}"
            text = text.replace(old, new)
        return text
