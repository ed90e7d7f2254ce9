"""Tables as this machine opens, joins and follows them: tickets, rematch guests, the lobby's knowledge."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.table.lobby import RENEW_EVERY
from wasabi_protocol.table.private import derive
from wasabi_protocol.verdicts import Code, Refused

from tests.brokers import PATIENCE
from tests.invites import open_invite
from tests.net.memory import MemoryBroker, MemoryTransport
from wasabi_tx.app.values import TableWish
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import Arrived, Publication, Screens, TransportEvent, Will
from wasabi_tx.online.client import duties
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.client.driver import MOST_AT_ONCE, Driver
from wasabi_tx.online.headless import Habits, _chance, play_bot
from wasabi_tx.online.invites import read_invite, watch_invite
from wasabi_tx.online.lobby import LobbyClient
from wasabi_tx.online.machine import Machine
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.rematch import rematch_of
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.people import known_people
from wasabi_tx.online.saved.seat import SavedSeat, SeatBroken, new_seat
from wasabi_tx.online.tables import Wanted, join_table, open_table, resume_table, watch_table
from wasabi_tx.online.terms import CLOCK, QUICK_START, make_terms
from wasabi_tx.store.seats import SeatLock

from .cheats import mute
from .small import small_rules
from .world import World, secret

ADDRESS = Address("127.0.0.1", 1883)
TERMS = make_terms(small_rules("classic", 2), 2, 2, CLOCK)


def machine(folder: Path, name: str, broker: MemoryBroker) -> Machine:
    return Machine(folder / name, secret(name), name, small_rules, lambda _address: MemoryTransport(broker, name))


def of_many_connections(folder: Path, broker: MemoryBroker, connections: Iterator[int], name: str) -> Machine:
    """Return a machine that can be at several tables at once."""
    return replace(
        machine(folder, name, broker),
        connect=lambda _addresses: MemoryTransport(broker, f"{name}-{next(connections)}"),
    )


def opened(folder: Path, broker: MemoryBroker, private: bool = False, bot: str = "") -> OnlineTable:
    return open_table(machine(folder, "host", broker), ADDRESS, [ADDRESS], Wanted(TERMS, private), bot)


def test_an_invite_to_an_open_table_carries_a_ticket_and_one_to_watch_does_not(tmp_path: Path) -> None:
    table = opened(tmp_path, MemoryBroker())
    invite = read_invite(table.invite)
    assert len(invite.ticket_key) == 10
    assert not read_invite(table.watch_invite).ticket_key
    assert not watch_invite(invite).ticket_key
    private = opened(tmp_path, MemoryBroker(), private=True)
    assert not read_invite(private.invite).ticket_key


async def test_a_guest_with_an_invite_comes_with_a_ticket_and_the_table_is_listed(tmp_path: Path) -> None:
    broker = MemoryBroker()
    host = opened(tmp_path, broker)
    lobby = LobbyClient(machine(tmp_path, "reader", broker), ADDRESS)
    guest = join_table(machine(tmp_path, "guest", broker), read_invite(host.invite))
    try:
        await host.connect()
        await guest.connect()
        await asyncio.wait_for(guest.until(lambda now: now.begun), PATIENCE)
        room = host.driver._client.waiting_room.room
        assert room is not None
        assert {host.me.key, guest.me.key} <= room.preferred
        async with asyncio.timeout(PATIENCE):
            async for change in lobby.changes():
                if change == "list":
                    break
        (listed,) = lobby.offers()
        assert not read_invite(listed.invite).ticket_key, "strangers of the lobby have none"
    finally:
        await guest.close()
        await host.close()
        await lobby._transport.close()


async def test_the_first_offer_reaches_the_lobby_as_soon_as_there_is_a_connection(tmp_path: Path) -> None:
    broker = MemoryBroker()
    host = opened(tmp_path, broker)
    try:
        await host.connect()
        topic = f"wsb1/main/lobby/{key_text(host.me.key)}"
        async with asyncio.timeout(PATIENCE):
            while topic not in broker.retained:
                await host.driver.changed()
    finally:
        await host.close()


def test_a_host_that_comes_back_still_lists_its_open_table_and_never_a_private_one(tmp_path: Path) -> None:
    for private in (False, True):
        broker = MemoryBroker()
        table = opened(tmp_path, broker, private)
        name = table.table
        asyncio.run(table.close())
        again = resume_table(machine(tmp_path, "host", broker), name)
        assert again._hosting is not None
        assert again._hosting.listed is not private
        asyncio.run(again.close())


# Rematches


def test_a_saved_seat_remembers_for_whom_its_table_is() -> None:
    invite = read_invite(open_invite("example.org"))
    seat = new_seat("Koi", invite, b"", "", guests=(b"k" * 32,))
    assert SavedSeat.load(seat.dump()).guests == (b"k" * 32,)


def test_nobody_else_gets_a_seat_at_a_table_that_is_for_certain_people() -> None:
    world = World(2, "classic", "rematch", start=False, options=("order-10",))
    people = tuple(sorted((Identity(secret(world.seed, number)).key for number in range(2)), reverse=True))
    world.guests = people
    for number in (0, 1):
        world.sit(number)
    stranger = world.sit(7)
    world.guests = ()
    newcomer = world.sit(8)
    world.wait(5)
    room = world.people["p0"].client.waiting_room.room
    assert room is not None
    assert stranger.me.key not in room.joins
    join = stranger.client.waiting_room.own_words()[0]
    with pytest.raises(Refused) as verdict:
        room.receive(stranger.me.key, join)
    assert verdict.value.code is Code.NOT_A_SEAT
    assert [event.code for event in newcomer.told(table_events.CannotPlay)] == ["order-differs"]
    assert not newcomer.client.waiting_room.own_words()
    del world.people["p7"], world.people["p8"]
    world.run()
    world.finished()
    assert world.people["p0"].game.session.state.order == (1, 0)


@pytest.mark.long
def test_after_a_vote_nobody_derives_the_next_private_table() -> None:
    for private in (False, True):
        world = World(3, "classic", f"betrayed {private}", private=private, patience=40)
        world.in_play(14)
        gone = world.mover()
        mute(gone)
        world.kill(gone.name)
        world.wake()
        world.wait(200)
        world.run()
        left = next(iter(world.people.values()))
        assert any(slot.voted for slot in left.game.session.log.slots)
        if private:
            with pytest.raises(Illegal) as refusal:
                left.client.wish_rematch(world.now)
            assert refusal.value.code == "rematch-betrayed"
        else:
            for person in world.people.values():
                person.client.wish_rematch(world.now)
            world.wait(3)
        assert left.game.all_wish_rematch is not private


def ended(seats: int, salt: str, **options: Any) -> World:
    """Return a table whose game has just ended, with everybody still there."""
    world = World(seats, "classic", salt, **options)
    world.run()
    world.finished()
    return world


def wish_again(world: World, *names: str) -> None:
    for name in names:
        world.people[name].client.wish_rematch(world.now)
    world.wait(3)


def close(world: World, name: str) -> None:
    """Close somebody's table, as the program does."""
    person = world.people[name]
    person.client.close()
    for publication in person.client.take_outgoing():
        world.broker.publish(name, publication, world.now)
    world.kill(name)


