"""Tending a server as an operator does: before its first client, and again after that."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.brokers import PATIENCE, until
from tests.ports import own_port
from wasabi_tx.broker.broker import caretaker_of, is_up
from wasabi_tx.broker.child import Child
from wasabi_tx.broker.config import CARETAKER, BrokerSettings, new_password, write_configuration
from wasabi_tx.broker.native import NativeFailed, native
from wasabi_tx.broker.program import find_program
from wasabi_tx.broker.tending import RETAINED, tend
from wasabi_tx.cli import wasabi_tx


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BrokerSettings]:
    """Yield the settings of a NATS server that runs, and that no MQTT client has met."""
    settings = BrokerSettings(tmp_path, "127.0.0.1", own_port(), new_password(), care_port=own_port())
    words = write_configuration("nats", settings)
    child = Child.start([str(find_program("nats").path), *words], tmp_path, settings.variables)
    try:
        until(lambda: asyncio.run(_answers(settings)), PATIENCE)
        yield settings
    finally:
        child.stop()


async def _answers(settings: BrokerSettings) -> bool:
    with suppress(NativeFailed):
        async with native(caretaker_of(settings)):
            return True
    return False


def test_a_server_is_tended_before_its_first_client_and_bounds_the_rest_when_they_came(
    server: BrokerSettings, tmp_path: Path
) -> None:
    url = f"nats://{CARETAKER}:{server.care_password}@127.0.0.1:{server.care_port}"
    home = {"WASABI_TX_HOME": str(tmp_path / "home"), "WASABI_TX_LANG": "en"}
    for _ in range(2):
        told = CliRunner().invoke(wasabi_tx, ["broker", "--tend", url], env=home)
        assert told.exit_code == 0, told.output
        assert RETAINED in told.output
    first = {one.name for one in asyncio.run(tend(caretaker_of(server)))}
    assert first == {RETAINED}, "no client has made the others yet"
    until(lambda: asyncio.run(is_up("nats", server)), PATIENCE)
    found = asyncio.run(tend(caretaker_of(server), everybody_came=True))
    assert {one.name for one in found} > first
