"""The lobby as one reader sees it: offers that expire unless renewed, and the people present.

Time is the reader's own clock, in seconds, passed with each call; no other clock matters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.codec import named_key, parse
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Birth, Closed, Off, Offer
from wasabi_protocol.table.genesis import check_offer, is_open
from wasabi_protocol.verdicts import Code, Refused, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

OFFER_LIFE = 90.0
RENEW_EVERY = 30.0
MAX_OFFERS = 500
NEW_PLACES = 100
"""Places in the list where the newest hosts replace each other, so that a full list still shows new arrivals."""
MAX_CHECKS_A_SECOND = 500
MAX_CHECKS_A_KEY = 100
MAX_PROVEN = 1_024
BIRTH_PAUSE = 5.0
MAX_OVER = 16
"""Most ended runs remembered for each key."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An offer as a screen shows it; `fresh` if it arrived or was renewed while we watched."""

    offer: Offer
    until: float
    fresh: bool


class Checks:
    """Limits how many signatures of lobby messages, or of knocks, one reader checks per second.

    Known keys use no budget. Keys that have signed something before share one budget and all others another, so that
    new keys, however many, cannot hide those who were there before. Each key has its own limit, because anyone can
    publish under its topic.
    """

    def __init__(self, known: Collection[bytes] = (), a_second: int = MAX_CHECKS_A_SECOND) -> None:
        """Create the limits; `a_second` is the budget of new keys, and that of proven ones."""
        self.known = frozenset(known)
        self._most = a_second
        self._second = 0
        self._proven: dict[bytes, None] = {}
        self._together = {True: 0, False: 0}
        self._spent: dict[bytes, int] = {}

    def spend(self, key: bytes, now: float) -> None:
        """Count a check, or raise Refused."""
        if int(now) != self._second:
            self._second, self._together = int(now), {True: 0, False: 0}
            self._spent.clear()
        proven, spent = key in self._proven, self._spent.get(key, 0)
        known = key in self.known
        if spent >= MAX_CHECKS_A_KEY or (not known and self._together[proven] >= self._most):
            raise Refused(Code.HOLD_FULL, "too many checks a second")
        self._spent[key] = spent + 1
        self._together[proven] += not known

    def open(self, key: bytes, payload: bytes, now: float) -> Signed:
        """Verify an envelope of a key; one that does not even name the key is refused before it is counted."""
        if named_key(payload[SIGNATURE_BYTES:]) != key:
            raise Refused(Code.WRONG_KEY)
        self.spend(key, now)
        signed = open_envelope(key, payload)
        self._proven.pop(key, None)
        self._proven[key] = None
        if len(self._proven) > MAX_PROVEN:
            # The newest key is dropped; those who were there before stay.
            self._proven.popitem()
        return signed


class Lobby:
    """Offers by host key, one for each; known keys come first when there are too many."""

    def __init__(self, known: Collection[bytes] = (), checks: Checks | None = None) -> None:
        self._checks = checks or Checks(known)
        self._known = self._checks.known
        self._listed: dict[bytes, Listed] = {}
        self._last: dict[bytes, int] = {}

    def receive(self, key: bytes, payload: bytes, retained: bool, now: float) -> bool:
        """Receive a payload published under a host's key; return whether the list changed."""
        if not payload:
            # Anyone can clear the topic; only a signed `closed` ends an offer.
            return False
        signed = self._checks.open(key, payload, now)
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
        """Drop the first of the newest strangers; those who were there before them keep their places."""
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
        """Record a key's last counter; forget the oldest keys without a current offer."""
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
        """Return the current offers: known hosts first, then by table name."""
        self._drop_old(now)
        return sorted(
            self._listed.values(), key=lambda listed: (listed.offer.key not in self._known, listed.offer.table)
        )


class Presence:
    """The people present: a birth adds a key, and an off with the same nonce ends that run for good."""

    def __init__(
        self, me: bytes | None = None, nonce: bytes = b"", checks: Checks | None = None, name: str = ""
    ) -> None:
        """Create the list; `name` is our own display name."""
        self._me = me
        self._name = name
        self._checks = checks or Checks()
        self._nonce = nonce
        self._here: dict[bytes, Birth] = {}
        self._over: dict[bytes, dict[bytes, None]] = {}
        self._reborn: float | None = None

    def receive(self, key: bytes, payload: bytes, now: float) -> bool:
        """Receive a payload published under a key; return whether to repeat our own birth."""
        if not payload and key != self._me:
            return False
        if key == self._me:
            self._checks.spend(key, now)
            return self._about_me(payload, now)
        message = parse(self._checks.open(key, payload, now).body)
        if not isinstance(message, (Birth, Off)):
            raise Refused(Code.WRONG_TYPE, message.t)
        if message.key != key:
            raise Refused(Code.WRONG_KEY)
        if isinstance(message, Birth):
            self._born(message)
        else:
            self._end(key, message.nonce)
            if key in self._here and self._here[key].nonce == message.nonce:
                del self._here[key]
        return False

    def _born(self, birth: Birth) -> None:
        key = birth.key
        if birth.nonce in self._over.get(key, ()):
            # Anyone can replay an old birth.
            return
        if key not in self._here and len(self._here) >= MAX_OFFERS:
            self._make_room()
        if key in self._here and self._here[key].nonce != birth.nonce:
            self._end(key, self._here[key].nonce)
        self._here[key] = birth

    def _end(self, key: bytes, nonce: bytes) -> None:
        """Remember that a run has ended, for a limited number of runs and keys."""
        over = self._over.pop(key, {})
        over[nonce] = None
        if len(over) > MAX_OVER:
            del over[next(iter(over))]
        self._over[key] = over
        if len(self._over) > 2 * MAX_OFFERS:
            del self._over[next(iter(self._over))]

    def renew(self, nonce: bytes) -> None:
        """Begin a new run of our own, for a new connection."""
        self._nonce = nonce

    def _make_room(self) -> None:
        """Drop the first of the newest strangers, as with offers."""
        strangers = [key for key in self._here if key not in self._checks.known]
        if not strangers:
            raise Refused(Code.HOLD_FULL)
        del self._here[strangers[-NEW_PLACES:][0]]

    def _about_me(self, payload: bytes, now: float) -> bool:
        """Return whether to publish our birth again over anything else under our key, at most once in five seconds."""
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
        """Return our own birth."""
        return Birth(self._me or b"", self._nonce, self._name)

    def will(self) -> Off:
        """Return the message that the broker publishes when we are gone."""
        return Off(self._me or b"", self._nonce)

    @property
    def here(self) -> frozenset[bytes]:
        """The keys that are present."""
        return frozenset(self._here)

    @property
    def names(self) -> dict[bytes, str]:
        """The names of those present, as they wrote them, in order of arrival."""
        return {key: birth.name for key, birth in self._here.items()}
