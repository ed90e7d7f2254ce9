"""Whole games of people who look in twice a day: `python -m tests.lab.soaks.days`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from statistics import median
from time import perf_counter

from tests.online.days import WAYS, Club, Way
from tests.online.small import small_rules
from wasabi_tx.engine.editions import rules_for


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", default=("1", "2", "3", "4", "5"))
    parser.add_argument("--days", type=float, default=40.0)
    parser.add_argument("--edition", choices=("classic", "master"), nargs="*", default=("classic", "master"))
    parser.add_argument("--way", default="", help="only ways with these words in their name")
    parser.add_argument("--small", action="store_true", help="editions with fewer recipes")
    chosen = parser.parse_args()
    for edition in chosen.edition:
        for way in WAYS:
            if chosen.way in way.name:
                took = [_play(edition, seed, way, chosen) for seed in chosen.seeds]
                print(f"{edition}, {way.name}: {median(took):.1f} days in the median of {len(took)}", flush=True)
    return 0


def _play(edition: str, seed: str, way: Way, chosen: argparse.Namespace) -> float:
    started, how = perf_counter(), asdict(way)
    name = how.pop("name")
    club = Club.meet(edition, seed, small_rules if chosen.small else rules_for, **how)
    days = club.play(chosen.days)
    print(
        f"{edition}, {name}, {seed}: {days:.1f} days, {days / club.at_best:.2f} of the best for these looks; "
        f"{len(set(club.bundles))} turns, {len(club.played_planned)} of them planned, {club.looks} looks, "
        f"{club.waits} waited for a card; {perf_counter() - started:.0f} s",
        flush=True,
    )
    return days


if __name__ == "__main__":
    sys.exit(main())
