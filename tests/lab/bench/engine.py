"""Speed of the engine compared with other game engines: `python -m tests.lab.bench.engine`.

Needs the rivals: `pip install -e '.[bench]'`. Every figure is a ratio of medians of interleaved rounds in one run.

A step is picked from the full list of legal ones, as `legal` returns it. Ours counts and picks its steps without
writing all of them out, those of the rivals are written out; the effect of that is measured as well, beside the goals.
"""

from __future__ import annotations

import argparse
import gc
import resource
import sys
import tracemalloc
from functools import cache
from importlib.util import find_spec
from random import Random

from nacl.signing import SigningKey

from tests.lab.bench.rounds import Work, rates_apart
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Card
from wasabi_tx.games.arena import tournament
from wasabi_tx.games.local import seeded_shuffle


@cache
def faces_of(rules: AnyRules, seed: int) -> dict[Card, int]:
    """Return a deal, made before anything is measured."""
    return Dealer(rules, seeded_shuffle(str(seed))).faces


def random_game(
    rules: AnyRules, seed: int, digests: bool = False, written: bool = False, keep: list[Position] | None = None
) -> int:
    """Play one game of random steps, each from the full legal list, written out or not; return its number of steps."""
    rng = Random(seed)
    faces = faces_of(rules, seed)
    position = rules.start(seed % rules.players)
    legal, apply, digest, chance = rules.legal, rules.apply, rules.digest, rng.random
    steps = 0
    while position.outcome is None:
        choices = legal(position, faces)
        if written:
            choices = list(choices)
        position = apply(position, choices[int(chance() * len(choices))])
        steps += 1
        if digests:
            digest(position)
        if keep is not None:
            keep.append(position)
    return steps


def ours(edition: str, digests: bool = False, written: bool = False) -> Work:
    tables = [(rules_for(edition, players), seed) for players in (2, 3, 4) for seed in range(60)]

    def work() -> int:
        return sum(random_game(rules, seed, digests, written) for rules, seed in tables)

    return work


def chess_moves() -> int:
    import chess

    rng = Random(1)
    moves = 0
    for _ in range(10):
        board = chess.Board()
        while not board.is_game_over():
            choices = list(board.legal_moves)
            board.push(choices[int(rng.random() * len(choices))])
            moves += 1
    return moves


def catan_actions() -> int:
    from catanatron import Color, Game, RandomPlayer

    actions = 0
    for seed in range(2):
        colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
        game = Game([RandomPlayer(colour) for colour in colours], seed=seed)
        while game.winning_color() is None and game.state.num_turns < 1000:
            game.play_tick()
            actions += 1
    return actions


def go_moves() -> int:
    import pyspiel

    rng = Random(1)
    game = pyspiel.load_game("go(board_size=9)")
    moves = 0
    for _ in range(500):
        state = game.new_initial_state()
        while not state.is_terminal():
            choices = state.legal_actions()
            state.apply_action(choices[int(rng.random() * len(choices))])
            moves += 1
    return moves


def signature_checks() -> int:
    key = SigningKey(bytes(32))
    signed = key.sign(bytes(200))
    verify = key.verify_key.verify
    for _ in range(3000):
        verify(signed)
    return 3000


CONTESTANTS: dict[str, Work] = {
    **{f"{edition} steps": ours(edition) for edition in PACKAGED},
    **{f"{edition} steps with digest": ours(edition, digests=True) for edition in PACKAGED},
    **{f"{edition} steps, lists written": ours(edition, written=True) for edition in PACKAGED},
    "python-chess moves": chess_moves,
    "catanatron actions": catan_actions,
    "OpenSpiel go(9x9) moves": go_moves,
    "Ed25519 verifications": signature_checks,
}


OTHERS = ("chess", "catanatron", "pyspiel")
"""The packages that we compare with."""


def memory_of_position() -> float:
    """Return the bytes that one more position of a running game costs."""
    kept: list[Position] = []
    rules = rules_for("classic", 4)
    random_game(rules, 0)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    random_game(rules, 1, keep=kept)
    cost = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
    tracemalloc.stop()
    return cost


def memory_of_games(games: int) -> tuple[int, int]:
    """Return this process's peak memory in kB after a tenth of the games, and after all of them."""
    peaks = []
    for number, _ in enumerate(tournament(rules_for("classic", 2), ("random", "random"), "1", games, workers=1), 1):
        if number in (games // 10, games):
            gc.collect()
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return peaks[0], peaks[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--processes", type=int, default=5, help="in which each contestant works by turns")
    parser.add_argument("--games", type=int, default=10_000, help="games of the memory test")
    options = parser.parse_args()
    missing = [name for name in OTHERS if find_spec(name) is None]
    if missing:
        parser.error(f"not installed: {', '.join(missing)}; pip install -e '.[bench]'")
    found = rates_apart("tests.lab.bench.engine", list(CONTESTANTS), options.rounds, options.processes)
    for name, rate in found.items():
        print(f"{name:30} {rate:12,.0f} a second")
    classic, go = found["classic steps"], found["OpenSpiel go(9x9) moves"]
    goals = [
        ("classic / python-chess", classic / found["python-chess moves"], ">=", 8.0),
        ("classic / catanatron", classic / found["catanatron actions"], ">=", 6.0),
        ("classic / OpenSpiel go(9x9)", classic / go, ">=", 0.45),
        ("master / classic", found["master steps"] / classic, ">=", 0.7),
    ]
    for edition in PACKAGED:
        cost = found["Ed25519 verifications"] / found[f"{edition} steps with digest"]
        goals.append((f"{edition} step with digest / Ed25519", cost, "<=", 0.25))
    print()
    missed = 0
    for name, ratio, sign, goal in goals:
        reached = ratio >= goal if sign == ">=" else ratio <= goal
        missed += not reached
        print(f"{name:42} {ratio:8.3f}  goal {sign} {goal}  {'reached' if reached else 'MISSED'}")
    written = {edition: found[f"{edition} steps, lists written"] for edition in PACKAGED}
    print(f"\nwith every list written out: classic / OpenSpiel {written['classic'] / go:.3f}", end=", ")
    print(f"master / classic {written['master'] / written['classic']:.3f}")
    early, late = memory_of_games(options.games)
    print(f"\nmemory of a position {memory_of_position():,.0f} bytes")
    print(f"peak memory of {options.games // 10:,} games {early // 1024} MB, of {options.games:,} {late // 1024} MB")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
