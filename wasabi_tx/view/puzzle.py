"""A puzzle at a table: what is asked, how a turn was judged, its stars, and the line that can be shared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

from ..engine.position import Position
from ..engine.step import Bundle, Step
from ..table.game import Can, Player
from ..table.learn.course import PANELS
from ..table.puzzle.puzzle import MOST_STARS, Puzzle, turn_over
from ..table.puzzle.turn_search import TurnGain, gain_of
from ..table.staged_game import StagedGame
from ..text import Texts
from ..text.marks import Marked, mark
from .guide import GOES_ON, GuideView
from .log.followed_game import FollowedGame
from .log.phrases import phrase, worth_words
from .progress import Progress
from .table.recipe import recipe_name


class PuzzleJudge:
    """Asks for the best turn at a real table, judges what is planned there, and can show the solution."""

    def __init__(self, puzzle: Puzzle, name: str, rivals: Iterable[str]) -> None:
        self.puzzle = puzzle
        seat, others = puzzle.position.mover, iter(rivals)
        seats = range(puzzle.rules.players)
        players = tuple(Player(name) if number == seat else Player(next(others), "normal") for number in seats)
        self.game = StagedGame(puzzle.rules, puzzle, players, seat, Can.PLAY)
        self.first: TurnGain | None = None
        """What the first turn gained: that one counts."""
        self.gain: TurnGain | None = None
        """What the present turn has gained; None while it is planned."""
        self.shown = False
        """Whether the solution is on the table."""
        self.over = False
        """Whether the next puzzle is wanted."""
        self.tries = 0
        self._played: tuple[Step, ...] = ()
        self._planned: tuple[Step, ...] = ()

    @property
    def stars(self) -> int | None:
        """Those of the first turn; None before it."""
        return None if self.first is None else self.puzzle.stars(self.first)

    @property
    def solved(self) -> bool:
        """Whether nothing is left to show: the best turn is on the table."""
        return self.shown or (self.gain is not None and self.puzzle.stars(self.gain) == MOST_STARS)

    def takes(self, action: str, followed: FollowedGame) -> bool:
        """Whether an action is for the judge: ending the turn, and all that comes after that."""
        if self.gain is None:
            plan = followed.plan
            bridge = plan.draft.bridge() if plan is not None else None
            if action != "send" or plan is None or bridge is None:
                return False
            plan.add(bridge)
            return True
        if action in GOES_ON:
            self.go_on()
        elif action == "back":
            self.try_again()
        else:
            return False
        followed.renew_plan()
        return True

    def go_on(self) -> None:
        """After a turn was judged: shows the solution, or wants the next puzzle if there is nothing to show."""
        if self.solved:
            self.over = True
        else:
            self.shown = True
            self.game.go_to(self.puzzle)

    def try_again(self) -> None:
        self.gain, self.shown, self._played = None, False, ()
        self.game.go_to(self.puzzle)

    def play(self, bundle: Bundle) -> None:
        """Plays a bundle, and judges the turn if that ends it."""
        self.game.play(bundle)
        self._played += bundle.steps
        if turn_over(self.puzzle.position, self.game.position):
            self._judge(self.game.position, self._played)

    def sent(self) -> None:
        """A part of the turn was sent, in which its player learnt something."""
        self._played += self._planned

    def look(self, followed: FollowedGame) -> None:
        """Looks at what is planned: judges a turn that is over, and keeps a judged one as it is."""
        plan = followed.plan
        if self.gain is None:
            self._planned = plan.draft.steps if plan is not None else ()
            position = plan.draft.position if plan is not None else self.game.position
            if turn_over(self.puzzle.position, position):
                self._judge(position, (*self._played, *self._planned))
                # What only ends the turn is left out of what is seen: then nothing asks whether to send it.
                self._planned = tuple(step for step in self._planned if step.verb in self.puzzle.rules.slots)
        if self.gain is not None:
            self._keep(followed)

    def _judge(self, position: Position, steps: tuple[Step, ...]) -> None:
        self.tries += 1
        self.gain = gain_of(self.puzzle.rules, self.puzzle.position, position, steps)
        self.first = self.gain if self.first is None else self.first

    def _keep(self, followed: FollowedGame) -> None:
        """Chooses again what is to be seen, if somebody has changed it."""
        plan, wanted = followed.plan, self.puzzle.best if self.shown else self._planned
        if plan is not None and (plan.draft.steps != wanted or plan.begun or plan.typed):
            followed.renew_plan()
            plan = followed.plan
            for step in wanted if plan is not None else ():
                assert plan is not None
                # One that would lose a recipe has to be chosen twice.
                _ = plan.add(step) or plan.add(step)
        if plan is not None:
            plan.say(followed.texts.say("puzzle.over"))

    def view(self, texts: Texts) -> GuideView:
        leads, back = "", texts.say("keys.undo") if self._planned else ""
        if self.gain is not None:
            leads = texts.say("puzzle.next" if self.solved else "puzzle.solution")
            back = texts.say("puzzle.again")
        return GuideView(
            head=texts.say("puzzle.head", name=self.puzzle.name),
            words=self.words(texts),
            press=("accept",) if leads else (),
            leads=leads,
            button=texts.say("bar.go") if leads else None,
            mistake="",
            panels=frozenset(PANELS),
            squares=(),
            back=back,
        )

    def words(self, texts: Texts) -> str:
        """What is asked, or how the turn was judged; a marked sentence."""
        puzzle = self.puzzle
        best = mark("points", _worth(puzzle.gain, texts))
        if self.gain is None:
            return texts.say("puzzle.find")
        if self.shown:
            return texts.say("puzzle.shown", best=best, steps=self._solution(texts))
        stars = mark("points", star_line(puzzle.stars(self.gain)))
        if self.solved:
            return texts.say("puzzle.best", stars=stars, best=best)
        if self.gain.points == puzzle.gain.points:
            return texts.say("puzzle.nearly", stars=stars, best=best)
        return texts.say("puzzle.less", stars=stars, gain=mark("points", _worth(self.gain, texts)), best=best)

    def _solution(self, texts: Texts) -> Marked:
        """The steps of the best turn; of recipes only the names, so that all of it fits below a small table."""
        rules, before = self.puzzle.rules, self.puzzle.position
        said: list[str] = []
        for step in self.puzzle.best:
            if step.verb in rules.claiming:
                said.append(mark("strong", recipe_name(rules, texts, step.args[1])))
            else:
                said.append(phrase(texts, rules, self.game.players, before, step).words)
            before = rules.apply(before, step)
        return Marked(", ".join(said))


def _worth(gain: TurnGain, texts: Texts) -> str:
    return worth_words(texts, gain.points - gain.style, gain.style)


def star_line(stars: int) -> str:
    return "★" * stars + "☆" * (MOST_STARS - stars)


def share_line(name: str, stars: int, texts: Texts) -> str:
    """What can be sent to a friend: it gives nothing away."""
    return texts.say("puzzle.share", name=name, stars=star_line(stars))


def progress_with_stars(progress: Progress, puzzle: Puzzle, stars: int) -> Progress:
    """What is remembered of a puzzle: the stars of a day's, the first time."""
    if not puzzle.daily or puzzle.name in progress.puzzles:
        return progress
    return replace(progress, puzzles={**progress.puzzles, puzzle.name: stars})


def today() -> date:
    """The day at this place."""
    return datetime.now().astimezone().date()


def streak(progress: Progress, now: date) -> int:
    """On how many days in a row somebody got at least a star, up to today or yesterday."""
    days = {name.split(" ")[-1] for name, stars in progress.puzzles.items() if stars}
    day = now if now.isoformat() in days else now - timedelta(days=1)
    count = 0
    while day.isoformat() in days:
        count, day = count + 1, day - timedelta(days=1)
    return count