@pytest.mark.parametrize("private", [False, True])
def test_who_closes_does_not_end_the_rematch_of_the_others(private: bool) -> None:
    world = ended(4, "three again", private=private)
    wish_again(world, "p1", "p3")
    assert not any(person.game.all_wish_rematch for person in world.people.values())
    close(world, "p0")
    world.wait(2)
    assert not any(person.game.all_wish_rematch for person in world.people.values()), "p2 may still wish for it"
    wish_again(world, "p2")
    found = {rematch_of(person.game, world.play_key) for person in world.people.values()}
    assert all(person.game.all_wish_rematch for person in world.people.values())
    ((again, guests),) = {(one.table, one.guests) for one in found}
    assert set(guests) == {person.me.key for person in world.people.values()}
    assert again != world.table


def test_who_vanishes_after_a_game_is_waited_for_until_they_are_away() -> None:
    world = ended(3, "two again")
    wish_again(world, "p0", "p1")
    world.kill("p2")
    world.wait(10)
    assert not any(person.game.all_wish_rematch for person in world.people.values()), "p2 may come back"
    world.wait(20)
    assert all(person.game.all_wish_rematch for person in world.people.values())
    assert {len(rematch_of(person.game, b"").guests) for person in world.people.values()} == {2}


def test_who_has_no_connection_takes_nobody_for_gone() -> None:
    world = ended(3, "alone again")
    wish_again(world, "p0", "p1")
    cut = world.people["p0"]
    world.disconnect(cut)
    world.wait(100)
    assert not cut.game.all_wish_rematch
    world.connect(cut)
    world.wait(3)
    assert not cut.game.all_wish_rematch, "p2 is still there"
    wish_again(world, "p2")
    assert cut.game.all_wish_rematch


