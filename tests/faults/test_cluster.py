"""A game whose peers sit at different nodes of a cluster, while the nodes die one after another and come back."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tests.brokers import until
from tests.faults.cluster import NAMES, Cluster
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Connected, Publication

PROGRAM = [sys.executable, "-m", "wasabi_tx"]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path)
    try:
        cluster.begin()
        yield cluster
    finally:
        cluster.stop()


class Peer:
    """A bot in a process of its own, at one node."""

    def __init__(self, home: Path, words: list[str], line: str = "") -> None:
        self.games = home / "games"
        self.process = subprocess.Popen(
            [*PROGRAM, "bot", "--json", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "WASABI_TX_HOME": str(home)},
        )
        assert self.process.stdin is not None
        if line:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def line(self) -> dict[str, object]:
        assert self.process.stdout is not None
        text = self.process.stdout.readline()
        assert text, self.process.stderr.read() if self.process.stderr else ""
        found: dict[str, object] = json.loads(text)
        return found

    @property
    def written(self) -> int:
        """How many bytes its game's file has."""
        return sum(path.stat().st_size for path in self.games.glob("*.wasabi"))


def test_a_game_outlives_the_death_of_every_node(cluster: Cluster, tmp_path: Path) -> None:
    urls = {name: cluster.address(name).url() for name in NAMES}
    opened = ["--new", "--seats", "3", "--broker", urls["one"], "--pace", "0.25"]
    host = Peer(tmp_path / "host", opened)
    peers = [host]
    try:
        invite = str(host.line()["invite"])
        peers += [Peer(tmp_path / name, ["--broker", urls[name], "--pace", "0.25"], invite) for name in NAMES[1:]]
        for name in NAMES:
            before = host.written
            until(lambda before=before: host.written > before + 2_000, 120)  # type: ignore[misc]
            cluster.kill(name)
            cluster.start(name)
            cluster.wait(name)
        results = [peer.line() for peer in peers]
    finally:
        for peer in peers:
            peer.process.kill()
            peer.process.communicate()
    assert all(result["settled"] and result["verified"] for result in results)
    assert len({(result["head"], result["digest"]) for result in results}) == 1
    for peer in peers:
        (record,) = peer.games.glob("*.wasabi")
        assert subprocess.run([*PROGRAM, "verify", str(record)], check=False, capture_output=True).returncode == 0


async def test_late_watchers_find_what_was_retained_at_every_node_while_nodes_die(cluster: Cluster) -> None:
    wanted: list[str] = []
    for name in NAMES:
        await asyncio.to_thread(cluster.kill, name)
        alive = [other for other in NAMES if other != name]
        wanted.append(f"wsb1/club/kept-while-{name}-is-dead")
        async with asyncio.timeout(60):
            # What was said while no leader was chosen is said again, as clients do that got no acknowledgement.
            while not await _finds(cluster.address(alive[0]), wanted):
                await _retain(cluster.address(alive[0]), wanted[-1])
            while not await _finds(cluster.address(alive[1]), wanted):
                pass
        cluster.start(name)
        await asyncio.to_thread(cluster.wait, name)
        await asyncio.to_thread(cluster.tend, name)
        async with asyncio.timeout(60):
            while not await _finds(cluster.address(name), wanted):
                pass


async def _retain(address: Address, topic: str) -> None:
    """Publishes, and waits for the echo."""
    player = MqttTransport(address)
    player.subscribe([topic])
    player.open()
    try:
        async for event in player.events():
            if isinstance(event, Connected):
                player.publish(Publication(topic, b"kept", retain=True))
            elif isinstance(event, Arrived):
                return
    finally:
        await player.close()


async def _finds(address: Address, wanted: list[str]) -> bool:
    """Whether somebody who comes late, without a password, finds all of this within seconds."""
    watcher, missing = MqttTransport(replace(address, user="", password="")), set(wanted)
    watcher.subscribe(["wsb1/club/+"])
    watcher.open()
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                async for event in watcher.events():
                    if isinstance(event, Arrived):
                        missing.discard(event.topic)
                    if not missing:
                        break
    finally:
        await watcher.close()
    return not missing
