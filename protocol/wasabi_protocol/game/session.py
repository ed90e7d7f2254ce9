"""A session: one game as one client follows it, with its log, sealed decks, rules and out-of-turn messages.

Every message goes in through `receive`. The methods below return this client's own messages as envelopes and change
nothing yet: the caller writes the envelope to disk (fsync), then publishes it, and passes it to `wrote`.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.events import Abandoned, Event
from wasabi_protocol.game.heads import Heads
from wasabi_protocol.game.log import Log
from wasabi_protocol.game.rules_port import Finished
from wasabi_protocol.game.shuffle_batch import ShuffleBatch
from wasabi_protocol.game.state import GameState, first_state
from wasabi_protocol.sealed.errors import SealedError
from wasabi_protocol.sealed.state import Card, Place
from wasabi_protocol.signed.codec import limit_of, parse, signed_message
from wasabi_protocol.signed.envelope import MAX_ENTRY, Signed, open_envelope
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import (
    ENTRIES,
    Abandon,
    Answer,
    Ballot,
    Blame,
    Bundle,
    Chunk,
    End,
    Entry,
    Head,
    Keys,
    Leave,
    Message,
    Pledge,
    Sealing,
    Shuffle,
    Wish,
)
from wasabi_protocol.verdicts import Code, Forbidden, Invalid, Refused
from wasabi_protocol.voting.blame import Evidence, blame_records, prove_equivocation
from wasabi_protocol.voting.voter import Voter
from wasabi_protocol.voting.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from wasabi_protocol.game.rules_port import RulesPort
    from wasabi_protocol.sealed.player import Seal, SealedPlayer
    from wasabi_protocol.signed.canonical import Value
    from wasabi_protocol.signed.identity import Identity
    from wasabi_protocol.table.genesis import Founded

P = TypeVar("P")
T = TypeVar("T")
_SEALINGS: dict[str, type[Sealing]] = {cls.t: cls for cls in ENTRIES if issubclass(cls, Sealing)}


@dataclass(frozen=True, slots=True, repr=False)
class Me:
    """This client's seat: its signing key, the private side of its cards, and the nonce that its join commits to."""

    identity: Identity
    player: SealedPlayer
    nonce: bytes


