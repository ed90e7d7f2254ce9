"""Tables online as the app finds them on this machine: its key, its broker, its bots."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from ..net.address import Address
from ..table.online.headless import finish
from ..table.online.keep.disk import FileDisk
from ..table.online.lobby import LobbyClient
from ..table.online.rematch import all_wish, play_again
from ..table.online.tables import (
    Attendance,
    Machine,
    Wanted,
    join_table,
    open_table,
    read_invite,
    resume_table,
    unfinished,
    watch_table,
)
from ..table.online.terms import make_terms
from ..text import Texts
from ..tui.services import Brokers, FoundBroker, NotPossible, OnlineTable, Saved, TableWish
from ..view.online.waiting_room import left_line
from . import Failure
from .bot_processes import BotProcesses
from .online_common import (
    EVERYWHERE,
    PORT,
    broker_address,
    broker_for,
    home_for,
    own_broker,
    place_notes,
    reach,
    sentences,
)
from .options import rules_by_name


class Companions(Protocol):
    """Bots that play along for as long as we do."""

    def start(self, invite: str, count: int) -> None: ...

    def resume(self, seats: list[str]) -> None: ...

    def stop(self) -> None: ...


@contextlib.contextmanager
def refusals() -> Iterator[None]:
    """What a command would end with, as a screen says it."""
    try:
        yield
    except Failure as failure:
        raise NotPossible(failure.message) from None


class SeatOnline:
    """A place at a table, with the broker and the bots that this machine brought to it."""

    def __init__(
        self,
        home: Machine,
        attendance: Attendance,
        bots: Companions,
        texts: Texts,
        stack: contextlib.AsyncExitStack | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.attendance = attendance
        self.notes = tuple(notes)
        self._home = home
        self._bots = bots
        self._texts = texts
        self._stack = stack or contextlib.AsyncExitStack()
        self._closed = False
        self.given_up = False

    @property
    def hosting(self) -> bool:
        return self.attendance.driver.client.hosting is not None

    def add_bot(self) -> None:
        self._bots.start(self.attendance.invite, 1)

    async def reach(self) -> None:
        """Connects; closes everything again if that cannot be."""
        seat = self.attendance.seat
        try:
            with refusals():
                await reach(self.attendance, self._texts)
        except BaseException:
            if seat is not None and not seat.said and not self.hosting:
                await self.give_up()
            await self.close()
            raise

    @property
    def left(self) -> str:
        playing = self.attendance.driver.client.playing
        return "" if playing is None or playing.over else left_line(playing, self._texts)

    async def ended(self) -> None:
        driver = self.attendance.driver
        while not driver.closed:
            playing = driver.client.playing
            if playing is not None and playing.ended_at is not None:
                await finish(self.attendance)
                return
            await driver.changed()

    async def again(self) -> bool:
        earlier = self.attendance
        driver = earlier.driver
        while not driver.closed:
            playing = driver.client.playing
            if earlier.seat is not None and playing is not None and playing.over and all_wish(playing):
                with refusals(), sentences(self._texts):
                    self.attendance = play_again(self._home, earlier)
                self.notes = ()
                with refusals():
                    await reach(self.attendance, self._texts)
                await earlier.close()
                return True
            await driver.changed()
        return False

    async def give_up(self) -> None:
        self.given_up = True
        with refusals(), sentences(self._texts):
            await self.attendance.give_up()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        await self.attendance.close()
        await asyncio.to_thread(self._bots.stop)
        await self._stack.aclose()


class OnlineHome:
    """Opens, joins and watches tables for the app; whatever is still open when the app ends is closed by `close`."""

    def __init__(
        self,
        language: str | None = None,
        name: str | None = None,
        make_home: Callable[[Texts, str | None], Machine] = home_for,
        make_bots: Callable[[str], Companions] = BotProcesses,
        bind: str = EVERYWHERE,
        port: int = PORT,
    ) -> None:
        self._language = language
        self._name = name
        self._make_home = make_home
        self._make_bots = make_bots
        self._bind = bind
        self._port = port
        self._tables: list[SeatOnline] = []

    def _home(self, texts: Texts) -> Machine:
        return self._make_home(texts, self._name)

    async def _reached(self, table: SeatOnline) -> OnlineTable:
        self._tables = [one for one in self._tables if not one._closed]
        self._tables.append(table)
        await table.reach()
        return table

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable:
        with refusals():
            home = self._home(texts)
            rules = rules_by_name(wish.edition, wish.seats, texts)
            terms = make_terms(rules, wish.least, wish.seats, wish.clock, wish.options)
            wanted = Wanted(terms, wish.private, wish.welcome or wish.private)
            stack = contextlib.AsyncExitStack()
            try:
                address = broker_address(wish.broker or None, texts)
                place = await stack.enter_async_context(broker_for(address, texts, self._bind, self._port))
                with sentences(texts):
                    attendance = open_table(home, place.address, place.public, wanted, bind=place.bind)
            except BaseException:
                await stack.aclose()
                raise
        bots = self._make_bots(wish.level)
        table = SeatOnline(home, attendance, bots, texts, stack, place_notes(place, texts))
        await self._reached(table)
        bots.start(attendance.invite, wish.bots)
        return table

    async def join(self, invite: str, texts: Texts) -> OnlineTable:
        return await self.join_through(invite, None, texts)

    async def join_through(self, invite: str, through: Address | None, texts: Texts) -> OnlineTable:
        """The same through another node of the invite's cluster; an invite that is only for watching leads there."""
        with refusals():
            with sentences(texts):
                watching = bool(read_invite(invite).read_key)
            if watching:
                return await self.watch_through(invite, through, texts)
            home = self._home(texts)
            with sentences(texts):
                attendance = join_table(home, read_invite(invite), through=through)
        return await self._reached(SeatOnline(home, attendance, self._make_bots("normal"), texts))

    async def watch(self, invite: str, texts: Texts) -> OnlineTable:
        return await self.watch_through(invite, None, texts)

    async def watch_through(
        self,
        invite: str,
        through: Address | None,
        texts: Texts,
        keep: bool = True,
        stack: contextlib.AsyncExitStack | None = None,
    ) -> OnlineTable:
        """The same through another node; without `keep` nothing is written to disk. `stack` is closed with it."""
        with refusals():
            home = self._home(texts)
            with sentences(texts):
                attendance = watch_table(home, read_invite(invite), keep, through)
        return await self._reached(SeatOnline(home, attendance, self._make_bots("normal"), texts, stack))

    async def resume(self, name: str, texts: Texts) -> OnlineTable:
        with refusals():
            home = self._home(texts)
            seat = FileDisk(home.games, name.partition("-")[0], name).seat()
            assert seat is not None, "only what `unfinished` lists is taken up"
            stack = contextlib.AsyncExitStack()
            try:
                await stack.enter_async_context(own_broker(seat, texts))
                with sentences(texts):
                    attendance = resume_table(home, name)
            except BaseException:
                await stack.aclose()
                raise
        bots = self._make_bots("normal")
        table = await self._reached(SeatOnline(home, attendance, bots, texts, stack))
        bots.resume([bot for bot, _ in unfinished(home.games) if bot.startswith(f"{name}-")])
        return table

    def unfinished(self, texts: Texts) -> list[Saved]:
        with refusals():
            games = self._home(texts).games
            found = []
            for name, seat in unfinished(games):
                if not seat.bot:
                    invite = read_invite(seat.invite)
                    where = f"{invite.host}:{invite.port}"
                    words = texts.say("cli.online-saved", table=name[:6], name=seat.name, where=where)
                    found.append(Saved(name, words, finished=False))
            return found

    def lobby(self, broker: str, texts: Texts) -> tuple[LobbyClient, str] | None:
        with refusals():
            home = self._home(texts)
            address = broker_address(broker or None, texts)
            if address is None:
                return None
            return LobbyClient(home, address), f"{address.host}:{address.port}"

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Brokers]:
        return _listening(changed)

    async def close(self) -> None:
        """Ends whatever is still open."""
        for table in self._tables:
            await table.close()


class _Nothing:
    """A machine without a network hears nothing."""

    found: Sequence[FoundBroker] = ()


@contextlib.asynccontextmanager
async def _listening(changed: Callable[[], None]) -> AsyncIterator[Brokers]:
    from ..net.discovery import Browser

    async with contextlib.AsyncExitStack() as stack:
        heard: Brokers = _Nothing()
        with contextlib.suppress(OSError):
            heard = await stack.enter_async_context(Browser(changed))
        yield heard
