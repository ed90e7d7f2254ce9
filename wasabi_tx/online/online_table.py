"""An online table as one person, bot or watcher of this machine sees it: from the waiting room to the rematch."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Terms
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.invite import Invite, host_key_hash
from wasabi_protocol.table.invite_text import format_invite

from ..net.address import Address
from ..net.carriers import Carriers, CarrierState
from ..net.interfaces import is_nearby
from ..net.transport import Transport
from .client import events as table_events
from .client.client import Client, Event, Manner
from .client.driver import TICK, Driver, Snapshot
from .client.duties import HEAD_EVERY, RARE_HEADS
from .client.waiting_room import Hosting
from .invites import Ways, broker_name, invite_to, watch_invite
from .knocking import DoorListener
from .lobby import LobbyClient, Spoken
from .machine import Machine
from .peer_game import PeerGame
from .rematch import Rematch, rematch_of
from .result import OnlineResult
from .saved.disk import Disk, FileDisk, releasing, watcher_disk
from .saved.people import known_people
from .saved.seat import SavedSeat, bot_seat, new_seat
from .spoken_codes import CodeOffer

AT_THE_DOOR = 2.0
"""Seconds that a returning player waits for the broker before going in without a connection."""
FIRST_CONNECTION = 10.0
"""Seconds that a broker may be unreachable before `connect` gives up; later the driver waits forever."""
KEEPER_TICK = 5.0
"""Seconds between ticks of a keeper: it has many tables, and no screen waits for it."""
LOST_FOR = 3.0
"""Seconds without a connection after which a guest looks for the host on the local network."""
HOPELESS = ("password", "certificate", "refused")
"""Reasons for which a broker will refuse us however long we wait."""


class Unreachable(Exception):
    """The broker of a table cannot be reached or refuses us; `reason` comes from the transport."""

    def __init__(
        self, reason: str, broker: str, kept_back: bool = False, hosted: str = "", invited: bool = False
    ) -> None:
        super().__init__(reason, broker, kept_back, hosted, invited)
        self.reason = reason
        self.broker = broker
        self.kept_back = kept_back
        """True if a password of this machine was not sent there; see `Machine`."""
        self.hosted = hosted
        """The title of the table if it is our own that we come back to: nobody else could invite us."""
        self.invited = invited
        """True if somebody else's invite named the broker, its password and its certificate."""


StartBots = Callable[[str, int], None]
"""Starts this many bots of this machine, which join the table of an invite."""


