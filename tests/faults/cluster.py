"""Three NATS nodes as on the operator's page, on loopback, to be killed and restarted."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

from tests.brokers import until
from tests.ports import own_port
from wasabi_tx.broker.child import Child
from wasabi_tx.broker.native import Caretaker, NativeFailed
from wasabi_tx.broker.probe import welcomes
from wasabi_tx.broker.program import find_program
from wasabi_tx.broker.tending import prepare, tend
from wasabi_tx.net.address import Address

CARE = "secret-of-the-caretaker"
NAMES = ("one", "two", "three")
DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "operating.md"


def page_block(kind: str) -> str:
    """Return a configuration from the pages for players and operators."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md")))
    (found,) = re.findall(rf"```{kind}\n(.*?)```", pages, re.DOTALL)
    return str(found)


class Cluster:
    """A cluster of named nodes: `kill` is kill -9, `start` continues from a node's disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.password = "secret-of-players"
        ports = [own_port() for _ in range(9)]
        self.ports = dict(zip(NAMES, ports[:3], strict=True))
        self._routes = dict(zip(NAMES, ports[3:6], strict=True))
        self._native = dict(zip(NAMES, ports[6:], strict=True))
        self._children: dict[str, Child] = {}
        self._engine = find_program("nats")

    def address(self, name: str) -> Address:
        return Address("127.0.0.1", self.ports[name], user="play", password=self.password)

    @property
    def pids(self) -> dict[str, int]:
        """Process ids of the nodes that are up."""
        return {name: child.pid for name, child in self._children.items()}

    def start(self, name: str) -> None:
        """Start a node, and return at once."""
        path = self.folder / f"{name}.conf"
        path.write_text(self._configuration(name), encoding="utf-8")
        home = self.folder / f"home-{name}"
        home.mkdir(exist_ok=True)
        log = str(self.folder / f"{name}.log")
        self._children[name] = Child.start([str(self._engine.path), "-c", str(path), "-l", log], home)

    def wait(self, name: str) -> None:
        """Wait until a node admits watchers and players: then the cluster has found its leaders."""
        until(lambda: asyncio.run(self._answers(name)), 60)

    async def _answers(self, name: str) -> bool:
        here = ("127.0.0.1", self.ports[name], False)
        return await welcomes(*here) and await welcomes(*here, "play", self.password)

    def caretaker(self, name: str) -> Caretaker:
        return Caretaker("127.0.0.1", self._native[name], "care", CARE)

    def begin(self) -> None:
        """Do what an operator does: start all nodes, prepare the streams, admit people, and limit the streams."""
        for name in NAMES:
            self.start(name)
        until(lambda: asyncio.run(self._prepared()), 60)
        for name in NAMES:
            self.wait(name)
        self.tend(NAMES[0])

    def tend(self, name: str) -> None:
        """Do what an operator does after starting a node."""
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
        """Return the page's block, filled in as an operator would."""
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
