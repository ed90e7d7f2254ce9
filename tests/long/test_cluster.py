"""A game whose peers are at different nodes of a cluster, while the nodes die one after another and come back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.brokers import until
from tests.faults.cluster import NAMES, Cluster

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
    """A bot in its own process, at one node."""

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
        """Size of its game file in bytes."""
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
