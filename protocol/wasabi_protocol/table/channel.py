"""The channel of one table on a broker: topics and payloads to send, and verified letters from what arrives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import named_key, parse
from wasabi_protocol.signed.envelope import MAX_PAYLOAD, Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, key_text, parse_key
from wasabi_protocol.signed.messages import Answer, Chunk
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.table.topics import (
    Topic,
    check_message,
    log_filters,
    may_hold,
    parse_topic,
    room_filters,
    table_filters,
)
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.envelope import Item
    from wasabi_protocol.signed.messages import Message
    from wasabi_protocol.table.invite import Invite

MAX_KNOWN = 512
_VERSION, _TYPE, _NAME_AT = b"\xa1v", b"\xa1t", SIGNATURE_BYTES + 7
"""Start of each body after the byte that counts its fields: `v`, a digit, `t`, then the name of its type."""
_LEAST_BODY = 48
"""Size in bytes of the shortest body: it names its type and a game, table or key."""


@dataclass(frozen=True)
class Letter:
    """A verified envelope with the topic it arrived on; `message` is None for an entry of the log."""

    topic: Topic
    signed: Signed
    message: Message | None

    @property
    def key(self) -> bytes:
        return self.signed.key

    @property
    def envelope(self) -> bytes:
        return self.signed.envelope

    @property
    def items(self) -> list[Item]:
        """The envelopes it delivers: those that an answer or a chunk relays, otherwise its own."""
        match self.message:
            case Chunk(_, key, _, entries):
                return [(key, envelope) for envelope in entries]
            case Answer(_, _, relayed):
                return list(relayed)
        return [(self.key, self.envelope)]


class Channel:
    """One table on one broker. At a private table, outsiders can neither read a payload nor tell whose it is."""

    def __init__(self, realm: str, table: str, private: PrivateTable | None = None) -> None:
        self.realm = realm
        self.table = table
        self.private = private
        self._keys: dict[str, bytes] = {}
        # The field after the type: the game, which not every client knows, this table, or the author's key.
        self._names = (b"\xa3gid\xc4 ", b"\xa5table\xba" + table.encode() + b"\xa3key\xc4 ", b"\xa3key\xc4 ")

    @classmethod
    def for_invite(cls, invite: Invite) -> Channel:
        """Return the channel that an invite leads to; at a private table, its secret opens the payloads."""
        secret = invite.read_key or (read_key(invite.play_key) if invite.play_key else b"")
        return cls(invite.realm, invite.table, PrivateTable(secret) if secret else None)

    def author(self, key: bytes) -> str:
        """Return a key as a level of a topic."""
        return key_text(key) if self.private is None else self.private.author(key)

    def learn(self, key: bytes) -> None:
        """Remember a key, so that its hidden name in a private table's topics can be resolved."""
        if self.private is None:
            return
        self._keys.pop(self.private.author(key), None)
        self._keys[self.private.author(key)] = key
        if len(self._keys) > MAX_KNOWN:
            del self._keys[next(iter(self._keys))]

    def topic(self, kind: str, key: bytes, n: int | None = None) -> str:
        """Return the topic under which a key publishes messages of one kind, such as `mv` or `ask`."""
        return str(Topic(self.realm, kind, self.author(key), self.table, n))

    def payload(self, envelope: bytes) -> bytes:
        """Return the payload to publish for an envelope; at a private table it is sealed."""
        return envelope if self.private is None else self.private.seal(envelope)

    def room_filters(self, whole: bool = False) -> list[str]:
        """Return the filters to subscribe to before the game: all messages, and the first chunk of every log.

        With `whole`, and at every private table, as few filters as possible are used.
        """
        return room_filters(self.realm, self.table, private=whole or self.private is not None)

    def game_filters(self, keys: tuple[bytes, ...] | None, logs: bool) -> list[str]:
        """Return the filters to subscribe to in the game: the seats, all asks and chat, and with `logs` the retained
        logs.

        Without keys, and at a private table, they cover every message of the table.
        """
        authors = None if self.private is not None or keys is None else [self.author(key) for key in keys]
        filters = table_filters(self.realm, self.table, authors)
        return [*filters, *log_filters(self.realm, self.table, authors)] if logs else filters

    def place(self, topic: str, payload: bytes) -> Topic:
        """Parse the topic and check that the message can belong to this table; the payload is not read yet."""
        if len(payload) > MAX_PAYLOAD:
            raise Refused(Code.TOO_LONG)
        place = parse_topic(topic)
        if place.table != self.table or place.realm != self.realm:
            raise Refused(Code.WRONG_TABLE)
        return place

    def worth_reading(self, topic: str, payload: bytes) -> bool:
        """Return whether a payload has the shape of a message of this table; its signature is not checked.

        This takes a few microseconds, changes nothing and may be called from any thread.
        """
        try:
            envelope = payload if self.private is None else self.private.open(payload)
            if len(envelope) < SIGNATURE_BYTES + _LEAST_BODY or not self._has_shape(envelope):
                return False
            return may_hold(self.place(topic, payload).kind, _type_name(envelope))
        except Refused:
            return False

    def _has_shape(self, envelope: bytes) -> bool:
        start = SIGNATURE_BYTES + 1
        if not envelope.startswith(_VERSION, start) or not envelope.startswith(_TYPE, start + 3):
            return False
        return envelope.startswith(self._names, _NAME_AT + len(_type_name(envelope)))

    def verify(self, place: Topic, payload: bytes) -> Signed:
        """Check the size and then the signature of the envelope in a payload; nothing is parsed."""
        envelope = payload if self.private is None else self.private.open(payload)
        return open_envelope(self._author_key(place.author, envelope[SIGNATURE_BYTES:]), envelope)

    def parse(self, place: Topic, signed: Signed) -> Letter:
        """Parse a verified message and check that it belongs under its topic."""
        if read_header(signed.body) is not None:
            if place.kind != "mv":
                raise Refused(Code.WRONG_TOPIC)
            return Letter(place, signed, None)
        message = parse(signed.body)
        check_message(place, signed.key, message)
        return Letter(place, signed, message)

    def read(self, topic: str, payload: bytes) -> Letter:
        """Check the size, then the signature, then the content of a message; raise Refused if any is wrong."""
        place = self.place(topic, payload)
        return self.parse(place, self.verify(place, payload))

    def _author_key(self, author: str, body: bytes) -> bytes:
        """Return the key in a topic; where names are hidden, one that we know or that the body names."""
        if self.private is None:
            return parse_key(author)
        key = self._keys.get(author) or named_key(body)
        if key is None or self.private.author(key) != author:
            raise Refused(Code.WRONG_KEY, "whose name this hides is not known")
        return key


def _type_name(envelope: bytes) -> bytes:
    """Return the type name in an envelope; the byte before it gives its length."""
    return envelope[_NAME_AT : _NAME_AT + (envelope[_NAME_AT - 1] & 31)]
