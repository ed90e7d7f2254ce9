"""The levels and kinds of bots by name: how well each plays, or how it chooses."""

from __future__ import annotations

from random import Random

from wasabi_tx.engine.editions.classic.rules import ClassicRules
from wasabi_tx.engine.editions.master.rules import MasterRules
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

from .bot import Bot, assemble
from .classic.planner import ClassicPlanner
from .greedy import Greedy, Option, Planner
from .master.planner import MasterPlanner


class Mistaken:
    """Errs in each option's value as a beginner would; the generator says by how much."""

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
    """Takes any legal step, each as likely as the others; knows no edition."""

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        return assemble(observation, lambda view: (rng.choice(view.legal()),))


PLANNERS: dict[str, Planner] = {ClassicRules.name: ClassicPlanner(), MasterRules.name: MasterPlanner()}
"""The experts, by the name of the rules that they know."""

GREEDY = Greedy(PLANNERS)
"""Also the one to ask for a hint."""

KINDS: dict[str, Bot] = {"greedy": GREEDY, "random": RandomLegal()}
LEVELS: dict[str, Bot] = {"easy": Mistaken(GREEDY), "normal": GREEDY}


def find_bot(name: str) -> Bot:
    """The bot of this kind or level. Bots remember nothing, so one can play at any number of seats."""
    bot = KINDS.get(name) or LEVELS.get(name)
    if bot is None:
        raise Malformed("bot", text=name[:40])
    return bot
