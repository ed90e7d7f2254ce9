"""Every topic of the MQTT binding: built, parsed, and matched against the messages allowed there.

| topic                             | messages                                   |
| wsb1/<realm>/lobby/<key>          | offer, closed                              |
| wsb1/<realm>/who/<key>            | birth, off                                 |
| wsb1/<realm>/say/<key>            | say                                        |
| wsb1/<realm>/t/<table>/mv/<key>   | entries and all other message types        |
| wsb1/<realm>/t/<table>/head/<key> | head, doing                                |
| wsb1/<realm>/t/<table>/log/<key>/<n> | chunk                                   |
| wsb1/<realm>/t/<table>/ask/<key>  | ask                                        |
| wsb1/<realm>/t/<table>/ans/<key>  | answer                                     |
| wsb1/<realm>/t/<table>/say/<key>  | say                                        |
| wsb1/knock/<letter>               | knock                                      |
| wsb1/knocked/<key>                | knocked                                    |
| wsb1/<realm>/seek/<day>           | seek, after its work                       |

Guests who knock may publish nothing else, and a broker's configuration may have to list each topic where they can: the
first letter of the table's name is enough, and limits what they can retain. The answer is under the guest's key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.identity import key_text
from wasabi_protocol.signed.messages import (
    Answer,
    Ask,
    Birth,
    Chunk,
    Closed,
    Doing,
    Head,
    Knock,
    Knocked,
    Message,
    Off,
    Offer,
    Say,
    Seek,
)
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = "wsb1"
MAX_SLASHES = 6
MAX_FILTERS = 8

_REALM = re.compile(r"[a-z0-9-]{1,32}")
_TABLE = re.compile(r"[a-z0-9]{26}")
_AUTHOR = re.compile(r"[a-z2-7]{52}|[a-z2-7]{26}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")

REALM_KINDS: dict[str, tuple[type[Message], ...]] = {"lobby": (Offer, Closed), "who": (Birth, Off), "say": (Say,)}
TABLE_KINDS: dict[str, tuple[type[Message], ...]] = {
    "head": (Head, Doing),
    "log": (Chunk,),
    "ask": (Ask,),
    "ans": (Answer,),
    "say": (Say,),
}
_ELSEWHERE: tuple[type[Message], ...] = (
    Birth,
    Off,
    Knock,
    Knocked,
    Seek,
    *(kind for kinds in TABLE_KINDS.values() for kind in kinds),
)

_NAMES = {kind: frozenset(one.t.encode() for one in types) for kind, types in TABLE_KINDS.items()}
_NAMES_ELSEWHERE = frozenset(one.t.encode() for one in _ELSEWHERE)


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic a message is published under; the author is always one of its levels."""

    realm: str
    kind: str
    author: str
    table: str = ""
    n: int | None = None

    def __str__(self) -> str:
        middle = f"t/{self.table}/{self.kind}" if self.table else self.kind
        last = "" if self.n is None else f"/{self.n}"
        return f"{ROOT}/{self.realm}/{middle}/{self.author}{last}"

    def check(self) -> Topic:
        """Return this topic; raise Refused unless every level has the alphabet and length that real brokers carry."""
        known = self.kind == "mv" or self.kind in TABLE_KINDS if self.table else self.kind in REALM_KINDS
        if not known or (self.n is not None) != (bool(self.table) and self.kind == "log"):
            raise Refused(Code.BAD_TOPIC, "kind")
        if not _REALM.fullmatch(self.realm) or not _AUTHOR.fullmatch(self.author):
            raise Refused(Code.BAD_TOPIC, "level")
        if self.table and not _TABLE.fullmatch(self.table):
            raise Refused(Code.BAD_TOPIC, "table")
        if self.n is not None and not _NUMBER.fullmatch(str(self.n)):
            raise Refused(Code.BAD_TOPIC, "number")
        return self


def parse_topic(text: str) -> Topic:
    """Parse a topic; each topic has only one spelling."""
    match text.split("/")[: MAX_SLASHES + 2]:
        case ["wsb1", realm, "t", table, "log", author, number] if table and _NUMBER.fullmatch(number):
            return Topic(realm, "log", author, table, int(number)).check()
        case ["wsb1", realm, "t", table, kind, author] if table:
            return Topic(realm, kind, author, table).check()
        case ["wsb1", realm, kind, author]:
            return Topic(realm, kind, author).check()
    raise Refused(Code.BAD_TOPIC)


def may_hold(kind: str, name: bytes) -> bool:
    """Return whether a message with this type name may appear under topics of this kind at a table."""
    return name not in _NAMES_ELSEWHERE if kind == "mv" else name in _NAMES[kind]


def check_message(topic: Topic, key: bytes, message: Message) -> None:
    """Raise Refused unless a message of this type, table and author belongs under this topic."""
    if not topic.table:
        fits = isinstance(message, REALM_KINDS[topic.kind])
    elif topic.kind == "mv":
        fits = not isinstance(message, _ELSEWHERE)
    else:
        fits = isinstance(message, TABLE_KINDS[topic.kind])
    if not fits:
        raise Refused(Code.WRONG_TOPIC, message.t)
    if getattr(message, "key", key) != key:
        raise Refused(Code.WRONG_KEY)
    named = getattr(message, "table", None)
    if named is not None and topic.kind != "lobby" and named != topic.table:
        raise Refused(Code.WRONG_TABLE)
    if isinstance(message, Chunk) and message.n != topic.n:
        raise Refused(Code.WRONG_TOPIC, "number")


def room_filters(realm: str, table: str, private: bool = False) -> list[str]:
    """Return the filters of a client in the waiting room, before seats have keys."""
    kinds = ("+",) if private else ("mv", "head", "ask", "ans", "say")
    start = f"{ROOT}/{realm}/t/{table}"
    return [*(f"{start}/{kind}/+" for kind in kinds), f"{start}/log/+/0"]


def table_filters(realm: str, table: str, authors: Iterable[str] | None) -> list[str]:
    """Return the filters of a client in a game: each seat, and the asks and chat of all.

    Without authors it is a private table, whose name strangers do not know: one filter covers everything there.
    """
    start = f"{ROOT}/{realm}/t/{table}"
    if authors is None:
        return [f"{start}/+/+"]
    return [f"{start}/ask/+", f"{start}/say/+", *(f"{start}/+/{author}" for author in authors)]


def log_filters(realm: str, table: str, authors: Iterable[str] | None) -> list[str]:
    """Return the additional filters of a client that is catching up, and of a watcher."""
    return [f"{ROOT}/{realm}/t/{table}/log/{author}/+" for author in (("+",) if authors is None else authors)]


def lobby_filters(realm: str) -> list[str]:
    """Return the filters of a client in the lobby."""
    return [f"{ROOT}/{realm}/{kind}/+" for kind in REALM_KINDS]


def knock_topic(table: str) -> str:
    """Return the topic for knocks at this table and at all others with the same first letter."""
    return f"{ROOT}/knock/{table[0]}"


def knocked_topic(guest: bytes) -> str:
    """Return the topic where hosts answer this guest."""
    return f"{ROOT}/knocked/{key_text(guest)}"


def seek_topic(realm: str, day: str) -> str:
    """Return the topic for everybody who seeks somebody on a day, such as 2026-11-19."""
    return f"{ROOT}/{realm}/seek/{day}"
