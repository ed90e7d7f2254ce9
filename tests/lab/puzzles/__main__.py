"""`python -m tests.lab.puzzles` verifies every puzzle; with `--make N --edition E --seed S` it finds new ones first."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import wasabi_tx.puzzles.puzzle as stored
from wasabi_tx.puzzles.puzzle import EDITIONS, find_puzzle, read_puzzle

from .find import find_puzzles, format_puzzle
from .verify import verify

KINDS = 3
"""No kind of turn makes up more than one in this many puzzles; a kind is the cards played and the number of completed
recipes.
"""


def make(edition: str, count: int, seed: str) -> None:
    """Rewrite the file of an edition."""
    kinds: Counter[tuple[str, ...]] = Counter()
    texts: list[str] = []
    for text in find_puzzles(edition, seed):
        puzzle = read_puzzle("", text)
        kind = tuple(sorted(step.verb for step in puzzle.best))
        if kinds[kind] * KINDS >= count:
            continue
        kinds[kind] += 1
        texts.append(text)
        print(f"{edition} {len(texts)}: {format_puzzle('', puzzle.gain, puzzle.rules, puzzle.best)}", file=sys.stderr)
        if len(texts) == count:
            break
    file = Path(stored.__file__).parent / f"{edition}.txt"
    file.write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.puzzles", description=__doc__)
    parser.add_argument("--make", type=int, metavar="N", help="how many to find for the edition")
    parser.add_argument("--edition", choices=EDITIONS, action="append", help="without it both")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    editions = asked.edition or EDITIONS
    for edition in editions if asked.make else ():
        make(edition, asked.make, asked.seed)
    bad = 0
    for edition in editions:
        began, opening, turns = time.process_time(), [], 0
        for number in range(1, stored.count_of(edition) + 1):
            before = time.process_time()
            puzzle = find_puzzle(edition, number)
            opening.append(time.process_time() - before)
            found, tried = verify(puzzle)
            turns += tried
            bad += bool(found)
            for fault in found:
                print(f"{puzzle.name}: {fault}")
        took = time.process_time() - began
        slowest, median = max(opening) * 1000, sorted(opening)[len(opening) // 2] * 1000
        print(f"{edition}: {len(opening)} puzzles, {turns} turns tried in {took:.0f} s of CPU")
        print(f"  opening one: median {median:.1f} ms, the first, with its rules, {slowest:.1f} ms")
    print("every puzzle has exactly one best turn, and the greedy bot misses it" if not bad else f"{bad} bad puzzles")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
