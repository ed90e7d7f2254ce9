"""Whole games among real processes while a seed breaks connections, brokers and peers; and checks of their results."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.faults.peer import Item, Peer
from tests.faults.plan import Fault, Kind, Plan
from tests.net.proxy import Mode, Proxy
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.address import Address
from wasabi_tx.online.result import check_record

POLL = 0.02
GAME_LIMIT = 420.0
SETUP_BYTES = {2: 16_000, 3: 24_000, 4: 32_000}
"""Approximate size of keys and shuffles; faults are counted from there, and some come before."""
MODES = {
    Kind.RESET: Mode.RESET,
    Kind.REFUSE: Mode.REFUSE,
    Kind.BLACK_HOLE: Mode.BLACK_HOLE,
    Kind.EAT_PUBACKS: Mode.EAT_PUBACKS,
}


class Broken(Exception):
    """A game that did not end well; the message says how."""


class Restartable(Protocol):
    """A broker that may be killed."""

    @property
    def address(self) -> Address: ...

    def start(self) -> None: ...

    def kill(self) -> None: ...


@dataclass
class Report:
    """Figures of a run."""

    games: int = 0
    settled: int = 0
    entries: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    recoveries: int = 0
    longest: float = 0.0
    restarts: int = 0

    def recovered(self, seconds: float) -> None:
        self.recoveries += 1
        self.longest = max(self.longest, seconds)

    def lines(self) -> list[str]:
        by_kind = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items()))
        return [
            f"games {self.games}, settled {self.settled}, entries {self.entries}",
            f"faults {self.faults.total()}: {by_kind}",
            f"peers started again {self.restarts}",
            f"recoveries {self.recoveries}, longest {self.longest:.1f} s",
        ]


class FaultyGame:
    """One game with the faults of its plan."""

    def __init__(self, plan: Plan, folder: Path, broker: Restartable, report: Report) -> None:
        self.plan = plan
        self.folder = folder
        self.broker = broker
        self.report = report
        self.peers: list[Peer] = []
        self._held_by_all: set[Item] = set()

    async def play(self) -> None:
        """Play it to the end; raise `Broken` if a promise is broken."""
        async with AsyncExitStack() as stack:
            for number in range(self.plan.seats):
                proxy = await stack.enter_async_context(Proxy(self.broker.address))
                words = ["--patience", "20", "--level", "easy"]
                leaves = self.plan.leavers.get(number)
                words += [] if leaves is None else ["--leave-at", str(leaves)]
                peer = Peer(self.folder / f"peer-{number}", proxy, words)
                self.peers.append(peer)
                stack.push_async_callback(peer.end)
            try:
                async with asyncio.timeout(GAME_LIMIT):
                    await self._play()
            except TimeoutError:
                raise Broken(self._say("did not end in time")) from None
        self._judge()

    async def _play(self) -> None:
        plan, host = self.plan, self.peers[0]
        private = ["--private"] if plan.private else []
        host.begin(["--new", "--seats", str(plan.seats), "--edition", plan.edition, *private])
        invite = await host.invite
        for peer in self.peers[1:]:
            peer.begin([], invite)
        for fault in plan.faults:
            if fault.kind is not Kind.LEAVE:
                await self._strike(fault)
        self.report.faults.update(kind.value for kind in [fault.kind for fault in plan.faults])
        for peer in self.peers:
            if not peer.gone:
                await peer.finished()

    async def _strike(self, fault: Fault) -> None:
        """Wait for the moment, do the damage, repair it, and wait until the game continues."""
        moment = SETUP_BYTES[self.plan.seats] - 4_000 + fault.after
        await self._until(lambda: self._progress() >= moment)
        self._note_held()
        peer = self.peers[fault.peer]
        match fault.kind:
            case Kind.KILL:
                peer.kill()
            case Kind.VANISH:
                peer.gone = True
                peer.kill()
            case Kind.BROKER:
                await asyncio.to_thread(self.broker.kill)
                await asyncio.sleep(fault.seconds / 4)
                await asyncio.to_thread(self.broker.start)
            case _:
                await peer.proxy.set(MODES[fault.kind])
                await asyncio.sleep(fault.seconds)
                await peer.proxy.set(Mode.PASS)
        await self._goes_on()

    async def _goes_on(self) -> None:
        healed, before = time.monotonic(), self._progress()
        await self._until(lambda: self._progress() != before)
        self.report.recovered(time.monotonic() - healed)

    async def _until(self, condition: Callable[[], bool]) -> None:
        """Poll until files of other processes have grown."""
        while not condition() and not self._over():  # noqa: ASYNC110
            await asyncio.sleep(POLL)

    def _progress(self) -> int:
        """Return the size of the shortest file of the remaining peers, which everybody has reached."""
        return min((peer.written for peer in self.peers if not peer.gone), default=0)

    def _over(self) -> bool:
        return any(peer.result is not None for peer in self.peers)

    def _note_held(self) -> None:
        """Note the entries that are on every disk now: they must stay in the game forever."""
        holders = [peer.items() for peer in self.peers if not peer.gone]
        if holders and all(holders):
            self._held_by_all |= set.intersection(*holders)

    def _judge(self) -> None:
        staying = [peer for peer in self.peers if not peer.gone or peer.result is not None]
        results = [peer.result for peer in self.peers if peer.result is not None]
        if len(results) < len(self.peers) - len(self.plan.vanished):
            raise Broken(self._say("somebody has no result"))
        settled = all(result["settled"] for result in results)
        chains = sorted((self._chain(peer) for peer in staying), key=len)
        # After one of two gave up, one may know more than the other, but never something different.
        if any(chain != chains[-1][: len(chain)] for chain in chains) or (settled and len(set(chains)) != 1):
            raise Broken(self._say("they disagree"))
        if settled and len({(result["head"], result["digest"]) for result in results}) != 1:
            raise Broken(self._say("they say different things"))
        self.report.games += 1
        self.report.settled += settled
        self.report.entries += results[0]["entries"]
        self.report.restarts += sum(peer.starts - 1 for peer in self.peers)

    def _chain(self, peer: Peer) -> tuple[bytes, ...]:
        """Return the links of the slots in a peer's file; raise `Broken` if anything in it is invalid."""
        record = peer.record
        if record is None:
            raise Broken(self._say("somebody has no file"))
        checked = check_record(record.read_bytes(), rules_for)
        if checked.fault is not None or checked.session is None:
            raise Broken(self._say(f"a file does not hold: {checked.fault}"))
        slots = checked.session.log.slots
        lost = self._held_by_all - peer.items()
        # A vote cuts away entries at the slot of the seat that is gone.
        if lost and not any(slot.voted for slot in slots):
            raise Broken(self._say(f"{len(lost)} entries that everybody held are gone"))
        return tuple(slot.link for slot in slots)

    def _say(self, words: str) -> str:
        return f"seed {self.plan.seed}: {words} ({self.folder})"
