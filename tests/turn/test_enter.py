"""The effect of Enter: it suggests, it confirms, or it only puts down the held thing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.tui.memory_games import MemoryGames, seats
from tests.tui.player import turn_presses
from tests.tui.test_prompts_fit import do, games
from tests.view.tables import PLAYERS
from wasabi_tx.app.settings import parse_settings
from wasabi_tx.games.game import Can
from wasabi_tx.text import Texts
from wasabi_tx.turn.action_bar import action_bar
from wasabi_tx.turn.followed_game import FollowedGame
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.view.press import CONFIRM, ENTERS, OFF, SUGGEST
from wasabi_tx.view.table.table import describe_table

TEXTS = Texts("en")
CONFIRMED = {CONFIRM: {"claim", "extra", "end", "send"}, OFF: {"end"}}
"""The questions that Enter answers by itself, with nothing held."""


def button(plan: Plan) -> str:
    view = describe_table(plan.draft.observation, PLAYERS[: plan.rules.players], TEXTS, base=plan.draft.base)
    bar = action_bar(plan, question_of(plan, view, TEXTS), preview_of(plan), TEXTS, quiet=True)
    if bar.button:
        assert bar.press is not None
    return bar.button


@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize("enter", [CONFIRM, OFF])
def test_enter_suggests_nothing_unless_it_should(edition: str, enter: str) -> None:
    seen = set()
    for played, bundle in games(edition, 1):
        plan = Plan(played.draft.base, TEXTS, enter=enter)
        for press in turn_presses(plan, bundle):
            slot, before = plan.moment.prompt.slot, len(plan.draft.steps)
            seen.add(slot)
            if not plan.begun:
                assert bool(button(plan)) == (slot in CONFIRMED[enter]), slot
                assert plan.ready == (slot == "send" and enter == CONFIRM)
                if slot not in CONFIRMED[enter]:
                    plan.accept()
                    assert (len(plan.draft.steps), bool(plan.begun)) == (before, False), slot
                    assert plan.message or slot == "send"
                    plan.drop()
            do(plan, press)
        assert sorted(map(str, plan.draft.bundle().steps)) == sorted(map(str, bundle.steps)), "all is chosen by keys"
    assert {"place", "claim"} <= seen


def test_what_is_held_is_put_down_by_enter_where_the_cursor_is_whatever_the_setting() -> None:
    plan = next(plan for plan, _ in games("classic", 1) if plan.moment.prompt.slot == "place")
    for enter in ENTERS:
        held = Plan(plan.draft.base, TEXTS, enter=enter)
        held.pick_number(1)
        assert held.cursor in held.squares
        held.accept()
        assert held.draft.steps[-1].args[1] == held.cursor


@dataclass
class WithoutHints:
    """A game whose table has no hints."""

    game: object

    def __getattr__(self, name: str) -> object:
        return Can.PLAY if name == "can" else getattr(self.game, name)


def test_a_table_without_hints_suggests_nothing_whatever_the_setting() -> None:
    game = MemoryGames().open("classic", seats(1, 1), "enter").game
    for enter, there in ((SUGGEST, CONFIRM), (CONFIRM, CONFIRM), (OFF, OFF)):
        for table, expected in ((game, enter), (WithoutHints(game), there)):
            followed = FollowedGame(table, TEXTS)  # type: ignore[arg-type]
            followed.set_enter(enter)
            assert followed.enter == expected


def test_the_setting_is_one_of_three_words() -> None:
    for enter in ENTERS:
        assert parse_settings(f'enter = "{enter}"')[0].enter == enter
    settings, wrong = parse_settings('enter = "maybe"')
    assert settings.enter == SUGGEST
    assert [one.key for one in wrong] == ["enter"]
