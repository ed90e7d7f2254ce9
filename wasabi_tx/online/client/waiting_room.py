"""The waiting room: the host offers and admits, guests join, all accept, the host starts; a watcher only reads.

Everything that a client signs here is saved before it is sent, and repeated verbatim after a restart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.doings import GONE, NOTHING
from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.envelope import body_hash
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Accept, Doing, Genesis, Join, Message, Offer, Seated, Start, Terms
from wasabi_protocol.table.channel import Letter
from wasabi_protocol.table.genesis import Founded, agreed_order, order_of
from wasabi_protocol.table.lobby import RENEW_EVERY
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

from ...engine.rules import AnyRules
from ..carry.offer import Hosting as Hosting
from ..carry.offer import TableOffer
from ..carry.outgoing import Outgoing
from ..saved.disk import Disk
from ..saved.seat import SavedSeat
from ..terms import FindRules, Unplayable, rules_of
from . import events as table_events
from .own_doing import say_doing
from .room_runs import RoomRuns

ACCEPT_WAIT = 15.0
"""Seconds a proposed game waits for every accept; then it is proposed again without the silent players."""
SEATS_PAUSE = 1.0
"""Seconds before a host announces the seats, so that many decisions need one message."""
HERE_PAUSE = 2.0
"""Least seconds between two messages that we are here."""
FIRST_ANSWER = 8.0
"""Seconds in which a host answers whoever has just come; then the guest is told that nobody answers."""
NEXT_ANSWER = 2.5 * RENEW_EVERY
"""Seconds within which a host that has answered must be heard again."""
MOST_AWAY = 16
MOST_DROPS = 3
"""Drops after which a guest needs the host's approval, so that attempts stay bounded."""


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
        run: bytes,
    ) -> None:
        """Set up the room: `seat` is None for a watcher, `runner` is the key of a bot's person, `run` identifies this
        run.
        """
        self.outgoing = outgoing
        self.me = outgoing.me
        self.disk = disk
        self.find = find
        self.names_host = names_host
        self.seat = seat
        self.hosting = hosting
        self.door = door
        self.runner = runner
        self.run = run
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
        self._runs = RoomRuns()
        self._joins: dict[bytes, Join] = {}
        """The latest join of each guest."""
        self._gone: set[bytes] = set()
        """Guests who closed the room and have not come back."""
        self._say_here_at: float | None = None
        self._said_here = -math.inf
        self._turned_away: dict[bytes, None] = {}
        self._seats_told: tuple[int, tuple[bytes, ...], tuple[bytes, ...]] = (
            0 if hosting is None else hosting.since,
            (),
            (),
        )
        """Counter and contents of the last message about the seats; ours as host, otherwise the host's."""
        self._tell_seats_at: float | None = None
        self._told: set[str] = set()
        self._crowded = False
        self._answer_by: float | None = None
        """Deadline for the host's next message; None without a connection, or once it has closed the room."""
        self._known = False
        """True if the host has answered us, now or before a restart."""
        self._silent = False
        """True if the host's silence was reported, and nothing came since."""
        self._terms: Terms | None = None

    @property
    def _private(self) -> bool:
        return self.outgoing.channel.private is not None

    @property
    def seated(self) -> tuple[bytes, ...]:
        """The host and the guests it admitted, whose messages come before strangers'."""
        host = () if self.room is None else (self.room.host,)
        return (*host, *self.admitted)

    def knows(self, key: bytes) -> bool:
        """Return whether this is the host or somebody who has joined."""
        return self.room is not None and self.room.knows(key)

    # Incoming

    def restore(self, now: float) -> None:
        """Restore our own messages from before a restart."""
        for key, envelope in () if self.seat is None else self.seat.said:
            self._take(key, envelope, now)
        self._known = bool(self._said(Join))
        if self._listing is not None and self.room is not None and self.room.offer is not None:
            self._listing.restore(self.room.offer.n)

    def receive(self, letter: Letter, now: float) -> None:
        """Receive one message; one that does not belong here changes nothing."""
        if isinstance(letter.message, Seated):
            self._seats_given(letter.message, now)
            return
        for key, envelope in letter.items:
            # Entries of the game come later and are many: here not even their signatures are checked.
            if self.started is None and read_header(envelope[SIGNATURE_BYTES:]) is None:
                self._take(key, envelope, now)

    def hear_doing(self, doing: Doing, now: float) -> None:
        """Note that somebody is here or goes; ignore old messages, other tables and strangers."""
        room, key = self.room, doing.key
        if room is None or self.started is not None or doing.table != room.table or not room.knows(key):
            return
        if doing.what not in (NOTHING, GONE) or not self._runs.is_new(key, doing):
            return
        if doing.what == GONE:
            self._withdraw(key, now)
            return
        if key in self._gone:
            self._gone.discard(key)
            if key in self._joins:
                self._joined(self._joins[key], now)
        self._came_again(key, now)

    def _here_soon(self, now: float) -> None:
        """Schedule a message that we are here, at most every two seconds."""
        if self.seat is not None and self._say_here_at is None:
            self._say_here_at = max(now, self._said_here + HERE_PAUSE)

    def _say_here(self, now: float) -> None:
        if self._say_here_at is None or now < self._say_here_at or self.started is not None or not self.outgoing.up:
            return
        if self.room is None or self.me.key not in self.room.joins:
            # The others would not know who is here.
            return
        self._say_here_at, self._said_here = None, now
        say_doing(self.outgoing, self.run, 0, NOTHING)

    def _seats_given(self, said: Seated, now: float) -> None:
        """Note the seats that the host announced, and reply that we are here; nothing else follows from it."""
        room = self.room
        if self.hosting is not None or room is None or said.key != room.host or said.n <= self._seats_told[0]:
            return
        before, self._seats_told = self._seats_told, (said.n, said.seated, said.away)
        self._here_soon(now)
        self._known, self._answer_by = True, now + NEXT_ANSWER
        if said.seated != before[1] or self._silent:
            self.events.append(table_events.SeatsGiven(said.seated))
        self._silent = False
        self.events += [table_events.TurnedAway(key) for key in said.away if key not in before[2]]

    def _expect_answer(self, now: float) -> None:
        """Report once that the host of somebody else's table does not answer."""
        if self.hosting is not None or self.started is not None:
            return
        if not self.outgoing.up:
            self._answer_by = None
            return
        if self._answer_by is None:
            self._answer_by = now + (NEXT_ANSWER if self._known else FIRST_ANSWER)
        if now < self._answer_by:
            return
        offered = self.room is not None and self.room.offer is not None
        if self.seat is None and offered and not self._known:
            # A host answers guests at once; watchers hear what it says from time to time.
            self._known, self._answer_by = True, now + NEXT_ANSWER
            return
        self._answer_by, self._silent = math.inf, True
        carried = all(self.outgoing.carried(body_hash(said[SIGNATURE_BYTES:])) for said in self._said(Join))
        why = "host-away" if carried else "not-carried"
        self.events.append(table_events.NoAnswer(why if offered else "no-table"))

    def _tell_seats(self, now: float) -> None:
        """Announce our decisions as host, at most once a second."""
        if self.hosting is None or self.started is not None or self.room is None:
            return
        if self._tell_seats_at is None or now < self._tell_seats_at:
            return
        self._tell_seats_at = None
        n, seated, away = self._seats_told[0] + 1, tuple(self.admitted), tuple(self._turned_away)[-MOST_AWAY:]
        self._seats_told = n, seated, away
        said = Seated(self.outgoing.channel.table, self.me.key, n, seated, away)
        self.outgoing.post("mv", signed_message(self.me, said))
        self._here_soon(now)

    def _seats_changed(self, now: float) -> None:
        if self._tell_seats_at is None:
            self._tell_seats_at = now + SEATS_PAUSE

    def _withdraw(self, key: bytes, now: float) -> None:
        """Note that somebody closed the room. A guest loses the seat, and asks again after coming back."""
        room = self.room
        if room is None or self.started is not None or key in self._gone or len(self._gone) >= MAX_JOINS:
            return
        if key == room.host:
            self._answer_by = math.inf
            self.events.append(table_events.Withdrawn(key))
        elif self.hosting is None or key in room.joins:
            self._gone.add(key)
            if key in self.admitted:
                self.admitted.remove(key)
                if self._listing is not None:
                    self._listing.due = now
                self._seats_changed(now)
            self.events.append(table_events.Withdrawn(key))

    def _came_again(self, key: bytes, now: float) -> None:
        """Give a guest who was dropped and is here again another chance, up to a limit."""
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
        self._joins[join.key] = join
        if len(self._joins) > 2 * MAX_JOINS:
            del self._joins[next(iter(self._joins))]
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
        """Take the seat of the last admitted stranger, for a guest with an invite at a full table."""
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
        """Return whether a host's message after the start makes this table void for a client that wrote nothing."""
        self._take(letter.key, letter.envelope, now)
        return self.room is not None and self.room.void

    def _playable(self, terms: Terms) -> bool:
        """Return whether we can play by these terms; `rules_for` always follows the terms checked last."""
        if terms != self._terms:
            self._terms, self.rules_for = terms, None
            try:
                self.rules_for = rules_of(terms, self.find)
                if self.seat is not None and agreed_order(terms) != order_of(self.seat.guests):
                    raise Unplayable("order-differs")
            except Unplayable as reason:
                self.rules_for = None
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
            # Our join from before a restart, verbatim.
            self._take(self.me.key, said, now)
        self._say(self.room.join(self.seat.nonce, self.seat.name, self.runner, self.door), now)
        self._here_soon(now)

    def _accept(self, now: float) -> None:
        assert self.room is not None
        try:
            self._say(self.room.accept(), now)
        except Forbidden:
            return

    # The host

    def open(self, now: float) -> None:
        """Offer the table, and join it."""
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
        """Repeat our messages from before the connection."""
        self._here_soon(now)
        if self._listing is not None:
            self._listing.due = now

    def looked_for(self, now: float) -> None:
        """Renew the offer for somebody who has come to the lobby: until then they cannot know that we are here."""
        if self._listing is not None:
            self._listing.hurry(now)

    def close(self) -> None:
        """Withdraw the offer."""
        if self._listing is not None:
            self._listing.close()

    def admit(self, key: bytes, now: float) -> None:
        """Give this guest a seat, as host; propose the game as soon as every seat is taken."""
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
        """Refuse this guest for good, as host; not once a game with them is proposed."""
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
        """Propose a game of the admitted players, as host, if there are enough."""
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
        """Propose again without those who did not accept in time."""
        room = self.room
        assert room is not None
        assert room.latest is not None
        given = room.accepts.get(room.latest.gid, {})
        silent = [key for seat, key in enumerate(room.latest.keys) if seat not in given]
        self.admitted = [key for key in self.admitted if key not in silent]
        self._accept_by = None
        # Those who are still here answer, and get another chance.
        self._seats_changed(now)
        for key in silent:
            if not self._invited(room, key):
                room.preferred.discard(key)
            self._drops[key] = self._drops.get(key, 0) + 1
            self.events.append(table_events.Dropped(key))
        self.propose(now)

    # Both

    def _say(self, envelope: bytes, now: float) -> None:
        """Save a message, apply it ourselves, then send it."""
        self._keep(envelope)
        self._take(self.me.key, envelope, now)
        self.outgoing.send(envelope, now)

    def _keep(self, envelope: bytes) -> None:
        assert self.seat is not None
        if (self.me.key, envelope) not in self.seat.said:
            seat = self.seat.with_said((self.me.key, envelope))
            self.disk.save_seat(seat)
            self.seat = seat

    def own_words(self) -> list[bytes]:
        """Return our messages that latecomers to this room need."""
        return [] if self.seat is None else [envelope for _, envelope in self.seat.said]

    def _said(self, *kinds: type[Message]) -> list[bytes]:
        """Return our own messages of these kinds."""
        return [envelope for envelope in self.own_words() if isinstance(parse(envelope[SIGNATURE_BYTES:]), kinds)]

    def _standing(self) -> list[bytes]:
        """Return our messages that others may lack: our offer or join, and the last ones about a game."""
        return [*self._said(Offer)[:1], *self._said(Join), *self._said(Genesis, Start)[-1:], *self._said(Accept)[-1:]]

    def items(self) -> list[tuple[bytes, bytes]]:
        """Return everything that a latecomer to this room needs, ours and the others'."""
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
        self._say_here(now)
        self._expect_answer(now)
        if self.started is None:
            self.outgoing.stand(self._standing(), now)
            self.outgoing.relog(self.own_words())

    def begun(self, record: str) -> None:
        """Note the name of the game's file in our seat."""
        if self.seat is not None:
            seat = replace(self.seat, record=record)
            self.disk.save_seat(seat)
            self.seat = seat
