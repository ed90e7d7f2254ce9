"""Whole games between bots, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from wasabi_tx.bots.bot import Bot
from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Outcome
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Card
from wasabi_tx.engine.step import Bundle

BUDGET = 1000
LONGEST = 3000
"""Number of bundles after which a game is considered endless."""


class Moment(NamedTuple):
    """A bot's observation, its bundle and the position after it; all faces are known here."""

    seen: Observation
    bundle: Bundle
    after: Any
    faces: dict[Card, int]


def shuffled(seed: int) -> Callable[[str, Sequence[int]], Sequence[int]]:
    """Return a shuffle for the dealer; the same seed, label and pile always give the same order."""

    def shuffle(label: str, pile: Sequence[int]) -> Sequence[int]:
        order = list(pile)
        random.Random(f"{seed} {label}").shuffle(order)
        return order

    return shuffle


def walk(edition: str, bots: Sequence[Bot], seed: int) -> Iterator[Moment]:
    """Play a game bundle by bundle; every bundle is legal."""
    rules: AnyRules = rules_for(edition, len(bots))
    dealer, rng = Dealer(rules, shuffled(seed)), random.Random(seed)
    position = dealt(rules, dealer, rules.start(rng.randrange(len(bots))))
    for _ in range(LONGEST):
        if position.outcome is not None:
            return
        seen = observe(rules, position, position.mover, dealer.faces)
        bundle = bots[position.mover].choose(seen, rng, BUDGET)
        position = dealt(rules, dealer, rules.apply_bundle(position, bundle))
        yield Moment(seen, bundle, position, dict(dealer.faces))
    raise AssertionError("a game without an end")


def dealt(rules: AnyRules, dealer: Dealer, position: Any) -> Any:
    """Return the position after all the steps of chance."""
    step = dealer.supply(position)
    while step is not None:
        position = rules.apply(position, step)
        step = dealer.supply(position)
    return position


def play(edition: str, bots: Sequence[Bot], seed: int) -> Outcome:
    for moment in walk(edition, bots, seed):
        after = moment.after
    outcome: Outcome = after.outcome
    return outcome


def wins(edition: str, bots: Sequence[Bot], games: int, seed: int = 0) -> float:
    """Return how many games the first bot wins alone, rotating through the seats."""
    won = 0
    for game in range(games):
        own = game % len(bots)
        seated = [*bots[-own:], *bots[:-own]] if own else bots
        won += play(edition, seated, seed + game).winners == (own,)
    return won
