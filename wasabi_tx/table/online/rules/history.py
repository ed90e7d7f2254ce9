"""The history of a game: what was played before a screen follows it, at a resumed seat or as a late watcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.messages import Terms

from ....engine.card import Card
from ....engine.position import Outcome, Position
from ... import game
from ...transcript import Move, moves_of
from .log_events import sealed_of, slot_events
from .sealed_position import SealedPosition


@dataclass(frozen=True, kw_only=True)
class History:
    """The game up to one moment; what the driver tells from then on continues it."""

    terms: Terms
    players: tuple[game.Player, ...]
    start: Position
    changes: tuple[game.Change, ...]
    known: int
    """How many of the changes the person here has seen before: our own disk held them, and not from a keeper."""
    outcome: Outcome | None
    """How the game ended, if it is over."""
    faces: Mapping[Card, int] = field(default_factory=dict)
    """Nothing: a log saves no faces."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The changes as a transcript has them."""
        return moves_of(self.start, self.changes)

    @property
    def seen(self) -> Position:
        """The position when we were last here."""
        return self.changes[self.known - 1].after if self.known else self.start

    @property
    def missed(self) -> tuple[game.Change, ...]:
        """The changes since we were last here."""
        return self.changes[self.known :]


def changes_of(session: Session[SealedPosition], restored: int) -> tuple[Position, list[game.Change], int]:
    """The first position, every change in the log, and how many of them slots up to `restored` hold.

    Only once the seats are drawn.
    """
    slots = [(slot, sealed) for slot in session.log.slots if (sealed := sealed_of(slot)) is not None]
    changes: list[game.Change] = []
    known = 0
    for (before, _), (slot, _) in pairwise(slots):
        changes += [event for event in slot_events(before, slot) if isinstance(event, game.Change)]
        if slot.number <= restored:
            known = len(changes)
    return slots[0][1].position, changes, known
