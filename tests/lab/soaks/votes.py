"""Votes in random order with a seat that signs anything: `python -m tests.lab.soaks.votes --seats 3 --count 10000`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.protocol.voting.schedules import Schedule


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seats", type=int, choices=(3, 4), default=3)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    began, failed = time.monotonic(), 0
    for seed in range(options.first, options.first + options.count):
        failures = Schedule(options.seats, seed).run()
        if failures:
            failed += 1
            print(f"seed {seed}: " + "; ".join(dict.fromkeys(failures)), flush=True)
    seconds = time.monotonic() - began
    print(f"{options.seats} seats: {options.count} schedules in {seconds:.0f} s, {failed} with a broken promise")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
