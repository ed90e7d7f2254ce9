"""Typed lines can do whatever keys do at a table: each action of the screen has its line."""

from __future__ import annotations

from wasabi_tx.text import Texts
from wasabi_tx.tui.bindings import actions_on
from wasabi_tx.turn.commands import find_command

LINES = {
    "accept": "", "back": "undo", "send": "send", "return": "pass 6", "discard": "discard Ch", "notation": "Tu d3",
    "plan": "plan", "hint": "hint", "take_hint": "Tu d3", "answer": "yes", "yes": "yes", "no": "no", "under": "under",
    "book": "recipes", "who": "who", "log": "log", "since": "log", "talk": "say hello", "help": "?", "leave": "quit",
}  # fmt: skip
"""Steps and answers stand for themselves; everything else is a command."""
STEPS = {"accept", "return", "discard", "notation", "take_hint", "answer", "yes"}
ONLY_DRAWN = {
    "drop", "cursor_up", "cursor_down", "cursor_left", "cursor_right", "panels", "settings", "theme", "pace", "palette",
}  # fmt: skip
"""Actions about what is drawn, or held before it is chosen: lines have neither."""
NO_LINE = {"invites", "mute", "pause"}
"""Actions that still have no line."""


def test_every_action_of_a_table_has_a_line() -> None:
    actions = {action.id for action in (*actions_on("table"), *actions_on("asked"))}
    assert actions == LINES.keys() | ONLY_DRAWN | NO_LINE
    for action, line in LINES.items():
        if action not in STEPS:
            assert find_command(line, Texts("en"), {"plan"}) is not None, action
