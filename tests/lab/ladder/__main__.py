"""`python -m tests.lab.ladder`: levels play one another, and the table is rewritten.

    python -m tests.lab.ladder --edition classic --seats 4 --challenger hard --against normal --games 400

An omitted option means all of its values. Only the matches played change in the table.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import product

from wasabi_tx.bots.levels import LEVELS
from wasabi_tx.engine.editions import PACKAGED

from .matches import Match, run
from .table import key, load, save


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.ladder", description=__doc__)
    parser.add_argument("--edition", nargs="+", choices=PACKAGED, default=PACKAGED)
    parser.add_argument("--seats", nargs="+", type=int, choices=(2, 3, 4), default=(2, 3, 4))
    parser.add_argument("--challenger", nargs="+", choices=tuple(LEVELS), default=tuple(LEVELS))
    parser.add_argument("--against", nargs="+", choices=tuple(LEVELS), default=tuple(LEVELS))
    parser.add_argument("--games", type=int, default=400, help="of each match, rounded up to whole rotations")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")
    parser.add_argument("--seed", default="ladder 1")
    options = parser.parse_args(arguments)
    for edition, seats, one, other in product(options.edition, options.seats, options.challenger, options.against):
        games = -(-options.games // seats) * seats
        result = run(Match(edition, seats, one, other, games, options.seed), options.jobs)
        share, (low, high) = result.won / games, result.interval
        print(f"{edition}, {seats} seats, {one} against {other}: {share:.1%} [{low:.1%}, {high:.1%}]", flush=True)
        # The table is read again each time: somebody may be playing other matches of it.
        save({**load(), key(result.match): result})
    return 0


if __name__ == "__main__":
    sys.exit(main())