class Session(Generic[P]):
    """One game followed by one client; without `me`, as a watcher."""

    def __init__(self, founded: Founded, game: RulesPort[P], me: Me | None = None, run: bytes = bytes(16)) -> None:
        self.founded = founded
        self.game = game
        self._me = me
        self._seat = None if me is None else me.player.seat
        if me is not None and founded.seat_of(me.identity.key) != self._seat:
            raise Forbidden(Code.WRONG_SEAT)
        self.shuffles = ShuffleBatch()
        self.log = Log(founded.gid, founded.signed.body, founded.keys, first_state(founded, game), self._judge)
        self.ballots = Voter(self.log, self._seat)
        self.wishes = Wishes(founded.gid, founded.keys)
        self.heads = Heads(self.log, self._seat, run)
        self.abandoned: dict[int, Signed] = {}

    # Known state

    @property
    def state(self) -> GameState[P]:
        """The state after the last closed slot."""
        return self.log.state

    @property
    def broken(self) -> Evidence | None:
        """The evidence that ended a two-player game."""
        return self.log.broken

    @property
    def over(self) -> bool:
        """True if no seat owes anything any more."""
        return self.log.broken is not None or not self.state.owed

    @property
    def place(self) -> Place:
        """The place of the next entry."""
        return Place(self.log.head.number + 1, self.log.head.link)

    @property
    def owes(self) -> tuple[str, ...]:
        """The types of entry this client may write now; none if it owes none."""
        if self._seat is None or self.over or self._seat not in self.log.missing:
            return ()
        return self.state.kinds

    def hand(self) -> dict[Card, int]:
        """Return the faces of our own hidden cards."""
        me = self._me
        if me is None:
            return {}
        return _permitted(lambda: me.player.hand(self.state.decks))

    def items(self) -> list[tuple[bytes, bytes]]:
        """Return everything in a game's file after genesis and start, as (key, envelope)."""
        items = self.log.after(0)
        proofs = [signed for evidence in self.log.evidence for signed in evidence.bodies]
        others = [(signed.key, signed.envelope) for signed in (*proofs, *self.abandoned.values())]
        return items + [item for item in dict.fromkeys(others) if item not in items]

    # Incoming messages

    def expect(self, items: Iterable[tuple[bytes, bytes]]) -> None:
        """Preview the (key, envelope) items about to be received, so that checking them is faster."""
        for key, envelope in items:
            header = read_header(envelope[SIGNATURE_BYTES:])
            if header is None or (header.type, header.gid) != (Shuffle.t, self.founded.gid):
                continue
            if self.log.seat_of(key) != header.seat:
                continue
            with suppress(Refused):
                self.shuffles.note(open_envelope(key, envelope, MAX_ENTRY))

    def receive(self, key: bytes, envelope: bytes, live: bool = True) -> list[Event[GameState[P]]]:
        """Receive one envelope from its author's key; `live` is false if the broker had retained it."""
        return self.receive_signed(open_envelope(key, envelope), live)

    def receive_signed(self, signed: Signed, live: bool = True) -> list[Event[GameState[P]]]:
        """Receive an envelope that is already open."""
        return self._take(signed, live, relayed=False)

    def wrote(self, envelope: bytes) -> list[Event[GameState[P]]]:
        """Receive our own envelope once it is on disk; its echo arrives later through `receive`."""
        if self._me is None:
            raise Forbidden(Code.NOT_PLAYING)
        signed = open_envelope(self._me.identity.key, envelope)
        return self._take(signed, live=False, relayed=False)

    def _take(self, signed: Signed, live: bool, relayed: bool) -> list[Event[GameState[P]]]:
        header = read_header(signed.body)
        if header is not None:
            if len(signed.envelope) > MAX_ENTRY:
                raise Refused(Code.TOO_LONG)
            return self.log.add_entry(signed, header)
        message = parse(signed.body)
        if len(signed.envelope) > limit_of(type(message)):
            raise Refused(Code.TOO_LONG)
        match message:
            case Ballot() | Pledge():
                return self.log.add_vote(signed, message)
            case Wish():
                return [*self.wishes.receive(signed, message)]
            case Head():
                return [*self.heads.receive(signed.key, message, live)]
            case Abandon():
                return self._abandoned(signed, message)
            case Blame() | Answer() | Chunk() if not relayed:
                events = self._relay(self._relayed(signed, message))
                return events + (self._accused(message) if isinstance(message, Blame) else [])
        raise Refused(Code.WRONG_TYPE, message.t)

    def _relayed(self, signed: Signed, message: Blame | Answer | Chunk) -> list[tuple[bytes, bytes]]:
        """Return the (author's key, envelope) items that a message relays."""
        if message.key != signed.key:
            raise Refused(Code.WRONG_KEY)
        if isinstance(message, Blame):
            if message.gid != self.founded.gid or message.seat >= len(self.founded.keys):
                raise Refused(Code.WRONG_GAME)
            return [(self.founded.keys[message.seat], envelope) for envelope in message.entries]
        if message.table != self.founded.genesis.table:
            raise Refused(Code.WRONG_TABLE)
        if isinstance(message, Chunk):
            return [(message.key, envelope) for envelope in message.entries]
        return list(message.items)

    def _relay(self, items: Sequence[tuple[bytes, bytes]]) -> list[Event[GameState[P]]]:
        """Receive relayed envelopes; each is judged on its own, and its relayer is not responsible for it."""
        events: list[Event[GameState[P]]] = []
        new = [(key, envelope) for key, envelope in items if key in self.founded.keys and not self.log.has(envelope)]
        self.expect(new)
        for key, envelope in new:
            try:
                events += self._take(open_envelope(key, envelope), live=False, relayed=True)
            except Refused:
                continue
        return events

    def _accused(self, record: Blame) -> list[Event[GameState[P]]]:
        """Record an equivocation, which proves itself even if there is no space to store its two statements."""
        try:
            one, two = record.entries
            proof = prove_equivocation(self.founded.gid, self.founded.keys, record.seat, one, two)
        except (ValueError, Refused):
            return []
        return self.log.accuse(proof)

    def _abandoned(self, signed: Signed, statement: Abandon) -> list[Event[GameState[P]]]:
        if statement.gid != self.founded.gid:
            raise Refused(Code.WRONG_GAME)
        if self.log.seat_of(signed.key) != statement.seat:
            raise Refused(Code.WRONG_SEAT)
        if len(self.state.seats) != 2 or statement.seat not in self.state.seats:
            raise Refused(Code.NOT_OWED, "only one of two")
        if statement.seat in self.abandoned:
            return []
        self.abandoned[statement.seat] = signed
        return [Abandoned(statement)]

    def _judge(self, state: GameState[P], entry: Entry) -> object:
        return state.judge(entry, self.shuffles)

    # Entries of our own

    def answer(self) -> bytes | None:
        """Return our automatic entry (keys, shuffle, shares ...), or None if we owe none now."""
        me, state = self._me, self.state
        if me is None or not self.owes or not state.automatic:
            return None
        self._may_write()
        work = _permitted(lambda: me.player.answer(state.decks, self.place))
        if work is None:
            return None
        (kind,) = state.kinds
        if kind == Keys.t:
            return self._sign(Keys(*self._header(), work, me.nonce if state.position is None else b""))
        return self._sign(_SEALINGS[kind](*self._header(), work))

    def bundle(self, steps: Sequence[str], seals: Sequence[Seal] = ()) -> bytes:
        """Return our next bundle; raise Forbidden, with the code that others would give, if it is invalid."""
        me = self._writer("bundle")
        work = _permitted(lambda: me.player.seals(self.state.decks, self.place, seals))
        among = [seat for seat in self.state.seats if seat != self._seat and seat not in self.state.leaving]
        entry = Bundle(*self._header(), tuple(steps), work, self.wishes.leaves(among), bytes(32))
        return self._signed_with_digest(entry)

    def quit(self, open_keys: bool = False) -> bytes:
        """Return our leave entry, when it is our turn or our wish was heard."""
        me = self._writer("leave")
        work = _permitted(lambda: me.player.give_up_hand(self.state.decks, self.place))
        return self._signed_with_digest(Leave(*self._header(), work, open_keys, bytes(32)))

    def end(self, open_keys: bool = False, show_hand: bool = False) -> bytes:
        """Return our signature under the end of the game, optionally with our hand for the replay."""
        me, state = self._writer("end"), self.state
        hand: Value = []
        if show_hand and state.decks.kind == "play" and state.decks.hand(me.player.seat):
            hand = _permitted(lambda: me.player.open(state.decks, self.place))
        scores = state.due.scores if isinstance(state.due, Finished) else ()
        return self._signed_with_digest(End(*self._header(), bytes(32), scores, open_keys, hand))

    def _writer(self, kind: str) -> Me:
        if self._me is None or kind not in self.owes:
            raise Forbidden(Code.NOT_OWED, kind)
        self._may_write()
        return self._me

    def _may_write(self) -> None:
        if self.heads.other_run is not None:
            raise Forbidden(Code.OTHER_RUN)
        if self.ballots.bound():
            raise Forbidden(Code.BOUND_BY_BALLOT)
        if self._seat is not None and self.log.written(self.state.epoch, self.place.slot, self._seat) is not None:
            raise Forbidden(Code.ALREADY_WRITTEN)

    def _header(self) -> tuple[bytes, int, int, int, bytes]:
        assert self._seat is not None, "only a seat writes"
        return self.founded.gid, self.state.epoch, self.place.slot, self._seat, self.place.prev

    def _signed_with_digest(self, entry: Bundle | Leave | End) -> bytes:
        """Return the signed entry with its digest, checked as the others will check it."""
        try:
            digest = self.state.digest_after(entry)
        except Invalid as verdict:
            raise Forbidden(verdict.code, verdict.detail) from None
        return self._sign(replace(entry, digest=digest))

    def _sign(self, entry: Entry) -> bytes:
        assert self._me is not None, "only a seat writes"
        return signed_message(self._me.identity, entry)

    # Out of turn

    def wish(self, want: str) -> bytes:
        """Return our wish to leave or to play again."""
        return self._say(lambda seat: Wish(self.founded.gid, seat, want))

    def vote(self, out: int, by: str) -> bytes:
        """Return our ballot to go on without a seat, or with everybody (`NOBODY`); `by` names who decided."""
        return self._say(lambda _: self.ballots.ballot(out, by))

    def word(self) -> bytes | None:
        """Return the vote we owe without anybody's decision, or None."""
        word = self.ballots.word()
        return None if word is None else self._say(lambda _: word)

    def withdraw(self) -> bytes | None:
        """Return our ballot that withdraws one nobody answered for long, or None if none is open."""
        word = self.ballots.withdraw()
        return None if word is None else self._say(lambda _: word)

    def abandon(self) -> bytes:
        """Return our statement that we no longer wait for the other of two."""
        if len(self.state.seats) != 2:
            raise Forbidden(Code.NOT_OWED, "only one of two")
        head = self.log.head
        return self._say(lambda seat: Abandon(self.founded.gid, head.number, seat, head.link))

    def head(self) -> bytes:
        """Return our heartbeat."""
        return self._say(lambda seat: self.heads.next(self.founded.gid, seat))

    def blame(self, evidence: Evidence) -> list[bytes]:
        """Return the records that carry a proof to the others."""
        if self._me is None:
            raise Forbidden(Code.NOT_PLAYING)
        records = blame_records(self.founded.gid, self._me.identity.key, evidence)
        return [signed_message(self._me.identity, record) for record in records]

    def _say(self, make: Callable[[int], Message]) -> bytes:
        if self._me is None or self._seat is None:
            raise Forbidden(Code.NOT_PLAYING)
        return signed_message(self._me.identity, make(self._seat))

    def forget(self) -> bytes | None:
        """Return the replacement for the game secret on disk, once no vote can go back before this epoch's cards."""
        if self._me is None or self.state.decks.kind != "play" or self.state.epoch == self._me.player.epoch:
            return None
        ready = next(
            slot.number
            for slot in self.log.slots
            if slot.state.epoch == self.state.epoch and slot.state.decks.kind == "play"
        )
        if not self.log.signed_past(ready):
            return None
        player = self._me.player.settled(self.state.decks)
        self._me = Me(self._me.identity, player, self._me.nonce)
        return player.dump()


def _permitted(make: Callable[[], T]) -> T:
    """Run a function of our own cards; raise Forbidden if their promises rule it out."""
    try:
        return make()
    except SealedError as error:
        raise Forbidden(Code.BAD_PROOF, str(error)) from None
