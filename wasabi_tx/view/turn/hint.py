"""A hint from a bot, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...bots.greedy import Advice
from ...bots.levels import PLANNERS, WARY
from ...bots.reason import Reason
from ...engine.observe import Observation
from ...engine.rules import AnyRules
from ...engine.step import Step
from ...table.game import Player
from ...text import Texts
from ..log.phrases import advice_phrases, worth_words
from ..table.recipe import recipe_name
from ..table.recipe_progress import openings

MOST = 3
"""Hints at a time."""


@dataclass(frozen=True)
class Hint:
    steps: tuple[Step, ...]
    reasons: tuple[str, ...]


def advise(observation: Observation, texts: Texts) -> list[Hint]:
    """What the hard bot would do for the seat to move, the best first, and why; nothing if no bot here can say."""
    if observation.rules.name not in PLANNERS or not observation.my_turn:
        return []
    hints = [_hint(observation, texts, advice) for advice in WARY.advise(observation, MOST)]
    return [_beside_openings(observation, texts, one) for one in hints[:1]] + hints[1:]


def _beside_openings(observation: Observation, texts: Texts, best: Hint) -> Hint:
    """The best hint; where a recipe could be completed at once and it is not, it says so: the table shows that too."""
    rules = observation.rules
    claimed = {step.args[1] for step in best.steps if step.verb in rules.claiming}
    passed_over = [won.recipe for _, won in openings(observation) if won.recipe not in claimed]
    if claimed or not passed_over:
        return best
    return Hint(
        best.steps,
        (*best.reasons, texts.say("play.hint-rather", recipe=recipe_name(rules, texts, passed_over[0]))),
    )


def introduction(texts: Texts, number: int, count: int, steps: str) -> str:
    """The line that tells the steps of a hint as they are typed: the best one, or another of `count`."""
    if not number:
        return texts.say("play.hint", steps=steps)
    return texts.say("play.hint-other", number=number + 1, count=count, steps=steps)


def hint_sentence(
    hint: Hint, number: int, count: int, observation: Observation, players: Sequence[Player], texts: Texts
) -> str:
    """A hint as one says it: `I would put Tuna on d3 and take Rice.`"""
    told = advice_phrases(texts, observation.rules, players, observation.position, hint.steps)
    *others, last = told or [texts.say("advice.nothing")]
    steps = ", ".join(others) + texts.say("worth.and") + last if others else last
    words = introduction(texts, number, count, steps) if number else texts.say("advice.best", steps=steps)
    # A card's name may end in a mark of its own.
    return words.removesuffix(".") if last.endswith("!") else words


def _hint(observation: Observation, texts: Texts, advice: Advice) -> Hint:
    reasons = dict.fromkeys(say_reason(texts, observation.rules, reason) for reason in advice.reasons)
    return Hint(advice.bundle.steps, tuple(reasons))


def say_reason(texts: Texts, rules: AnyRules, reason: Reason) -> str:
    params = {name: _word(texts, rules, name, number) for name, number in reason.about.items()}
    points, cubes = (reason.about.get(name, 0) for name in ("points", "cubes"))
    if isinstance(points, int) and isinstance(cubes, int):
        params["worth"] = worth_words(texts, points, cubes)
    return texts.say(f"reason.{reason.code}", **params)


def _word(texts: Texts, rules: AnyRules, name: str, number: int | Sequence[int]) -> str:
    """A number by what it stands for."""
    if not isinstance(number, int):
        singular = name.removesuffix("s")
        return ", ".join(_word(texts, rules, singular, one) for one in number)
    match name:
        case "recipe":
            return recipe_name(rules, texts, number)
        case "tile":
            return rules.edition.ingredients[number - 1].names[texts.language]
        case "square":
            return rules.grid.names[number]
        case "card":
            return rules.edition.actions[number].names[texts.language]
    return str(number)
