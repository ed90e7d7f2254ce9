"""A table in memory: people with fixed secrets, a waiting room, sessions, and a wire that a test can bend."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.game.session import Me, Session
from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.sealed.player import Draw, Return, Reveal, Seal, SealedPlayer
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import Item as Item
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Offer, Terms
from wasabi_protocol.table.genesis import Founded, table_id
from wasabi_protocol.table.waiting_room import WaitingRoom
from wasabi_protocol.verdicts import Refused
from wasabi_protocol.voting.poll import PERSON

from tests.protocol.toy import Position, Toy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wasabi_protocol.game.events import Event
    from wasabi_protocol.game.state import GameState

DECKS = (9, 4)


def secret(*names: object) -> bytes:
    """Return 32 bytes that are the same in every run."""
    return hashlib.sha256(repr(names).encode()).digest()


def terms(decks: tuple[int, ...] = DECKS, least: int = 2, most: int = 4) -> Terms:
    return Terms("toy", secret("edition"), 1, params_hash(decks), decks, least, most, 0, ("chat",))


def identity(name: object) -> Identity:
    return Identity(secret("identity", name))


@dataclass
class Opening:
    """The state at the start of a game, with the messages that led to it."""

    founded: Founded
    people: list[Identity]
    nonces: dict[bytes, bytes]
    room: WaitingRoom
    items: list[Item]

    @property
    def file_head(self) -> list[Item]:
        """Return the genesis and the start, as a game's file begins."""
        genesis = self.items[len(self.people) + 1]
        return [genesis, self.items[-1]]


def open_table(seats: int, name: str = "table", decks: tuple[int, ...] = DECKS) -> Opening:
    """Open a table with this many seats, from the offer to the start; the first person is the host."""
    people = [identity((name, number)) for number in range(seats)]
    host = people[0]
    salt = secret("salt", name)
    table = table_id(host.key, salt)
    room = WaitingRoom(table, host.key, host)
    items: list[Item] = []

    def say(who: Identity, envelope: bytes) -> None:
        items.append((who.key, envelope))
        room.receive(who.key, envelope)

    offer = Offer(table, host.key, salt, 1, terms(decks), b"", "p0", 1, False)
    say(host, signed_message(host, offer))
    nonces = {who.key: secret("nonce", name, who.key) for who in people}
    rooms = {who.key: WaitingRoom(table, host.key, who) for who in people}
    for who in people:
        rooms[who.key].receive(*items[0])
        say(who, rooms[who.key].join(nonces[who.key], name=f"p{people.index(who)}"))
    say(host, room.propose([who.key for who in people]))
    for who in people:
        for item in items[: seats + 2]:
            rooms[who.key].receive(*item)
        say(who, rooms[who.key].accept())
    say(host, room.start())
    assert room.game is not None
    return Opening(room.game, people, nonces, room, items)


@dataclass
class Peer:
    """A seat: its session, and the envelopes it stored before publishing."""

    seat: int
    who: Identity
    session: Session[Position]
    disk: list[Item] = field(default_factory=list)
    events: list[Event[GameState[Position]]] = field(default_factory=list)

    def take(self, item: Item) -> list[Event[GameState[Position]]]:
        events = self.session.receive(*item)
        self.events += events
        return events


