"""The faults of one game, and their times: all from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random


class Kind(StrEnum):
    RESET = "reset"
    REFUSE = "refused"
    BLACK_HOLE = "black hole"
    EAT_PUBACKS = "eaten PUBACKs"
    KILL = "peer killed"
    BROKER = "broker killed"
    LEAVE = "left"
    VANISH = "vanished"


@dataclass(frozen=True)
class Fault:
    """A fault that strikes a peer once its game file exceeds the shuffles by that number of bytes."""

    kind: Kind
    peer: int
    after: int
    seconds: float


@dataclass(frozen=True)
class Plan:
    seed: str
    edition: str
    seats: int
    private: bool
    faults: tuple[Fault, ...]

    @property
    def leavers(self) -> dict[int, int]:
        """Return the peers that leave by themselves, with the slot after which they do."""
        return {fault.peer: fault.after for fault in self.faults if fault.kind is Kind.LEAVE}

    @property
    def vanished(self) -> set[int]:
        return {fault.peer for fault in self.faults if fault.kind is Kind.VANISH}


_OFTEN = (Kind.RESET, Kind.RESET, Kind.REFUSE, Kind.EAT_PUBACKS, Kind.KILL, Kind.KILL, Kind.BROKER, Kind.BLACK_HOLE)


def make_plan(seed: str, own_broker: bool = True) -> Plan:
    """Return the plan of one game; a shared broker is not killed."""
    rng = Random(seed)
    seats = rng.choice((2, 2, 3, 3, 4))
    kinds = [rng.choice(_OFTEN) for _ in range(rng.randint(1, 4))]
    if not own_broker:
        kinds = [kind for kind in kinds if kind is not Kind.BROKER] or [Kind.RESET]
    faults = [Fault(kind, rng.randrange(seats), rng.randint(0, 12_000), rng.uniform(0.2, 4.0)) for kind in kinds]
    if rng.random() < 0.2:
        faults.append(Fault(Kind.LEAVE, rng.randrange(seats), rng.randint(8, 60), 0.0))
    elif seats > 2 and rng.random() < 0.15:
        gone = rng.randrange(1, seats)
        faults = [fault for fault in faults if fault.peer != gone]
        faults.append(Fault(Kind.VANISH, gone, rng.randint(0, 9_000), 0.0))
    edition = rng.choice(("classic", "master"))
    return Plan(seed, edition, seats, rng.random() < 0.3, tuple(sorted(faults, key=lambda fault: fault.after)))
