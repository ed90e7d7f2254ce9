"""Matches of the ladder: one challenger among bots of another level, or all of one level."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean
from time import process_time

from tests.bots.games import walk
from wasabi_tx.bots.bot import Bot
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

Z = 1.959964
"""Standard deviations of a two-sided 95 % interval."""


@dataclass(frozen=True)
class Match:
    """A match to play: fixed seeds, each dealt once for every seat that the challenger takes."""

    edition: str
    seats: int
    challenger: str
    field: str
    games: int
    seed: str

    def deal(self, game: int) -> int:
        """Return the seed of a game; all rotations of one deal share it, but equal levels, which would play it alike,
        do not.
        """
        number = game if self.challenger == self.field else game // self.seats
        return Random(f"{self.seed} {self.edition} {self.seats} {number}").randrange(1 << 32)


@dataclass(frozen=True)
class Result:
    """The result of a match; times are CPU milliseconds of the challenger's whole turns."""

    match: Match
    won: float
    """Games won; a shared win counts by its share."""
    score: float
    others: float
    median: float
    late: float
    """The 99th percentile of the times."""
    by_order: tuple[float, ...]
    """Games won by the first player, the one to their left, and so on."""

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.match.games)


@dataclass(frozen=True)
class Played:
    """One game of a match, from the challenger's view."""

    own: int
    order: tuple[int, ...]
    """The winners, by their place from the first player on."""
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    times: tuple[float, ...]
    """Seconds of each of its turns."""


class Timed:
    """A bot that records how long each of its turns took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.turns: defaultdict[int, float] = defaultdict(float)

    def choose(self, observation: Observation, rng: Random, budget: int) -> Bundle:
        began = process_time()
        bundle = self._bot.choose(observation, rng, budget)
        self.turns[observation.position.turn] += process_time() - began
        return bundle


def play_one(match: Match, game: int) -> Played:
    seats, own, field = match.seats, game % match.seats, find_bot(match.field)
    challenger = Timed(find_bot(match.challenger))
    bots: list[Bot] = [challenger if seat == own else field for seat in range(seats)]
    for moment in walk(match.edition, bots, match.deal(game)):
        after = moment.after
    winners = after.outcome.winners
    order = tuple((winner - after.first) % seats for winner in winners)
    times = tuple(time for turn, time in challenger.turns.items() if turn)
    return Played(own, order, winners, after.outcome.scores, times)


def run(match: Match, jobs: int = 1) -> Result:
    """Play all games of the match, in that many processes."""
    if jobs == 1:
        return _result(match, [play_one(match, game) for game in range(match.games)])
    with ProcessPoolExecutor(jobs) as pool:
        return _result(match, list(pool.map(partial(play_one, match), range(match.games), chunksize=4)))


def _result(match: Match, played: list[Played]) -> Result:
    others = [(sum(one.scores) - one.scores[one.own]) / (match.seats - 1) for one in played]
    times = sorted(time * 1000 for one in played for time in one.times)
    return Result(
        match,
        won=sum((one.own in one.winners) / len(one.winners) for one in played),
        score=fmean(one.scores[one.own] for one in played),
        others=fmean(others),
        median=times[len(times) // 2],
        late=times[int(0.99 * len(times))],
        by_order=tuple(sum((place in one.order) / len(one.order) for one in played) for place in range(match.seats)),
    )


def wilson(won: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    share, square = won / games, Z * Z / games
    centre = (share + square / 2) / (1 + square)
    half = Z * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return centre - half, centre + half
