"""Pages that people ask for during a game, as lines: the log, help."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len

from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...table.game import Player
from ...text import Texts
from ...text.cells import fit, wrap
from ...text.foreign import clean
from ...text.marks import unmarked
from ...text.topics import find_topics
from ...view.log.chronicle import TurnEntry
from ...view.turn.prompt_lines import TOPICS
from ..keys import actions_on, shown_keys
from ..spans import Line, Span

TEXT = 72
"""Columns of running text."""
FIRST = {"table": ("tui.help-turn", "tui.help-codes"), "lobby": ("room.unaudited",), "room": ("room.unaudited",)}
"""What the help of a screen begins with."""


def log_lines(entries: Sequence[TurnEntry], players: Sequence[Player], texts: Texts) -> list[Line]:
    """The whole log, the newest first."""
    lines: list[Line] = []
    for entry in reversed(entries):
        who = texts.say("log.dealer") if entry.seat == NOBODY else clean(players[entry.seat].name, 20)
        words = clean(unmarked(", ".join(entry.words)) or texts.say("log.nothing"), 1000)
        role = "muted" if entry.seat == NOBODY else f"seat-{entry.seat + 1}"
        rows = wrap(words, TEXT - 18)
        lines.append((Span(f"{entry.turn:>3} ", "muted"), Span(fit(who, 13), role), Span(rows[0], "text")))
        lines += [(Span(" " * 17 + row, "text"),) for row in rows[1:]]
    return lines or [(Span(texts.say("play.log-empty"), "muted"),)]


def help_lines(
    rules: AnyRules,
    slot: str | None,
    texts: Texts,
    keys: Mapping[str, str],
    where: str,
    without: Collection[str] = (),
) -> list[Line]:
    """The keys of a screen, `without` those that do nothing there, and the rules topic for what is going on."""
    told = FIRST.get(where, ())
    lines: list[Line] = [line for key in told for line in ((Span(texts.say(key), "text"),), ())]
    for action in actions_on(where):
        if action.id in without:
            continue
        shown = " ".join(shown_keys(action, keys, texts))
        lines.append((Span(fit(shown, 12), "key"), Span(texts.say(f"tui.about.{action.id}"), "text")))
    wanted = TOPICS.get(slot or "", "goal")
    topics = find_topics(texts.language, rules.name)
    first = [topic for topic in topics if topic.name == wanted]
    for topic in [*first, *(topic for topic in topics if topic not in first)]:
        lines += [(), (Span(topic.title, "strong"),)]
        for paragraph in topic.text.splitlines():
            lines += [(Span(row, "text"),) for row in wrap(paragraph, TEXT)]
    return [_wrapped for line in lines for _wrapped in _wrap(line)]


def _wrap(line: Line) -> list[Line]:
    """A line of one long span as several."""
    if len(line) != 1 or cell_len(line[0].text) <= TEXT:
        return [line]
    return [(Span(row, line[0].role),) for row in wrap(line[0].text, TEXT)]
