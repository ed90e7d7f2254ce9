"""The judge of a puzzle: it judges the turn when it is over, shows the solution, and reveals nothing before."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from textwrap import wrap

import pytest

from wasabi_tx.engine.editions.master.steps import ACTION_LENGTH
from wasabi_tx.engine.step import Step
from wasabi_tx.lessons.progress import Progress, format_progress, parse_progress
from wasabi_tx.puzzles.judge import PuzzleJudge, progress_with_stars, share_line, streak
from wasabi_tx.puzzles.puzzle import count_of, find_puzzle
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import unmarked
from wasabi_tx.turn.followed_game import FollowedGame
from wasabi_tx.turn.plan import Plan
from wasabi_tx.view.names import BOT_NAMES

EN = Texts("en")


class Solver:
    """A player at a table without a screen."""

    def __init__(self, edition: str, number: int = 1) -> None:
        self.puzzle = find_puzzle(edition, number)
        self.judge = PuzzleJudge(self.puzzle, "Ana", BOT_NAMES)
        self.followed = FollowedGame(self.judge.game, EN, lesson=True)
        self.followed.renew_plan()
        self.judge.check_turn(self.followed)

    @property
    def plan(self) -> Plan:
        assert self.followed.plan is not None
        return self.followed.plan

    @property
    def words(self) -> str:
        return unmarked(self.judge.view(EN).words)

    def choose(self, *steps: Step) -> None:
        for step in steps:
            assert self.plan.add(step) or self.plan.add(step)
            self.judge.check_turn(self.followed)

    def idle_place(self) -> Step:
        """Return a tile that completes nothing."""
        draft, rules = self.plan.draft, self.puzzle.rules
        places = (step for step in draft.legal() if step.verb == "place")
        return next(
            step
            for step in places
            if not any(one.verb == "claim" for one in rules.legal(rules.apply(draft.position, step), draft.base.faces))
        )

    def act(self, action: str) -> bool:
        took = self.judge.takes(action, self.followed)
        self.judge.check_turn(self.followed)
        return took


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_the_best_turn_has_three_stars(edition: str) -> None:
    solver = Solver(edition)
    assert "Find the best turn" in solver.words
    solver.choose(*solver.puzzle.best)
    assert solver.judge.gain is None, "the turn is not ended yet"
    assert solver.act("send")
    assert solver.judge.gain == solver.puzzle.gain
    assert solver.judge.stars == 3
    assert solver.words.startswith("★★★ The best turn: ")
    assert solver.plan.draft.steps == solver.puzzle.best
    assert solver.act("accept")
    assert solver.judge.over


def test_another_turn_has_fewer_and_then_the_solution_can_be_seen() -> None:
    solver = Solver("classic")
    solver.choose(solver.idle_place())
    assert solver.act("send")
    assert solver.judge.stars == 0
    assert solver.words.startswith("☆☆☆ You gain 0 points; the best turn gains ")
    assert solver.act("accept")
    assert not solver.judge.over
    assert solver.plan.draft.steps == solver.puzzle.best, "the solution is on the table"
    assert solver.words.startswith("The best turn gains ")
    solver.plan.back()
    solver.plan.type_char("1")
    solver.judge.check_turn(solver.followed)
    assert solver.plan.draft.steps == solver.puzzle.best, "what is shown stays as it is"
    assert solver.act("accept")
    assert solver.judge.over


def test_only_the_first_try_counts() -> None:
    solver = Solver("classic")
    solver.choose(solver.idle_place())
    solver.act("send")
    assert solver.act("back")
    assert solver.judge.gain is None
    assert not solver.plan.draft.steps
    solver.choose(*solver.puzzle.best)
    solver.act("send")
    assert solver.words.startswith("★★★ ")
    assert solver.judge.stars == 0
    assert solver.judge.tries == 2


def test_a_tile_that_is_owed_keeps_the_turn_from_ending() -> None:
    solver = Solver("classic")
    assert not solver.act("send")
    assert solver.judge.gain is None


def test_passing_gains_nothing() -> None:
    solver = Solver("classic")
    solver.choose(next(step for step in solver.plan.draft.legal() if step.verb == "pass"))
    assert solver.judge.stars == 0


def test_a_card_that_is_gained_while_serving_changes_nothing() -> None:
    """A short recipe gives a card, which ends a bundle: the turn goes on after it, and is judged as a whole."""
    short = next(
        number
        for number in range(1, count_of("master") + 1)
        for one in [find_puzzle("master", number)]
        if sum(one.rules.edition.recipes[step.args[1]].length == ACTION_LENGTH for step in one.best[-1:]) == 1
    )
    solver = Solver("master", short)
    solver.choose(*solver.puzzle.best)
    solver.choose(next(step for step in solver.plan.draft.legal() if step.verb == "gain"))
    bundle = solver.followed.bundle()
    assert bundle is not None
    solver.judge.game.play(bundle)
    solver.judge.sent()
    for event in solver.judge.game.happened():
        solver.followed.handle(event)
    solver.followed.renew_plan()
    solver.judge.check_turn(solver.followed)
    assert solver.judge.gain is None
    assert solver.act("send")
    assert solver.judge.gain == solver.puzzle.gain


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("edition", ["classic", "master"])
def test_every_solution_fits_below_a_small_table(edition: str, language: str) -> None:
    """The guide has three rows of 77 cells on a terminal of 80 by 24."""
    texts = Texts(language)
    for number in range(1, count_of(edition) + 1):
        judge = PuzzleJudge(find_puzzle(edition, number), "Ana", BOT_NAMES)
        judge.gain, judge.shown = judge.puzzle.gain, True
        view = judge.view(texts)
        enter = texts.say("tui.key.enter")
        whole = f"{view.head}  {unmarked(view.words)} {texts.say('learn.press')}  {enter}  {view.leads}"
        assert len(wrap(whole, 77)) <= 3, whole


def test_the_line_to_share_gives_nothing_away() -> None:
    assert share_line("2026-11-17", 2, EN) == "Wasabi TX puzzle 2026-11-17 ★★☆"
    assert share_line("2026-11-17", 2, Texts("it")) == "Wasabi TX puzzle 2026-11-17 ★★☆"


def test_stars_of_a_day_are_kept_once_and_days_in_a_row_counted() -> None:
    daily = replace(find_puzzle("classic", 1), name="2026-11-17", daily=True)
    progress = progress_with_stars(Progress(), daily, 3)
    assert progress.puzzles == {"2026-11-17": 3}
    assert progress_with_stars(progress, daily, 1) is progress
    assert progress_with_stars(progress, find_puzzle("classic", 1), 1) is progress
    progress = replace(progress, puzzles={**progress.puzzles, "master 2026-11-16": 1, "2026-11-14": 2, "2026-11-15": 0})
    assert parse_progress(format_progress(progress)) == progress
    assert [streak(progress, date(2026, 11, day)) for day in (17, 18, 19, 15)] == [2, 2, 0, 1]
