"""Textual's driver for xterm.js: what the app writes goes to the page, what its terminal sends comes from there."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Literal, TextIO

import page
from pyodide.ffi import create_proxy, to_js
from textual import events

# Textual has no public reader of what a terminal sends; each of its own drivers uses this one.
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.driver import Driver
from textual.geometry import Size

_BEGIN = "\x1b[?1049h\x1b[?1003h\x1b[?1006h\x1b[?25l\x1b[?2004h"
"""Another screen, the mouse, no cursor, and pasted text as such."""
_END = "\x1b[?2004l\x1b[?1003l\x1b[?1006l\x1b[?25h\x1b[?1049l"


class TabDriver(Driver):
    """A driver without threads: the page calls it, in the loop that the app runs in."""

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._parser = XTermParser(debug)
        self._proxies = [create_proxy(one) for one in (self._typed, self._resized, self._focused)]

    @property
    def is_web(self) -> bool:
        return True

    def write(self, data: str) -> None:
        page.write(data)

    def start_application_mode(self) -> None:
        self.write(_BEGIN)
        page.listen(*self._proxies)
        self._resized(page.columns(), page.rows())
        self.send_message(events.AppFocus())

    def disable_input(self) -> None:
        page.listen(None, None, None)

    def stop_application_mode(self) -> None:
        self.disable_input()
        self.write(_END)

    def close(self) -> None:
        for proxy in self._proxies:
            proxy.destroy()

    def open_url(self, url: str, new_tab: bool = True) -> None:
        del new_tab
        page.openUrl(url)

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Let the browser save a file where its person finds it: our own files are the browser's alone."""
        del open_method
        with binary:
            data = binary.read()
        page.download(
            save_path.name, to_js(data.encode(encoding or "utf-8") if isinstance(data, str) else data), mime_type
        )
        self._delivery_complete(delivery_key, save_path, name)

    def _typed(self, text: str) -> None:
        # A key that begins like a longer one is whole at once: the page never cuts what one key sends.
        for source in (self._parser.feed(text), self._parser.tick()):
            for message in source:
                self.process_message(message)

    def _resized(self, columns: int, rows: int) -> None:
        size = Size(columns, rows)
        self.process_message(events.Resize(size, size))

    def _focused(self, focused: bool) -> None:
        self.process_message(events.AppFocus() if focused else events.AppBlur())
