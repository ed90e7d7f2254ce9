"""What strangers cost real peers: `python -m tests.bench.strangers [--seconds N]`.

A guest whose broker floods it at full speed: its memory. Two seats at a table while a stranger who knows the broker's
password sends a hundred messages a second: their processor time, beside the same time without the stranger.
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
from pathlib import Path

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Ask
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite, parse_invite

from tests.net.fake_broker import FakeBroker, publish
from tests.peers.program import Program, Programs, programs_below
from tests.peers.tables import NAMES, open_table
from wasabi_tx.net.address import PLAYER, Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Connected, Publication

MOST_MEGABYTES = 150
MOST_CORE = 0.1
A_SECOND = 100
TICKS = os.sysconf("SC_CLK_TCK")


def megabytes(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def flood(programs: Programs, seconds: float) -> tuple[float, float]:
    """The most memory of a guest whose broker sends as fast as it reads, and how much it was sent, in megabytes."""
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
    """A stranger's hundred messages a second."""
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


async def strangers(programs: Programs, seconds: float) -> dict[str, list[float]]:
    """The share of a core that each seat spends, alone and for each kind of stranger."""
    table = open_table(programs, 2, "classic")
    found = parse_invite(table.invite)
    table.others[NAMES[1]] = programs.start(
        NAMES[1], "bot", "--level", "easy", "--pace", "4", "--json", typed=table.invite + "\n"
    )
    seats: list[Program] = [table.host, table.others[NAMES[1]]]
    await asyncio.sleep(15)
    carrier = found.carriers[0]
    address = Address(*carrier.hosts[0], user=PLAYER, password=carrier.password)
    start = f"wsb1/{found.realm}/t/{found.table}"
    me = Identity(secrets.token_bytes(32))
    ask = signed_message(me, Ask(found.table, me.key, bytes(32), 0))
    keys = [key_text(secrets.token_bytes(32)) for _ in range(50)]
    long, fitting = secrets.token_bytes(64_000), secrets.token_bytes(30_000)
    kinds: dict[str, Callable[[int], Publication] | None] = {
        "nobody": None,
        "64 kB of noise": lambda n: Publication(f"{start}/ask/{keys[n % 50]}", long, 0),
        "30 kB of noise": lambda n: Publication(f"{start}/ask/{keys[n % 50]}", fitting, 0),
        "signed asks": lambda _: Publication(f"{start}/ask/{key_text(me.key)}", ask, 0),
    }
    spent: dict[str, list[float]] = {}
    for name, make in kinds.items():
        before, began = [processor(seat.pid) for seat in seats], time.monotonic()
        if make is None:
            await asyncio.sleep(seconds)
        else:
            await shout(address, make, seconds)
        passed = time.monotonic() - began
        spent[name] = [(processor(seat.pid) - was) / passed for seat, was in zip(seats, before, strict=True)]
    for seat in seats:
        seat.kill()
    return spent


async def measure(seconds: float) -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
        most, sent = await flood(programs, seconds)
        failed += most > MOST_MEGABYTES
        sys.stdout.write(f"a guest under a flood of {sent:.0f} MB in {seconds:.0f} s: at most {most:.0f} MB\n")
        sys.stdout.flush()
        spent = await strangers(programs, seconds / 3)
        alone = spent.pop("nobody")
        sys.stdout.write(f"two seats alone: {', '.join(f'{share:.1%}' for share in alone)} of a core\n")
        for name, shares in spent.items():
            more = [share - was for share, was in zip(shares, alone, strict=True)]
            failed += max(more) > MOST_CORE
            sys.stdout.write(
                f"{A_SECOND} a second of {name}: {', '.join(f'{share:+.1%}' for share in more)} of a core\n"
            )
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    return asyncio.run(measure(parser.parse_args().seconds))


if __name__ == "__main__":
    raise SystemExit(main())
