"""Matches of the ladder: one challenger among bots of another level, or all of one level."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from random import Random
from time import process_time

from tests.bots.games import walk
from wasabi_tx.bots.bot import Bot
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

Z = 1.959964
"""Of a two-sided interval that holds 95 % of the time."""


@dataclass(frozen=True)
class Match:
    """What to play: fixed seeds, each dealt once for every seat that the challenger takes."""

    edition: str
    seats: int
    challenger: str
    field: str
    games: int
    seed: str

    def deal(self, game: int) -> int:
        """The seed of a game; all rotations of one deal share it, and equals, who would play it alike, never do."""
        number = game if self.challenger == self.field else game // self.seats
        return Random(f"{self.seed} {self.edition} {self.seats} {number}").randrange(1 << 32)


@dataclass(frozen=True)
class Result:
    """What a match showed; times are CPU milliseconds of the challenger's whole turns."""

    match: Match
    won: float
    """Games, a shared win by its share."""
    score: float
    others: float
    median: float
    late: float
    """The 99th percentile."""
    by_order: tuple[float, ...]
    """Games won by the first player, the one to their left, and so on."""

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.won, self.match.games)


class Timed:
    """A bot, and how long each of its turns took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.turns: defaultdict[tuple[int, int], float] = defaultdict(float)
        self.game = 0

    def choose(self, observation: Observation, rng: Random, budget: int) -> Bundle:
        began = process_time()
        bundle = self._bot.choose(observation, rng, budget)
        self.turns[self.game, observation.position.turn] += process_time() - began
        return bundle

    def percentile(self, part: float) -> float:
        times = sorted(time for (_, turn), time in self.turns.items() if turn)
        return times[min(len(times) - 1, int(part * len(times)))] * 1000


def run(match: Match) -> Result:
    """Plays all games of the match."""
    seats, field = match.seats, find_bot(match.field)
    challenger = Timed(find_bot(match.challenger))
    won = score = others = 0.0
    by_order = [0.0] * seats
    for game in range(match.games):
        own, challenger.game = game % seats, game
        bots: list[Bot] = [challenger if seat == own else field for seat in range(seats)]
        for moment in walk(match.edition, bots, match.deal(game)):
            after = moment.after
        outcome = after.outcome
        for winner in outcome.winners:
            by_order[(winner - after.first) % seats] += 1 / len(outcome.winners)
        won += (own in outcome.winners) / len(outcome.winners)
        score += outcome.scores[own]
        others += (sum(outcome.scores) - outcome.scores[own]) / (seats - 1)
    games = match.games
    times = challenger.percentile(0.5), challenger.percentile(0.99)
    return Result(match, won, score / games, others / games, *times, tuple(by_order))


def wilson(won: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    share, square = won / games, Z * Z / games
    centre = (share + square / 2) / (1 + square)
    half = Z * sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return centre - half, centre + half
