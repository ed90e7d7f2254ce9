"""Liars at real tables: `python -m tests.lab.soaks.liars --games N --seed S`."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.brokers import RealBroker
from tests.faults.harness import Broken
from tests.faults.liars import play


async def _run(games: int, seed: str, engine: str) -> int:
    folder = Path(tempfile.mkdtemp(prefix="wasabi-liars-"))
    broker, ends, broken = RealBroker(engine, folder / "broker"), Counter[str](), list[str]()
    await asyncio.to_thread(broker.start)
    try:
        for number in range(games):
            home = folder / str(number)
            try:
                ends[await play(f"{seed} {number}", home, broker)] += 1
                shutil.rmtree(home)
            except Broken as problem:
                broken.append(str(problem))
    finally:
        await asyncio.to_thread(broker.stop)
    print(f"{ends.total()} games as promised:", "; ".join(f"{end} {count}" for end, count in sorted(ends.items())))
    for line in broken:
        print(line)
    if not broken:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if broken else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.soaks.liars")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--engine", choices=("nats", "mosquitto"), default="nats")
    given = parser.parse_args()
    return asyncio.run(_run(given.games, given.seed, given.engine))


if __name__ == "__main__":
    sys.exit(main())
