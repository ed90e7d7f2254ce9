"""Proof against a seat: an invalid entry, or two bodies for one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wasabi_protocol.chain import read_header
from wasabi_protocol.envelope import MAX_ENVELOPE, Signed, open_envelope
from wasabi_protocol.messages import Ballot, Blame
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.wire import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two entries of full size do not fit one message; then each travels in a record of its own.
_RECORD_BYTES = MAX_ENVELOPE - 256


@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves that a seat broke the rules: its own signed bodies.

    One body that is wrong against the log that it names (`code` says how), or two for one place.
    """

    seat: int
    epoch: int
    slot: int
    code: Code
    bodies: tuple[Signed, ...]

    @property
    def equivocation(self) -> bool:
        return self.code is Code.EQUIVOCATION


def place_of(body: bytes) -> tuple[bytes, str, int, int, int, int] | None:
    """The place that a signed body claims: game, kind, epoch, slot, ballot round, seat; one body a place."""
    header = read_header(body)
    if header is not None:
        return header.gid, "entry", header.epoch, header.slot, 0, header.seat
    try:
        message = parse(body)
    except Refused:
        return None
    if not isinstance(message, Ballot):
        return None
    return message.gid, "ballot", message.epoch, message.base + 1, message.round, message.seat


def prove_equivocation(keys: Sequence[bytes], seat: int, one: bytes, two: bytes) -> Evidence:
    """Evidence from two envelopes and the genesis keys alone; Refused if they prove nothing."""
    if not 0 <= seat < len(keys):
        raise Refused(Code.NOT_A_SEAT)
    bodies = tuple(open_envelope(keys[seat], envelope) for envelope in (one, two))
    places = {place_of(signed.body) for signed in bodies}
    place = places.pop()
    if places or place is None or place[-1] != seat or bodies[0].body == bodies[1].body:
        raise Refused(Code.WRONG_CONTENT, "not two bodies for one place")
    return Evidence(seat, place[2], place[3], Code.EQUIVOCATION, bodies)


def blame_records(gid: bytes, reporter: bytes, evidence: Evidence) -> list[Blame]:
    """The messages that carry the evidence to the others; whoever reads them judges for itself."""
    envelopes = [signed.envelope for signed in evidence.bodies]
    if sum(map(len, envelopes)) <= _RECORD_BYTES:
        return [Blame(gid, reporter, evidence.seat, tuple(envelopes))]
    return [Blame(gid, reporter, evidence.seat, (envelope,)) for envelope in envelopes]
