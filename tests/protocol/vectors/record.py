"""Whole games of the drill in memory, recorded as files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wasabi_protocol.game.record import write_record
from wasabi_protocol.game.session import Session

from tests.protocol.sessions import Peer, World, choose, open_table
from tests.protocol.vectors.drill import Drill
from tests.protocol.vectors.vector import Recordings


class Recording(World):
    """A table of honest seats that play the drill."""

    def __init__(self, seats: int, name: str, passes: int, decks: tuple[int, ...]) -> None:
        self.opening = open_table(seats, f"vectors: {name}", decks)
        self.founded = self.opening.founded
        self.game = Drill(passes)
        self.peers = {peer.seat: peer for peer in map(self.peer, self.opening.people)}
        self.spectator = Session(self.founded, self.game)
        self.wire = []
        self.offline = set()
        self.name = name

    def until(self, ready: Callable[[Peer], bool]) -> Peer:
        """Play until some seat is in this situation; return the seat."""
        for _ in range(200):
            self.settle()
            for peer in self.online:
                if ready(peer):
                    return peer
            self.publish(writer := self.writer, choose(self, writer))
        raise AssertionError("never came that far")

    @property
    def writer(self) -> Peer:
        """The seat that owes an entry now."""
        return next(peer for peer in self.online if peer.session.owes)

    def file(self) -> bytes:
        """Return the game as a file."""
        return write_record([*self.opening.file_head, *self.spectator.items()])

    def recorded(self) -> dict[str, Any]:
        return {"rules": "drill", "passes": self.game.passes, "seats": len(self.peers), "file": self.file().hex()}


def dealt(peer: Peer) -> bool:
    """Return whether a seat has cards and is to move."""
    return "bundle" in peer.session.owes and bool(peer.session.hand())


def two_seats() -> Recording:
    world = Recording(2, "two-seats", 3, (6, 2))
    world.run(choose)
    return world


def three_seats() -> Recording:
    """Record a game in which a seat wishes to leave, is heard and leaves; the others play to the end."""
    world = Recording(3, "three-seats", 3, (7, 2))
    world.until(dealt)
    wisher = next(peer for peer in world.online if peer is not world.writer)
    world.publish(wisher, wisher.session.wish("leave"))
    world.run(choose)
    return world


def vanished() -> Recording:
    """Record a game in which a seat vanishes in its turn and is voted out, and a new epoch carries the hands over."""
    world = Recording(3, "vanished", 3, (7, 2))
    absent = world.until(dealt)
    world.offline.add(absent.seat)
    world.vote_out(absent.seat)
    world.run(choose)
    return world


def four_seats() -> Recording:
    """Record the start of a four-player game: all have sent their keys, and the first shuffle is owed."""
    world = Recording(4, "four-seats", 3, (6, 2))
    while not world.spectator.log.head.number:
        world.automatic()
    return world


def recordings(*worlds: Recording) -> Recordings:
    return Recordings({world.name: world.recorded() for world in worlds}, {})
