"""A lobby on a broker: the tables that are offered there, who is present, a line of talk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from typing import Literal

from wasabi_protocol.signed.codec import parse_as, signed_message
from wasabi_protocol.signed.identity import Identity, fingerprint, key_text, parse_key
from wasabi_protocol.signed.messages import Say
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.knocking import GuestAtTheDoor
from wasabi_protocol.table.lobby import Checks, Lobby, Presence
from wasabi_protocol.table.topics import Topic, lobby_filters, parse_topic
from wasabi_protocol.verdicts import Verdict

from ..games.game import Link
from ..net.address import Address
from ..net.transport import Arrived, Connected, Lost, Publication, Transport
from ..text.foreign import NAME, clean
from .beginnings import table_beginning
from .client.talk import TalkFilter, shown_name
from .invites import carrier_at, invite_to, watch_invite
from .knocking import HOPELESS, BadKnock, knock, knocking_address
from .machine import Machine
from .saved.people import known_people

ECHO = 3.0
"""Seconds in which a broker that carries our messages has sent us our own."""
OTHERS = 1.0
"""Seconds to wait for other tables with the same prefix before one is chosen."""


@dataclass(frozen=True)
class Offering:
    """A table as a list shows it; all text is cleaned."""

    table: str
    host: str
    fingerprint: str
    edition: str
    seats: int
    taken: int
    begun: bool
    fresh: bool
    """False until the offer was renewed while we watched: it may be a dead one that the broker retained."""
    age: int
    clock: int
    """Seconds a turn may take before the others may vote; 0 for no limit."""
    options: tuple[str, ...]
    invite: str
    watch: str
    least: int
    """Fewest players with which its host may start."""


@dataclass(frozen=True)
class Present:
    """Somebody else in the lobby; all text is cleaned."""

    name: str
    table: str = ""
    """The table that they host."""
    playing: bool = False
    """True if the game there has begun."""


@dataclass(frozen=True)
class Spoken:
    """A line of talk in the lobby."""

    who: str
    text: str


Changed = Literal["list", "people"]
"""The part of the lobby that changed."""


class LobbyClient:
    """One reader's view of the lobby on one broker. It publishes its own presence and talk, and knocks on request."""

    def __init__(
        self,
        home: Machine,
        address: Address,
        known: Collection[bytes] | None = None,
        clock: Callable[[], float] = time.monotonic,
        listens_only: bool = False,
    ) -> None:
        """Set up the reader; with `listens_only` we stay invisible, because a host is already visible by its table."""
        self._home = home
        self.address = address
        self._me: Identity = home.me
        self.kept_back = home.kept_back(address)
        """True if a password of this machine was not sent to the broker; see `Machine`."""
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
        """True if the broker carries our messages: we have heard our own."""
        self._since: float | None = None
        """When we were connected, while we are."""

    async def changes(self) -> AsyncIterator[Changed | Link | Spoken]:
        """Open the connection, then yield each change."""
        self._transport.subscribe(lobby_filters(self._home.realm))
        self._transport.open(None if self._listens_only else self._will)
        async for item in self._transport.events():
            match item:
                case Connected():
                    self.writes, self._since = False, self._clock()
                    self._tell_birth()
                    yield Link(True)
                case Lost(reason):
                    self._since = None
                    yield Link(False, reason)
                case Arrived(topic, payload, retained):
                    try:
                        changed = self.receive(topic, payload, retained)
                    except Verdict:
                        continue
                    if changed is not None:
                        yield changed

    @property
    def watches_only(self) -> bool:
        """True if the broker has had time to send us what we published, and has not."""
        return not self.writes and self._since is not None and self._clock() - self._since >= ECHO

    @property
    def settled(self) -> bool:
        """True if everybody has answered: our own message came back, and every table has said that it is there."""
        return self.writes and all(listed.fresh for listed in self._offers.offers(self._clock()))

    def receive(self, topic: str, payload: bytes, retained: bool) -> Changed | Spoken | None:
        """Receive one message; raise `Refused` if it is invalid."""
        place = parse_topic(topic)
        if place.table or place.realm != self._home.realm:
            return None
        key, now = parse_key(place.author), self._clock()
        if place.kind == "lobby":
            return "list" if self._offers.receive(key, payload, retained, now) else None
        if place.kind == "who":
            before = self.writes, self._presence.names
            self.writes = self.writes or (key == self._me.key and payload == self._birth())
            if self._presence.receive(key, payload, now):
                self._tell_birth()
            return "people" if (self.writes, self._presence.names) != before else None
        return self._heard(key, payload, now)

    def _heard(self, key: bytes, payload: bytes, now: float) -> Spoken | None:
        line = parse_as(Say, self._checks.open(key, payload, now).body)
        text = clean(line.text)
        if line.key != key or line.table or not text or not self._talk.hear(key, line.n, now):
            return None
        return Spoken(self._name_of(key, now), text)

    def _name_of(self, key: bytes, now: float) -> str:
        """Return a speaker's name with part of their key, which nobody else can use."""
        mark = fingerprint(key)[:9]
        hosts = {listed.offer.key: listed.offer.name for listed in self._offers.offers(now)}
        name = clean({**hosts, **self._presence.names}.get(key, ""), NAME)
        return f"{name} ({mark})" if name else mark

    def offers(self) -> list[Offering]:
        """Return the tables that are offered now."""
        now = self._clock()
        found = []
        for listed in self._offers.offers(now):
            offer = listed.offer
            since = self._first_seen.setdefault(offer.table, now)
            invite = invite_to([carrier_at([self.address])], self._home.realm, offer.table, offer.key)
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
        """Names of the others who are present, known ones first; all text is cleaned."""
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

    def send_talk(self, text: str) -> None:
        """Send a line of talk."""
        line = clean(text)
        if line:
            self._said = max(self._said + 1, int(time.time()))
            say = signed_message(self._me, Say("", self._me.key, self._said, line))
            topic = Topic(self._home.realm, "say", key_text(self._me.key))
            self._transport.publish(Publication(str(topic), say, 0, False))

    async def knock(self, table: str) -> str:
        """Return the invite to a table here if its host lets us in; raise `BadKnock` with the reason if not.

        It takes as long as the host does; cancelling it withdraws the knock.
        """
        offers = (listed.offer for listed in self._offers.offers(self._clock()))
        host = next((offer.key for offer in offers if offer.table == table), None)
        if host is None:
            raise BadKnock("closed")
        self._knocked = max(self._knocked, int(time.time()))
        guest = GuestAtTheDoor(self._me, self._home.name, table, host, self._knocked)
        address = knocking_address(self._home.credentials(self.address))
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
        """Return the message for the broker to publish when it loses this connection, with a new run."""
        self._presence.renew(os.urandom(16))
        return self._off()

    def _off(self) -> Publication:
        return self._about_me(signed_message(self._me, self._presence.will()))

    def _about_me(self, envelope: bytes) -> Publication:
        return Publication(str(Topic(self._home.realm, "who", key_text(self._me.key))), envelope, 1, True)

    async def find(self, beginning: str, patience: float) -> str:
        """Return the table with this prefix; raise `BadKnock` if none is offered within `patience` seconds.

        Raise `SeveralTables` if more than one has this prefix. This reads `changes`, which nobody else may do
        meanwhile.
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
                        # Another one may still arrive, perhaps a stranger's.
                        limit.reschedule(asyncio.get_running_loop().time() + OTHERS)
        if found is None:
            raise BadKnock("closed")
        return found

    async def close(self) -> None:
        if not self._listens_only:
            self._transport.publish(self._off())
        await self._transport.close()
