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
from .classic.weights import Weights as ClassicWeights
from .greedy import Greedy, Option
from .master.planner import MasterPlanner
from .master.weights import Weights as MasterWeights
from .wary import Caution, Expert, Wary


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


PLANNERS: dict[str, Expert] = {ClassicRules.name: ClassicPlanner(), MasterRules.name: MasterPlanner()}
"""The experts, by the name of the rules that they know."""

GREEDY = Greedy(PLANNERS)

CAUTIONS: dict[str, dict[int, Caution]] = {
    ClassicRules.name: {seats: Caution(weight=2.0, spread=2.0, fit=0.3) for seats in (2, 3, 4)},
    MasterRules.name: {seats: Caution(weight=2.0, spread=2.0, fit=0.3) for seats in (2, 3, 4)},
}
"""By rules and number of seats still playing: found by letting variants play against normal bots."""

WARY = Greedy(
    {
        ClassicRules.name: Wary(ClassicPlanner(ClassicWeights(exposure=2.0)), CAUTIONS[ClassicRules.name]),
        MasterRules.name: Wary(MasterPlanner(MasterWeights(exposure=1.5)), CAUTIONS[MasterRules.name]),
    }
)
"""Also the one to ask for a hint."""

KINDS: dict[str, Bot] = {"greedy": GREEDY, "random": RandomLegal()}
LEVELS: dict[str, Bot] = {"easy": Mistaken(GREEDY), "normal": GREEDY, "hard": WARY}


def find_bot(name: str) -> Bot:
    """The bot of this kind or level. Bots remember nothing, so one can play at any number of seats."""
    bot = KINDS.get(name) or LEVELS.get(name)
    if bot is None:
        raise Malformed("bot", text=name[:40])
    return bot
