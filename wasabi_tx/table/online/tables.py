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
from wasabi_protocol.table.private import PrivateTable, new_play_key, new_ticket_key, read_key
from wasabi_protocol.verdicts import Refused

from ...net.address import Address, parse_broker_url
from ...store.seats import GLANCE, SeatTaken
from .client.waiting_room import Hosting
from .invites import BadInvite, carrier_at, check_table, invite_to, read_invite, watch_invite, ways_through
from .keep.disk import FileDisk, releasing, watcher_disk
from .keep.seat import SavedSeat, SeatBroken, bot_seat, new_seat, table_of, unfinished_bots
from .machine import Machine
from .online_table import OnlineTable


@dataclass(frozen=True)
class Wanted:
    """A table that somebody wants to open."""

    terms: Terms
    private: bool = False
    welcome_all: bool = True
    listed: bool = True
    play_key: bytes = field(default_factory=new_play_key, repr=False)
    ticket_key: bytes = field(default_factory=new_ticket_key, repr=False)

    @property
    def password(self) -> str:
        """The password of a broker that is started for this table alone: its invites need not spell it out."""
        return broker_password(self.play_key if self.private else self.ticket_key)


def open_table(
    machine: Machine,
    address: Address,
    public: Sequence[Address],
    wanted: Wanted,
    bot: str = "",
    bind: str = "",
    beside: Sequence[Address] = (),
    map_port: bool = False,
) -> OnlineTable:
    """A new table on a broker: `address` is how we reach it, `public` are the ways in which others do.

    With more brokers `beside` that one it lives on all of them. `map_port` is kept for when we come back.
    """
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else machine.me
    salt = os.urandom(32)
    play_key, ticket_key = (wanted.play_key, b"") if wanted.private else (b"", wanted.ticket_key)
    table = PrivateTable(read_key(play_key)).table if play_key else table_id(me.key, salt)
    invite = invite_to(
        [carrier_at(public), *(carrier_at([one]) for one in beside)], machine.realm, table, me.key, play_key, ticket_key
    )
    disk = FileDisk(machine.games, table, bot_seat(table, me.key) if bot else None)
    disk.hold.take()
    with releasing(disk):
        return OnlineTable(
            machine=machine,
            ways=((address,), *((one,) for one in beside)),
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
                map_port=map_port,
                welcome=wanted.welcome_all,
            ),
            hosting=Hosting(
                wanted.terms, salt, wanted.listed and not wanted.private, wanted.welcome_all, since=int(time.time())
            ),
        )


def hold_place(machine: Machine, invite: Invite, bot: bytes = b"") -> FileDisk:
    """The disk of our seat at the table of an invite, new or not, held for this program; `bot` is the key of a bot."""
    check_table(invite)
    if invite.watch:
        raise BadInvite("only-to-watch")
    disk = FileDisk(machine.games, invite.table, bot_seat(invite.table, bot) if bot else None)
    disk.hold.take()
    return disk


def join_table(
    machine: Machine, invite: Invite, bot: str = "", through: Address | None = None, disk: FileDisk | None = None
) -> OnlineTable:
    """A seat at a table, or the seat that we have there already; `through` another way to the invite's broker.

    `disk` is given by who holds the place already.
    """
    seed = os.urandom(32) if bot else b""
    me = Identity(seed) if bot else machine.me
    disk = disk or hold_place(machine, invite, me.key if bot else b"")
    with releasing(disk):
        known = None if bot else disk.seat()
        if known is not None and not known.record:
            # Somebody who gave the seat up before there was a game may come again.
            known = replace(known, over=False)
        seat = known or new_seat(machine.name, invite, seed, bot)
        if not seat.bind:
            # The newest way to a table is the one to come back by.
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


def watch_table(machine: Machine, invite: Invite, keep: bool = True, through: Address | None = None) -> OnlineTable:
    """A place among those who look on, under a key of the moment; the game is kept like one's own."""
    check_table(invite)
    me = Identity(os.urandom(32))
    disk = watcher_disk(machine.games, invite.table, me.key, keep)
    invite = watch_invite(invite)
    with releasing(disk):
        ways = ways_through(invite, through)
        return OnlineTable(machine=machine, ways=ways, invite=invite, me=me, disk=disk, seat=None)


def hold_seat(machine: Machine, name: str, patience: float = GLANCE) -> FileDisk:
    """The disk of the seat of this name, held for this program; a keeper does not wait for anybody.

    `SeatTaken` if another program has it for longer than our patience, `KeyError` if there is no such seat.
    """
    disk = FileDisk(machine.games, table_of(name), name)
    if not disk.exists:
        raise KeyError(name)
    if machine.keeping:
        disk.hold.keep()
    else:
        disk.hold.take(patience)
    return disk


def resume_table(
    machine: Machine,
    name: str,
    through: Address | None = None,
    public: Sequence[Address] = (),
    disk: FileDisk | None = None,
) -> OnlineTable:
    """The seat of this name again, with everything that its disk holds; `KeyError` if there is none, or `SeatBroken`.

    The way to the broker is `through`, else the one that was taken last. If the broker is our own, `public` are the
    ways in which others reach it now. `disk` is given by who holds the seat already.
    """
    disk = disk or hold_seat(machine, name)
    with releasing(disk):
        seat = disk.seat()
        if seat is None:
            raise KeyError(name)
        invite, me = read_invite(seat.invite), Identity(seat.seed) if seat.seed else machine.me
        if name != (bot_seat(invite.table, me.key) if seat.bot else invite.table):
            # A copy of a file would be a second player of its seat.
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
    """The seat of a bot of ours at that table whose program ended before its game; None if there is none."""
    for name in [] if invite.watch else unfinished_bots(machine.games, invite.table):
        with suppress(SeatTaken):
            return resume_table(machine, name, through)
    return None


def _hosting_again(seat: SavedSeat) -> Hosting | None:
    """What a host decided, from its own first offer and its seat; `SeatBroken` if these are no words of ours."""
    for _, envelope in seat.said:
        try:
            message = parse(envelope[SIGNATURE_BYTES:])
        except Refused:
            raise SeatBroken from None
        if isinstance(message, Offer):
            listed = not read_invite(seat.invite).private and not seat.guests
            return Hosting(message.terms, message.salt, listed, welcome_all=seat.welcome, since=int(time.time()))
    return None
