"""Brokers and commands that end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.peers.keeping import KeepingBroker
from tests.peers.program import Programs, programs_below

OwnBroker = Callable[[str], KeepingBroker]


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with programs_below(tmp_path) as made:
        yield made


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[OwnBroker]:
    """Start a broker of a kind that nobody else uses, and that the test may kill."""
    made: list[KeepingBroker] = []

    def start(kind: str) -> KeepingBroker:
        made.append(KeepingBroker(kind, tmp_path / f"broker-{len(made)}"))
        made[-1].start()
        return made[-1]

    yield start
    for broker in made:
        broker.stop()
