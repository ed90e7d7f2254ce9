"""Short topics about the rules of each edition: one file per topic, with the title as its first line.

A line that begins with `> ` gives what to type where the game is played line by line; on the screen, keys do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from . import ENGLISH

SHORT, RULINGS = "short", "rulings"
"""The topic that tells all rules on one page, and the one that says which of them are ours."""
ORDER = (
    "goal",
    SHORT,
    "setup",
    "turn",
    "placing",
    "claiming",
    "tokens",
    "cups",
    "prep",
    "chop",
    "spicy",
    "stack",
    "switch",
    "wasabi",
    "restock",
    "passing",
    "piles",
    "open",
    "end",
    "notation",
    RULINGS,
)
"""The topics from a newcomer's first question to the last."""
TYPED = "> "


@dataclass(frozen=True)
class RulesTopic:
    name: str
    title: str
    text: str
    """The text without the title; each paragraph is one line."""
    typed: str = ""
    """The commands to type for it, line by line."""


@cache
def find_topics(language: str, rules: str) -> tuple[RulesTopic, ...]:
    """Return the topics about one kind of rules, in English if there is no translation; none if there are none."""
    folder = files(__package__).joinpath("rules", language, rules)
    if not folder.is_dir():
        return () if language == ENGLISH else find_topics(ENGLISH, rules)
    names = [file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")]
    return tuple(_read(language, rules, name) for name in ORDER if name in names)


def find_topic(language: str, rules: str, wish: str) -> RulesTopic | None:
    """Return the topic whose name or title starts with what was typed."""
    wish = wish.strip().casefold()
    topics = find_topics(language, rules)
    for topic in topics:
        if wish in (topic.name, topic.title.casefold()):
            return topic
    for topic in topics:
        words = (topic.name, topic.title.casefold(), *topic.title.casefold().split())
        if wish and any(word.startswith(wish) for word in words):
            return topic
    return None


def _read(language: str, rules: str, name: str) -> RulesTopic:
    text = files(__package__).joinpath("rules", language, rules, f"{name}.md").read_text(encoding="utf-8")
    title, *lines = text.strip().split("\n")
    told = "\n".join(line for line in lines if not line.startswith(TYPED))
    typed = "\n".join(line.removeprefix(TYPED) for line in lines if line.startswith(TYPED))
    return RulesTopic(name, title.removeprefix("# ").strip(), told.strip(), typed)
