"""Choices of a prompt, for a screen: a question, things to choose with a key or a click, a note."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.board import TILE_MASK
from ..engine.notation import Kind
from ..engine.rules import AnyRules
from ..engine.step import Step
from ..text import Texts
from ..text.marks import mark
from ..view.editions import sight_of
from ..view.editions.edition_view import FORGO
from ..view.log.phrases import receiver_of
from ..view.press import OFF, Do, PickCode, PickNumber, Press
from ..view.table.recipe import recipe_name, window_name
from ..view.table.table import TableView
from .partial_step import returns_recipes
from .plan import Plan
from .prompt import Prompt

PLENTY = 4
"""Number of tiles offered by name to somebody who needs none."""


@dataclass(frozen=True)
class Choice:
    """Something to choose: its label, and the press that chooses it."""

    label: str
    press: Press
    default: bool = False
    about: str = ""
    """Its effect, shown where there is room."""
    brief: str = ""
    """A shorter label that still decides, if there is one."""
    seen: bool = False
    """True if the hand or the pantry shows it with its key too, so that it may be left out here."""


@dataclass(frozen=True)
class Question:
    title: str
    choices: tuple[Choice, ...]
    note: str
    brief: tuple[str, ...] = ()
    """The note in fewer and fewer words."""


def question_of(plan: Plan, view: TableView, texts: Texts) -> Question:
    """Return the question of the moment."""
    return _held(plan, texts) if plan.begun else _slot(plan, view, texts)


def _held(plan: Plan, texts: Texts) -> Question:
    """Return the question about a held thing: where it goes, or what belongs to it."""
    rules, begun = plan.rules, plan.begun
    if returns_recipes(rules, begun):
        choices = [
            # The cards themselves show which recipe has which number.
            Choice(f"{key}{'✓' if card in begun.args else ''}", PickNumber(key))
            for key, card in plan.hand.recipes.items()
        ]
        verb = begun.verbs[0]
        if Step(verb, begun.args) in plan.moment.fitting(begun):
            choices.append(Choice(texts.say(f"tui.choice.do-{verb}"), Do("accept"), default=True))
        return Question(texts.say(f"tui.ask.{verb}"), tuple(choices), texts.say(f"tui.note.{verb}"))
    coming = plan.coming
    codes = [
        Choice(plan.code_of(kind, number), PickCode(number), seen=kind is Kind.TILE)
        for kind in (Kind.TILE, Kind.ACTION)
        for number in coming.get(kind, ())
    ]
    exact = Step(begun.verbs[0], begun.args) in plan.moment.fitting(begun)
    if exact:
        codes.append(Choice(texts.say(f"tui.exact.{begun.verbs[0]}"), Do("accept"), default=True))
    elif plan.cursor in plan.squares:
        codes.append(Choice(_there(plan, texts), Do("accept"), default=True))
    # A square may be chosen, or a code, or Enter: the second question of a step differs from its first.
    key = f"tui.held.{begun.verbs[0]}" + ("-where" if begun.args else "")
    note = "tui.note.held" if plan.squares else "tui.note.held-code"
    return Question(texts.say(key, what=_held_name(plan, texts)), tuple(codes), texts.say(note))


def _there(plan: Plan, texts: Texts) -> str:
    """Return the cursor's square, or the four that a Wasabi! card would cover."""
    grid = plan.rules.grid
    if plan.begun.verbs != ("wasabi",):
        return grid.names[plan.cursor]
    block = grid.blocks[plan.cursor]
    return texts.say("bar.cover", first=grid.names[block[0]], last=grid.names[block[-1]])


def _held_name(plan: Plan, texts: Texts) -> str:
    """Return the name of the held thing: a tile, or what lies on a square; "" if there is none."""
    rules, begun = plan.rules, plan.begun
    if not begun.args:
        return ""
    kind, number = rules.verbs[begun.verbs[0]][0], begun.args[0]
    if kind is Kind.ACTION:
        return rules.edition.actions[number].names[texts.language].partition(" (")[0]
    tile = number if kind is Kind.TILE else plan.draft.position.board.stacks[number] & TILE_MASK
    return rules.edition.ingredients[tile - 1].names[texts.language] if tile else rules.grid.names[number]


def _slot(plan: Plan, view: TableView, texts: Texts) -> Question:
    prompt = plan.moment.prompt
    match prompt.slot:
        case "claim":
            return _claim(plan, prompt, texts)
        case "place" | "extra":
            return _place(plan, prompt, view, texts)
        case "send":
            return _send(plan, prompt, texts)
        case "end":
            on = Choice(texts.say("bar.go"), Do("accept"), default=True)
            return Question(texts.say("tui.ask.end"), (on,), texts.say("tui.note.end"))
        case "prep":
            return _prep(plan, prompt, texts)
        case "gift":
            return _codes(plan, prompt, texts, texts.say("tui.ask.gift", name=_receiver(plan, prompt, view)))
    return _codes(plan, prompt, texts, texts.say(f"tui.ask.{prompt.slot}"))