def test_who_wishes_for_a_rematch_and_goes_there_closes_the_table_for_nobody() -> None:
    world = ended(3, "ahead")
    wish_again(world, "p0", "p1", "p2")
    close(world, "p1")
    world.wait(60)
    for person in world.people.values():
        assert person.game.all_wish_rematch
        assert len(rematch_of(person.game, b"").guests) == 3


def test_one_who_stays_alone_has_nobody_for_a_rematch() -> None:
    world = ended(2, "nobody")
    wish_again(world, "p0")
    close(world, "p1")
    world.wait(60)
    assert not world.people["p0"].game.all_wish_rematch


@pytest.mark.parametrize("goes", [False, True])
def test_bots_go_with_the_person_who_brought_them(goes: bool) -> None:
    world = ended(4, "with their person", persons=("p1", "p2"), brought={"p3": "p0"})
    wish_again(world, "p1", "p2", *(["p0"] if goes else []))
    if not goes:
        close(world, "p0")
    # A bot wishes for whatever the people wish for, and ends with its person's program.
    wish_again(world, "p3")
    if not goes:
        close(world, "p3")
    world.wait(2)
    keys = {person.me.key for person in world.people.values()}
    for person in world.people.values():
        assert person.game.people_wish_rematch
        assert person.game.all_wish_rematch
        assert set(rematch_of(person.game, b"").guests) == keys


async def test_three_of_four_play_on_when_the_host_closes(tmp_path: Path) -> None:
    """Play on another broker than the host's, whose own would end with it."""
    at_home = partial(of_many_connections, tmp_path, MemoryBroker(), count())
    terms = make_terms(small_rules("classic", 4), 4, 4, CLOCK)
    host = open_table(at_home("host"), ADDRESS, [ADDRESS], Wanted(terms), "easy")
    invite = read_invite(host.invite)
    guests = [join_table(at_home(name), invite, "easy") for name in ("ana", "bo", "cy")]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in (host, *guests)))
        await asyncio.gather(*(play_bot(table, Habits("easy")) for table in (host, *guests)))
        for table in guests:
            await table.wish_rematch()
        await host.close()
        following = [table for table in await asyncio.gather(*(table.rematch() for table in guests)) if table]
        assert len({table.table for table in following}) == 1
        for table in following:
            await table.until(lambda now: now.observation is not None)
        seats = await following[0].driver.do(lambda client, _now: client._in_game().founded.keys)
        assert set(seats) == {table.me.key for table in guests}
    for table in guests:
        await table.close()


# Other things a stranger could use


def test_what_a_bot_leaves_to_chance_follows_from_its_secret_and_the_slot(tmp_path: Path) -> None:
    broker = MemoryBroker()
    one = opened(tmp_path, broker, bot="easy")
    assert one.seat is not None
    assert one.seat.seed
    drawn = [_chance(one, slot).random() for slot in (5, 5, 6)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == Random(derive(one.seat.seed, f"bot {one.table} 5")).random()
    assert drawn[0] != Random(f"{one.table} 0 5").random()


async def test_a_bot_that_left_ends_by_itself_when_nobody_plays_there_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duties, "END_WAIT", 0.0)
    broker = MemoryBroker()
    terms = make_terms(small_rules("classic", 3), 3, 3, CLOCK)
    host = open_table(machine(tmp_path, "host", broker), ADDRESS, [ADDRESS], Wanted(terms, False), "easy")
    invite = read_invite(host.invite)
    leaver, third = (join_table(machine(tmp_path, name, broker), invite, "easy") for name in ("leaver", "third"))
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in (host, leaver, third)))
        others = [asyncio.create_task(play_bot(table, Habits("easy"))) for table in (host, third)]
        leaving = asyncio.create_task(play_bot(leaver, Habits("easy", leaves_at=8)))
        await leaver.until(lambda now: now.out)
        for task in others:
            task.cancel()
        await asyncio.gather(*others, host.close(), third.close(), return_exceptions=True)

        def lose_patience(client: Client, _now: float) -> None:
            assert client.playing is not None
            client.playing.patience.away_after = 0.0

        assert not leaving.done(), "those who play may only be thinking"
        await leaver.driver.do(lose_patience)
        result = await leaving
    assert result is not None
    assert not result.settled
    await leaver.close()


