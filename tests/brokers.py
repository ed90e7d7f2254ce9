"""Real brokers for tests: one of each kind for a whole session, with the configuration that ships.

A conftest that needs them imports `from tests.brokers import mosquitto_broker, nats_broker, realm`.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.needs import needs
from tests.ports import own_port
from wasabi_tx.broker.broker import is_up
from wasabi_tx.broker.child import Child
from wasabi_tx.broker.config import BrokerSettings, new_password, write_configuration
from wasabi_tx.broker.program import find_program
from wasabi_tx.net.address import PLAYER, Address

KINDS = ("nats", "mosquitto")
EACH_KIND = ("nats", pytest.param("mosquitto", marks=needs("mosquitto")))
"""Brokers as parameters of tests."""
PATIENCE = 120.0
"""Seconds that anything may take on a busy machine; nobody waits for longer than it takes."""


class RealBroker:
    """A broker process that a test may kill and start again; always on the same port, with the same password."""

    def __init__(self, kind: str, folder: Path, certificate: Path | None = None, key: Path | None = None) -> None:
        self._engine = find_program(kind)
        self.kind = kind
        self._parent = folder
        port, websocket_port, care_port = own_port(), own_port(), own_port()
        self.settings = BrokerSettings(
            folder, "127.0.0.1", port, new_password(), websocket_port, certificate, key, care_port=care_port
        )
        self._child: Child | None = None

    @property
    def address(self) -> Address:
        """The address to play at."""
        return Address("127.0.0.1", self.settings.port, user=PLAYER, password=self.settings.password)

    @property
    def watching(self) -> Address:
        """The address to watch at: without user and password."""
        return Address("127.0.0.1", self.settings.port)

    @property
    def websockets(self) -> Address:
        assert self.settings.websocket_port is not None
        return replace(self.address, port=self.settings.websocket_port, websockets=True)

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    def start(self) -> None:
        """Start it with an empty store, and return when it answers."""
        self.settings = replace(self.settings, folder=self._parent / secrets.token_hex(4))
        words = write_configuration(self._engine.kind, self.settings)
        command = [str(self._engine.path), *words]
        self._child = Child.start(command, self.settings.folder, self.settings.variables)
        until(lambda: asyncio.run(is_up(self.kind, self.settings)), PATIENCE)

    def kill(self) -> None:
        """Kill the broker with kill -9, and return once it has ended."""
        assert self._child is not None
        os.kill(self._child.pid, signal.SIGKILL)
        self._child.stop()
        self._child = None

    def stop(self) -> None:
        if self._child is not None:
            self._child.stop()
            self._child = None


def until(condition: Callable[[], bool], seconds: float) -> None:
    """Poll until something outside this process or thread has happened."""
    limit = monotonic() + seconds
    while not condition():
        assert monotonic() < limit, "it did not happen in time"
        sleep(0.01)


def _session(kind: str, factory: pytest.TempPathFactory) -> Iterator[RealBroker]:
    broker = RealBroker(kind, factory.mktemp(kind))
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def nats_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBroker]:
    """Yield the NATS server of this test process, as the program starts it. Do not kill it: others use it."""
    yield from _session("nats", tmp_path_factory)


@pytest.fixture(scope="session")
def mosquitto_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealBroker]:
    """Yield the Mosquitto of this test process, as the program starts it. Do not kill it: others use it."""
    yield from _session("mosquitto", tmp_path_factory)


@pytest.fixture
def realm() -> str:
    """Return a realm that no other test uses, on a shared broker."""
    return f"test-{secrets.token_hex(8)}"