def _receiver(plan: Plan, prompt: Prompt, view: TableView) -> str:
    """Return the name of the player who gets the chosen tile."""
    position = plan.draft.position
    seat = receiver_of(position, plan.rules.apply(position, prompt.choices[0]))
    return "" if seat is None else mark("who", view.seats[seat].name, str(seat + 1))


def _claim(plan: Plan, prompt: Prompt, texts: Texts) -> Question:
    choices = []
    for one in prompt.completions:
        key = plan.hand.recipe_key(one.step.args[0]) or 0
        worth = f"+{one.points}" + (f" ★{one.cubes}" if one.cubes else "")
        if sight_of(plan.rules).gives_card(plan.rules.edition.recipes[one.recipe]):
            worth += f" {texts.say('recipe.card')}"
        where = window_name(plan.rules, one.squares)
        label = f"{key} {recipe_name(plan.rules, texts, one.recipe)} {where} {worth}"
        first = prompt.default is not None and one is prompt.completions[0]
        choices.append(Choice(label, PickNumber(key), default=first, brief=f"{key} {worth}"))
    choices.append(Choice(texts.say("tui.choice.not-now"), PickNumber(0)))
    title = texts.say(f"tui.ask.{prompt.completions[0].step.verb}")
    return Question(title, tuple(choices), texts.say("tui.note.claim"))


def _place(plan: Plan, prompt: Prompt, view: TableView, texts: Texts) -> Question:
    rules = plan.rules
    choices = []
    if rules.edition.hand_tiles:
        offered = {step.args[0] for step in prompt.choices}
        choices = [
            Choice(f"{key} {rules.code(tile)}", PickNumber(key), seen=True)
            for key, tile in plan.hand.tiles.items()
            if tile in offered
        ]
    elif prompt.choices:
        there = [(tile, item) for tile, item in enumerate(view.pantry, 1) if item.code in plan.offered_codes]
        needed = [(tile, item) for tile, item in there if item.missing and item.count]
        # If no recipe has room, any tile will do: offer the most plentiful.
        any_tile = sorted(there, key=lambda pair: -pair[1].count)[:PLENTY]
        choices = [Choice(item.code, PickCode(tile), seen=True) for tile, item in needed or any_tile]
    choices += _cards(plan, texts)
    if prompt.slot == "extra":
        choices.append(Choice(texts.say("tui.choice.no-more"), PickNumber(0), default=plan.enter != OFF))
    elif any(Kind.CARDS in rules.verbs[verb] for verb in prompt.verbs):
        choices.append(Choice(texts.say("tui.choice.return"), Do("return")))
    note = texts.say("tui.note.place" if rules.edition.hand_tiles else "tui.note.place-pantry")
    if plan.swaps:
        swap = Choice(texts.say("tui.choice.swap-pass"), Do("accept"), default=True)
        return Question(texts.say("tui.ask.hopeless"), (swap, *choices), "")
    waiting = next((one.name for one in view.recipes if one.waits), "")
    if waiting:
        note = _sentence(texts.say("tui.note.waits", recipe=waiting))
    elif plan.suggests and plan.moment.openings:
        step, won = plan.moment.openings[0]
        tile, square = rules.code(step.args[0]), rules.grid.names[step.args[1]]
        recipe = recipe_name(rules, texts, won.recipe)
        note = _sentence(texts.say("tui.note.opening", tile=tile, square=square, recipe=recipe))
    title = "tui.ask.place-none" if prompt.slot == "place" and not prompt.choices else f"tui.ask.{prompt.slot}"
    return Question(texts.say(title), tuple(choices), note)


def _sentence(words: str) -> str:
    """Drop the full stop after a recipe name with its own punctuation mark: `Shell We Dance?`."""
    return words.removesuffix(".") if words.endswith(("?.", "!.")) else words


def _cards(plan: Plan, texts: Texts) -> list[Choice]:
    """Return the action cards that can be played now."""
    rules, verbs = plan.rules, {step.verb for step in plan.moment.steps}
    return [
        Choice(f"{key} {name}", PickNumber(key), brief=f"{key} {name.partition(' (')[0]}")
        for key, card in plan.hand.cards.items()
        for name in (rules.edition.actions[card].names[texts.language],)
        if rules.edition.actions[card].effect in verbs
    ]


def _send(plan: Plan, prompt: Prompt, texts: Texts) -> Question:
    note = texts.say(f"tui.note.send-{prompt.reveals}" if prompt.reveals else "tui.note.send")
    send = Choice(texts.say("tui.choice.send"), Do("send"), default=plan.enter != OFF)
    return Question(texts.say("tui.ask.send"), (send,), note)


