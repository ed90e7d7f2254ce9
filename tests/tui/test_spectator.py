"""Spectators: the same table without a hand, where nothing they do reaches the others."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from wasabi_tx.games.game import Can, InvalidEntry, OtherRun, Said, SeatStates, Vote
from wasabi_tx.tui.bindings import ACTIONS, actions_on, footer_on
from wasabi_tx.tui.commands import ActionCommands
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.view.press import Do

from .on_screen import text_of
from .scripted import AWAY, ENGLISH, HERE, ScriptedGame, Seen, at_table

PUBLISHES = {"send", "talk", "answer"}
FOR_HANDS = {action.id for action in ACTIONS if action.needs == "PLAY"}


def spectator(can: Can = Can.NOTHING) -> ScriptedGame:
    return ScriptedGame(seat=None, can=can)


async def back_to_table(seen: Seen) -> None:
    for _ in range(5):
        if seen.app.screen is seen.table:
            return
        await seen.press("escape")
    raise AssertionError(seen.app.screen)


@pytest.mark.grid
@pytest.mark.parametrize("size", [(80, 24), (100, 32), (120, 40), (200, 50)])
async def test_a_spectator_sees_what_everybody_completed_and_no_recipes_of_their_own(size: tuple[int, int]) -> None:
    async with at_table(spectator(), size=size) as seen:
        words = seen.panel("recipes")
        assert "COMPLETED" in words
        assert "YOUR RECIPES" not in words
        for seat in seen.table.followed.view().seats:
            assert seat.name in words
        assert "need" not in seen.panel("pantry")


@pytest.mark.long
async def test_a_spectator_tries_every_key_and_changes_nothing() -> None:
    async with at_table(spectator()) as seen:
        await seen.hear(Vote(2, (1,), (), None, open=True), OtherRun(), SeatStates((HERE, AWAY, HERE)))
        before = seen.game.position
        for action in actions_on("table"):
            if action.id in ("leave", "palette"):
                continue
            for key in action.keys.split(","):
                await seen.pilot.press(key)
            await back_to_table(seen)
        await seen.press("1")
        assert ENGLISH.say("tui.watching") in seen.told
        await seen.press(*"a1ri0678", "enter", "space", "y", "n")
        await back_to_table(seen)
        assert seen.game.asked == []
        assert seen.game.position is before
        assert seen.table.followed.plan is None
        assert not seen.table.line.is_open


async def test_a_spectator_clicks_everything_and_changes_nothing() -> None:
    async with at_table(spectator()) as seen:
        await seen.hear(Vote(2, (1,), (), None, open=True))
        canvases = [panel.canvas for panel in seen.table.query(Painted)]
        presses = {one.press for canvas in canvases for one in canvas.clicks}
        assert presses
        presses |= {Do(action.id) for action in actions_on("table")}
        for press in sorted(presses - {Do("leave"), Do("palette")}, key=repr):
            seen.table.post_message(Painted.Pressed(press))
            await seen.pilot.pause()
            await back_to_table(seen)
        board = seen.table.query_one(Board)
        await seen.pilot.click(board, offset=(5, 3))
        assert seen.game.asked == []
        assert seen.table.followed.plan is None


async def test_what_would_be_seen_by_others_is_offered_nowhere() -> None:
    async with at_table(spectator()) as seen:
        footer = seen.panel("keys")
        offered = [action for action in footer_on("table") if ENGLISH.say(f"tui.action.{action.id}") in footer]
        assert not {action.id for action in offered} & (PUBLISHES | FOR_HANDS)
        assert {action.id for action in offered} >= {"help", "leave"}
        listed = {name for name, _, _ in ActionCommands(seen.table)._commands()}
        for name in PUBLISHES | FOR_HANDS:
            assert ENGLISH.say(f"tui.action.{name}") not in listed
        await seen.press("question_mark")
        page = seen.app.screen
        assert isinstance(page, HelpPage)
        words = text_of(page.lines)
        assert ENGLISH.say("tui.about.log") in words
        for name in PUBLISHES | FOR_HANDS:
            assert ENGLISH.say(f"tui.about.{name}") not in words


async def test_a_spectator_sees_no_hand_and_hears_no_question() -> None:
    async with at_table(spectator()) as seen:
        assert ENGLISH.say("tui.watching") in seen.panel("hand")
        assert ENGLISH.say("tui.since").upper() not in seen.panel("story")
        await seen.hear(Said(1, "Bo", "psst"))
        assert seen.panel("story").splitlines()[-1] == "TALK ●1 Bo: psst", "no key to answer with"
        assert seen.table.followed.observation.faces == {}
        await seen.hear(Vote(2, (1,), (), None, open=True), InvalidEntry(2, 3, "bad-proof", "x"))
        assert "x answer" not in seen.panel("asked")
        assert "vote to go on without Chiara" in seen.words
        assert "Invalid entry by Chiara" in seen.words


async def test_a_spectator_may_talk_where_the_table_allows_it() -> None:
    async with at_table(spectator(Can.CHAT)) as seen:
        await seen.hear(Said(1, "Bo", "who is there?"))
        await seen.press("t", *"me", "enter")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("say", "me")]


async def test_a_spectator_only_stops_to_watch() -> None:
    async with at_table(spectator()) as seen:
        await seen.press("q")
        page = seen.app.screen
        assert isinstance(page, ListPage)
        options = page.query_one(OptionList).options
        assert [str(option.prompt) for option in options] == ["Stop watching", "Keep watching"]
        await seen.press("escape")
        seen.game.ends()
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        end = seen.app.screen
        assert isinstance(end, EndPage)
        assert "again" not in end.ways


@pytest.mark.parametrize(
    ("name", "why"),
    [(name, "error.not-here") for name in ("talk", "mute", "answer", "pause")] + [("hint", "play.no-hints")],
)
async def test_what_this_game_lacks_is_refused_with_a_sentence(name: str, why: str) -> None:
    async with at_table(ScriptedGame(can=Can.PLAY)) as seen:
        await seen.table.action_act(name)
        await seen.pilot.pause()
        assert ENGLISH.say(why) in seen.panel("bar")
        assert not seen.told, "nothing covers the question"
        assert not seen.table.line.is_open
