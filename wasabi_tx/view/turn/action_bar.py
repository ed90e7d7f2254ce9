"""The action bar: what is asked, what the one primary key does now, what that brings, and what else can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...text import Texts
from ...text.marks import mark
from ..press import Do, Press
from ..table.recipe import recipe_name
from .plan import Plan
from .preview import Preview
from .prompt import Prompt
from .prompt_choices import Choice, Question, code_choice


@dataclass(frozen=True)
class ActionBar:
    lead: str
    """What is asked or held; a marked sentence."""
    button: str = ""
    """What Enter does; nothing if it does nothing."""
    press: Press | None = None
    about: str = ""
    """What the thing does that it takes, for where there is room to say it."""
    more: str = ""
    """What that brings, or why not; a marked sentence."""
    shorter: tuple[str, ...] = ()
    """The same in fewer and fewer words."""
    choices: tuple[Choice, ...] = ()
    """What else can be chosen."""
    answers: bool = False
    """Whether it begins with an answer to what was just pressed, instead of a question."""
    told: tuple[str, ...] = ()
    """What somebody has just done: a marked sentence, then shorter ones."""


def action_bar(
    plan: Plan, question: Question, preview: Preview | None, texts: Texts, *, quiet: bool = False
) -> ActionBar:
    """The bar of the one who chooses; a `quiet` one leaves it to others to tell what was just said."""
    bar = _typing(plan, texts) if plan.typed else asking(plan, question, preview, texts)
    if not plan.message or quiet:
        return bar
    # What Enter does, and what cannot be undone after it, is the same as before.
    said = mark("error" if plan.wrong else "strong", plan.message)
    return replace(bar, lead=f"{bar.lead}  {said}" if plan.typed else said, answers=True)


def _typing(plan: Plan, texts: Texts) -> ActionBar:
    """The first letter of a code or a square is typed: what it can become, and nothing for Enter."""
    choices = tuple(
        code_choice(plan, kind, number, texts)
        for kind, number in plan.offers
        if plan.code_of(kind, number).lower().startswith(plan.typed.lower())
    )
    column = [name for name in plan.rules.grid.names if name[0] == plan.typed.lower()]
    more = ""
    if column and (plan.squares or not choices):
        more = mark("muted", texts.say("bar.typed-square", first=column[0], last=column[-1]))
    return ActionBar(f"{plan.typed}_", more=more, choices=choices)


def asking(plan: Plan, question: Question, preview: Preview | None, texts: Texts) -> ActionBar:
    """What is asked, whatever was just said or typed."""
    default = next((choice for choice in question.choices if choice.default), None)
    others = tuple(choice for choice in question.choices if choice is not default)
    if plan.begun.verbs[:1] == ("place",) and plan.begun.args:
        return _holding(plan, preview, texts)
    prompt = plan.moment.prompt
    if prompt.slot == "claim" and prompt.completions and not plan.begun:
        return _completing(plan, question, others, texts)
    if prompt.slot == "send" and not plan.begun:
        return _sending(prompt, texts)
    more: str = mark("muted", question.note)
    if default is None and (tile := plan.suggested):
        name = plan.rules.edition.ingredients[tile - 1].names[texts.language]
        return ActionBar(question.title, texts.say("bar.pick", tile=name), Do("accept"), more=more, choices=others)
    if default is None:
        return ActionBar(question.title, more=more, choices=others)
    if plan.begun.aside is not None:
        more = mark("muted", texts.say("bar.cup-then", square=plan.rules.grid.names[plan.begun.args[0]]))
    elif preview is not None:
        more = _brings(plan, preview, texts)
    shorter = tuple(mark("muted", words) for words in question.brief)
    return ActionBar(question.title, default.label, default.press, default.about, more, shorter, others)


def _sending(prompt: Prompt, texts: Texts) -> ActionBar:
    """Nothing is left to choose before something is sent; after it the turn may go on."""
    lead, button = "bar.ready", f"bar.end-{prompt.reveals}" if prompt.reveals else "bar.end"
    if prompt.goes_on and prompt.reveals == "recipe":
        lead = "bar.draw-more"
    elif prompt.goes_on:
        lead, button = "bar.go-on", "bar.turn-up"
    undo = texts.say("bar.no-undo" if prompt.reveals else "bar.undo")
    return ActionBar(texts.say(lead), texts.say(button), Do("send"), more=mark("muted", undo))


def _holding(plan: Plan, preview: Preview | None, texts: Texts) -> ActionBar:
    code = plan.rules.code(plan.begun.args[0])
    name = next(one.names[texts.language] for one in plan.rules.edition.ingredients if one.code == code)
    lead = texts.say("bar.hold" if plan.rules.edition.hand_tiles else "bar.pantry", tile=mark("tile", name, code))
    square = plan.rules.grid.names[plan.cursor]
    if preview is None and plan.in_the_way(plan.cursor):
        more = mark("muted", texts.say("bar.cup-there", square=square))
        return ActionBar(lead, texts.say("bar.move-cup"), Do("accept"), more=more)
    if preview is None:
        return ActionBar(lead, more=mark("muted", texts.say("bar.where")))
    return ActionBar(lead, texts.say("bar.place", square=square), Do("accept"), more=_brings(plan, preview, texts))


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
    if preview.waits:
        name = mark("points", recipe_name(plan.rules, texts, preview.waits[0].recipe))
        return texts.say("bar.waits", recipe=name)
    if preview.cubes:
        return mark("good", texts.say("bar.cubes", count=preview.cubes))
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
    return ActionBar(question.title, texts.say(f"bar.{verb}", recipe=name), default.press, more=more, choices=others)
