"""`python -m tests.lab.load.silent [--readers N] [--tables T] [--watchers W]`: people who never read.

Each connects as often as it is cut off, subscribes to everything in as many ways as the broker allows and reads
nothing, while light clients play at tables and a player publishes messages as long as those of a shuffle. Printed are
the broker's memory, the player's acknowledgements in quiet and beside the crowd, and whether a player was refused.
NATS has the configuration that ships, Mosquitto the one of the operator's page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
from asyncio.subprocess import PIPE
from contextlib import suppress
from time import perf_counter

from tests.broker.raw import WELCOME, connect_packet, packet, text
from tests.brokers import KINDS
from tests.lab.load.__main__ import at, percentiles, say
from tests.lab.load.light import Crowd, Figures
from tests.lab.load.nodes import Meter, Operated, Single
from tests.lab.load.recording import read_recording
from wasabi_tx.net.address import Address, parse_broker_url

EVERY_WAY = (
    "wsb1/#",
    "wsb1/+/#",
    "wsb1/+/t/#",
    "wsb1/+/t/+/#",
    *(f"wsb1/+/t/+/{kind}/+" for kind in ("mv", "head", "ans", "ask", "+")),
    "wsb1/load/t/+/+/+",
    "wsb1/load/t/#",
    "wsb1/load/#",
    *(f"wsb1/load/t/+/{kind}/#" for kind in ("mv", "head", "ans", "ask", "say", "log")),
    *(f"wsb1/+/t/+/{kind}/#" for kind in ("mv", "head", "ans", "ask", "say", "log")),
)
LARGE = 27_000
PROBE_EVERY = 0.05
AGAIN = 5.0
QUIET, LASTS = 10.0, 20.0
MOST_SLOWER = 3.0


async def silent(address: Address, counts: dict[str, int]) -> None:
    """Connect, subscribe and read nothing; reconnect when cut off."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection(address.host, address.port, limit=1)
            try:
                writer.write(connect_packet())
                if await reader.readexactly(4) == WELCOME:
                    counts["welcome"] += 1
                    for first in range(0, len(EVERY_WAY), 8):
                        filters = b"".join(text(one) + b"\x00" for one in EVERY_WAY[first : first + 8])
                        writer.write(packet(0x82, b"\x00\x01" + filters))
                    assert isinstance(writer.transport, asyncio.ReadTransport)
                    writer.transport.pause_reading()
                    while not writer.transport.is_closing():
                        # A cut shows when something is written, such as the pings that keep it alive.
                        await asyncio.sleep(5)
                        writer.write(b"\xc0\x00")
                else:
                    counts["refused"] += 1
            except asyncio.IncompleteReadError:
                counts["refused"] += 1
            finally:
                writer.transport.abort()
        await asyncio.sleep(AGAIN)


async def acknowledged(address: Address, seconds: float) -> list[float]:
    """Return how long each acknowledgement of a long message took."""
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(connect_packet(address.user, address.password))
    assert await reader.readexactly(4) == WELCOME
    delays, topic = [], f"wsb1/load/t/{'p' * 26}/mv/{'p' * 52}"
    end = perf_counter() + seconds
    while (began := perf_counter()) < end:
        writer.write(packet(0x32, text(topic) + b"\x00\x01" + bytes(LARGE)))
        assert await reader.readexactly(4) == b"\x40\x02\x00\x01"
        delays.append(perf_counter() - began)
        await asyncio.sleep(PROBE_EVERY)
    writer.close()
    return delays


async def probe(address: Address, seconds: float) -> list[float]:
    """Return the same from a separate process, which no crowd keeps busy."""
    words = ("-m", "tests.lab.load.silent", "--probe", address.url(), str(seconds))
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=PIPE)
    found: list[float] = json.loads((await process.communicate())[0])
    return found


async def run(node: Single | Operated, readers: int, tables: int) -> bool:
    address, figures = node.addresses[0], Figures()
    crowd = Crowd(node.addresses, read_recording(), figures)
    counts = {"welcome": 0, "refused": 0}
    tasks: list[asyncio.Task[None]] = []
    try:
        await crowd.join(tables, 4, 0)
        crowd.play()
        quiet_meter = Meter(node)
        quiet = await probe(address, QUIET)
        quiet_memory = next(iter(quiet_meter.read().values()))[0]
        tasks = [asyncio.create_task(silent(node.watching, counts)) for _ in range(readers)]
        await asyncio.sleep(2)
        meter = Meter(node)

        async def watch() -> None:
            while True:
                meter.read()
                await asyncio.sleep(0.2)

        tasks.append(asyncio.create_task(watch()))
        beside = await probe(address, LASTS)
        memory, cpu = next(iter(meter.read().values()))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await crowd.close()
    slower = at(beside, 95) / at(quiet, 95)
    say("tables, silent readers", f"{tables}, {readers}")
    say("let in, refused (each tries again)", f"{counts['welcome']}, {counts['refused']}")
    say("memory in quiet, beside them", f"{quiet_memory:.0f} MB, {memory:.0f} MB; {cpu:.0%} of a core")
    say("acknowledged in quiet, 50 / 95 / 99 %", percentiles(quiet))
    say("acknowledged beside them", f"{percentiles(beside)}; {slower:.1f} times at 95 %")
    say("players refused, lost", f"{figures.refused}, {figures.lost}")
    return slower <= MOST_SLOWER and figures.refused == 0


def main() -> int:
    if sys.argv[1:2] == ["--probe"]:
        print(json.dumps(asyncio.run(acknowledged(parse_broker_url(sys.argv[2]), float(sys.argv[3])))))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=256)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--watchers", type=int, help="how many NATS lets in; as it ships if not given")
    parser.add_argument("--engine", choices=KINDS, default="nats")
    given = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    node = Operated() if given.engine == "mosquitto" else Single(given.engine, given.watchers)
    print(given.engine, flush=True)
    try:
        return 0 if asyncio.run(run(node, given.readers, given.tables)) else 1
    finally:
        node.stop()


if __name__ == "__main__":
    sys.exit(main())
