"""Playing again: when everybody who is still there wishes it, all go to one new table that follows from the old one."""

from __future__ import annotations

from dataclasses import replace

from wasabi_protocol.table.genesis import rematch
from wasabi_protocol.table.invite import format_invite
from wasabi_protocol.table.private import PrivateTable, derive, read_key

from .client.playing import Playing
from .client.waiting_room import Hosting
from .keep.disk import FileDisk
from .tables import Attendance, Machine, address_of, attend, bot_name, invite_to, new_seat, read_invite


def all_wish(playing: Playing) -> bool:
    """Whether everybody who still has a seat wishes to play again."""
    wishing = playing.session.wishes.rematch()
    present = playing.session.state.seats
    return len(present) >= 2 and set(present) <= set(wishing)


def play_again(home: Machine, earlier: Attendance) -> Attendance:
    """Our place at the next table of the same people: the lowest seat hosts, and two presses make one table.

    A private table's next one has a key that only those with the play key can derive.
    """
    playing, seat = earlier.driver.client.playing, earlier.seat
    assert playing is not None
    assert seat is not None, "who only looked on is not asked"
    me = earlier.driver.client.me
    host, salt, table = rematch(playing.founded, playing.session.state.seats, 0)
    before = read_invite(earlier.invite)
    play_key = derive(before.play_key, f"rematch {playing.founded.gid.hex()}") if before.play_key else b""
    if play_key:
        table = PrivateTable(read_key(play_key)).table
    address = address_of(before)
    invite = invite_to(address, before.realm, table, host, play_key)
    disk = FileDisk(home.games, table, bot_name(table, me) if seat.bot else None)
    fresh = disk.seat() or new_seat(seat.name, invite, seat.seed, seat.bot, seat.bind)
    hosting = None
    if host == me.key:
        count = len(playing.session.state.seats)
        terms = replace(playing.founded.genesis.terms, least=count, most=count)
        hosting = Hosting(terms, salt, listed=not play_key, welcome_all=True)
    attendance = attend(home, address, invite, me, disk, fresh, hosting)
    attendance.invite = format_invite(invite)
    return attendance


async def follow_people(home: Machine, earlier: Attendance) -> Attendance:
    """A bot's part in it: it wishes what all people wish, and goes with them; it waits for that as long as it runs."""
    driver = earlier.driver
    wished = False
    while True:
        playing = driver.client.playing
        assert playing is not None
        wishing = set(playing.session.wishes.rematch())
        people = {seat for seat in playing.session.state.seats if not playing.founded.joins[seat].runner}
        if not wished and people and people <= wishing:
            await driver.do(lambda client, now: client.wish_rematch(now))
            wished = True
        if all_wish(playing):
            return play_again(home, earlier)
        await driver.changed()
