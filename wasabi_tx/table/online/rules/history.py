"""What was played before somebody came to look: at a seat that is taken up again, or as a late watcher."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from wasabi_protocol.game.session import Session

from ....engine.position import Position
from ... import game
from ..client.client import Client
from ..client.driver import Driver
from .log_events import laid_of, slot_events
from .sealed_position import SealedPosition


@dataclass(frozen=True)
class Past:
    """The position with which the game began, and every change since."""

    start: Position
    changes: tuple[game.Change, ...]


def past_of(session: Session[SealedPosition]) -> Past:
    """Everything that stands in the log; only once the seats are drawn."""
    slots = session.log.slots
    known = [(slot, laid) for slot in slots if (laid := laid_of(slot)) is not None]
    changes = []
    for (before, _), (slot, _) in pairwise(known):
        changes += [event for event in slot_events(before, slot) if isinstance(event, game.Change)]
    return Past(known[0][1].position, tuple(changes))


async def catch_up(driver: Driver) -> Past:
    """The past up to this moment; what the driver tells from now on comes after it."""

    def look(client: Client, _now: float) -> Past:
        assert client.playing is not None, "the game has begun"
        return past_of(client.playing.session)

    past = await driver.do(look)
    driver.forget(game.Change | game.Rewound)
    return past
