"""Outgoing messages: sent at once, repeated until the broker echoes them or they no longer matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from wasabi_protocol.game.catch_up import log_chunks
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.envelope import body_hash
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Chunk
from wasabi_protocol.table.channel import Channel

from ...net.transport import Publication

FIRST_WAIT = 2.0
LONGEST_WAIT = 30.0
CHUNK_EVERY = 5.0
"""Seconds between publications of chunks: they are the largest messages of a game, and only latecomers read them."""
CACHE_EVERY = 600.0
"""Seconds after which the retained messages are published again, because brokers forget them."""
CAN_WAIT = ("log", "ask", "ans")
"""Kinds of messages that only clients with gaps need: moves, votes and heads go first."""


@dataclass
class Standing:
    """A message that others may still need to hear from us."""

    envelope: bytes
    wait: float
    due: float


class Outgoing:
    """The outgoing side of one client at one table."""

    def __init__(self, channel: Channel, me: Identity) -> None:
        self.channel = channel
        self.me = me
        self.publications: list[Publication] = []
        """Messages to publish, in order."""
        self.up = False
        self.numbers = count(1)
        """Counter of our doings, which grows through the waiting room and the game."""
        self.hurry: Callable[[], None] = lambda: None
        """Called to publish pending messages before other work is done."""
        self._unechoed: dict[bytes, Standing] = {}
        self._standing: dict[bytes, Standing] = {}
        self._entries: list[bytes] = []
        self._chunks: list[Chunk] = []
        self._dirty: set[int] = set()
        self._chunks_due = 0.0
        self._cache_due = 0.0

    def drain(self) -> list[Publication]:
        """Return the pending publications and clear the list."""
        taken, self.publications = self.publications, []
        return taken

    # Moves, repeated until echoed

    def send(self, envelope: bytes, now: float) -> None:
        """Publish a message of the table's life, and repeat it until its echo arrives."""
        self._unechoed[body_hash(envelope[SIGNATURE_BYTES:])] = Standing(envelope, FIRST_WAIT, now + FIRST_WAIT)
        self._publish(envelope)

    def arrived(self, name: bytes) -> None:
        """Stop repeating our message with this body hash: it came back, or everyone signed for it."""
        self._unechoed.pop(name, None)

    def carried(self, name: bytes) -> bool:
        """Return whether our own message with this body hash came back, or was sent before this program started."""
        return name not in self._unechoed

    @property
    def all_carried(self) -> bool:
        """True if all our own messages came back."""
        return not self._unechoed

    @property
    def stuck(self) -> bool:
        """True if one of our messages cannot be sent now, or was not echoed in time."""
        return any(not self.up or standing.wait > FIRST_WAIT for standing in self._unechoed.values())

    def stand(self, envelopes: list[bytes], now: float) -> None:
        """Set the messages that others may lack although they were carried; repeat them more and more slowly."""
        kept = {envelope: self._standing.get(envelope) for envelope in envelopes}
        self._standing = {
            envelope: known or Standing(envelope, 2 * FIRST_WAIT, now + 2 * FIRST_WAIT)
            for envelope, known in kept.items()
        }

    def _publish(self, envelope: bytes) -> None:
        self.post("mv", envelope)

    def post(self, kind: str, envelope: bytes, qos: int = 1, retain: bool = False, n: int | None = None) -> None:
        """Publish once."""
        self._put(kind, self.channel.payload(envelope), qos, retain, n)

    def _put(self, kind: str, payload: bytes, qos: int, retain: bool, n: int | None = None) -> None:
        topic = self.channel.topic(kind, self.me.key, n)
        self.publications.append(Publication(topic, payload, qos, retain, kind in CAN_WAIT))

    # The cache for latecomers

    def relog(self, envelopes: list[bytes]) -> None:
        """Set the whole retained log; only the chunks that changed are published again."""
        if envelopes == self._entries:
            return
        chunks = log_chunks(self.channel.table, self.me.key, envelopes)
        self._dirty = {chunk.n for chunk in chunks if chunk.n in self._dirty or chunk not in self._chunks}
        self._entries, self._chunks = envelopes, chunks

    def _publish_chunks(self) -> None:
        for n in sorted(self._dirty):
            self.post("log", signed_message(self.me, self._chunks[n]), retain=True, n=n)
        self._dirty.clear()

    # Time

    def connected(self, now: float) -> None:
        """Publish everything that is pending again, and the whole cache."""
        self.up = True
        for standing in (*self._unechoed.values(), *self._standing.values()):
            self._publish(standing.envelope)
            standing.wait, standing.due = FIRST_WAIT, now + FIRST_WAIT
        self._dirty = set(range(len(self._chunks)))
        self._chunks_due, self._cache_due = now, now + CACHE_EVERY

    def lost(self) -> None:
        self.up = False

    def tick(self, now: float) -> None:
        if not self.up:
            return
        for standing in (*self._unechoed.values(), *self._standing.values()):
            if now >= standing.due:
                self._publish(standing.envelope)
                standing.wait = min(2 * standing.wait, LONGEST_WAIT)
                standing.due = now + standing.wait
        if now >= self._cache_due:
            self._dirty = set(range(len(self._chunks)))
            self._cache_due = now + CACHE_EVERY
        if self._dirty and now >= self._chunks_due:
            self._publish_chunks()
            self._chunks_due = now + CHUNK_EVERY

    def clear(self) -> None:
        """Delete our retained messages at this table, because nobody needs the cache any more."""
        self._put("head", b"", 1, True)
        for chunk in self._chunks:
            self._put("log", b"", 1, True, chunk.n)

    def flush(self) -> None:
        """Publish the cache at once, because this client is about to close."""
        self._publish_chunks()
