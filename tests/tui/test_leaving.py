"""Leaving the table, for now or for good."""

from __future__ import annotations

import pytest
from textual.widgets import OptionList

from wasabi_tx.engine.errors import Illegal
from wasabi_tx.games.game import Delivery, Leaving, Link
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.screens.yes_no import YesNoPage
from wasabi_tx.tui.widgets.page_foot import PageFoot

from .scripted import ScriptedGame, at_table


@pytest.mark.long
async def test_leaving_asks_first_and_a_refusal_is_explained() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.press("q")
        assert "Esc  keep playing" in seen.app.screen.query_one("#foot", PageFoot).words
        assert "Enter  Do it" in seen.app.screen.query_one("#foot", PageFoot).words
        await seen.press("escape")
        assert seen.game.asked == []
        await seen.press("q", "down", "enter")
        page = seen.app.screen
        assert isinstance(page, YesNoPage)
        assert page.question == "Resign?"
        assert "Esc  keep playing" in page.query_one("#foot", PageFoot).words
        await seen.press("enter", "escape")
        await seen.press("q", "down", "enter", "n")
        assert seen.game.asked == [], "only yes leaves"
        seen.game.refusal = Illegal("seat-gone", seat=1)
        await seen.press("q", "down", "enter", "y")
        await seen.until(lambda: bool(seen.told))
        assert seen.game.asked == [("leave", 0)]
        assert seen.told == ["Seat 1 has left the game."]
        assert seen.app.screen is seen.table


async def test_whoever_closes_with_a_move_that_has_not_left_is_told() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Delivery(3, 2, 2))
        await seen.hear(Link(False, "closed"))
        await seen.press("q", "enter")
        await seen.until(lambda: bool(seen.told))
        assert seen.told == [seen.app.texts.say("online.unsent")]


async def test_whoever_leaves_at_anothers_turn_is_told_when_and_not_asked_again() -> None:
    async with at_table(ScriptedGame(seat=1)) as seen:
        await seen.press("q", "down", "enter", "y")
        await seen.until(lambda: seen.game.asked == [("leave", 1)])
        await seen.hear(Leaving(0))
        assert seen.told == ["You leave as soon as Ana has moved."]
        assert "You leave as soon as Ana has moved." in seen.words
        await seen.press("q")
        assert isinstance(seen.app.screen, ListPage)
        assert [way.id for way in seen.app.screen.query_one(OptionList).options] == ["later", "stay"]
