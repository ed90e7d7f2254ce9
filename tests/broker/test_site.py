"""The site for browsers: files of a folder and nothing else, and websockets for its own pages alone."""

from __future__ import annotations

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.broker.running import running
from tests.brokers import PATIENCE
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads
from tests.ports import own_port
from wasabi_tx.broker.site import LONGEST_REQUEST, Site, site
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import Publication

WEBSOCKET = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: mqtt")
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "site"
    (made / "wheels").mkdir(parents=True)
    (made / "index.html").write_text("<title>Wasabi!</title>")
    (made / "page.mjs").write_text("export const a = 1;\n" * 100)
    (made / "wheels" / "a.whl").write_bytes(b"PK")
    (tmp_path / "secret.txt").write_text("secret")
    return made


async def asked(port: int, path: str, *headers: str, method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    """Return the status, headers and body of the answer to a request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "", ""]
        writer.write("\r\n".join(lines).encode("latin-1"))
        async with asyncio.timeout(PATIENCE):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            body = b"" if head[0].split()[1] == "101" else await reader.read()
    finally:
        writer.transport.abort()
    found = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    return int(head[0].split()[1]), found, body


@asynccontextmanager
async def serving(folder: Path, websockets: int = 1, *known_as: str) -> AsyncIterator[int]:
    async with site(folder, "127.0.0.1", own_port(), websockets, known_as) as port:
        yield port


async def test_the_files_of_the_folder_are_served_with_their_kinds(folder: Path) -> None:
    async with serving(folder) as port:
        for path, kind, name in (
            ("/", "text/html; charset=utf-8", "index.html"),
            ("/index.html?a=b", "text/html; charset=utf-8", "index.html"),
            ("/page.mjs", "text/javascript; charset=utf-8", "page.mjs"),
            ("/wheels/a.whl", "application/octet-stream", "wheels/a.whl"),
        ):
            status, headers, body = await asked(port, path)
            assert (status, headers["content-type"], body) == (200, kind, (folder / name).read_bytes())
            assert headers["x-content-type-options"] == "nosniff"
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
        status, headers, body = await asked(port, "/page.mjs", method="HEAD")
        assert (status, headers["content-length"], body) == (200, "2000", b"")


async def test_nothing_beside_the_folder_is_served(folder: Path) -> None:
    async with serving(folder) as port:
        for path in (
            "/../secret.txt",
            "/wheels/../../secret.txt",
            "/%2e%2e/secret.txt",
            "//etc/passwd",
            "/wheels",
            "*",
        ):
            assert (await asked(port, path))[0] == 404, path
        assert (await asked(port, "/", method="POST"))[0] == 405


@pytest.mark.parametrize(
    "request_head",
    [b"\r\n\r\n", b"GET /\r\n\r\n", b"GET / FTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost\r\n\r\n", b"\xff \r\n\r\n"],
)
async def test_what_is_no_request_is_refused(folder: Path, request_head: bytes) -> None:
    async with serving(folder) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request_head)
        async with asyncio.timeout(PATIENCE):
            assert (await reader.read()).startswith(b"HTTP/1.1 400 ")
        writer.close()


async def test_a_head_without_end_is_given_up_and_the_next_is_answered(folder: Path) -> None:
    async with serving(folder) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * LONGEST_REQUEST)
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
        writer.close()
        assert (await asked(port, "/"))[0] == 200


async def test_a_browser_gets_files_compressed_and_once(folder: Path) -> None:
    async with serving(folder) as port:
        _, headers, body = await asked(port, "/page.mjs", "Accept-Encoding: gzip, deflate")
        assert headers["content-encoding"] == "gzip"
        assert len(body) == int(headers["content-length"]) < 200
        assert gzip.decompress(body) == (folder / "page.mjs").read_bytes()
        again, _, nothing = await asked(port, "/page.mjs", f"If-None-Match: {headers['etag']}")
        assert (again, nothing) == (304, b"")
        assert "content-encoding" not in (await asked(port, "/wheels/a.whl", "Accept-Encoding: gzip"))[1]


async def test_a_program_plays_through_the_port_of_the_site(folder: Path, tmp_path: Path, transport: Opener) -> None:
    async with running(tmp_path, websocket_port=0) as broker, serving(folder, broker.websocket_port or 0) as port:
        here = transport(Address("127.0.0.1", port, websockets=True, user=broker.user, password=broker.password))
        here.subscribe(["wsb1/club/x"])
        events = await connected(here)
        large = b"\xff" * 30_000
        here.publish(Publication("wsb1/club/x", large))
        assert await payloads(events, 1) == [large]


async def test_pages_of_other_sites_reach_no_websocket(folder: Path, tmp_path: Path) -> None:
    async with running(tmp_path, websocket_port=0) as broker:
        known = ("game.example", "tunnel.example:444")
        async with serving(folder, broker.websocket_port or 0, *known) as port:
            mine = [f"http://{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]", socket.gethostname())]
            mine += [f"http://game.example:{port}", "https://game.example", "https://tunnel.example:444"]
            for origin in mine:
                assert (await asked(port, "/mqtt", *WEBSOCKET, KEY, f"Origin: {origin}"))[0] == 101, origin
            others = ["null", "https://evil.example", f"http://evil.example:{port}", f"http://127.0.0.1:{port + 1}"]
            others += ["http://tunnel.example", f"http://127.0.0.1.evil.example:{port}", ""]
            for origin in others:
                host = origin.partition("//")[2]
                words = (*WEBSOCKET, KEY, f"Origin: {origin}", f"Host: {host}")
                assert (await asked(port, "/mqtt", *words))[0] == 403, origin
            assert (await asked(port, "/mqtt", *WEBSOCKET, KEY))[0] == 101, "programs send no origin"
            assert (await asked(port, "/other", *WEBSOCKET, KEY))[0] == 404


async def test_without_its_broker_a_websocket_is_refused(folder: Path) -> None:
    async with serving(folder, own_port()) as port:
        assert (await asked(port, "/mqtt", *WEBSOCKET, KEY))[0] == 502


async def test_a_taken_port_is_stepped_aside_for(folder: Path) -> None:
    async with serving(folder) as port, site(folder, "127.0.0.1", port, 1) as other:
        assert port < other < port + 50
        assert (await asked(other, "/"))[0] == 200


async def test_only_the_standard_port_goes_without_saying(folder: Path) -> None:
    standing = Site(folder, "127.0.0.1", 1)
    standing._port = 80
    assert standing.admits("http://127.0.0.1")
    assert not standing.admits("http://127.0.0.1:8080")
