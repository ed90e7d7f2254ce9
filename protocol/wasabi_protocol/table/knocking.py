"""Knocking at a table: somebody who sees its offer, and has no invite, asks the host for one.

Bytes and time in, bytes out; no sockets and no clock. Anyone who reaches the broker may knock, so a host limits the
work it does for strangers before doing it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.canonical import encode
from wasabi_protocol.signed.codec import named_key, open_as, parse_as, signed_message
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Knock, Knocked
from wasabi_protocol.table.lobby import Checks
from wasabi_protocol.table.private import Box, seal_to
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_KNOCK = 400
"""Most bytes of a knock; a longer payload is dropped before anything else."""
MAX_ANSWER = 2_400
KNOCK_EVERY = 5.0
KNOCK_LIFE = 16.0
"""Seconds that a knock is shown after its last new counter."""
MOST_WAITING = 16
MOST_STRANGERS = 12
"""Most new strangers within `KNOCK_LIFE`; the other places are for keys the host knows from earlier games."""
HASTY_STRANGERS = 6
"""Most strangers shown at their first knock; the others must have knocked `PATIENT` seconds earlier as well."""
PATIENT = 4.0
MOST_CHECKS_A_SECOND = 200
MOST_REMEMBERED = 4_096
"""Most keys whose last counter and answer a host remembers."""


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
    """A host's answer and the guest it is for."""

    guest: bytes
    envelope: bytes


@dataclass(slots=True)
class _Heard:
    """Everything a host remembers about a key."""

    n: int
    box: bytes
    since: float
    """Time of this key's first knock."""
    answer: bytes = b""
    answered: float = -KNOCK_EVERY
    turned_away: bool = False


class Doorkeeper:
    """The guests who knock at one table, for its host; an answer once given stays the same."""

    def __init__(self, me: Identity, table: str, known: Collection[bytes] = ()) -> None:
        self._me = me
        self._table = table
        self._checks = Checks(known, MOST_CHECKS_A_SECOND)
        self._waiting: dict[bytes, AtTheDoor] = {}
        self._heard: dict[bytes, _Heard] = {}
        patient = MOST_STRANGERS - HASTY_STRANGERS
        self._shown = {False: deque[float](maxlen=HASTY_STRANGERS), True: deque[float](maxlen=patient)}
        """Times when the last strangers came, the hasty (False) and the patient ones (True)."""
        self._begins = _beginning(table)

    def receive(self, payload: bytes, now: float) -> DoorAnswer | None:
        """Receive a payload; return the guest's earlier answer to repeat, if any. Raise Refused if it is not a knock
        here.
        """
        if len(payload) > MAX_KNOCK:
            raise Refused(Code.TOO_LONG)
        body = payload[SIGNATURE_BYTES:]
        # Guests of other tables knock under the same topic.
        key = named_key(body) if body[1:].startswith(self._begins) else None
        if key is None:
            raise Refused(Code.WRONG_TABLE)
        knock = parse_as(Knock, self._checks.open(key, payload, now).body)
        heard = self._heard.get(key)
        if heard is not None and knock.n <= heard.n:
            return None
        if heard is None:
            heard = _Heard(knock.n, knock.box, now)
        elif heard.box != knock.box:
            heard = _Heard(knock.n, knock.box, heard.since, turned_away=heard.turned_away, answered=heard.answered)
        heard.n = knock.n
        self._remember(key, heard)
        if knock.gone:
            self._waiting.pop(key, None)
        elif heard.answer or heard.turned_away:
            return self._again(key, heard, now)
        else:
            self._let_wait(knock, now >= heard.since + PATIENT, now)
        return None

    def _again(self, key: bytes, heard: _Heard, now: float) -> DoorAnswer | None:
        """Repeat the earlier answer, not too often; a guest who was turned away stays so."""
        if now < heard.answered + KNOCK_EVERY / 2:
            return None
        heard.answered = now
        heard.answer = heard.answer or self._sign(key, heard.box, b"")
        return DoorAnswer(key, heard.answer)

    def _let_wait(self, knock: Knock, patient: bool, now: float) -> None:
        # Nothing can be sealed to a bad key, so its owner need not be shown.
        seal_to(knock.box, b"")
        self.expire(now)
        known = knock.key in self._checks.known
        if knock.key not in self._waiting:
            strangers = [one.key for one in self._waiting.values() if not one.known]
            if not known:
                # Guests who went away at once count as well, so that no crowd can come and go faster than this.
                shown = self._shown[patient]
                if len(shown) == shown.maxlen and now < shown[0] + KNOCK_LIFE:
                    raise Refused(Code.HOLD_FULL)
                shown.append(now)
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
        """Forget guests who went away silently."""
        for key in [key for key, one in self._waiting.items() if one.until <= now]:
            del self._waiting[key]

    @property
    def waiting(self) -> list[AtTheDoor]:
        """The guests knocking now: known keys first, each group in order of arrival."""
        return sorted(self._waiting.values(), key=lambda one: not one.known)

    def admit(self, key: bytes, invite: str, now: float) -> DoorAnswer | None:
        """Return the answer that lets a guest in; None if they no longer knock."""
        return self._answer(key, invite.encode(), now)

    def turn_away(self, key: bytes, now: float) -> DoorAnswer | None:
        """Return the answer that rejects a guest; further knocks of this key get the same answer and are not shown."""
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
    """Our own request at a table, from the first knock until the host answers."""

    def __init__(self, me: Identity, name: str, table: str, host: bytes, n: int, box: Box | None = None) -> None:
        """Start knocking; `host` is the key in the table's offer, `n` exceeds that of all our earlier knocks (a time
        will do).
        """
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
        """Return the next knock, to be sent every few seconds; the last one reports that we are gone."""
        self.n += 1
        return signed_message(self._me, Knock(self.table, self.key, self._box.key, self.n, self._name, gone))

    def receive(self, payload: bytes) -> None:
        """Receive the host's answer; raise Refused, without any change, if it does not answer this knock."""
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
    """Return the start of every knock at this table, after the byte that counts its fields."""
    return encode({"v": Knock.v, "t": Knock.t, "table": table})[1:]
