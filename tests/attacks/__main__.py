"""Every attack by itself: `python -m tests.attacks [NAME …] [--seed S] [--engine mosquitto]`.

Each one is tried on programs in processes of their own and a real broker. The honest game ends settled, or waits and
says why; only the liar is blamed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

from tests.attacks import hosts, seats, strangers
from tests.attacks.scene import Failed, Scene
from tests.brokers import KINDS, RealBroker
from tests.peers.program import programs_below

ATTACKS = seats.ATTACKS | strangers.ATTACKS | hosts.ATTACKS


async def attack(name: str, folder: Path, engine: str = "nats", seed: str = "1") -> str:
    """What came of one attack; `Failed` or an AssertionError if it did harm."""
    broker = RealBroker(engine, folder / "broker")
    async with AsyncExitStack() as stack:
        await asyncio.to_thread(broker.start)
        stack.callback(broker.stop)
        programs = stack.enter_context(programs_below(folder))
        return await ATTACKS[name](Scene(folder, broker, programs, stack, Random(f"{seed} {name}")))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*ATTACKS, []], metavar="NAME", help=", ".join(ATTACKS))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--engine", choices=KINDS, default="nats")
    given = parser.parse_args()
    # The attacker's own client would tell what it thinks of itself.
    logging.disable(logging.CRITICAL)
    failed = 0
    for name in given.names or ATTACKS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="wasabi-attack-") as folder:
            try:
                came = asyncio.run(attack(name, Path(folder), given.engine, given.seed))
            except (Failed, AssertionError, TimeoutError) as harm:
                failed += 1
                came = f"HARM: {str(harm) or type(harm).__name__}"
        sys.stdout.write(f"{name} ({time.monotonic() - began:.0f} s): {came}\n")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
