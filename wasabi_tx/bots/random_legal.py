"""The bot that every other one must beat."""

from __future__ import annotations

from random import Random

from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle

from .bot import assemble


class RandomLegal:
    """Takes any legal step, each as likely as the others; knows no edition."""

    def choose(self, observation: Observation, rng: Random, _budget: int) -> Bundle:
        return assemble(observation, lambda view: (rng.choice(view.legal()),))
