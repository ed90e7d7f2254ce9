"""Votes at the table, and its other questions."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.errors import Illegal
from wasabi_tx.engine.step import Step
from wasabi_tx.games.game import (
    Excluded,
    OtherRun,
    Overdue,
    SeatStates,
    Vote,
)
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.screens.yes_no import YesNoPage

from .on_screen import place_of
from .scripted import AWAY, HERE, ScriptedGame, at_table


async def test_a_vote_is_asked_in_plain_words_and_answered_by_two_keys_only() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Vote(2, (1,), (), None, open=True))
        assert "A vote to go on without Chiara; yes so far: Bo." in seen.panel("asked")
        await seen.press("y", "escape", "n")
        assert seen.game.asked == [], "keys of the game answer nothing"
        await seen.press("x")
        page = seen.app.screen
        assert isinstance(page, YesNoPage)
        assert page.question == "Go on without Chiara?"
        await seen.press("enter", "space")
        assert seen.app.screen is page
        await seen.press("n")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("vote", 2, False)]
        await seen.hear(Vote(2, (1,), (0,), False, open=False))
        assert "The game goes on with Chiara; against leaving them out: Ana." in seen.words
        assert "x answer" not in seen.panel("asked")


async def test_nobody_is_said_to_be_against_who_pressed_nothing() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Vote(2, (1,), (), None, open=True), Vote(2, (1,), (), None, open=False))
        assert "The vote to go on without Chiara is off." in seen.words
        assert "against" not in seen.words


@pytest.mark.long
async def test_a_vote_can_be_answered_by_mouse() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Vote(1, (2,), (), None, open=True))
        await seen.pilot.click("#asked", offset=(70, 0))
        await seen.pilot.pause()
        assert isinstance(seen.app.screen, YesNoPage)
        await seen.pilot.click(offset=place_of(seen.app, "y yes  n no"))
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("vote", 1, True)]


async def test_nobody_is_asked_about_themselves_or_twice() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Vote(0, (1,), (), None, open=True))
        await seen.press("x")
        assert "Nothing is being asked, and nobody is missing." in seen.panel("bar")
        assert not seen.told, "nothing covers the question"
        await seen.hear(Vote(2, (0, 1), (), True, open=True))
        assert "x answer" not in seen.panel("asked")
        assert "A vote to go on without Chiara; yes so far: Ana, Bo." in seen.words


@pytest.mark.long
async def test_a_vote_can_be_called_about_whoever_is_missing() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(SeatStates((HERE, HERE, AWAY)))
        await seen.press("x", "y")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("vote", 2, True)]
        seen.game.refusal = Illegal("vote-too-early", seat=2)
        await seen.hear(Overdue(1, "shares", 7))
        await seen.press("x")
        assert isinstance(seen.app.screen, ListPage)
        await seen.press("enter")
        await seen.press("y")
        await seen.until(lambda: len(seen.game.asked) == 2)
        assert seen.game.asked[-1] == ("vote", 1, True)
        assert any("too early" in words for words in seen.told)


async def test_at_a_table_by_correspondence_one_is_told_how_long_somebody_still_has() -> None:
    game = ScriptedGame()
    game.clock = 86_400
    async with at_table(game) as seen:
        await seen.hear(Overdue(1, "closed", 3600))
        await seen.press("x")
        assert "Bo still has 23 hours; after that you can vote." in seen.panel("bar")
        await seen.hear(Overdue(1, "closed", 86_000))
        await seen.press("x")
        assert "Bo still has 6 minutes; after that you can vote." in seen.panel("bar")
        assert not isinstance(seen.app.screen, YesNoPage)
        await seen.hear(Overdue(1, "closed", 86_400, votable=True))
        await seen.press("x")
        assert isinstance(seen.app.screen, YesNoPage)


async def test_two_are_told_that_going_on_alone_ends_the_game() -> None:
    game = ScriptedGame(seat=2)
    async with at_table(game) as seen:
        await seen.hear(Overdue(1, "away", 60, votable=True))
        await seen.press("x")
        assert isinstance(seen.app.screen, YesNoPage)
        assert "goes on without them" in seen.app.screen._about
        await seen.press("n")
        assert game.asked == [], "whoever wants no vote has said nothing"
        await seen.hear(Excluded(0, (1, 2), game.rules.apply(game.position, Step("exclude", (0,)))))
        await seen.hear(Overdue(1, "away", 60, votable=True))
        await seen.press("x")
        assert isinstance(seen.app.screen, YesNoPage)
        assert "ends here for good, without a winner" in seen.app.screen._about
        await seen.press("y")
        await seen.until(lambda: bool(game.asked))
        assert game.asked == [("vote", 1, True)]


async def test_another_place_of_the_same_key_asks_before_anything_is_signed() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(OtherRun())
        assert "You are also playing on another device" in seen.panel("asked")
        await seen.press("x", "n")
        assert seen.game.asked == []
        assert "another device" in seen.panel("asked"), "it still is"
        await seen.press("x", "y")
        await seen.until(lambda: bool(seen.game.asked))
        assert seen.game.asked == [("confirm_run",)]
        await seen.pilot.pause()
        assert "another device" not in seen.panel("asked")
