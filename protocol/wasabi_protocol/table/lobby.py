"""The lobby as one reader sees it: offers that live as long as they are renewed, and who is present.

Time is the reader's own clock, in seconds, given with each call; no other clock matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.messages import Birth, Closed, Off, Offer
from wasabi_protocol.table.genesis import check_offer, is_open
from wasabi_protocol.verdicts import Code, Refused, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

OFFER_LIFE = 90.0
RENEW_EVERY = 30.0
MAX_OFFERS = 500
NEW_PLACES = 100
"""Places among them in which the newest hosts replace each other, so that a full list still shows who comes."""
MAX_CHECKS_A_SECOND = 200
MAX_CHECKS_A_KEY = 8
BIRTH_PAUSE = 5.0


@dataclass(frozen=True, slots=True)
class Listed:
    """An offer as a screen shows it; `fresh` once it was renewed while we watched."""

    offer: Offer
    until: float
    fresh: bool


class Checks:
    """How many signatures of lobby messages, or of knocks, one reader checks in a second.

    All strangers together have one budget, and known keys do not use it up. Each topic gets only a few, because anyone
    can publish there.
    """

    def __init__(self, known: Collection[bytes] = (), a_second: int = MAX_CHECKS_A_SECOND) -> None:
        """`a_second` is the budget of all strangers."""
        self.known = frozenset(known)
        self._most = a_second
        self._second = 0
        self._strangers = 0
        self._spent: dict[bytes, int] = {}

    def spend(self, key: bytes, now: float) -> None:
        """Counts a check, or refuses it."""
        if int(now) != self._second:
            self._second, self._strangers = int(now), 0
            self._spent.clear()
        known = key in self.known
        spent = self._spent.get(key, 0)
        if spent >= MAX_CHECKS_A_KEY or (not known and self._strangers >= self._most):
            raise Refused(Code.HOLD_FULL, "too many checks a second")
        self._spent[key] = spent + 1
        self._strangers += not known


class Lobby:
    """Offers by host key, one each; known keys come first when there are too many."""

    def __init__(self, known: Collection[bytes] = (), checks: Checks | None = None) -> None:
        self._checks = checks or Checks(known)
        self._known = self._checks.known
        self._listed: dict[bytes, Listed] = {}
        self._last: dict[bytes, int] = {}

    def receive(self, key: bytes, payload: bytes, retained: bool, now: float) -> bool:
        """Take in what was published under a host's key; whether the list changed."""
        if not payload:
            # Anyone can empty the topic: only a signed `closed` ends an offer.
            return False
        self._checks.spend(key, now)
        signed = open_envelope(key, payload)
        message = parse(signed.body)
        if isinstance(message, Closed):
            return self._closed(signed, message)
        if not isinstance(message, Offer):
            raise Refused(Code.WRONG_TYPE, message.t)
        check_offer(signed, message, message.table)
        return self._offered(message, retained, now)

    def _offered(self, offer: Offer, retained: bool, now: float) -> bool:
        if not is_open(offer.table, offer.key, offer.salt):
            raise Refused(Code.WRONG_TABLE, "a private table is not listed")
        if offer.n <= self._last.get(offer.key, -1):
            return False
        self._drop_old(now)
        if offer.key not in self._listed and len(self._listed) >= MAX_OFFERS:
            self._make_room()
        self._remember(offer.key, offer.n)
        self._listed[offer.key] = Listed(offer, now + OFFER_LIFE, not retained)
        return True

    def _make_room(self) -> None:
        """The first of the newest strangers goes; those who were there before them keep their places."""
        strangers = [key for key in self._listed if key not in self._known]
        if not strangers:
            raise Refused(Code.HOLD_FULL, "too many offers")
        del self._listed[strangers[-NEW_PLACES:][0]]

    def _closed(self, signed: Signed, closed: Closed) -> bool:
        if closed.key != signed.key:
            raise Refused(Code.WRONG_KEY)
        if closed.n <= self._last.get(closed.key, -1):
            return False
        self._remember(closed.key, closed.n)
        return self._listed.pop(closed.key, None) is not None

    def _remember(self, key: bytes, n: int) -> None:
        """Note a key's last counter; forget the oldest keys that offer nothing any more."""
        self._last.pop(key, None)
        self._last[key] = n
        while len(self._last) > 2 * MAX_OFFERS:
            idle = next((other for other in self._last if other not in self._listed), None)
            if idle is None:
                return
            del self._last[idle]

    def _drop_old(self, now: float) -> None:
        for key in [key for key, listed in self._listed.items() if listed.until <= now]:
            del self._listed[key]

    def offers(self, now: float) -> list[Listed]:
        """The offers that live now: known hosts first, then in the order of their tables' names."""
        self._drop_old(now)
        return sorted(
            self._listed.values(), key=lambda listed: (listed.offer.key not in self._known, listed.offer.table)
        )


class Presence:
    """Who is here: a birth makes a key present, an off with the same nonce ends it, any other off is ignored."""

    def __init__(
        self, me: bytes | None = None, nonce: bytes = b"", checks: Checks | None = None, name: str = ""
    ) -> None:
        """`name` is what we call ourselves."""
        self._me = me
        self._name = name
        self._checks = checks or Checks()
        self._nonce = nonce
        self._here: dict[bytes, Birth] = {}
        self._reborn: float | None = None

    def receive(self, key: bytes, payload: bytes, now: float) -> bool:
        """Take in what was published under a key; whether we must repeat our own birth."""
        if not payload and key != self._me:
            return False
        self._checks.spend(key, now)
        if key == self._me:
            return self._about_me(payload, now)
        message = parse(open_envelope(key, payload).body)
        if not isinstance(message, (Birth, Off)):
            raise Refused(Code.WRONG_TYPE, message.t)
        if message.key != key:
            raise Refused(Code.WRONG_KEY)
        if isinstance(message, Birth):
            if key not in self._here and len(self._here) >= MAX_OFFERS:
                self._make_room()
            self._here[key] = message
        elif key in self._here and self._here[key].nonce == message.nonce:
            del self._here[key]
        return False

    def _make_room(self) -> None:
        """The first of the strangers who came last goes, as with offers."""
        strangers = [key for key in self._here if key not in self._checks.known]
        if not strangers:
            raise Refused(Code.HOLD_FULL)
        del self._here[strangers[-NEW_PLACES:][0]]

    def _about_me(self, payload: bytes, now: float) -> bool:
        """Anything there but our present birth is answered with that birth, at most once in five seconds."""
        if self._is_my_birth(payload):
            return False
        if self._reborn is not None and now < self._reborn + BIRTH_PAUSE:
            return False
        self._reborn = now
        return True

    def _is_my_birth(self, payload: bytes) -> bool:
        try:
            return parse(open_envelope(self._me or b"", payload).body) == self.birth()
        except Verdict:
            return False

    def birth(self) -> Birth:
        """Our own birth."""
        return Birth(self._me or b"", self._nonce, self._name)

    def will(self) -> Off:
        """What the broker says of us when we are gone."""
        return Off(self._me or b"", self._nonce)

    @property
    def here(self) -> frozenset[bytes]:
        """The keys that are present."""
        return frozenset(self._here)

    @property
    def names(self) -> dict[bytes, str]:
        """What those who are present call themselves, as they wrote it, in the order in which they came."""
        return {key: birth.name for key, birth in self._here.items()}
