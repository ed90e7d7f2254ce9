"""The result of a game, as every command prints it and as anyone can check it from the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wasabi_protocol.game.record import MAGIC, found_record, read_record, replay
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, fingerprint
from wasabi_protocol.signed.messages import Ballot, Genesis, Pledge
from wasabi_protocol.verdicts import Refused, Verdict
from wasabi_protocol.voting.blame import Evidence

from ..engine.scores import all_scores
from .client.talk import player_of
from .rules_adapter.sealed_position import SealedPosition
from .rules_adapter.umpire import Umpire
from .terms import FindRules, rules_of


@dataclass(frozen=True)
class OnlineResult:
    """The state of a game, or its result. `verified`: every signature, proof and rule was checked here."""

    table: str
    head: str
    digest: str
    scores: tuple[int, ...]
    winner: tuple[str, ...]
    entries: int
    verified: bool
    settled: bool
    players: tuple[str, ...] = ()
    """The names around the table, in the order of the scores."""
    over: bool = False
    """True if the game has ended by the rules."""
    voted_out: tuple[str, ...] = ()
    """Names of the players who were voted out."""
    proved: tuple[str, ...] = ()
    """Names of those among them against whom there was proof."""


@dataclass(frozen=True)
class Fault:
    """The first invalid thing in a file."""

    entry: int
    """Its number in the file, from 1."""
    author: str
    seat: int | None
    code: str
    detail: str = ""
    ballot: bool = False
    """True if it is part of a vote, not an entry of the log."""


def result_of(session: Session[SealedPosition], verified: bool = True) -> OnlineResult:
    """Return the result according to a client's own log."""
    state, log = session.state, session.log
    sealed = state.position
    digest = b""
    scores: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    if sealed is not None:
        digest = sealed.rules.digest(sealed.position)
        scores = all_scores(sealed.position)
        players = _names(session, sealed.order)
        outcome = sealed.position.outcome
        winners = () if outcome is None else tuple(sealed.order[place] for place in outcome.winners)
    return OnlineResult(
        session.founded.genesis.table,
        log.head.link.hex(),
        digest.hex(),
        scores,
        _names(session, winners),
        sum(len(slot.bodies) for slot in log.slots if not slot.voted),
        verified and log.broken is None,
        state.outcome is not None,
        players,
        sealed is not None and sealed.position.outcome is not None,
        _names(session, [slot.out for slot in log.slots if slot.out is not None]),
        _names(session, [slot.out for slot in log.slots if slot.out is not None and slot.out in log.proved]),
    )


def _names(session: Session[SealedPosition], seats: Sequence[int]) -> tuple[str, ...]:
    return tuple(player_of(session.founded.joins[seat]).name for seat in seats)


@dataclass(frozen=True)
class CheckedFile:
    """A file and what it proves; it is valid if it has no fault."""

    session: Session[SealedPosition] | None
    fault: Fault | None
    whole: bool
    envelopes: int
    foreign: bool = False
    """True if it is not a game file at all."""

    @property
    def signers(self) -> tuple[str, ...]:
        """Fingerprints of the keys that signed it, seat by seat."""
        return () if self.session is None else tuple(fingerprint(key) for key in self.session.founded.keys)

    @property
    def result(self) -> OnlineResult | None:
        return None if self.session is None else result_of(self.session, self.fault is None)


def check_record(data: bytes, find: FindRules) -> CheckedFile:
    """Check everything in a game's file as a watcher would; raise `Unplayable` if its game is not known here."""
    try:
        items, whole = read_record(data)
        founded = found_record(items)
    except Refused as refusal:
        broken = Fault(_failing(data), "", None, str(refusal.code), refusal.detail)
        return CheckedFile(None, broken, False, 0, foreign=not data.startswith(MAGIC))
    umpire = Umpire(rules_of(founded.genesis.terms, find))
    replayed = replay(data, umpire)
    log = replayed.session.log
    fault = None
    found = [(index, str(verdict.code), verdict.detail) for index, verdict in replayed.refused[:1]]
    for evidence in _open_evidence(replayed.session):
        places = [
            items.index((body.key, body.envelope)) for body in evidence.bodies if (body.key, body.envelope) in items
        ]
        found.append((max(places, default=len(items) - 1), str(evidence.code), ""))
    if (again := _first_again(items)) is not None:
        found.append((again, "doubled", ""))
    if log.waiting and not found:
        found.append((len(items) - 1, "gap", ""))
    if found:
        index, code, detail = min(found)
        key = items[index][0]
        fault = Fault(index + 1, fingerprint(key), founded.seat_of(key), code, detail, _is_ballot(items[index][1]))
    elif not whole:
        fault = Fault(len(items) + 1, "", None, "torn")
    return CheckedFile(replayed.session, fault, whole, len(items))


def _first_again(items: Sequence[Item]) -> int | None:
    """Return the index of the first repeated message in a file; no program writes one twice."""
    seen: set[Item] = set()
    for index, item in enumerate(items):
        if item in seen:
            return index
        seen.add(item)
    return None


def _open_evidence(session: Session[SealedPosition]) -> list[Evidence]:
    """Return proofs that leave something open: not those against seats voted out of a settled game."""
    settled, gone = session.state.outcome is not None, {slot.out for slot in session.log.slots}
    return [evidence for evidence in session.log.evidence if not settled or evidence.seat not in gone]


def _is_ballot(envelope: bytes) -> bool:
    try:
        return isinstance(parse(envelope[SIGNATURE_BYTES:]), Ballot | Pledge)
    except Verdict:
        return False


def _failing(data: bytes) -> int:
    """Return the number of the envelope, of the first two, that does not found a game."""
    try:
        items, _ = read_record(data)
        return 1 if not items or not isinstance(parse(items[0][1][SIGNATURE_BYTES:]), Genesis) else 2
    except Verdict:
        return 1
