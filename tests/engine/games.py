"""Random games of the first edition, from a seed, on which the laws are tested.

Players move at random, but complete a recipe when they see one and sometimes leave, so that every part of the rules is
exercised.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from wasabi_tx.engine.deal import Dealer, Shuffle
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Card
from wasabi_tx.engine.step import Step

CARDS = ("chop", "spicy", "stack", "switch", "wasabi")
SAMPLE = 60


class Moment(NamedTuple):
    """A position, the step taken there and the position after it; all faces are known here."""

    rules: AnyRules
    position: Any
    step: Step
    after: Any
    faces: dict[Card, int]


def shuffled(seed: int) -> Shuffle:
    """Return a shuffle for the dealer; the same seed, label and pile always give the same order."""

    def shuffle(label: str, pile: Sequence[int]) -> Sequence[int]:
        order = list(pile)
        random.Random(f"{seed} {label}").shuffle(order)
        return order

    return shuffle


def walk(players: int, seed: int, leaving: float = 0.0) -> Iterator[Moment]:
    """Play a whole game; with `leaving`, that share of the steps are leaves and excludes."""
    rules = rules_for("classic", players)
    chance = random.Random(seed)
    dealer = Dealer(rules, shuffled(seed))
    weights = temper(chance)
    position = rules.start(chance.randrange(players))
    while position.outcome is None:
        if chance.random() < leaving:
            step = Step(chance.choice(["leave", "exclude"]), (chance.choice(position.playing),))
        else:
            step = choose(chance, weights, rules, position, dealer.faces)
        after = rules.apply(position, step)
        dealer.supply(after)
        yield Moment(rules, position, step, after, dealer.faces)
        position = after


def temper(chance: random.Random) -> dict[str, float]:
    """Draw how much a game's players like each verb: some hoard cards until the hand is full, some always pass."""
    cards = chance.choice([0.2, 3.0])
    passing = chance.choice([0.3, 0.3, 0.3, 40.0])
    return {"pass": passing, "claim": 20.0, "place": 4.0, "discard": 0.1, **dict.fromkeys(CARDS, cards)}


def choose(
    chance: random.Random, weights: dict[str, float], rules: AnyRules, position: Any, faces: dict[Card, int]
) -> Step:
    """Choose a verb, then one of its steps, preferring one that obviously helps a recipe."""
    by_verb: dict[str, list[Step]] = {}
    for step in rules.legal(position, faces):
        by_verb.setdefault(step.verb, []).append(step)
    verbs = list(by_verb)
    (verb,) = chance.choices(verbs, [weights.get(verb, 1.0) for verb in verbs])
    steps = by_verb[verb]
    if verb in ("place", "switch", "chop"):
        for step in chance.sample(steps, min(SAMPLE, len(steps))):
            if any(later.verb == "claim" for later in rules.legal(rules.apply(position, step), faces)):
                return step
    if verb == "tile":
        wanted = {tile for card in position.seats[position.mover].recipes for tile in rules.strips[faces[card]].tiles}
        steps = [step for step in steps if step.args[0] in wanted] or steps
    if verb == "draw" and chance.random() < 0.7:
        return steps[0]
    return chance.choice(steps)


def moment_of(players: int, seed: int, number: int) -> Moment:
    """Return the moment with this number in a game, or its last one."""
    moments = list(islice(walk(players, seed), number + 1))
    return moments[-1]
