"""A meeting under a spoken code: the host's side and the guest's. Words in, words out; no sockets, no clock."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from wasabi_protocol.meeting.messages import ID_BYTES, MAX_SEALED, MeetingWord
from wasabi_protocol.meeting.spake2 import SECRET_BYTES, Agreed, Side
from wasabi_protocol.meeting.work import find_work, holds_work
from wasabi_protocol.signed.envelope import SEAL_OVERHEAD
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.table.private import derive, open_sealed, seal_with
from wasabi_protocol.verdicts import Code, Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasabi_protocol.meeting.spoken_code import SpokenCode

MOST_WRONG = 8
"""Runs with a wrong proof before a host's code becomes void."""
MOST_RUNS = 2_048
"""Most guests a host remembers at once."""
MOST_CANDIDATES = 64
"""Most replies a guest remembers at once."""
MOST_PROOFS = 8
"""Most replies a guest answers with a proof, since each proof tests one guess at its code."""


def meeting_context(number: int, run: str, host: bytes) -> bytes:
    """Return the data that both sides must agree on besides the words: the place, the guest's run and the host's."""
    return b"wsb1 meet" + number.to_bytes(2, "big") + run.encode() + host


@dataclass(slots=True)
class _Run:
    """One guest, as the host sees it."""

    point: bytes
    reply: MeetingWord
    agreed: Agreed
    found: MeetingWord | None = None


class HostMeeting:
    """A host's side: gives the invite to guests who prove that they know the code; void after eight wrong guesses."""

    def __init__(self, code: SpokenCode, invite: str, host: bytes | None = None) -> None:
        if len(invite.encode()) + SEAL_OVERHEAD > MAX_SEALED:
            raise Forbidden(Code.TOO_LONG)
        self.code = code
        self.host = secrets.token_bytes(ID_BYTES) if host is None else host
        self.met = 0
        """Guests who received the invite."""
        self.void = False
        """True for good once wrong words were tried too often."""
        self._invite = invite.encode()
        self._runs: dict[str, _Run] = {}
        self._wrong: set[str] = set()

    @property
    def wrong(self) -> int:
        """The number of runs with a wrong proof and no right one; each tests one guess, whatever else it contains."""
        return len(self._wrong)

    def is_new_guest(self, run: str, word: MeetingWord) -> bool:
        """Return whether this is a guest's first hello with valid work; only that one takes time to answer."""
        if word.t != "hello" or run in self._runs or self.void:
            return False
        return holds_work(self.code.number, run, word.point, word.work)

    def receive(self, run: str, word: MeetingWord, secret: bytes | None = None) -> MeetingWord | None:
        """Return the answer to a guest's word, under the same run, or None if it needs none from us."""
        if word.t == "hello":
            return self._hello(run, word, secret)
        if word.t == "proof" and word.host == self.host:
            return self._proof(run, word)
        if word.t == "here" and word.host != self.host and run == base32(word.host):
            # A host asks under its own name; the answer to it is published under the name of the asker.
            return MeetingWord("here", self.host)
        return None

    def _hello(self, run: str, word: MeetingWord, secret: bytes | None) -> MeetingWord | None:
        known = self._runs.get(run)
        if known is not None:
            return known.reply if known.point == word.point else None
        if not holds_work(self.code.number, run, word.point, word.work):
            return None
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
            # Anyone can publish in a guest's run, so a wrong proof there does not spoil the right one.
            self._wrong.add(run)
            self.void = self.wrong >= MOST_WRONG
            return MeetingWord("void" if self.void else "wrong", self.host)
        self.met += 1
        self._wrong.discard(run)
        known.found = MeetingWord(
            "found", self.host, sealed=seal_with(derive(known.agreed.key, "invite"), self._invite)
        )
        return known.found


