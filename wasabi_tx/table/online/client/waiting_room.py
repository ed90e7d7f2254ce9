"""The waiting room: the host offers and admits, guests join, all accept, the host starts; a watcher only reads.

What a client signs here is on its disk before it is sent, and said again word for word after a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Accept, Genesis, Join, Message, Offer, Seated, Start, Terms
from wasabi_protocol.table.channel import Letter
from wasabi_protocol.table.genesis import Founded
from wasabi_protocol.table.waiting_room import (
    MAX_JOINS,
    AcceptSeen,
    GenesisSeen,
    HostContradicted,
    JoinSeen,
    OfferSeen,
    Started,
    WaitingRoom,
    find_room,
)
from wasabi_protocol.verdicts import Forbidden, Refused

from ....engine.rules import AnyRules
from ..carry.offer import Hosting as Hosting
from ..carry.offer import TableOffer
from ..carry.outgoing import Outgoing
from ..keep.disk import Disk
from ..keep.seat import SavedSeat
from ..terms import FindRules, Unplayable, rules_of
from . import events as table_events

ACCEPT_WAIT = 15.0
"""Seconds that a proposed game waits for every accept; then it is proposed again without those who were silent."""
SEATS_PAUSE = 1.0
"""Seconds before a host says who has a seat, so that many decisions are one word."""
MOST_AWAY = 16
MOST_DROPS = 3
"""After three drops a guest needs the host's approval, so attempts stay bounded."""


