"""Runs the model: `python -m tests.lab.model [--states N] [--walks N]`.

It prints how many states were explored at three and at four seats, which laws were checked in each of them, and how
each broken variant of a rule is caught.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.model.explore import LAWS, Explorer
from tests.model.runs import Failure
from tests.model.searches import LARGE, search, walk
from tests.model.variants import VARIANTS


def tell(failure: Failure) -> None:
    print(f"  broken: {failure.law}")
    for step in failure.run:
        print(f"    {step}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=60_000)
    parser.add_argument("--walks", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    for seats in (3, 4):
        began = time.monotonic()
        explored, failure = search(seats, options.states)
        walked, fell = walk(seats, options.walks, options.first)
        seconds = time.monotonic() - began
        print(f"{seats} seats: {explored} states breadth first, {walked} in {options.walks} long runs, {seconds:.0f} s")
        for found in (failure, fell):
            if found is not None:
                wrong += 1
                tell(found)
    print("laws: " + "; ".join(LAWS))
    for variant in VARIANTS:
        caught = Explorer(variant.rules, variant.liar, LARGE).follow(variant.run)
        wrong += caught is None
        how = "NOT CAUGHT" if caught is None else f"{caught.law}, after {len(caught.run)} steps"
        print(f"without the rule ({variant.name}): {how}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
