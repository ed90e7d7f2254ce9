"""Tables online: opening one, joining it by an invite, watching it, and resuming a seat at it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.identity import SIGNATURE_BYTES, Identity
from wasabi_protocol.signed.messages import Offer, Terms
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.invite import Invite, broker_password
from wasabi_protocol.table.invite_text import format_invite
from wasabi_protocol.table.lobby import RENEW_EVERY
from wasabi_protocol.table.private import PrivateTable, new_play_key, new_ticket_key, read_key
from wasabi_protocol.verdicts import Refused

from ..net.address import Address, parse_broker_url
from ..store.seats import GLANCE, SeatTaken
from .carry.offer import RENEW_AT_HOME
from .client.waiting_room import Hosting
from .invites import BadInvite, carrier_at, check_table, invite_to, read_invite, watch_invite, ways_through
from .machine import Machine
from .online_table import OnlineTable
from .saved.disk import FileDisk, releasing, watcher_disk
from .saved.seat import SavedSeat, SeatBroken, bot_seat, new_seat, table_of, unfinished_bots


@dataclass(frozen=True)
class Wanted:
    """The settings of a table to open."""

    terms: Terms
    private: bool = False
    welcome_all: bool = True
    listed: bool = True
    play_key: bytes = field(default_factory=new_play_key, repr=False)
    ticket_key: bytes = field(default_factory=new_ticket_key, repr=False)

    @property
    def password(self) -> str:
        """The password of a broker started for this table only; invites imply it."""
        return broker_password(self.play_key if self.private else self.ticket_key)


def private_invite(machine: Machine, host: bytes, ways: Sequence[Sequence[Address]], wanted: Wanted) -> Invite:
    """Return the invite to a private table on these brokers, which may be opened later."""
    table = PrivateTable(read_key(wanted.play_key)).table
    return invite_to([*map(carrier_at, ways)], machine.realm, table, host, wanted.play_key)


def open_table(
    machine: Machine,
    address: Address,
    public: Sequence[Address],
    wanted: Wanted,
    bot: str = "",
    bind: str = "",
    engine: str = "",
    site: int = 0,
    beside: Sequence[Sequence[Address]] = (),
) -> OnlineTable:
    """Open a table on a broker: we reach it at `address`, others at the `public` addresses.

    With more brokers `beside` that one, each with its addresses, the table lives on all of them.
    """
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else machine.me
    salt = os.urandom(32)
    if wanted.private:
        invite = private_invite(machine, me.key, [public, *beside], wanted)
    else:
        carriers = [carrier_at(public), *map(carrier_at, beside)]
        invite = invite_to(carriers, machine.realm, table_id(me.key, salt), me.key, ticket_key=wanted.ticket_key)
    table = invite.table
    disk = FileDisk(machine.games, table, bot_seat(table, me.key) if bot else None)
    disk.seat_hold.acquire()
    with releasing(disk):
        return OnlineTable(
            machine=machine,
            ways=(tuple(public) if address in public else (address,), *map(tuple, beside)),
            invite=invite,
            me=me,
            disk=disk,
            seat=new_seat(
                machine.name,
                invite,
                seed,
                bot,
                bind=bind,
                port=address.port,
                engine=engine,
                site=site,
                welcome=wanted.welcome_all,
            ),
            hosting=Hosting(
                wanted.terms,
                salt,
                wanted.listed and not wanted.private,
                wanted.welcome_all,
                since=int(time.time()),
                renew_every=RENEW_AT_HOME if bind else RENEW_EVERY,
            ),
        )


def hold_place(machine: Machine, invite: Invite, bot: bytes = b"") -> FileDisk:
    """Return the locked disk of our seat, new or saved, at the invite's table; `bot` is the key of a bot."""
    check_table(invite)
    if invite.watch:
        raise BadInvite("only-to-watch")
    disk = FileDisk(machine.games, invite.table, bot_seat(invite.table, bot) if bot else None)
    disk.seat_hold.acquire()
    return disk


