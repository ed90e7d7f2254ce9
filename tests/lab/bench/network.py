"""The cost of a table on a real broker: `python -m tests.lab.bench.network [--json]`.

Every figure is a ratio of medians from one run, taken in turns, so that a busy minute of the machine slows both sides:

- a move, from the moment it is on its author's disk to the moment the other peer, in another process, has checked and
  applied it, and to the moment its screen is told (by then its own answer to a drawn card is on its disk too), beside
  the round trip of a bare QoS 1 message through the same broker
- the setup of a table, from the first word to the first move, beside the same without a network
- a late watcher, from its connection to the present, beside `verify` of the same game
- moves and round trips while fifty tables of bots play on the same broker, beside those with one table
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from wasabi_protocol.game.events import Event
from wasabi_protocol.game.state import GameState
from wasabi_protocol.signed.envelope import Signed

from tests.lab.bench.bare import Echo
from tests.net.memory import MemoryBroker, MemoryTransport
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.broker.broker import Broker
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.step import Bundle
from wasabi_tx.net.address import Address, parse_broker_url
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Transport
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.result import check_record
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.tables import Wanted, join_table, open_table, watch_table
from wasabi_tx.online.terms import make_terms
from wasabi_tx.store.games import read_game

EDITION, LEVEL = "classic", "easy"
TABLES, A_PROCESS = 50, 10
PACE = 10.0
"""Seconds between the moves of a bot of the crowd: about as fast as people who know the game."""
Connect = Callable[[Sequence[Address]], Transport]


class Place:
    """Homes below a folder, and one way to connect."""

    def __init__(self, folder: Path, address: Address, connect: Connect) -> None:
        self._folder = folder
        self.address = address
        self._connect = connect

    def home(self) -> Machine:
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        return Machine(folder, os.urandom(32), "bench", rules_for, self._connect)

    def table(self, seats: int) -> list[OnlineTable]:
        """Return a table with everybody at it, not yet connected."""
        terms = make_terms(rules_for(EDITION, seats), seats, seats)
        host = open_table(self.home(), self.address, [self.address], Wanted(terms), LEVEL)
        invite = read_invite(host.invite)
        return [host, *(join_table(self.home(), invite, LEVEL) for _ in range(seats - 1))]

    @asynccontextmanager
    async def seated(self, seats: int) -> AsyncIterator[list[OnlineTable]]:
        """Yield a table at which a player may move."""
        everybody = self.table(seats)
        for one in everybody:
            await one.driver.open()
        try:
            await _somebody_moves(everybody)
            yield everybody
        finally:
            for one in everybody:
                await one.close()


async def _somebody_moves(everybody: list[OnlineTable]) -> OnlineTable | None:
    """Return the player to move; None once the game is over."""
    while True:
        for one in everybody:
            if one.driver.snapshot.my_turn:
                return one
        if any(one.driver.snapshot.over for one in everybody):
            return None
        waits = [asyncio.create_task(one.driver.changed()) for one in everybody]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()


@dataclass
class Times:
    """Seconds until a move is applied, until it is reported, and of the bare round trips between moves."""

    moves: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    trips: list[float] = field(default_factory=list)


@dataclass
class Clocked:
    """A peer that records when the first part of a move is on disk, and when it has applied something."""

    peer: OnlineTable
    written: float | None = None
    applied: dict[int, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        disk, playing = self.peer._disk, self.peer.driver._client.playing
        assert isinstance(disk, FileDisk)
        assert playing is not None
        append, take = disk.append, playing.session.receive_signed

        def noted_append(data: bytes) -> None:
            append(data)
            self.written = self.written or perf_counter()

        def noted_take(signed: Signed, live: bool = True) -> list[Event[GameState[SealedPosition]]]:
            events = take(signed, live=live)
            self.applied.setdefault(playing.session.log.head.number, perf_counter())
            return events

        disk.append = noted_append  # type: ignore[method-assign]
        playing.session.receive_signed = noted_take  # type: ignore[method-assign]


def _send(bundle: Bundle, client: Client, now: float) -> None:
    client.play(bundle, now)


async def time_moves(place: Place, echo: Echo, most: int) -> Times:
    """Time the wanted number of moves against a peer in another process, and as many bare round trips."""
    times, bot = Times(), find_bot(LEVEL)
    while len(times.moves) < most:
        terms = make_terms(rules_for(EDITION, 2), 2, 2)
        host = open_table(place.home(), place.address, [place.address], Wanted(terms), LEVEL)
        words = ("-m", "tests.lab.bench.network", "--guest", host.invite)
        guest = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
        try:
            await host.driver.open()
            await host.driver.until(lambda now: now.observation is not None)
            clocked = Clocked(host)
            while len(times.moves) < most and await _somebody_moves([host]) is not None:
                times.trips.append(await echo.trip())
                snapshot = host.driver.snapshot
                assert snapshot.observation is not None
                bundle = bot.choose(snapshot.observation, Random(snapshot.slot), 1)
                # Its reaction to the move's consequences is written later.
                clocked.written = None
                await host.driver.do(partial(_send, bundle))
                written = clocked.written
                assert written is not None
                applied, told = await _noted(guest, snapshot.slot + 1)
                times.moves.append(applied - written)
                times.told.append(told - written)
        finally:
            guest.kill()
            await guest.wait()
            await host.close()
    return times


async def _noted(guest: asyncio.subprocess.Process, slot: int) -> tuple[float, float]:
    """Return when the guest had applied a slot, and when its screen was told; all processes share one clock."""
    assert guest.stdout is not None
    while True:
        found, applied, told = json.loads(await guest.stdout.readline())
        if found == slot:
            return applied, told


async def be_guest(invite: str) -> None:
    """Play at another process's table, and print when each slot was applied and reported."""
    with tempfile.TemporaryDirectory() as folder:
        known, bot = read_invite(invite), find_bot(LEVEL)
        home = Machine(Path(folder), os.urandom(32), "guest", rules_for, MqttTransport)
        guest = join_table(home, known, LEVEL)
        driver = guest.driver
        await driver.open()
        await driver.until(lambda now: now.observation is not None)
        clocked, slot = Clocked(guest), driver.snapshot.slot
        while not driver.snapshot.over:
            await driver.until(lambda now, slot=slot: now.slot > slot or now.my_turn or now.over)  # type: ignore[misc]
            told, snapshot = perf_counter(), driver.snapshot
            for one in range(slot + 1, snapshot.slot + 1):
                print(json.dumps([one, clocked.applied.get(one, told), told]), flush=True)
            slot = snapshot.slot
            if snapshot.my_turn and snapshot.observation is not None:
                bundle = bot.choose(snapshot.observation, Random(slot), 1)
                await driver.do(partial(_send, bundle))
        await asyncio.Event().wait()


