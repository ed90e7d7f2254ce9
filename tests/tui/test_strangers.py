"""Strangers' names and lines on the screen: never markup, never a control character, never wider than their place."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.widgets import Static

from wasabi_tx.games.game import InvalidEntry, RematchWished, Said, SeatStates, Vote
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.yes_no import YesNoPage
from wasabi_tx.tui.widgets.painted import Painted

from .on_screen import screen_rows
from .scripted import AWAY, HERE, ScriptedGame, Seen, at_table

STRANGE = {
    "markup": "[/bad][bold red]x[/] [@click=app.exit]y[/]",
    "escape": "\x1b[31mred\x1b]0;title\x07\x9b2J\x00\x07",
    "bidi": "\u202eevil\u202c\u2066left\u2069\u200f",
    "invisible": "a\u200bb\u200dc\ufeffd\u2060\ufe0f\U000e0041",
    "marks": "z\u0300\u0301\u0302\u0303\u0304" * 40,
    "long": "x" * 10_000,
    "lines": "one\ntwo\r\nthree\u2028four\u2029five\x0b\x0csix",
    "wide": "寿司" * 500,
    "gaps": "{name} {0} %s {unknown}",
    "nothing": "",
}
PAIRS = list(zip(list(STRANGE)[::2], list(STRANGE)[1::2], strict=True))
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def shown_everywhere(seen: Seen) -> list[str]:
    """Return every line on every screen, and every notification."""
    lines = [*seen.told, *screen_rows(seen.app)]
    for screen in seen.app.screen_stack:
        for painting in screen.query(Painted):
            lines += painting.words.split("\n")
        for static in screen.query(Static):
            lines += str(static.content).split("\n")
    return lines


def check(seen: Seen) -> None:
    import unicodedata

    for line in shown_everywhere(seen):
        assert not [char for char in line if unicodedata.category(char) in HIDDEN], repr(line[:80])
    for painting in seen.table.query(Painted):
        if painting.display:
            assert all(cell_len(line) <= painting.size.width for line in painting.words.split("\n")), painting.id


@pytest.mark.grid
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
async def test_strange_names_and_lines_break_nothing(pair: tuple[str, str]) -> None:
    bo, chiara = (STRANGE[kind] for kind in pair)
    async with at_table(ScriptedGame(names=("Ana", bo, chiara))) as seen:
        for strange in (bo, chiara):
            await seen.hear(Said(1, strange, strange), Said(None, strange, strange))
            check(seen)
        await seen.hear(
            SeatStates((HERE, AWAY, AWAY)), InvalidEntry(1, 3, "bad-proof", chiara), Vote(1, (2,), (), None, open=True)
        )
        for key in ("t", "o", "w"):
            await seen.press(key)
            check(seen)
            await seen.press("escape")
        await seen.press("x")
        assert isinstance(seen.app.screen, YesNoPage)
        check(seen)
        await seen.press("escape")
        await seen.press("x", "y")
        await seen.hear(RematchWished((1, 2)))
        seen.game.ends()
        await seen.until(lambda: isinstance(seen.app.screen, EndPage))
        check(seen)
        assert seen.app._exception is None


async def test_brackets_are_shown_as_they_were_written() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(Said(1, "Bo", "[/b] {x}"))
        assert "Bo: [/b] {x}" in seen.words


async def test_a_flood_of_lines_is_kept_short() -> None:
    async with at_table(ScriptedGame()) as seen:
        await seen.hear(*(Said(1, "Bo", str(number)) for number in range(2000)))
        assert len(seen.table.around.lines) == 200
        assert "Bo: 1999" in seen.words


async def test_what_is_pasted_or_typed_is_one_harmless_line() -> None:
    from textual import events

    async with at_table(ScriptedGame()) as seen:
        await seen.press("t")
        seen.app.post_message(events.Paste("one\ntwo\x1b[31m\u202e" + "x" * 10_000))
        await seen.pilot.pause()
        await seen.press("enter")
        await seen.until(lambda: bool(seen.game.asked))
        ((_, line),) = seen.game.asked
        assert isinstance(line, str)
        assert line.startswith("one two [31mxxx")
        assert len(line) == 200
