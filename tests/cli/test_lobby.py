"""The lobby as lines: it waits until it knows, and says so where there is nothing."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from tests.brokers import PATIENCE, RealBroker, nats_broker, realm
from tests.online.small import small_rules
from tests.online.world import secret
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import CLOCK, make_terms

__all__ = ["nats_broker", "realm"]


async def lobby(folder: Path, broker: RealBroker, realm: str, *words: str) -> str:
    """Run `lobby --list` as somebody with the password, and return what it prints."""
    (folder / "config").mkdir(parents=True, exist_ok=True)
    (folder / "config" / "settings.toml").write_text(f'name = "Cy"\nrealm = "{realm}"\n', encoding="utf-8")
    command = [sys.executable, "-m", "wasabi_tx", "lobby", "--list", broker.address.url(), *words]
    environment = os.environ | {"WASABI_TX_HOME": str(folder), "WASABI_TX_LANG": "en"}
    running = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=environment)
    assert running.stderr is not None
    assert running.stdout is not None
    first = await asyncio.wait_for(running.stderr.readline(), PATIENCE)
    assert first.decode().strip() == "Connecting…", "nobody waits without a word"
    said = await asyncio.wait_for(running.stdout.read(), PATIENCE)
    assert await running.wait() == 0
    return said.decode()


async def test_a_broker_without_tables_says_so(tmp_path: Path, nats_broker: RealBroker, realm: str) -> None:
    assert "no table is offered" in await lobby(tmp_path, nats_broker, realm)


async def test_a_living_table_is_open_when_it_is_printed_and_its_people_are_not_in_the_lobby(
    tmp_path: Path, nats_broker: RealBroker, realm: str
) -> None:
    def machine(name: str) -> Machine:
        return Machine(tmp_path / name, secret(name), name, small_rules, MqttTransport, realm)

    terms = make_terms(small_rules("classic", 3), 3, 3, CLOCK)
    host = open_table(machine("Ana"), nats_broker.address, [nats_broker.address], Wanted(terms))
    guest = join_table(machine("Bo"), read_invite(host.invite))
    try:
        async with asyncio.timeout(PATIENCE):
            await host.connect()
            await guest.connect()
            while len(await host.driver.do(lambda client, _now: client.waiting_room.admitted)) < 2:
                await host.changed()
        said = await lobby(tmp_path / "Cy", nats_broker, realm)
        assert "2 of 3" in said
        assert " open " in said
        assert "Bo" not in said
        (offer,) = map(json.loads, (await lobby(tmp_path / "Cy", nats_broker, realm, "--json")).splitlines())
        assert (offer["host"], offer["fresh"], offer["taken"]) == ("Ana", True, 2)
    finally:
        await guest.close()
        await host.close()
