"""Turns ahead as lines: what was left for which turn, on which squares it counts, and why it was not played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ...engine.errors import RulesError
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...table.ahead import TAKEN, Ahead, NotPlayed, TurnAhead
from ...text import Texts
from ..log.phrases import planned, wanted
from .step_groups import square_names


def ahead_lines(ahead: Ahead, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    """A line for each turn that was left, the next one first, and when it will be played."""
    lines = []
    for alternatives in ahead.alternatives:
        for number, one in enumerate(alternatives):
            try:
                steps, squares = rules.parse(one.steps), _squares(one, rules)
            except RulesError:
                lines.append(texts.say("ahead.unreadable"))
                continue
            left = texts.say(
                "ahead.or" if number else "ahead.left", turn=one.turn, steps=", ".join(planned(texts, rules, steps))
            )
            key = "ahead.if-legal" if not squares else "ahead.if-there" if _takes(steps, rules) else "ahead.if"
            when = texts.say(key, squares=", ".join(squares))
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


def _takes(steps: Sequence[Step], rules: AnyRules) -> bool:
    """Whether something has to be there for it to take; without tiles in hand, each one is taken from the pantry."""
    taken = TAKEN if rules.edition.hand_tiles else TAKEN | {"place"}
    return any(step.args and rules.slots.get(step.verb) in taken for step in steps)


def _squares(one: TurnAhead, rules: AnyRules) -> list[str]:
    """The squares on which it counts, runs shortened; `RulesError` if there is no such square."""
    return square_names(rules, {rules.grid.parse_square(name) for name in dict(one.squares + one.lines)}).split()


def say_not_played(why: NotPlayed, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    """Why what was left for a turn was not played, and which plans went with it: a sentence each."""
    what = ""
    if why.code == "gone":
        with suppress(RulesError):
            what = ", ".join(wanted(texts, rules, step) for step in rules.parse(why.gone))
    code = "illegal" if why.code == "gone" and not what else why.code
    told = texts.say(f"ahead.not-played-{code}", square=why.square, what=what)
    if not why.dropped:
        return (told,)
    return told, texts.say("ahead.dropped", count=len(why.dropped), turns=", ".join(map(str, why.dropped)))


def say_withdrawn(one: TurnAhead, rules: AnyRules, texts: Texts) -> str:
    """Which plan was taken back."""
    try:
        steps = planned(texts, rules, rules.parse(one.steps))
    except RulesError:
        steps = ["…"]
    return texts.say("ahead.withdrawn", turn=one.turn, steps=", ".join(steps))