async def time_setup(place: Place, seats: int) -> float:
    started = perf_counter()
    async with place.seated(seats):
        return perf_counter() - started


async def time_late(place: Place, rounds: int) -> tuple[float, float]:
    """Return the seconds that a watcher needs who arrives after the end, and those for checking the same file."""
    everybody = place.table(2)
    for one in everybody:
        await one.driver.open()
    await asyncio.gather(*(play_bot(one, Habits(LEVEL)) for one in everybody))
    data = read_game(Path(everybody[0].saved_as))
    watch = read_invite(everybody[0].watch_invite)
    for one in everybody:
        await one.close()
    late, checks = [], []
    for _ in range(rounds):
        started = perf_counter()
        watcher = watch_table(place.home(), watch)
        await watcher.driver.open()
        await watcher.driver.until(lambda now: now.over)
        late.append(perf_counter() - started)
        await watcher.close()
        started = perf_counter()
        assert check_record(data, rules_for).fault is None
        checks.append(perf_counter() - started)
    return median(late), median(checks)


async def crowd(url: str, tables: int) -> None:
    """Play slow games at that number of tables, one after another at each, until killed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), parse_broker_url(url), MqttTransport)
        waiting, seated = tables, asyncio.Event()

        async def one_table() -> None:
            nonlocal waiting
            while True:
                everybody = place.table(2)
                for one in everybody:
                    await one.driver.open()
                await _somebody_moves(everybody)
                waiting -= 1
                if waiting == 0:
                    seated.set()
                await asyncio.gather(*(play_bot(one, Habits("random", PACE)) for one in everybody))
                for one in everybody:
                    await one.close()

        async with asyncio.TaskGroup() as group:
            for _ in range(tables):
                group.create_task(one_table())
            await seated.wait()
            print("seated", flush=True)


async def time_crowd(place: Place, echo: Echo, moves: int) -> Times:
    """Time the same moves while all the other tables play."""
    words = ("-m", "tests.lab.bench.network", "--crowd", place.address.url())
    crowds = []
    try:
        for _ in range(TABLES // A_PROCESS):
            pipe = asyncio.subprocess.PIPE
            crowds.append(await asyncio.create_subprocess_exec(sys.executable, *words, stdout=pipe))
        for one in crowds:
            assert one.stdout is not None
            assert await one.stdout.readline() == b"seated\n"
        return await time_moves(place, echo, moves)
    finally:
        for one in crowds:
            one.kill()
            await one.wait()


def memory(url: str) -> int:
    """Return the peak memory in MB of a `wasabi-tx bot` that joined a game for two."""
    with tempfile.TemporaryDirectory() as folder:
        word = [sys.executable, "-m", "wasabi_tx", "bot", "--json", "--level", LEVEL]
        homes = [os.environ | {"WASABI_TX_HOME": f"{folder}/{number}"} for number in range(2)]
        host = subprocess.Popen([*word, "--new", "--broker", url], stdout=subprocess.PIPE, env=homes[0])
        assert host.stdout is not None
        invite = json.loads(host.stdout.readline())["invite"]
        guest = subprocess.Popen(word, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=homes[1])
        assert guest.stdin is not None
        guest.stdin.write(invite.encode() + b"\n")
        guest.stdin.close()
        _, code, used = os.wait4(guest.pid, 0)
        guest.returncode = code
        assert code == 0
        host.communicate()
        return used.ru_maxrss // 1024


def without_network(folder: Path, address: Address) -> Place:
    """Return a place whose peers meet in memory."""
    broker, numbers = MemoryBroker(), count()
    return Place(folder, address, lambda _address: MemoryTransport(broker, f"peer-{next(numbers)}"))


async def measure(moves: int, rounds: int, crowded: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = await Broker.start(folder / "broker")
        stack.push_async_callback(broker.stop)
        place = Place(folder, broker.address(), MqttTransport)
        echo = await stack.enter_async_context(Echo(broker.address()))
        alone = await time_moves(place, echo, moves)
        trip = median(alone.trips)
        found["round trip, ms"] = 1000 * trip
        found["move / round trip"] = median(alone.moves) / trip
        found["move told / round trip"] = median(alone.told) / trip
        for seats in (2, 3, 4):
            pairs = []
            for _ in range(rounds):
                still = without_network(folder, place.address)
                pairs.append((await time_setup(place, seats), await time_setup(still, seats)))
            there, here = (median(side) for side in zip(*pairs, strict=True))
            found[f"setup for {seats}, s"] = there
            found[f"setup for {seats} / without a network"] = there / here
        late, check = await time_late(place, rounds)
        found["late watcher, s"] = late
        found["late watcher / verify"] = late / check
        if crowded:
            many = await time_crowd(place, echo, moves)
            found[f"round trip with {TABLES} tables / with one"] = median(many.trips) / trip
            found[f"move with {TABLES} tables / with one"] = median(many.moves) / median(alone.moves)
        found["memory of a bot, MB"] = await asyncio.to_thread(memory, broker.address().url())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", dest="as_json")
    parser.add_argument("--moves", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="without the fifty tables, which take minutes")
    parser.add_argument("--crowd", metavar="URL", help=argparse.SUPPRESS)
    parser.add_argument("--guest", metavar="INVITE", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.guest:
        asyncio.run(be_guest(chosen.guest))
        return 0
    if chosen.crowd:
        asyncio.run(crowd(chosen.crowd, A_PROCESS))
        return 0
    found = asyncio.run(measure(chosen.moves, chosen.rounds, not chosen.alone))
    if chosen.as_json:
        print(json.dumps({name: round(value, 3) for name, value in found.items()}))
    else:
        for name, value in found.items():
            print(f"{name:45} {value:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
