"""Whole turns as a bot would plan them, without knowing what will be drawn in them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.sealed_card import deck_of
from wasabi_tx.engine.step import Step
from wasabi_tx.games.draft import Draft
from wasabi_tx.games.plans import needed_squares

TRIES = 4


def whole_turn(seen: Observation, chance: Random, level: str = "greedy") -> Sequence[Step]:
    """Return a turn that counts on no card its author has not seen; the last one tried if a bot finds none."""
    for _ in range(TRIES):
        steps = _imagined_turn(seen, chance, level)
        if counts_on_seen(seen, steps):
            break
    return steps


def turn_off_the_board(seen: Observation) -> Sequence[Step]:
    """Return a turn that touches no square, so that no move of the others can break it."""
    for seed in range(1000):
        steps = whole_turn(seen, Random(seed), "random")
        if not any(needed_squares(seen, steps)):
            return steps
    raise AssertionError("a random bot never passes")


def counts_on_seen(seen: Observation, steps: Sequence[Step]) -> bool:
    """Return whether it completes and returns only recipes whose faces are known."""
    cards: list[int] = []
    for step in steps:
        for kind, *args in zip(seen.rules.verbs[step.verb], step.args, strict=False):
            cards += step.args if kind is Kind.CARDS else args if kind is Kind.CARD else []
    return all(card in seen.faces for card in cards)


def _imagined_turn(seen: Observation, chance: Random, level: str) -> Sequence[Step]:
    """Return a bot's turn in which unseen cards are replaced by others of their deck."""
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
