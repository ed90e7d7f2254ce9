"""Online tables for the app and the commands: with this machine's key, broker and bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..net.address import Address, BadAddress, parse_broker_url
from ..net.relays import Relay
from ..net.tls import with_proof
from ..online.invites import BadInvite, broker_name, read_invite
from ..online.knocking import FIRST_CONNECTION, BadKnock
from ..online.lobby import ECHO, LobbyClient
from ..online.machine import Machine
from ..online.online_table import OnlineTable, Unreachable, connection
from ..online.saved.disk import FileDisk, releasing
from ..online.saved.people import known_people
from ..online.saved.seat import SavedSeat, unfinished_bots, unfinished_of_person
from ..online.saved.situation import known_games
from ..online.seeking import Met, Seeking
from ..online.spoken_codes import looks_like_code, meet, read_code
from ..online.tables import (
    Wanted,
    hold_place,
    hold_seat,
    join_table,
    open_table,
    private_invite,
    resume_table,
    watch_table,
)
from ..online.terms import BY_CORRESPONDENCE, CLOCK, STRANGERS, make_terms
from ..store.paths import find_paths
from ..store.seats import keeper_runs
from ..store.visited import keep_visited, read_visited
from ..text import Texts
from ..view.online.unfinished import partners, say_situation
from .bot_processes import BotProcesses
from .brokers import EVERYWHERE, PORT, SITE_PORT, broker_for, own_broker, place_notes
from .editions import check_level, edition_notes, rules_by_name
from .failure import Failure, failures_as_sentences
from .machine import broker_address, broker_named, this_machine
from .output import echo
from .relays import known_relays, relay_notes, relays_for, strangers_relays, working_relays
from .values import Saved, TableWish

if TYPE_CHECKING:
    from ..net.discovery import Browser

A_MINUTE = 60.0
"""Seconds for which anybody is sought; bots of this machine play after that."""
TO_BEGIN = 12.0
"""Seconds in which the game with somebody who was met begins."""
LOOK = 2.0
"""Seconds of listening for brokers on the local network."""


MakeBots = Callable[[str, Sequence[str]], BotProcesses]
"""Makes bots of a level; the named rivals come first."""


class NobodyCame(Exception):
    """Nobody was there to play with."""


class OnlineTables:
    """Opens, joins, watches and resumes tables; `close` closes those that are still open."""

    def __init__(
        self,
        name: str | None = None,
        make_machine: Callable[[Texts, str | None], Machine] = this_machine,
        make_bots: MakeBots = BotProcesses,
        bind: str = EVERYWHERE,
        port: int = PORT,
        known_as: Sequence[str] = (),
        engine: str = "",
    ) -> None:
        self._name = name
        self._make_machine = make_machine
        self._make_bots = make_bots
        self._bind = bind
        self._port = port
        self._known_as = known_as
        self._engine = engine
        self._tables: list[OnlineTable] = []

    def _machine(self, texts: Texts) -> Machine:
        return self._make_machine(texts, self._name)

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable:
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            rules = rules_by_name(wish.edition, wish.seats, texts)
            for level in {wish.level, *(rival.partition(":")[2] or wish.level for rival in wish.rivals)}:
                check_level(level, rules, texts)
            terms = make_terms(rules, wish.least, wish.seats, wish.clock, wish.options)
            private = wish.private or wish.anywhere
            wanted = Wanted(terms, private, wish.welcome or private)
            async with AsyncExitStack() as stack:
                first, *others = wish.brokers or ("",)
                # For friends anywhere, our own broker carries the table too, so that at home no other one is needed.
                address = None if wish.anywhere else broker_address(first or None, texts)
                named = [found for url in others if (found := broker_named(url, texts)) is not None]
                # Friends do not have our file of certificates: their invite names the one of the broker itself.
                address = None if address is None else await with_proof(address)
                if wish.browsers and address is not None:
                    raise Failure(texts.say("web.own-broker", broker=f"{address.host}:{address.port}"))
                beside: list[Sequence[Address]] = [[await with_proof(one)] for one in named]
                # Our own broker starts while relays are tried.
                looking = asyncio.create_task(relays_for(texts) if wish.anywhere else _no_relays())
                stack.callback(looking.cancel)
                own = broker_for(
                    address,
                    texts,
                    self._bind,
                    self._port,
                    self._engine,
                    password=wanted.password,
                    known_as=self._known_as,
                    host=machine.me.key,
                    for_browsers=SITE_PORT if wish.browsers else 0,
                )
                place = await stack.enter_async_context(own)
                relays = await looking
                beside += [relay.addresses for relay in relays]
                bots = self._bots(wish.level, stack, wish.rivals)
                table = open_table(
                    machine,
                    place.address,
                    place.public,
                    wanted,
                    bind=place.bind,
                    engine=self._engine if place.bind else "",
                    site=place.site,
                    beside=beside,
                )
                about = relay_notes(relays, texts) if relays else place_notes(place, texts)
                notes = [*about, *edition_notes(rules.edition, texts)]
                await self._reach(table, stack, bots, texts, notes)
            if address is not None:
                await self._check_rights(table)
        table.await_guests()
        bots.start(table.invite, wish.bots)
        return table

    async def _check_rights(self, table: OnlineTable) -> None:
        """Give up a new table on a broker that passes nothing on: nobody could ever come to it."""
        if not await table.is_carried(ECHO):
            await table.give_up()
            await table.close()
            raise Unreachable("watch-only", table.broker)

    async def join(self, invite: str, texts: Texts, through: Address | None = None) -> OnlineTable:
        """Take a seat with an invite or a spoken code; an invite for watchers leads to watching.

        `through` names another node of the invite's cluster, or where to ask for a code.
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

    async def ask(self, table: str, broker: Address | None, texts: Texts) -> OnlineTable:
        """Ask the host of a table in a lobby for a seat, and take it."""
        with failures_as_sentences(texts):
            invite = await self._ask_host(table.lower(), broker or broker_address(None, texts), texts)
        return await self.join(invite, texts)

    async def _ask_host(self, table: str, broker: Address | None, texts: Texts) -> str:
        """Ask the host of a table for its invite; look on the local network if no broker is given."""
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

    async def meet_anybody(self, edition: str, texts: Texts, tell: Callable[[str], None]) -> OnlineTable:
        """Return a table whose game with a stranger begins; raise `NobodyCame` after a minute without one.

        `tell` is called with the progress: `relays`, `seeking`, `met`.
        """
        loop = asyncio.get_running_loop()
        with failures_as_sentences(texts):
            tell("relays")
            machine, ways = self._machine(texts), strangers_relays(texts)
            rules = rules_by_name(edition, 2, texts)
            terms = make_terms(rules, 2, 2, CLOCK, STRANGERS)
            known = known_people(machine.games)
            relays = [relay.addresses for relay in await working_relays(ways, texts)]
            until, not_before = loop.time() + A_MINUTE, 0.0
            tell("seeking")
            while loop.time() < until:
                wanted = Wanted(terms, private=True)
                invite = private_invite(machine, machine.me.key, relays, wanted)
                seeking = Seeking(
                    connection(machine, tuple(relay.addresses for relay in ways)),
                    machine,
                    invite,
                    terms,
                    [(address.host, address.port) for relay in ways for address in relay.addresses],
                    known,
                    not_before=not_before,
                )
                running = asyncio.create_task(seeking.run())
                try:
                    async with asyncio.timeout_at(until):
                        met = await asyncio.shield(seeking.met)
                    tell("met")
                    table = await self._play_with(met, machine, relays, wanted, texts)
                except TimeoutError:
                    break
                finally:
                    running.cancel()
                    await asyncio.gather(running, return_exceptions=True)
                if table is not None:
                    return table
                not_before = seeking.next_seek
                tell("seeking")
        raise NobodyCame

    async def _play_with(
        self, met: Met, machine: Machine, relays: Sequence[Sequence[Address]], wanted: Wanted, texts: Texts
    ) -> OnlineTable | None:
        """Open our table for somebody, or go to theirs; return None, with nothing left behind, if no game begins."""
        async with AsyncExitStack() as stack:
            if met.invite:
                way = read_invite(met.invite)
                table = join_table(machine, way, disk=await asyncio.to_thread(hold_place, machine, way))
            else:
                first, *others = relays
                table = open_table(machine, first[0], first, wanted, beside=others)
            begun = False
            try:
                with contextlib.suppress(Unreachable):
                    await self._reach(table, stack, self._bots("normal", stack), texts)
                    begun = await table.begins(wanted.terms, TO_BEGIN)
            finally:
                if not begun:
                    await table.give_up()
                    await table.close()
                    await asyncio.to_thread(self.delete, table.table, texts)
        return table if begun else None

    async def watch(self, invite: str, texts: Texts, through: Address | None = None, saved: bool = True) -> OnlineTable:
        """Watch a table; without `saved` nothing is written to disk."""
        with failures_as_sentences(texts):
            if looks_like_code(invite):
                invite, through = await self._ask_for_invite(invite, texts, through), None
            async with AsyncExitStack() as stack:
                table = watch_table(self._machine(texts), read_invite(invite), saved, through)
                return await self._reach(table, stack, self._bots("normal", stack), texts)

    async def watch_own(self, invites: AbstractAsyncContextManager[str], texts: Texts) -> OnlineTable:
        """Watch a table that this machine itself starts and ends, without writing to disk."""
        with failures_as_sentences(texts):
            async with AsyncExitStack() as stack:
                invite = read_invite(await stack.enter_async_context(invites))
                table = watch_table(self._machine(texts), invite, saved=False)
                return await self._reach(table, stack, self._bots("normal", stack), texts)

    async def resume(
        self, name: str, texts: Texts, through: Address | None = None, disk: FileDisk | None = None
    ) -> OnlineTable:
        """Resume a seat; our own broker comes back with the table, `through` is another address of somebody else's.

        Pass `disk` if the seat is already locked.
        """
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            # This comes first: a keeper must have finished writing, and its broker must be gone.
            held = disk if disk is not None else await asyncio.to_thread(hold_seat, machine, name)
            with releasing(held):
                async with AsyncExitStack() as stack:
                    own = await stack.enter_async_context(own_broker(held.seat(), texts, machine.me.key))
                    if own is not None:
                        through = own.address
                    bots = self._bots("normal", stack)
                    found = resume_table(machine, name, through, own.public if own is not None else (), held)
                    table = await self._reach(found, stack, bots, texts, patient=True)
        table.await_guests()
        bots.resume(unfinished_bots(machine.games, table.table))
        return table

    async def _ask_for_invite(self, code: str, texts: Texts, broker: Address | None) -> str:
        """Return the invite behind a spoken code, from the named broker, otherwise from any relay."""
        wanted = read_code(code)
        relays = [] if broker is not None else known_relays(texts)
        ways = ((broker,),) if broker is not None else tuple(relay.addresses for relay in relays)
        return await meet(connection(self._machine(texts), ways), wanted)

    def _bots(self, level: str, stack: AsyncExitStack, rivals: Sequence[str] = ()) -> BotProcesses:
        """Return bots for a table; they are stopped with everything else brought to it."""
        bots = self._make_bots(level, rivals)
        stack.push_async_callback(asyncio.to_thread, bots.stop)
        return bots

    async def _reach(
        self,
        table: OnlineTable,
        stack: AsyncExitStack,
        bots: BotProcesses,
        texts: Texts,
        notes: Sequence[str] = (),
        patient: bool = False,
    ) -> OnlineTable:
        """Connect, and hand over to the table what was brought to it; if `patient`, wait for the broker there."""
        kept_back = [texts.say("online.password-kept-back", broker=table.broker)] if table.kept_back else []
        table.bring(stack.pop_all(), bots.start, [*notes, *kept_back])
        self._tables = [*(one for one in self._tables if not one.closed), table]
        await table.connect(patient)
        return table

    def unfinished(self, texts: Texts) -> list[Saved]:
        with failures_as_sentences(texts):
            return [Saved(name, words, finished=False) for name, words in seat_lines(self._machine(texts).games, texts)]

    def delete(self, name: str, texts: Texts) -> None:
        """Delete a seat for good: nobody can come back to it, and the others have to go on without it."""
        with failures_as_sentences(texts), contextlib.closing(hold_seat(self._machine(texts), name)) as disk:
            disk.forget()

    def lobby(self, broker: str, texts: Texts) -> tuple[LobbyClient, str] | None:
        with failures_as_sentences(texts):
            machine = self._machine(texts)
            address = broker_address(broker or None, texts)
            if address is None:
                return None
            return LobbyClient(machine, address), f"{address.host}:{address.port}"

    def visited(self) -> list[Address]:
        """Return the brokers that were looked at before, the last one first."""
        found = []
        for line in read_visited(find_paths().config):
            with contextlib.suppress(BadAddress):
                found.append(parse_broker_url(line))
        return found

    def keep_visited(self, broker: str) -> None:
        """Remember a broker that was reached; a full disk forgets it."""
        with contextlib.suppress(OSError, BadAddress):
            keep_visited(find_paths().config, parse_broker_url(broker).url())

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Browser | None]:
        return _listening(changed)

    async def close(self) -> None:
        """Close all tables that are still open."""
        for table in self._tables:
            await table.close()


