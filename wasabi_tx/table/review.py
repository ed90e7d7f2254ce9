"""The review of a game: for each turn of a seat what would have been better, and how lucky its draws were.

A better turn is chosen in half of the worlds that the seat had to reckon with and measured in the others: the best of
several in the same worlds would look better than it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean, stdev

from ..bots.greedy import Advice
from ..bots.levels import GREEDY, PLANNERS, WARY
from ..bots.playing_on import play_on
from ..bots.reason import Reason
from ..engine.card import deck_of
from ..engine.observe import Observation, observe
from ..engine.step import Bundle, Step
from .local import seeded_shuffle
from .transcript import GameRecord, Move

WORLDS = 24
"""In how many worlds the turns that could be played are compared, half of them to choose, half of them to measure."""
CANDIDATES = 3
MUCH = 3.0
"""Points; whoever gives away this much without doubt has made a mistake."""


@dataclass(frozen=True)
class ReviewedTurn:
    """One turn of the seat."""

    move: Move
    lost: float
    """Points given away; 0 if the turn was as good as any other, as far as can be told."""
    doubt: float
    """By how much that may be wrong, as a standard error."""
    better: tuple[Step, ...]
    """What would have been better; empty if nothing would."""
    reasons: tuple[Reason, ...]

    @property
    def mistake(self) -> bool:
        return self.lost - self.doubt >= MUCH


@dataclass(frozen=True)
class LuckyDraw:
    """A recipe that the seat drew."""

    move: Move
    luck: float
    """Points that it is worth more than an average recipe of its length was just then."""


@dataclass(frozen=True)
class ReviewWish:
    """What a review is asked for: the turns of a seat in a game."""

    game: GameRecord
    seat: int
    worlds: int = WORLDS


class CannotReview(Exception):
    """No bot knows these rules, or the seat's recipes are not in the file."""


def turns_of(game: GameRecord, seat: int) -> list[Move]:
    """The moves with which the seat began its turns."""
    begun: dict[int, Move] = {}
    for move in game.moves:
        if move.seat == seat and move.before.phase == "play":
            begun.setdefault(move.before.turn, move)
    return list(begun.values())


def review_turns(game: GameRecord, seat: int, worlds: int = WORLDS) -> Iterator[ReviewedTurn]:
    """The turns of the seat, one after the other; the same for everybody who has the same file."""
    check_reviewable(game, seat)
    for move in turns_of(game, seat):
        yield _review(game, move, worlds)


def check_reviewable(game: GameRecord, seat: int) -> None:
    """`CannotReview` if the recipes of the seat are not all known."""
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
    """What the bots would have done, the hard one's first choice first."""
    return [*WARY.advise(observation, CANDIDATES), GREEDY.explain(observation)]


def review_game(wish: ReviewWish) -> Iterator[LuckyDraw | ReviewedTurn]:
    """All that a review finds, as it finds it: the draws at once, the turns one after the other."""
    yield from lucky_draws(wish.game, wish.seat)
    yield from review_turns(wish.game, wish.seat, wish.worlds)


def lucky_draws(game: GameRecord, seat: int) -> Iterator[LuckyDraw]:
    """How good each recipe was that the seat drew, beside the others that it could have been."""
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
