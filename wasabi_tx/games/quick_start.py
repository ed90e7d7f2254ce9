"""Quick start: starting tiles and first recipes are chosen at random, so that a game begins with its first turn."""

from __future__ import annotations

from collections import Counter
from random import Random

from ..engine.observe import Observation
from ..engine.sealed_card import deck_of
from ..engine.step import Bundle, Step
from .draft import Draft

LENGTHS = (2, 3, 3)
"""The lengths of the first recipes: one that is soon done, and two that reward planning."""


def in_setup(observation: Observation) -> bool:
    """Return whether the seat has to choose something before the first turn."""
    return observation.my_turn and not observation.position.turn


def setup_bundle(observation: Observation, chance: Random) -> Bundle:
    """Choose at random the bundle that a seat sends before the first turn."""
    draft = Draft(observation)
    while not draft.complete:
        draft.add(chance.choice(_wanted(draft)))
    return draft.bundle()


def _wanted(draft: Draft) -> list[Step]:
    """Return the steps to choose from: any starting tile, and recipes of the usual lengths while there are any."""
    legal, base = list(draft.legal()), draft.base
    assert base.seat is not None, "a watcher has nothing to choose"
    held = Counter(deck_of(card) for card in base.position.seats[base.seat].recipes)
    lacking = Counter(LENGTHS) - held
    return [step for step in legal if step.verb == "draw" and step.args[0] in lacking] or legal
