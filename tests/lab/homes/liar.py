"""A broker that lies: it drops, repeats and replays old messages, and shows different people different ones.

`python -m tests.lab.homes.liar ADDRESS PORT BROKER-PORT`
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
from collections import deque
from itertools import count
from random import Random

PUBLISH = 3


class Liar:
    """A proxy before an honest broker; clients' messages pass, what they receive is altered."""

    def __init__(self, address: str, broker_port: int) -> None:
        self._broker = address, broker_port
        self._clients = count()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(self._clients)
        there, back = await asyncio.open_connection(*self._broker)
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            async with asyncio.TaskGroup() as group:
                group.create_task(_pass_on(reader, back))
                group.create_task(_bend(there, writer, number))
        for one in (writer, back):
            one.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    raise asyncio.IncompleteReadError(b"", None)


async def _bend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
    chance, before = Random(number), deque[bytes](maxlen=50)
    while True:
        packet = await _packet(reader)
        if packet[0] >> 4 != PUBLISH:
            writer.write(packet)
            continue
        # One client hears what another does not: a fork of the table.
        hidden = (hashlib.sha256(packet).digest()[0] + number) % 3 == 0
        if not hidden and chance.random() > 0.2:
            writer.write(packet)
        before.append(packet)
        if chance.random() < 0.3:
            writer.write(chance.choice(before))
        await writer.drain()


async def _packet(reader: asyncio.StreamReader) -> bytes:
    """Read one MQTT packet: its head, its length in groups of seven bits, its body."""
    head = await reader.readexactly(1)
    length, shift = 0, 0
    while True:
        part = await reader.readexactly(1)
        head += part
        length |= (part[0] & 127) << shift
        shift += 7
        if part[0] < 128:
            break
    return head + await reader.readexactly(length)


async def main(address: str, port: int, broker_port: int) -> None:
    server = await asyncio.start_server(Liar(address, broker_port).serve, address, port)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
