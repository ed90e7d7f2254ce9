"""A probe: a minimal MQTT handshake that checks whether a broker is up and accepts a login."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from contextlib import suppress

TIMEOUT = 1.0
_CONNECT, _CONNACK, _DISCONNECT = 0x10, b"\x20\x02", b"\xe0\x00"
_CLEAN, _LOGIN = 0x02, 0xC0


async def welcomes(host: str, port: int, tls: bool, user: str = "", password: str = "") -> bool:
    """Return whether a broker answers here and accepts this user, or a watcher; its certificate is not checked."""
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(TIMEOUT):
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
            try:
                writer.write(_connect(user, password))
                answer = await reader.readexactly(4)
                writer.write(_DISCONNECT)
                await writer.drain()
            finally:
                # A clean end of TLS would wait for the other side.
                writer.transport.abort()
                with suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return False
    return answer[:2] == _CONNACK and answer[3] == 0


def _connect(user: str, password: str) -> bytes:
    words = ["wsb" + secrets.token_hex(10), *((user, password) if user else ())]
    texts = b"".join(len(word).to_bytes(2, "big") + word.encode() for word in words)
    flags = _CLEAN | (_LOGIN if user else 0)
    body = b"\x00\x04MQTT\x04" + bytes([flags, 0, 10]) + texts
    return bytes([_CONNECT, len(body)]) + body
