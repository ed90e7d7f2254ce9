"""Games of the second edition from a seed, played at random or with a purpose."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.engine.games import Moment, shuffled
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import edition_text, rules_for, rules_from_text
from wasabi_tx.engine.step import Step

Player = Callable[[random.Random, Any, list[Step]], Step]
"""Chooses among the legal steps of a position."""


def by_verb(chance: random.Random, _position: Any, steps: list[Step]) -> Step:
    """Choose a verb, then one of its steps, so that cards and preps are as likely as the hundreds of placements."""
    verb = chance.choice(sorted({step.verb for step in steps}))
    return chance.choice([step for step in steps if step.verb == verb])


def at_random(chance: random.Random, _position: Any, steps: list[Step]) -> Step:
    return chance.choice(steps)


def preferring(*verbs: str) -> Player:
    """Return a player that chooses the first legal one of these verbs, else any step."""

    def choose(chance: random.Random, _position: Any, steps: list[Step]) -> Step:
        for verb in verbs:
            found = [step for step in steps if step.verb == verb]
            if found:
                return chance.choice(found)
        return chance.choice(steps)

    return choose


def edition_with_only(effect: str) -> str:
    """Return the second edition's file with ten of one action card and none of the others."""
    quoted = f'"{effect}"'
    head, *actions = re.split(r"(?m)^\[\[action\]\]$", edition_text("master"))
    counted = [action.replace("count = 4", f"count = {10 if quoted in action else 0}") for action in actions]
    return "[[action]]".join([head, *counted])


def walk(
    players: int, seed: int, player: Player = by_verb, leaving: float = 0.0, edition: str | None = None
) -> Iterator[Moment]:
    """Play a whole game; with `leaving`, that share of the steps are leaves and excludes."""
    rules = rules_for("master", players) if edition is None else rules_from_text(edition, players)
    chance = random.Random(seed)
    dealer = Dealer(rules, shuffled(seed))
    position = rules.start(chance.randrange(players))
    while position.outcome is None:
        step = dealer.supply(position)
        if chance.random() < leaving:
            step = Step(chance.choice(["leave", "exclude"]), (chance.choice(position.playing),))
        elif step is None:
            step = player(chance, position, list(rules.legal(position, dealer.faces)))
        after = rules.apply(position, step)
        dealer.supply(after)
        yield Moment(rules, position, step, after, dealer.faces)
        position = after
