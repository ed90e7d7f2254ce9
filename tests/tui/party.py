"""Tables online without a network: one person at the app, the others as programs on the same loop."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import key_text
from wasabi_protocol.signed.messages import Offer
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.topics import Topic

from tests.brokers import PATIENCE
from tests.net.memory import MemoryBroker, MemoryTransport
from tests.online.one_thread import Touches, guard_clients
from wasabi_tx.app.bot_processes import BotProcesses
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import TableWish
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.net.address import KNOCKER, PLAYER, Address
from wasabi_tx.net.discovery import Browser, Found
from wasabi_tx.net.transport import Publication, Transport
from wasabi_tx.online.headless import Habits, play_bot, rematch_with_people
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.tables import Wanted, join_table, open_table, resume_table, watch_table
from wasabi_tx.online.terms import make_terms
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp

from .memory_games import MemoryGames
from .tiny import NAME, put_tiny_edition, tiny_rules

WHERE = "mqtt://memory.example:1883"
QUIET = Settings(reduced_motion=True, bell=False, notes=False)


class Announced(Browser):
    """A local network on which brokers are announced by hand."""

    @property
    def found(self) -> list[Found]:
        return self.heard

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Found] = []

    def listening(self, _changed: Callable[[], None]) -> AbstractAsyncContextManager[Browser | None]:
        @asynccontextmanager
        async def entered() -> Any:
            yield self

        return entered()


@dataclass
class Party:
    """Everybody around one broker in memory."""

    folder: Path
    touches: Touches
    """The thread that touched each client; a second thread fails the test."""
    broker: MemoryBroker = field(default_factory=MemoryBroker)
    transports: dict[str, list[MemoryTransport]] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    announced: Announced = field(default_factory=Announced)
    guarded: bool = False
    """True if the broker requires its password for everything but knocks."""

    @classmethod
    def at(cls, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
        """Create a party with the small edition on this machine, and no files of whoever runs the tests."""
        monkeypatch.setenv("WASABI_TX_HOME", str(folder))
        monkeypatch.delenv("WASABI_TX_BROKER", raising=False)
        put_tiny_edition(folder)
        return cls(folder, guard_clients(monkeypatch))

    def machine(self, name: str) -> Machine:
        def connect(addresses: Sequence[Address]) -> Transport:
            mine = self.transports.setdefault(name, [])
            user = addresses[0].user
            mine.append(
                MemoryTransport(
                    self.broker,
                    f"{name} {len(mine)} {addresses[0].host}",
                    lambda topic: not self.guarded or user == PLAYER or (user == KNOCKER and "/knock/" in topic),
                )
            )
            return mine[-1]

        seed = hashlib.sha256(name.encode()).digest()
        return Machine(self.folder / name[:8].strip("/.\n"), seed, name, tiny_rules, connect)

    def online(self, name: str = "Ana", machine: Machine | None = None) -> OnlineTables:
        """Return the online tables as this person's app, or this machine's, sees them."""
        machine = machine or self.machine(name)
        online = OnlineTables(
            make_machine=lambda _texts, _name: machine,
            make_bots=lambda level, _rivals: Companions(self, machine, level),
        )
        online.brokers = self.announced.listening  # type: ignore[method-assign, assignment]
        return online

    def app(self, online: OnlineTables, table: Any = None, come: Any = None) -> WasabiApp:
        games = MemoryGames()
        games.preferred = QUIET
        return WasabiApp(games, language="en", online=lambda: online, table=table, come=come)

    # The others

    def host(self, name: str = "Bo", seats: int = 2, least: int = 0, bot: bool = False, **wanted: Any) -> OnlineTable:
        clock, options = wanted.pop("clock", 0), wanted.pop("options", ())
        terms = make_terms(tiny_rules(NAME, seats), least or seats, seats, clock, options)
        login = (PLAYER, "secret") if self.guarded else ("", "")
        address = Address("memory.example", 1883, False, False, *login)
        return open_table(self.machine(name), address, [address], Wanted(terms, **wanted), "easy" if bot else "")

    def announce(
        self,
        name: str,
        rules: AnyRules,
        taken: int,
        *,
        begun: bool = False,
        clock: int = 0,
        options: Sequence[str] = (),
    ) -> str:
        """Announce a table in the lobby whose host does nothing else; return its name."""
        me, salt = self.machine(name).me, hashlib.sha256(name.encode()).digest()
        terms = make_terms(rules, 2, rules.players, clock, options)
        offer = Offer(table_id(me.key, salt), me.key, salt, 1, terms, b"", name, taken, begun)
        self.broker.connect(name, None, 0.0)
        topic = str(Topic("main", "lobby", key_text(me.key)))
        self.broker.publish(name, Publication(topic, signed_message(me, offer), 0, True), 0.0)
        self.broker.pump.wake()
        return offer.table

    async def join(self, invite: str, name: str = "Bo") -> OnlineTable:
        table = join_table(self.machine(name), read_invite(invite))
        await table.connect()
        return table

    async def watch(self, invite: str, name: str = "Eve") -> OnlineTable:
        table = watch_table(self.machine(name), read_invite(invite))
        await table.connect()
        return table

    def plays(self, table: OnlineTable, pace: float = 0.0, level: str = "easy") -> None:
        """Let a bot move for this person from now on."""

        async def play() -> None:
            await play_bot(table, Habits(level, pace))

        self.tasks.append(asyncio.create_task(play()))

    async def close(self, *tables: OnlineTable) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for table in tables:
            await table.close()


@dataclass
class Companions(BotProcesses):
    """Bots on this loop instead of processes."""

    party: Party
    machine: Machine
    level: str
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self, invite: str, count: int) -> None:
        for _ in range(count):
            self._run(join_table(self.machine, read_invite(invite), "easy"))

    def resume(self, seats: list[str]) -> None:
        for seat in seats:
            self._run(resume_table(self.machine, seat))

    def _run(self, table: OnlineTable) -> None:
        self.tasks.append(asyncio.create_task(self._bot(table)))
        self.party.tasks.append(self.tasks[-1])

    def stop(self) -> None:
        """Run blocking work, which the app calls in a thread."""
        asyncio.run_coroutine_threadsafe(self._stop(), self.loop).result(PATIENCE)

    async def _stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _bot(self, table: OnlineTable) -> None:
        following: OnlineTable | None = table
        try:
            await table.connect()
            while following is not None:
                table = following
                await play_bot(table, Habits("easy"))
                following = await rematch_with_people(table)
        finally:
            await table.close()


def wish(**other: Any) -> TableWish:
    return replace(TableWish(edition=NAME, brokers=(WHERE,), welcome=True), **other)


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait until a condition holds, however long that takes."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)
        await pilot.pause()


def english() -> Texts:
    return Texts("en")
