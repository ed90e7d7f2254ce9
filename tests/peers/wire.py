"""A listener at the broker that records everything on the wire, and searches in it."""

from __future__ import annotations

import secrets
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgpack
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.table.invite_text import parse_invite
from wasabi_protocol.verdicts import Verdict

from tests.brokers import PATIENCE

EVERYTHING = "wsb1/#"
SHORTEST = 128
"""Bytes above which compression is meaningful."""


@dataclass
class Wire:
    """Topics and payloads in the order of their arrival."""

    letters: list[tuple[str, bytes]] = field(default_factory=list)

    def holding(self, *words: bytes) -> set[bytes]:
        """Return those of these words that occur in a topic or a payload."""
        return {word for word in words for topic, payload in self.letters if word in payload or word in topic.encode()}

    def readable(self) -> list[str]:
        """Return the topics of payloads that are readable without a key."""
        return [topic for topic, payload in self.letters if payload and _readable(payload)]


def _readable(payload: bytes) -> bool:
    if len(payload) >= SHORTEST and len(zlib.compress(payload, 9)) < len(payload):
        return True
    return any(_is_map(payload[start:]) for start in (0, 24, 64)) or _is_message(payload)


def _is_map(data: bytes) -> bool:
    try:
        found: Any = msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        return False
    return isinstance(found, dict) and bool(found)


def _is_message(payload: bytes) -> bool:
    try:
        parse(payload[64:])
    except Verdict:
        return False
    return True


@contextmanager
def recorded(invite: str) -> Iterator[Wire]:
    """Record everything at the broker of an invite, with the rights of a player."""
    found = parse_invite(invite)
    wire, subscribed = Wire(), threading.Event()
    client = Client(
        CallbackAPIVersion.VERSION2, "listener-" + secrets.token_hex(6), protocol=MQTTProtocolVersion.MQTTv311
    )
    client.username_pw_set("play", found.carriers[0].password)

    def connected(client: Client, *_: object) -> None:
        client.subscribe(EVERYTHING, qos=1)

    def heard(_client: Client, _data: object, message: MQTTMessage) -> None:
        wire.letters.append((message.topic, bytes(message.payload)))

    client.on_connect = connected
    client.on_subscribe = lambda *_: subscribed.set()
    client.on_message = heard
    client.connect(*found.carriers[0].hosts[0])
    client.loop_start()
    try:
        assert subscribed.wait(PATIENCE)
        yield wire
    finally:
        client.disconnect()
        client.loop_stop()
