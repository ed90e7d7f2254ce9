"""Seeking anybody to play with, over real brokers: a seek to everybody, knocks at the tables of others, one answer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from wasabi_protocol.signed.messages import Seek, Terms
from wasabi_protocol.table.invite import Invite
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.knocking import Doorkeeper, GuestAtTheDoor
from wasabi_protocol.table.seeking import SEEK_EVERY, Seekers, is_worth_reading, seek_payload, seek_terms
from wasabi_protocol.table.topics import knock_topic, knocked_topic, seek_topic
from wasabi_protocol.verdicts import Refused

from ..net.transport import Arrived, Connected, Publication, Transport
from .invites import BadInvite, read_invite, ways_of
from .machine import Machine

REPEAT = 2.0
"""Seconds after which a knock is repeated."""
PATIENCE = 6.0
"""Seconds after which a table that does not answer is given up."""
MOST_KNOCKS = 8
"""Tables at which we knock at once; the first that answers is ours."""


def today() -> date:
    """Return today's date in UTC: the topic of the day is the same everywhere."""
    return datetime.now(UTC).date()


@dataclass(slots=True)
class _Asked:
    """A table at which we knock."""

    guest: GuestAtTheDoor
    until: float
    again: float


@dataclass(frozen=True, slots=True)
class Met:
    """Somebody to play with: a guest who has our invite, or a host whose invite we have."""

    key: bytes
    invite: str = ""
    """The invite to their table; empty if they come to ours."""


