"""Knocking at a table: somebody who sees its offer, and has no invite, asks the host for it.

Bytes and time in, bytes out; no sockets and no clock. Everybody who reaches the broker may knock, so a host counts what
it does for strangers before it does it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.canonical import encode
from wasabi_protocol.signed.codec import named_key, open_as, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Knock, Knocked
from wasabi_protocol.table.lobby import Checks
from wasabi_protocol.table.private import Box, seal_to
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_KNOCK = 400
"""Bytes of a knock; a longer payload is dropped before anything else."""
MAX_ANSWER = 2_400
KNOCK_EVERY = 5.0
KNOCK_LIFE = 16.0
"""Seconds after its last new counter for which a knock is shown."""
MOST_WAITING = 16
MOST_STRANGERS = 12
"""As many new ones in the life of a knock; the other places are for keys that the host knows from earlier games."""
MOST_CHECKS_A_SECOND = 20
MOST_REMEMBERED = 256
"""Keys of whom a host remembers the last counter, and what it answered."""


@dataclass(frozen=True, slots=True)
class AtTheDoor:
    """Somebody who knocks."""

    key: bytes
    name: str
    box: bytes
    known: bool
    until: float


@dataclass(frozen=True, slots=True)
class DoorAnswer:
    """What a host says, and to whom."""

    guest: bytes
    envelope: bytes


@dataclass(slots=True)
class _Heard:
    """What a host remembers of a key."""

    n: int
    box: bytes
    answer: bytes = b""
    answered: float = -KNOCK_EVERY
    turned_away: bool = False


class Doorkeeper:
    """Who knocks at one table, for its host; what it says to them stays said."""

    def __init__(self, me: Identity, table: str, known: Collection[bytes] = ()) -> None:
        self._me = me
        self._table = table
        self._checks = Checks(known, MOST_CHECKS_A_SECOND)
        self._waiting: dict[bytes, AtTheDoor] = {}
        self._heard: dict[bytes, _Heard] = {}
        self._shown: deque[float] = deque(maxlen=MOST_STRANGERS)
        """When the last strangers came."""
        self._begins = _beginning(table)

    def receive(self, payload: bytes, now: float) -> DoorAnswer | None:
        """Takes in a payload; an answer to say again, if this guest has one. Refused for what is no knock of ours."""
        if len(payload) > MAX_KNOCK:
            raise Refused(Code.TOO_LONG)
        body = payload[SIGNATURE_BYTES:]
        # Those who want to go to other tables knock under the same topic.
        key = named_key(body) if body[1:].startswith(self._begins) else None
        if key is None:
            raise Refused(Code.WRONG_TABLE)
        self._checks.spend(key, now)
        _, knock = open_as(Knock, key, payload)
        heard = self._heard.get(key)
        if heard is not None and knock.n <= heard.n:
            return None
        if heard is None:
            heard = _Heard(knock.n, knock.box)
        elif heard.box != knock.box:
            heard = _Heard(knock.n, knock.box, turned_away=heard.turned_away, answered=heard.answered)
        heard.n = knock.n
        if knock.gone:
            self._waiting.pop(key, None)
        elif heard.answer or heard.turned_away:
            self._remember(key, heard)
            return self._again(key, heard, now)
        else:
            self._let_wait(knock, now)
        self._remember(key, heard)
        return None

    def _again(self, key: bytes, heard: _Heard, now: float) -> DoorAnswer | None:
        """The same answer as before, not too often; whoever was turned away stays so."""
        if now < heard.answered + KNOCK_EVERY / 2:
            return None
        heard.answered = now
        heard.answer = heard.answer or self._sign(key, heard.box, b"")
        return DoorAnswer(key, heard.answer)

    def _let_wait(self, knock: Knock, now: float) -> None:
        # Nothing could be sealed to a bad key: its owner need not be shown.
        seal_to(knock.box, b"")
        self.expire(now)
        known = knock.key in self._checks.known
        if knock.key not in self._waiting:
            strangers = [one.key for one in self._waiting.values() if not one.known]
            if not known and len(self._shown) == MOST_STRANGERS and now < self._shown[0] + KNOCK_LIFE:
                # Also those who went at once have had a place: no crowd comes and goes faster than that.
                raise Refused(Code.HOLD_FULL)
            if not known:
                self._shown.append(now)
            if len(self._waiting) >= MOST_WAITING:
                if not known or not strangers:
                    raise Refused(Code.HOLD_FULL)
                del self._waiting[strangers[-1]]
        self._waiting[knock.key] = AtTheDoor(knock.key, knock.name, knock.box, known, now + KNOCK_LIFE)

    def _remember(self, key: bytes, heard: _Heard) -> None:
        self._heard.pop(key, None)
        self._heard[key] = heard
        while len(self._heard) > MOST_REMEMBERED:
            del self._heard[next(other for other in self._heard if other not in self._waiting)]

    def expire(self, now: float) -> None:
        """Forgets those who went without a word."""
        for key in [key for key, one in self._waiting.items() if one.until <= now]:
            del self._waiting[key]

    @property
    def waiting(self) -> list[AtTheDoor]:
        """Who knocks now: keys that are known first, each in the order of their coming."""
        return sorted(self._waiting.values(), key=lambda one: not one.known)

    def admit(self, key: bytes, invite: str, now: float) -> DoorAnswer | None:
        """The answer that lets somebody in; None if they do not knock any more."""
        return self._answer(key, invite.encode(), now)

    def turn_away(self, key: bytes, now: float) -> DoorAnswer | None:
        """The answer that does not; further knocks of this key are answered in the same way, and not shown."""
        return self._answer(key, b"", now)

    def _answer(self, key: bytes, plain: bytes, now: float) -> DoorAnswer | None:
        one = self._waiting.pop(key, None)
        if one is None:
            return None
        heard = self._heard[key]
        heard.turned_away, heard.answered = not plain, now
        heard.answer = self._sign(key, one.box, seal_to(one.box, plain) if plain else b"")
        return DoorAnswer(key, heard.answer)

    def _sign(self, guest: bytes, box: bytes, sealed: bytes) -> bytes:
        return signed_message(self._me, Knocked(self._table, self._me.key, guest, box, sealed))


class GuestAtTheDoor:
    """One knock of ours at a table, from the first until the host has answered."""

    def __init__(self, me: Identity, name: str, table: str, host: bytes, n: int, box: Box | None = None) -> None:
        """`host` is the key in the table's offer; `n` is higher than in any earlier knock of ours: the time will do."""
        self.invite: str | None = None
        self.turned_away = False
        self.key = me.key
        self.table = table
        self.n = n
        """The counter of our last knock."""
        self._me = me
        self._name = name
        self._host = host
        self._box = box or Box()

    def knock(self, gone: bool = False) -> bytes:
        """The next knock, every few seconds, and at last that we are gone."""
        self.n += 1
        return signed_message(self._me, Knock(self.table, self.key, self._box.key, self.n, self._name, gone))

    def receive(self, payload: bytes) -> None:
        """Takes in what the host answers; Refused, without any change, if it is not its answer to this knock."""
        if len(payload) > MAX_ANSWER:
            raise Refused(Code.TOO_LONG)
        _, answer = open_as(Knocked, self._host, payload)
        if answer.key != self._host or answer.guest != self.key:
            raise Refused(Code.WRONG_KEY)
        if answer.table != self.table:
            raise Refused(Code.WRONG_TABLE)
        if answer.box != self._box.key:
            raise Refused(Code.BAD_SEAL, "an answer to another knock")
        if not answer.sealed:
            self.turned_away = True
            return
        try:
            self.invite = self._box.open(answer.sealed).decode()
        except UnicodeDecodeError:
            raise Refused(Code.BAD_ENCODING) from None


def _beginning(table: str) -> bytes:
    """How the body of each knock at this table begins, after the byte that counts its fields."""
    return encode({"v": Knock.v, "t": Knock.t, "table": table})[1:]
