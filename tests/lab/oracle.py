"""`python -m tests.lab.oracle --games 2000 --seed 1 --edition master`: compares engine and oracle on all cores."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from tests.oracle.compare import Tally, play_numbered
from tests.oracle.oracles import ORACLES


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games, print the summary, and return 1 if there was a disagreement."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.oracle", description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--edition", choices=ORACLES, default="classic", help="whose rules to compare")
    parser.add_argument("--variant", help="play this one of the editions that are made from it alone")
    parser.add_argument("--game", type=int, help="play the game of this number alone")
    options = parser.parse_args(arguments)
    oracle = ORACLES[options.edition]
    if options.variant not in (None, "wild", *oracle.edits):
        parser.error(f"--variant: one of {', '.join(oracle.edits)}, wild")
    numbers = range(options.games) if options.game is None else [options.game]
    begin = time.monotonic()
    tally = Tally()
    workers = min(os.cpu_count() or 1, len(numbers))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        play = partial(play_numbered, options.seed, edition=options.variant, rules=options.edition)
        for one in pool.map(play, numbers, chunksize=8):
            tally.add(one)
    print(summary(tally, time.monotonic() - begin, oracle.expected))
    return 1 if tally.disagreements else 0


def summary(tally: Tally, seconds: float, expected: frozenset[str]) -> str:
    """Return what was compared and encountered, with the first disagreements in full."""
    lines = [f"{tally.games} games, {tally.steps} steps, {seconds:.0f} s"]
    lines.append(f"{tally.attempts} attempts at doubtful steps, {tally.refused} refused by both")
    for title, counted in (("verbs", tally.verbs), ("endings", tally.endings), ("occasions", tally.occasions)):
        lines.append(f"{title}:")
        lines += [f"  {count:8} {name}" for name, count in sorted(counted.items())]
    lines += [f"  never met: {name}" for name in sorted(expected - set(tally.occasions))]
    for disagreement in tally.disagreements[:3]:
        lines += ["", disagreement]
    lines += ["", f"disagreements: {len(tally.disagreements)}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
