"""Games with a seat that signs anything, in virtual time: `python -m tests.lab.soaks.byzantine --games N`."""

from __future__ import annotations

import argparse
import sys
import time

from tests.online.byzantine import Report, play


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game of this seed")
    arguments = parser.parse_args()
    report, began = Report(), time.monotonic()
    start = arguments.seed or str(int(time.time()))
    for number in range(arguments.first, arguments.first + arguments.games):
        seed = f"byzantine {start} {number}"
        try:
            play(seed, report)
        except BaseException:
            sys.stderr.write(f"with --seed {start}, game {number}: {seed!r}\n")
            raise
        if report.games % 50 == 0:
            sys.stdout.write(f"{report} ({time.monotonic() - began:.0f} s)\n")
            sys.stdout.flush()
    sys.stdout.write(f"{report} ({time.monotonic() - began:.0f} s)\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
