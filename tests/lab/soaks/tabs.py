"""Whole games of browser tabs and native peers at one table: `python -m tests.lab.soaks.tabs --games 20 --seed S`.

The tabs are the program of the page under Pyodide in node, with its transport and its libsodium: a browser adds nothing
to what is checked here. Both editions, two to four seats, one to all but one of them in tabs. Everybody must end with
the same settled game, and `verify` must accept every file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from tests.peers.program import Programs, game_file, programs_below
from tests.peers.tables import NAMES, open_table, verified
from wasabi_tx.web.build import build

PLAYER = Path(__file__).with_name("tab.mjs")


class NodeTab:
    """A process that plays one game after another."""

    def __init__(self, site: Path, home: Path) -> None:
        self.home = home
        home.mkdir()
        command = ["node", "--no-warnings", "--experimental-websocket", str(PLAYER), str(site), str(home)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.line() == "ready"

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def play(self, invite: str, name: str) -> None:
        for old in (self.home / "games").glob("*.wasabi"):
            old.unlink()
        assert self._process.stdin is not None
        self._process.stdin.write(f"{invite} {name}\n")
        self._process.stdin.flush()

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def play(folder: Path, broker: str, tabs: list[NodeTab], edition: str, seats: int) -> None:
    """Play one game whose last seats are tabs; raise `AssertionError` unless everybody has the same one."""
    with programs_below(folder) as programs:
        table = open_table(programs, seats, edition, broker=broker)
        table.join(*NAMES[1 : seats - len(tabs)])
        for number, tab in enumerate(tabs):
            tab.play(table.invite, f"Tab{number}")
        results = [json.loads(tab.line()) for tab in tabs] + list(table.results().values())
        # The one in the tab is made by the same function as the others, which say it as JSON.
        assert all(result == results[-1] for result in results), results
        assert results[-1]["settled"]
        files = [table.game(name) for name in table.everybody] + [game_file(tab.home) for tab in tabs]
        verified(programs, *files)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.soaks.tabs", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="1")
    wished = parser.parse_args()
    chance = Random(wished.seed)
    failed = 0
    with tempfile.TemporaryDirectory() as name, programs_below(Path(name) / "operator") as programs:
        folder = Path(name)
        build(folder / "site")
        broker = broker_of(programs)
        tabs = [NodeTab(folder / "site", folder / f"tab{number}") for number in range(3)]
        try:
            for number in range(wished.games):
                edition, seats = ("classic", "master")[number % 2], 2 + number // 2 % 3
                some = tabs[: chance.randrange(1, seats)]
                began = monotonic()
                try:
                    play(folder / f"game{number}", broker, some, edition, seats)
                    said = "the same verified game everywhere"
                except AssertionError as error:
                    failed += 1
                    said = f"FAILED: {error}"
                print(f"{number + 1}: {edition}, {seats} seats, {len(some)} of them tabs: {said}, "
                      f"{monotonic() - began:.0f} s", flush=True)  # fmt: skip
        finally:
            for tab in tabs:
                tab.stop()
    print(f"{wished.games} games, {failed} failed")
    return 1 if failed else 0


def broker_of(programs: Programs) -> str:
    words = ("--bind", "127.0.0.1", "--port", "0", "--websockets", "0", "--silent", "--json")
    address: str = json.loads(programs.start("operator", "broker", *words, typed=None).line())["play_websockets"]
    return address


if __name__ == "__main__":
    sys.exit(main())