class OnlineTable:
    """Our place at one table. Its methods run on one loop, the client behind them in its own thread."""

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
        """Read the seat's file, which must be held; call `connect` next. `seat` is None for a watcher."""
        self.invite = format_invite(invite)
        """The invite to play: everybody who has it can."""
        self.watch_invite = format_invite(watch_invite(invite))
        """The invite to watch."""
        self.table = invite.table
        self.me = me
        self.seat = seat
        self.notes: tuple[str, ...] = ()
        """Notices about this place, for people."""
        self.kept_back = any(machine.kept_back(address) for way in ways for address in way)
        """True if a password of this machine was not sent to the broker; see `Machine`."""
        self.given_up = False
        self.following: OnlineTable | None = None
        """The table of the rematch, once we have gone there."""
        self._machine = machine
        self._way = invite
        self._ways = ways
        self._disk = disk
        self._hosting = hosting
        self._start_bots: StartBots | None = None
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
            disk.save_seat(seat)
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

    def bring(self, stack: AsyncExitStack, start_bots: StartBots, notes: Sequence[str] = ()) -> None:
        """Hand over the broker and bots of this machine: `close` ends them, or the rematch takes them over."""
        self._brought = stack
        self._start_bots = start_bots
        self.notes = tuple(notes)

    # State

    @property
    def snapshot(self) -> Snapshot:
        return self.driver.snapshot

    @property
    def up(self) -> bool:
        """True if there is a connection."""
        return self.driver.up

    @property
    def lost(self) -> str:
        """Reason why there is no connection; empty while there is one."""
        return self.driver.lost

    @property
    def hung_up(self) -> bool:
        """True if nothing comes over any connection any more."""
        return self.driver.closed

    @property
    def title(self) -> str:
        return self.table[:6]

    @property
    def broker(self) -> str:
        """The location of the table, for people."""
        return broker_name(self._way)

    @property
    def unreachable(self) -> Unreachable:
        """An `Unreachable` with the reason why there is no connection, while there is none."""
        back = self.seat is not None and bool(self.seat.said) and self.hosting
        reason = self.driver.lost or "unreachable"
        proved = reason != "certificate" or any(address.fingerprint for way in self._ways for address in way)
        known = any(self._machine.credentials(address).user for address in self._ways[0])
        if reason == "refused" and self.hosting and not known:
            # A seat needs more subscriptions than brokers grant to those who only watch.
            reason = "watch-only"
        invited = not self.hosting and proved
        return Unreachable(reason, self.broker, self.kept_back, self.title if back else "", invited)

    @property
    def carriers(self) -> tuple[CarrierState, ...]:
        """The brokers that carry the table and their states; empty if there is only one."""
        return self._transport.states if isinstance(self._transport, Carriers) else ()

    @property
    def saved_as(self) -> str:
        path = self._disk.path if isinstance(self._disk, FileDisk) else None
        return "" if path is None else str(path)

    @property
    def carried_here(self) -> bool:
        """True if only our own broker carries this table."""
        return self.seat is not None and bool(self.seat.bind) and len(self._ways) == 1

    @property
    def site(self) -> str:
        """The address at which browsers find the program and this table, before an invite; empty if they cannot."""
        if self.seat is None or not self.seat.site:
            return ""
        host, port = self._way.carriers[0].hosts[0]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}/#"

    @property
    def hosting(self) -> bool:
        """True if we are the host."""
        return self._hosting is not None

    @property
    def asks(self) -> bool:
        """True if we are the host and admit each guest ourselves."""
        return self._hosting is not None and not self._hosting.welcome_all

    def is_ours(self, key: bytes) -> bool:
        """Return whether this is our own key, or that of a bot that this machine runs here."""
        if key == self.me.key:
            return True
        # A stranger may claim to be our bot, but has no file on our disk.
        disk = self._disk
        return isinstance(disk, FileDisk) and FileDisk(disk.folder, self.table, bot_seat(self.table, key)).exists

    @property
    def voted_out_by(self) -> tuple[str, ...] | None:
        """Names of those who voted us out of a game that goes on, empty if we left it; None if neither happened."""
        now = self.snapshot
        return now.excluded_by if now.out and not now.over else None

    @property
    def latest(self) -> OnlineTable:
        """This table, or the one that rematches have led to."""
        return self if self.following is None else self.following.latest

    # Before the game

    async def connect(self, patient: bool = False) -> None:
        """Connect; raise `Unreachable` if that fails, after closing everything and removing a new seat.

        A resumed seat can be `patient`: it waits at the table for a broker that is not there yet.
        """
        try:
            await self.driver.open()
            await self._first_connection(patient)
            if not self.hosting and any(is_nearby(address.host) for address in self._ways[0]):
                self._awaiting.append(asyncio.create_task(self._look_for_host()))
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

    async def _look_for_host(self) -> None:
        """Find the host on the local network again whenever the connection stays lost: its address may have changed."""
        tried = {*self._ways[0]}
        while not self.hung_up:
            await self.until(lambda _now: not self.up)
            if await self._up_within(LOST_FOR):
                continue
            found = await self._host_nearby(tried)
            if found is None:
                await self.until(lambda _now: self.up)
                continue
            tried.add(found)
            self._transport.try_also(found)
            if await self._up_within(FIRST_CONNECTION):
                # A later program begins there.
                await self._note_way(replace(found, user="", password="").url())

    async def _note_way(self, url: str) -> None:
        with suppress(OSError):
            await self.driver.do(lambda client, _now: client.note_way(url))

    async def _up_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.until(lambda _now: self.up)
        return self.up

    async def _host_nearby(self, tried: Collection[Address]) -> Address | None:
        """Return another address at which the host announces a broker; None once there is a connection without it."""
        from ..net.discovery import Browser

        host, first = await self.driver.do(lambda client, _now: client.host), self._ways[0][0]
        with suppress(OSError):
            async with Browser() as nearby:
                while host and not self.up and not self.hung_up:
                    for one in nearby.found:
                        address = replace(first, host=one.host, port=one.port)
                        if one.host_key == host_key_hash(host) and address not in tried:
                            return address
                    await self.changed()
        return None

    async def is_carried(self, seconds: float) -> bool:
        """Return whether a broker passes on our messages, as a seat needs; wait for our first one to come back."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.until(lambda now: now.carried)
        return self.snapshot.carried

    async def begins(self, terms: Terms, seconds: float) -> bool:
        """Return whether a game by these very terms begins here within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.until(lambda now: now.begun)
        return await self.driver.do(
            lambda client, _now: client.playing is not None and client.playing.founded.genesis.terms == terms
        )

    async def next_event(self) -> Event | None:
        """Return the next event; None once closed. Meant for one reader: the `game`, once there is one."""
        return await self.driver.next_event()

    async def changed(self) -> None:
        """Wait until the snapshot may have changed."""
        await self.driver.changed()

    async def until(self, condition: Callable[[Snapshot], bool]) -> None:
        """Wait until the condition is true or the table is closed."""
        await self.driver.until(condition)

    async def admit(self, key: bytes) -> None:
        """Give this guest a seat, as host; one who knocks first gets the invite, then the seat without asking again."""
        if self._door is not None and self._door.knocks(key):
            self._expected.add(key)
            self._door.admit(key, self.invite)
        else:
            await self.driver.do(lambda client, now: client.admit(key, now))

    async def turn_away(self, key: bytes) -> None:
        """Refuse this guest a seat, as host."""
        if self._door is not None and self._door.knocks(key):
            self._door.turn_away(key)
        else:
            await self.driver.do(lambda client, now: client.turn_away(key, now))

    def expects(self, key: bytes) -> bool:
        """Return whether the host need not be asked about this guest: our own bot, or one admitted when knocking."""
        return self.is_ours(key) or key in self._expected

    async def propose(self) -> None:
        """Propose a game of the admitted players, as host, if there are enough."""
        await self.driver.do(lambda client, now: client.propose(now))

    async def send_talk(self, text: str) -> None:
        """Say a line to everybody at the table."""
        await self.driver.do(lambda client, _now: client.send_talk(text, time.time()))

    def await_guests(self, person: bool = True) -> None:
        """Let friends come by a spoken code and others knock, as host, until the game begins.

        Without a `person` here nobody would pass on the code or read the talk in the lobby.
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
        """Emit the talk in the lobby where our table is listed, and who is there."""
        lobby = self._lobby = LobbyClient(self._machine, self._ways[0][0], known, listens_only=True)
        try:
            async for change in lobby.changes():
                if isinstance(change, Spoken):
                    self.driver.emit(table_events.LobbyTalk(change.who, change.text))
                elif change == "people":
                    self.driver.emit(table_events.LobbyPeople(lobby.people))
        finally:
            self._lobby = None
            await lobby.close()

    @property
    def in_lobby(self) -> bool:
        """True if people in a lobby can hear us: our table is listed there, and waits."""
        return self._lobby is not None

    def say_in_lobby(self, text: str) -> None:
        """Say a line, as host, to those who see our table in the lobby."""
        if self._lobby is not None:
            self._lobby.send_talk(text)

    def _at_the_door(self, event: table_events.Knocking | table_events.KnockEnded) -> None:
        """Announce who knocks; where everybody may sit, give them the invite without the ticket of invited guests."""
        if isinstance(event, table_events.Knocking) and not self.asks and self._door is not None:
            self._door.admit(event.key, format_invite(replace(self._way, ticket_key=b"")))
        else:
            self.driver.emit(event)

    def _code_offer(self, ways: Ways) -> CodeOffer:
        """Return an offer of our invite under a spoken code, on other people's brokers."""
        # Everybody asks on the listed relays.
        broker = "" if any(address.relay for way in ways for address in way) else str(ways[0][0])
        offer = CodeOffer(connection(self._machine, ways), self.invite)
        locked = all(self._machine.credentials(address).user for way in ways for address in way)
        offer.changed = lambda: self.driver.emit(
            table_events.CodeOffered(offer.code, offer.wrong, offer.tries_left, broker, locked)
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
        """Start a bot of this machine that joins the table."""
        if self._start_bots is not None:
            self._start_bots(self.invite, 1)

    # The game

    async def game(self) -> PeerGame:
        """Return the game, with everything played so far; call this once, when the seats are drawn."""
        return PeerGame(self.driver, await self.driver.history(), self.title)

    async def ended(self) -> None:
        """Wait until the game, or our part in it, is over and nobody needs our client any more."""
        await self.until(lambda now: now.ended)
        if not self.driver.closed:
            await self.finish()

    async def finish(self) -> OnlineResult | None:
        """Stay until nobody needs us any more, which marks the seat's file as over; return the result."""
        while await self.driver.do(lambda client, now: client.stay(now)):
            await self.driver.changed()
        return self.snapshot.result

    async def wish_rematch(self) -> None:
        await self.driver.do(lambda client, now: client.wish_rematch(now))

    async def rematch(self) -> OnlineTable | None:
        """Return our place at the next table, connected, once everybody wishes for it; None once this one is closed.

        Watchers go along, except at private tables: they cannot derive the next table's key from what they may read.
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
        if self._start_bots is not None:
            following.bring(self._brought.pop_all(), self._start_bots)
        await self._leave()
        return following

    async def _find_rematch(self) -> Rematch:
        play_key = self._way.play_key

        def look(client: Client, _now: float) -> Rematch:
            assert client.playing is not None, "everybody wishes for a rematch of a game"
            return rematch_of(client.playing, play_key)

        return await self.driver.do(look)

    def _next_watched(self, found: Rematch) -> OnlineTable:
        """Return a watcher's place at the next table; it is saved if this one was."""
        before = self._way
        invite = watch_invite(invite_to(before.carriers, before.realm, found.table, found.host))
        disk = watcher_disk(self._machine.games, found.table, self.me.key, saved=isinstance(self._disk, FileDisk))
        with releasing(disk):
            return OnlineTable(machine=self._machine, ways=self._ways, invite=invite, me=self.me, disk=disk, seat=None)

    async def _next_table(self, seat: SavedSeat, found: Rematch) -> OnlineTable:
        """Return our place at the next table: a new seat on disk, a bot's with the same key, hosting if we host."""
        before, me, machine = self._way, self.me, self._machine
        invite = invite_to(before.carriers, before.realm, found.table, found.host, found.play_key)
        disk = FileDisk(machine.games, found.table, bot_seat(found.table, me.key) if seat.bot else None)
        hosting = Hosting(found.terms, found.salt, listed=False, welcome_all=True)
        await asyncio.to_thread(disk.seat_hold.acquire)
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
                    engine=seat.engine,
                    site=seat.site,
                    through=seat.through,
                    guests=found.guests,
                ),
                hosting=hosting if found.host == me.key else None,
            )

    # The end

    async def give_up(self) -> None:
        """Give up the seat for good: it is no longer among the unfinished games."""
        self.given_up = True
        await self.driver.close()
        if not isinstance(self._disk, FileDisk) or (seat := self._disk.seat()) is None:
            return
        if seat.bot and not seat.record:
            # Another bot would come with another key.
            self._disk.forget()
        else:
            self._disk.save_seat(replace(seat, over=True))

    async def close(self) -> None:
        """Close this table and those that followed it, then end what this machine brought."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        # A second or interrupted caller must not cut it short.
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        if self.following is not None:
            await self.following.close()
        await self.driver.close()
        # The next holder of the seat brings the same broker and bots: free the seat only when ours are gone.
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
    """Return the transport to one broker, or to several at once."""
    known = [[machine.credentials(address) for address in way] for way in ways]
    if len(known) == 1:
        return machine.connect(known[0])
    return Carriers({f"{way[0].host}:{way[0].port}": machine.connect(way) for way in known})
