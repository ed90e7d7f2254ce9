"""A host who comes back under another address of the local network: guests find it by themselves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from wasabi_protocol.table.invite import host_key_hash

from tests.brokers import PATIENCE, RealBroker, nats_broker, realm
from tests.net.proxy import Mode, Proxy
from wasabi_tx.net import discovery
from wasabi_tx.net.discovery import Browser, Found
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online import online_table
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import CLOCK, make_terms

from .small import small_rules
from .world import secret

__all__ = ["nats_broker", "realm"]
TERMS = make_terms(small_rules("classic", 2), 2, 2, CLOCK)


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[Found]:
    """Return what is announced on the local network, to be filled by a test."""
    heard: list[Found] = []

    class Nearby(Browser):
        @property
        def found(self) -> list[Found]:
            return heard

    monkeypatch.setattr(discovery, "Browser", Nearby)
    monkeypatch.setattr(online_table, "LOST_FOR", 0.1)
    return heard


async def test_a_guest_finds_the_host_again_and_remembers_where(
    tmp_path: Path, nats_broker: RealBroker, realm: str, announced: list[Found]
) -> None:
    def machine(name: str) -> Machine:
        return Machine(tmp_path / name, secret(name), name, small_rules, MqttTransport, realm)

    async with Proxy(nats_broker.address) as before:
        host = open_table(machine("host"), nats_broker.address, [before.address], Wanted(TERMS))
        guest = join_table(machine("guest"), read_invite(host.invite))
        try:
            await host.connect()
            await guest.connect()
            async with asyncio.timeout(PATIENCE):
                await guest.driver.do(lambda client, now: client.tick(now))
                while not await guest.driver.do(lambda client, _now: client.host):
                    await guest.changed()
                port = nats_broker.settings.port
                announced += [
                    Found("a stranger", "127.0.0.1", 1, realm, host_key_hash(secret("stranger"))),
                    Found("somebody older", "127.0.0.1", 2, realm),
                    Found("host", "127.0.0.1", port, realm, host_key_hash(host.me.key)),
                ]
                await before.set(Mode.REFUSE)
                await guest.until(lambda _now: not guest.up)
                await guest.until(lambda _now: guest.up)
                disk = FileDisk(tmp_path / "guest", guest.table)
                while (seat := disk.seat()) is None or not seat.through:
                    await guest.changed()
            assert seat.through == f"mqtt://127.0.0.1:{port}", "its password is in the invite"
        finally:
            await guest.close()
            await host.close()
