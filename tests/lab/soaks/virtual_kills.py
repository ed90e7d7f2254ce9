"""A peer killed after every single write, in virtual time: `python -m tests.lab.soaks.virtual_kills`."""

from __future__ import annotations

import argparse

from tests.online.kills import chain, kill_at, writes_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", action="append", choices=["classic", "master"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="koi")
    parser.add_argument("--chains", type=int, default=0, help="only so many games with many kills each")
    options = parser.parse_args()
    for edition in options.edition or ["classic", "master"]:
        kills = 0
        for number in range(options.chains):
            kills += chain(edition, options.seats, f"{options.seed} {number}", 6)[1]
        for name in [f"p{number}" for number in range(0 if options.chains else options.seats)]:
            for write in range(1, writes_of(edition, options.seats, options.seed, name) + 1):
                for torn in (False, True):
                    kill_at(edition, options.seats, options.seed, name, write, torn)
                    kills += 1
        print(f"{edition}, {options.seats} seats: {kills} kills, every game went on to its signed end")


if __name__ == "__main__":
    main()
