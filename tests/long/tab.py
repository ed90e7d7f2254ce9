"""The program in a browser tab, as a person uses it: what is on its terminal, keys, and the mouse."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.brokers import PATIENCE

from .chromium import Page

_LINES = (
    "Array.from({length: terminal.rows}, (_, row) =>"
    " terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row).translateToString(true))"
)
HOME = "/home/wasabi"
"""Where the program has its files in a tab."""
DISCARD = "Discard which?"
STILL = 400
"""Milliseconds without a change after which a person presses again."""
_PLAYING = "window.terminal && document.body.classList.contains('playing')"

_STORE = (
    """
var happens = (asked, event) => new Promise((done) => { asked[event] = () => done(asked.result); });
var opened = async (mode) => {
  const opening = indexedDB.open("HOME", 21);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("FILE_DATA").createIndex("timestamp", "timestamp");
  };
  const change = (await happens(opening, "onsuccess")).transaction("FILE_DATA", mode);
  return { files: change.objectStore("FILE_DATA"), change, end: () => opening.result.close() };
};
"""
).replace("HOME", HOME)
"""Opens the database in which Emscripten keeps files, in its own format."""
_KEEP = """
async (wanted) => {
  const { files, change, end } = await opened("readwrite"), timestamp = new Date();
  for (const [name, text] of Object.entries(wanted)) {
    const parts = name.split("/");
    for (let at = 1; at < parts.length; ++at) {
      files.put({ timestamp, mode: 0o40755 }, ["HOME", ...parts.slice(0, at)].join("/"));
    }
    files.put({ timestamp, mode: 0o100644, contents: new TextEncoder().encode(text) }, `HOME/${name}`);
  }
  await happens(change, "oncomplete");
  end();
}
""".replace("HOME", HOME)
_KEPT = """
async () => {
  const { files, end } = await opened("readonly"), found = {};
  const names = files.getAllKeys(), values = await happens(files.getAll(), "onsuccess");
  names.result.forEach((name, at) => {
    const bytes = values[at].contents;
    if (bytes) found[name] = btoa(Array.from(bytes, (one) => String.fromCharCode(one & 255)).join(""));
  });
  end();
  return found;
}
"""


class Tab:
    """A page with the program in it."""

    def __init__(self, page: Page, width: int = 760, height: int = 460) -> None:
        self.page = page
        page.size(width, height)
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def open(self, url: str) -> None:
        self.page.open(url)

    def keep(self, site: str, files: Mapping[str, str]) -> None:
        """Let the browser keep these files of a home, as if its person had been here before."""
        self.page.open(f"{site}/words.json")
        self.page.run(f"{_STORE} ({_KEEP})({json.dumps(files)})")

    def kept(self) -> dict[str, bytes]:
        """Return the files that the browser keeps of this person, once all that was written is saved."""
        found = self.page.run(f"{_STORE} page.save().then({_KEPT})")
        return {name.removeprefix(f"{HOME}/"): base64.b64decode(text) for name, text in found.items()}

    def cut_off(self) -> None:
        """Take the network away, once the browser has all that it keeps for such a day."""
        self.page.run("navigator.serviceWorker.ready.then(() => true)")
        nothing = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.page.call("Network.emulateNetworkConditions", offline=True, **nothing)

    def reload(self) -> None:
        """Load the page again, as somebody does in the middle of a game."""
        self.page.run("window.before = true")
        self.page.call("Page.reload")
        self.page.wait_for("!window.before")

    @property
    def lines(self) -> list[str]:
        """The lines of its terminal; before there is one, those of the page."""
        found: list[str] = self.page.run(f"{_PLAYING} ? {_LINES} : [document.getElementById('told')?.innerText]")
        return found

    def until(self, *words: str) -> str:
        """Return what is on the terminal once all these words are."""
        return self._until(f"{json.dumps(words)}.every((one) => text.includes(one))", " and ".join(words))

    def until_other(self, before: str, *words: str) -> str:
        """Return what is on the terminal once one of these words is, and it has changed or does not change any more."""
        other = f"(text !== {json.dumps(before)} || still()) && {json.dumps(words)}.some((one) => text.includes(one))"
        return self._until(other, " or ".join(words))

    def _until(self, condition: str, wanted: str) -> str:
        found = self.page.run(
            f"""(async () => {{
              const begun = performance.now(), end = begun + {PATIENCE * 1000};
              const still = () => performance.now() > begun + {STILL};
              while (performance.now() < end) {{
                if ({_PLAYING}) {{
                  const text = {_LINES}.join("\\n");
                  if ({condition}) return text;
                }}
                await new Promise((next) => setTimeout(next, 20));
              }}
              return null;
            }})()"""
        )
        assert found is not None, f"{wanted} did not come:\n" + "\n".join(map(str, self.lines))
        return str(found)

    def play(self, *over: str, by_mouse: bool = False) -> None:
        """Do what Enter offers, and discard the first card of too many, until some of these words are there."""
        said = ""
        while True:
            said = self.until_other(said, "Enter  ", DISCARD, *over)
            if any(one in said for one in over):
                return
            if by_mouse:
                self.click("Enter  ", 1)
            else:
                self.press("1" if DISCARD in said else "Enter")

    def press(self, *keys: str) -> None:
        """Press keys, each a letter or the name of one."""
        for key in keys:
            self.page.press(key, {"Enter": "\r"}.get(key, key if len(key) == 1 else ""))

    def click(self, words: str, after: int = 0) -> None:
        """Click on these words, so many cells after their beginning."""
        text = self.until(words).split("\n")
        row = next(number for number, line in enumerate(text) if words in line)
        self.click_cell(text[row].index(words) + after, row)

    def click_cell(self, column: int, row: int) -> None:
        left, top, wide, high = self.page.run(
            "(({x, y, width, height}) => [x, y, width / terminal.cols, height / terminal.rows])"
            "(document.querySelector('.xterm-screen').getBoundingClientRect())"
        )
        place = {"x": left + (column + 0.5) * wide, "y": top + (row + 0.5) * high}
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            button: dict[str, Any] = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.page.call("Input.dispatchMouseEvent", type=kind, **place, **button)

    def downloads(self, folder: Path) -> None:
        """Let the browser save what the program hands over."""
        person = {"browserContextId": self.page.person}
        self.page.browser.call("", "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), **person)

    def picture(self, file: Path) -> None:
        self.page.picture(file)
