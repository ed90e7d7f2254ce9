"""Blame: proof against a seat, from an invalid entry or from two bodies for one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.envelope import MAX_ENVELOPE, Signed, open_envelope
from wasabi_protocol.signed.messages import Ballot, Blame, Pledge
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two full-size entries do not fit into one message; each then travels in a record of its own.
_RECORD_BYTES = MAX_ENVELOPE - 256


@dataclass(frozen=True, slots=True)
class Evidence:
    """Proof that a seat broke the rules: its own signed bodies.

    Either one body that is wrong against the log that it names (`code` gives the reason), or two for one place.
    """

    seat: int
    epoch: int
    slot: int
    code: Code
    bodies: tuple[Signed, ...]

    @property
    def equivocation(self) -> bool:
        return self.code is Code.EQUIVOCATION


class BlameClaim(NamedTuple):
    """The content of a signed body and its place; a seat may make one claim in each place."""

    place: tuple[bytes, str, int, int, int]  # game, kind, epoch, slot or round, seat
    slot: int
    said: tuple[object, ...]


def claim_of(body: bytes) -> BlameClaim | None:
    """Return the claim of an entry, a ballot or a pledge; the speaker of a ballot is not part of it."""
    header = read_header(body)
    if header is not None:
        return BlameClaim((header.gid, "entry", header.epoch, header.slot, header.seat), header.slot, (body,))
    try:
        word = parse(body)
    except Refused:
        return None
    if not isinstance(word, (Ballot, Pledge)):
        return None
    place = (word.gid, word.t, word.epoch, word.round, word.seat)
    return BlameClaim(place, word.base + 1, (word.base, word.prev, word.out))


def prove_equivocation(gid: bytes, keys: Sequence[bytes], seat: int, one: bytes, two: bytes) -> Evidence:
    """Return evidence from two envelopes and the genesis alone; raise Refused if they prove nothing."""
    if not 0 <= seat < len(keys):
        raise Refused(Code.NOT_A_SEAT)
    bodies = tuple(open_envelope(keys[seat], envelope) for envelope in (one, two))
    first, second = (claim_of(signed.body) for signed in bodies)
    if first is None or second is None or first.place != second.place or first.said == second.said:
        raise Refused(Code.WRONG_CONTENT, "not two claims for one place")
    game, _, epoch, _, author = first.place
    if game != gid:
        raise Refused(Code.WRONG_GAME)
    if author != seat:
        raise Refused(Code.WRONG_SEAT)
    return Evidence(seat, epoch, first.slot, Code.EQUIVOCATION, bodies)


def blame_records(gid: bytes, reporter: bytes, evidence: Evidence) -> list[Blame]:
    """Return the messages that carry the evidence to the others; each reader judges for itself."""
    envelopes = [signed.envelope for signed in evidence.bodies]
    if sum(map(len, envelopes)) <= _RECORD_BYTES:
        return [Blame(gid, reporter, evidence.seat, tuple(envelopes))]
    return [Blame(gid, reporter, evidence.seat, (envelope,)) for envelope in envelopes]
