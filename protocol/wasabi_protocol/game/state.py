"""The state of a game after a slot: the entries owed, from the keys to the end, as log, decks and rules determine.

| the decks require       | entry of the next slot   | written by              |
| keys, carry, tags       | that kind                | every seat that owes it |
| shuffle, multiply       | that kind                | one seat after another  |
| shares                  | shares                   | every seat that owes it |
| nothing, a leave heard  | leave                    | the seat that wished it |
| nothing, a turn is due  | bundle, or leave instead | that seat               |
| nothing, game finished  | end                      | every seat              |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from wasabi_protocol.game.rules_port import (
    CardArrived,
    Finished,
    IllegalSteps,
    RulesPort,
    Turn,
    bundle_facts,
    dealt_face,
    on_its_way,
)
from wasabi_protocol.sealed import decks as sealed
from wasabi_protocol.sealed.errors import SealRefused as SealRefused
from wasabi_protocol.sealed.errors import SealsStopped as SealStopped
from wasabi_protocol.sealed.state import Card, Decks, Place
from wasabi_protocol.signed.messages import Bundle, End, Entry, Keys, Leave, Sealing, Shuffle
from wasabi_protocol.table.genesis import Founded, agreed_order, commitment, seating
from wasabi_protocol.verdicts import Code, Invalid
from wasabi_protocol.voting.wishes import check_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wasabi_protocol.game.chain import VerifiedEntry
    from wasabi_protocol.game.rules_port import Due
    from wasabi_protocol.game.shuffle_batch import ShuffleBatch
    from wasabi_protocol.signed.canonical import Value

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class SignedOutcome:
    """The end of a game, signed by every seat; `open` if every seat that ever sat here allows its keys to be shown."""

    digest: bytes
    scores: tuple[int, ...]
    open: bool
    faces: Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class _Sealed:
    """Checked work on the decks."""

    checked: sealed.Checked
    nonce: bytes = b""


@dataclass(frozen=True, slots=True)
class _Moved(Generic[P]):
    """Decks and position after a bundle or a leave."""

    decks: Decks
    position: P
    leaving: tuple[int, ...]
    gone: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Signed:
    """A seat's statement at the end."""

    open: bool
    faces: Mapping[Card, int]


@dataclass(frozen=True, slots=True)
class _Halt:
    """Every proof is valid and yet the cards do not add up."""

    code: str


