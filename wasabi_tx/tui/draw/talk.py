"""Talk: one line where there is little room, a column beside the log where there is more."""

from __future__ import annotations

from rich.cells import cell_len

from ...text import Texts
from ...view.online.surroundings import Around, TalkLine
from ...view.press import Do
from ..safe_text import clean, cut, wrap
from ..spans import Line, Span, clip, line_width, rule

LONGEST_NAME = 20


def talk_line(around: Around, texts: Texts, width: int, key: str) -> Line:
    """`talk: Ana: nice one! (t)`, with the number of lines that nobody has looked at yet."""
    more, press = (f" ({key})", Do("talk")) if around.may_talk else ("", None)
    if around.muted:
        words, role = texts.say("tui.muted"), "muted"
    elif around.talk:
        last = around.talk[-1]
        words, role = f"{clean(last.who, LONGEST_NAME)}: {clean(last.text)}", "text"
    else:
        words, role = texts.say("tui.silence"), "muted"
    title = texts.say("tui.talk")
    lead = Span(f"{title} ●{around.unread}: ", "key", press) if around.unread else Span(f"{title}: ", "muted", press)
    room = width - cell_len(lead.text) - cell_len(more)
    return clip((lead, Span(cut(words, room), role, press), Span(more, "accent", press)), width)


def talk_lines(around: Around, texts: Texts, width: int, rows: int, key: str) -> list[Line]:
    """The newest lines under their own rule, the last one at the bottom."""
    title = texts.say("tui.talk") + (f" ●{around.unread}" if around.unread else "")
    fill = max(1, width - cell_len(title) - cell_len(key) - 4)
    more = (Span("─" * fill, "rule"), Span(f"({key})", "accent", Do("talk"))) if around.may_talk else ()
    lines = [rule((Span(title, "muted"), *more), width)]
    if around.muted or not around.talk:
        words = texts.say("tui.muted" if around.muted else "tui.silence")
        return [*lines, (Span(cut(words, width), "muted"),)][:rows]
    return [*lines, *said_rows(around.talk, width, rows - 1)]


def said_rows(talk: tuple[TalkLine, ...], width: int, rows: int) -> list[Line]:
    """The newest lines of talk in at most so many rows."""
    found: list[Line] = []
    for one in reversed(talk):
        if len(found) >= rows:
            break
        found = [*_rows(one, width), *found]
    return found[len(found) - rows :] if len(found) > rows else found


def _rows(one: TalkLine, width: int) -> list[Line]:
    who = f"{clean(one.who, LONGEST_NAME)}:"
    role = "muted" if one.seat is None else f"seat-{one.seat + 1}"
    rows = wrap(clean(one.text), max(8, width - 2), used=cell_len(who) - 1)
    first = (Span(who, role), Span(f" {rows[0]}", "text"))
    return [clip(line, width) for line in (first, *((Span(f"  {row}", "text"),) for row in rows[1:]))]


def beside(left: list[Line], right: list[Line], width: int, gap: str = "│") -> list[Line]:
    """Two columns, the left one of so many cells."""
    count = max(len(left), len(right))
    lines = []
    for number in range(count):
        one = clip(left[number], width) if number < len(left) else ()
        other = right[number] if number < len(right) else ()
        lines.append((*one, Span(" " * (width - line_width(one)), "text"), Span(gap, "rule"), *other))
    return lines
