"""A hint from a bot, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..bots.greedy import Advice
from ..bots.levels import PLANNERS, WARY
from ..engine.observe import Observation
from ..engine.step import Step
from ..games.game import Player
from ..text import Texts
from ..view.log.phrases import advice_phrases
from ..view.reason import say_reason
from ..view.table.recipe import recipe_name
from ..view.table.recipe_progress import openings

MOST = 3
"""Number of hints at a time."""


@dataclass(frozen=True)
class Hint:
    steps: tuple[Step, ...]
    reasons: tuple[str, ...]


def advise(observation: Observation, texts: Texts) -> list[Hint]:
    """Return the hard bot's choices for the seat to move, the best first, with reasons; empty if no bot can help."""
    if observation.rules.name not in PLANNERS or not observation.my_turn:
        return []
    hints = [_hint(observation, texts, advice) for advice in WARY.advise(observation, MOST)]
    return [_beside_openings(observation, texts, one) for one in hints[:1]] + hints[1:]


def _beside_openings(observation: Observation, texts: Texts, best: Hint) -> Hint:
    """Return the best hint, with a note if it passes over a recipe that could be completed now."""
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
    """Return the line with the steps of a hint as they are typed: the best one, or another of `count`."""
    if not number:
        return texts.say("play.hint", steps=steps)
    return texts.say("play.hint-other", number=number + 1, count=count, steps=steps)


def hint_sentence(
    hint: Hint, number: int, count: int, observation: Observation, players: Sequence[Player], texts: Texts
) -> str:
    """Return a hint as a spoken sentence: `I would put Tuna on d3 and take Rice`."""
    told = advice_phrases(texts, observation.rules, players, observation.position, hint.steps)
    *others, last = told or [texts.say("advice.nothing")]
    steps = ", ".join(others) + texts.say("worth.and") + last if others else last
    words = introduction(texts, number, count, steps) if number else texts.say("advice.best", steps=steps)
    # A card's name may end in its own punctuation mark.
    return words.removesuffix(".") if last.endswith("!") else words


def _hint(observation: Observation, texts: Texts, advice: Advice) -> Hint:
    reasons = dict.fromkeys(say_reason(texts, observation.rules, reason) for reason in advice.reasons)
    return Hint(advice.bundle.steps, tuple(reasons))
