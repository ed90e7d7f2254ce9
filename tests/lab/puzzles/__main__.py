"""`python -m tests.lab.puzzles` verifies every puzzle; with `--make N --edition E --into FILE` it finds new ones first.

What is found is added to FILE at once, and a search that was interrupted goes on from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import wasabi_tx.puzzles.puzzle as stored
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.puzzles.puzzle import EDITIONS, Puzzle, find_puzzle, read_puzzle

from .find import Wants, find_puzzles
from .verify import report, verify, verify_all


def make(edition: str, count: int, seed: str, into: Path) -> None:
    """Find puzzles until FILE has this many, and make the edition's file of them, the easiest first."""
    texts = into.read_text(encoding="utf-8").split("\n\n")[:-1] if into.exists() else []
    wants = Wants(rules_for(edition, 2), count)
    for text in texts:
        wants.add(read_puzzle("", text))
    first = 1 + max((read_puzzle("", text).game for text in texts), default=0)
    found = find_puzzles(edition, seed, first, wants)
    while len(texts) < count:
        texts.append(next(found))
        wants.add(read_puzzle("", texts[-1]))
        with into.open("a", encoding="utf-8") as file:
            file.write(f"{texts[-1]}\n\n")
        print(f"{edition} {len(texts)}: {' | '.join(texts[-1].splitlines()[:3])}", file=sys.stderr)
    texts.sort(key=_difficulty)
    (Path(stored.__file__).parent / f"{edition}.txt").write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def _difficulty(text: str) -> tuple[int, int, int]:
    """Return the sort key of a puzzle: how many levels miss it, the steps of its best turn, its game."""
    puzzle = read_puzzle("", text)
    return len(puzzle.missed_by), len(puzzle.best), puzzle.game


def check(edition: str) -> int:
    """Verify the puzzles of an edition, print what they are, and return how many faults they have."""
    began, opening, turns, leads = time.process_time(), [], 0, []
    puzzles: list[Puzzle] = []
    bad = 0
    for number in range(1, stored.count_of(edition) + 1):
        before = time.process_time()
        puzzles.append(find_puzzle(edition, number))
        opening.append(time.process_time() - before)
        found, findings = verify(puzzles[-1])
        turns += findings.tried
        leads.append(findings.lead)
        bad += len(found)
        for fault in found:
            print(f"{puzzles[-1].name}: {fault}")
    for fault in verify_all(puzzles):
        print(f"{edition}: {fault}")
        bad += 1
    took = time.process_time() - began
    slowest, median = max(opening) * 1000, sorted(opening)[len(opening) // 2] * 1000
    print(f"{edition}: {len(opening)} puzzles, {turns} turns tried in {took:.0f} s of CPU")
    print(f"  opening one: median {median:.1f} ms, the first, with its rules, {slowest:.1f} ms")
    for line in report(puzzles, leads):
        print(f"  {line}")
    return bad


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.puzzles", description=__doc__)
    parser.add_argument("--make", type=int, metavar="N", help="how many to find for the edition")
    parser.add_argument("--edition", choices=EDITIONS, action="append", help="without it both")
    parser.add_argument("--into", type=Path, metavar="FILE", help="where to add what is found")
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    editions = asked.edition or EDITIONS
    if asked.make:
        if asked.into is None or len(editions) > 1:
            parser.error("--make needs --into and one --edition")
        make(editions[0], asked.make, asked.seed, asked.into)
    bad = sum(map(check, editions))
    print("every puzzle has exactly one best turn, and the greedy bot misses it" if not bad else f"{bad} faults")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
