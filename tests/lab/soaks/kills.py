"""Real peers killed at every entry of real games: `python -m tests.lab.soaks.kills --games N`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from random import Random
from time import monotonic

from tests.brokers import KINDS, RealBroker
from tests.peers.kills import killed_game
from tests.peers.program import programs_below


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args()
    for number in range(chosen.games):
        chance = Random(f"{chosen.seed} {number}")
        kind, seats = KINDS[number % 2], chance.choice((2, 3, 4))
        edition = chance.choice(("classic", "master"))
        started = monotonic()
        with tempfile.TemporaryDirectory() as folder, programs_below(Path(folder)) as programs:
            broker = RealBroker(kind, Path(folder) / "broker")
            broker.start()
            try:
                # As often as possible: a peer that is back is killed at its next entry.
                count = killed_game(programs, broker, seats, edition, chance, sys.maxsize, 1)
            finally:
                broker.stop()
        print(f"{kind}, {edition}, {seats} seats: {count} kills, {monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
