"""Talk at the table: lines, and muting them."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.errors import Illegal
from wasabi_tx.games.game import (
    Said,
)

from .scripted import ScriptedGame, at_table


async def test_a_line_is_said_and_read() -> None:
    async with at_table(ScriptedGame()) as seen:
        assert "TALK nobody has said anything t" in seen.words
        await seen.hear(Said(1, "Bo", "nice one!"), Said(None, "", "hello"))
        assert "TALK ●2 a watcher: hello t" in seen.words
        await seen.press("t")
        assert "Bo: nice one!" in seen.panel("story")
        await seen.press(*"quit? no", "x", "backspace", "enter")
        assert seen.game.asked == [("say", "quit? no")]
        assert "●" not in seen.panel("story").splitlines()[-1]
        await seen.press("t", *"oh", "escape")
        assert len(seen.game.asked) == 1
        await seen.press("o")
        assert "nice one!" in "".join(line.text for line in seen.app.screen.lines)  # type: ignore[attr-defined]


async def test_talk_stands_beside_the_log_where_there_is_room() -> None:
    async with at_table(ScriptedGame(), size=(120, 40)) as seen:
        await seen.hear(*(Said(1, "Bo", f"line {number}") for number in range(20)))
        assert "Bo: line 19" in seen.panel("story").splitlines()[-1]
        assert "SINCE YOUR TURN" in seen.panel("story")
        await seen.pilot.resize_terminal(200, 50)
        await seen.pilot.pause()
        assert [row for row in seen.panel("talk").splitlines() if row][-2:] == ["Bo: line 18", "Bo: line 19"]


async def test_a_digit_alone_says_what_is_said_most() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.press("t", "1", "enter")
        await seen.until(lambda: bool(seen.game.asked))
        await seen.press("t", *"1st", "enter")
        await seen.until(lambda: len(seen.game.asked) == 2)
        assert seen.game.asked == [("say", "Nice one!"), ("say", "1st")]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_what_digits_say_is_shown_while_somebody_types(size: tuple[int, int]) -> None:
    async with at_table(ScriptedGame(), size=size) as seen:
        assert "Nice one!" not in seen.words
        await seen.press("t")
        assert "1 Nice one!" in seen.words
        assert "2 Thank you!" in seen.words
        await seen.press("escape")
        assert "Nice one!" not in seen.words


async def test_talk_can_be_muted() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.press("m")
        await seen.hear(Said(1, "Bo", "spam"))
        assert "spam" not in seen.words
        assert "TALK muted t" in seen.words
        await seen.press("m")
        assert "spam" in seen.words


async def test_a_refused_line_is_explained() -> None:
    async with at_table(ScriptedGame()) as seen:
        seen.game.refusal = Illegal("not-here")
        await seen.press("t", *"hi", "enter")
        await seen.until(lambda: bool(seen.told))
        assert seen.told == ["That does nothing at this table."]
