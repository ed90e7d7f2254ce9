"""The interface of a bot, and how a bot assembles a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

from wasabi_tx.engine.errors import Stale
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle, Step


class Bot(Protocol):
    def choose(self, observation: Observation, rng: Random, budget: int) -> Bundle:
        """Return this bot's bundle: the same for the same observation, generator state and budget.

        The budget limits positions to examine, not seconds, so that a game can be replayed anywhere.
        """
        ...


Decide = Callable[[Observation], Sequence[Step]]
"""Returns the next steps, at least one, for a position in the middle of a bundle."""


def assemble(observation: Observation, decide: Decide) -> Bundle:
    """Ask for steps until the bundle closes: the author has learnt something, or somebody else is to move."""
    seat, rules, position = observation.seat, observation.rules, observation.position
    if seat is None or not observation.my_turn:
        raise Stale("not-your-turn", seat=0 if seat is None else seat + 1)
    steps: list[Step] = []
    while True:
        for step in decide(observation):
            after = rules.apply(position, step)
            steps.append(step)
            if rules.closes(position, step, after):
                return Bundle(seat, tuple(steps))
            position = after
        observation = replace(observation, position=position)
