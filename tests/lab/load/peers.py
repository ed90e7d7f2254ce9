"""Real peers among the light clients: moves that are timed, and whole games that must end settled.

`python -m tests.lab.load.peers URL MOVES` times moves in a separate process, which no crowd keeps busy;
`python -m tests.lab.load.peers --host SEATS PACE URL …` opens a table on several carriers, as `bot --new` does on one.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tests.lab.bench.bare import Echo
from tests.lab.bench.network import Place, time_moves
from wasabi_tx.app.editions import rules_by_name
from wasabi_tx.app.machine import this_machine
from wasabi_tx.app.output import emit
from wasabi_tx.bots.level_names import bot_of
from wasabi_tx.cli.running import result_json
from wasabi_tx.net.address import Address, parse_broker_url
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.tables import Wanted, open_table
from wasabi_tx.online.terms import CLOCK, make_terms
from wasabi_tx.store.paths import HOME
from wasabi_tx.text import Texts

LOOK_EVERY = 0.05


@dataclass(frozen=True)
class Moves:
    """Seconds from a move on its author's disk until the other peer had applied it, and of bare round trips."""

    moves: list[float]
    trips: list[float]


async def timed_moves(address: Address, count: int) -> Moves:
    """Time this number of moves of a game for two, with each peer in its own process."""
    words = ("-m", "tests.lab.load.peers", address.url(), str(count))
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=PIPE)
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Moves(**json.loads(out))


class RealGame:
    """A game of bots in separate processes, each at its own node."""

    def __init__(self, folder: Path, addresses: list[Address], seats: int, pace: float, carriers: bool = False) -> None:
        self._carriers = carriers
        self._folder = folder
        self._addresses = addresses
        self._seats = seats
        self._pace = pace
        self._peers: list[Process] = []
        self.longest = 0.0
        """Longest time in seconds for which the host's file did not grow."""

    async def _start(self, number: int, words: list[str], invite: str = "") -> Process:
        address = self._addresses[number % len(self._addresses)]
        home = {HOME: str(self._folder / str(number))}
        command = ["-m", "wasabi_tx", "bot", "--json", "--level", "easy", "--pace", str(self._pace), *words]
        if self._carriers and not invite:
            urls = [one.url() for one in self._addresses]
            command = ["-m", "tests.lab.load.peers", "--host", str(self._seats), str(self._pace), *urls]
        # The invite names one broker of a cluster, another node has to be given; of carriers it names all.
        elif not self._carriers and (len(self._addresses) > 1 or not invite):
            command += ["--broker", address.url()]
        peer = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=os.environ | home
        )
        self._peers.append(peer)
        if invite:
            assert peer.stdin is not None
            peer.stdin.write(invite.encode() + b"\n")
        return peer

    async def play(self) -> bool:
        """Play to the end; return whether everybody ended with the same settled, verified game."""
        watching = asyncio.create_task(self._watch())
        try:
            host = await self._start(0, ["--new", "--seats", str(self._seats)])
            invite = (await _line(host))["invite"]
            for number in range(1, self._seats):
                await self._start(number, [], str(invite))
            results = [await _line(peer) for peer in self._peers]
        finally:
            watching.cancel()
            for peer in self._peers:
                if peer.returncode is None:
                    peer.kill()
                await peer.communicate()
        same = len({(str(result["head"]), str(result["digest"])) for result in results}) == 1
        return same and all(result["settled"] and result["verified"] for result in results)

    async def _watch(self) -> None:
        before, since = 0, perf_counter()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            size = await asyncio.to_thread(_written, self._folder / "0" / "games")
            if size != before:
                before, since = size, perf_counter()
            elif before:
                self.longest = max(self.longest, perf_counter() - since)


def _written(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("*.wasabi"))


async def _line(peer: Process) -> dict[str, object]:
    assert peer.stdout is not None
    assert peer.stderr is not None
    text = await peer.stdout.readline()
    if not text:
        raise RuntimeError((await peer.stderr.read()).decode())
    found: dict[str, object] = json.loads(text)
    return found


async def _time(url: str, count: int) -> None:
    address = parse_broker_url(url)
    with tempfile.TemporaryDirectory() as folder:
        async with Echo(address) as echo:
            times = await time_moves(Place(Path(folder), address, MqttTransport), echo, count)
    print(json.dumps({"moves": times.moves, "trips": times.trips}))


async def _host(seats: int, pace: float, addresses: list[Address]) -> None:
    texts = Texts("en")
    machine, kind = this_machine(texts, "Host"), bot_of("easy", "")
    wanted = Wanted(make_terms(rules_by_name("classic", seats, texts), seats, seats, CLOCK, ()), private=False)
    first, *others = addresses
    table = open_table(machine, first, (first,), wanted, kind, beside=[[one] for one in others])
    try:
        await table.connect()
        table.await_guests(person=False)
        emit({"invite": table.invite})
        emit(result_json(await play_bot(table, Habits(kind, pace, None), lambda _trouble: None)))
    finally:
        await table.close()


if __name__ == "__main__":
    if sys.argv[1] == "--host":
        seats, pace, *urls = sys.argv[2:]
        asyncio.run(_host(int(seats), float(pace), [parse_broker_url(url) for url in urls]))
        sys.exit()
    asyncio.run(_time(sys.argv[1], int(sys.argv[2])))
