"""The waiting room of one table: joins, genesis, accepts, start, and proof against a host that contradicts itself.

Everything that arrives, our own stored messages included, goes through `receive`; so a client that restarts and replays
its disk knows what it has signed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.signed.codec import parse, parse_as, signed_message
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.messages import Accept, Genesis, Join, Message, Offer, Start
from wasabi_protocol.table.genesis import (
    Founded,
    check_accept,
    check_genesis,
    check_join,
    check_offer,
    check_start,
    is_open,
    make_join,
    terms_hash,
)
from wasabi_protocol.verdicts import Code, Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from wasabi_protocol.signed.identity import Identity
    from wasabi_protocol.table.channel import Channel

MAX_JOINS = 64
MAX_ATTEMPTS = 32
"""Most games remembered; the newest are kept, so that a silent guest cannot use up a table."""


@dataclass(frozen=True, slots=True)
class OfferSeen:
    offer: Offer


@dataclass(frozen=True, slots=True)
class JoinSeen:
    join: Join


@dataclass(frozen=True, slots=True)
class GenesisSeen:
    """A game is proposed; `mine` if it quotes our join byte for byte."""

    founded: Founded
    mine: bool


@dataclass(frozen=True, slots=True)
class AcceptSeen:
    founded: Founded
    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    founded: Founded
    start: Signed


@dataclass(frozen=True, slots=True)
class HostContradicted:
    """Two signed statements of the host that contradict each other: proof."""

    statements: tuple[Signed, Signed]


RoomEvent = OfferSeen | JoinSeen | GenesisSeen | AcceptSeen | Started | HostContradicted


class WaitingRoom:
    """One table before its game; `host` is the key that the table's name or the invite commits to.

    `private` comes from the invite: an open table's name must be the hash of its host. Only the host stores the joins
    of others, because a genesis quotes them. With `guests`, nobody else may sit.
    """

    def __init__(
        self,
        table: str,
        host: bytes,
        me: Identity | None = None,
        private: bool = False,
        guests: Collection[bytes] = (),
    ) -> None:
        self.table = table
        self.host = host
        self._me = me
        self._private = private
        self._guests = frozenset(guests)
        self.offer: Offer | None = None
        self.joins: dict[bytes, Signed] = {}
        self.preferred: set[bytes] = set()
        """Keys whose joins are never dropped for others: those with a ticket, and those the host names."""
        self._agreed: bytes | None = None
        self._seen: set[bytes] = set()
        self.games: dict[int, Founded] = {}
        self.accepts: dict[bytes, dict[int, Signed]] = {}
        self.started: tuple[Founded, Signed] | None = None
        self.proof: tuple[Signed, Signed] | None = None
        self._early: dict[bytes, Signed] = {}
        self._begun = False

    def knows(self, key: bytes) -> bool:
        """Return whether this is the host, or somebody who has joined."""
        return key == self.host or key in self.joins or key in self._seen

    # Incoming messages

    def receive(self, key: bytes, envelope: bytes) -> list[RoomEvent]:
        """Receive one message of the table's life from its author's key."""
        signed = open_envelope(key, envelope)
        return self.receive_signed(signed, parse(signed.body))

    def receive_signed(self, signed: Signed, message: Message) -> list[RoomEvent]:
        """Receive an envelope that is already open and parsed."""
        match message:
            case Offer():
                return self._offer(signed, message)
            case Join():
                return self._join(signed, message)
            case Genesis():
                return self._genesis(signed)
            case Accept():
                return self._accept(signed, message)
            case Start():
                return self._start(signed, message)
        raise Refused(Code.WRONG_TYPE)

    def _offer(self, signed: Signed, offer: Offer) -> list[RoomEvent]:
        if signed.key != self.host:
            raise Refused(Code.WRONG_KEY)
        check_offer(signed, offer, self.table)
        self._check_kind(offer.salt)
        self._agree(terms_hash(offer.key, offer.salt, offer.door, offer.terms))
        if self.offer is not None and offer.n <= self.offer.n:
            return []
        self.offer = offer
        return [OfferSeen(offer)]

    def _check_kind(self, salt: bytes) -> None:
        """Raise Refused unless the table is open or private as in the invite; else anyone could pose as its host."""
        if is_open(self.table, self.host, salt) is self._private:
            raise Refused(Code.WRONG_TABLE, "private" if self._private else "open")

    def _agree(self, terms: bytes) -> None:
        """Fix the table's terms to the first ones seen, in an offer or a genesis; refuse any others."""
        if self._agreed not in (None, terms):
            raise Refused(Code.BAD_TERMS, "a table has one set of terms")
        self._agreed = terms

    def _join(self, signed: Signed, join: Join) -> list[RoomEvent]:
        offer = self.offer
        if offer is None or self._agreed is None:
            raise Refused(Code.BAD_JOIN, "no offer yet")
        if signed.key in self.joins:
            # The first join of a key counts; others change nothing.
            return []
        if self._guests and signed.key not in self._guests:
            raise Refused(Code.NOT_A_SEAT, "not invited to this table")
        check_join(signed, join, self.table, self._agreed, offer.door, needs_ticket=self._private)
        if self._me is None or self._me.key not in (self.host, signed.key):
            return self._only_seen(join)
        if len(self.joins) >= MAX_JOINS:
            self._make_room()
        self.joins[signed.key] = signed
        if join.ticket:
            self.preferred.add(signed.key)
        return [JoinSeen(join)]

    def _only_seen(self, join: Join) -> list[RoomEvent]:
        """Record only the fact of a join, as guests and watchers do."""
        if join.key in self._seen:
            return []
        if len(self._seen) >= MAX_JOINS:
            raise Refused(Code.HOLD_FULL)
        self._seen.add(join.key)
        return [JoinSeen(join)]

    def _make_room(self) -> None:
        """Drop the oldest join of a stranger."""
        keep = self.preferred | {self.host}
        oldest = next((other for other in self.joins if other not in keep), None)
        if oldest is None:
            raise Refused(Code.HOLD_FULL)
        del self.joins[oldest]

    def _genesis(self, signed: Signed) -> list[RoomEvent]:
        if signed.key != self.host:
            raise Refused(Code.WRONG_KEY)
        founded = check_genesis(signed, self.table)
        genesis = founded.genesis
        self._check_kind(genesis.salt)
        if self._guests and not self._guests.issuperset(founded.keys):
            raise Refused(Code.NOT_A_SEAT, "somebody who is not invited to this table")
        self._agree(terms_hash(genesis.key, genesis.salt, genesis.door, genesis.terms))
        attempt = genesis.attempt
        known = self.games.get(attempt)
        if known is not None:
            return [] if known.gid == founded.gid else self._contradicted(known.signed, signed)
        if len(self.games) >= MAX_ATTEMPTS:
            self._forget_attempt(attempt)
        self.games[attempt] = founded
        events: list[RoomEvent] = [GenesisSeen(founded, self._quotes_me(founded))]
        if self.started is not None and attempt > self.started[0].genesis.attempt:
            events += self._contradicted(self.started[1], signed)
        if founded.gid in self._early:
            events += self._late_start(self._early.pop(founded.gid))
        return events

    def _forget_attempt(self, newer: int) -> None:
        """Drop the oldest game, except the one that was started."""
        started = None if self.started is None else self.started[0].genesis.attempt
        oldest = min(attempt for attempt in self.games if attempt != started)
        if newer < oldest:
            raise Refused(Code.OLD_ATTEMPT)
        self.accepts.pop(self.games.pop(oldest).gid, None)

    def _late_start(self, early: Signed) -> list[RoomEvent]:
        try:
            return self._start(early, parse_as(Start, early.body))
        except Refused:
            return []

    def _accept(self, signed: Signed, accept: Accept) -> list[RoomEvent]:
        founded = self._game(accept.gid)
        if founded is None:
            raise Refused(Code.WRONG_GAME)
        check_accept(founded, signed, accept)
        given = self.accepts.setdefault(founded.gid, {})
        if accept.seat in given:
            return []
        given[accept.seat] = signed
        return [AcceptSeen(founded, accept.seat)]

    def _start(self, signed: Signed, start: Start) -> list[RoomEvent]:
        if signed.key != self.host:
            raise Refused(Code.WRONG_KEY)
        founded = self._game(start.gid)
        if founded is None:
            if len(self._early) >= MAX_ATTEMPTS:
                del self._early[next(iter(self._early))]
            self._early[start.gid] = signed
            return []
        check_start(founded, signed, start)
        later = [game for attempt, game in sorted(self.games.items()) if attempt > founded.genesis.attempt]
        if self.started is not None:
            same = self.started[0].gid == founded.gid
            return [] if same else self._contradicted(self.started[1], signed)
        self.started = (founded, signed)
        events: list[RoomEvent] = [Started(founded, signed)]
        return events + self._contradicted(signed, later[0].signed) if later else events

    def _contradicted(self, one: Signed, two: Signed) -> list[RoomEvent]:
        if self.proof is not None:
            return []
        self.proof = (one, two)
        return [HostContradicted(self.proof)]

    def _game(self, gid: bytes) -> Founded | None:
        return next((game for game in self.games.values() if game.gid == gid), None)

    def _quotes_me(self, founded: Founded) -> bool:
        mine = None if self._me is None else self.joins.get(self._me.key)
        return mine is not None and (mine.key, mine.envelope) in founded.genesis.joins

    # Results

    @property
    def void(self) -> bool:
        """True if the host's contradiction ends this table for us.

        That is so until we have written in slot 1. From then on the others may rely on our entry: if all of them wrote
        too, there is one game, whatever the host does; if one did not, slot 1 never closes.
        """
        return self.proof is not None and not self._begun

    @property
    def latest(self) -> Founded | None:
        """The newest game that the host proposed."""
        return self.games[max(self.games)] if self.games else None

    @property
    def game(self) -> Founded | None:
        """The game that was started here."""
        return None if self.started is None or self.void else self.started[0]

    def begun(self) -> None:
        """Record that our entry of slot 1 is on disk."""
        if self.void:
            raise Forbidden(Code.TABLE_VOID)
        self._begun = True

    # Our messages

    def join(self, nonce: bytes, name: str = "", runner: bytes = b"", door: Identity | None = None) -> bytes:
        """Return our join; once there is one, always the same."""
        me = self._identity()
        if me.key in self.joins:
            return self.joins[me.key].envelope
        if self.offer is None:
            raise Forbidden(Code.BAD_JOIN, "no offer yet")
        return signed_message(me, make_join(me, self.offer, nonce, name, runner, door))

    def accept(self) -> bytes:
        """Return our accept of the newest game, if it quotes our join byte for byte and the table is not void."""
        me, founded = self._identity(), self.latest
        if self.void:
            raise Forbidden(Code.TABLE_VOID)
        if founded is None or self.started is not None:
            raise Forbidden(Code.OLD_ATTEMPT)
        seat = founded.seat_of(me.key)
        if seat is None or not self._quotes_me(founded):
            raise Forbidden(Code.MISSING_JOIN)
        return signed_message(me, Accept(founded.gid, seat))

    def propose(self, keys: Collection[bytes]) -> bytes:
        """Return the next genesis, as host, with the joins of these keys; raise Forbidden once a start was signed."""
        me = self._host()
        if self.started is not None or self.offer is None:
            raise Forbidden(Code.TWO_STATEMENTS)
        if not set(keys) <= set(self.joins):
            raise Forbidden(Code.MISSING_JOIN)
        joins = tuple((key, self.joins[key].envelope) for key in sorted(keys))
        offer, attempt = self.offer, max(self.games, default=0) + 1
        return self._say(me, Genesis(self.table, me.key, offer.salt, attempt, offer.terms, offer.door, joins))

    def start(self) -> bytes:
        """Return the start of the newest game, as host, once every seat accepted it; always the same."""
        me, founded = self._host(), self.latest
        if self.started is not None:
            return self.started[1].envelope
        if founded is None:
            raise Forbidden(Code.MISSING_ACCEPT)
        given = self.accepts.get(founded.gid, {})
        if len(given) != len(founded.keys):
            raise Forbidden(Code.MISSING_ACCEPT)
        accepts = tuple(given[seat].envelope for seat in sorted(given))
        return self._say(me, Start(founded.gid, me.key, accepts))

    def _say(self, me: Identity, message: Message) -> bytes:
        envelope = signed_message(me, message)
        if isinstance(message, Genesis):
            try:
                check_genesis(open_envelope(me.key, envelope), self.table)
            except Refused as refusal:
                raise Forbidden(refusal.code, refusal.detail) from None
        return envelope

    def _identity(self) -> Identity:
        if self._me is None:
            raise Forbidden(Code.NOT_PLAYING)
        return self._me

    def _host(self) -> Identity:
        if self._me is None or self._me.key != self.host:
            raise Forbidden(Code.WRONG_KEY)
        if self.void:
            raise Forbidden(Code.TABLE_VOID)
        return self._me


def find_room(
    channel: Channel,
    key: bytes,
    envelope: bytes,
    me: Identity | None = None,
    names_host: Callable[[bytes], bool] = lambda _key: True,
) -> WaitingRoom:
    """Open the waiting room of a table from its host's offer or genesis; raise Refused for anything else.

    `names_host` is the invite's method. A genesis is accepted because late joiners may have missed the offer.
    """
    signed = open_envelope(key, envelope)
    message = parse(signed.body)
    private = channel.private is not None
    if not isinstance(message, Offer | Genesis) or not names_host(key):
        raise Refused(Code.WRONG_KEY)
    if isinstance(message, Offer):
        check_offer(signed, message, channel.table)
    else:
        check_genesis(signed, channel.table)
    if is_open(channel.table, key, message.salt) is private:
        raise Refused(Code.WRONG_TABLE)
    return WaitingRoom(channel.table, key, me, private)