async def test_bots_take_their_time_for_turns_and_none_for_what_is_dealt(tmp_path: Path) -> None:
    broker = MemoryBroker()
    terms = make_terms(small_rules("classic", 2), 2, 2, CLOCK, [QUICK_START])
    host = open_table(machine(tmp_path, "host", broker), ADDRESS, [ADDRESS], Wanted(terms, False), "easy")
    guest = join_table(machine(tmp_path, "guest", broker), read_invite(host.invite), "easy")
    bots = [asyncio.create_task(play_bot(table, Habits("easy", pace=10 * PATIENCE))) for table in (host, guest)]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(host.connect(), guest.connect())
        await host.until(lambda now: now.observation is not None and now.observation.position.turn > 0)
    for bot in bots:
        bot.cancel()
    await asyncio.gather(*bots, host.close(), guest.close(), return_exceptions=True)


def test_a_table_has_a_clock_unless_its_host_wants_none() -> None:
    assert TableWish().clock == CLOCK == 600


def test_those_with_whom_we_played_are_known(tmp_path: Path) -> None:
    world = World.begun(3)
    (tmp_path / "a.wasabi").write_bytes(world.people["p0"].disk.record)
    (tmp_path / "b.wasabi").write_bytes(b"wasabi game 1\n" + bytes(30))
    (tmp_path / "c.wasabi").write_bytes(b"nonsense" * 9_000)
    assert known_people(tmp_path) == frozenset(world.people["p0"].game.founded.keys)
    assert known_people(tmp_path / "nowhere") == frozenset()


# The driver


@dataclass
class Endless:
    """A transport that always has one more message, and counts those that were read."""

    taken: int = 0
    end: asyncio.Event = field(default_factory=asyncio.Event)

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        del will, screens

    def try_also(self, address: Address) -> None:
        """Do nothing: there is no network."""

    def subscribe(self, filters: Sequence[str]) -> None:
        del filters

    def unsubscribe(self, filters: Sequence[str]) -> None:
        del filters

    def publish(self, publication: Publication) -> None:
        del publication

    async def events(self) -> AsyncIterator[TransportEvent]:
        while not self.end.is_set():
            self.taken += 1
            yield Arrived("wsb1/main/t/x", bytes(30_000), False)
            await asyncio.sleep(0)

    async def close(self) -> None:
        self.end.set()


