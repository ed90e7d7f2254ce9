"""Our own doing: published for the others when it changes, but not often."""

from __future__ import annotations

from wasabi_protocol.game.doings import COMPOSING, LOST, NOTHING
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Doing

from ...net.transport import Publication
from ..carry.outgoing import Outgoing
from ..rules_adapter.sealed_position import SealedPosition

PAUSE = 2.0
"""Least seconds between two messages: nobody learns from them how a turn was put together."""


def last_will(outgoing: Outgoing, run: bytes, n: int) -> Publication:
    """Return the message a broker publishes when we vanish; each has its own `n`, so that every one counts once."""
    lost = Doing(outgoing.channel.table, outgoing.me.key, run, n, 0, LOST)
    topic = outgoing.channel.topic("head", outgoing.me.key)
    return Publication(topic, outgoing.channel.payload(signed_message(outgoing.me, lost)), 1, False)


def say_doing(outgoing: Outgoing, run: bytes, slot: int, what: str) -> None:
    """Publish what we are doing in this run, with a number higher than all before."""
    doing = Doing(outgoing.channel.table, outgoing.me.key, run, next(outgoing.numbers), slot, what)
    outgoing.post("head", signed_message(outgoing.me, doing))


class OwnDoing:
    """Our person's doing; `wish` is what the others should be shown."""

    def __init__(self, session: Session[SealedPosition], outgoing: Outgoing, now: float) -> None:
        self._session = session
        self._outgoing = outgoing
        self.wish = NOTHING
        self._said = (NOTHING, 0)
        self._due = now

    @property
    def _true(self) -> tuple[str, int]:
        """Our doing and the slot it is about; nobody composes a turn that is not theirs."""
        if self.wish != COMPOSING:
            return self.wish, 0
        session = self._session
        return (COMPOSING, session.place.slot) if "bundle" in session.owes else (NOTHING, 0)

    def tick(self, now: float) -> None:
        """Publish a changed doing. Sending a turn needs no message: its slot is closed."""
        what, slot = self._said
        if what == COMPOSING and slot != self._session.place.slot:
            self._said = (NOTHING, 0)
        if self._true != self._said and now >= self._due and self._outgoing.up:
            self._due = now + PAUSE
            self._say()

    def beat(self) -> None:
        """Repeat a lasting doing, for those who have come since."""
        if self._said == self._true != (NOTHING, 0):
            self._say()

    def _say(self) -> None:
        self._said = what, slot = self._true
        say_doing(self._outgoing, self._session.heads.run, slot, what)
