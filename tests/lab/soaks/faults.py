"""`python -m tests.lab.soaks.faults --games N --seed S [--broker URL]`: many games with faults among real processes."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from tests.brokers import RealBroker
from tests.faults.harness import Broken, FaultyGame, Report, Restartable
from tests.faults.plan import make_plan
from wasabi_tx.net.address import Address, parse_broker_url


class Given:
    """A broker that is not ours to kill."""

    def __init__(self, address: Address) -> None:
        self.address = address

    def start(self) -> None:
        raise AssertionError("not ours")

    def kill(self) -> None:
        raise AssertionError("not ours")


async def _lane(
    number: int, seeds: list[str], folder: Path, given: Address | None, engine: str, report: Report, broken: list[str]
) -> None:
    """Play games one after another on a separate broker, until no seed remains."""
    broker: Restartable
    own = None
    if given is None:
        own = RealBroker(engine, folder / f"broker-{number}")
        await asyncio.to_thread(own.start)
        broker = own
    else:
        broker = Given(given)
    try:
        while seeds:
            seed = seeds.pop()
            home = folder / seed.replace(" ", "-")
            try:
                await FaultyGame(make_plan(seed, own is not None), home, broker, report).play()
                shutil.rmtree(home)
            except Broken as problem:
                broken.append(str(problem))
                print(problem, file=sys.stderr, flush=True)
            if report.games % 20 == 0:
                print(*report.lines(), sep="; ", file=sys.stderr, flush=True)
    finally:
        if own is not None:
            await asyncio.to_thread(own.stop)


async def _run(games: int, seed: str, broker: str | None, engine: str, lanes: int) -> int:
    report, broken = Report(), list[str]()
    seeds = [f"{seed} {number}" for number in range(games)]
    folder = Path(tempfile.mkdtemp(prefix="wasabi-faults-"))
    given = None if broker is None else parse_broker_url(broker)
    await asyncio.gather(*(_lane(n, seeds, folder, given, engine, report, broken) for n in range(lanes)))
    print(*report.lines(), sep="\n")
    for problem in broken:
        print(problem)
    if not broken:
        with suppress(OSError):
            shutil.rmtree(folder)
    return 1 if broken or report.games < games else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.soaks.faults")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--broker", help="URL of a broker to use; it is not killed")
    parser.add_argument("--engine", choices=("nats", "mosquitto"), default="nats")
    parser.add_argument("--lanes", type=int, default=3, help="games at once")
    given = parser.parse_args()
    return asyncio.run(_run(given.games, given.seed, given.broker, given.engine, given.lanes))


if __name__ == "__main__":
    sys.exit(main())
