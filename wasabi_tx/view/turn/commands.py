"""Commands: words that are not steps and can be typed at any time."""

from __future__ import annotations

from ...text import Texts

ALONE = frozenset(
    {"codes", "help", "hint", "leave", "log", "no", "quit", "recipes", "send", "show", "under", "undo", "who"}
)
"""Commands that take no words after them; with any, the line is read as a step."""


def find_command(line: str, texts: Texts) -> tuple[str, str] | None:
    """The command that a line gives and what follows it; English words work in every language."""
    word, _, rest = line.strip().partition(" ")
    word = word.casefold()
    for language in (texts, Texts("en")):
        for command, words in language.words("command").items():
            if word in words.split() and (not rest.strip() or command not in ALONE):
                return command, rest.strip()
    return None


def command_words(texts: Texts) -> str:
    """The word for each command."""
    return ", ".join(words.split()[0] for words in texts.words("command").values())
