"""Turns ahead as lines: what was left for which turn, on which squares it counts, and why it was not played."""

from __future__ import annotations

from ...engine.errors import RulesError
from ...engine.rules import AnyRules
from ...table.ahead import Ahead, NotPlayed, TurnAhead
from ...text import Texts
from ..log.phrases import planned
from .step_groups import square_names


def ahead_lines(ahead: Ahead, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    """A line for each turn that was left, the next one first, and when it will be played."""
    lines = []
    for alternatives in ahead.alternatives:
        for number, one in enumerate(alternatives):
            try:
                steps, squares = planned(texts, rules, rules.parse(one.steps)), _squares(one, rules)
            except RulesError:
                lines.append(texts.say("ahead.unreadable"))
                continue
            left = texts.say("ahead.or" if number else "ahead.left", turn=one.turn, steps=", ".join(steps))
            when = texts.say("ahead.if" if squares else "ahead.if-legal", squares=", ".join(squares))
            lines.append(f"{left} {when}")
        if len(alternatives) > 1:
            lines.append(texts.say("ahead.otherwise"))
    return tuple(lines)


def plan_forms(ahead: Ahead, rules: AnyRules, texts: Texts) -> tuple[tuple[str, ...], ...]:
    """Each turn that was left in a short line, then in ever shorter ones: which one is shown depends on the room."""
    return tuple(
        _forms(one, number > 0, rules, texts) for alike in ahead.alternatives for number, one in enumerate(alike)
    )


def _forms(one: TurnAhead, instead: bool, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    try:
        steps, squares = planned(texts, rules, rules.parse(one.steps)), _squares(one, rules)
    except RulesError:
        return (texts.say("ahead.unreadable"),)

    def left(count: int) -> str:
        key = "ahead.short-or" if instead else "ahead.short"
        return texts.say(key, turn=one.turn, steps=", ".join(steps[:count])) + ("" if count == len(steps) else ", …")

    forms = [left(count) for count in range(len(steps), 0, -1)]
    if squares:
        names = ", ".join(squares)
        forms.insert(0, f"{forms[0]} · {texts.say('ahead.stay', count=len(one.squares + one.lines), squares=names)}")
    return tuple(forms)


def _squares(one: TurnAhead, rules: AnyRules) -> list[str]:
    """The squares on which it counts, runs shortened; `RulesError` if there is no such square."""
    return square_names(rules, {rules.grid.parse_square(name) for name in dict(one.squares + one.lines)}).split()


def say_not_played(why: NotPlayed, texts: Texts) -> str:
    """Why what was left for a turn was not played."""
    return texts.say(f"ahead.not-played-{why.code}", square=why.square)
