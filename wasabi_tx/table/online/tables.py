"""How a client comes to a table: opening one, joining by an invite, watching, coming back to a seat."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from wasabi_protocol.sealed.secrets import new_game_secret
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import Identity, base32, fingerprint
from wasabi_protocol.signed.messages import Offer, Terms
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.invite import Invite, format_invite, host_key_hash, parse_invite
from wasabi_protocol.table.private import PrivateTable, door_identity, new_play_key, read_key
from wasabi_protocol.verdicts import Refused

from ...net.address import Address
from ...net.transport import Transport
from ...store.seats import SeatTaken, list_seats
from .client.client import Client, Manner
from .client.driver import Driver
from .client.waiting_room import Hosting
from .keep.disk import Disk, FileDisk, NoDisk, SavedSeat, SeatBroken
from .terms import FindRules

PLAYER = "play"
"""The user of an embedded broker who may publish; the invite has the password."""

Connect = Callable[[Address], Transport]


class BadInvite(Exception):
    """An invite that leads nowhere; `code` says why, without a word of its secrets."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Machine:
    """What this machine brings to a table."""

    games: Path
    seed: bytes
    name: str
    find: FindRules
    connect: Connect
    realm: str = "main"
    share_hand: bool = True
    credentials: Callable[[Address], Address] = lambda address: address
    """Adds the user and password that this machine knows for a broker."""

    @property
    def me(self) -> Identity:
        return Identity(self.seed)


@dataclass
class Attendance:
    """A client at a table and all that belongs to it."""

    driver: Driver
    disk: Disk
    invite: str
    """For those who are to play; whoever has it can."""
    watch: str
    """For those who are to look on."""
    table: str
    seat: SavedSeat | None

    @property
    def title(self) -> str:
        return self.table[:6]

    @property
    def saved_as(self) -> str:
        path = self.disk.path if isinstance(self.disk, FileDisk) else None
        return "" if path is None else str(path)

    @property
    def asks(self) -> bool:
        """Whether we are the host, and say of each guest that they may sit."""
        hosting = self.driver.client.hosting
        return hosting is not None and not hosting.welcome_all

    def is_ours(self, key: bytes) -> bool:
        """Whether this is our own key, or that of a bot that this machine runs here."""
        if key == self.driver.client.me.key:
            return True
        # A stranger may claim to be a bot of ours, but has no file on our disk.
        disk = self.disk
        return isinstance(disk, FileDisk) and FileDisk(disk.folder, self.table, bot_seat(self.table, key)).exists

    async def give_up(self) -> None:
        """The seat will not be taken up again: it is not among the unfinished games any more."""
        await self.driver.close()
        if not isinstance(self.disk, FileDisk) or (seat := self.disk.seat()) is None:
            return
        if seat.bot and not seat.record:
            # Another bot would come under another key.
            self.disk.forget()
        else:
            self.disk.keep(replace(seat, over=True))

    async def close(self) -> None:
        await self.driver.close()
        if isinstance(self.disk, FileDisk):
            self.disk.close()


def read_invite(text: str) -> Invite:
    """An invite; `BadInvite` if it is none."""
    try:
        return parse_invite(text)
    except Refused as refusal:
        raise BadInvite(refusal.detail or str(refusal.code)) from None


def address_of(invite: Invite) -> Address:
    """The broker that an invite leads to."""
    user = PLAYER if invite.password else ""
    return Address(
        invite.host, invite.port, invite.tls, invite.websockets, user, invite.password, None, invite.certificate
    )


def watch_invite(invite: Invite) -> Invite:
    """The same table for those who may only look."""
    read = read_key(invite.play_key) if invite.play_key else invite.read_key
    return replace(invite, play_key=b"", read_key=read, password="")


def invite_to(public: Address, realm: str, table: str, host: bytes, play_key: bytes = b"") -> Invite:
    """The way to a table on a broker, for those who are to play."""
    scheme = ("wasabis" if public.tls else "wasabi") + ("+ws" if public.websockets else "")
    password = public.password if public.user == PLAYER else ""
    return Invite(
        public.host,
        public.port,
        scheme,
        realm,
        table,
        play_key,
        b"",
        password,
        host_key_hash(host),
        public.fingerprint,
    )


def new_seat(name: str, invite: Invite, seed: bytes, bot: str, bind: str = "", welcome: bool = True) -> SavedSeat:
    """A seat with fresh secrets, which have never been used."""
    return SavedSeat(format_invite(invite), name, seed, os.urandom(32), new_game_secret(), bot, bind, welcome)


def bot_name(table: str, me: Identity) -> str:
    """A bot's seat beside its person's at one table."""
    return bot_seat(table, me.key)


def bot_seat(table: str, key: bytes) -> str:
    """The same for whoever knows only the bot's public key."""
    return f"{table}-{fingerprint(key).replace('-', '')}"


@dataclass(frozen=True)
class Wanted:
    """A table that somebody wants to open."""

    terms: Terms
    private: bool = False
    welcome_all: bool = True
    listed: bool = True


