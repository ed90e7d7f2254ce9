"""A web server on this machine that records what is sent to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from time import monotonic

from tests.brokers import PATIENCE, until


@dataclass(frozen=True)
class Posted:
    """One message: its path, headers, body and time of arrival."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float


@dataclass
class Web:
    url: str
    answers: int = 200
    """The status code with which it answers."""
    posted: list[Posted] = field(default_factory=list)

    def wait(self, count: int = 1) -> list[Posted]:
        until(lambda: len(self.posted) >= count, PATIENCE)
        return self.posted


@contextmanager
def web_server() -> Iterator[Web]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            web.posted.append(Posted(self.path, dict(self.headers), body, monotonic()))
            self.send_response(web.answers)
            self.send_header("Content-Length", "0")
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    web = Web(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
