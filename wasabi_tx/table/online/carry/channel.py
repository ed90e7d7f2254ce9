"""How the messages of one table travel: their topics, their payloads, and who signed what arrives."""

from __future__ import annotations

from dataclasses import dataclass

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, key_text, parse_key
from wasabi_protocol.signed.messages import Message
from wasabi_protocol.table.private import PrivateTable
from wasabi_protocol.table.topics import Topic, check_message, log_filters, parse_topic, room_filters, table_filters
from wasabi_protocol.verdicts import Code, Refused

MAX_KNOWN = 512


@dataclass(frozen=True)
class Letter:
    """A verified envelope with the place that it arrived at; `message` is None for an entry of the log."""

    topic: Topic
    signed: Signed
    message: Message | None

    @property
    def key(self) -> bytes:
        return self.signed.key

    @property
    def envelope(self) -> bytes:
        return self.signed.envelope


class Channel:
    """One table on one broker. At a private one nobody outside reads a payload or tells whose it is."""

    def __init__(self, realm: str, table: str, private: PrivateTable | None = None) -> None:
        self.realm = realm
        self.table = table
        self.private = private
        self._keys: dict[str, bytes] = {}

    def author(self, key: bytes) -> str:
        """A key as a level of a topic."""
        return key_text(key) if self.private is None else self.private.author(key)

    def learn(self, key: bytes) -> None:
        """Remembers whose name a private table's topics hide."""
        if self.private is not None and len(self._keys) < MAX_KNOWN:
            self._keys[self.private.author(key)] = key

    def topic(self, kind: str, key: bytes, n: int | None = None) -> str:
        return str(Topic(self.realm, kind, self.author(key), self.table, n))

    def payload(self, envelope: bytes) -> bytes:
        return envelope if self.private is None else self.private.seal(envelope)

    def room_filters(self) -> list[str]:
        """Everybody's words before the game, and the start of everybody's log."""
        return room_filters(self.realm, self.table, private=self.private is not None)

    def game_filters(self, keys: tuple[bytes, ...], logs: bool) -> list[str]:
        """The words of the seats, everybody's asks and chat, and the seats' retained logs if they are wanted."""
        authors = None if self.private is not None else [self.author(key) for key in keys]
        filters = table_filters(self.realm, self.table, authors)
        return [*filters, *log_filters(self.realm, self.table, authors)] if logs else filters

    def read(self, topic: str, payload: bytes) -> Letter:
        """What arrived, with its signature checked; Refused otherwise."""
        place = parse_topic(topic)
        if place.table != self.table or place.realm != self.realm:
            raise Refused(Code.WRONG_TABLE)
        envelope = payload if self.private is None else self.private.open(payload)
        body = envelope[SIGNATURE_BYTES:]
        if read_header(body) is not None:
            if place.kind != "mv":
                raise Refused(Code.WRONG_TOPIC)
            key = self._author_key(place.author, None)
            return Letter(place, open_envelope(key, envelope), None)
        message = parse(body)
        key = self._author_key(place.author, message)
        check_message(place, key, message)
        return Letter(place, open_envelope(key, envelope), message)

    def _author_key(self, author: str, message: Message | None) -> bytes:
        if self.private is None:
            return parse_key(author)
        key = self._keys.get(author)
        if key is None:
            named = getattr(message, "key", None)
            if not isinstance(named, bytes) or self.private.author(named) != author:
                raise Refused(Code.WRONG_KEY, "whose name this hides is not known")
            key = named
        return key
