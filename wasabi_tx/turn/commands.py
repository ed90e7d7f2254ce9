"""Commands: words that are not steps and can be typed at any time."""

from __future__ import annotations

from collections.abc import Container

from ..text import Texts

TALKATIVE = frozenset({"line", "rules", "say", "square"})
"""Commands that take words after them; any other command followed by words is read as a step."""
MEANWHILE = frozenset({"plan", "plans"})
"""Commands for the time while others move."""
AT_TABLE = frozenset({"invite", "mute", "pause"})
"""Commands of tables with others, where there is what they are about."""
LATER = frozenset({"stop"})
"""Commands for planning a later turn."""


def find_command(line: str, texts: Texts, more: Container[str] = ()) -> tuple[str, str] | None:
    """Return the command in a line and what follows it; English words work in every language.

    Commands that work only at certain times must be listed in `more`.
    """
    word, _, rest = line.strip().partition(" ")
    word = word.casefold()
    for language in (texts, Texts("en")):
        for command, words in _known(language, more).items():
            if word in words.split() and (not rest.strip() or command in TALKATIVE):
                return command, rest.strip()
    return None


def command_words(texts: Texts, more: Container[str] = (), without: Container[str] = ()) -> str:
    """Return the word for each command."""
    return ", ".join(words.split()[0] for command, words in _known(texts, more).items() if command not in without)


def _known(texts: Texts, more: Container[str]) -> dict[str, str]:
    known = texts.words("command").items()
    return {
        command: words for command, words in known if command in more or command not in MEANWHILE | LATER | AT_TABLE
    }
