"""`python -m tests.lab.load.noise [--engine E] [--rate N] [--only WORD ...]`: a game of three beside noise.

The stranger has the broker's password and sends under the topics of the seats, as fast as the broker accepts it or at a
rate, one kind of topic and one kind of noise after another. Printed are the entries that the game's file gains compared
with quiet, the processor time of a seat, and how many messages were sent.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import secrets
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import write
from wasabi_protocol.signed.identity import key_text
from wasabi_protocol.signed.messages import Wish
from wasabi_protocol.table.invite_text import parse_invite

from tests.broker.raw import Raw, packet, text
from tests.brokers import KINDS, RealBroker, until
from tests.lab.bench.strangers import processor
from tests.peers.program import PATIENCE, Program, Programs, game_file, games, programs_below
from tests.peers.tables import NAMES, open_table
from wasabi_tx.net.address import Address, parse_broker_url

SEATS = 3
PACE = "0.2"
FIRST = 40
"""Entries after which the cards are dealt and people play."""
LASTS = 14.0
LEAST_PACE = 0.5
TOPICS = ("mv", "head", "ans", "ask", "say", "log")
SMALL, LARGE = 70, 20_000
BYTES, FORGED, REPEATED = "bytes", "forged messages", "repeated messages"
"""The content of noise: bytes without a shape; what looks like a message, so that its signature has to be checked; what
the seat itself has signed before.
"""


@dataclass(frozen=True)
class Noise:
    """A kind of message, and its topic."""

    kind: str
    size: int
    content: str = BYTES

    def __str__(self) -> str:
        return f"{self.kind}, {f'{self.size} bytes' if self.content == BYTES else self.content}"

    def packets(self, start: str, said: dict[bytes, bytes]) -> bytes:
        """Return one message under the topic of each seat, given what each of them has said."""
        last = "/0" if self.kind == "log" else ""
        return b"".join(
            packet(0x30, text(f"{start}/{self.kind}/{key_text(key)}{last}") + self._payload(envelope))
            for key, envelope in said.items()
        )

    def _payload(self, envelope: bytes) -> bytes:
        if self.content == REPEATED:
            return envelope
        if self.content == FORGED:
            return secrets.token_bytes(64) + write(Wish(secrets.token_bytes(32), 1, "leave"))
        return secrets.token_bytes(self.size)


@dataclass(frozen=True)
class Measured:
    entries: float
    """Entries per second."""
    cpu: float
    """The largest share of a core that any seat needed."""
    sent: float = 0.0
    """Messages per second."""


def shout(url: str, start: str, noise: Noise, file: Path, rate: float) -> None:
    """Send noise until killed, and print how many messages were sent in each second; runs in its own process."""
    address = parse_broker_url(url)
    said = dict(read_record(file.read_bytes())[0])
    with Raw(address.port, address.user, address.password) as raw:
        one = noise.packets(start, said)
        many = max(1, min(65_536 // len(one), int(rate / 50 / len(said)) if rate else 1_000_000))
        blob, sent, began, told = one * many, 0, time.monotonic(), 0
        while True:
            raw.socket.sendall(blob)
            sent += many * len(said)
            passed = time.monotonic() - began
            if rate and sent > rate * passed:
                time.sleep(sent / rate - passed)
            if passed > told + 1:
                told = int(passed)
                print(sent / passed, flush=True)


def _entries(home: Path) -> int:
    return len(read_record(game_file(home).read_bytes())[0])


async def measure(programs: Programs, address: Address, noise: Noise | None, rate: float, seconds: float) -> Measured:
    """Return how a new game of three progresses beside this noise."""
    table = open_table(programs, SEATS, "classic", broker=address.url(), words=("--pace", PACE))
    table.fill()
    seats: list[Program] = list(table.everybody.values())
    home = programs.home(NAMES[0])
    await asyncio.to_thread(until, lambda: bool(games(home)) and _entries(home) >= FIRST, PATIENCE)
    found, sent = parse_invite(table.invite), 0.0
    process = None
    if noise is not None:
        start = f"wsb1/{found.realm}/t/{found.table}"
        words = (address.url(), start, noise.kind, str(noise.size), noise.content, str(game_file(home)), str(rate))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.lab.load.noise", "--shout", *words, stdout=PIPE
        )
        assert process.stdout is not None
        await process.stdout.readline()
    before, had, began = [processor(seat.pid) for seat in seats], _entries(home), time.monotonic()
    await asyncio.sleep(seconds)
    passed, has = time.monotonic() - began, _entries(home)
    cpu = max(processor(seat.pid) - was for seat, was in zip(seats, before, strict=True)) / passed
    if process is not None:
        process.kill()
        told = (await process.communicate())[0].split()
        sent = float(told[-1]) if told else 0.0
    for seat in seats:
        seat.kill()
    return Measured((has - had) / passed, cpu, sent)


async def run(engine: str, rate: float, seconds: float, only: list[str]) -> int:
    kinds = [Noise(kind, SMALL) for kind in TOPICS] + [Noise("mv", LARGE)]
    kinds += [Noise("mv", SMALL, content) for content in (FORGED, REPEATED)]
    failed = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wasabi-noise-")))
        broker = RealBroker(engine, folder / "broker")
        await asyncio.to_thread(broker.start)
        stack.callback(broker.stop)
        quiet = 0.0
        for number, noise in enumerate([None, *kinds]):
            if noise is not None and only and str(noise) not in only:
                continue
            with programs_below(folder / str(number)) as programs:
                found = await measure(programs, broker.address, noise, rate, seconds)
            quiet = quiet or found.entries
            failed += found.entries < LEAST_PACE * quiet
            print(
                f"{noise or 'quiet'}: {found.sent:,.0f} messages a second, {found.entries:.1f} entries a second, "
                f"{found.entries / quiet:.0%} of the quiet pace, {found.cpu:.0%} of a core a seat",
                flush=True,
            )
    return 1 if failed else 0


def main() -> int:
    if sys.argv[1:2] == ["--shout"]:
        url, start, kind, size, content, file, rate = sys.argv[2:]
        shout(url, start, Noise(kind, int(size), content), Path(file), float(rate))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=KINDS, default="nats")
    parser.add_argument("--rate", type=float, default=0.0, help="messages a second; 0 is as many as the broker takes")
    parser.add_argument("--seconds", type=float, default=LASTS)
    parser.add_argument("--only", nargs="*", default=[], help="the noise as it is told")
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    return asyncio.run(run(given.engine, given.rate, given.seconds, given.only))


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    raise SystemExit(main())
