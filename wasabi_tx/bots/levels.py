"""The levels and kinds of bots by name: how well each plays, or how it chooses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from wasabi_tx.engine.editions.classic.rules import ClassicRules
from wasabi_tx.engine.editions.master.rules import MasterRules
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

from .bot import Bot, assemble
from .classic.planner import ClassicPlanner
from .classic.weights import Weights as ClassicWeights
from .greedy import Greedy, Option, Planner
from .master.planner import MasterPlanner
from .master.weights import Weights as MasterWeights
from .taste import POINTS_ALONE, Taste
from .wary import Caution, Expert, Wary


class Mistaken:
    """Misjudges each option's value as a beginner would, by a random error."""

    def __init__(self, greedy: Greedy) -> None:
        self._greedy = greedy

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        doubt = self._greedy.planner(observation).doubt

        def pick(options: list[Option]) -> Option:
            errors = [rng.gauss(0, doubt) for _ in options]
            values = [option.value + error for option, error in zip(options, errors, strict=True)]
            return options[values.index(max(values))]

        return self._greedy.bundle(observation, pick)


class RandomLegal:
    """Takes any legal step, each with equal probability; knows no edition."""

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        return assemble(observation, lambda view: (rng.choice(view.legal()),))


@dataclass(frozen=True)
class Character:
    """A rival's preferences, besides its level."""

    taste: Taste = POINTS_ALONE
    caution: float = 0.0
    """Extra weight, beyond that of its level, on what it leaves to rivals."""


@dataclass(frozen=True)
class Skill:
    """A level's valuation of each edition, and how much it minds its rivals."""

    classic: ClassicWeights = field(default_factory=ClassicWeights)
    master: MasterWeights = field(default_factory=MasterWeights)
    cautions: Mapping[str, Caution] = field(default_factory=dict)
    """Caution by the name of the rules; without one, the level ignores its rivals."""


PLAIN = Character()
CHARACTERS: dict[str, Character] = {
    "builder": Character(Taste(length=1.0)),
    "stylist": Character(Taste(style=1.0)),
    "blocker": Character(caution=0.3),
}
NORMAL = Skill()
NO_CAUTION = Caution(weight=0.0, spread=2.0, fit=0.3)
HARD = Skill(
    ClassicWeights(
        odds=replace(NORMAL.classic.odds, patience=0.67, late=1.2, scarce=0.4, hurry=1.7),
        cards={"wasabi": 0.42, "spicy": 0.25, "switch": 0.28, "stack": 0.3, "chop": 0.2},
        exposure=2.0,
    ),
    MasterWeights(exposure=1.5),
    {
        ClassicRules.name: replace(NO_CAUTION, weight=2.6, fit=0.45),
        MasterRules.name: replace(NO_CAUTION, weight=2.0),
    },
)
"""Tuned by letting variants play against normal bots; the best values hardly depend on the number of seats.

For the first edition, one bot played 1,300 games at three and four seats with all its numbers randomized, and a
regression of wins and margins showed which way to change each.
"""


def _greedy(skill: Skill, character: Character) -> Greedy:
    """Return a bot that takes the best option as this skill and character judge it."""
    experts: dict[str, Expert] = {
        ClassicRules.name: ClassicPlanner(replace(skill.classic, taste=character.taste)),
        MasterRules.name: MasterPlanner(replace(skill.master, taste=character.taste)),
    }
    return Greedy({rules: _wary(expert, rules, skill, character) for rules, expert in experts.items()})


def _wary(expert: Expert, rules: str, skill: Skill, character: Character) -> Planner:
    """Return the expert, made to mind its rivals as much as skill and character require."""
    caution = skill.cautions.get(rules, NO_CAUTION)
    weight = caution.weight + character.caution * (1 + caution.weight)
    return Wary(expert, replace(caution, weight=weight)) if weight else expert


PLANNERS: dict[str, Expert] = {ClassicRules.name: ClassicPlanner(), MasterRules.name: MasterPlanner()}
"""The experts, by the name of the rules that they know."""

GREEDY = _greedy(NORMAL, PLAIN)
WARY = _greedy(HARD, PLAIN)
"""The hard bot, which also gives hints."""

KINDS: dict[str, Bot] = {"greedy": GREEDY, "random": RandomLegal()}
LEVELS: dict[str, Callable[[Character], Bot]] = {
    "easy": lambda character: Mistaken(_greedy(NORMAL, character)),
    "normal": lambda character: _greedy(NORMAL, character),
    "hard": lambda character: _greedy(HARD, character),
}


@cache
def find_bot(name: str) -> Bot:
    """Return the bot of this kind or level, perhaps with a character: `hard`, `normal-builder`.

    Bots keep no state, so one can play any number of seats.
    """
    level, dash, trait = name.partition("-")
    if name in KINDS:
        return KINDS[name]
    if level not in LEVELS or (dash and trait not in CHARACTERS):
        raise Malformed("bot", text=name[:40])
    return LEVELS[level](CHARACTERS.get(trait, PLAIN))
