"""Plans for later turns as lines: their steps, the squares that they rely on, and why one was not played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..engine.errors import RulesError
from ..engine.rules import AnyRules
from ..engine.step import Step
from ..games.plans import TAKEN, NotPlayed, PlannedTurn, Plans
from ..text import Texts
from ..view.log.phrases import planned, wanted
from .step_groups import square_names


def plan_lines(plans: Plans, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    """Return a line for each planned turn, the next one first, with the condition under which it will be played."""
    lines = []
    for one in plans.turns:
        try:
            steps, squares = rules.parse(one.steps), _squares(one, rules)
        except RulesError:
            lines.append(texts.say("plans.unreadable"))
            continue
        plan = texts.say("plans.plan", turn=one.turn, steps=", ".join(planned(texts, rules, steps)))
        key = "plans.if-legal" if not squares else "plans.if-there" if _takes(steps, rules) else "plans.if"
        lines.append(f"{plan} {texts.say(key, squares=', '.join(squares))}")
    return tuple(lines)


def plan_forms(plans: Plans, rules: AnyRules, texts: Texts) -> tuple[tuple[str, ...], ...]:
    """Return each planned turn as a short line and ever shorter ones: the room decides which one is shown."""
    return tuple(_forms(one, rules, texts) for one in plans.turns)


def _forms(one: PlannedTurn, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    try:
        steps, squares = planned(texts, rules, rules.parse(one.steps)), _squares(one, rules)
    except RulesError:
        return (texts.say("plans.unreadable"),)

    def first(count: int) -> str:
        more = "" if count == len(steps) else ", …"
        return texts.say("plans.short", turn=one.turn, steps=", ".join(steps[:count])) + more

    forms = [first(count) for count in range(len(steps), 0, -1)]
    if squares:
        names = ", ".join(squares)
        forms.insert(0, f"{forms[0]} · {texts.say('plans.stay', count=len(one.squares + one.lines), squares=names)}")
    return tuple(forms)


def _takes(steps: Sequence[Step], rules: AnyRules) -> bool:
    """Return whether these steps take something; without tiles in hand, each tile is taken from the pantry."""
    taken = TAKEN if rules.edition.hand_tiles else TAKEN | {"place"}
    return any(step.args and rules.slots.get(step.verb) in taken for step in steps)


def _squares(one: PlannedTurn, rules: AnyRules) -> list[str]:
    """Return the squares that a plan relies on, runs shortened; raise RulesError if there is no such square."""
    return square_names(rules, {rules.grid.parse_square(name) for name in dict(one.squares + one.lines)}).split()


def say_not_played(why: NotPlayed, rules: AnyRules, texts: Texts) -> tuple[str, ...]:
    """Return why a plan was not played and which plans were dropped with it, a sentence each."""
    what = ""
    if why.code == "gone":
        with suppress(RulesError):
            what = ", ".join(wanted(texts, rules, step) for step in rules.parse(why.gone))
    code = "illegal" if why.code == "gone" and not what else why.code
    told = texts.say(f"plans.not-played-{code}", square=why.square, what=what)
    if not why.dropped:
        return (told,)
    return told, texts.say("plans.dropped", count=len(why.dropped), turns=", ".join(map(str, why.dropped)))


def say_withdrawn(one: PlannedTurn, rules: AnyRules, texts: Texts) -> str:
    """Return the sentence for a plan that was taken back."""
    try:
        steps = planned(texts, rules, rules.parse(one.steps))
    except RulesError:
        steps = ["…"]
    return texts.say("plans.withdrawn", turn=one.turn, steps=", ".join(steps))
