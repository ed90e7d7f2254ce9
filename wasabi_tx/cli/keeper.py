"""The keeper of this machine's unfinished games online: it sits where nobody does, until somebody comes."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace

from ..store.seats import SeatTaken, WantedSeats, list_seats, seat_written
from ..table.online.client import events as table_events
from ..table.online.client.talk import shown_name
from ..table.online.headless import CannotGoOn
from ..table.online.keep.seat import SeatBroken, read_seat
from ..table.online.keep.situation import Situation, partners_at
from ..table.online.machine import Machine
from ..table.online.online_table import HOPELESS, OnlineTable
from ..table.online.tables import hold_seat
from ..text import Texts
from ..view.online.call import Call, call_of
from ..view.online.refusals import say_refusal
from . import Failure
from .bot_processes import BotProcesses
from .doorbell import Doorbell
from .online_tables import MachineTables, MakeBots

_logger = logging.getLogger(__name__)

GLANCE_EVERY = 0.2
"""Seconds between two looks whether somebody wants a seat."""
SEARCH_EVERY = 1.0
"""Seconds between two looks for seats that nobody holds, while seats come, go or are written to."""
SEARCH_ANYWAY = 5.0
"""The same while nothing changes: a program that died leaves its seat free without a sign."""
TRY_AGAIN = 60.0
"""Seconds after which a seat is tried again that could not be kept."""
LONG_AWAY = 1800.0
"""Seconds for which a broker may be away before our person hears of it: machines sleep and come back."""


class Keeper:
    """Holds every seat of a person that no screen holds, in one process and on one loop.

    It never chooses a move: it plays what its person has left, if that still fits.
    """

    def __init__(
        self,
        machine: Machine,
        texts: Texts,
        call: Callable[[Call], bool],
        make_bots: MakeBots = BotProcesses,
        tick: Callable[[], None] = lambda: None,
        tell: Callable[[str, str], None] = lambda _seat, _trouble: None,
    ) -> None:
        """`call` gets every decision that waits for our person, and says whether it calls for it now.

        `tick` is called once in a while; `tell` gets why a seat cannot be kept, and nothing once it can.
        """
        self._machine = replace(machine, keeping=True)
        self._texts = texts
        self._call = call
        self._tick = tick
        self._tell = tell
        self._tables = MachineTables(make_machine=lambda _texts, _name: self._machine, make_bots=make_bots)
        self._kept: dict[str, asyncio.Task[None]] = {}
        self._not_before: dict[str, float] = {}
        self._doors: dict[str, Doorbell] = {}
        self._over: dict[str, float] = {}
        """Seats whose games are over, and when their files were written."""
        self._cut_off: dict[str, bool] = {}
        """Seats whose tables cannot be reached, and whether our person was called for that."""

    @property
    def kept(self) -> frozenset[str]:
        """The seats that are held now, or about to be."""
        return frozenset(self._kept)

    async def run(self) -> None:
        """Keeps what there is to keep until it is cancelled; then every seat is free."""
        try:
            due, anyway, wishes = 0.0, 0.0, WantedSeats(self._machine.games)
            while True:
                for seat in wishes.look() & self._kept.keys():
                    self._kept[seat].cancel()
                now = time.monotonic()
                if now >= due:
                    if wishes.changed or now >= anyway:
                        self._search()
                        anyway = now + SEARCH_ANYWAY
                    for call in filter(None, [door.ring(now) for door in self._doors.values()]):
                        self._call(call)
                    self._call_cut_off()
                    self._tick()
                    due = now + SEARCH_EVERY
                # Another process cannot wake us.
                await asyncio.sleep(GLANCE_EVERY)
        finally:
            tasks = list(self._kept.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # Who was asked twice to let go may still be at it.
            await self._tables.close()

    def _search(self) -> None:
        """Sits down wherever a seat of ours is free."""
        now = time.monotonic()
        for seat in list_seats(self._machine.games):
            if seat not in self._kept and now >= self._not_before.get(seat, 0.0) and self._is_open(seat):
                self._kept[seat] = task = asyncio.create_task(self._keep(seat), name=f"keep {seat}")
                task.add_done_callback(lambda _task, seat=seat: self._kept.pop(seat))  # type: ignore[misc]

    def _is_open(self, name: str) -> bool:
        """Whether a person has this seat and its game is not over; a file that did not change is not read again."""
        games = self._machine.games
        try:
            written = seat_written(games, name)
            if self._over.get(name) == written:
                return False
            seat = read_seat(games, name)
        except (OSError, SeatBroken):
            return False
        if seat is None or seat.over or seat.bot:
            self._over[name] = written
            return False
        return True

    async def _keep(self, seat: str) -> None:
        """One seat, from the moment that it is free until somebody wants it or its game is over."""
        try:
            try:
                disk = hold_seat(self._machine, seat)
            except (SeatTaken, KeyError):
                return
            table = await self._tables.resume(seat, self._texts, disk=disk)
            try:
                _logger.info("keeping the seat %s", seat[:6])
                await self._follow(seat, table)
            finally:
                await table.close()
                _logger.info("let go of the seat %s", seat[:6])
        except CannotGoOn as hopeless:
            why = say_refusal(hopeless, self._texts)
            _logger.warning("there is nothing to keep at %s: %s", seat[:6], why)
            self._not_before[seat] = math.inf
            self._tell(seat, why)
        except (Failure, OSError) as error:
            _logger.warning("the seat %s cannot be kept now: %s", seat[:6], error)
            self._not_before[seat] = time.monotonic() + TRY_AGAIN
            self._lost(seat, error.message if isinstance(error, Failure) else say_refusal(error, self._texts))
        except Exception:
            # A mistake of ours in one game stops no other.
            _logger.exception("the seat %s cannot be kept now", seat[:6])
            self._not_before[seat] = time.monotonic() + TRY_AGAIN
            self._lost(seat, self._texts.say("keep.mistake"))

    async def _follow(self, seat: str, table: OnlineTable) -> None:
        """Stays until the game is over and nobody needs us any more."""
        reading = asyncio.create_task(self._read(seat, table))
        ending = asyncio.create_task(table.ended())
        telling = asyncio.create_task(self._tell_decisions(seat, table))
        reaching = asyncio.create_task(self._mind_connection(seat, table))
        tasks: list[asyncio.Task[None]] = [reading, ending, telling, reaching]
        try:
            while not ending.done():
                done, _ = await asyncio.wait([task for task in tasks if not task.done()], return_when="FIRST_COMPLETED")
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _mind_connection(self, seat: str, table: OnlineTable) -> None:
        """A broker that is away may come back by itself; one that will not have us does not."""
        seen = time.monotonic()
        while not table.hung_up:
            lost, now = table.lost, time.monotonic()
            if table.up:
                seen = now
                self._reached(seat)
            elif lost in HOPELESS or now - seen >= LONG_AWAY:
                self._lost(seat, say_refusal(table.unreachable, self._texts))
            await table.changed()

    def _lost(self, seat: str, why: str) -> None:
        """Tells once that the table of this seat cannot be reached; the call follows outside of quiet hours."""
        if seat not in self._cut_off:
            self._cut_off[seat] = False
            self._tell(seat, why)

    def _reached(self, seat: str) -> None:
        if self._cut_off.pop(seat, None) is not None:
            self._tell(seat, "")

    def _call_cut_off(self) -> None:
        for seat, called in self._cut_off.items():
            if not called and self._is_open(seat):
                self._cut_off[seat] = self._call(Call("cut-off", seat, partners_at(self._machine.games, seat)))

    async def _tell_decisions(self, seat: str, table: OnlineTable) -> None:
        told: Situation | None = None
        while not table.snapshot.ended:
            now = table.snapshot
            situation = now.situation
            if situation != told and situation is not None:
                call = call_of(seat, situation, now.ahead)
                if call is not None:
                    self._call(call)
            told = situation
            await table.changed()

    async def _read(self, seat: str, table: OnlineTable) -> None:
        """Hears what happens around the table: a guest at the door waits for our person's word."""
        door = self._doors.setdefault(seat, Doorbell(seat))
        try:
            await self._listen(door, table)
        finally:
            door.leave()

    async def _listen(self, door: Doorbell, table: OnlineTable) -> None:
        while (event := await table.next_event()) is not None:
            match event:
                case table_events.CannotPlay() | table_events.HostBroken() if table.snapshot.observation is None:
                    raise CannotGoOn(event)
                case table_events.Joined(key, name) if table.asks:
                    if table.is_ours(key):
                        await table.admit(key)
                    else:
                        door.came(key, shown_name(name, key))
                case table_events.Withdrawn(key):
                    door.gone(key)
                case _:
                    pass
