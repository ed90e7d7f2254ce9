"""A meeting under a spoken code: the host's side and the guest's. Words in, words out; no sockets and no clock."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from wasabi_protocol.meeting.spake2 import SECRET_BYTES, Agreed, Side
from wasabi_protocol.meeting.spoken_code import SpokenCode
from wasabi_protocol.meeting.words import ID_BYTES, MAX_SEALED, MeetingWord
from wasabi_protocol.signed.envelope import SEAL_OVERHEAD
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.table.private import derive, open_sealed, seal_with
from wasabi_protocol.verdicts import Code, Forbidden, Refused

MOST_WRONG = 3
"""Wrong proofs after which a host's code is void, and attempts that a guest makes."""
MOST_RUNS = 16
"""Guests whom a host remembers at once."""


def meeting_context(number: int, run: str, host: bytes) -> bytes:
    """What both sides agree on beside the words: the place, the guest's run, the host's."""
    return b"wsb1 meet" + number.to_bytes(2, "big") + run.encode() + host


@dataclass(slots=True)
class _Run:
    """One guest, as a host knows it."""

    point: bytes
    reply: MeetingWord
    agreed: Agreed
    found: MeetingWord | None = None


class HostMeeting:
    """Gives the invite to everybody who proves that they know the code, and goes silent after three wrong proofs."""

    def __init__(self, code: SpokenCode, invite: str, host: bytes | None = None) -> None:
        if len(invite.encode()) + SEAL_OVERHEAD > MAX_SEALED:
            raise Forbidden(Code.TOO_LONG)
        self.code = code
        self.host = secrets.token_bytes(ID_BYTES) if host is None else host
        self.met = 0
        """Guests who hold the invite."""
        self._invite = invite.encode()
        self._runs: dict[str, _Run] = {}
        self._wrong: set[bytes] = set()

    @property
    def wrong(self) -> int:
        """Wrong proofs so far; the same one twice counts once."""
        return len(self._wrong)

    @property
    def void(self) -> bool:
        return self.wrong >= MOST_WRONG

    def receive(self, run: str, word: MeetingWord, secret: bytes | None = None) -> MeetingWord | None:
        """What to say to a guest's word, under the same run; None for words that are not ours to answer."""
        if word.t == "hello":
            return self._hello(run, word, secret)
        if word.t == "proof" and word.host == self.host:
            return self._proof(run, word)
        if word.t == "here" and word.host != self.host and run == base32(word.host):
            # Under its own name a host asks; an answer to that stands under the name of the one who asked.
            return MeetingWord("here", self.host)
        return None

    def _hello(self, run: str, word: MeetingWord, secret: bytes | None) -> MeetingWord | None:
        known = self._runs.get(run)
        if known is not None:
            return known.reply if known.point == word.point else None
        if self.void:
            return MeetingWord("void", self.host)
        context = meeting_context(self.code.number, run, self.host)
        side = Side(False, self.code.password, context, secret or secrets.token_bytes(SECRET_BYTES))
        agreed = side.agree(word.point)
        reply = MeetingWord("reply", self.host, point=side.point)
        self._runs[run] = _Run(word.point, reply, agreed)
        if len(self._runs) > MOST_RUNS:
            del self._runs[next(iter(self._runs))]
        return reply

    def _proof(self, run: str, word: MeetingWord) -> MeetingWord | None:
        known = self._runs.get(run)
        if known is None:
            return None
        if known.found is not None:
            return known.found
        if self.void:
            return MeetingWord("void", self.host)
        if not hmac.compare_digest(word.mac, known.agreed.guest_mac):
            self._wrong.add(run.encode() + word.mac)
            return MeetingWord("void" if self.void else "wrong", self.host)
        self.met += 1
        known.found = MeetingWord(
            "found", self.host, sealed=seal_with(derive(known.agreed.key, "invite"), self._invite)
        )
        return known.found


class GuestMeeting:
    """One attempt of a guest: asks at the number of a code and proves itself to the first host that replies.

    Others may have the same number: with their ids in `avoid`, the next attempt goes to somebody else. Each attempt
    tells one host, or somebody who pretends to be one, whether one guess at the code was right.
    """

    def __init__(self, code: SpokenCode, run: str, avoid: Collection[bytes] = (), secret: bytes | None = None) -> None:
        """`run` is 26 random letters, new for each attempt, as is the secret."""
        self.host: bytes | None = None
        """The host that replied first."""
        self.invite: str | None = None
        self.refused = ""
        """What was said instead: wrong, or void; a hint, since nobody signs it."""
        self.run = run
        self._avoid = avoid
        self._context = partial(meeting_context, code.number, run)
        self._password = code.password
        self._secret = secret or secrets.token_bytes(SECRET_BYTES)
        self._hello = MeetingWord("hello", point=self._side(b"").point)
        self._agreed: Agreed | None = None

    def _side(self, host: bytes) -> Side:
        return Side(True, self._password, self._context(host), self._secret)

    def say(self) -> MeetingWord:
        """What to say now, again and again: hello until there is a reply, then the proof."""
        if self.host is None or self._agreed is None:
            return self._hello
        return MeetingWord("proof", self.host, mac=self._agreed.guest_mac)

    def receive(self, word: MeetingWord) -> None:
        """Takes in what a host says; Refused, without any change, if it does not hold."""
        if word.host in self._avoid or (self.host is not None and word.host != self.host):
            return
        if self._agreed is None:
            if word.t == "reply":
                self._agreed = self._side(word.host).agree(word.point)
                self.host, self.refused = word.host, ""
            elif word.t == "void":
                self.refused = word.t
        elif word.t in ("wrong", "void"):
            self.refused = word.t
        elif word.t == "found":
            self.invite = _text(open_sealed(derive(self._agreed.key, "invite"), word.sealed))


def _text(plain: bytes) -> str:
    try:
        return plain.decode()
    except UnicodeDecodeError:
        raise Refused(Code.BAD_ENCODING) from None