async def test_what_a_client_cannot_keep_up_with_waits_in_the_transport() -> None:
    world = World(2, "classic", "slow client", start=False)
    transport = Endless()
    driver = Driver(world.watch().client, transport)
    started, go_on = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait(*_: object) -> None:
        loop.call_soon_threadsafe(started.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

    await driver.open()
    busy = asyncio.create_task(driver.do(wait))
    await asyncio.wait_for(started.wait(), PATIENCE)
    before = transport.taken
    for _ in range(5_000):
        await asyncio.sleep(0)
    assert transport.taken - before <= 2 * MOST_AT_ONCE
    go_on.set()
    await busy
    await driver.close()


async def test_a_mistake_of_ours_that_a_message_finds_costs_that_message_only(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(2, "classic", "our mistake", start=False)
    client = world.watch().client
    heard: list[str] = []

    def receive(topic: str, *_: object) -> None:
        heard.append(topic)
        raise IndexError("nobody thought of that")

    monkeypatch.setattr(client, "receive", receive)
    broker = MemoryBroker()
    transport = MemoryTransport(broker, "watcher")
    driver = Driver(client, transport)
    await driver.open()
    broker.connect("stranger", None, 0.0)
    topic = f"wsb1/main/t/{world.table}/ask/{'a' * 52}"
    async with asyncio.timeout(PATIENCE):
        while len(heard) < 2:
            broker.publish("stranger", Publication(topic, b"x"), asyncio.get_running_loop().time())
            broker.pump.wake()
            await driver.changed()
    assert not driver.closed
    await driver.close()


# The way back


async def test_a_seat_is_taken_up_again_by_the_way_on_which_it_was_taken(tmp_path: Path) -> None:
    broker = MemoryBroker()
    host = opened(tmp_path, broker)
    forwarded = Address("203.0.113.9", 41883)
    guest = machine(tmp_path, "guest", broker)
    table = join_table(guest, read_invite(host.invite), through=forwarded)
    assert table._ways == ((forwarded,),)
    await table.close()
    again = resume_table(guest, host.table)
    assert again._ways == ((forwarded,),)
    await again.close()
    other = Address("198.51.100.7", 1883)
    again = resume_table(guest, host.table, other)
    assert again._ways == ((other,),)
    await again.close()
    again = resume_table(guest, host.table)
    assert again._ways == ((other,),), "what worked last comes first"
    await again.close()
    await host.close()


def _to(invite: str) -> Callable[[SavedSeat], SavedSeat]:
    return lambda seat: replace(seat, invite=invite)


@pytest.mark.parametrize(
    "spoil",
    [
        _to("nonsense"),
        _to(open_invite("127.0.0.1")),
        lambda seat: replace(seat, said=((b"k" * 32, b"e" * 70),)),
    ],
    ids=["no table", "another table", "no message"],
)
def test_a_seat_whose_file_leads_elsewhere_or_nowhere_is_broken(
    tmp_path: Path, spoil: Callable[[SavedSeat], SavedSeat]
) -> None:
    broker = MemoryBroker()
    table = opened(tmp_path, broker)
    home, name, seat = machine(tmp_path, "host", broker), table.table, table.seat
    assert seat is not None
    asyncio.run(table.close())
    FileDisk(home.games, name).save_seat(spoil(seat))
    with pytest.raises(SeatBroken):
        resume_table(home, name)
    with SeatLock(home.games, name):
        pass


def test_a_copy_of_a_seat_under_another_name_is_no_seat(tmp_path: Path) -> None:
    """Copy a seat: two programs that play it would sign different things."""
    broker = MemoryBroker()
    table = opened(tmp_path, broker)
    home, name = machine(tmp_path, "host", broker), table.table
    asyncio.run(table.close())
    seats = home.games / "seats"
    (seats / f"{name}-1.seat").write_bytes((seats / f"{name}.seat").read_bytes())
    with pytest.raises(SeatBroken):
        resume_table(home, f"{name}-1")


async def test_a_new_invite_to_the_same_table_replaces_the_way_of_the_old_one(tmp_path: Path) -> None:
    broker = MemoryBroker()
    host = opened(tmp_path, broker)
    guest = machine(tmp_path, "guest", broker)
    invite = read_invite(host.invite)
    await join_table(guest, invite, through=Address("203.0.113.9", 41883)).close()
    moved = replace(invite, carriers=(replace(invite.carriers[0], hosts=(("192.168.7.77", 1883),)),))
    await join_table(guest, moved).close()
    again = resume_table(guest, host.table)
    assert [one.host for one in again._ways[0]] == ["192.168.7.77"]
    assert again.seat is not None
    await again.close()
    await host.close()


@pytest.mark.long
async def test_the_next_table_of_a_host_appears_in_a_lobby_that_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = MemoryBroker()
    lobby = LobbyClient(machine(tmp_path, "reader", broker), ADDRESS)
    first = opened(tmp_path, broker)
    await first.connect()
    following: OnlineTable | None = None
    try:
        async with asyncio.timeout(PATIENCE):
            async for _ in lobby.changes():
                listed = [one.table for one in lobby.offers()]
                if following is None and listed == [first.table]:
                    for _ in range(5):
                        # Minutes have the same effect.
                        await first.driver.do(lambda client, now: client.waiting_room._listing.renew(now))  # type: ignore[union-attr]
                    await first.close()
                    monkeypatch.setattr(time, "time", partial(float, time.time() + 5 * RENEW_EVERY))
                    following = opened(tmp_path, broker)
                    await following.connect()
                elif following is not None and listed == [following.table]:
                    break
    finally:
        await first.close()
        if following is not None:
            await following.close()
        await lobby._transport.close()


async def starter(table: OnlineTable) -> bytes:
    """Return the key of who began at a table."""

    def look(client: Client, _now: float) -> bytes:
        assert client.playing is not None
        return client.playing.founded.keys[client.playing.session.state.order[0]]

    return await table.driver.do(look)


@pytest.mark.parametrize("keep", [True, False])
async def test_watchers_are_taken_along_to_the_rematch(tmp_path: Path, keep: bool) -> None:
    at_home = partial(of_many_connections, tmp_path, MemoryBroker(), count())
    host = open_table(at_home("host"), ADDRESS, [ADDRESS], Wanted(TERMS), "easy")
    guest = join_table(at_home("guest"), read_invite(host.invite), "easy")
    watcher = watch_table(at_home("watcher"), read_invite(host.watch_invite), keep)
    everybody = (host, guest, watcher)
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(table.connect() for table in everybody))
        await asyncio.gather(*(play_bot(table, Habits("easy")) for table in (host, guest)), watcher.ended())
        for table in (host, guest):
            await table.wish_rematch()
        began = await starter(host)
        following = await asyncio.gather(*(table.rematch() for table in everybody))
        tables = {table.table for table in following if table is not None}
        assert len(tables) == 1
        assert tables != {host.table}
        looking = following[-1]
        assert looking is not None
        assert looking.seat is None
        await looking.until(lambda now: now.observation is not None)
        assert await starter(looking) != began, "the start passes on"
    for table in everybody:
        await table.close()
    assert bool(list((tmp_path / "watcher").glob("*.wasabi"))) is keep
