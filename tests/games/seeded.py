"""Small seeded games for the tests of games."""

from __future__ import annotations

from random import Random

from wasabi_tx.engine.deal import Dealer
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import NOBODY, Position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Step
from wasabi_tx.games.draft import Draft
from wasabi_tx.games.local import seeded_first, seeded_shuffle


class SeededGame:
    """A game whose every choice follows from a seed; it prefers rare steps."""

    def __init__(self, rules: AnyRules, seed: str) -> None:
        self.rules = rules
        self.dealer = Dealer(rules, seeded_shuffle(seed))
        self.first = seeded_first(seed, rules.players)
        self.position: Position = rules.start(self.first)
        self.rng = Random(seed)

    def observation(self) -> Observation:
        return observe(self.rules, self.position, self.position.mover, self.dealer.faces)

    def deal(self) -> Step | None:
        """Let chance move if it is chance's turn."""
        if self.position.mover != NOBODY:
            return None
        step = self.dealer.supply(self.position)
        assert step is not None
        self.position = self.rules.apply(self.position, step)
        return step

    def draft(self) -> Draft:
        """Return a complete draft of the mover's next bundle."""
        draft = Draft(self.observation())
        while not draft.complete:
            legal = draft.legal()
            rare = [step for step in legal if step.verb not in ("place", "pass", "exchange", "pool")]
            draft.add(self.rng.choice(rare if rare and self.rng.random() < 0.7 else legal))
        return draft
