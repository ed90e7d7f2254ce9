"""A prompt as sentences: what can be typed now, what Enter does, and what else there is."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.observe import Observation
from ..engine.position import Position
from ..engine.step import Step
from ..games.draft import Draft
from ..games.game import Player
from ..text import Texts
from ..text.marks import unmarked
from ..view.editions import sight_of
from ..view.editions.edition_view import FORGO
from ..view.log.phrases import phrase, receiver_of
from ..view.table.hand import hand_of, keys_of
from ..view.table.plain_table import wrap
from ..view.table.recipe import Completion, recipe_name, window_name
from .prompt import Prompt
from .step_groups import typed_form

TOPICS = {
    "card": "restock",
    "claim": "claiming",
    "discard": "restock",
    "end": "turn",
    "extra": "spicy",
    "gift": "setup",
    "place": "placing",
    "prep": "prep",
    "recipe": "restock",
    "send": "turn",
    "tile": "restock",
}
"""The rules topic that explains each slot."""


def prompt_lines(
    prompt: Prompt, draft: Draft, players: Sequence[Player], texts: Texts, later: bool = False
) -> list[str]:
    """Return the question of the moment, in a few lines; a `later` turn is saved, not sent."""
    if prompt.slot == "send":
        return _send_lines(prompt, draft, players, texts, later)
    if prompt.slot == "claim":
        return [*_claim_lines(prompt, draft, texts), *wrap(_also(prompt, draft, texts), "  ")]
    lines = wrap(_question(prompt, draft, players, texts))
    default = ""
    if prompt.default is not None and prompt.slot != "end":
        step = shown(draft, prompt.default.step, texts)
        default = texts.say("prompt.default", step=step, why=prompt.default.why) + " "
    return [*lines, *wrap(default + _also(prompt, draft, texts), "  ")]


def shown(draft: Draft, step: Step, texts: Texts) -> str:
    """Return a step as a person would type it now."""
    rules = draft.base.rules
    return typed_form(rules, hand_of(draft.observation, hand_of(draft.base)), step, texts)


def draft_words(draft: Draft, players: Sequence[Player], texts: Texts) -> str:
    """Return the steps chosen so far, in few words."""
    rules = draft.base.rules
    chosen = [(draft.after(number), step) for number, step in enumerate(draft.steps) if step.verb in rules.slots]
    told = (phrase(texts, rules, players, before, step) for before, step in chosen)
    return ", ".join(unmarked(one.words) for one in told) or _end_words(draft.base.position, draft.position, texts)


def _end_words(before: Position, after: Position, texts: Texts) -> str:
    """Return words for the end of a part of the turn, or of all of it."""
    return texts.say("log.part" if after.turn == before.turn and after.outcome is None else "log.nothing")


def _send_lines(prompt: Prompt, draft: Draft, players: Sequence[Player], texts: Texts, later: bool) -> list[str]:
    steps = draft_words(draft, players, texts)
    how = "prompt.send-later" if later else f"prompt.send-{prompt.reveals or 'how'}"
    how += "-more" if prompt.goes_on else ""
    return [*wrap(texts.say("prompt.send", steps=steps)), *wrap(texts.say(how, turn=draft.base.position.turn))]


def _claim_lines(prompt: Prompt, draft: Draft, texts: Texts) -> list[str]:
    rules = draft.base.rules

    def line(one: Completion) -> str:
        if sight_of(rules).gives_card(rules.edition.recipes[one.recipe]):
            return "prompt.claim-card"
        return "prompt.claim-line" if one.cubes else "prompt.claim-plain"

    offers = [
        texts.say(
            line(one),
            key=shown(draft, one.step, texts).split()[1],
            recipe=recipe_name(rules, texts, one.recipe),
            where=window_name(rules, one.squares),
            points=one.points,
            cubes=one.cubes,
        )
        for one in prompt.completions
    ]
    best = recipe_name(rules, texts, prompt.completions[0].recipe)
    verb = prompt.completions[0].step.verb
    return [texts.say(f"prompt.{verb}"), *offers, *wrap(texts.say(f"prompt.{verb}-how", recipe=best))]


def _question(prompt: Prompt, draft: Draft, players: Sequence[Player], texts: Texts) -> str:
    observation = draft.observation
    rules, choices = observation.rules, prompt.choices
    example = _without_verb(shown(draft, choices[0], texts)) if choices else ""
    match prompt.slot:
        case "place" if not choices:
            return texts.say("prompt.place-none")
        case "place" | "extra" | "tile":
            return texts.say(f"prompt.{prompt.slot}", example=example)
        case "card" if FORGO in choices:
            return texts.say("prompt.card-full", example=shown(draft, choices[-1], texts))
        case "gift":
            position = observation.position
            seat = receiver_of(position, rules.apply(position, choices[0]))
            receiver = "" if seat is None else players[seat].name
            return texts.say("prompt.gift", name=receiver, choices=_codes(draft, choices, texts))
        case "prep":
            return _prep(observation, texts)
        case "card" | "discard" | "recipe":
            return texts.say(f"prompt.{prompt.slot}", choices=_codes(draft, choices, texts))
    return texts.say("prompt.end")


def _prep(observation: Observation, texts: Texts) -> str:
    rules = observation.rules
    stocks = {stock.label: stock.items for stock in sight_of(rules).stocks(observation, texts)}
    gains = [step for step in observation.legal() if step.verb == "gain"]
    return texts.say(
        "prompt.prep",
        pool=stocks[texts.say("table.pool")],
        card=rules.card_code(gains[0].args[0]) if gains else "-",
        key=keys_of(rules).recipes,
    )


def _codes(draft: Draft, steps: Sequence[Step], texts: Texts) -> str:
    """Return the text to type for each step, without the verb, and the gain of the step."""
    observation = draft.observation
    rules, position = observation.rules, observation.position
    bonus = sight_of(rules).bonus
    codes = (_without_verb(shown(draft, step, texts)) + bonus(rules, position, step, texts) for step in steps)
    return ", ".join(dict.fromkeys(codes))


def _without_verb(text: str) -> str:
    return text.partition(" ")[2] or text


def _also(prompt: Prompt, draft: Draft, texts: Texts) -> str:
    """Return everything else that can be typed now."""
    observation = draft.observation
    rules = observation.rules
    playable = {step.verb for step in observation.legal() if rules.slots.get(step.verb) == "action"}
    ways = [
        texts.say("prompt.card-way", code=action.code, name=action.names[texts.language])
        for action in rules.edition.actions
        if action.effect in playable
    ]
    if "cup" in prompt.verbs:
        ways.append(texts.say("prompt.cup-way"))
    if "pass" in prompt.verbs:
        ways.append(texts.say("prompt.pass-way", key=keys_of(rules).recipes))
    if draft.steps:
        ways.append(texts.say("prompt.undo-way"))
    ways.append(texts.say("prompt.help-way"))
    return texts.say("prompt.also", ways=", ".join(ways))


def step_words(draft: Draft, step: Step, players: Sequence[Player], texts: Texts) -> str:
    """Return a step that may be taken now, in few words; also one that only ends a part or all of the turn."""
    rules = draft.observation.rules
    if step.verb not in rules.slots:
        return _end_words(draft.position, rules.apply(draft.position, step), texts)
    return unmarked(phrase(texts, rules, players, draft.position, step).words)
