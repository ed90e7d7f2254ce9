"""The draft of a turn: steps that a player has chosen but not yet sent, with undo and preview."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.errors import Illegal
from ..engine.observe import Observation, observe
from ..engine.position import Position
from ..engine.step import Bundle, Step


@dataclass(frozen=True)
class TurnSlot:
    """One place in the row of a turn."""

    kind: str
    """The kind of step that belongs here: place, claim, action, card, tile, recipe, …"""
    step: Step | None
    """The chosen step, or None while the slot is open."""


class Draft:
    """A plan on top of an observation; nothing in it has happened until its bundle is sent.

    Undo reaches back to the last send but never past a draw, because a draw ends the bundle. The draft of a `whole`
    turn, one that is still to come, continues to the end of the turn: cards drawn or turned up in it stay unknown.
    """

    def __init__(self, observation: Observation, whole: bool = False) -> None:
        self.base = observation
        self.whole = whole
        self._steps: list[Step] = []
        self._positions: list[Position] = [observation.position]
        self._groups: list[int] = []

    @property
    def observation(self) -> Observation:
        """The observation of its author as if the steps so far had been sent."""
        base = self.base
        return observe(base.rules, self.position, base.seat, base.faces)

    @property
    def position(self) -> Position:
        return self._positions[-1]

    def after(self, steps: int) -> Position:
        """Return the position after the first `steps` steps."""
        return self._positions[steps]

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._steps)

    @property
    def complete(self) -> bool:
        """True if this is a whole bundle: it can be sent, and nothing can be added."""
        return bool(self._steps) and self._closes(self._positions[-2], self._steps[-1], self.position)

    def fresh(self) -> Draft:
        """Return an empty draft of the same turn."""
        return Draft(self.base, self.whole)

    def _after(self, position: Position, step: Step) -> Position:
        rules = self.base.rules
        after: Position = rules.apply(position, step)
        return rules.without_chance(after) if self.whole else after

    def _closes(self, before: Position, step: Step, after: Position) -> bool:
        rules = self.base.rules
        return rules.passes_on(before, after) if self.whole else rules.closes(before, step, after)

    def legal(self) -> Sequence[Step]:
        """Return the steps that may be chosen next."""
        return [] if self.complete else self.observation.legal()

    def add(self, step: Step) -> None:
        """Choose a step, first ending the present part of the turn if the step requires it.

        Raise a `RulesError` and leave the draft unchanged if the step is refused.
        """
        if self.complete:
            raise Illegal("bundle-full")
        position = self.position
        try:
            chosen = [(step, self._after(position, step))]
        except Illegal as here:
            bridge = self.bridge()
            if bridge is None or bridge == step:
                raise
            between = self._after(position, bridge)
            if self._closes(position, bridge, between):
                raise
            try:
                chosen = [(bridge, between), (step, self._after(between, step))]
            except Illegal as beyond:
                # The step belongs to this part of the turn, so the error here is more informative.
                if beyond.code == "phase":
                    raise here from None
                raise
        for one, after in chosen:
            self._steps.append(one)
            self._positions.append(after)
        self._groups.append(len(chosen))

    def bridge(self) -> Step | None:
        """Return the step that ends the present part of the turn, if it is legal now."""
        done = Step("done")
        return done if done in self.legal() else None

    def undo(self) -> bool:
        """Undo the last choice; return False if there is none."""
        if not self._groups:
            return False
        count = self._groups.pop()
        del self._steps[-count:]
        del self._positions[-count:]
        return True

    def clear(self) -> None:
        while self.undo():
            pass

    def bundle(self) -> Bundle:
        """Return the bundle to send; raise `Illegal` unless the draft is complete."""
        if not self.complete or self.base.seat is None:
            raise Illegal("bundle-too-short", step=len(self._steps))
        return Bundle(self.base.seat, self.steps)

    def slots(self) -> list[TurnSlot]:
        """Return the row of the turn: the chosen steps, then the open slots as far as they are known."""
        rules = self.base.rules
        chosen = [TurnSlot(rules.slots[step.verb], step) for step in self._steps if step.verb in rules.slots]
        ahead = [] if self.complete else rules.outlook(self.position)
        return [*chosen, *(TurnSlot(kind, None) for kind in ahead), TurnSlot("send", None)]

    def claims(self) -> list[Step]:
        """Return the recipes that could be claimed now and might be lost by the next step."""
        return [step for step in self.legal() if step.verb in self.base.rules.claiming]
