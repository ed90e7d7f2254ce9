"""Short topics about the rules of each edition: one file a topic, its first line the title.

A line that begins with `> ` says what to type where the game is played line by line; on the screen keys do it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from . import ENGLISH

ORDER = (
    "goal",
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
    "rulings",
)
"""From the first question that a newcomer asks to the last."""
TYPED = "> "


@dataclass(frozen=True)
class RulesTopic:
    name: str
    title: str
    text: str
    """Without the title; paragraphs of one line each."""
    typed: str = ""
    """What one types for it, line by line."""


@cache
def find_topics(language: str, rules: str) -> tuple[RulesTopic, ...]:
    """The topics about one kind of rules, in English if they are not translated; none if there are none."""
    folder = files(__package__).joinpath("rules", language, rules)
    if not folder.is_dir():
        return () if language == ENGLISH else find_topics(ENGLISH, rules)
    names = [file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")]
    return tuple(_read(language, rules, name) for name in ORDER if name in names)


def find_topic(language: str, rules: str, wish: str) -> RulesTopic | None:
    """The topic whose name or title starts with what was typed."""
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
