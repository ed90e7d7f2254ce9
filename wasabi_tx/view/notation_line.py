"""A line of notation, or of words, typed into a plan: all of its steps are chosen, or none."""

from __future__ import annotations

from ..engine.errors import Illegal, RulesError
from ..engine.step import Step
from ..table.draft import Draft
from ..text import Texts
from .groups import typed_form
from .hand import hand_of
from .plan import Plan
from .prompt import ask
from .sentences import say_error
from .typed import NotUnderstood, read_step

SHOWN_MEANINGS = 3
LONGEST_LINE = 200


def choose_line(plan: Plan, line: str, texts: Texts) -> None:
    """Adds all steps of a line to the plan, or says in its message what is wrong with the first that is."""
    trial = Draft(plan.draft.base)
    for step in plan.draft.steps:
        trial.add(step)
    steps: list[Step] = []
    try:
        if trial.complete:
            raise Illegal("bundle-full")
        for part in (part for part in line[:LONGEST_LINE].split(";") if part.strip()):
            step = read_step(part, trial, ask(trial, texts).slot, texts)
            trial.add(step)
            steps.append(step)
    except NotUnderstood as error:
        plan.message, plan.wrong = _misunderstood(error, trial, texts), True
        return
    except RulesError as error:
        plan.message, plan.wrong = say_error(texts, error), True
        return
    plan.drop()
    for step in steps:
        if not plan.add(step):
            return


def _misunderstood(error: NotUnderstood, draft: Draft, texts: Texts) -> str:
    if error.code == "several":
        rules, hand = draft.base.rules, hand_of(draft.observation, draft.base)
        shown = ", ".join(typed_form(rules, hand, step, texts) for step in error.steps[:SHOWN_MEANINGS])
        return texts.say("typed.several", steps=shown)
    key = "typed.arguments" if error.code == "arguments" else "typed.nothing"
    return texts.say(key, verb=error.text[:40], text=error.text.strip()[:40])
