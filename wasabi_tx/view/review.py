"""The review of a game in words: every turn of one player, the turning points with the table, and the luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..engine.observe import observe
from ..engine.step import Step
from ..table.review import LuckyDraw, ReviewedTurn
from ..table.transcript import Transcript
from ..text import Texts
from ..text.marks import unmarked
from .log.phrases import phrases
from .table.plain_table import table_lines, wrap
from .table.table import look
from .turn.hint import say_reason

TURNING_POINTS = 3


class ReviewWords:
    """Tells what a review found."""

    def __init__(self, transcript: Transcript, seat: int, texts: Texts) -> None:
        self._transcript = transcript
        self._seat = seat
        self._texts = texts

    def head(self) -> list[str]:
        edition = self._transcript.rules.edition.names[self._texts.language]
        players = ", ".join(player.name for player in self._transcript.players)
        return self._say("review.head", name=self._name, edition=edition, players=players)

    def turn(self, turn: ReviewedTurn) -> list[str]:
        """One line for a turn: what was done, and what would have been better."""
        done, number = self._steps(turn, turn.move.steps), turn.move.before.turn
        if not turn.better:
            return self._say("review.good", turn=number, steps=done)
        return self._say("review.better", turn=number, steps=done, **self._cost(turn))

    def ending(self, turns: Sequence[ReviewedTurn], draws: Sequence[LuckyDraw]) -> Iterator[str]:
        """What it adds up to, and the turns that mattered most with the table as it was."""
        lost = sum(turn.lost for turn in turns)
        good = sum(not turn.better for turn in turns)
        yield from self._say("review.sum", points=_points(lost), good=good, turns=len(turns))
        luck = sum(draw.luck for draw in draws)
        key = "review.lucky" if luck > 0 else "review.unlucky"
        yield from self._say(key, points=_points(abs(luck)), draws=len(draws))
        worst = sorted((turn for turn in turns if turn.better), key=lambda turn: -turn.lost)[:TURNING_POINTS]
        for turn in sorted(worst, key=lambda turn: turn.move.before.turn):
            yield ""
            yield from self._turning_point(turn)
        yield from ("", *self._say("review.honest"))

    def _turning_point(self, turn: ReviewedTurn) -> Iterator[str]:
        transcript, texts = self._transcript, self._texts
        observation = observe(transcript.rules, turn.move.before, self._seat, transcript.faces)
        yield from table_lines(look(observation, transcript.players, texts), transcript.rules, texts)
        yield from self._say("review.played", name=self._name, steps=self._steps(turn, turn.move.steps))
        yield from self._say("review.instead", **self._cost(turn))
        for reason in dict.fromkeys(say_reason(texts, transcript.rules, one) for one in turn.reasons):
            yield from wrap(f"  {reason}", "  ")

    def _cost(self, turn: ReviewedTurn) -> dict[str, object]:
        better = self._steps(turn, turn.better)
        return {"points": _points(turn.lost), "doubt": _points(turn.doubt), "better": better}

    def _steps(self, turn: ReviewedTurn, steps: tuple[Step, ...]) -> str:
        transcript = self._transcript
        words = phrases(self._texts, transcript.rules, transcript.players, turn.move.before, steps)
        return ", ".join(map(unmarked, words))

    @property
    def _name(self) -> str:
        return self._transcript.players[self._seat].name

    def _say(self, key: str, **params: object) -> list[str]:
        return wrap(self._texts.say(key, **params), "  ")


def _points(number: float) -> str:
    return f"{number:.1f}"
