"""Pages that people ask for during a game, as lines: the log, help."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...table.game import Player
from ...text import Texts
from ...text.cells import fit
from ...text.foreign import clean
from ...text.marks import renamed, unmarked
from ...text.topics import find_topics
from ...view.log.chronicle import TurnEntry
from ...view.turn.prompt_lines import TOPICS
from ..keys import BY_ID, actions_on, shown_keys
from ..spans import Line, Span

FIRST = {
    "table": ("tui.help-turn", "tui.help-codes"),
    "lobby": ("room.unaudited",),
    "room": ("room.fingerprint", "room.unaudited"),
}
"""What the help of a screen begins with."""


def log_lines(
    entries: Sequence[TurnEntry], players: Sequence[Player], texts: Texts, you: int | None = None
) -> list[Line]:
    """The whole log, the newest first; `you` is the seat of the person who reads."""
    lines: list[Line] = []
    own = texts.say("log.own")
    # Some languages say all of it differently to you; there the name stays.
    you = you if own else None
    for entry in reversed(entries):
        name = own if entry.seat == you else clean(players[entry.seat].name, 20)
        who = texts.say("log.dealer") if entry.seat == NOBODY else name
        told = ", ".join(one.words for one in entry.phrases)
        if you is not None:
            told = renamed(told, str(you + 1), texts.say("log.you"))
        words = clean(unmarked(told) or texts.say("log.nothing"), 1000)
        words = f"{texts.say('log.planned')} {words}" if entry.planned else words
        role = "muted" if entry.seat == NOBODY else f"seat-{entry.seat + 1}"
        lines.append((Span(f"{entry.turn:>3} ", "muted"), Span(fit(who, 13), role), Span(words, "text")))
    return lines or [(Span(texts.say("play.log-empty"), "muted"),)]


def plan_lines(plans: Sequence[str]) -> list[Line]:
    """What is left for later turns, in full, above the log."""
    return [*((Span(plan, "strong"),) for plan in plans), *([()] if plans else [])]


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
    named = {name: shown_keys(BY_ID[name], keys, texts)[0] for name in ("accept", "send")}
    lines: list[Line] = [line for key in told for line in ((Span(texts.say(key, **named), "text"),), ())]
    for action in actions_on(where):
        if action.id in without:
            continue
        shown = " ".join(shown_keys(action, keys, texts))
        lines.append((Span(shown.ljust(12) + " ", "key"), Span(texts.say(f"tui.about.{action.id}"), "text")))
    wanted = TOPICS.get(slot or "", "goal")
    topics = find_topics(texts.language, rules.name)
    first = [topic for topic in topics if topic.name == wanted]
    for topic in [*first, *(topic for topic in topics if topic not in first)]:
        lines += [(), (Span(topic.title, "strong"),)]
        lines += [(Span(paragraph, "text"),) for paragraph in topic.text.splitlines()]
    return lines