def _prep(plan: Plan, prompt: Prompt, texts: Texts) -> Question:
    codes = [Choice(code, PickCode(number)) for code, number in plan.offered_codes.items()]
    note = texts.say("tui.note.prep")
    instead = [Choice(texts.say("tui.choice.pool-instead"), PickNumber(0))] if plan.pool_instead is not None else []
    if plan.swaps:
        swap = Choice(texts.say("tui.choice.swap-exchange"), Do("accept"), default=True)
        return Question(texts.say("tui.ask.hopeless"), (swap, *instead, *codes), note)
    default = prompt.default.step if prompt.default else None
    pools = [
        Choice(texts.say("tui.choice.pool"), Do("accept"), default=True)
        for step in prompt.choices
        if step == default and step.verb == "pool"
    ]
    exchange = Choice(texts.say("tui.choice.exchange"), Do("return"))
    return Question(texts.say("tui.ask.prep"), (*pools, *instead, *codes, exchange), note)


def _offered_name(plan: Plan, kind: Kind, number: int, texts: Texts, *, whole: bool) -> str:
    """Return the name of a choice: a card's, which begins with its code; a tile's code, or its name if `whole`."""
    if kind is Kind.DECK:
        return str(number)
    edition = plan.rules.edition
    if kind is Kind.ACTION:
        return edition.actions[number].names[texts.language].partition(" (")[0]
    return edition.ingredients[number - 1].names[texts.language] if whole else plan.code_of(kind, number)


def code_choice(plan: Plan, kind: Kind, number: int, texts: Texts) -> Choice:
    """Return a choice of a tile or card by its whole name, with its code if the name does not begin with it."""
    name, code = _offered_name(plan, kind, number, texts, whole=True), plan.code_of(kind, number)
    label = name if name.startswith(code) else f"{code} {name}"
    return Choice(label, PickCode(number), about=_about(plan, kind, number, texts))


def _about(plan: Plan, kind: Kind, number: int, texts: Texts) -> str:
    """Return what an action card does."""
    return texts.say(f"does.{plan.rules.edition.actions[number].effect}") if kind is Kind.ACTION else ""


def _offer(prompt: Prompt, step: Step, name: str, rules: AnyRules, texts: Texts) -> str:
    """Return the words for a card, a tile or a length by its name or code, and where it comes from or goes to."""
    if prompt.slot == "card" and step.verb == "discard":
        return texts.say("tui.choice.discard", card=name)
    if len(step.args) == 2 and step.verb == "take":
        return f"{name} {texts.say('tui.choice.from', square=rules.grid.names[step.args[1]])}"
    return name


def _codes(plan: Plan, prompt: Prompt, texts: Texts, title: str) -> Question:
    """Return the question for a card, a tile or a length: every code that can be typed."""
    rules = plan.rules
    default = prompt.default.step if prompt.default else None
    full = FORGO in prompt.choices
    choices = []
    for step in prompt.choices:
        if not step.args:
            choices.append(Choice(texts.say("tui.choice.keep"), PickNumber(0), step == default))
            continue
        kind = rules.verbs[step.verb][0]
        code = _offered_name(plan, kind, step.args[0], texts, whole=step == default)
        press: Press = PickNumber(step.args[0]) if kind is Kind.DECK else PickCode(step.args[0])
        label = _offer(prompt, step, code, rules, texts)
        brief = label if kind is Kind.DECK else ""
        if kind is Kind.ACTION:
            brief = _offer(prompt, step, plan.code_of(kind, step.args[0]), rules, texts)
        label += sight_of(rules).bonus(rules, plan.draft.position, step, texts)
        about = "" if step.verb == "discard" else _about(plan, kind, step.args[0], texts)
        choices.append(Choice(label, press, step == default, about, brief, seen=kind is Kind.TILE))
    unique: dict[str, Choice] = {}
    for choice in choices:
        if choice.default or choice.label not in unique:
            unique[choice.label] = choice
    ordered = list(unique.values())
    gains = any(step.verb == "gain" for step in prompt.choices)
    note = texts.say("tui.note.gain" if gains else f"tui.note.{prompt.slot}")
    if full:
        title = texts.say("tui.ask.card-full", count=rules.hand_cards)
        note = texts.say("tui.note.card-full")
    elif prompt.default is not None:
        code = next((one.label for one in ordered if one.default), "").partition(" (")[0]
        reason = texts.say("tui.note.default", choice=code, why=prompt.default.why)
        return Question(title, tuple(ordered), f"{reason} {note}", (reason, prompt.default.why))
    return Question(title, tuple(ordered), note)
