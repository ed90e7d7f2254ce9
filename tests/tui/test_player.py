"""The player of the tests can press whatever a good bot plays, and a plan without a screen shows it."""

from __future__ import annotations

from collections import Counter

import pytest

from wasabi_tx.engine.observe import observe
from wasabi_tx.engine.position import NOBODY
from wasabi_tx.games.local import LocalGame
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import pieces_of
from wasabi_tx.tui.draw.sheet import piece_width
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.view.press import Do, PickCode, PickNumber, PickSquare, Press
from wasabi_tx.view.table.table import describe_table

from .memory_games import MemoryGames, choose, seats
from .player import keys_for, turn_presses

ENGLISH, ITALIAN = Texts("en"), Texts("it")
NARROWEST = 37
"""Cells available for a question on the smallest table."""


def make(plan: Plan, press: Press) -> None:
    match press:
        case PickSquare(square):
            plan.pick_square(square)
        case PickCode(number):
            assert number in plan.offered_codes.values(), (number, plan.offered_codes, plan.draft.steps)
            plan.pick_code(number)
        case PickNumber(number):
            plan.pick_number(number)
        case Do(action):
            {"accept": plan.accept, "return": plan.begin_return, "discard": plan.begin_discard}[action]()


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.long
def test_whatever_a_good_bot_plays_can_be_pressed(edition: str) -> None:
    verbs: Counter[str] = Counter()
    for seed in range(3):
        game = MemoryGames().open(edition, seats(2, 0), f"pressed {seed}").game
        assert isinstance(game, LocalGame)
        while game.position.outcome is None:
            if game.position.mover == NOBODY:
                game._deal()
                continue
            observation = observe(game.rules, game.position, game.position.mover, game._dealer.faces)
            plan = Plan(observation, Texts("en"))
            bundle = choose(observation, "")
            for press in turn_presses(plan, bundle):
                assert keys_for(plan, press), "by keys too, whatever letters mean now"
                make(plan, press)
                for texts in (ENGLISH, ITALIAN):
                    question = question_of(plan, describe_table(plan.draft.observation, game.players, texts), texts)
                    assert sum(map(piece_width, pieces_of(question.title))) <= NARROWEST, question.title
            verbs.update(step.verb for step in bundle.steps)
            game._play(bundle)
    assert edition == "master" or verbs["discard"], "the games show what they are there for"
