"""One MQTT handshake by hand, to learn whether a broker is up and lets us in."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from contextlib import suppress

_CONNECT, _CONNACK, _DISCONNECT = 0x10, b"\x20\x02", b"\xe0\x00"
_CLEAN, _WITH_PASSWORD, _WITH_USER = 0x02, 0x40, 0x80


async def accepts(host: str, port: int, user: str, password: str, tls: bool) -> bool:
    """Whether a broker answers here and takes this password; its certificate is not looked at."""
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    try:
        reader, writer = await asyncio.open_connection(host, port, ssl=context)
    except OSError:
        return False
    try:
        writer.write(_connect(user, password))
        answer = await reader.readexactly(4)
        writer.write(_DISCONNECT)
        await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        return False
    finally:
        # A polite end of TLS would wait for the other side.
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()
    return answer[:2] == _CONNACK and answer[3] == 0


def _connect(user: str, password: str) -> bytes:
    flags = _CLEAN | _WITH_USER | _WITH_PASSWORD
    words = _text("wsb" + secrets.token_hex(10)) + _text(user) + _text(password)
    body = _text("MQTT") + bytes([4, flags, 0, 10]) + words
    length, rest = bytearray(), len(body)
    while rest > 127:
        length.append(rest & 127 | 128)
        rest >>= 7
    length.append(rest)
    return bytes([_CONNECT]) + bytes(length) + body


def _text(text: str) -> bytes:
    return len(text.encode()).to_bytes(2, "big") + text.encode()