Come = Callable[[OnlineTables], Coroutine[Any, Any, OnlineTable]]
"""Brings somebody to a table."""


def seat_lines(games: Path, texts: Texts) -> list[tuple[str, str]]:
    """Return unfinished seats, each with a line about it: those that wait for us first."""
    seats, now = dict(unfinished_of_person(games)), datetime.now().astimezone()
    lines = {
        known.seat: f"{known.seat[:6]}  {partners(known, texts)} · {say_situation(known, now, texts)}"
        for known in known_games(games)
        if known.seat in seats
    }
    for name, seat in seats.items():
        if name not in lines:
            # No game has begun there yet.
            lines[name] = texts.say("cli.online-saved", table=name[:6], name=seat.name, where=_place_of(seat))
    return list(lines.items())


def _place_of(seat: SavedSeat) -> str:
    """Return the location of a seat's table, for people."""
    try:
        return broker_name(read_invite(seat.invite))
    except BadInvite:
        return "?"


async def _no_relays() -> list[Relay]:
    return []


@contextlib.asynccontextmanager
async def _listening(changed: Callable[[], None]) -> AsyncIterator[Browser | None]:
    """Listen to the local network; yield None on a machine without one."""
    from ..net.discovery import Browser

    async with AsyncExitStack() as stack:
        heard: Browser | None = None
        with contextlib.suppress(OSError):
            heard = await stack.enter_async_context(Browser(changed))
        yield heard


def closing_lines(table: OnlineTable, texts: Texts, option: str = "") -> list[str]:
    """Return notices for closing a waiting room or an unfinished game; `option` is repeated in the command."""
    words = "online.resume" if table.snapshot.begun else "online.resume-room"
    lines = [texts.say(words, table=table.title + option)]
    if table.snapshot.unsent:
        lines.append(texts.say("online.unsent"))
    if table.snapshot.clock >= BY_CORRESPONDENCE and not keeper_runs(find_paths().games):
        lines.append(texts.say("online.keep-host" if table.carried_here else "online.keep"))
    return lines