class WaitingRoomClient:
    """One client in the waiting room of one table."""

    def __init__(
        self,
        *,
        outgoing: Outgoing,
        disk: Disk,
        find: FindRules,
        names_host: Callable[[bytes], bool],
        seat: SavedSeat | None,
        hosting: Hosting | None,
        door: Identity | None,
        runner: bytes,
    ) -> None:
        """`seat` is None for a watcher; `runner` is the key of the person whose bot this is."""
        self.outgoing = outgoing
        self.me = outgoing.me
        self.disk = disk
        self.find = find
        self.names_host = names_host
        self.seat = seat
        self.hosting = hosting
        self.door = door
        self.runner = runner
        self.events: list[table_events.TableEvent] = []
        self.room: WaitingRoom | None = None
        self.admitted: list[bytes] = []
        self.rules_for: Callable[[int], AnyRules] | None = None
        self.started: tuple[Founded, bytes] | None = None
        self._accept_by: float | None = None
        self._listing: TableOffer | None = None
        if self.hosting is not None and self.seat is not None:
            opens = b"" if door is None else door.key
            self._listing = TableOffer(self.outgoing, self.me, self.hosting, opens, self.seat.name)
        self._offer: bytes | None = None
        self._drops: dict[bytes, int] = {}
        self._gone: set[bytes] = set()
        """Guests who closed the room, and have not asked again."""
        self._turned_away: dict[bytes, None] = {}
        self._seats_told: tuple[int, tuple[bytes, ...], tuple[bytes, ...]] = (
            0 if hosting is None else hosting.since,
            (),
            (),
        )
        """The counter of the last word about who has a seat, and what it said; ours as host, else the host's."""
        self._tell_seats_at: float | None = None
        self._told: set[str] = set()
        self._crowded = False
        self._terms: Terms | None = None

    @property
    def _private(self) -> bool:
        return self.outgoing.channel.private is not None

    @property
    def seated(self) -> tuple[bytes, ...]:
        """The host, and those whom it admitted: what they say comes before what strangers say."""
        host = () if self.room is None else (self.room.host,)
        return (*host, *self.admitted)

    # What arrives

    def restore(self, now: float) -> None:
        """Knows again what this client said before it was restarted."""
        for key, envelope in () if self.seat is None else self.seat.said:
            self._take(key, envelope, now)
        if self._listing is not None and self.room is not None and self.room.offer is not None:
            self._listing.restore(self.room.offer.n)

    def receive(self, letter: Letter, now: float) -> None:
        """Takes in one message; what does not belong here changes nothing."""
        if isinstance(letter.message, Seated):
            self._seats_given(letter.message)
            return
        for key, envelope in letter.items:
            # Entries of the game come later and are many: here even their signatures are not checked.
            if self.started is None and read_header(envelope[SIGNATURE_BYTES:]) is None:
                self._take(key, envelope, now)
        if isinstance(letter.message, Join):
            if letter.key in self._gone:
                self._gone.discard(letter.key)
                self._joined(letter.message, now)
            self._came_again(letter.key, now)

    def _seats_given(self, said: Seated) -> None:
        """The host says who has a seat: nothing follows from it but what a guest reads."""
        room = self.room
        if self.hosting is not None or room is None or said.key != room.host or said.n <= self._seats_told[0]:
            return
        before, self._seats_told = self._seats_told, (said.n, said.seated, said.away)
        if said.seated != before[1]:
            self.events.append(table_events.SeatsGiven(said.seated))
        self.events += [table_events.TurnedAway(key) for key in said.away if key not in before[2]]

    def _tell_seats(self, now: float) -> None:
        """As host: what the others may know of our decisions, at most once a second."""
        if self.hosting is None or self.started is not None or self.room is None:
            return
        if self._tell_seats_at is None or now < self._tell_seats_at:
            return
        self._tell_seats_at = None
        n, seated, away = self._seats_told[0] + 1, tuple(self.admitted), tuple(self._turned_away)[-MOST_AWAY:]
        self._seats_told = n, seated, away
        said = Seated(self.outgoing.channel.table, self.me.key, n, seated, away)
        self.outgoing.say("mv", signed_message(self.me, said))

    def _seats_changed(self, now: float) -> None:
        if self._tell_seats_at is None:
            self._tell_seats_at = now + SEATS_PAUSE

    def withdraw(self, key: bytes, now: float) -> None:
        """Somebody closed the room. A guest has no seat any more; whoever joins again asks anew."""
        room = self.room
        if room is None or self.started is not None or key in self._gone or len(self._gone) >= MAX_JOINS:
            return
        if key == room.host:
            self.events.append(table_events.Withdrawn(key))
        elif self.hosting is None or key in room.joins:
            self._gone.add(key)
            if key in self.admitted:
                self.admitted.remove(key)
                if self._listing is not None:
                    self._listing.due = now
            self.events.append(table_events.Withdrawn(key))

    def _came_again(self, key: bytes, now: float) -> None:
        """A guest who was dropped and joins again gets another chance, up to a limit."""
        if key in self._turned_away:
            return
        if self._drops.get(key, MOST_DROPS) < MOST_DROPS and self.hosting is not None and self.hosting.welcome_all:
            self.admit(key, now)

    def _take(self, key: bytes, envelope: bytes, now: float) -> None:
        try:
            if self.room is None:
                self.room = find_room(self.outgoing.channel, key, envelope, self.me, self.names_host)
            events = self.room.receive(key, envelope)
            if any(isinstance(event, OfferSeen) for event in events):
                self._offer = envelope
            for event in events:
                self._happened(event, now)
        except Refused:
            return

    def _new_room(self, host: bytes) -> WaitingRoom:
        guests = () if self.seat is None else self.seat.guests
        return WaitingRoom(self.outgoing.channel.table, host, self.me, self._private, guests)

    def _happened(self, event: object, now: float) -> None:
        match event:
            case OfferSeen(offer):
                self._offered(offer, now)
            case JoinSeen(join):
                self._joined(join, now)
            case GenesisSeen(founded, mine):
                for key in founded.keys:
                    self.outgoing.channel.learn(key)
                self.events.append(table_events.Proposed(founded.keys))
                if mine and self.seat is not None:
                    self._accept(now)
            case AcceptSeen(founded, seat):
                self.events.append(table_events.Accepted(founded.keys[seat]))
                self._start_if_accepted(now)
            case Started(founded, start):
                self._started(founded, start.envelope)
            case HostContradicted():
                self.events.append(table_events.HostBroken())

    def _joined(self, join: Join, now: float) -> None:
        if join.key in self._turned_away:
            return
        self.outgoing.channel.learn(join.key)
        self._seats_changed(now)
        self.events.append(table_events.Joined(join.key, join.name, join.runner, bool(join.ticket)))
        hosting, room = self.hosting, self.room
        if hosting is None or room is None:
            return
        if len(room.joins) >= MAX_JOINS and not self._crowded:
            self._crowded = True
            self.events.append(table_events.Crowded())
        if hosting.welcome_all:
            if join.ticket and len(self.admitted) >= hosting.terms.most:
                self._make_room(room)
            self.admit(join.key, now)

    def _make_room(self, room: WaitingRoom) -> None:
        """A guest with an invite comes to a full table: the last stranger who was admitted loses the seat."""
        strangers = [key for key in self.admitted if key != self.me.key and not self._invited(room, key)]
        if strangers and self.started is None:
            self.admitted.remove(strangers[-1])
            room.preferred.discard(strangers[-1])
            self.events.append(table_events.Dropped(strangers[-1]))

    @staticmethod
    def _invited(room: WaitingRoom, key: bytes) -> bool:
        join = parse(room.joins[key].body) if key in room.joins else None
        return isinstance(join, Join) and bool(join.ticket)

    def _started(self, founded: Founded, start: bytes) -> None:
        void = self.room is not None and self.room.void
        if not void and self._playable(founded.genesis.terms):
            self.started = (founded, start)

    def contradicted(self, letter: Letter, now: float) -> bool:
        """Whether a word of the host after the start makes this table void for who has not written in its game."""
        self._take(letter.key, letter.envelope, now)
        return self.room is not None and self.room.void

    def _playable(self, terms: Terms) -> bool:
        """Whether we can play by these terms; the rules are always those of the terms that were looked at last."""
        if terms != self._terms:
            self._terms, self.rules_for = terms, None
            try:
                self.rules_for = rules_of(terms, self.find)
            except Unplayable as reason:
                self.tell_once(table_events.CannotPlay(reason.code, reason.params))
        return self.rules_for is not None

    def tell_once(self, event: table_events.CannotPlay) -> None:
        if event.code not in self._told:
            self._told.add(event.code)
            self.events.append(event)

    # A guest

    def _offered(self, offer: Offer, now: float) -> None:
        if not self._playable(offer.terms):
            return
        self.events.append(table_events.Offered(offer))
        if self.seat is None or self.room is None or self.me.key in self.room.joins:
            return
        for said in self._said(Join):
            # Word for word what we said before a restart.
            self._take(self.me.key, said, now)
        self._say(self.room.join(self.seat.nonce, self.seat.name, self.runner, self.door), now)

    def _accept(self, now: float) -> None:
        assert self.room is not None
        try:
            self._say(self.room.accept(), now)
        except Forbidden:
            return

    # The host

    def open(self, now: float) -> None:
        """Offers the table, and joins it."""
        assert self._listing is not None
        if self.room is None:
            self.room = self._new_room(self.me.key)
        if self.room.offer is None:
            self._say(self._listing.offer(), now)
        self._renew(self._listing, now)

    def _renew(self, listing: TableOffer, now: float) -> None:
        listing.taken, listing.begun = len(self.admitted) or 1, self.started is not None
        if self.started is not None:
            listing.taken = len(self.started[0].keys)
        self._seats_changed(now)
        apart = listing.reserve()
        if apart is not None:
            self._keep(apart)
        listing.renew(now)

    def connected(self, now: float) -> None:
        """Offers again what was offered before there was a connection."""
        if self._listing is not None:
            self._listing.due = now

    def close(self) -> None:
        """The table is no longer offered."""
        if self._listing is not None:
            self._listing.close()

    def admit(self, key: bytes, now: float) -> None:
        """As host: this guest may sit; the game is proposed as soon as every seat is taken."""
        hosting, room = self.hosting, self.room
        if hosting is None or room is None or key not in room.joins or key in self.admitted:
            return
        if len(self.admitted) >= hosting.terms.most or self.started is not None:
            return
        self.admitted.append(key)
        room.preferred.add(key)
        self._seats_changed(now)
        self.events.append(table_events.Admitted(key))
        if self._listing is not None:
            self._listing.due = now
        if len(self.admitted) == hosting.terms.most:
            self.propose(now)

    def turn_away(self, key: bytes, now: float) -> None:
        """As host: this guest gets no seat, and is not heard of again; not once a game with them is proposed."""
        room = self.room
        if self.hosting is None or room is None or key == self.me.key or key not in room.joins:
            return
        if self.started is not None or self._accept_by is not None or len(self._turned_away) >= MAX_JOINS:
            return
        self._turned_away[key] = None
        self._seats_changed(now)
        room.preferred.discard(key)
        if key in self.admitted:
            self.admitted.remove(key)
            if self._listing is not None:
                self._listing.due = now
        self.events.append(table_events.TurnedAway(key))

    def propose(self, now: float) -> None:
        """As host: a game of those who were admitted, if they are enough."""
        hosting, room = self.hosting, self.room
        if hosting is None or room is None or self.started is not None or room.void:
            return
        if not hosting.terms.least <= len(self.admitted) <= hosting.terms.most:
            return
        try:
            genesis = room.propose(self.admitted)
        except Forbidden:
            return
        self._accept_by = now + ACCEPT_WAIT
        self._say(genesis, now)

    def _start_if_accepted(self, now: float) -> None:
        room = self.room
        if self.hosting is None or room is None or room.latest is None or self.started is not None:
            return
        if len(room.accepts.get(room.latest.gid, {})) == len(room.latest.keys):
            self._say(room.start(), now)

    def _drop_silent(self, now: float) -> None:
        """Proposes again without those who did not accept in time."""
        room = self.room
        assert room is not None
        assert room.latest is not None
        given = room.accepts.get(room.latest.gid, {})
        silent = [key for seat, key in enumerate(room.latest.keys) if seat not in given]
        self.admitted = [key for key in self.admitted if key not in silent]
        self._accept_by = None
        for key in silent:
            if not self._invited(room, key):
                room.preferred.discard(key)
            self._drops[key] = self._drops.get(key, 0) + 1
            self.events.append(table_events.Dropped(key))
        self.propose(now)

    # Both

    def _say(self, envelope: bytes, now: float) -> None:
        """On disk, then taken in ourselves, then sent."""
        self._keep(envelope)
        self._take(self.me.key, envelope, now)
        self.outgoing.send(envelope, now)

    def _keep(self, envelope: bytes) -> None:
        assert self.seat is not None
        if (self.me.key, envelope) not in self.seat.said:
            seat = self.seat.with_said((self.me.key, envelope))
            self.disk.keep(seat)
            self.seat = seat

    def own_words(self) -> list[bytes]:
        """What late comers to this room need to hear from us."""
        return [] if self.seat is None else [envelope for _, envelope in self.seat.said]

    def _said(self, *kinds: type[Message]) -> list[bytes]:
        """Our own words of these kinds."""
        return [envelope for envelope in self.own_words() if isinstance(parse(envelope[SIGNATURE_BYTES:]), kinds)]

    def _standing(self) -> list[bytes]:
        """What others may lack: our offer or join, and our last word about a game."""
        return [*self._said(Offer)[:1], *self._said(Join), *self._said(Genesis, Start)[-1:], *self._said(Accept)[-1:]]

    def items(self) -> list[tuple[bytes, bytes]]:
        """Everything that a latecomer to this room needs, ours and theirs."""
        room = self.room
        if room is None:
            return [(self.me.key, envelope) for envelope in self.own_words()]
        said = [*room.joins.values()]
        if room.latest is not None:
            said += [room.latest.signed, *room.accepts.get(room.latest.gid, {}).values()]
        offer = [] if self._offer is None else [(room.host, self._offer)]
        return offer + [(signed.key, signed.envelope) for signed in said]

    def tick(self, now: float) -> None:
        if self._listing is not None and now >= self._listing.due:
            self._renew(self._listing, now)
        if self._accept_by is not None and now >= self._accept_by and self.started is None:
            self._drop_silent(now)
        self._tell_seats(now)
        if self.started is None:
            self.outgoing.stand(self._standing(), now)
            self.outgoing.relog(self.own_words())

    def begun(self, record: str) -> None:
        """The game has its file."""
        if self.seat is not None:
            seat = replace(self.seat, record=record)
            self.disk.keep(seat)
            self.seat = seat
