"""A seat goes from keeper to screen and back, with kills: `python -m tests.lab.soaks.hand_over --rounds 20`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from tests.brokers import KINDS, RealBroker
from tests.peers.hand_over import WAYS, evening
from tests.peers.program import programs_below


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    chance = Random(chosen.seed)
    for kind in KINDS:
        ways = [*WAYS, *chance.choices(WAYS, k=max(0, chosen.rounds - len(WAYS)))][: chosen.rounds]
        chance.shuffle(ways)
        started = monotonic()
        with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
            broker = RealBroker(kind, Path(folder) / "broker")
            broker.start()
            try:
                found = evening(programs, broker, "classic", ways, lambda line: print(line, flush=True))
            finally:
                broker.stop()
        longest, kills = max(found.took), sum(way.startswith("kill") for way in ways)
        print(f"{kind}: {len(ways)} rounds, {kills} kills, {monotonic() - started:.0f} s; longest way {longest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
