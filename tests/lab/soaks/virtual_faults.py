"""Games on a network that breaks in every way, in virtual time: `python -m tests.lab.soaks.virtual_faults`."""

from __future__ import annotations

import argparse
from collections import Counter
from random import Random

from tests.online.faults import faulty_game


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="faults")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for number in range(options.games):
        seed = f"{options.seed} {number}"
        rng = Random(seed)
        edition, seats = rng.choice(["classic", "master"]), rng.choice([2, 2, 3, 4])
        print(seed, edition, seats, end=" ", flush=True)
        count = faulty_game(seed, edition, seats)
        print(dict(count))
        total += count
    print(f"{options.games} games ended, agreed and verified: {dict(total)}")


if __name__ == "__main__":
    main()
