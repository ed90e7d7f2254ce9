"""Pages that people ask for during a game, as lines: the log, help."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...games.game import Player
from ...text import Texts
from ...text.cells import fit
from ...text.foreign import clean
from ...text.marks import renamed, unmarked
from ...text.topics import RULINGS, SHORT, RulesTopic, find_topics
from ...turn.prompt_lines import TOPICS
from ...view.log.chronicle import TurnEntry
from ...view.log.phrases import told_words
from ..bindings import BY_ID, actions_on, shown_keys
from ..safe_text import plain
from ..text_lines import TextLine, led

FIRST = {
    "table": ("tui.help-turn", "tui.help-codes"),
    "lobby": ("room.unaudited",),
    "room": ("room.fingerprint", "room.unaudited"),
}
"""The first sentences of each screen's help."""


def log_lines(
    entries: Sequence[TurnEntry], players: Sequence[Player], texts: Texts, you: int | None = None
) -> list[TextLine]:
    """Return the whole log, newest first; `you` is the reader's seat."""
    lines: list[TextLine] = []
    own = texts.say("log.own")
    # Some languages say all of it differently to you; there the name stays.
    you = you if own else None
    for entry in reversed(entries):
        name = own if entry.seat == you else clean(players[entry.seat].name, 20)
        who = texts.say("log.dealer") if entry.seat == NOBODY else name
        told = ", ".join(told_words(entry.phrases, texts))
        if you is not None:
            told = renamed(told, str(you + 1), texts.say("log.you"))
        words = clean(unmarked(told) or texts.say("log.nothing"), 1000)
        words = f"{texts.say('log.planned')} {words}" if entry.planned else words
        style = "$muted" if entry.seat == NOBODY else f"bold $seat-{entry.seat + 1}"
        lead = plain(f"{entry.turn:>3} ").stylize("$muted").append(plain(fit(who, 13)).stylize(style))
        lines.append(TextLine(words, lead=lead))
    return lines or [TextLine(texts.say("play.log-empty"), "$muted")]


def titled_lines(paragraphs: Sequence[tuple[str, Sequence[str]]]) -> list[TextLine]:
    """Return paragraphs with their titles, an empty line between them."""
    lines: list[TextLine] = []
    for title, words in paragraphs:
        lines += [*([TextLine()] if lines else []), TextLine(title, "bold $accent"), *map(TextLine, words)]
    return lines


def plan_lines(plans: Sequence[str]) -> list[TextLine]:
    """Return the planned turns in full, to show above the log."""
    return [*(TextLine(plan, "bold") for plan in plans), *([TextLine()] if plans else [])]


class HelpSection(NamedTuple):
    """Lines of help that belong together, below a title if they have one."""

    title: str
    lines: tuple[TextLine, ...]


def help_pages(
    rules: AnyRules,
    slot: str | None,
    texts: Texts,
    keys: Mapping[str, str],
    where: str,
    without: Collection[str] = (),
) -> dict[str, list[HelpSection]]:
    """Return the four pages of help by name; the topic about what is asked comes first of all topics.

    The keys are those of a screen, `without` those that do nothing there.
    """
    named = {name: shown_keys(BY_ID[name], keys, texts)[0] for name in ("accept", "send")}
    told = tuple(TextLine(texts.say(key, **named)) for key in FIRST.get(where, ()))
    acts = tuple(
        led(
            " ".join(shown_keys(action, keys, texts)).ljust(12) + " ",
            "bold $accent",
            texts.say(f"tui.about.{action.id}"),
        )
        for action in actions_on(where)
        if action.id not in without
    )
    topics = find_topics(texts.language, rules.name)
    wanted = TOPICS.get(slot or "", "goal")
    ordered = sorted(topics, key=lambda topic: topic.name != wanted)
    return {
        "keys": [*([HelpSection("", told)] if told else []), HelpSection("", acts)],
        "short": [_section(topic) for topic in topics if topic.name == SHORT],
        "topics": [_section(topic) for topic in ordered if topic.name not in (SHORT, RULINGS)],
        "rulings": [_section(topic) for topic in topics if topic.name == RULINGS],
    }


def _section(topic: RulesTopic) -> HelpSection:
    lines = topic.text.splitlines()
    return HelpSection(
        topic.title, tuple(led("- ", "", line[2:]) if line[:2] == "- " else TextLine(line) for line in lines)
    )


def section_lines(sections: Sequence[HelpSection], typed: str = "") -> tuple[TextLine, ...]:
    """Return the lines of sections that have, with their title, each word that was typed."""
    lines: list[TextLine] = []
    for section in sections:
        if found := _found(section, typed):
            title = [TextLine(section.title, "bold $accent")] if section.title else []
            lines += [*([TextLine()] if lines else []), *title, *found]
    return tuple(lines)


def count_found(sections: Sequence[HelpSection], typed: str) -> int:
    """Return how many lines have what was typed."""
    return sum(len(_found(section, typed)) for section in sections)


def _found(section: HelpSection, typed: str) -> list[TextLine]:
    words = typed.casefold().split()
    return [line for line in section.lines if all(word in f"{section.title} {line.text}".casefold() for word in words)]
