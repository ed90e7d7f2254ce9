"""A greedy bot that misjudges: it finds the same options, and is less sure what they are worth."""

from __future__ import annotations

from random import Random

from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

from .greedy import Greedy, Option


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
