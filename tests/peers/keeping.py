"""Brokers that come back with their retained messages, and brokers that forget them."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
from collections.abc import Iterable

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from wasabi_protocol.signed.identity import key_text
from wasabi_protocol.table.invite_text import parse_invite
from wasabi_protocol.table.topics import Topic

from tests.brokers import PATIENCE, RealBroker, until
from wasabi_tx.broker.broker import is_up
from wasabi_tx.broker.child import Child
from wasabi_tx.broker.config import write_configuration
from wasabi_tx.net.address import PLAYER

MOST_CHUNKS = 64


class KeepingBroker(RealBroker):
    """A broker that can restart with its old store; `start` begins with an empty one."""

    def kill_and_restart(self) -> None:
        """Kill it with kill -9, then start the same program over the same files."""
        child = self._child
        assert child is not None
        folder, kept = self.settings.folder, self.settings.folder.with_suffix(".kept")
        os.kill(child.pid, signal.SIGKILL)
        until(lambda: not child.running(), PATIENCE)
        shutil.copytree(folder, kept)
        child.stop()
        kept.rename(folder)
        words = write_configuration(self._engine.kind, self.settings)
        self._child = Child.start([str(self._engine.path), *words], folder, self.settings.variables)
        until(lambda: asyncio.run(is_up(self.kind, self.settings)), PATIENCE)


def forget(invite: str, authors: Iterable[bytes]) -> None:
    """Make the broker forget the retained log of some seats at an open table."""
    found = parse_invite(invite)
    name = "eraser-" + secrets.token_hex(6)
    client = Client(CallbackAPIVersion.VERSION2, name, protocol=MQTTProtocolVersion.MQTTv311)
    client.username_pw_set(PLAYER, found.carriers[0].password)
    client.connect(*found.carriers[0].hosts[0])
    client.loop_start()
    try:
        for author in authors:
            for number in range(MOST_CHUNKS):
                topic = Topic(found.realm, "log", key_text(author), found.table, number)
                client.publish(str(topic), b"", qos=1, retain=True).wait_for_publish(PATIENCE)
    finally:
        client.disconnect()
        client.loop_stop()
