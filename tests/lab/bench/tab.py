"""The program in a browser tab, in numbers: `python -m tests.lab.bench.tab [--visits N]`, with Chromium and npm.

A person hosts with `wasabi-tx host --web` on this machine, and a friend follows the link:

- seconds and bytes from the link to the first frame, to the table and to the end of the friend's own first turn, as
  somebody who was never here, and by the same person again, in the same browser
- milliseconds from a key at the table to the frame that it changes, beside xterm.js alone with what is typed
- memory of the tab then
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from time import monotonic

from tests.long.chromium import Chromium, Page
from tests.long.tab import Tab
from tests.long.test_tab import PERSON, link_of, put_site
from tests.peers.hands import play
from tests.peers.program import Program, Programs, programs_below
from tests.ports import own_port
from wasabi_tx.web.build import build

KEYS = 40
KEY = """
(async () => {
  const drawn = () => new Promise((done) => { const once = terminal.onRender(() => { once.dispose(); done(); }); });
  const times = [];
  for (let at = 0; at < COUNT; ++at) {
    await new Promise((next) => setTimeout(next, 60));
    const begun = performance.now(), frame = drawn();
    ACT;
    await frame;
    times.push(performance.now() - begun);
  }
  return times;
})()
""".replace("COUNT", str(KEYS))
THROUGH_PYTHON = 'terminal.input(at % 2 ? "\\x1b[D" : "\\x1b[C")'
BY_ITSELF = 'terminal.write("\\x1b7\\x1b[1;1H" + "xy"[at % 2] + "\\x1b8")'


@contextmanager
def table(programs: Programs, name: str, site: Path) -> Iterator[str]:
    """Yield the link to a table of two whose host plays on in a terminal."""
    put_site(programs.home(name), site)
    words = ("--allow", "hints", "--for", "friends", "--bind", "127.0.0.1", "--port", str(own_port()), "--name", name)
    host = programs.start(name, "host", "--web", "--plain", *words, typed=None)
    link = link_of(host)
    # The hands give up when the host is ended.
    threading.Thread(target=_play, args=(host,), daemon=True).start()
    yield link
    host.kill()


def _play(host: Program) -> None:
    with suppress(AssertionError):
        play(host, "signed by everybody")


def visit(tab: Tab, link: str, at_table: Callable[[], None] = lambda: None) -> dict[str, float]:
    """Follow a link up to the end of one's first turn; return the seconds of each part, and the bytes.

    What is done `at_table`, before the first key, does not count.
    """
    before, began = tab.page.received, monotonic()
    tab.open(link)
    tab.until("WASABI!")
    found = {"first frame": monotonic() - began}
    tab.until("squares left")
    found["table"] = monotonic() - began
    tab.play("YOUR TURN")
    tab.until("Enter  ")
    found["own turn"] = monotonic() - began
    paused = monotonic()
    at_table()
    began += monotonic() - paused
    said = ""
    # Below, the log has the same words.
    while "YOUR TURN" in (said := tab.until_other(said, "Enter  ", " is playing")).split("\n")[0]:
        tab.press("Enter")
    return {**found, "own first turn": monotonic() - began, "MB": (tab.page.received - before) / 1e6}


def typing(page: Page) -> dict[str, float]:
    """Return the milliseconds from a key to its frame, and those of xterm.js alone."""
    return {
        name: median(page.run(KEY.replace("ACT", act)))
        for name, act in (("through the program", THROUGH_PYTHON), ("xterm.js alone", BY_ITSELF))
    }


def memory(page: Page) -> dict[str, float]:
    heap = page.call("Runtime.getHeapUsage")
    processes = page.browser.call("", "SystemInfo.getProcessInfo")["processInfo"]
    shares = [_proportional(one["id"]) for one in processes if one["type"] == "renderer"]
    return {
        "objects": heap["usedSize"] / 1e6,
        "buffers and WebAssembly": heap.get("backingStorageSize", 0) / 1e6,
        "its process": max(shares),
    }


def _proportional(process: int) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


def at_table(tab: Tab, found: dict[str, list[dict[str, float]]]) -> None:
    """Measure keys that move a tile over the board, and memory."""
    tab.press("Enter")
    tab.until("You hold")
    found.setdefault("key to frame", []).append(typing(tab.page))
    found.setdefault("memory", []).append(memory(tab.page))


def nothing() -> None:
    """Measure nothing more."""


def line(name: str, values: dict[str, float], unit: str) -> str:
    return f"{name:18}" + "   ".join(f"{part} {value:.1f}" for part, value in values.items()) + f"   {unit}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.bench.tab", description=__doc__)
    parser.add_argument("--visits", type=int, default=3, help="how often; the medians are printed")
    wished = parser.parse_args()
    found: dict[str, list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as name, programs_below(Path(name) / "homes") as programs, Chromium() as browser:
        site = Path(name) / "site"
        build(site)
        for number in range(wished.visits):
            with browser.page() as page:
                tab = Tab(page, 1280, 800)
                for way in ("cold", "warm"):
                    with table(programs, f"{way}{number}", site) as link:
                        if way == "cold":
                            tab.keep(link.partition("/#")[0], PERSON)
                            page.received = 0
                        measured = partial(at_table, tab, found) if way == "warm" else nothing
                        found.setdefault(way, []).append(visit(tab, link, measured))
                        print(line(f"{way} {number + 1}", found[way][-1], f"load {os.getloadavg()[0]:.1f}"), flush=True)
                        page.open("about:blank")
    for name, runs in found.items():
        unit = {"key to frame": "ms", "memory": "MB"}.get(name, "s")
        print(line(name, {part: median(one[part] for one in runs) for part in runs[0]}, unit))


if __name__ == "__main__":
    main()
