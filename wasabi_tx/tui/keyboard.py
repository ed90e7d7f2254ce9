"""What the keyboard does to a line that is being typed."""

from __future__ import annotations

from textual import events


def edited(line: str, event: events.Key, longest: int) -> str | None:
    """The line after a key; None if it was dropped, by Esc or by Backspace where nothing is left to take back."""
    if event.key == "escape" or (event.key == "backspace" and not line):
        return None
    if event.key == "backspace":
        return line[:-1]
    if event.character is not None and event.is_printable and len(line) < longest:
        return line + event.character
    return line
