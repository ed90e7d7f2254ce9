"""The record of a game, a file of everything signed: genesis, start, entries. Anyone can check it, at any time.

wasabi game 1\\n, then for each envelope: author's key (32), length (4, big endian), envelope
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import open_as, parse_as
from wasabi_protocol.signed.envelope import MAX_ENVELOPE, Item, open_envelope
from wasabi_protocol.signed.identity import KEY_BYTES
from wasabi_protocol.signed.messages import Genesis, Start
from wasabi_protocol.table.genesis import Founded, check_genesis, check_start
from wasabi_protocol.verdicts import Code, Refused, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wasabi_protocol.game.rules_port import RulesPort

MAGIC = b"wasabi game 1\n"
MAX_FILE = 16_000_000

P = TypeVar("P")


def write_item(key: bytes, envelope: bytes) -> bytes:
    """Return one envelope in the file's format; the file of a running game grows by these."""
    return key + len(envelope).to_bytes(4, "big") + envelope


def write_record(items: Iterable[Item]) -> bytes:
    """Return a whole file: genesis, start, then the rest in any order."""
    return MAGIC + b"".join(write_item(key, envelope) for key, envelope in items)


def read_record(data: bytes) -> tuple[list[Item], bool]:
    """Return the envelopes of a file, and whether its last one is complete (a crash may have cut it)."""
    if len(data) > MAX_FILE:
        raise Refused(Code.TOO_LONG)
    if not data.startswith(MAGIC):
        raise Refused(Code.BAD_FILE)
    items: list[Item] = []
    place = len(MAGIC)
    while place < len(data):
        start = place + KEY_BYTES + 4
        length = int.from_bytes(data[start - 4 : start], "big")
        if length > MAX_ENVELOPE:
            raise Refused(Code.BAD_FILE, "an envelope too long")
        if start + length > len(data):
            return items, False
        items.append((data[place : place + KEY_BYTES], data[start : start + length]))
        place = start + length
    return items, True


@dataclass(frozen=True)
class Replay(Generic[P]):
    """The result of checking a file: the game as far as it is valid, and every refused envelope."""

    session: Session[P]
    refused: tuple[tuple[int, Verdict], ...]
    whole: bool

    @property
    def valid(self) -> bool:
        """True if every byte of the file is part of the game and no seat is blamed in it."""
        log = self.session.log
        return self.whole and not self.refused and not log.evidence and not log.waiting

    @property
    def settled(self) -> bool:
        """True if every seat signed the end."""
        return self.session.state.outcome is not None


def found_record(items: list[Item]) -> Founded:
    """Return the game of a file whose first two envelopes are its genesis and its start."""
    if len(items) < 2:
        raise Refused(Code.BAD_FILE, "no genesis and start")
    (host, genesis), (starter, start) = items[:2]
    signed = open_envelope(host, genesis)
    founded = check_genesis(signed, parse_as(Genesis, signed.body).table)
    check_start(founded, *open_as(Start, starter, start))
    return founded


def replay(data: bytes, game: RulesPort[P]) -> Replay[P]:
    """Check every signature, proof and rule of a file as a watcher; raise Refused if it contains no game."""
    items, whole = read_record(data)
    session = Session(found_record(items), game)
    session.expect(items[2:])
    refused: list[tuple[int, Verdict]] = []
    for index, (key, envelope) in enumerate(items[2:], start=2):
        try:
            session.receive(key, envelope, live=False)
        except Refused as verdict:
            refused.append((index, verdict))
    return Replay(session, tuple(refused), whole)
