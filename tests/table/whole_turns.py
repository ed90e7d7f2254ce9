"""Whole turns as a bot would leave them for later: to their end, without a look at what is drawn in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.card import deck_of
from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.step import Step
from wasabi_tx.table.draft import Draft

TRIES = 4


def whole_turn(seen: Observation, chance: Random, level: str = "greedy") -> Sequence[Step]:
    """A turn that counts on no card that its author has not seen; the last one tried if a bot finds none."""
    for _ in range(TRIES):
        steps = _imagined_turn(seen, chance, level)
        if counts_on_seen(seen, steps):
            break
    return steps


def counts_on_seen(seen: Observation, steps: Sequence[Step]) -> bool:
    """Whether it completes and returns only recipes whose faces are known."""
    cards: list[int] = []
    for step in steps:
        for kind, *args in zip(seen.rules.verbs[step.verb], step.args, strict=False):
            cards += step.args if kind is Kind.CARDS else args if kind is Kind.CARD else []
    return all(card in seen.faces for card in cards)


def _imagined_turn(seen: Observation, chance: Random, level: str) -> Sequence[Step]:
    """What a bot does if it takes cards that it has not seen for others of their deck."""
    rules, faces = seen.rules, dict(seen.faces)
    draft = Draft(seen, whole=True)
    while not draft.complete:
        position = draft.position
        for card in position.seats[position.mover].recipes:
            if card not in faces and (unseen := rules.unseen(position, deck_of(card), faces)):
                faces[card] = chance.choice(unseen)
        now = observe(rules, position, seen.seat, faces)
        for step in find_bot(level).choose(now, chance, 1000).steps:
            draft.add(step)
    return draft.steps