@dataclass(frozen=True)
class GameState(Generic[P]):
    """One immutable value after each slot."""

    founded: Founded
    game: RulesPort[P]
    decks: Decks
    position: P | None = None
    order: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    gone: tuple[tuple[int, bool], ...] = ()
    outcome: SignedOutcome | None = None
    stopped: str | None = None

    # Owed entries

    @property
    def epoch(self) -> int:
        return self.decks.epoch

    @property
    def seats(self) -> tuple[int, ...]:
        return self.decks.seats

    @cached_property
    def due(self) -> Due | None:
        """The next thing the rules require, once there is a position."""
        return None if self.position is None else self.game.due(self.position)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The types of entry that the next slot may contain."""
        if self.outcome is not None or self.stopped is not None:
            return ()
        if self.decks.kind not in ("play", "over"):
            return (self.decks.kind,)
        if self.leaving and self.decks.kind == "play":
            return ("leave",)
        return ("bundle", "leave") if isinstance(self.due, Turn) else ("end",)

    @cached_property
    def owed(self) -> tuple[int, ...]:
        match self.kinds:
            case ():
                return ()
            case ("leave",):
                return self.leaving[:1]
            case ("end",):
                return self.seats
            case ("bundle", _) if isinstance(self.due, Turn):
                return (self.due.seat,)
        return self.decks.owed.seats

    @property
    def played(self) -> bool:
        return self.position is not None

    @property
    def bots(self) -> frozenset[int]:
        return frozenset(seat for seat, join in enumerate(self.founded.joins) if join.runner)

    @property
    def automatic(self) -> bool:
        """True if clients write the next slot without asking their players."""
        return self.decks.kind not in ("play", "over") and bool(self.kinds)

    # One entry

    def judge(self, entry: Entry, shuffles: ShuffleBatch | None = None) -> object:
        """Return the work of an entry; raise Invalid if it is wrong. A batch of shuffles only makes it faster."""
        if entry.t not in self.kinds:
            raise Invalid(Code.WRONG_TYPE, entry.seat, entry.t)
        try:
            match entry:
                case Sealing():
                    return self._judge_sealing(entry, shuffles)
                case Bundle() | Leave() | End():
                    work, digest = self._judge_player(entry)
                    if digest != entry.digest:
                        raise Invalid(Code.WRONG_DIGEST, entry.seat)
                    return work
        except SealRefused as refusal:
            raise Invalid(Code.BAD_PROOF, entry.seat, str(refusal)) from None
        except SealStopped as stop:
            return _Halt(stop.code)
        raise Invalid(Code.WRONG_TYPE, entry.seat, entry.t)

    def digest_after(self, entry: Bundle | Leave | End) -> bytes:
        """Return the digest that an entry must carry; raise Invalid if the entry is wrong whatever its digest."""
        try:
            return self._judge_player(entry)[1]
        except SealRefused as refusal:
            raise Invalid(Code.BAD_PROOF, entry.seat, str(refusal)) from None
        except SealStopped as stop:
            raise Invalid(Code.WRONG_CONTENT, entry.seat, stop.code) from None

    def _judge_player(self, entry: Bundle | Leave | End) -> tuple[_Moved[P] | _Signed, bytes]:
        if isinstance(entry, End):
            return self._judge_end(entry), self.game.digest(self._position)
        moved = self._judge_bundle(entry) if isinstance(entry, Bundle) else self._judge_leave(entry)
        return moved, self.game.digest(moved.position)

    def _check(self, entry: Entry, kind: str, work: Value) -> sealed.Checked:
        return sealed.check(self.decks, Place(entry.slot, entry.prev), entry.seat, kind, work)

    def _judge_sealing(self, entry: Sealing, shuffles: ShuffleBatch | None) -> _Sealed:
        nonce = b""
        if isinstance(entry, Keys):
            nonce = entry.nonce
            join = self.founded.joins[entry.seat]
            opened = commitment(join.table, join.key, nonce) == join.commit
            # The seat order is drawn once, from the first keys that all seats published.
            if (not opened) if self.position is None else nonce:
                raise Invalid(Code.BAD_NONCE, entry.seat)
        if isinstance(entry, Shuffle) and shuffles is not None:
            return _Sealed(shuffles.check(self.decks, entry))
        return _Sealed(self._check(entry, entry.t, entry.work), nonce)

    def _judge_bundle(self, entry: Bundle) -> _Moved[P]:
        others = [seat for seat in self.seats if seat != entry.seat and seat not in self.leaving]
        leavers = check_leaves(entry.wishes, self.founded.gid, self.founded.keys, others, entry.seat)
        after = sealed.close(self.decks, [self._check(entry, "seals", entry.seals)])
        facts = bundle_facts(entry, after)
        try:
            position = self.game.play(self._position, entry.seat, entry.steps, facts)
        except IllegalSteps as illegal:
            raise Invalid(Code.ILLEGAL_STEPS, entry.seat, str(illegal)) from None
        return _Moved(after, position, self.leaving + leavers, self.gone)

    def _judge_leave(self, entry: Leave) -> _Moved[P]:
        after = sealed.close(self.decks, [self._check(entry, "leave", entry.work)])
        position = self.game.without_seat(self._position, entry.seat)
        leaving = tuple(seat for seat in self.leaving if seat != entry.seat)
        return _Moved(after, position, leaving, (*self.gone, (entry.seat, entry.open)))

    def _judge_end(self, entry: End) -> _Signed:
        if not isinstance(self.due, Finished) or entry.scores != self.due.scores:
            raise Invalid(Code.WRONG_CONTENT, entry.seat, "scores")
        if entry.hand == []:
            return _Signed(entry.open, {})
        shown = sealed.close(self.decks, [self._check(entry, "open", entry.hand)])
        return _Signed(entry.open, shown.faces)

    @property
    def _position(self) -> P:
        assert self.position is not None, "there is a position as soon as the decks are in play"
        return self.position

    # A whole slot

    def close(self, entries: Sequence[VerifiedEntry]) -> GameState[P]:
        return self._closed(entries)._unless_alone()

    def _closed(self, entries: Sequence[VerifiedEntry]) -> GameState[P]:
        works = [(entry.seat, entry.work) for entry in entries]
        for _, work in works:
            if isinstance(work, _Halt):
                return replace(self, stopped=work.code)
        first = works[0][1]
        if isinstance(first, _Moved):
            return replace(self, decks=first.decks, position=first.position, leaving=first.leaving, gone=first.gone)
        if isinstance(first, _Signed):
            return self._ended([(seat, work) for seat, work in works if isinstance(work, _Signed)])
        return self._sealed([(seat, work) for seat, work in works if isinstance(work, _Sealed)])

    def _sealed(self, works: list[tuple[int, _Sealed]]) -> GameState[P]:
        try:
            decks = sealed.close(self.decks, [work.checked for _, work in works])
        except SealRefused as refusal:
            seat = works[-1][0] if refusal.seat is None else refusal.seat
            raise Invalid(Code.BAD_PROOF, seat, str(refusal)) from None
        except SealStopped as stop:
            return replace(self, stopped=stop.code)
        if self.decks.kind == "keys" and self.position is None:
            terms = self.founded.genesis.terms
            order = seating(self.founded.gid, [(seat, work.nonce) for seat, work in works], agreed_order(terms))
            position = self.game.begin(terms, order)
            return replace(self, decks=decks, position=position, order=order)
        if self.decks.kind == "shares" and self.decks.pending:
            cards = [CardArrived(p.card, p.seat, dealt_face(p.seat, p.card, decks)) for p in self.decks.pending]
            return replace(self, decks=decks, position=self.game.dealt(self._position, cards))
        return replace(self, decks=decks)

    def _ended(self, works: list[tuple[int, _Signed]]) -> GameState[P]:
        faces = dict(self.decks.faces)
        for _, work in works:
            faces.update(work.faces)
        agreed = {seat for seat, work in works if work.open} | {seat for seat, word in self.gone if word}
        everyone = len(agreed) == len(self.founded.keys)
        digest = self.game.digest(self._position)
        scores = self.due.scores if isinstance(self.due, Finished) else ()
        return replace(self, outcome=SignedOutcome(digest, scores, everyone, faces))

    def without(self, out: int, epoch: int) -> GameState[P]:
        decks = sealed.begin_epoch(self.decks, [out], epoch)
        leaving = tuple(seat for seat in self.leaving if seat != out)
        if self.position is None:
            return replace(self, decks=decks, leaving=leaving)
        # Only cards now on their way: the rules already know those that an earlier vote made void.
        void = [on_its_way(p.seat, p.card) for p in self.decks.pending if p.seat != out]
        position = self.game.excluded(self.position, out, void)
        return replace(self, decks=decks, leaving=leaving, position=position)._unless_alone()

    def _unless_alone(self) -> GameState[P]:
        """Return this state, or a stopped one if the rules require a turn of the only remaining seat."""
        if self.decks.kind == "over" and isinstance(self.due, Turn):
            return replace(self, stopped="rules.turn-alone")
        return self


def first_state(founded: Founded, game: RulesPort[P]) -> GameState[P]:
    """Return the state after genesis: every seat owes its key and its nonce."""
    identities = dict(enumerate(founded.keys))
    return GameState(founded, game, sealed.open_decks(founded.gid, identities, founded.genesis.terms.decks))