def open_table(
    home: Machine, address: Address, public: Address, wanted: Wanted, bot: str = "", bind: str = ""
) -> Attendance:
    """A new table on a broker: `address` is how we reach it, `public` how others do."""
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else home.me
    salt = os.urandom(32)
    play_key = new_play_key() if wanted.private else b""
    private = PrivateTable(read_key(play_key)) if play_key else None
    table = private.table if private is not None else table_id(me.key, salt)
    invite = invite_to(public, home.realm, table, me.key, play_key)
    seat = new_seat(home.name, invite, seed, bot, bind, wanted.welcome_all)
    hosting = Hosting(wanted.terms, salt, wanted.listed and not wanted.private, wanted.welcome_all)
    disk = FileDisk(home.games, table, bot_name(table, me) if bot else None)
    return attend(home, address, invite, me, disk, seat, hosting)


def join_table(home: Machine, invite: Invite, bot: str = "", through: Address | None = None) -> Attendance:
    """A seat at a table, or the seat that we have there already; `through` another node of the invite's cluster."""
    _needs_table(invite)
    if invite.read_key:
        raise BadInvite("only to watch")
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else home.me
    disk = FileDisk(home.games, invite.table, bot_name(invite.table, me) if bot else None)
    known = None if bot else disk.seat()
    if known is not None and not known.record:
        # Whoever gave the seat up before there was a game may come again.
        known = replace(known, over=False)
    seat = known or new_seat(home.name, invite, seed, bot)
    hosting = _hosting_again(seat)
    return attend(home, _way_to(invite, through), invite, me, disk, seat, hosting)


def _needs_table(invite: Invite) -> None:
    """Any word can be the name of a host: only what goes on to a lobby is taken for an invite without a table."""
    if not invite.table:
        raise BadInvite("no table" if invite.realm else "only a host")


def _way_to(invite: Invite, through: Address | None) -> Address:
    """The invite's broker, or another way to it, with the invite's password unless it has one of its own."""
    if through is None:
        return address_of(invite)
    if through.user or not invite.password:
        return through
    return replace(through, user=PLAYER, password=invite.password)


def watch_table(home: Machine, invite: Invite, keep: bool = True, through: Address | None = None) -> Attendance:
    """A place among those who look on, under a key of the moment; the game is kept like one's own."""
    _needs_table(invite)
    me = Identity(os.urandom(32))
    disk: Disk = FileDisk(home.games, invite.table, f"{invite.table}-watch-{base32(me.key)[:8]}") if keep else NoDisk()
    invite = watch_invite(invite)
    return attend(home, _way_to(invite, through), invite, me, disk, None, None)


def resume_table(home: Machine, name: str, through: Address | None = None) -> Attendance:
    """The seat of this name again, with everything that its disk holds; `KeyError` if there is none."""
    table = name.partition("-")[0]
    disk = FileDisk(home.games, table, name)
    seat = disk.seat()
    if seat is None:
        raise KeyError(name)
    me = Identity(seat.seed) if seat.seed else home.me
    invite = read_invite(seat.invite)
    return attend(home, _way_to(invite, through), invite, me, disk, seat, _hosting_again(seat))


def bot_again(home: Machine, invite: Invite, through: Address | None = None) -> Attendance | None:
    """The seat of a bot of ours at that table whose program ended before its game; None if there is none."""
    for name, seat in [] if invite.read_key else unfinished(home.games):
        if seat.bot and name.partition("-")[0] == invite.table:
            with suppress(SeatTaken):
                return resume_table(home, name, through)
    return None


def unfinished(games: Path) -> list[tuple[str, SavedSeat]]:
    """Seats whose games are not over, the newest first."""
    found = []
    for name in list_seats(games):
        try:
            seat = FileDisk(games, name.partition("-")[0], name).seat()
        except (SeatBroken, OSError):
            continue
        if seat is not None and not seat.over:
            found.append((name, seat))
    return found


def _hosting_again(seat: SavedSeat) -> Hosting | None:
    """What a host decided, from its own first offer and its seat."""
    for _, envelope in seat.said:
        message = parse(envelope[64:])
        if isinstance(message, Offer):
            return Hosting(message.terms, message.salt, listed=not message.door, welcome_all=seat.welcome)
    return None


def attend(
    home: Machine,
    address: Address,
    invite: Invite,
    me: Identity,
    disk: Disk,
    seat: SavedSeat | None,
    hosting: Hosting | None,
) -> Attendance:
    """A client with its disk, its lock and its connection, which is not yet open."""
    door = door_identity(invite.play_key) if invite.play_key and seat is not None else None
    channel = Channel.for_invite(replace(invite, realm=invite.realm or home.realm))
    bot = seat is not None and bool(seat.bot)
    manner = Manner(bot, share_hand=home.share_hand or bot, runner=home.me.key if bot else b"")
    if isinstance(disk, FileDisk):
        disk.lock()
        if seat is not None:
            disk.keep(seat)
    record = disk.reopen(seat.record) if isinstance(disk, FileDisk) and seat is not None and seat.record else []
    client = Client(
        channel,
        me,
        disk,
        home.find,
        time.monotonic(),
        seat,
        hosting,
        door,
        lambda key: invite.names_host(key),
        manner,
        record=record,
    )
    driver = Driver(client, home.connect(home.credentials(address)))
    return Attendance(driver, disk, format_invite(invite), format_invite(watch_invite(invite)), invite.table, seat)
