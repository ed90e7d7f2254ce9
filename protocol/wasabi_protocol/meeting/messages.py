"""The words of a meeting under a spoken code: unsigned, since nobody there knows the other's key yet.

| t     | fields       | from  | meaning                                                |
| here  | host         | host  | this number is taken; to other hosts                   |
| hello | point, work  | guest | I have a code with this number, and did the work       |
| reply | host, point  | host  | prove it                                               |
| proof | host, mac    | guest | the proof, for this host alone                         |
| found | host, sealed | host  | the invite                                             |
| wrong | host         | host  | the proof is invalid; a hint, since nobody signs it    |
| void  | host         | host  | too many wrong proofs: this code is no longer valid    |
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wasabi_protocol.meeting.work import NONCE_BYTES
from wasabi_protocol.signed.canonical import Value, decode, encode
from wasabi_protocol.signed.fields import Binary, Kind
from wasabi_protocol.table.topics import ROOT
from wasabi_protocol.verdicts import Code, Refused

VERSION = 1
REALM = "main"
ID_BYTES = 16
MAX_SEALED = 2_000
MAX_WORD = 2_200
_KINDS: dict[str, Kind] = {
    "host": Binary((ID_BYTES,)),
    "point": Binary((32,)),
    "work": Binary((NONCE_BYTES,)),
    "mac": Binary((32,)),
    "sealed": Binary(most=MAX_SEALED),
}
_FIELDS = {
    "here": ("host",),
    "hello": ("point", "work"),
    "reply": ("host", "point"),
    "proof": ("host", "mac"),
    "found": ("host", "sealed"),
    "wrong": ("host",),
    "void": ("host",),
}
_TOPIC = re.compile(rf"{ROOT}/{REALM}/meet/([1-9][0-9]{{0,2}})/([a-z2-7]{{26}})")


@dataclass(frozen=True, slots=True)
class MeetingWord:
    """One word; fields that its type does not have are empty."""

    t: str
    host: bytes = b""
    point: bytes = b""
    work: bytes = b""
    mac: bytes = b""
    sealed: bytes = b""


def write_word(word: MeetingWord) -> bytes:
    """Return the payload of a word."""
    fields: dict[str, Value] = {name: getattr(word, name) for name in _FIELDS[word.t]}
    return encode({"v": VERSION, "t": word.t, **fields})


def read_word(payload: bytes) -> MeetingWord:
    """Parse a word; raise Refused if it is invalid."""
    if len(payload) > MAX_WORD:
        raise Refused(Code.TOO_LONG)
    found = decode(payload)
    if not isinstance(found, dict) or list(found)[:2] != ["v", "t"]:
        raise Refused(Code.BAD_FIELD, "a map that starts with v and t")
    version, name = found.pop("v"), found.pop("t")
    if type(version) is not int or version != VERSION:
        raise Refused(Code.UNKNOWN_VERSION)
    if not isinstance(name, str) or name not in _FIELDS:
        raise Refused(Code.UNKNOWN_TYPE)
    if tuple(found) != _FIELDS[name]:
        raise Refused(Code.BAD_FIELD, "the fields of the type, in their order")
    read: dict[str, bytes] = {}
    for field, value in found.items():
        part = _KINDS[field].read(value)
        assert isinstance(part, bytes)
        read[field] = part
    return MeetingWord(name, **read)


def meeting_topic(number: int, run: str) -> str:
    """Return the topic shared by one guest and all hosts of a number; `run` is the guest's 26 random letters."""
    return f"{ROOT}/{REALM}/meet/{number}/{run}"


def meeting_filter(number: int) -> str:
    """Return the filter that a host of this number subscribes to."""
    return f"{ROOT}/{REALM}/meet/{number}/+"


def parse_meeting_topic(text: str) -> tuple[int, str]:
    """Return the number and the run of a topic; raise Refused if it is invalid."""
    found = _TOPIC.fullmatch(text)
    if found is None:
        raise Refused(Code.BAD_TOPIC)
    return int(found[1]), found[2]
