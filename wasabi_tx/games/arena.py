"""The arena: many games between bots, without a network, on all cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..bots.levels import find_bot
from ..engine.deal import Dealer
from ..engine.editions import rules_from_text
from ..engine.observe import observe
from ..engine.position import NOBODY, Outcome
from ..engine.rules import AnyRules
from ..engine.step import Step
from . import transcript
from .bot_process import NODES
from .game import Player
from .local import seeded_first, seeded_shuffle


@dataclass(frozen=True)
class ArenaResult:
    """The result of one game between bots."""

    number: int
    outcome: Outcome
    first: int
    """The seat that started."""
    turns: int
    transcript: str
    """The transcript, or "" unless it was requested."""


@dataclass
class Tally:
    """The totals of a tournament."""

    players: int
    games: int = 0
    wins: list[int] = field(default_factory=list)
    """Games that each seat won alone."""
    wins_by_turn_order: list[int] = field(default_factory=list)
    """The same, counted from the seat that started."""
    draws: int = 0
    turns: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    scores: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = [0] * self.players
        self.wins_by_turn_order = [0] * self.players
        self.scores = [0] * self.players

    def add(self, result: ArenaResult) -> None:
        outcome = result.outcome
        self.games += 1
        self.turns += result.turns
        self.endings[outcome.ending] += 1
        if len(outcome.winners) == 1:
            self.wins[outcome.winners[0]] += 1
            self.wins_by_turn_order[(outcome.winners[0] - result.first) % self.players] += 1
        else:
            self.draws += 1
        for seat, score in enumerate(outcome.scores):
            self.scores[seat] += score


def play_out(rules: AnyRules, bots: tuple[str, ...], seed: str, number: int, record: bool) -> ArenaResult:
    """Play one game between bots, given by kind or level; the same arguments always give the same game."""
    dealer = Dealer(rules, seeded_shuffle(seed))
    players = tuple(Player(bot, bot) for bot in bots)
    minds = tuple(find_bot(bot) for bot in bots)
    first = seeded_first(seed, rules.players)
    position = rules.start(first)
    whims = Random(f"{seed} whims")
    lines: list[str] = []
    if record:
        lines = [
            transcript.write_head(rules, players, first, seed, dealer.faces),
            transcript.write_turn(rules, position, dealer.faces),
        ]
    while position.outcome is None:
        seat, before = position.mover, position
        if seat == NOBODY:
            dealt = dealer.supply(position)
            assert dealt is not None
            steps: tuple[Step, ...] = (dealt,)
            position = rules.apply(position, dealt)
        else:
            bundle = minds[seat].choose(observe(rules, position, seat, dealer.faces), whims, NODES)
            steps = bundle.steps
            position = rules.apply_bundle(position, bundle)
        if record:
            lines.append(transcript.write_steps(rules, seat, steps))
            if position.outcome is not None or position.turn != before.turn:
                lines.append(transcript.write_turn(rules, position, dealer.faces))
    return ArenaResult(number, position.outcome, first, position.turn, "".join(lines))


@dataclass(frozen=True)
class _Task:
    edition_text: str
    bots: tuple[str, ...]
    seed: str
    numbers: range
    record: bool


def _play_some(task: _Task) -> list[ArenaResult]:
    rules = rules_from_text(task.edition_text, len(task.bots))
    return [play_out(rules, task.bots, f"{task.seed}/{n}", n, task.record) for n in task.numbers]


def _settle_in() -> None:
    """Leave Ctrl-C to the parent, and exit when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        parent = multiprocessing.parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def tournament(
    rules: AnyRules, bots: tuple[str, ...], seed: str, games: int, record: bool = False, workers: int | None = None
) -> Iterator[ArenaResult]:
    """Yield the results of `games` games, in order, whatever the number of cores that share the work."""
    workers = workers or os.cpu_count() or 1
    size = max(1, min(25, -(-games // (workers * 4))))
    tasks = [
        _Task(rules.edition.text, bots, seed, range(n, min(n + size, games)), record) for n in range(0, games, size)
    ]
    if workers == 1 or len(tasks) == 1:
        for task in tasks:
            yield from _play_some(task)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(tasks)), mp_context=context, initializer=_settle_in) as pool:
        # Submit only a few tasks at a time, so that memory use stays flat for any number of games.
        waiting: list[Any] = []
        remaining = iter(tasks)
        for task in remaining:
            waiting.append(pool.submit(_play_some, task))
            if len(waiting) >= workers * 3:
                yield from waiting.pop(0).result()
        for future in waiting:
            yield from future.result()
