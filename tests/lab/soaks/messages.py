"""Mutated messages for everything that reads: `python -m tests.lab.soaks.messages --messages 100000`."""

from __future__ import annotations

import argparse
import sys

from tests.protocol.fuzz import fuzz


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.stdout.write(f"{fuzz(arguments.messages, arguments.seed)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
