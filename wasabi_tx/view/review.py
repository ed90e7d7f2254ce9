"""The review of a game, in words and as plain data: every turn of one player, the turning points, and the luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..engine.board import stack_tiles
from ..engine.observe import observe
from ..engine.scores import all_scores
from ..engine.step import Step
from ..games.review import LuckyDraw, ReviewedTurn, ReviewWish, turns_of
from ..games.transcript import GameRecord
from ..text import Texts
from ..text.marks import unmarked
from .log.chronicle import changed_squares
from .log.phrases import phrases
from .reason import say_reason
from .table.plain_table import table_lines, wrap
from .table.table import TableView, describe_table

TURNING_POINTS = 3
MATTERS = 1.0
"""A turning point gives away more than this many points."""
LEAST_DOUBT = 0.1
"""The smallest error shown, in points: no figure is presented as certain."""


def turning_points(turns: Sequence[ReviewedTurn]) -> list[ReviewedTurn]:
    """Return the turns that gave away most, in the order in which they were played."""
    worst = sorted((turn for turn in turns if turn.lost > MATTERS), key=lambda turn: -turn.lost)[:TURNING_POINTS]
    return sorted(worst, key=lambda turn: turn.move.before.turn)


@dataclass(frozen=True)
class TurningPoint:
    """A turn that mattered: the table before it, the move played, and the better one, if there is one."""

    turn: int
    made: int
    """The points that it made."""
    lost: float
    doubt: float
    view: TableView
    played: str
    """A marked sentence, as is `better`."""
    better: str
    reasons: tuple[str, ...]
    played_squares: tuple[int, ...]
    better_squares: tuple[int, ...]
    tiles: tuple[tuple[int, tuple[int, ...]], ...]
    """The stacks that the shown turn leaves on squares whose top tile it changes: (square, tiles from below)."""


@dataclass(frozen=True)
class ReviewView:
    """The findings of a review so far."""

    name: str
    edition: str
    count: int
    """The number of turns to review."""
    turns: tuple[tuple[int, float], ...]
    """Each reviewed turn, with the points that it gave away."""
    good: int
    lost: float
    draws: int
    luck: float
    points: tuple[TurningPoint, ...]
    best: TurningPoint | None
    """The turn that made most, if the review is done and no turn gave away much."""

    @property
    def done(self) -> bool:
        return len(self.turns) == self.count


def review_view(
    wish: ReviewWish, turns: Sequence[ReviewedTurn], draws: Sequence[LuckyDraw], texts: Texts
) -> ReviewView:
    game, count = wish.game, len(turns_of(wish.game, wish.seat))
    points = turning_points(turns)
    best = max(turns, key=lambda turn: _made(turn, wish.seat), default=None) if len(turns) == count else None
    return ReviewView(
        name=game.players[wish.seat].name,
        edition=game.rules.edition.names[texts.language],
        count=count,
        turns=tuple((turn.move.before.turn, turn.lost) for turn in turns),
        good=sum(not turn.better for turn in turns),
        lost=sum(turn.lost for turn in turns),
        draws=len(draws),
        luck=sum(draw.luck for draw in draws),
        points=tuple(_turning_point(wish, turn, turn.better, texts) for turn in points),
        best=_turning_point(wish, best, best.move.steps, texts) if best is not None and not points else None,
    )


def _made(turn: ReviewedTurn, seat: int) -> int:
    """Return the points that a turn made."""
    return all_scores(turn.move.after)[seat] - all_scores(turn.move.before)[seat]


def _turning_point(wish: ReviewWish, turn: ReviewedTurn, shown: Sequence[Step], texts: Texts) -> TurningPoint:
    """Return a turn with these steps on its board: those that were better, or those that were played."""
    game, before = wish.game, turn.move.before
    after = before
    for step in shown:
        after = game.rules.apply(after, step)
    squares = tuple(changed_squares(before, after))
    piles = ((square, stack_tiles(after.board.stacks[square])) for square in squares)
    observation = observe(game.rules, before, wish.seat, game.faces)
    return TurningPoint(
        turn=before.turn,
        made=_made(turn, wish.seat),
        lost=turn.lost,
        doubt=max(turn.doubt, LEAST_DOUBT),
        view=describe_table(observation, game.players, texts),
        played=_listed(game, turn, turn.move.steps, texts),
        better=_listed(game, turn, turn.better, texts),
        reasons=tuple(dict.fromkeys(say_reason(texts, game.rules, one) for one in turn.reasons)),
        played_squares=tuple(changed_squares(before, turn.move.after)),
        better_squares=squares if turn.better else (),
        tiles=tuple(
            (square, tiles)
            for square, tiles in piles
            if tiles and tiles[-1:] != stack_tiles(before.board.stacks[square])[-1:]
        ),
    )


def _listed(game: GameRecord, turn: ReviewedTurn, steps: tuple[Step, ...], texts: Texts) -> str:
    """Return steps as marked phrases separated by commas."""
    return ", ".join(one.words for one in phrases(texts, game.rules, game.players, turn.move.before, steps))


class ReviewWords:
    """The findings of a review in words."""

    def __init__(self, game: GameRecord, seat: int, texts: Texts) -> None:
        self._game = game
        self._seat = seat
        self._texts = texts

    def head(self) -> list[str]:
        edition = self._game.rules.edition.names[self._texts.language]
        players = ", ".join(player.name for player in self._game.players)
        return self._say("review.head", name=self._name, edition=edition, players=players)

    def turn(self, turn: ReviewedTurn) -> list[str]:
        """Return the line for a turn: the move played, and any better one."""
        done, number = self._steps(turn, turn.move.steps), turn.move.before.turn
        if not turn.better:
            return self._say("review.good", turn=number, steps=done)
        return self._say("review.better", turn=number, steps=done, **self._cost(turn))

    def ending(self, turns: Sequence[ReviewedTurn], draws: Sequence[LuckyDraw]) -> Iterator[str]:
        """Yield the totals, and the turns that mattered most with the table before them."""
        lost = sum(turn.lost for turn in turns)
        good = sum(not turn.better for turn in turns)
        yield from self._say("review.sum", points=_points(lost), count=good, turns=len(turns))
        luck = sum(draw.luck for draw in draws)
        key = "review.lucky" if luck > 0 else "review.unlucky"
        yield from self._say(key, points=_points(abs(luck)), draws=len(draws))
        for turn in turning_points(turns):
            yield ""
            yield from self._turning_point(turn)
        yield from ("", *self._say("review.honest"))

    def _turning_point(self, turn: ReviewedTurn) -> Iterator[str]:
        game, texts = self._game, self._texts
        observation = observe(game.rules, turn.move.before, self._seat, game.faces)
        yield from table_lines(describe_table(observation, game.players, texts), game.rules, texts)
        yield from self._say("review.played", name=self._name, steps=self._steps(turn, turn.move.steps))
        yield from self._say("review.instead", **self._cost(turn))
        for reason in dict.fromkeys(say_reason(texts, game.rules, one) for one in turn.reasons):
            yield from wrap(f"  {reason}", "  ")

    def _cost(self, turn: ReviewedTurn) -> dict[str, object]:
        better = self._steps(turn, turn.better)
        return {"points": _points(turn.lost), "doubt": _points(max(turn.doubt, LEAST_DOUBT)), "better": better}

    def _steps(self, turn: ReviewedTurn, steps: tuple[Step, ...]) -> str:
        game = self._game
        return unmarked(_listed(game, turn, steps, self._texts))

    @property
    def _name(self) -> str:
        return self._game.players[self._seat].name

    def _say(self, key: str, **params: object) -> list[str]:
        return wrap(self._texts.say(key, **params), "  ")


def _points(number: float) -> str:
    return f"{number:.1f}"
