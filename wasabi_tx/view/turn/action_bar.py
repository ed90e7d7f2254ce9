"""The action bar: what is asked, what the one primary key does now, what that brings, and what else can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...text import Texts
from ...text.marks import mark
from ..press import Do, Press
from ..table.recipe import recipe_name
from .plan import Plan
from .preview import Preview
from .prompt_choices import Choice, Question


@dataclass(frozen=True)
class ActionBar:
    lead: str
    """What is asked or held; a marked sentence."""
    button: str = ""
    """What Enter does; nothing if it does nothing."""
    press: Press | None = None
    more: str = ""
    """What that brings, or why not; a marked sentence."""
    choices: tuple[Choice, ...] = ()
    """What else can be chosen."""
    wrong: bool = False
    told: tuple[str, ...] = ()
    """What somebody has just done: a marked sentence, then shorter ones."""


def action_bar(
    plan: Plan, question: Question, preview: Preview | None, texts: Texts, *, quiet: bool = False
) -> ActionBar:
    """The bar of the one who chooses; a `quiet` one leaves it to others to tell what was just said."""
    if quiet:
        question = replace(question, note="")
    default = next((choice for choice in question.choices if choice.default), None)
    others = tuple(choice for choice in question.choices if choice is not default)
    if plan.message and not quiet:
        kind = "error" if plan.wrong else "strong"
        label = default.label if default is not None else ""
        return ActionBar(mark(kind, plan.message), label, default.press if default else None, "", others, plan.wrong)
    if plan.begun.verbs[:1] == ("place",) and plan.begun.args:
        return _holding(plan, preview, texts)
    prompt = plan.moment.prompt
    if prompt.slot == "claim" and prompt.completions and not plan.begun:
        return _completing(plan, question, others, texts)
    if prompt.slot == "send" and not plan.begun:
        key, undo = (f"bar.end-{prompt.reveals}", "bar.no-undo") if prompt.reveals else ("bar.end", "bar.undo")
        return ActionBar(texts.say("bar.ready"), texts.say(key), Do("send"), mark("muted", texts.say(undo)))
    if default is None and plan.suggested:
        name = plan.rules.edition.ingredients[plan.suggested - 1].names[texts.language]
        return ActionBar(
            question.title, texts.say("bar.pick", tile=name), Do("accept"), mark("muted", question.note), others
        )
    if default is None:
        return ActionBar(question.title, "", None, mark("muted", question.note), others)
    more: str = mark("muted", question.note)
    if plan.begun.aside is not None:
        more = mark("muted", texts.say("bar.cup-then", square=plan.rules.grid.names[plan.begun.args[0]]))
    elif preview is not None:
        more = _brings(plan, preview, texts)
    return ActionBar(question.title, default.label, default.press, more, others)


def _holding(plan: Plan, preview: Preview | None, texts: Texts) -> ActionBar:
    code = plan.rules.code(plan.begun.args[0])
    name = next(one.names[texts.language] for one in plan.rules.edition.ingredients if one.code == code)
    lead = texts.say("bar.hold" if plan.rules.edition.hand_tiles else "bar.pantry", tile=mark("tile", name, code))
    square = plan.rules.grid.names[plan.cursor]
    if preview is None and plan.in_the_way(plan.cursor):
        more = mark("muted", texts.say("bar.cup-there", square=square))
        return ActionBar(lead, texts.say("bar.move-cup"), Do("accept"), more)
    if preview is None:
        return ActionBar(lead, "", None, mark("muted", texts.say("bar.where")))
    return ActionBar(lead, texts.say("bar.place", square=square), Do("accept"), _brings(plan, preview, texts))


def _brings(plan: Plan, preview: Preview, texts: Texts) -> str:
    if preview.completes:
        won = preview.completes[0]
        key = "bar.completes-style" if won.cubes else "bar.completes"
        worth = worth_of(won.points, won.cubes, texts)
        return texts.say(key, recipe=mark("points", recipe_name(plan.rules, texts, won.recipe)), worth=worth)
    if preview.nearer:
        best = max(preview.nearer, key=lambda one: (one.have - one.length, one.have))
        name = mark("strong", recipe_name(plan.rules, texts, best.recipe))
        return texts.say("bar.nearer", recipe=name, have=best.have, length=best.length)
    return mark("muted", texts.say("bar.nothing"))


def worth_of(points: int, cubes: int, texts: Texts) -> str:
    """`5 points + 2 cubes`, marked."""
    words = [texts.say("worth.points", count=points)]
    words += [texts.say("worth.cubes", count=cubes)] if cubes else []
    return mark("points", " + ".join(words))


def _completing(plan: Plan, question: Question, others: tuple[Choice, ...], texts: Texts) -> ActionBar:
    won = plan.moment.prompt.completions[0]
    default = next(choice for choice in question.choices if choice.default)
    verb = won.step.verb
    name = recipe_name(plan.rules, texts, won.recipe)
    key = "bar.worth-style" if won.cubes else "bar.worth"
    more = texts.say(key, worth=worth_of(won.points, won.cubes, texts))
    return ActionBar(question.title, texts.say(f"bar.{verb}", recipe=name), default.press, more, others)
