"""An online table as one person, bot or watcher of this machine has it: from the waiting room to the rematch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any, Protocol

from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.invite import Invite
from wasabi_protocol.table.invite_text import format_invite

from ...net.carriers import Carriers, CarrierState
from ...net.transport import Transport
from .client import events as table_events
from .client.client import Client, Event, Manner
from .client.driver import TICK, Driver, Snapshot
from .client.duties import HEAD_EVERY, RARE_HEADS
from .client.waiting_room import Hosting
from .invites import Ways, broker_name, invite_to, watch_invite
from .keep.disk import Disk, FileDisk, releasing, watcher_disk
from .keep.people import known_people
from .keep.seat import SavedSeat, bot_seat, new_seat
from .knocking import DoorListener
from .lobby import LobbyClient, Spoken
from .machine import Machine
from .peer_game import PeerGame
from .rematch import Rematch, rematch_of
from .result import OnlineResult
from .spoken_codes import CodeOffer

AT_THE_DOOR = 2.0
"""Seconds for which somebody who comes back waits for the broker before they wait inside."""
FIRST_CONNECTION = 10.0
"""Seconds that a broker may be out of reach before `connect` gives up; later the driver waits for ever."""
KEEPER_TICK = 5.0
"""Seconds after which a keeper looks at the clock: it has many tables, and nobody waits for it to draw."""
HOPELESS = ("password", "certificate", "refused")
"""Reasons for which a broker will not have us however long we wait."""


class Unreachable(Exception):
    """The broker of a table cannot be reached or will not have us; `reason` is what the transport says."""

    def __init__(self, reason: str, broker: str, kept_back: bool = False, hosted: str = "") -> None:
        super().__init__(reason, broker, kept_back, hosted)
        self.reason = reason
        self.broker = broker
        self.kept_back = kept_back
        """Whether a password of this machine was not sent there, see `Machine`."""
        self.hosted = hosted
        """The title of the table if it is our own that we come back to: nobody else could invite us."""


class Bots(Protocol):
    """Programs of this machine that come to a table as bots."""

    def start(self, invite: str, count: int) -> None: ...


class OnlineTable:
    """Our place at one table. Its methods run on one loop, the client behind them in a thread of its own."""

    def __init__(
        self,
        *,
        machine: Machine,
        ways: Ways,
        invite: Invite,
        me: Identity,
        disk: Disk,
        seat: SavedSeat | None,
        hosting: Hosting | None = None,
    ) -> None:
        """Reads the seat's file, which is held; `connect` comes next. `seat` is None for a watcher."""
        self.invite = format_invite(invite)
        """For those who are to play: everybody who has it can."""
        self.watch_invite = format_invite(watch_invite(invite))
        """For those who are to look on."""
        self.table = invite.table
        self.me = me
        self.seat = seat
        self.notes: tuple[str, ...] = ()
        """What somebody should know about this place."""
        self.kept_back = any(machine.kept_back(address) for way in ways for address in way)
        """Whether a password of this machine was not sent to the broker; see `Machine`."""
        self.given_up = False
        self.following: OnlineTable | None = None
        """The table of the rematch, once we went there."""
        self._machine = machine
        self._way = invite
        self._ways = ways
        self._disk = disk
        self._hosting = hosting
        self._bots: Bots | None = None
        self._brought = AsyncExitStack()
        self._awaiting: list[asyncio.Task[None]] = []
        self._door: DoorListener | None = None
        self._lobby: LobbyClient | None = None
        self._expected: set[bytes] = set()
        self._closing: asyncio.Task[None] | None = None
        self._transport = connection(machine, ways)
        self.driver = Driver(self._new_client(), self._transport, KEEPER_TICK if machine.keeping else TICK)

    def _new_client(self) -> Client:
        machine, invite, seat, disk = self._machine, self._way, self.seat, self._disk
        bot = seat is not None and bool(seat.bot)
        record = []
        if isinstance(disk, FileDisk) and seat is not None:
            disk.keep(seat)
            record = disk.reopen(seat.record) if seat.record else []
        return Client(
            channel=Channel.for_invite(replace(invite, realm=invite.realm or machine.realm)),
            me=self.me,
            disk=disk,
            find=machine.find,
            now=time.monotonic(),
            seat=seat,
            hosting=self._hosting,
            door=invite.door if seat is not None else None,
            names_host=invite.names_host,
            manner=Manner(
                bot=bot,
                patience=machine.patience,
                share_hand=machine.share_hand or bot,
                runner=machine.me.key if bot else b"",
                head_every=RARE_HEADS if any(carrier.relay for carrier in invite.carriers) else HEAD_EVERY,
                keeping=machine.keeping and not bot,
                votes_yes=machine.votes_yes,
            ),
            record=record,
        )

    def bring(self, stack: AsyncExitStack, bots: Bots, notes: Sequence[str] = ()) -> None:
        """What this machine brought to the table, a broker and bots: `close` ends it, or the rematch takes it over."""
        self._brought = stack
        self._bots = bots
        self.notes = tuple(notes)

    # What is known

    @property
    def snapshot(self) -> Snapshot:
        return self.driver.snapshot

    @property
    def up(self) -> bool:
        """Whether there is a connection."""
        return self.driver.up

    @property
    def lost(self) -> str:
        """Why there is none, if there is none."""
        return self.driver.lost

    @property
    def hung_up(self) -> bool:
        """Whether nothing comes over any connection any more."""
        return self.driver.closed

    @property
    def title(self) -> str:
        return self.table[:6]

    @property
    def broker(self) -> str:
        """Where the table is, for people."""
        return broker_name(self._way)

    @property
    def unreachable(self) -> Unreachable:
        """Why there is no connection, while there is none."""
        back = self.seat is not None and bool(self.seat.said) and self.hosting
        return Unreachable(self.driver.lost or "unreachable", self.broker, self.kept_back, self.title if back else "")

    @property
    def carriers(self) -> tuple[CarrierState, ...]:
        """The brokers that carry the table and how each of them is; nothing if there is only one."""
        return self._transport.states if isinstance(self._transport, Carriers) else ()

    @property
    def saved_as(self) -> str:
        path = self._disk.path if isinstance(self._disk, FileDisk) else None
        return "" if path is None else str(path)

    @property
    def carried_here(self) -> bool:
        """Whether a broker of our own carries this table, and nothing else."""
        return self.seat is not None and bool(self.seat.bind) and len(self._ways) == 1

    @property
    def hosting(self) -> bool:
        """Whether we are the host."""
        return self._hosting is not None

    @property
    def asks(self) -> bool:
        """Whether we are the host and admit each guest ourselves."""
        return self._hosting is not None and not self._hosting.welcome_all

    def is_ours(self, key: bytes) -> bool:
        """Whether this is our own key, or that of a bot that this machine runs here."""
        if key == self.me.key:
            return True
        # A stranger may claim to be a bot of ours, but has no file on our disk.
        disk = self._disk
        return isinstance(disk, FileDisk) and FileDisk(disk.folder, self.table, bot_seat(self.table, key)).exists

    @property
    def left(self) -> tuple[str, ...] | None:
        """The names of those who voted us out of a game that goes on, none if we left it; None if neither is so."""
        now = self.snapshot
        return now.excluded_by if now.out and not now.over else None

    @property
    def latest(self) -> OnlineTable:
        """This table, or the one to which rematches have led from it."""
        return self if self.following is None else self.following.latest

    # Before the game

    async def connect(self, patient: bool = False) -> None:
        """Connects; `Unreachable` if the broker cannot be had, and then all is closed and no new seat is left over.

        A seat that is taken up again can be `patient`: a broker that is not there is waited for at the table.
        """
        try:
            await self.driver.open()
            await self._first_connection(patient)
        except BaseException:
            if self.seat is not None and not self.seat.said and not self.hosting:
                await self.give_up()
            await self.close()
            raise

    async def _first_connection(self, patient: bool) -> None:
        driver = self.driver
        with suppress(TimeoutError):
            async with asyncio.timeout(AT_THE_DOOR if patient else FIRST_CONNECTION):
                while not driver.up and driver.lost not in HOPELESS:
                    await driver.changed()
        if not driver.up and (not patient or driver.lost in HOPELESS):
            raise self.unreachable

    async def next_event(self) -> Event | None:
        """What happened next; None once this is closed. For one reader, and once there is a `game` for that one."""
        return await self.driver.next_event()

    async def changed(self) -> None:
        """Waits until the snapshot may be another one."""
        await self.driver.changed()

    async def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Waits until this is so, or the table is closed."""
        await self.driver.until(condition)

    async def admit(self, key: bytes) -> None:
        """As host: this guest may sit; who knocks gets the invite, and then the seat without another question."""
        if self._door is not None and self._door.knocks(key):
            self._expected.add(key)
            self._door.admit(key, self.invite)
        else:
            await self.driver.do(lambda client, now: client.admit(key, now))

    async def turn_away(self, key: bytes) -> None:
        """As host: this guest gets no seat."""
        if self._door is not None and self._door.knocks(key):
            self._door.turn_away(key)
        else:
            await self.driver.do(lambda client, now: client.turn_away(key, now))

    def expects(self, key: bytes) -> bool:
        """Whether the host need not be asked about this guest: it is ours, or was let in when it knocked."""
        return self.is_ours(key) or key in self._expected

    async def propose(self) -> None:
        """As host: the game begins with those who were admitted, if they are enough."""
        await self.driver.do(lambda client, now: client.propose(now))

    async def say(self, text: str) -> None:
        """A line to everybody at the table."""
        await self.driver.do(lambda client, _now: client.say(text, time.time()))

    def await_guests(self, person: bool = True) -> None:
        """As host, until the game begins: friends can come by a spoken code, and others can knock.

        Without a `person` here nobody would say the code or hear what is said in the lobby.
        """
        if not self.hosting or self._machine.keeping or self._awaiting or self.snapshot.begun:
            return
        ways = self._ways[1:] if self.seat is not None and self.seat.bind else self._ways
        if self._way.play_key:
            if ways and person:
                self._until_begun(self._code_offer(ways).run())
        elif self._hosting is not None and self._hosting.listed:
            known = known_people(self._machine.games)
            way = connection(self._machine, self._ways)
            self._door = DoorListener(way, self.me, self.table, known, self._at_the_door)
            self._until_begun(self._door.run())
            if person:
                self._until_begun(self._hear_lobby(known))

    async def _hear_lobby(self, known: Collection[bytes]) -> None:
        """Tells what is said in the lobby where our table is listed, and how many are there."""
        lobby = self._lobby = LobbyClient(self._machine, self._ways[0][0], known, listens_only=True)
        try:
            async for change in lobby.changes():
                if isinstance(change, Spoken):
                    self.driver.tell(table_events.LobbyTalk(change.who, change.text))
                elif change == "people":
                    self.driver.tell(table_events.LobbyPeople(lobby.people))
        finally:
            self._lobby = None
            await lobby.close()

    @property
    def in_lobby(self) -> bool:
        """Whether those in a lobby can hear us: our table is listed there, and waits."""
        return self._lobby is not None

    def say_in_lobby(self, text: str) -> None:
        """As host: a line to those who look at our table in the lobby."""
        if self._lobby is not None:
            self._lobby.say(text)

    def _at_the_door(self, event: table_events.Knocking | table_events.KnockEnded) -> None:
        """Tells who knocks; where everybody may sit, they get the invite, but for the ticket of those who have it."""
        if isinstance(event, table_events.Knocking) and not self.asks and self._door is not None:
            self._door.admit(event.key, format_invite(replace(self._way, ticket_key=b"")))
        else:
            self.driver.tell(event)

    def _code_offer(self, ways: Ways) -> CodeOffer:
        """A code that is short enough to say, on brokers of others."""
        # The relays of the list are where everybody asks.
        broker = "" if any(address.relay for way in ways for address in way) else str(ways[0][0])
        offer = CodeOffer(connection(self._machine, ways), self.invite)
        locked = all(self._machine.credentials(address).user for way in ways for address in way)
        offer.changed = lambda: self.driver.tell(
            table_events.CodeOffered(offer.code, offer.wrong, offer.left, broker, locked)
        )
        return offer

    def _until_begun(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            running = asyncio.create_task(work)
            try:
                await self.until(lambda now: now.begun)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

        self._awaiting.append(asyncio.create_task(run()))

    def add_bot(self) -> None:
        """A bot of this machine comes for a seat."""
        if self._bots is not None:
            self._bots.start(self.invite, 1)

    # The game

    async def game(self) -> PeerGame:
        """The game, with all that was played so far; to be called once, when the seats are drawn."""
        return PeerGame(self.driver, await self.driver.history(), self.title)

    async def ended(self) -> None:
        """Returns when the game is over, or our part in it, and nobody needs us for it any more."""
        await self.until(lambda now: now.ended)
        if not self.driver.closed:
            await self.finish()

    async def finish(self) -> OnlineResult | None:
        """Stays until nobody needs us any more; then the seat's file says that it is over. What came of the game."""
        while await self.driver.do(lambda client, now: client.stay(now)):
            await self.driver.changed()
        return self.snapshot.result

    async def wish_rematch(self) -> None:
        await self.driver.do(lambda client, now: client.wish_rematch(now))

    async def rematch(self) -> OnlineTable | None:
        """Our place at the next table, connected, once everybody wishes for it; None once this one is closed.

        Watchers go along, but for private tables: from what they may read the next one's key does not follow.
        """
        follows = self.seat is not None or not self._way.private
        await self.until(lambda now: follows and now.over and now.all_wish_rematch)
        if self.driver.closed:
            return None
        found = await self._find_rematch()
        self.following = (
            await self._next_table(self.seat, found) if self.seat is not None else self._next_watched(found)
        )
        following = self.following
        await following.connect()
        if self._bots is not None:
            following.bring(self._brought.pop_all(), self._bots)
        await self._leave()
        return following

    async def _find_rematch(self) -> Rematch:
        play_key = self._way.play_key

        def look(client: Client, _now: float) -> Rematch:
            assert client.playing is not None, "everybody wishes for a rematch of a game"
            return rematch_of(client.playing, play_key)

        return await self.driver.do(look)

    def _next_watched(self, found: Rematch) -> OnlineTable:
        """The next table, to look on; what is kept of this one is kept of that one."""
        before = self._way
        invite = watch_invite(invite_to(before.carriers, before.realm, found.table, found.host))
        disk = watcher_disk(self._machine.games, found.table, self.me.key, keep=isinstance(self._disk, FileDisk))
        with releasing(disk):
            return OnlineTable(machine=self._machine, ways=self._ways, invite=invite, me=self.me, disk=disk, seat=None)

    async def _next_table(self, seat: SavedSeat, found: Rematch) -> OnlineTable:
        """The place there that is ours: the same seat of a bot, a new one on disk, and the host's part if we host."""
        before, me, machine = self._way, self.me, self._machine
        invite = invite_to(before.carriers, before.realm, found.table, found.host, found.play_key)
        disk = FileDisk(machine.games, found.table, bot_seat(found.table, me.key) if seat.bot else None)
        hosting = Hosting(found.terms, found.salt, listed=False, welcome_all=True)
        await asyncio.to_thread(disk.hold.take)
        with releasing(disk):
            return OnlineTable(
                machine=machine,
                ways=self._ways,
                invite=invite,
                me=me,
                disk=disk,
                seat=disk.seat()
                or new_seat(
                    seat.name,
                    invite,
                    seat.seed,
                    seat.bot,
                    bind=seat.bind,
                    port=seat.port,
                    map_port=seat.map_port,
                    through=seat.through,
                    guests=found.guests,
                ),
                hosting=hosting if found.host == me.key else None,
            )

    # The end

    async def give_up(self) -> None:
        """The seat will not be taken up again: it is not among the unfinished games any more."""
        self.given_up = True
        await self.driver.close()
        if not isinstance(self._disk, FileDisk) or (seat := self._disk.seat()) is None:
            return
        if seat.bot and not seat.record:
            # Another bot would come under another key.
            self._disk.forget()
        else:
            self._disk.keep(replace(seat, over=True))

    async def close(self) -> None:
        """Leaves this table and those that followed it; what this machine brought ends after them."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        # A second caller, or one that is interrupted, must not cut it short.
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self.following is not None:
            await self.following.close()
        await self.driver.close()
        # Who takes the seat next brings the same broker and bots: the seat is free when ours are gone.
        await self._brought.aclose()
        await self._leave()

    async def _leave(self) -> None:
        for task in self._awaiting:
            task.cancel()
        await asyncio.gather(*self._awaiting, return_exceptions=True)
        await self.driver.close()
        if isinstance(self._disk, FileDisk):
            self._disk.close()

    @property
    def closed(self) -> bool:
        return self._closing is not None and self._closing.done()


def connection(machine: Machine, ways: Ways) -> Transport:
    """The way to one broker, or to several at once."""
    known = [[machine.credentials(address) for address in way] for way in ways]
    if len(known) == 1:
        return machine.connect(known[0])
    return Carriers({f"{way[0].host}:{way[0].port}": machine.connect(way) for way in known})