def join_table(
    machine: Machine, invite: Invite, bot: str = "", through: Address | None = None, disk: FileDisk | None = None
) -> OnlineTable:
    """Join a table, or return to our seat there; `through` is another address of the invite's broker.

    Pass `disk` if the place is already locked.
    """
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else machine.me
    disk = disk or hold_place(machine, invite, me.key if bot else b"")
    with releasing(disk):
        known = None if bot else disk.seat()
        if known is not None and not known.record:
            # Somebody who gave up the seat before there was a game may come back.
            known = replace(known, over=False)
        seat = known or new_seat(machine.name, invite, seed, bot)
        if not seat.bind:
            # Come back by the newest address of a table.
            seat = replace(seat, invite=format_invite(invite), through=through.url() if through is not None else "")
        return OnlineTable(
            machine=machine,
            ways=ways_through(invite, through),
            invite=invite,
            me=me,
            disk=disk,
            seat=seat,
            hosting=_hosting_again(seat),
        )


def watch_table(machine: Machine, invite: Invite, saved: bool = True, through: Address | None = None) -> OnlineTable:
    """Watch a table under a temporary key; with `saved` the game is saved like one we play."""
    check_table(invite)
    me = Identity(os.urandom(32))
    disk = watcher_disk(machine.games, invite.table, me.key, saved)
    invite = watch_invite(invite)
    with releasing(disk):
        ways = ways_through(invite, through)
        return OnlineTable(machine=machine, ways=ways, invite=invite, me=me, disk=disk, seat=None)


def hold_seat(machine: Machine, name: str, patience: float = GLANCE) -> FileDisk:
    """Return the locked disk of the seat with this name; a keeper does not wait for the lock.

    Raise `SeatTaken` if another program holds it longer than `patience`, `KeyError` if there is no such seat.
    """
    disk = FileDisk(machine.games, table_of(name), name)
    if not disk.exists:
        raise KeyError(name)
    if machine.keeping:
        disk.seat_hold.acquire_for_keeper()
    else:
        disk.seat_hold.acquire(patience)
    return disk


def resume_table(
    machine: Machine,
    name: str,
    through: Address | None = None,
    public: Sequence[Address] = (),
    disk: FileDisk | None = None,
) -> OnlineTable:
    """Resume the seat with this name from its disk; raise `KeyError` if there is none, or `SeatBroken`.

    The broker is reached by `through`, otherwise by the last address used. If the broker is our own, `public` are the
    addresses at which others reach it now. Pass `disk` if the seat is already locked.
    """
    disk = disk or hold_seat(machine, name)
    with releasing(disk):
        seat = disk.seat()
        if seat is None:
            raise KeyError(name)
        try:
            invite = read_invite(seat.invite)
        except BadInvite:
            raise SeatBroken from None
        me = Identity(seat.seed) if seat.seed else machine.me
        if name != (bot_seat(invite.table, me.key) if seat.bot else invite.table):
            # A copied file would make a second player of the same seat.
            raise SeatBroken
        if public:
            invite = replace(invite, carriers=(carrier_at(public), *invite.carriers[1:]))
            seat = replace(seat, invite=format_invite(invite))
        elif through is not None:
            seat = replace(seat, through=through.url())
        elif seat.through:
            through = parse_broker_url(seat.through)
        return OnlineTable(
            machine=machine,
            ways=ways_through(invite, through),
            invite=invite,
            me=me,
            disk=disk,
            seat=seat,
            hosting=_hosting_again(seat),
        )


def resume_bot(machine: Machine, invite: Invite, through: Address | None = None) -> OnlineTable | None:
    """Resume a bot's seat at that table whose program ended before its game; None if there is none."""
    for name in [] if invite.watch else unfinished_bots(machine.games, invite.table):
        with suppress(SeatTaken):
            return resume_table(machine, name, through)
    return None


def _hosting_again(seat: SavedSeat) -> Hosting | None:
    """Return a host's choices from its first offer and its seat; raise `SeatBroken` if its messages are invalid."""
    for _, envelope in seat.said:
        try:
            message = parse(envelope[SIGNATURE_BYTES:])
        except Refused:
            raise SeatBroken from None
        if isinstance(message, Offer):
            listed = not read_invite(seat.invite).private and not seat.guests
            every = RENEW_AT_HOME if seat.bind else RENEW_EVERY
            since = int(time.time())
            return Hosting(
                message.terms, message.salt, listed, welcome_all=seat.welcome, since=since, renew_every=every
            )
    return None
