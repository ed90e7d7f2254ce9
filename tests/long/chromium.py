"""A real browser without a window: Chromium, controlled through a pipe by its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
    "--remote-debugging-pipe", "--force-device-scale-factor=1",
)  # fmt: skip
_LAUNCH = """
import os, sys
read, write = (os.dup(int(number)) for number in sys.argv[1:3])
for found, wanted in ((read, 3), (write, 4)):
    os.dup2(found, wanted)
    os.set_inheritable(wanted, True)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""The browser reads its third and writes its fourth descriptor."""


class PageError(Exception):
    """An exception in a script of the page."""


class Chromium:
    """One browser; each of its pages is somebody else's, with files and a cache of its own."""

    def __init__(self) -> None:
        self._number, self._rest = 0, b""
        self._pages: dict[str, Page] = {}
        self._profile = tempfile.TemporaryDirectory(prefix="wasabi-chromium-", ignore_cleanup_errors=True)
        ours, theirs = os.pipe(), os.pipe()
        command = ["chromium", *OPTIONS, f"--user-data-dir={self._profile.name}", "about:blank"]
        launched = [sys.executable, "-c", _LAUNCH, str(ours[0]), str(theirs[1]), *command]
        self._process = subprocess.Popen(launched, pass_fds=(ours[0], theirs[1]), stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self._to, self._from = os.fdopen(ours[1], "wb"), os.fdopen(theirs[0], "rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        with suppress(OSError):
            self._send("", "Browser.close", {})
        with suppress(OSError):
            self._to.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from.close()
        self._profile.cleanup()

    @contextmanager
    def page(self) -> Iterator[Page]:
        """Yield a page of somebody who was never here before, and forget everything after it."""
        person = self.call("", "Target.createBrowserContext")["browserContextId"]
        try:
            yield self.another_page(person)
        finally:
            self.call("", "Target.disposeBrowserContext", browserContextId=person)

    def another_page(self, person: str) -> Page:
        """Open one more page of the same person."""
        target = self.call("", "Target.createTarget", url="about:blank", browserContextId=person)["targetId"]
        session = self.call("", "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, target, person)
        for domain in ("Page", "Runtime", "Network", "Accessibility"):
            page.call(f"{domain}.enable")
        return page

    def call(self, session: str, method: str, **params: Any) -> dict[str, Any]:
        """Return the answer of the browser, or of one of its pages; what it reports meanwhile is noted."""
        number = self._send(session, method, params)
        while True:
            said = self._receive()
            page = self._pages.get(said.get("sessionId", ""))
            if "method" in said and page is not None:
                page.note(said["method"], said["params"])
            if said.get("id") == number:
                if "error" in said:
                    raise PageError(f"{method}: {said['error']}")
                result: dict[str, Any] = said["result"]
                return result

    def _send(self, session: str, method: str, params: dict[str, Any]) -> int:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._to.write(json.dumps(message).encode() + b"\0")
        self._to.flush()
        return self._number

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._from.fileno(), 1 << 20)
            if not read:
                raise PageError("the browser has ended")
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


class Page:
    """One page of a browser."""

    def __init__(self, browser: Chromium, session: str, target: str, person: str) -> None:
        self.browser, self.target, self.person = browser, target, person
        self._session = session
        self.requests: list[str] = []
        """The addresses that the page asked for."""
        self.received = 0
        """The bytes that it got over the network."""

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.call(self._session, method, **params)

    def note(self, method: str, params: dict[str, Any]) -> None:
        """Note what the browser reports about this page."""
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.loadingFinished":
            self.received += params["encodedDataLength"]

    def close(self) -> None:
        self.browser.call("", "Target.closeTarget", targetId=self.target)

    def open(self, url: str) -> None:
        """Open an address, and return when its own script has run."""
        self.call("Page.navigate", url=url)
        self.wait_for(f"document.readyState === 'complete' && location.href === new URL({json.dumps(url)}).href")

    def run(self, script: str) -> Any:
        """Return the value of a script, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise PageError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> Any:
        """Check the condition at every frame, and return its value once it is true."""
        return self.run(
            f"new Promise((found) => {{ const look = () => {{ const value = {condition};"
            " if (value) found(value); else setTimeout(look, 5); }; look(); })"
        )

    def press(self, key: str, text: str = "") -> None:
        code = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32, "Tab": 9, "Enter": 13}.get(key, 0)
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text, windowsVirtualKeyCode=code)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a finger over the page."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": start[0], "y": start[1]}])
        self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": end[0], "y": end[1]}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def size(self, width: int, height: int, light: str = "dark") -> None:
        """Show the page in a window of this size, for a reader who likes it light or dark."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": light}])

    def read_aloud(self) -> list[tuple[str, str]]:
        """Return the role and name of every element that a screen reader finds."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored") and "role" in node
        ]

    def picture(self, file: Path) -> None:
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(shot["data"]))
