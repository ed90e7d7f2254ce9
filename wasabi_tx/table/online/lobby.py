"""A lobby on a broker: the tables that are offered there, who is present, a line of talk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from typing import Literal

from wasabi_protocol.signed.codec import open_as, signed_message
from wasabi_protocol.signed.identity import Identity, fingerprint, key_text, parse_key
from wasabi_protocol.signed.messages import Say
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.knocking import GuestAtTheDoor
from wasabi_protocol.table.lobby import Checks, Lobby, Presence
from wasabi_protocol.table.topics import Topic, lobby_filters, parse_topic
from wasabi_protocol.verdicts import Verdict

from ...net.address import Address
from ...net.transport import Arrived, Connected, Lost, Publication, Transport
from ...text.foreign import NAME, clean
from ..game import Link
from .beginnings import table_beginning
from .client.talk import TalkFilter, shown_name
from .invites import carrier_at, invite_to, watch_invite
from .keep.people import known_people
from .knocking import HOPELESS, BadKnock, knock, knocking_address
from .machine import Machine

OTHERS = 1.0
"""Seconds for which a table that begins as somebody typed is held back, in case that others begin so, too."""


@dataclass(frozen=True)
class Offering:
    """A table as a list shows it; every word of it is harmless."""

    table: str
    host: str
    fingerprint: str
    edition: str
    seats: int
    taken: int
    begun: bool
    fresh: bool
    """False until it was renewed before our eyes: it may be a dead one that the broker kept."""
    age: int
    clock: int
    """Seconds a turn before the others may vote; 0 for no end."""
    options: tuple[str, ...]
    invite: str
    watch: str
    least: int
    """With how many players its host may start."""


@dataclass(frozen=True)
class Present:
    """Somebody else in the lobby; every word of it is harmless."""

    name: str
    table: str = ""
    """The table that they host."""
    playing: bool = False
    """Whether the game there has begun."""


@dataclass(frozen=True)
class Spoken:
    """A line of talk in the lobby."""

    who: str
    text: str


Changed = Literal["list", "people"]
"""What to look at again."""


class LobbyClient:
    """What one reader sees on one broker. It publishes its own presence, and talk; and it knocks, if that is wanted."""

    def __init__(
        self,
        home: Machine,
        address: Address,
        known: Collection[bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
        listens_only: bool = False,
    ) -> None:
        """With `listens_only` nobody sees that we are there: a host is already to be seen by its table."""
        self._home = home
        self._address = address
        self._me: Identity = home.me
        self.kept_back = home.kept_back(address)
        """Whether a password of this machine was not sent to the broker; see `Machine`."""
        self._listens_only = listens_only
        self._transport: Transport = home.connect([home.credentials(address)])
        self._clock = clock
        self._checks = Checks(known_people(home.games) if known is None else known)
        self._offers = Lobby(checks=self._checks)
        self._presence = Presence(self._me.key, os.urandom(16), self._checks, home.name)
        self._first_seen: dict[str, float] = {}
        self._talk = TalkFilter()
        self._said = 0
        self._knocked = 0
        self.writes = False
        """Whether the broker carries what we say: we have heard our own word."""

    async def changes(self) -> AsyncIterator[Changed | Link | Spoken]:
        """Opens the connection, then says each time what has changed."""
        self._transport.subscribe(lobby_filters(self._home.realm))
        self._transport.open(None if self._listens_only else self._will)
        async for item in self._transport.events():
            match item:
                case Connected():
                    self.writes = False
                    self._tell_birth()
                    yield Link(True)
                case Lost(reason):
                    yield Link(False, reason)
                case Arrived(topic, payload, retained):
                    try:
                        changed = self.receive(topic, payload, retained)
                    except Verdict:
                        continue
                    if changed is not None:
                        yield changed

    def receive(self, topic: str, payload: bytes, retained: bool) -> Changed | Spoken | None:
        """Takes in one message; `Refused` for whatever is not as it must be."""
        place = parse_topic(topic)
        if place.table or place.realm != self._home.realm:
            return None
        key, now = parse_key(place.author), self._clock()
        if place.kind == "lobby":
            return "list" if self._offers.receive(key, payload, retained, now) else None
        if place.kind == "who":
            self.writes = self.writes or (key == self._me.key and payload == self._birth())
            before = self._presence.names
            if self._presence.receive(key, payload, now):
                self._tell_birth()
            return "people" if self._presence.names != before else None
        return self._heard(key, payload, now)

    def _heard(self, key: bytes, payload: bytes, now: float) -> Spoken | None:
        self._checks.spend(key, now)
        _, line = open_as(Say, key, payload)
        text = clean(line.text)
        if line.key != key or line.table or not text or not self._talk.hear(key, line.n, now):
            return None
        return Spoken(self._name_of(key, now), text)

    def _name_of(self, key: bytes, now: float) -> str:
        """What somebody who talks is called: by name, and by the key, which nobody can borrow."""
        mark = fingerprint(key)[:9]
        hosts = {listed.offer.key: listed.offer.name for listed in self._offers.offers(now)}
        name = clean({**hosts, **self._presence.names}.get(key, ""), NAME)
        return f"{name} ({mark})" if name else mark

    def offers(self) -> list[Offering]:
        """The tables that are offered now."""
        now = self._clock()
        found = []
        for listed in self._offers.offers(now):
            offer = listed.offer
            since = self._first_seen.setdefault(offer.table, now)
            invite = invite_to([carrier_at([self._address])], self._home.realm, offer.table, offer.key)
            found.append(
                Offering(
                    offer.table,
                    shown_name(offer.name, offer.key),
                    fingerprint(offer.key),
                    clean(offer.terms.edition, 20),
                    offer.terms.most,
                    offer.taken,
                    offer.begun,
                    listed.fresh,
                    int(now - since),
                    offer.terms.clock,
                    offer.terms.options,
                    format_invite(invite),
                    format_invite(watch_invite(invite)),
                    offer.terms.least,
                )
            )
        self._first_seen = {table: self._first_seen[table] for table in (one.table for one in found)}
        return found

    @property
    def people(self) -> tuple[str, ...]:
        """What the others who are present are called, known ones first; every word of it is harmless."""
        others = [(key, name) for key, name in self._presence.names.items() if key != self._me.key]
        others.sort(key=lambda one: one[0] not in self._checks.known)
        return tuple(shown_name(name, key) for key, name in others)

    @property
    def present(self) -> tuple[Present, ...]:
        """Everybody else who is here: hosts whose tables we have seen alive, then the `people` who host none."""
        offers = [listed.offer for listed in self._offers.offers(self._clock()) if listed.fresh]
        hosts = {offer.key: offer for offer in offers if offer.key != self._me.key}
        others = [(key, name) for key, name in self._presence.names.items() if key not in {*hosts, self._me.key}]
        others.sort(key=lambda one: one[0] not in self._checks.known)
        return (
            *(Present(shown_name(one.name, one.key), one.table, one.begun) for one in hosts.values()),
            *(Present(shown_name(name, key)) for key, name in others),
        )

    def say(self, text: str) -> None:
        """A line of our own."""
        line = clean(text)
        if line:
            self._said = max(self._said + 1, int(time.time()))
            say = signed_message(self._me, Say("", self._me.key, self._said, line))
            topic = Topic(self._home.realm, "say", key_text(self._me.key))
            self._transport.publish(Publication(str(topic), say, 0, False))

    async def knock(self, table: str) -> str:
        """The invite to one of these tables, if its host lets us in; `BadKnock` says why there is none.

        It takes as long as the host does; whoever is cancelled meanwhile has gone.
        """
        offers = (listed.offer for listed in self._offers.offers(self._clock()))
        host = next((offer.key for offer in offers if offer.table == table), None)
        if host is None:
            raise BadKnock("closed")
        self._knocked = max(self._knocked, int(time.time()))
        guest = GuestAtTheDoor(self._me, self._home.name, table, host, self._knocked)
        address = knocking_address(self._home.credentials(self._address))
        try:
            return await knock(self._home.connect([address]), guest)
        finally:
            self._knocked = guest.n

    def _birth(self) -> bytes:
        return signed_message(self._me, self._presence.birth())

    def _tell_birth(self) -> None:
        if not self._listens_only:
            self._transport.publish(self._about_me(self._birth()))

    def _will(self) -> Publication:
        return self._about_me(signed_message(self._me, self._presence.will()))

    def _about_me(self, envelope: bytes) -> Publication:
        return Publication(str(Topic(self._home.realm, "who", key_text(self._me.key))), envelope, 1, True)

    async def find(self, beginning: str, patience: float) -> str:
        """The name of the table that begins so; `BadKnock` if none is offered within so many seconds.

        `SeveralTables` if more than one begins so. It reads `changes`, which nobody else may do then.
        """
        found: str | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience) as limit:
                async for change in self.changes():
                    if isinstance(change, Link) and not change.up and change.reason in HOPELESS:
                        raise BadKnock("password")
                    before = found
                    found = table_beginning(beginning, [one.offer.table for one in self._offers.offers(self._clock())])
                    if found == beginning:
                        return found
                    if found and not before:
                        # Another one may still be on its way, perhaps a stranger's.
                        limit.reschedule(asyncio.get_running_loop().time() + OTHERS)
        if found is None:
            raise BadKnock("closed")
        return found

    async def close(self) -> None:
        if not self._listens_only:
            self._transport.publish(self._will())
        await self._transport.close()
