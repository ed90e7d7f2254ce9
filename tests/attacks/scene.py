"""The scene of an attack: a real broker, honest bots in separate processes, and an attacker."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from wasabi_protocol.game.session import Session
from wasabi_protocol.table.invite_text import parse_invite

from tests.brokers import RealBroker
from tests.faults.liars import Liar
from tests.peers.program import Program, Programs
from tests.peers.tables import NAMES, Result, Table, open_table
from tests.tui.short import any_rules
from wasabi_tx.net.address import PLAYER, Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.result import check_record
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.tables import Wanted, join_table
from wasabi_tx.online.tables import open_table as open_own
from wasabi_tx.online.terms import make_terms

LONGEST = 420.0
"""Seconds that a game may last, including every vote in it."""
HASTY = ("--patience", "20")
HOST, *GUESTS = NAMES
SLOW = (*HASTY, "--pace", "0.3")
"""Options for a pace slow enough for something to happen in the middle of a short game."""


class Failed(Exception):
    """An attack that did harm; the message says which."""


def hold(condition: object, words: str) -> None:
    """Raise `Failed` unless the condition is true."""
    if not condition:
        raise Failed(words)


@dataclass
class Scene:
    """The tools of an attack; everything in it ends with the stack."""

    folder: Path
    broker: RealBroker
    programs: Programs
    stack: AsyncExitStack
    rng: Random

    async def open(
        self, seats: int, edition: str = "short-classic", *, own: bool = False, words: tuple[str, ...] = HASTY
    ) -> Table:
        """Let a bot open a table, on the broker of the scene or on its `own`."""
        broker = None if own else self.broker.address.url()
        return await asyncio.to_thread(open_table, self.programs, seats, edition, broker=broker, words=words)

    def _machine(self, name: str = "liar") -> Machine:
        return Machine(self.folder / name, self.rng.randbytes(32), name, any_rules, MqttTransport)

    async def _sits(self, place: OnlineTable) -> Liar:
        self.stack.push_async_callback(place.close)
        await place.connect()
        liar = Liar(place, self.rng)
        self.stack.push_async_callback(liar.stop)
        return liar

    async def liar(self, invite: str) -> Liar:
        """Seat a liar, who plays like a bot until it lies."""
        return await self._sits(join_table(self._machine(), read_invite(invite), "easy"))

    async def person(self, invite: str, name: str) -> Liar:
        """Seat a person, not a bot, who plays by themselves until they lie or only think."""
        return await self._sits(join_table(self._machine(name), read_invite(invite)))

    async def hosting_liar(self, seats: int, clock: int) -> Liar:
        """Let a liar open a table."""
        address = self.broker.address
        wanted = Wanted(make_terms(any_rules("classic", seats), seats, seats, clock))
        return await self._sits(open_own(self._machine(), address, [address], wanted, "easy"))

    async def came_to(self, liar: Liar, slot: int) -> None:
        """Wait until the game has that number of slots."""
        async with asyncio.timeout(LONGEST):
            await liar.table.until(lambda now: now.slot >= slot or now.over)
        hold(not liar.table.snapshot.over, "the game was over before the attack")

    async def with_liar(self, seats: int, slot: int) -> tuple[Table, Liar]:
        """Return a table of honest bots and one liar, in a game that has that number of slots."""
        table = await self.open(seats, "classic")
        table.join(*GUESTS[: seats - 2])
        liar = await self.liar(table.invite)
        await self.came_to(liar, slot)
        return table, liar

    async def settled(self, table: Table, liar: Liar | None = None, seats_left: int | None = None) -> str:
        """Return how the game ended, after checking that it is settled, equal in every honest file, and blames nobody
        honest.
        """
        for program in table.everybody.values():
            await asyncio.to_thread(program.ended, LONGEST)
        results = await asyncio.to_thread(table.results)
        return self.judge(table, results, liar, seats_left)

    def judge(self, table: Table, results: dict[str, Result], liar: Liar | None, seats_left: int | None) -> str:
        hold(all(result["settled"] and result["verified"] for result in results.values()), "it is not settled")
        ends = {(result["head"], result["digest"], tuple(result["scores"])) for result in results.values()}
        hold(len(ends) == 1, "they disagree")
        named = out = False
        for name in results:
            session = session_of(table.game(name))
            liars = set() if liar is None else {session.founded.seat_of(liar.table.me.key)}
            blamed = {evidence.seat for evidence in session.log.evidence}
            gone = {slot.out for slot in session.log.slots if slot.voted}
            hold(blamed <= liars, f"{name}'s file blames somebody honest")
            hold(gone <= liars, f"{name}'s file tells that somebody honest was voted out")
            named, out = named or bool(blamed), out or bool(gone)
            left = len(session.founded.keys) - len(gone)
            hold(seats_left in (None, left), f"{left} played to the end")
        return "settled" + (", the liar named" if named else "") + (", voted out" if out else "")


def session_of(file: Path) -> Session[SealedPosition]:
    """Return the valid part of the game in a file."""
    session = check_record(file.read_bytes(), any_rules).session
    hold(session is not None, f"{file} does not hold a game")
    assert session is not None
    return session


def player_at(invite: str) -> Address:
    """Return the broker of an invite, with the password that everybody with the invite has."""
    carrier = parse_invite(invite).carriers[0]
    return Address(*carrier.hosts[0], user=PLAYER, password=carrier.password)


def unharmed(program: Program) -> None:
    """Check that a program runs, or ended with one sentence; no traceback anywhere."""
    hold("Traceback" not in program.err + program.trace, f"{program.words} raised: {program.err}{program.trace}")
    lines = program.err.splitlines()
    hold(program.running or len(lines) == 1, f"{program.words} ended with {lines}")
