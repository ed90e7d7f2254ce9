"""The balance of an edition's cards: `python -m tests.lab.balance --edition master --games 100`.

Bots play many games for each number of players. For each length of recipes the table shows what they drew after the
setup, what they completed, what that earned, and in how many games the pile was ever empty: an edition is balanced if
good play wants all lengths. `--file` names an edition of your own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import PACKAGED, edition_text, rules_from_text
from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.games.local import seeded_first, seeded_shuffle

BUDGET = 1000


@dataclass
class Balance:
    """Totals of some games for one number of players; counters are by length."""

    games: int = 0
    turns: int = 0
    seats: int = 0
    score: int = 0
    cubes: int = 0
    drawn: Counter[int] = field(default_factory=Counter)
    completed: Counter[int] = field(default_factory=Counter)
    brought: Counter[int] = field(default_factory=Counter)
    """Points and style cubes of completed recipes."""
    empty: Counter[int] = field(default_factory=Counter)
    """Games in which the pile was ever empty."""

    def add(self, other: Balance) -> None:
        self.games += other.games
        self.turns += other.turns
        self.seats += other.seats
        self.score += other.score
        self.cubes += other.cubes
        self.drawn.update(other.drawn)
        self.completed.update(other.completed)
        self.brought.update(other.brought)
        self.empty.update(other.empty)

    def share(self, length: int) -> float:
        """Return the share of all draws after the setup that were of this length."""
        return self.drawn[length] / max(1, self.drawn.total())

    def emptied(self, length: int) -> float:
        """Return the share of all games in which this pile was ever empty."""
        return self.empty[length] / max(1, self.games)


def play(text: str, players: int, bot: str, seed: str) -> Balance:
    """Play one game between bots of one kind; the same arguments always give the same game."""
    rules = rules_from_text(text, players)
    lengths = rules.edition.lengths
    dealer, mind, whims = Dealer(rules, seeded_shuffle(seed)), find_bot(bot), Random(f"{seed} whims")
    position = rules.start(seeded_first(seed, players))
    balance = Balance(games=1, seats=players)
    empty: set[int] = set()
    while position.outcome is None:
        if position.mover == NOBODY:
            dealt = dealer.supply(position)
            assert dealt is not None
            position = rules.apply(position, dealt)
            continue
        bundle = mind.choose(observe(rules, position, position.mover, dealer.faces), whims, BUDGET)
        if position.turn:
            balance.drawn.update(step.args[0] for step in bundle.steps if step.verb == "draw")
        position = rules.apply_bundle(position, bundle)
        empty.update(length for length in lengths if not position.decks[length])
    balance.empty.update(empty)
    balance.turns = position.turn
    for seat in position.seats:
        balance.score += seat.score
        balance.cubes += seat.cubes
        for done in seat.claimed:
            recipe = rules.edition.recipes[done.recipe]
            balance.completed[recipe.length] += 1
            balance.brought[recipe.length] += recipe.points + done.cubes
    return balance


def measure(text: str, players: int, bot: str, seed: str, games: int) -> Balance:
    """Play that number of games on all cores."""
    workers = min(os.cpu_count() or 1, games)
    whole = Balance()
    seeds = [f"{seed}/{players}/{number}" for number in range(games)]
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        for one in pool.map(partial(play, text, players, bot), seeds, chunksize=4):
            whole.add(one)
    return whole


def lines(players: int, balance: Balance, lengths: Iterable[int]) -> list[str]:
    """Return a table for one number of players."""
    seats, games = balance.seats, balance.games
    score, cubes = f"a seat scores {balance.score / seats:.1f}", f"{balance.cubes / seats:.1f} of it in cubes"
    told = [
        f"{players} players, {games} games of {balance.turns / games:.1f} turns; {score}, {cubes}",
        "  length   drawn          completed  brings  pile empty",
    ]
    for length in lengths:
        drawn, done = balance.drawn[length], balance.completed[length]
        told.append(
            f"  {length}      {drawn / games:6.1f} {balance.share(length):6.1%} {done / games:10.1f} a game"
            f" {balance.brought[length] / max(1, done):7.1f} {balance.emptied(length):9.0%}"
        )
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.lab.balance", description=__doc__)
    parser.add_argument("--edition", choices=PACKAGED, default="master")
    parser.add_argument("--file", type=Path, help="an edition file to measure instead")
    parser.add_argument("--games", type=int, default=100, help="for each number of players")
    parser.add_argument("--players", type=int, nargs="+", choices=(2, 3, 4), default=(2, 3, 4))
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    text = options.file.read_text(encoding="utf-8") if options.file else edition_text(options.edition)
    for players in options.players:
        balance = measure(text, players, options.bot, options.seed, options.games)
        print("\n".join(lines(players, balance, rules_from_text(text, players).edition.lengths)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
