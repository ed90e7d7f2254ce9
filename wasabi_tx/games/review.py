"""The review of a game: what would have been better in each turn of a seat, and how lucky its draws were.

A better turn is chosen in one half of the worlds that the seat had to reckon with and measured in the other: measured
in the same worlds, the best of several would look better than it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev

from ..bots.greedy import Advice
from ..bots.levels import GREEDY, PLANNERS, WARY
from ..bots.playing_on import play_on
from ..bots.reason import Reason
from ..engine.observe import Observation, observe
from ..engine.sealed_card import deck_of
from ..engine.step import Bundle, Step
from .local import seeded_shuffle
from .transcript import GameRecord, Move

WORLDS = 24
"""The number of worlds in which possible turns are compared: half to choose, half to measure."""
CANDIDATES = 3
MUCH = 3.0
"""Points that, when certainly given away, count as a mistake."""


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn of the seat."""

    move: Move
    lost: float
    """Points given away; 0 if the turn was as good as any other, as far as can be determined."""
    doubt: float
    """The standard error of `lost`."""
    better: tuple[Step, ...]
    """The steps that would have been better; empty if none would."""
    reasons: tuple[Reason, ...]

    @property
    def mistake(self) -> bool:
        return self.lost - self.doubt >= MUCH


@dataclass(frozen=True)
class LuckyDraw:
    """A recipe that the seat drew."""

    move: Move
    luck: float
    """Points above the worth of an average recipe of its length at that time."""


@dataclass(frozen=True)
class ReviewWish:
    """A request for a review of a seat's turns in a game."""

    game: GameRecord
    seat: int
    worlds: int = WORLDS


class CannotReview(Exception):
    """No bot knows these rules, or the seat's recipes are not in the file."""


def turns_of(game: GameRecord, seat: int) -> list[Move]:
    """Return the first move of each of the seat's turns."""
    begun: dict[int, Move] = {}
    for move in game.moves:
        if move.seat == seat and move.before.phase == "play":
            begun.setdefault(move.before.turn, move)
    return list(begun.values())


def review_turns(game: GameRecord, seat: int, worlds: int = WORLDS) -> Iterator[ReviewedTurn]:
    """Yield the reviewed turns of the seat in order; the same for everyone with the same file."""
    check_reviewable(game, seat)
    for move in turns_of(game, seat):
        yield _review(game, move, worlds)


def check_reviewable(game: GameRecord, seat: int) -> None:
    """Raise `CannotReview` if no bot knows the rules or some of the seat's recipes are unknown."""
    held = {card for move in game.moves for card in move.before.seats[seat].recipes}
    if game.rules.name not in PLANNERS or not held <= game.faces.keys():
        raise CannotReview


def _review(game: GameRecord, move: Move, worlds: int) -> ReviewedTurn:
    observation = observe(game.rules, move.before, move.seat, game.faces)
    advice = {one.bundle.steps: one for one in reversed(_advice(observation))}
    if move.steps == next(reversed(advice)):
        return ReviewedTurn(move, 0.0, 0.0, (), ())
    advice.pop(move.steps, None)
    bundles = [Bundle(move.seat, steps) for steps in (move.steps, *advice)]
    label = f"review {move.before.turn} {move.seat}"
    values = play_on(observation, bundles, [seeded_shuffle(f"{label} {world}") for world in range(worlds)])
    choosing, measuring = values[::2], values[1::2]
    best = max(range(len(bundles)), key=lambda number: fmean(row[number] for row in choosing))
    gains = [row[best] - row[0] for row in measuring]
    lost, doubt = fmean(gains), stdev(gains) / len(gains) ** 0.5
    if not best or lost <= doubt:
        return ReviewedTurn(move, 0.0, doubt, (), ())
    better = bundles[best].steps
    return ReviewedTurn(move, lost, doubt, better, advice[better].reasons)


def _advice(observation: Observation) -> list[Advice]:
    """Return what the bots would have done, the hard bot's first choice first."""
    return [*WARY.advise(observation, CANDIDATES), GREEDY.explain(observation)]


def review_game(wish: ReviewWish) -> Iterator[LuckyDraw | ReviewedTurn]:
    """Yield the findings of a review as they come: the draws at once, then the turns one by one."""
    yield from lucky_draws(wish.game, wish.seat)
    yield from review_turns(wish.game, wish.seat, wish.worlds)


def lucky_draws(game: GameRecord, seat: int) -> Iterator[LuckyDraw]:
    """Rate each recipe that the seat drew against the others that it could have been."""
    check_reviewable(game, seat)
    rules, expert = game.rules, PLANNERS[game.rules.name]
    for move in game.moves:
        after = move.after
        drawn = set(after.seats[seat].recipes) - set(move.before.seats[seat].recipes)
        if len(drawn) != 1 or after.outcome is not None:
            continue
        card = drawn.pop()
        known = {one: game.faces[one] for one in after.seats[seat].recipes if one != card}
        worths = {
            face: expert.worth(Observation(rules, after, seat, known | {card: face}))
            for face in rules.unseen(after, deck_of(card), known)
        }
        yield LuckyDraw(move, worths[game.faces[card]] - fmean(worths.values()))
