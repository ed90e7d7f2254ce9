"""The native protocol of a NATS server, as far as administration needs it: requests and answers."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

TIMEOUT = 5.0
QUIET = 0.3
"""Seconds without a further answer after which every node of a cluster has answered."""
LONGEST_LINE = 1 << 16
NOT_FOUND = 404
NO_HEADERS: Mapping[str, str] = MappingProxyType({})

Answer = dict[str, Any]


class NativeProblem(StrEnum):
    """The reason why a server could not be queried; each has its sentence in every language."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    NOT_NATS = "not-nats"
    LOGIN = "login"
    NOT_SYSTEM = "not-system"
    NOT_FOUND = "not-found"
    REFUSED = "refused"
    HUNG_UP = "hung-up"
    GARBLED = "garbled"


class NativeFailed(Exception):
    """The server could not be queried, or refused; `said` is its own text, meant for a log."""

    def __init__(self, code: NativeProblem, said: str = "") -> None:
        super().__init__(f"{code}: {said}" if said else str(code))
        self.code = code
        self.said = said


@dataclass(frozen=True, slots=True)
class Caretaker:
    """The native port of a server and the login of its admin user."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)


def parse_native_url(text: str) -> Caretaker:
    """Parse `nats://user:password@host:port`; raise `ValueError` for anything else."""
    parts = urlsplit(text)
    if parts.scheme != "nats" or not parts.hostname or not parts.username or parts.path not in ("", "/"):
        raise ValueError("not nats://USER:PASSWORD@HOST[:PORT]")
    return Caretaker(parts.hostname, parts.port or 4222, unquote(parts.username), unquote(parts.password or ""))


class Native:
    """An open connection; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._inbox = f"_INBOX.{secrets.token_hex(8)}"
        self._asked = 0

    async def login(self, taker: Caretaker) -> None:
        hello = {"verbose": False, "pedantic": False, "headers": True, "no_responders": True}
        login = json.dumps(hello | {"user": taker.user, "pass": taker.password})
        if not (await self._reader.readline()).startswith(b"INFO"):
            raise NativeFailed(NativeProblem.NOT_NATS)
        self._writer.write(f"CONNECT {login}\r\nSUB {self._inbox}.* 1\r\nPING\r\n".encode())
        answer = await self._reader.readline()
        if answer != b"PONG\r\n":
            raise NativeFailed(NativeProblem.LOGIN, _said(answer))

    async def ask(self, subject: str, question: object = None, headers: Mapping[str, str] = NO_HEADERS) -> Answer:
        """Return the first answer; raise `NativeFailed` if there is none or if it is an error."""
        reply = self._send(subject, question, headers)
        async with asyncio.timeout(TIMEOUT):
            answer = await self._next(reply)
        if "error" in answer:
            error = answer["error"]
            code = NativeProblem.NOT_FOUND if error.get("code") == NOT_FOUND else NativeProblem.REFUSED
            raise NativeFailed(code, f"{subject}: {error.get('description')}")
        return answer

    async def ask_all(self, subject: str, question: object = None) -> list[Answer]:
        """Return the answers of every node."""
        reply, answers, patience = self._send(subject, question), list[Answer](), TIMEOUT
        with suppress(TimeoutError):
            while True:
                async with asyncio.timeout(patience):
                    answers.append(await self._next(reply))
                patience = QUIET
        return answers

    def _send(self, subject: str, question: object, headers: Mapping[str, str] = NO_HEADERS) -> str:
        self._asked += 1
        reply = f"{self._inbox}.{self._asked}"
        body = b"" if question is None else json.dumps(question).encode()
        head = "".join(["NATS/1.0\r\n", *(f"{name}: {value}\r\n" for name, value in headers.items()), "\r\n"]).encode()
        self._writer.write(
            f"HPUB {subject} {reply} {len(head)} {len(head + body)}\r\n".encode() + head + body + b"\r\n"
        )
        return reply

    async def _next(self, reply: str) -> Answer:
        """Return the next answer to this request; drop late answers to others."""
        while True:
            words = (await self._reader.readline()).split()
            match words:
                case [b"MSG" | b"HMSG" as kind, subject, _, *sizes]:
                    body = (await self._reader.readexactly(int(sizes[-1]) + 2))[:-2]
                    if subject.decode() != reply:
                        continue
                    if kind == b"HMSG":
                        raise NativeFailed(NativeProblem.NOT_SYSTEM)
                    found = json.loads(body)
                    if isinstance(found, dict):
                        return found
                case [b"PING"]:
                    self._writer.write(b"PONG\r\n")
                case []:
                    raise NativeFailed(NativeProblem.HUNG_UP)
                case _ if words[0] == b"-ERR":
                    raise NativeFailed(NativeProblem.REFUSED, _said(b" ".join(words)))


def _said(line: bytes) -> str:
    """Return the server's reason, from a line that refuses something."""
    return line.decode(errors="replace").strip().removeprefix("-ERR ").strip("'")


@asynccontextmanager
async def native(taker: Caretaker) -> AsyncIterator[Native]:
    """Open a connection for the block; raise `NativeFailed` for any problem with it."""
    try:
        async with asyncio.timeout(TIMEOUT):
            reader, writer = await asyncio.open_connection(taker.host, taker.port, limit=LONGEST_LINE)
        try:
            connection = Native(reader, writer)
            async with asyncio.timeout(TIMEOUT):
                await connection.login(taker)
            yield connection
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
    except TimeoutError:
        raise NativeFailed(NativeProblem.TIMEOUT) from None
    except OSError as error:
        raise NativeFailed(NativeProblem.UNREACHABLE, str(error)) from None
    except asyncio.IncompleteReadError:
        raise NativeFailed(NativeProblem.HUNG_UP) from None
    except ValueError as error:
        raise NativeFailed(NativeProblem.GARBLED, str(error)) from None
