"""The history of a game: everything played before a screen follows it, at a resumed seat or as a late watcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.messages import Terms

from ...engine.position import Outcome, Position
from ...engine.sealed_card import Card
from ...games import game
from ...games.transcript import Move, moves_of
from .log_events import sealed_of, slot_events
from .sealed_position import SealedPosition


@dataclass(frozen=True, kw_only=True)
class History:
    """The game up to one moment; the driver's later events continue it."""

    terms: Terms
    players: tuple[game.Player, ...]
    start: Position
    changes: tuple[game.Change, ...]
    known: int
    """Number of changes that the person here has already seen: on our own disk, and not from a keeper."""
    outcome: Outcome | None
    """The outcome of the game, if it is over."""
    faces: Mapping[Card, int] = field(default_factory=dict)
    """Empty: a log saves no faces."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The changes as moves of a transcript."""
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
    """Return the first position, every change in the log, and how many of them are in slots up to `restored`.

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
