"""Somebody who knows nothing of the game and presses the keys that the guide of a lesson shows."""

from __future__ import annotations

import re

from textual.pilot import Pilot

from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.table.guide import Guide

NAMES = {
    "Enter": "enter",
    "Invio": "enter",
    "Space": "space",
    "Esc": "escape",
    "Bksp": "backspace",
    "Indietro": "backspace",
}
"""Textual's name for each key that people read about."""
_PRESS = re.compile(r"(?:Press|Premi) (.*)")
_STEP = re.compile(r"(?:(?:Lesson|Lezione) )?(\d+)(?: (?:of|di) \d+)? · (?:[^/]* )?(\d+)/\d+ ")


def guide_words(app: WasabiApp) -> str:
    """Return the guide's words, single-spaced; "" if there is no guide."""
    table = next((one for one in app.screen_stack if isinstance(one, TableScreen)), None)
    if table is None:
        return ""
    return " ".join(word for panel in table.query(Guide) for word in panel.words.replace("▌", " ").split())


def step_in(words: str) -> tuple[int, int]:
    """Return the lesson and its step, with which the guide begins."""
    found = _STEP.match(words)
    assert found is not None, words
    return int(found[1]), int(found[2])


def keys_in(words: str) -> list[str]:
    """Return the keys that the guide shows at the end."""
    found = _PRESS.search(words)
    assert found is not None, words
    return [NAMES.get(key, key) for key in found[1].split()]


async def settle(pilot: Pilot[None]) -> None:
    """Let the table process what has happened."""
    for _ in range(4):
        await pilot.pause()


async def do_task(app: WasabiApp, pilot: Pilot[None]) -> int:
    """Press what the guide says; return the number of keys."""
    keys = keys_in(guide_words(app))
    await pilot.press(*keys)
    await settle(pilot)
    return len(keys)


def at_home(app: WasabiApp) -> bool:
    return isinstance(app.screen, HomeScreen)
