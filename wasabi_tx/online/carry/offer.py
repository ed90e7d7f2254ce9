"""A host's offer of its table, published at the table itself and repeatedly in the lobby."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Closed, Offer, Terms
from wasabi_protocol.table.lobby import RENEW_EVERY
from wasabi_protocol.table.topics import Topic

from ...net.transport import Publication
from .outgoing import Outgoing

RESERVED = 240
"""Counters reserved at a time: two hours of renewed offers."""
RENEW_AT_HOME = 3.0
"""Seconds between two offers on our own broker, where mere watchers cannot announce themselves."""
RENEW_PAUSE = 5.0
"""Least seconds between two offers that differ in nothing but their counter."""


@dataclass(frozen=True)
class Hosting:
    """The choices a host made when it opened the table."""

    terms: Terms
    salt: bytes
    listed: bool
    welcome_all: bool
    """True if everybody who joins is admitted; otherwise the host admits each guest."""
    since: int = 0
    """Time at which the table was opened, in seconds since 1970: counters start above those of the host's last table.
    """
    renew_every: float = RENEW_EVERY
    """Seconds between two offers."""


class TableOffer:
    """Offers with a counter that only grows, even over restarts: lobby readers accept nothing older."""

    def __init__(self, outgoing: Outgoing, me: Identity, hosting: Hosting, door: bytes, name: str) -> None:
        self._outgoing = outgoing
        self._me = me
        self._hosting = hosting
        self._door = door
        self._name = name
        self._counter = self._reserved = hosting.since
        self.due = 0.0
        self._renewed = -RENEW_PAUSE
        self.taken = 1
        self.begun = False

    def restore(self, last: int) -> None:
        """Continue from the last counter used or reserved before a restart."""
        self._counter = self._reserved = last

    def offer(self) -> bytes:
        """Return the next offer."""
        self._counter += 1
        return self._with(self._counter)

    def reserve(self) -> bytes | None:
        """Return an offer to save before the counter advances, so that a restart continues above it; None if not
        needed.
        """
        if self._counter < self._reserved or not self._hosting.listed:
            return None
        self._reserved = self._counter + RESERVED
        return self._with(self._reserved)

    def _with(self, n: int) -> bytes:
        hosting, table = self._hosting, self._outgoing.channel.table
        return signed_message(
            self._me,
            Offer(table, self._me.key, hosting.salt, n, hosting.terms, self._door, self._name, self.taken, self.begun),
        )

    def renew(self, now: float) -> None:
        """Publish the offer with a new counter, so that readers know that we are here."""
        self.due, self._renewed = now + self._hosting.renew_every, now
        if self._hosting.listed:
            self._publish(self.offer())

    def hurry(self, now: float) -> None:
        """Renew the offer soon, but at most every few seconds, however many ask for it."""
        self.due = min(self.due, max(now, self._renewed + RENEW_PAUSE))

    def close(self) -> None:
        """Withdraw the offer from the lobby."""
        if self._hosting.listed:
            self._counter += 1
            self._publish(signed_message(self._me, Closed(self._outgoing.channel.table, self._me.key, self._counter)))
            self._publish(b"")

    def _publish(self, payload: bytes) -> None:
        topic = Topic(self._outgoing.channel.realm, "lobby", key_text(self._me.key))
        self._outgoing.publications.append(Publication(str(topic), payload, 1, True))
