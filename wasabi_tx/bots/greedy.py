"""The greedy bot: it does what looks best now, and can explain why.

Values depend on the edition: each has its expert, a planner, with its weights in `weights.py`.
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
    """Steps that belong together, their value in points, and the reasons for them."""

    value: float
    steps: tuple[Step, ...]
    why: Why


class Planner(Protocol):
    """An edition's expert."""

    @property
    def doubt(self) -> float:
        """A beginner's typical error, in points, in judging an option."""
        ...

    def options(self, observation: Observation) -> list[Option]:
        """Return the possible next steps, at least one option; the seat must be to move."""
        ...


class Advice(NamedTuple):
    """The bundle to play, and why: the weightiest reason first."""

    bundle: Bundle
    reasons: tuple[Reason, ...]


Pick = Callable[[list[Option]], Option]

NEAR = 1.5
"""Options more than this many points below the best are not considered."""

SAME = 1e-9
"""Values closer than this count as equal, whatever the order of summation."""


class Greedy:
    def __init__(self, planners: Mapping[str, Planner]) -> None:
        self._planners = planners

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        """Return the bundle of the best options, choosing at random among equally good ones."""
        return self.bundle(observation, lambda options: rng.choice(best(options)))

    def explain(self, observation: Observation) -> Advice:
        """Return a bundle that `choose` might return, with reasons; always the same for the same observation."""
        return self.advise(observation, 1)[0]

    def advise(self, observation: Observation, most: int) -> list[Advice]:
        """Return the best, and what is nearly as good for other reasons; always the same for the same observation."""
        options = self.planner(observation).options(observation)
        options.sort(key=lambda option: -option.value)
        chosen = {_gist(first.why()): first for first in best(options)[:1]}
        for option in options if most > 1 else ():
            if len(chosen) == most or option.value < options[0].value - NEAR:
                break
            chosen.setdefault(_gist(option.why()), option)
        return [self._advice(observation, option) for option in chosen.values()]

    def _advice(self, observation: Observation, first: Option) -> Advice:
        """Return the bundle that begins with this option and continues as well as possible."""
        picked: list[Option] = []

        def pick(options: list[Option]) -> Option:
            picked.append(best(options)[0] if picked else first)
            return picked[-1]

        bundle = self.bundle(observation, pick)
        return Advice(bundle, tuple(reason for option in picked for reason in option.why()))

    def bundle(self, observation: Observation, pick: Pick) -> Bundle:
        """Return the bundle that results from picking an option at every decision."""
        planner = self.planner(observation)
        return assemble(observation, lambda view: pick(planner.options(view)).steps)

    def planner(self, observation: Observation) -> Planner:
        return self._planners[observation.rules.name]


def _gist(reasons: tuple[Reason, ...]) -> tuple[tuple[str, object, object], ...]:
    """Return the subjects of the reasons, regardless of where the tiles go."""
    return tuple((reason.code, reason.about.get("recipe"), reason.about.get("card")) for reason in reasons)


def best(options: list[Option]) -> list[Option]:
    """Return the options of the highest value, in the order given."""
    top = max(option.value for option in options) - SAME
    return [option for option in options if option.value >= top]