class Seeking:
    """Our search for anybody, from the first seek until the game has begun; `run` it, and wait for `met`."""

    def __init__(
        self,
        transport: Transport,
        machine: Machine,
        invite: Invite,
        terms: Terms,
        brokers: Collection[tuple[str, int]],
        known: Collection[bytes] = (),
        day: Callable[[], date] = today,
        not_before: float = 0.0,
    ) -> None:
        """Set up the search; `invite` leads to our own private table, which need not be open yet.

        A stranger's invite is taken only if it names no other `brokers`, each a host and a port: nobody can make us
        connect to a machine of theirs.
        `not_before` is the loop's time of the first seek: somebody who seeks again waits as long as between two.
        """
        self.met: asyncio.Future[Met] = asyncio.get_running_loop().create_future()
        self.up = asyncio.Event()
        """Set once a broker is reached."""
        self.next_seek = not_before
        """The loop's time at which we may seek again."""
        self._transport = transport
        self._me = me = machine.me
        self._name = machine.name
        self._table = table = invite.table
        self._invite = format_invite(invite)
        self._terms = seek_terms(terms)
        self._realm = machine.realm
        self._brokers = frozenset(brokers)
        self._day = day
        self._door = Doorkeeper(me, table, known)
        self._seekers = Seekers(me.key, self._terms, known)
        self._asked: dict[bytes, _Asked] = {}
        self._n = int(time.time())

    async def run(self) -> None:
        """Seek until cancelled, then close the connection; answer whoever was met for as long as they ask again."""
        loop, seeking = asyncio.get_running_loop(), asyncio.create_task(self._seek())
        self._transport.subscribe([knock_topic(self._table), knocked_topic(self._me.key), *self._days()])
        self._transport.open(screens=lambda: self._screen)
        try:
            events = self._transport.events()
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(min((one.again for one in self._asked.values()), default=None)):
                        item = await anext(events)
                        if isinstance(item, Connected):
                            self.up.set()
                        elif isinstance(item, Arrived) and not item.retained:
                            with contextlib.suppress(Refused):
                                self._hear(item, loop.time())
                        # Key presses are handled however many seek.
                        await asyncio.sleep(0)
                self._knock_again(loop.time())
        finally:
            seeking.cancel()
            await asyncio.gather(seeking, return_exceptions=True)
            self._withdraw()
            await self._transport.close()

    def _days(self) -> dict[str, str]:
        """Return the days whose seeks we hear, by topic: clocks differ, and midnight comes."""
        days = (self._day() + timedelta(days=days) for days in (-1, 0, 1))
        return {seek_topic(self._realm, day.isoformat()): day.isoformat() for day in days}

    def _screen(self, topic: str, payload: bytes) -> bool:
        """Return whether a message is worth reading, in the thread of its connection: forged seeks wake nobody."""
        day = self._days().get(topic)
        return day is None or is_worth_reading(payload, day)

    async def _seek(self) -> None:
        """Say that we seek, at once and then every half a minute, until somebody is met."""
        loop = asyncio.get_running_loop()
        await self.up.wait()
        while True:
            await asyncio.wait([self.met], timeout=max(0.0, self.next_seek - loop.time()))
            if self.met.done():
                return
            self.next_seek = loop.time() + SEEK_EVERY
            self._n, day = max(self._n + 1, int(time.time())), self._day().isoformat()
            seek = Seek(self._table, self._me.key, self._n, self._terms)
            # The work is done outside the loop so that a screen can show that we seek.
            payload = await asyncio.to_thread(seek_payload, self._me, seek, day)
            self._transport.publish(Publication(seek_topic(self._realm, day), payload))

    def _hear(self, item: Arrived, now: float) -> None:
        if item.topic == knock_topic(self._table):
            answer = self._door.receive(item.payload, now)
            if answer is not None:
                self._transport.publish(Publication(knocked_topic(answer.guest), answer.envelope))
            self._let_in(now)
        elif self.met.done():
            return
        elif item.topic == knocked_topic(self._me.key):
            self._answered(item.payload)
        elif (day := self._days().get(item.topic)) is not None:
            seek = self._seekers.receive(item.payload, day, now)
            if seek is not None and len(self._asked) < MOST_KNOCKS:
                guest = GuestAtTheDoor(self._me, self._name, seek.table, seek.key, int(time.time()))
                self._asked[seek.key] = _Asked(guest, now + PATIENCE, now)

    def _let_in(self, now: float) -> None:
        """Give the invite to the first who knocks; of two who knock at each other, the lower key is the host."""
        for one in self._door.waiting:
            if self.met.done():
                return
            if one.key not in self._asked or self._me.key < one.key:
                admitted = self._door.admit(one.key, self._invite, now)
                assert admitted is not None, "they wait at the door"
                self._transport.publish(Publication(knocked_topic(admitted.guest), admitted.envelope))
                self._withdraw()
                self.met.set_result(Met(one.key))

    def _answered(self, payload: bytes) -> None:
        """Take the first answer to one of our knocks."""
        for key, asked in [*self._asked.items()]:
            with contextlib.suppress(Refused):
                asked.guest.receive(payload)
                if not self._may_follow(asked.guest.invite, asked.guest.table):
                    self._go_from(key)
                else:
                    del self._asked[key]
                    self._withdraw()
                    self.met.set_result(Met(key, asked.guest.invite or ""))
                return

    def _knock_again(self, now: float) -> None:
        """Knock at tables that have not answered; give up those that were asked long enough."""
        for key, asked in [*self._asked.items()]:
            if now >= asked.until:
                self._go_from(key)
            elif now >= asked.again:
                asked.again = min(asked.until, now + REPEAT)
                self._transport.publish(Publication(knock_topic(asked.guest.table), asked.guest.knock()))

    def _withdraw(self) -> None:
        """Leave all doors at which we knock."""
        for key in [*self._asked]:
            self._go_from(key)

    def _go_from(self, key: bytes) -> None:
        guest = self._asked.pop(key).guest
        self._transport.publish(Publication(knock_topic(guest.table), guest.knock(gone=True)))

    def _may_follow(self, invite: str | None, table: str) -> bool:
        """Return whether an invite leads to this table, with a seat, over brokers that strangers may name."""
        try:
            way = read_invite(invite or "")
            named = {(address.host, address.port) for one in ways_of(way) for address in one}
        except BadInvite:
            return False
        return way.table == table and not way.watch and named <= self._brokers
