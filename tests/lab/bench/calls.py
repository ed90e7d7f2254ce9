"""Delay of notifications: `python -m tests.lab.bench.calls [--turns 10]`.

Bo plays in this process over a real broker. Ana's seat is held by `wasabi-tx keep` in another process, which notifies
her by a webhook on this machine. Measured is the time from Bo's sending his move until the web server has the
notification.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic

from tests.brokers import KINDS, PATIENCE, RealBroker
from tests.peers.program import Programs, programs_below
from tests.web_server import Web, web_server
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.step import Bundle
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.tables import Wanted, join_table, open_table, resume_table
from wasabi_tx.online.terms import DAY, QUICK_START, make_terms

from .keeper import held, machine_of


async def play_turn(table: OnlineTable) -> float:
    """Play a bot's turn; return when its last bundle was sent."""
    sent = 0.0
    async with asyncio.timeout(PATIENCE):
        await table.until(lambda now: now.my_turn)
        while (now := table.snapshot).my_turn and now.observation is not None:
            bundle = find_bot("greedy").choose(now.observation, Random(now.slot), 1000)
            sent = monotonic()
            await table.driver.do(partial(_play, bundle))
            await table.until(lambda now: now.my_turn or now.ended or not (now.observation and now.observation.my_turn))
    return sent


def _play(bundle: Bundle, client: Client, now: float) -> None:
    client.play(bundle, now)


async def begin(ana: Machine, bo: Machine, broker: RealBroker) -> tuple[OnlineTable, OnlineTable]:
    """Return a correspondence table of these two, at Bo's first turn: his place and hers."""
    terms = make_terms(ana.find("classic", 2), 2, 2, DAY, [QUICK_START])
    host = open_table(bo, broker.address, [broker.address], Wanted(terms))
    await host.connect()
    guest = join_table(ana, read_invite(host.invite))
    await guest.connect()
    async with asyncio.timeout(PATIENCE):
        await guest.until(lambda now: now.observation is not None and bool(now.observation.position.turn))
    if guest.snapshot.observation is not None and guest.snapshot.observation.my_turn:
        await play_turn(guest)
    return host, guest


async def kept(machine: Machine, seat: str) -> None:
    """Wait until a keeper has the seat."""
    async with asyncio.timeout(PATIENCE):
        while not held(machine.games, seat):  # noqa: ASYNC110 - another process does not tell
            await asyncio.sleep(0.05)


async def measure(programs: Programs, broker: RealBroker, web: Web, turns: int) -> list[float]:
    """Return the seconds from each of Bo's moves to Ana's notification."""
    ana, bo = (machine_of(programs.home(name), name) for name in ("ana", "bo"))
    config = programs.home("ana") / "config"
    config.mkdir(parents=True, exist_ok=True)
    (config / "calls.toml").write_text(f'terminal = false\nwebhook = "{web.url}"\nshape = "json"\n')
    host, guest = await begin(ana, bo, broker)
    seat, found = guest.table, list[float]()
    await guest.close()
    programs.start("ana", "keep", typed=None)
    for _ in range(turns):
        await kept(ana, seat)
        calls = len(web.posted)
        sent = await play_turn(host)
        async with asyncio.timeout(PATIENCE):
            while len(web.posted) == calls:  # noqa: ASYNC110 - nor does it here
                await asyncio.sleep(0.01)
        found.append(web.posted[-1].at - sent)
        screen = await asyncio.to_thread(resume_table, ana, seat)
        await screen.connect()
        await play_turn(screen)
        await screen.close()
    await host.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10)
    chosen = parser.parse_args()
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs, web_server() as web:
            broker = RealBroker(kind, Path(folder) / "broker")
            broker.start()
            try:
                found = asyncio.run(measure(programs, broker, web, chosen.turns))
            finally:
                broker.stop()
        print(f"{kind}: {len(found)} calls, median {median(found):.2f} s, longest {max(found):.2f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
