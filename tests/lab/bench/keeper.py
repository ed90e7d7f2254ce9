"""The cost of a keeper: `python -m tests.lab.bench.keeper [--tables 20] [--seconds 60]`.

One keeper for all tables of a person, each a game of two in its middle on a real broker, whose other seat a keeper
holds as well; for comparison, one bot in its own process, which waits for its opponent. Memory and time of both come
from the same minute.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, sleep

from tests.brokers import KINDS, RealBroker, until
from tests.peers.program import PATIENCE, Program, Programs, programs_below
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.tables import Wanted, join_table, open_table
from wasabi_tx.online.terms import DAY, make_terms
from wasabi_tx.store.identity import identity_seed
from wasabi_tx.store.seats import SeatLock, SeatTaken, list_seats

PEOPLE = ("ana", "bo")


@dataclass(frozen=True)
class Cost:
    """Resources that a process used so far: seconds of a core, and megabytes of its own memory."""

    seconds: float
    megabytes: float


def cost(program: Program) -> Cost:
    used = Path(f"/proc/{program.pid}/stat").read_text().rsplit(")", 1)[1].split()
    ticks = int(used[11]) + int(used[12])
    lines = Path(f"/proc/{program.pid}/status").read_text().splitlines()
    (size,) = (int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
    return Cost(ticks / os.sysconf("SC_CLK_TCK"), size / 1024)


def machine_of(home: Path, name: str) -> Machine:
    return Machine(home / "games", identity_seed(home / "config"), name, rules_for, MqttTransport)


async def play_a_little(machines: list[Machine], broker: RealBroker) -> None:
    """Begin a game at one table of these two; then both close it."""
    terms = make_terms(rules_for("classic", 2), 2, 2, DAY)
    host = open_table(machines[0], broker.address, [broker.address], Wanted(terms))
    seats: list[OnlineTable] = [host, join_table(machines[1], read_invite(host.invite))]
    for seat in seats:
        await seat.connect()
    for seat in seats:
        await seat.until(lambda now: now.shuffled)
    for seat in seats:
        await seat.close()


def held(games: Path, seat: str) -> bool:
    try:
        with SeatLock(games, seat):
            return False
    except SeatTaken:
        return True


def measure(programs: Programs, broker: RealBroker, tables: int, seconds: float) -> None:
    machines = [machine_of(programs.home(name), name) for name in PEOPLE]
    for _ in range(tables):
        asyncio.run(play_a_little(machines, broker))
    keepers = [programs.start(name, "keep", typed=None) for name in PEOPLE]
    words = ("--seats", "2", "--edition", "classic", "--broker", broker.address.url(), "--json")
    bot = programs.start("bot", "bot", "--new", *words, typed=None)
    person = programs.start("person", "join", "--plain", typed=None)
    invite = bot.until(lambda said: "wasabi:" in said).split('"invite": "')[1].split('"')[0]
    person.type(invite + "\n")
    person.until(lambda said: said.endswith("\n> "))
    for machine in machines:
        until(lambda games=machine.games: all(held(games, seat) for seat in list_seats(games)), PATIENCE)  # type: ignore[misc]
    # Everybody catches up meanwhile.
    sleep(30)
    before, began = [cost(one) for one in (keepers[0], bot)], perf_counter()
    sleep(seconds)
    after, took = [cost(one) for one in (keepers[0], bot)], perf_counter() - began
    for name, old, new in zip((f"keeper of {tables} tables", "one bot"), before, after, strict=True):
        share = 100 * (new.seconds - old.seconds) / took
        print(f"{broker.kind}: {name}: {new.megabytes:.0f} MB, {share:.2f} % of a core", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--kind", choices=KINDS, default="nats")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
        broker = RealBroker(chosen.kind, Path(folder) / "broker")
        broker.start()
        try:
            measure(programs, broker, chosen.tables, chosen.seconds)
        finally:
            broker.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
