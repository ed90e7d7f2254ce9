"""The greedy bot: it does what looks best now, and can say why.

What things are worth is an edition's own: each has its expert, a planner, with its weights in `weights.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple, Protocol

from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle, Step

from .bot import assemble
from .reason import Reason, Why


class Option(NamedTuple):
    """Steps that belong together, what they are worth in points, and why."""

    value: float
    steps: tuple[Step, ...]
    why: Why


class Planner(Protocol):
    """An edition's expert."""

    @property
    def doubt(self) -> float:
        """How many points a beginner is wrong by, more or less, when judging an option."""
        ...

    def options(self, observation: Observation) -> list[Option]:
        """What could be done next, at least one; the seat is to move."""
        ...


class Advice(NamedTuple):
    """What to do, and why: the weightiest reason first."""

    bundle: Bundle
    reasons: tuple[Reason, ...]


Pick = Callable[[list[Option]], Option]

NEAR = 1.5
"""Options that are worth this much less than the best are not worth a thought."""

SAME = 1e-9
"""Values closer than this are equal, whatever the order in which they were added up."""


class Greedy:
    def __init__(self, planners: Mapping[str, Planner]) -> None:
        self._planners = planners

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        """The best options, one of them by lot where several are equally good."""
        return self.bundle(observation, lambda options: rng.choice(best(options)))

    def explain(self, observation: Observation) -> Advice:
        """What `choose` might do; always the same for the same observation."""
        return self.advise(observation, 1)[0]

    def advise(self, observation: Observation, most: int) -> list[Advice]:
        """The best, and what is nearly as good for other reasons; always the same for the same observation."""
        options = self.planner(observation).options(observation)
        options.sort(key=lambda option: -option.value)
        chosen = {_gist(first.why()): first for first in best(options)[:1]}
        for option in options if most > 1 else ():
            if len(chosen) == most or option.value < options[0].value - NEAR:
                break
            chosen.setdefault(_gist(option.why()), option)
        return [self._advice(observation, option) for option in chosen.values()]

    def _advice(self, observation: Observation, first: Option) -> Advice:
        """The bundle that begins with this option and goes on as well as possible."""
        picked: list[Option] = []

        def pick(options: list[Option]) -> Option:
            picked.append(best(options)[0] if picked else first)
            return picked[-1]

        bundle = self.bundle(observation, pick)
        return Advice(bundle, tuple(reason for option in picked for reason in option.why()))

    def bundle(self, observation: Observation, pick: Pick) -> Bundle:
        """What follows from picking an option at every decision."""
        planner = self.planner(observation)
        return assemble(observation, lambda view: pick(planner.options(view)).steps)

    def planner(self, observation: Observation) -> Planner:
        return self._planners[observation.rules.name]


def _gist(reasons: tuple[Reason, ...]) -> tuple[tuple[str, object, object], ...]:
    """What reasons are about, wherever the tiles go."""
    return tuple((reason.code, reason.about.get("recipe"), reason.about.get("card")) for reason in reasons)


def best(options: list[Option]) -> list[Option]:
    """The options of the highest value, in the order given."""
    top = max(option.value for option in options) - SAME
    return [option for option in options if option.value >= top]
