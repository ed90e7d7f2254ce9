"""The row of a turn, the question, and the line that is typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from ...text import Texts
from ...view.online.surroundings import sentence
from ...view.press import Do
from ...view.table.turn_row import Part
from ...view.turn.prompt_choices import Choice, Question
from ..keys import BY_ID, shown_keys
from ..safe_text import clean, cut, wrap
from ..spans import Line, Span, clip, line_width

_SIGNS = {"done": ("✓ ", "good"), "now": ("► ", "key"), "open": ("· ", "muted")}


def row_line(parts: Sequence[Part], width: int) -> Line:
    """`✓ Tu d3   ✓ Crunchy Tuna +3 ★1   ► card   · tile   · recipe   · send`"""
    while sum(cell_len(part.words) + 5 for part in parts) > width + 3 and parts and parts[0].state == "done":
        parts = parts[1:]
    spans: list[Span] = []
    for part in parts:
        sign, role = _SIGNS[part.state]
        press = Do("send") if part.kind == "send" else None
        words = {"done": "text", "now": "strong", "open": "muted"}[part.state]
        spans += [Span(sign, role, press), Span(clean(part.words), words, press), Span("   ", "text")]
    return clip(spans, width)


def question_lines(question: Question, width: int, rows: int) -> list[Line]:
    """The question with its choices, on as many lines as there are; the last sign tells if there are more."""
    lines, whole = _choices(question, question.choices, width, rows)
    if not whole:
        # What Enter takes must be among those that fit.
        first = sorted(question.choices, key=lambda choice: not choice.default)
        lines, _ = _choices(question, first, width, rows)
        while len(lines[-1]) > 2 and line_width(lines[-1]) + 2 > width:
            del lines[-1][-2:]
        lines[-1].append(Span(" …", "muted"))
    return [clip(line, width) for line in lines]


def _choices(question: Question, choices: Sequence[Choice], width: int, rows: int) -> tuple[list[list[Span]], bool]:
    """As many choices as fit, and whether these are all."""
    lines: list[list[Span]] = [[Span(question.title + " ", "strong")]]
    for choice in choices:
        label = Span(clean(choice.label), "default" if choice.default else "choice", choice.press)
        if line_width(lines[-1]) + cell_len(label.text) + 1 > width:
            if len(lines) == rows:
                return lines, False
            lines.append([Span("  ", "text")])
        lines[-1] += [Span(" ", "text"), label]
    return lines, True


def note_line(question: Question, wrong: bool, width: int) -> Line:
    return (Span(cut(clean(question.note), width), "error" if wrong else "muted"),)


def asked_line(asked: str, texts: Texts, width: int, remapped: Mapping[str, str]) -> Line:
    """`► Vote to go on without Bo; so far for it: Ana   x answer`, in place of a rule."""
    key = f" {shown_keys(BY_ID['answer'], remapped, texts)[0]} {texts.say('tui.action.answer')} "
    words = cut(f" ► {clean(sentence(asked), 400)}", width - cell_len(key) - 1)
    fill = "─" * (width - cell_len(words) - cell_len(key) - 1)
    press = Do("answer")
    return (Span(words, "warning", press), Span(f" {fill}", "rule", press), Span(key, "default", press))


def said_lines(words: str, wrong: bool, width: int, rows: int) -> list[Line]:
    """Something long that was said, in exactly so many rows."""
    parts = wrap(clean(words, 2000), width)
    if len(parts) > rows:
        parts[rows - 1] = cut(f"{parts[rows - 1]} …", width)
    role = "error" if wrong else "text"
    return [(Span(part, role),) for part in (*parts[:rows], *[""] * (rows - len(parts)))]


def typed_line(typed: str, waiting: bool, texts: Texts) -> Line:
    """`› d_`: the first letter of a square or a code."""
    if waiting:
        return (Span("› ", "muted"), Span(texts.say("tui.waiting"), "muted"))
    return (Span("› ", "key"), Span(typed, "strong"), Span("_", "accent"))


def lead_line(line: str, texts: Texts) -> Line:
    """What is before a line that somebody types: `say: `, or `› :` for notation."""
    return (Span(f"{texts.say('tui.talk-to')} " if line == "talk" else "› :", "key"),)
