"""One browser for all tests of a worker, and one folder of the page for all workers."""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from wasabi_tx.web.build import build_unless_current

from .chromium import Chromium, Page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    with Chromium() as started:
        yield started


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Page]:
    """Yield a page of somebody who was never here before."""
    with chromium.page() as opened:
        yield opened


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of static files; whichever worker comes first builds it."""
    place = tmp_path_factory.getbasetemp()
    place = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    with (place / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_unless_current(place / "site")
    return place / "site"


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture(scope="session")
def site(built: Path) -> Iterator[str]:
    """Yield the origin of a plain server of static files with the folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=built)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
