"""Our own doing: what the others may see of it, said when it changes and never often."""

from __future__ import annotations

from wasabi_protocol.game.doings import COMPOSING, LOST, NOTHING
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Doing

from ....net.transport import Publication
from ..carry.outgoing import Outgoing
from ..rules.sealed_position import SealedPosition

PAUSE = 2.0
"""Seconds between two words at least: nobody learns from them how a turn was put together."""


def last_will(outgoing: Outgoing, run: bytes, n: int) -> Publication:
    """What a broker says for us when we vanish; with another `n` for each, so that no broker's word passes for two."""
    lost = Doing(outgoing.channel.table, outgoing.me.key, run, n, 0, LOST)
    topic = outgoing.channel.topic("head", outgoing.me.key)
    return Publication(topic, outgoing.channel.payload(signed_message(outgoing.me, lost)), 1, False)


class OwnDoing:
    """What our person is doing; `wish` is what the others should know of it."""

    def __init__(self, session: Session[SealedPosition], outgoing: Outgoing, now: float) -> None:
        self._session = session
        self._outgoing = outgoing
        self.wish = NOTHING
        self._said = (NOTHING, 0)
        self._n = 0
        self._due = now

    @property
    def _true(self) -> tuple[str, int]:
        """Our word, and the slot that it is about; nobody composes a turn that is not theirs."""
        if self.wish != COMPOSING:
            return self.wish, 0
        session = self._session
        return (COMPOSING, session.place.slot) if "bundle" in session.owes else (NOTHING, 0)

    def tick(self, now: float) -> None:
        """Says what has changed. That a turn was sent need not be said: its slot is over."""
        what, slot = self._said
        if what == COMPOSING and slot != self._session.place.slot:
            self._said = (NOTHING, 0)
        if self._true != self._said and now >= self._due and self._outgoing.up:
            self._due = now + PAUSE
            self._say()

    def beat(self) -> None:
        """Repeats what lasts, for those who have come since."""
        if self._said == self._true != (NOTHING, 0):
            self._say()

    def _say(self) -> None:
        self._said = what, slot = self._true
        self._n += 1
        doing = Doing(self._outgoing.channel.table, self._outgoing.me.key, self._session.heads.run, self._n, slot, what)
        self._outgoing.say("head", signed_message(self._outgoing.me, doing))
