"""The keeper of this machine's unfinished online games: it holds each seat until somebody wants it."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from dataclasses import replace

from ..online.client import events as table_events
from ..online.client.talk import shown_name
from ..online.headless import CannotGoOn
from ..online.machine import Machine
from ..online.online_table import HOPELESS, OnlineTable
from ..online.saved.seat import SeatBroken, read_seat
from ..online.saved.situation import Situation, partners_at
from ..online.tables import hold_seat
from ..store.seats import SeatTaken, WantedSeats, list_seats, seat_written
from ..text import Texts
from ..view.online.call import Call, call_of
from ..view.online.refusals import say_refusal
from .bot_processes import BotProcesses
from .doorbell import Doorbell
from .failure import Failure
from .online_tables import MakeBots, OnlineTables

_logger = logging.getLogger(__name__)

GLANCE_EVERY = 0.2
"""Seconds between two checks whether somebody wants a seat."""
SEARCH_EVERY = 1.0
"""Seconds between two searches for free seats, while seats come, go or are written to."""
SEARCH_ANYWAY = 5.0
"""Seconds between two searches while nothing changes: a program that died frees its seat without a sign."""
TRY_AGAIN = 60.0
"""Seconds after which a seat that could not be kept is tried again."""
LONG_AWAY = 1800.0
"""Seconds a broker may be away before our person is notified: machines sleep and come back."""


class Keeper:
    """Holds every seat of a person that no screen holds, in one process and on one loop.

    It never chooses a move: it plays its person's plans, if they still fit.
    """

    def __init__(
        self,
        machine: Machine,
        texts: Texts,
        call: Callable[[Call], bool],
        make_bots: MakeBots = BotProcesses,
        tick: Callable[[], None] = lambda: None,
        report: Callable[[str, str], None] = lambda _seat, _trouble: None,
    ) -> None:
        """Set up a keeper; `call` gets every decision that waits for our person, and returns whether it notifies them
        now.

        `tick` is called now and then; `report` gets the reason why a seat cannot be kept, and "" once it can.
        """
        self._machine = replace(machine, keeping=True)
        self._texts = texts
        self._call = call
        self._tick = tick
        self._report = report
        self._tables = OnlineTables(make_machine=lambda _texts, _name: self._machine, make_bots=make_bots)
        self._kept: dict[str, asyncio.Task[None]] = {}
        self._not_before: dict[str, float] = {}
        self._doors: dict[str, Doorbell] = {}
        self._over: dict[str, float] = {}
        """Seats whose games are over, with the time their files were written."""
        self._cut_off: dict[str, bool] = {}
        """Seats whose tables cannot be reached, and whether our person was notified of that."""

    @property
    def kept(self) -> frozenset[str]:
        """The seats that are held now, or about to be."""
        return frozenset(self._kept)

    async def run(self) -> None:
        """Keep all free seats until cancelled; then release every seat."""
        try:
            due, anyway, wishes = 0.0, 0.0, WantedSeats(self._machine.games)
            while True:
                for seat in wishes.read() & self._kept.keys():
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
            # Tasks that were cancelled twice may still be closing.
            await self._tables.close()

    def _search(self) -> None:
        """Take every free seat of this person."""
        now = time.monotonic()
        for seat in list_seats(self._machine.games):
            if seat not in self._kept and now >= self._not_before.get(seat, 0.0) and self._is_open(seat):
                self._kept[seat] = task = asyncio.create_task(self._keep(seat), name=f"keep {seat}")
                task.add_done_callback(lambda _task, seat=seat: self._kept.pop(seat))  # type: ignore[misc]

    def _is_open(self, name: str) -> bool:
        """Return whether a person has this seat and its game is not over; an unchanged file is not read again."""
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
        """Hold one seat until somebody wants it or its game is over."""
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
            self._report(seat, why)
        except (Failure, OSError) as error:
            _logger.warning("the seat %s cannot be kept now: %s", seat[:6], error)
            self._not_before[seat] = time.monotonic() + TRY_AGAIN
            self._lost(seat, str(error) if isinstance(error, Failure) else say_refusal(error, self._texts))
        except Exception:
            # A bug in one game must not stop the others.
            _logger.exception("the seat %s cannot be kept now", seat[:6])
            self._not_before[seat] = time.monotonic() + TRY_AGAIN
            self._lost(seat, self._texts.say("keep.mistake"))

    async def _follow(self, seat: str, table: OnlineTable) -> None:
        """Hold the seat until the game is over and no other player needs it."""
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
        """Report a lost connection: a broker may come back by itself, but one that refuses us will not."""
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
        """Report once that this seat's table cannot be reached; the notification waits for the end of quiet hours."""
        if seat not in self._cut_off:
            self._cut_off[seat] = False
            self._report(seat, why)

    def _reached(self, seat: str) -> None:
        if self._cut_off.pop(seat, None) is not None:
            self._report(seat, "")

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
                call = call_of(seat, situation, now.plans)
                if call is not None:
                    self._call(call)
            told = situation
            await table.changed()

    async def _read(self, seat: str, table: OnlineTable) -> None:
        """Follow the table's events: a guest at the door waits for our person's decision."""
        door = self._doors.setdefault(seat, Doorbell(seat))
        try:
            await self._listen(door, table)
        finally:
            door.forget_guests()

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