class GuestMeeting:
    """A guest's side in one run: asks at a code's number and proves itself to at most eight of those who reply.

    Others may use the same number, and anyone can pretend to be a host there. The first reply is answered at once, and
    each call of `widen` adds one at random. Each proof shows one host, or an impostor, whether one guess at the code
    was right.
    """

    def __init__(
        self,
        code: SpokenCode,
        run: str,
        secret: bytes | None = None,
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        """Start a run; `run` is 26 random letters, new for each attempt like the secret, and `draw(n)` returns a number
        below n.
        """
        self.invite: str | None = None
        self.run = run
        self._draw = draw
        self._number = code.number
        self._context = partial(meeting_context, code.number, run)
        self._password = code.password
        self._secret = secret or secrets.token_bytes(SECRET_BYTES)
        self._point = self._side(b"").point
        self._hello: MeetingWord | None = None
        self._replies: dict[tuple[bytes, bytes], None] = {}
        self._heard = 0
        self._agreed: dict[tuple[bytes, bytes], Agreed] = {}
        self._refusals: dict[bytes, str] = {}

    def _side(self, host: bytes) -> Side:
        return Side(True, self._password, self._context(host), self._secret)

    @property
    def met(self) -> bool:
        """True if anybody replied."""
        return bool(self._agreed)

    @property
    def refused(self) -> str:
        """The common refusal, "wrong" or "void", of all hosts we answered; only a hint, since nobody signs it."""
        hosts = {host for host, _ in self._agreed}
        if self._replies or not hosts <= self._refusals.keys() or not self._refusals:
            return ""
        return "wrong" if "wrong" in (self._refusals[host] for host in hosts) else "void"

    def words(self) -> list[MeetingWord]:
        """Return the words to say now, repeatedly: hello for those who missed it, then each proof.

        The first call computes the work for the hello, which takes a fraction of a second.
        """
        if self._hello is None:
            work = find_work(self._number, self.run, self._point)
            self._hello = MeetingWord("hello", point=self._point, work=work)
        proofs = [MeetingWord("proof", host, mac=agreed.guest_mac) for (host, _), agreed in self._agreed.items()]
        return [self._hello, *proofs]

    def widen(self) -> None:
        """Answer one more reply, chosen at random, so that replying faster or more often gains nothing."""
        while self._replies and len(self._agreed) < MOST_PROOFS:
            chosen = list(self._replies)[self._draw(len(self._replies))]
            del self._replies[chosen]
            try:
                self._agreed[chosen] = self._side(chosen[0]).agree(chosen[1])
            except Refused:
                continue
            return

    def receive(self, word: MeetingWord) -> None:
        """Receive a host's word; raise Refused, without any change, if it is invalid."""
        if word.t == "reply":
            self._reply((word.host, word.point))
        elif word.t in ("wrong", "void"):
            if len(self._refusals) < MOST_CANDIDATES or word.host in self._refusals:
                self._refusals[word.host] = word.t
        elif word.t == "found":
            self._found(word)

    def _reply(self, reply: tuple[bytes, bytes]) -> None:
        if reply in self._replies or reply in self._agreed:
            return
        self._heard += 1
        if len(self._replies) >= MOST_CANDIDATES:
            # Every reply has the same chance of being remembered.
            place = self._draw(self._heard)
            if place >= MOST_CANDIDATES:
                return
            del self._replies[list(self._replies)[place]]
        self._replies[reply] = None
        if not self._agreed:
            self.widen()

    def _found(self, word: MeetingWord) -> None:
        refusal: Refused | None = None
        for (host, _), agreed in self._agreed.items():
            if host != word.host:
                continue
            try:
                self.invite = _text(open_sealed(derive(agreed.key, "invite"), word.sealed))
                return
            except Refused as refused:
                refusal = refused
        if refusal is not None:
            raise refusal


def _text(plain: bytes) -> str:
    try:
        return plain.decode()
    except UnicodeDecodeError:
        raise Refused(Code.BAD_ENCODING) from None
