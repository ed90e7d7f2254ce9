"""Online tables as the app and the commands find them on this machine: its key, its broker, its bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from ..net.address import Address
from ..net.relays import Relay
from ..table.online.invites import BadInvite, broker_name, read_invite
from ..table.online.keep.disk import FileDisk, releasing
from ..table.online.keep.seat import SavedSeat, unfinished_bots, unfinished_of_person
from ..table.online.keep.situation import known_games
from ..table.online.knocking import FIRST_CONNECTION, BadKnock
from ..table.online.lobby import LobbyClient
from ..table.online.machine import Machine
from ..table.online.online_table import OnlineTable, connection
from ..table.online.spoken_codes import looks_like_code, meet, read_code
from ..table.online.tables import Wanted, hold_place, hold_seat, join_table, open_table, resume_table, watch_table
from ..table.online.terms import make_terms
from ..text import Texts
from ..tui.services import Brokers, FoundBroker, Saved, TableWish
from ..view.online.unfinished import partners, say_situation
from . import Failure
from .bot_processes import BotProcesses
from .online_common import (
    EVERYWHERE,
    PORT,
    broker_address,
    broker_for,
    broker_named,
    edition_notes,
    failures_as_sentences,
    known_relays,
    mapping_notes,
    own_broker,
    place_notes,
    relay_notes,
    relays_for,
    this_machine,
)
from .options import check_level, rules_by_name
from .output import echo

LOOK = 2.0
"""Seconds of listening for brokers on the local network."""


class Companions(Protocol):
    """Bots that play along for as long as we do."""

    def start(self, invite: str, count: int) -> None: ...

    def resume(self, seats: list[str]) -> None: ...

    def stop(self) -> None: ...


MakeBots = Callable[[str, Sequence[str]], Companions]
"""Bots of a level; the rivals of these names come first."""


class MachineTables:
    """Opens, joins, watches and resumes tables; whatever is still open at the end is closed by `close`."""

    def __init__(
        self,
        name: str | None = None,
        make_machine: Callable[[Texts, str | None], Machine] = this_machine,
        make_bots: MakeBots = BotProcesses,
        bind: str = EVERYWHERE,
        port: int = PORT,
        known_as: Sequence[str] = (),
        map_port: bool = False,
    ) -> None:
        """`map_port` asks the router to forward the port of a broker of our own."""
        self._name = name
        self._make_machine = make_machine
        self._make_bots = make_bots
        self._bind = bind
        self._port = port
        self._known_as = known_as
        self._map_port = map_port
        self._tables: list[OnlineTable] = []

    def _machine(self, texts: Texts) -> Machine:
        return self._make_machine(texts, self._name)

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable:
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            rules = rules_by_name(wish.edition, wish.seats, texts)
            check_level(wish.level, rules, texts)
            terms = make_terms(rules, wish.least, wish.seats, wish.clock, wish.options)
            private = wish.private or wish.anywhere
            wanted = Wanted(terms, private, wish.welcome or private)
            async with AsyncExitStack() as stack:
                first, *others = wish.brokers or ("",)
                # For friends anywhere our own broker carries the table too: nobody else's is then needed at home.
                address = None if wish.anywhere else broker_address(first or None, texts)
                beside = [found for url in others if (found := broker_named(url, texts)) is not None]
                # Our own broker starts while relays are tried out.
                looking = asyncio.create_task(relays_for(texts) if wish.anywhere else _no_relays())
                stack.callback(looking.cancel)
                own = broker_for(
                    address,
                    texts,
                    self._bind,
                    self._port,
                    password=wanted.password,
                    known_as=self._known_as,
                    map_port=self._map_port,
                )
                place = await stack.enter_async_context(own)
                relays = await looking
                beside += [relay.address for relay in relays]
                bots = self._bots(wish.level, stack, wish.rivals)
                table = open_table(
                    machine,
                    place.address,
                    place.public,
                    wanted,
                    bind=place.bind,
                    beside=beside,
                    map_port=place.mapping is not None,
                )
                about = relay_notes(relays, texts) if relays else place_notes(place, texts)
                notes = [*about, *mapping_notes(place, texts), *edition_notes(rules.edition, texts)]
                await self._reach(table, stack, bots, texts, notes)
        table.await_guests()
        bots.start(table.invite, wish.bots)
        return table

    async def join(self, invite: str, texts: Texts, through: Address | None = None) -> OnlineTable:
        """An invite that is only for watching leads to watching; `through` another node of the invite's cluster.

        A spoken code leads to the invite first; then `through` is where to ask for it.
        """
        with failures_as_sentences(texts):
            if looks_like_code(invite):
                invite, through = await self._ask_for_invite(invite, texts, through), None
            way = read_invite(invite)
            if way.watch:
                return await self.watch(invite, texts, through)
            async with AsyncExitStack() as stack:
                machine = self._machine(texts)
                disk = await asyncio.to_thread(hold_place, machine, way)
                table = join_table(machine, way, through=through, disk=disk)
                return await self._reach(table, stack, self._bots("normal", stack), texts)

    async def knock(self, table: str, broker: Address | None, texts: Texts) -> OnlineTable:
        """A seat at the table whose name begins so, if its host gives us one; without a broker, on those nearby."""
        with failures_as_sentences(texts):
            invite = await self._let_in(table, broker, texts)
        return await self.join(invite, texts)

    async def _let_in(self, table: str, broker: Address | None, texts: Texts) -> str:
        from ..net.discovery import browse

        places = [broker] if broker is not None else [Address(one.host, one.port) for one in await browse(LOOK)]
        if not places:
            raise Failure(texts.say("lobby.no-broker"))
        missing: BadKnock | None = None
        for place in places:
            lobby = LobbyClient(self._machine(texts), place)
            try:
                found = await lobby.find(table, FIRST_CONNECTION)
                echo(texts.say("lobby.waits-at-door", table=found[:6]), err=True)
                return await lobby.knock(found)
            except BadKnock as refused:
                if refused.reason == "turned-away":
                    raise
                missing = refused
            finally:
                await lobby.close()
        assert missing is not None
        raise missing

    async def watch(self, invite: str, texts: Texts, through: Address | None = None, keep: bool = True) -> OnlineTable:
        """Without `keep` nothing is written to disk."""
        with failures_as_sentences(texts):
            if looks_like_code(invite):
                invite, through = await self._ask_for_invite(invite, texts, through), None
            async with AsyncExitStack() as stack:
                table = watch_table(self._machine(texts), read_invite(invite), keep, through)
                return await self._reach(table, stack, self._bots("normal", stack), texts)

    async def watch_own(self, invites: AbstractAsyncContextManager[str], texts: Texts) -> OnlineTable:
        """Watches, without a trace on disk, a table that this machine itself brings about and ends."""
        with failures_as_sentences(texts):
            async with AsyncExitStack() as stack:
                invite = read_invite(await stack.enter_async_context(invites))
                table = watch_table(self._machine(texts), invite, keep=False)
                return await self._reach(table, stack, self._bots("normal", stack), texts)

    async def resume(
        self, name: str, texts: Texts, through: Address | None = None, disk: FileDisk | None = None
    ) -> OnlineTable:
        """Our own broker comes back with the table; `through` is another address of somebody else's.

        `disk` is given by who holds the seat already.
        """
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            # First of all: what a keeper still writes has to be read, and its broker to be gone.
            held = disk if disk is not None else await asyncio.to_thread(hold_seat, machine, name)
            with releasing(held):
                async with AsyncExitStack() as stack:
                    own = await stack.enter_async_context(own_broker(held.seat(), texts))
                    if own is not None:
                        through = own.address
                    bots = self._bots("normal", stack)
                    found = resume_table(machine, name, through, own.public if own is not None else (), held)
                    notes = mapping_notes(own, texts) if own is not None else []
                    table = await self._reach(found, stack, bots, texts, notes, patient=True)
        table.await_guests()
        bots.resume(unfinished_bots(machine.games, table.table))
        return table

    async def _ask_for_invite(self, code: str, texts: Texts, broker: Address | None) -> str:
        """The invite behind a spoken code, from whoever offers it: at the broker that is named, else at every relay."""
        wanted = read_code(code)
        places = [broker] if broker is not None else [relay.address for relay in known_relays(texts)]
        return await meet(connection(self._machine(texts), tuple((place,) for place in places)), wanted)

    def _bots(self, level: str, stack: AsyncExitStack, rivals: Sequence[str] = ()) -> Companions:
        """Bots for a table; they are stopped with everything else that was brought to it."""
        bots = self._make_bots(level, rivals)
        stack.push_async_callback(asyncio.to_thread, bots.stop)
        return bots

    async def _reach(
        self,
        table: OnlineTable,
        stack: AsyncExitStack,
        bots: Companions,
        texts: Texts,
        notes: Sequence[str] = (),
        patient: bool = False,
    ) -> OnlineTable:
        """Connects; from then on the table owns what was brought to it. The `patient` wait for the broker inside."""
        kept_back = [texts.say("online.password-kept-back", broker=table.broker)] if table.kept_back else []
        table.bring(stack.pop_all(), bots, [*notes, *kept_back])
        self._tables = [*(one for one in self._tables if not one.closed), table]
        await table.connect(patient)
        return table

    def unfinished(self, texts: Texts) -> list[Saved]:
        with failures_as_sentences(texts):
            return [Saved(name, words, finished=False) for name, words in seat_lines(self._machine(texts).games, texts)]

    def lobby(self, broker: str, texts: Texts) -> tuple[LobbyClient, str] | None:
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            address = broker_address(broker or None, texts)
            if address is None:
                return None
            return LobbyClient(machine, address), f"{address.host}:{address.port}"

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Brokers]:
        return _listening(changed)

    async def close(self) -> None:
        """Ends whatever is still open."""
        for table in self._tables:
            await table.close()


Come = Callable[[MachineTables], Coroutine[Any, Any, OnlineTable]]
"""How somebody comes to a table."""


def seat_lines(games: Path, texts: Texts) -> list[tuple[str, str]]:
    """Unfinished seats, each with a line about it: first what waits for us, then what waits for others."""
    seats, now = dict(unfinished_of_person(games)), datetime.now().astimezone()
    lines = {
        known.seat: f"{known.seat[:6]}  {partners(known, texts)} · {say_situation(known, now, texts)}"
        for known in known_games(games)
        if known.seat in seats
    }
    for name, seat in seats.items():
        if name not in lines:
            # Nothing has begun there yet.
            lines[name] = texts.say("cli.online-saved", table=name[:6], name=seat.name, where=_place_of(seat))
    return list(lines.items())


def _place_of(seat: SavedSeat) -> str:
    """Where the table of a seat is, for people."""
    try:
        return broker_name(read_invite(seat.invite))
    except BadInvite:
        return "?"


async def _no_relays() -> list[Relay]:
    return []


class _Nothing:
    """A machine without a network hears nothing."""

    found: Sequence[FoundBroker] = ()


@contextlib.asynccontextmanager
async def _listening(changed: Callable[[], None]) -> AsyncIterator[Brokers]:
    from ..net.discovery import Browser

    async with AsyncExitStack() as stack:
        heard: Brokers = _Nothing()
        with contextlib.suppress(OSError):
            heard = await stack.enter_async_context(Browser(changed))
        yield heard
