"""Pages that people ask for during a game, as lines: the log, help."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...engine.position import NOBODY
from ...engine.rules import AnyRules
from ...games.game import Player
from ...text import Texts
from ...text.cells import fit
from ...text.foreign import clean
from ...text.marks import renamed, unmarked
from ...text.topics import find_topics
from ...turn.prompt_lines import TOPICS
from ...view.log.chronicle import TurnEntry
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
        told = ", ".join(one.words for one in entry.phrases)
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


def help_lines(
    rules: AnyRules,
    slot: str | None,
    texts: Texts,
    keys: Mapping[str, str],
    where: str,
    without: Collection[str] = (),
) -> list[TextLine]:
    """Return a screen's keys, `without` those that do nothing there, and the matching rules topic."""
    told = FIRST.get(where, ())
    named = {name: shown_keys(BY_ID[name], keys, texts)[0] for name in ("accept", "send")}
    lines: list[TextLine] = [line for key in told for line in (TextLine(texts.say(key, **named)), TextLine())]
    for action in actions_on(where):
        if action.id in without:
            continue
        shown = " ".join(shown_keys(action, keys, texts))
        lines.append(led(shown.ljust(12) + " ", "bold $accent", texts.say(f"tui.about.{action.id}")))
    wanted = TOPICS.get(slot or "", "goal")
    topics = find_topics(texts.language, rules.name)
    first = [topic for topic in topics if topic.name == wanted]
    for topic in [*first, *(topic for topic in topics if topic not in first)]:
        lines += [TextLine(), TextLine(topic.title, "bold")]
        lines += [TextLine(paragraph) for paragraph in topic.text.splitlines()]
    return lines
