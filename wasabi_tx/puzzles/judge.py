"""The judge of a puzzle at a table: the question, the verdict on a turn, its stars, and the line to share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

from ..engine.position import Position
from ..engine.step import Bundle, Step
from ..games.game import Can, Player
from ..games.staged_game import StagedGame
from ..lessons.course import PANELS
from ..lessons.guide import GOES_ON, GuideView
from ..lessons.progress import Progress
from ..text import Texts
from ..text.marks import Marked, mark
from ..turn.followed_game import FollowedGame
from ..view.log.phrases import phrase, worth_words
from ..view.table.recipe import recipe_name
from .puzzle import MOST_STARS, Puzzle, turn_over
from .turn_search import TurnGain, gain_of


class PuzzleJudge:
    """Asks for the best turn at a real table, judges the turn planned there, and can show the solution."""

    def __init__(self, puzzle: Puzzle, name: str, rivals: Iterable[str]) -> None:
        self.puzzle = puzzle
        seat, others = puzzle.position.mover, iter(rivals)
        seats = range(puzzle.rules.players)
        players = tuple(Player(name) if number == seat else Player(next(others), "normal") for number in seats)
        self.game = StagedGame(puzzle.rules, puzzle, players, seat, Can.PLAY)
        self.first: TurnGain | None = None
        """The gain of the first turn, which is the one that counts."""
        self.gain: TurnGain | None = None
        """The gain of the present turn; None while it is being planned."""
        self.shown = False
        """True if the solution is on the table."""
        self.over = False
        """True if the next puzzle is wanted."""
        self.tries = 0
        self._played: tuple[Step, ...] = ()
        self._planned: tuple[Step, ...] = ()

    @property
    def stars(self) -> int | None:
        """The stars of the first turn; None before it."""
        return None if self.first is None else self.puzzle.stars(self.first)

    @property
    def solved(self) -> bool:
        """True if the best turn is on the table, so that nothing remains to be shown."""
        return self.shown or (self.gain is not None and self.puzzle.stars(self.gain) == MOST_STARS)

    def takes(self, action: str, followed: FollowedGame) -> bool:
        """Handle an action meant for the judge, ending the turn or anything after it; return whether it was one."""
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
        """Continue after a turn was judged: show the solution, or ask for the next puzzle if there is none to show."""
        if self.solved:
            self.over = True
        else:
            self.shown = True
            self.game.go_to(self.puzzle)

    def try_again(self) -> None:
        self.gain, self.shown, self._played = None, False, ()
        self.game.go_to(self.puzzle)

    def play(self, bundle: Bundle) -> None:
        """Play a bundle, and judge the turn if that ends it."""
        self.game.play(bundle)
        self._played += bundle.steps
        if turn_over(self.puzzle.position, self.game.position):
            self._judge(self.game.position, self._played)

    def sent(self) -> None:
        """Note that a part of the turn was sent, in which its player learnt something."""
        self._played += self._planned

    def check_turn(self, followed: FollowedGame) -> None:
        """Inspect the plan: judge a turn that is over, and keep a judged one unchanged."""
        plan = followed.plan
        if self.gain is None:
            self._planned = plan.draft.steps if plan is not None else ()
            position = plan.draft.position if plan is not None else self.game.position
            if turn_over(self.puzzle.position, position):
                self._judge(position, (*self._played, *self._planned))
                # Steps that only end the turn are not shown, so that nothing asks whether to send it.
                self._planned = tuple(step for step in self._planned if step.verb in self.puzzle.rules.slots)
        if self.gain is not None:
            self._keep(followed)

    def _judge(self, position: Position, steps: tuple[Step, ...]) -> None:
        self.tries += 1
        self.gain = gain_of(self.puzzle.rules, self.puzzle.position, position, steps)
        self.first = self.gain if self.first is None else self.first

    def _keep(self, followed: FollowedGame) -> None:
        """Choose again the steps to be shown, if somebody has changed them."""
        plan, wanted = followed.plan, self.puzzle.best if self.shown else self._planned
        if plan is not None and (plan.draft.steps != wanted or plan.begun or plan.typed):
            followed.renew_plan()
            plan = followed.plan
            for step in wanted if plan is not None else ():
                assert plan is not None
                # A step that would lose a recipe has to be chosen twice.
                _ = plan.add(step) or plan.add(step)
        if plan is not None:
            plan.set_message(followed.texts.say("puzzle.over"))

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
        """Return the question, or the verdict on the turn, as a marked sentence."""
        puzzle = self.puzzle
        best = mark("points", _worth(puzzle.gain, texts))
        if self.gain is None:
            return texts.say("puzzle.win" if puzzle.gain.won else "puzzle.find")
        if self.shown:
            return texts.say("puzzle.shown", best=best, steps=self._solution(texts))
        stars = mark("points", star_line(puzzle.stars(self.gain)))
        if self.solved:
            return texts.say("puzzle.best", stars=stars, best=best)
        if puzzle.gain.won > self.gain.won:
            return texts.say("puzzle.lost", stars=stars, gain=mark("points", _worth(self.gain, texts)))
        if self.gain.points == puzzle.gain.points:
            return texts.say("puzzle.nearly", stars=stars, best=best)
        return texts.say("puzzle.less", stars=stars, gain=mark("points", _worth(self.gain, texts)), best=best)

    def _solution(self, texts: Texts) -> Marked:
        """Describe the best turn, with recipes by name only, so that it fits below a small table."""
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
    words = worth_words(texts, gain.points - gain.style, gain.style)
    return texts.say("puzzle.wins", worth=words) if gain.won else words


def star_line(stars: int) -> str:
    return "★" * stars + "☆" * (MOST_STARS - stars)


def share_line(name: str, stars: int, texts: Texts) -> str:
    """Return a line to send to a friend, which gives nothing away."""
    return texts.say("puzzle.share", name=name, stars=star_line(stars))


def progress_with_stars(progress: Progress, puzzle: Puzzle, stars: int) -> Progress:
    """Return the progress with the stars of a daily puzzle added, the first time only."""
    if not puzzle.daily or puzzle.name in progress.puzzles:
        return progress
    return replace(progress, puzzles={**progress.puzzles, puzzle.name: stars})


def today() -> date:
    """Return the date in the local time zone."""
    return datetime.now().astimezone().date()


def streak(progress: Progress, now: date) -> int:
    """Return the number of consecutive days with at least one star, up to today or yesterday."""
    days = {name.split(" ")[-1] for name, stars in progress.puzzles.items() if stars}
    day = now if now.isoformat() in days else now - timedelta(days=1)
    count = 0
    while day.isoformat() in days:
        count, day = count + 1, day - timedelta(days=1)
    return count
