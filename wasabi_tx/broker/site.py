"""A site for browsers: the files of a folder and the broker's websockets, on one port."""

from __future__ import annotations

import asyncio
import gzip
import logging
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

from ..net.address import WEBSOCKET_PATH
from ..net.interfaces import own_addresses
from . import ports

_logger = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds for a request's head."""
SENDING = 300.0
"""Seconds for a whole file; the largest is nine megabytes."""
LONGEST_REQUEST = 16_384
MOST = 512
"""Most connections at a time; a page has one, and six more while it loads."""
_CHUNK = 65_536
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
}
_PACKED = (".whl", ".zip")
"""Files that do not become smaller."""
_ALWAYS = (
    "Cache-Control: no-cache",
    "Connection: close",
    "Content-Security-Policy: frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy: same-origin",
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
)


@dataclass(frozen=True, slots=True)
class Request:
    """The head of a request; names of headers are in small letters."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def websocket(self) -> bool:
        return self.headers.get("upgrade", "").lower() == "websocket"

    def without_origin(self) -> bytes:
        """Return the head for the broker, which asks programs for no origin: we have checked that of the page."""
        lines = self.raw.split(b"\r\n")
        return b"\r\n".join(line for line in lines if not line.lower().startswith(b"origin:"))


def read_request(head: bytes) -> Request:
    """Read a request's head; raise `ValueError` if it is not one."""
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    method, path, version = first.split(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError
        headers[name.lower()] = value.strip()
    return Request(method, path.partition("?")[0], headers, head)


class Site:
    """Serves a folder's files as they were when it started, and passes websockets on to the broker on this machine."""

    def __init__(self, folder: Path, host: str, websockets: int, known_as: Iterable[str] = ()) -> None:
        """Serve what listens on `host`; `known_as` are more names under which browsers find it, perhaps with a port."""
        found = {f"/{one.relative_to(folder).as_posix()}": one for one in folder.rglob("*") if one.is_file()}
        self._files = found | ({"/": found["/index.html"]} if "/index.html" in found else {})
        self._tags = {one: f'"{one.stat().st_mtime_ns:x}-{one.stat().st_size:x}"' for one in found.values()}
        self._packed: dict[Path, bytes] = {}
        self._host = host
        self._known_as = tuple(known_as)
        self._websockets = websockets
        self._port = 0
        self._open: set[asyncio.Task[None]] = set()

    async def start(self, wish: int) -> asyncio.Server:
        """Listen on the requested port or the next free one."""
        taken: set[int] = set()
        while True:
            self._port = ports.free_port(self._host, wish, taken)
            try:
                return await asyncio.start_server(self._serve, self._host, self._port, limit=LONGEST_REQUEST)
            except OSError:
                # Another program took the port after we had found it free.
                taken.add(self._port)

    @property
    def port(self) -> int:
        return self._port

    def close(self) -> None:
        for task in self._open:
            task.cancel()

    def admits(self, origin: str) -> bool:
        """Return whether this is the origin of our own page, under any name of this machine.

        The names are ours and not the request's: under a name of somebody else, a page of theirs could lead here.
        """
        name = socket.gethostname().lower()
        here = ["127.0.0.1", "localhost", "::1", name, f"{name}.local", *own_addresses(self._host)]
        places = [f"{f'[{one}]' if ':' in one else one}:{self._port}" for one in here]
        for one in self._known_as:
            places += [one.lower(), f"{one.lower()}:{self._port}"]
        wanted = [f"http://{place.removesuffix(':80')}" for place in places]
        wanted += [f"https://{one.lower().removesuffix(':443')}" for one in self._known_as]
        return origin.lower() in wanted

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._open) >= MOST:
            writer.close()
            return
        self._open.add(task)
        try:
            await self._answer(reader, writer)
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        except asyncio.CancelledError:
            # Only `close` ends us like this; the server would report it as a fault.
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(PATIENCE):
            head = await reader.readuntil(b"\r\n\r\n")
        try:
            request = read_request(head)
        except ValueError:
            await _send(writer, HTTPStatus.BAD_REQUEST)
            return
        if request.websocket:
            await self._pass_on(request, reader, writer)
        elif request.method not in ("GET", "HEAD"):
            await _send(writer, HTTPStatus.METHOD_NOT_ALLOWED, "Allow: GET, HEAD")
        elif (file := self._files.get(request.path)) is None:
            await _send(writer, HTTPStatus.NOT_FOUND)
        else:
            await self._send_file(file, request, writer)

    async def _send_file(self, file: Path, request: Request, writer: asyncio.StreamWriter) -> None:
        tag = self._tags[file]
        kind = KINDS.get(file.suffix, "application/octet-stream")
        headers = [f"Content-Type: {kind}", f"ETag: {tag}", "Vary: Accept-Encoding"]
        if tag in request.headers.get("if-none-match", ""):
            await _send(writer, HTTPStatus.NOT_MODIFIED, *headers)
            return
        packs = file.suffix not in _PACKED and "gzip" in request.headers.get("accept-encoding", "")
        if packs:
            headers.append("Content-Encoding: gzip")
        body = await asyncio.to_thread(self._read, file, packs)
        await _send(writer, HTTPStatus.OK, *headers, body=body, whole=request.method == "GET")

    def _read(self, file: Path, packs: bool) -> bytes:
        if not packs:
            return file.read_bytes()
        if file not in self._packed:
            self._packed[file] = gzip.compress(file.read_bytes(), mtime=0)
        return self._packed[file]

    async def _pass_on(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass a websocket on to the broker, both ways, until either side ends it."""
        origin = request.headers.get("origin")
        if request.path != WEBSOCKET_PATH:
            await _send(writer, HTTPStatus.NOT_FOUND)
            return
        if origin is not None and not self.admits(origin):
            _logger.info("a page of %.80s was refused", origin)
            await _send(writer, HTTPStatus.FORBIDDEN)
            return
        try:
            there, to_there = await asyncio.open_connection("127.0.0.1", self._websockets)
        except OSError:
            await _send(writer, HTTPStatus.BAD_GATEWAY)
            return
        try:
            to_there.write(request.without_origin())
            ways = [asyncio.create_task(_copy(*one)) for one in ((reader, to_there), (there, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        finally:
            to_there.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()


async def _send(
    writer: asyncio.StreamWriter, status: HTTPStatus, *headers: str, body: bytes = b"", whole: bool = True
) -> None:
    lines = [f"HTTP/1.1 {status.value} {status.phrase}", *_ALWAYS, *headers, f"Content-Length: {len(body)}"]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + (body if whole else b""))
    async with asyncio.timeout(SENDING):
        await writer.drain()


@asynccontextmanager
async def site(folder: Path, host: str, wish: int, websockets: int, known_as: Iterable[str] = ()) -> AsyncIterator[int]:
    """Serve the folder and the broker's websockets while the block runs; yield the port."""
    made = Site(folder, host, websockets, known_as)
    server = await made.start(wish)
    _logger.info("a site for browsers on %s, port %d", host, made.port)
    try:
        yield made.port
    finally:
        server.close()
        made.close()
