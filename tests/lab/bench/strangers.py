"""The cost of strangers to real peers: `python -m tests.lab.bench.strangers [--seconds N]`.

A guest whose broker floods it at full speed: its memory. Two seats at a table while a stranger who knows the broker's
password sends a hundred messages a second: their processor time and the progress of their game, compared with the same
time without the stranger.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity, key_text
from wasabi_protocol.signed.messages import Ask, Bundle
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite, parse_invite

from tests.brokers import until
from tests.net.fake_broker import FakeBroker, publish
from tests.peers.program import PATIENCE, Program, Programs, game_file, games, programs_below
from tests.peers.tables import NAMES, open_table
from wasabi_tx.net.address import PLAYER, Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Connected, Publication

MOST_MEGABYTES = 150
MOST_CORE = 0.1
LEAST_PACE = 0.8
"""Least share of the moves made without a stranger: one more or less is due to chance."""
PACE = "2"
"""Seconds before each move, so that the game outlasts the measurement."""
FIRST_MOVES = 4
KINDS = ("nobody", "64 kB of noise", "30 kB of noise", "signed asks")
A_SECOND = 100
TICKS = os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def flood(programs: Programs, seconds: float) -> tuple[float, float]:
    """Return a guest's peak memory while its broker sends as fast as it reads, and how much was sent, in megabytes."""
    table = "b" * 26
    words = [
        publish(f"wsb1/main/t/{table}/{kind}/{key_text(secrets.token_bytes(32))}", secrets.token_bytes(size), retain)
        for kind, size, retain in (
            ("mv", 60_000, False),
            ("ask", 31_000, True),
            ("say", 200, False),
            ("ans", 31_900, False),
        )
        for _ in range(8)
    ]
    most = sent = 0.0
    async with FakeBroker(b"".join(words)) as broker:
        way = Invite((Carrier((("127.0.0.1", broker.address.port),)),), "main", table)
        guest = programs.start("guest", "bot", "--level", "easy", "--json", typed=format_invite(way) + "\n")
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for writer in list(broker._guests):
                for _ in range(64):
                    writer.write(b"".join(words))
                    try:
                        async with asyncio.timeout(1.0):
                            await writer.drain()
                        sent += sum(map(len, words)) / 1e6
                    except (TimeoutError, OSError):
                        break
            await asyncio.sleep(0.01)
            assert guest.running, guest.err + guest.trace
            most = max(most, megabytes(guest.pid))
        guest.kill()
    return most, sent


async def shout(address: Address, make: Callable[[int], Publication], seconds: float) -> None:
    """Send a stranger's hundred messages a second."""
    transport = MqttTransport([address])
    transport.open()
    events = transport.events()
    while not isinstance(await anext(events), Connected):
        pass
    began = time.monotonic()
    sent = 0
    while (passed := time.monotonic() - began) < seconds:
        while sent < passed * A_SECOND:
            transport.publish(make(sent))
            sent += 1
        await asyncio.sleep(0.02)
    await transport.close()


@dataclass(frozen=True)
class Measured:
    """The share of a core that each seat used, and the number of moves in a minute."""

    shares: list[float]
    pace: float


def moves(home: Path) -> int:
    """Return how many bundles the game's file contains."""
    items, _ = read_record(game_file(home).read_bytes())
    return sum(isinstance(parse(envelope[SIGNATURE_BYTES:]), Bundle) for _, envelope in items)


def words_of(kind: str, found: Invite) -> Callable[[int], Publication] | None:
    """Return the messages of this kind of stranger at a table; None for nobody."""
    start = f"wsb1/{found.realm}/t/{found.table}/ask"
    keys = [key_text(secrets.token_bytes(32)) for _ in range(50)]
    if kind == "nobody":
        return None
    if kind == "signed asks":
        me = Identity(secrets.token_bytes(32))
        ask = signed_message(me, Ask(found.table, me.key, bytes(32), 0))
        return lambda _: Publication(f"{start}/{key_text(me.key)}", ask, 0)
    noise = secrets.token_bytes(64_000 if kind == "64 kB of noise" else 30_000)
    return lambda number: Publication(f"{start}/{keys[number % 50]}", noise, 0)


async def beside(kind: str, programs: Programs, seconds: float) -> Measured:
    """Measure two seats in the middle of a game beside this kind of stranger."""
    table = open_table(programs, 2, "classic", words=("--pace", PACE))
    table.fill()
    seats: list[Program] = [table.host, table.others[NAMES[1]]]
    home = programs.home(NAMES[0])
    await asyncio.to_thread(until, lambda: bool(games(home)) and moves(home) >= FIRST_MOVES, PATIENCE)
    found = parse_invite(table.invite)
    make = words_of(kind, found)
    before, made, began = [processor(seat.pid) for seat in seats], moves(home), time.monotonic()
    if make is None:
        await asyncio.sleep(seconds)
    else:
        carrier = found.carriers[0]
        await shout(Address(*carrier.hosts[0], user=PLAYER, password=carrier.password), make, seconds)
    passed = time.monotonic() - began
    assert all(seat.running for seat in seats), "the game was over too early"
    shares = [(processor(seat.pid) - was) / passed for seat, was in zip(seats, before, strict=True)]
    return Measured(shares, 60 * (moves(home) - made) / passed)


def _told(shares: list[float]) -> str:
    return ", ".join(f"{share:+.1%}" for share in shares)


async def measure(seconds: float) -> int:
    failed = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        most, sent = await flood(stack.enter_context(programs_below(folder)), seconds)
        failed += most > MOST_MEGABYTES
        sys.stdout.write(f"a guest under a flood of {sent:.0f} MB in {seconds:.0f} s: at most {most:.0f} MB\n")
        sys.stdout.flush()
        alone = Measured([0.0, 0.0], 0.0)
        for kind in KINDS:
            with programs_below(folder / kind) as programs:
                found = await beside(kind, programs, seconds * 2 / 3)
            more = [share - was for share, was in zip(found.shares, alone.shares, strict=True)]
            sys.stdout.write(f"{kind}: {_told(more)} of a core, {found.pace:.0f} moves a minute\n")
            sys.stdout.flush()
            if kind == "nobody":
                alone = found
            else:
                failed += max(more) > MOST_CORE or found.pace < LEAST_PACE * alone.pace
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    return asyncio.run(measure(parser.parse_args().seconds))


if __name__ == "__main__":
    raise SystemExit(main())
