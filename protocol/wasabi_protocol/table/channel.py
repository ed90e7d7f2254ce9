"""The channel of one table on a broker: topics and payloads of what we send, verified letters from what arrives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import named_key, parse
from wasabi_protocol.signed.envelope import MAX_PAYLOAD, Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, key_text, parse_key
from wasabi_protocol.signed.messages import Answer, Chunk
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.table.topics import Topic, check_message, log_filters, parse_topic, room_filters, table_filters
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.signed.envelope import Item
    from wasabi_protocol.signed.messages import Message
    from wasabi_protocol.table.invite import Invite

MAX_KNOWN = 512


@dataclass(frozen=True)
class Letter:
    """A verified envelope with the topic on which it arrived; `message` is None for an entry of the log."""

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
        """The envelopes that it brings: those that an answer or a chunk relays, otherwise its own."""
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

    @classmethod
    def for_invite(cls, invite: Invite) -> Channel:
        """The channel to which an invite leads; at a private table its secret opens the payloads."""
        secret = invite.read_key or (read_key(invite.play_key) if invite.play_key else b"")
        return cls(invite.realm, invite.table, PrivateTable(secret) if secret else None)

    def author(self, key: bytes) -> str:
        """A key as a level of a topic."""
        return key_text(key) if self.private is None else self.private.author(key)

    def learn(self, key: bytes) -> None:
        """Remember whose name the topics of a private table hide."""
        if self.private is None:
            return
        self._keys.pop(self.private.author(key), None)
        self._keys[self.private.author(key)] = key
        if len(self._keys) > MAX_KNOWN:
            del self._keys[next(iter(self._keys))]

    def topic(self, kind: str, key: bytes, n: int | None = None) -> str:
        """Where a key publishes its messages of one kind, such as `mv` or `ask`."""
        return str(Topic(self.realm, kind, self.author(key), self.table, n))

    def payload(self, envelope: bytes) -> bytes:
        """What to publish for an envelope: at a private table it is sealed."""
        return envelope if self.private is None else self.private.seal(envelope)

    def room_filters(self) -> list[str]:
        """What to subscribe to before the game: all that is said, and the beginning of every log."""
        return room_filters(self.realm, self.table, private=self.private is not None)

    def game_filters(self, keys: tuple[bytes, ...], logs: bool) -> list[str]:
        """What to subscribe to in the game: the seats, all asks and chat, and with `logs` the seats' retained logs."""
        authors = None if self.private is not None else [self.author(key) for key in keys]
        filters = table_filters(self.realm, self.table, authors)
        return [*filters, *log_filters(self.realm, self.table, authors)] if logs else filters

    def place(self, topic: str, payload: bytes) -> Topic:
        """Where a message belongs, if it can be one of this table's at all: nothing of it is read yet."""
        if len(payload) > MAX_PAYLOAD:
            raise Refused(Code.TOO_LONG)
        place = parse_topic(topic)
        if place.table != self.table or place.realm != self.realm:
            raise Refused(Code.WRONG_TABLE)
        return place

    def verify(self, place: Topic, payload: bytes) -> Signed:
        """The envelope in a payload, with its size and then its signature checked; nothing is parsed."""
        envelope = payload if self.private is None else self.private.open(payload)
        return open_envelope(self._author_key(place.author, envelope[SIGNATURE_BYTES:]), envelope)

    def parse(self, place: Topic, signed: Signed) -> Letter:
        """What was said, if it belongs in its place."""
        if read_header(signed.body) is not None:
            if place.kind != "mv":
                raise Refused(Code.WRONG_TOPIC)
            return Letter(place, signed, None)
        message = parse(signed.body)
        check_message(place, signed.key, message)
        return Letter(place, signed, message)

    def read(self, topic: str, payload: bytes) -> Letter:
        """What arrived: its size, then its signature, then what it says; Refused otherwise."""
        place = self.place(topic, payload)
        return self.parse(place, self.verify(place, payload))

    def _author_key(self, author: str, body: bytes) -> bytes:
        """The key in a topic; where names are hidden, one that we know or that the body names."""
        if self.private is None:
            return parse_key(author)
        key = self._keys.get(author) or named_key(body)
        if key is None or self.private.author(key) != author:
            raise Refused(Code.WRONG_KEY, "whose name this hides is not known")
        return key
