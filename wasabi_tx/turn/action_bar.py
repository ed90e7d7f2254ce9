"""The action bar: the question, what the primary key does now, what that brings, and what else can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..text import Texts
from ..text.marks import mark, pieces_of
from ..view.press import Do, Press
from ..view.table.recipe import recipe_name
from .plan import Plan
from .preview import Preview
from .prompt import Prompt
from .prompt_choices import Choice, Question, code_choice


@dataclass(frozen=True)
class ActionBar:
    lead: str
    """The question, or what is held; a marked sentence."""
    button: str = ""
    """The effect of Enter; empty if it has none."""
    press: Press | None = None
    about: str = ""
    """Effect of the chosen thing, shown where there is room."""
    more: str = ""
    """The result of that, or why it is impossible; a marked sentence."""
    shorter: tuple[str, ...] = ()
    """The same text in fewer and fewer words."""
    choices: tuple[Choice, ...] = ()
    """The other choices."""
    answers: bool = False
    """True if it begins with an answer to the last key instead of a question."""
    told: tuple[str, ...] = ()
    """The last thing somebody did: a marked sentence, then shorter ones."""

    @property
    def decides(self) -> bool:
        """True if it is a recipe's worth, which is never omitted."""
        return bool(self.shorter) and any(piece.kind == "points" for piece in pieces_of(self.more))


def action_bar(
    plan: Plan, question: Question, preview: Preview | None, texts: Texts, *, quiet: bool = False
) -> ActionBar:
    """Return the bar for the player who chooses; a `quiet` one omits the last message."""
    bar = _typing(plan, texts) if plan.typed else asking(plan, question, preview, texts)
    if not plan.message or quiet:
        return bar
    # The effect of Enter, and what cannot be undone after it, stay the same.
    said = mark("error" if plan.wrong else "strong", plan.message)
    return replace(bar, lead=f"{bar.lead}  {said}" if plan.typed else said, answers=True)


def _typing(plan: Plan, texts: Texts) -> ActionBar:
    """Return the bar after the first letter of a code or square: its completions, and nothing for Enter."""
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
    """Return the bar with the question instead of the last message or the typed text."""
    default = next((choice for choice in question.choices if choice.default), None)
    others = tuple(choice for choice in question.choices if choice is not default)
    if plan.begun.verbs[:1] == ("place",) and plan.begun.args:
        return _holding(plan, preview, texts)
    prompt = plan.moment.prompt
    if prompt.slot == "claim" and prompt.default is not None and not plan.begun:
        return _completing(plan, question, others, texts)
    if prompt.slot == "send" and not plan.begun:
        bar = _sending(prompt, texts)
        # Where Enter ends no turn, another key does what the button says.
        return bar if default is not None else replace(bar, button="", press=None, choices=(_ending(bar),))
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


def _ending(bar: ActionBar) -> Choice:
    return Choice(bar.button, Do("send"))


def _sending(prompt: Prompt, texts: Texts) -> ActionBar:
    """Return the bar when nothing remains to be chosen before sending; the turn may go on after it."""
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
    place = texts.say("bar.place", square=square)
    return ActionBar(lead, place, Do("accept"), more=_brings(plan, preview, texts), shorter=_worth(preview, texts))


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


def _worth(preview: Preview, texts: Texts) -> tuple[str, ...]:
    """Return the gain of the recipe that the step completes, if any, in ever fewer words."""
    return _brief_worth(preview.completes[0].points, preview.completes[0].cubes, texts) if preview.completes else ()


def _brief_worth(points: int, cubes: int, texts: Texts) -> tuple[str, ...]:
    signs = f"+{points}" + (f" ★{cubes}" if cubes else "")
    return worth_of(points, cubes, texts), mark("points", signs)


def worth_of(points: int, cubes: int, texts: Texts) -> str:
    """Return a value such as `5 points + 2 cubes`, marked."""
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
    shorter, button = _brief_worth(won.points, won.cubes, texts), texts.say(f"bar.{verb}", recipe=name)
    return ActionBar(question.title, button, default.press, more=more, shorter=shorter, choices=others)