class World:
    """Peers and a spectator around one game; publications reach everybody who is not cut off."""

    def __init__(self, seats: int, name: str = "table", passes: int = 6, decks: tuple[int, ...] = DECKS) -> None:
        self.opening = open_table(seats, name, decks)
        self.founded = self.opening.founded
        self.game = Toy(passes)
        self.peers = {peer.seat: peer for peer in map(self.peer, self.opening.people)}
        self.spectator: Session[Position] = Session(self.founded, self.game)
        self.wire: list[Item] = []
        self.offline: set[int] = set()

    def peer(self, who: Identity) -> Peer:
        """Return a new client for a person: a fresh process with the same secrets."""
        seat = self.founded.seat_of(who.key)
        assert seat is not None
        me = Me(who, SealedPlayer(seat, secret("game", who.key)), self.opening.nonces[who.key])
        return Peer(seat, who, Session(self.founded, self.game, me, secret("run", who.key)[:16]))

    @property
    def online(self) -> list[Peer]:
        return [peer for seat, peer in sorted(self.peers.items()) if seat not in self.offline]

    def publish(self, peer: Peer, envelope: bytes, to: Iterable[int] | None = None) -> None:
        """Store an envelope, process it, and deliver it to the others (or only to some)."""
        item = (peer.who.key, envelope)
        peer.disk.append(item)
        peer.events += peer.session.wrote(envelope)
        self.wire.append(item)
        for other in [peer.seat, *(self.peers if to is None else to)]:
            if other not in self.offline or other == peer.seat:
                self.give(other, item)
        if to is None:
            _quietly(lambda: self.spectator.receive(*item))

    def give(self, seat: int, item: Item) -> None:
        _quietly(lambda: self.peers[seat].take(item))

    def sync(self) -> None:
        """Deliver everything ever published to everybody online."""
        for item in list(self.wire):
            for peer in self.online:
                self.give(peer.seat, item)

    def automatic(self) -> bool:
        """Let every online peer write its automatic entries and required votes; return whether anything happened."""
        moved = False
        for peer in self.online:
            moved |= self._vote(peer)
            if peer.session.ballots.bound():
                continue
            envelope = peer.session.answer()
            if envelope is not None:
                self.publish(peer, envelope)
                moved = True
        return moved

    def _vote(self, peer: Peer) -> bool:
        word = peer.session.word()
        if word is not None:
            self.publish(peer, word)
        return word is not None

    def vote_out(self, seat: int) -> None:
        """Let the people online agree to exclude a seat."""
        for peer in self.online:
            self.publish(peer, peer.session.vote(seat, PERSON))
        while any(self._vote(peer) for peer in self.online):
            pass

    def settle(self) -> None:
        """Do everything that needs no player."""
        while self.automatic():
            pass

    def run(self, policy: Callable[[World, Peer], bytes | None], limit: int = 500) -> None:
        """Play until nobody writes any more."""
        for _ in range(limit):
            self.settle()
            for peer in self.online:
                if peer.session.ballots.bound():
                    continue
                if peer.session.owes and not peer.session.state.automatic:
                    envelope = policy(self, peer)
                    if envelope is not None:
                        self.publish(peer, envelope)
                        break
            else:
                return
        raise AssertionError("the game does not end")

    def logs(self) -> list[list[bytes]]:
        """Return the chain of every online peer and of the spectator."""
        sessions = [peer.session for peer in self.online] + [self.spectator]
        return [[slot.link for slot in session.log.slots] for session in sessions]


def _quietly(action: Callable[[], object]) -> None:
    with suppress(Refused):
        action()


def deal(session: Session[Position]) -> list[Seal]:
    position = session.state.position
    assert position is not None
    return [Draw(0, seat) for _ in range(2) for seat in position.order]


def choose(_: World, peer: Peer) -> bytes:
    """Play simply: deal, draw when possible, reveal the first card every other turn, otherwise return one."""
    session = peer.session
    if "end" in session.owes:
        return session.end(open_keys=True, show_hand=True)
    if "bundle" not in session.owes:
        return session.quit(open_keys=True)
    position = session.state.position
    assert position is not None
    if not position.dealt:
        return session.bundle(["deal"], deal(session))
    hand = session.hand()
    decks = session.state.decks
    if len(hand) < 3 and decks.deck(1) and position.passes_left % 2:
        return session.bundle(["draw 1"], [Draw(1)])
    if len(hand) < 3 and decks.deck(0):
        return session.bundle(["draw 0"], [Draw(0)])
    if not hand:
        return session.bundle(["pass"])
    card = min(hand)
    if position.passes_left % 3 == 0:
        return session.bundle(["return", "pass"], [Return(card)])
    return session.bundle([f"reveal {hand[card]}", "pass"], [Reveal(card)])
