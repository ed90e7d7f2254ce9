"""A disk restored to an older state, or one key on two machines: nobody contradicts itself by accident."""

from __future__ import annotations

from dataclasses import replace

import msgpack
import pytest
from wasabi_protocol.game.record import read_record, write_record

from wasabi_tx.engine.errors import Stale
from wasabi_tx.games import game
from wasabi_tx.online.saved.seat import SavedSeat, SeatBroken

from .world import MemoryDisk, Person, World


@pytest.mark.grid
@pytest.mark.parametrize(("back", "forget"), [(3, False), (15, True), (40, False), (40, True)])
def test_a_record_cut_back_is_filled_from_the_others(back: int, forget: bool) -> None:
    world = World.begun(30)
    world.mover()
    player = world.people["p1"]
    player.game.ledger.flush()
    items, _ = read_record(player.disk.record)
    own = len(player.game.own)
    world.kill("p1")
    if forget:
        world.broker.forget_retained()
    again = world.revive("p1", record=write_record(items[: max(2, len(items) - back)]))
    again.asleep = True
    world.until(lambda: not again.game.asking.catching_up, 30)
    assert again.game.session.log.head.number == world.people["p0"].game.session.log.head.number
    assert len(again.game.own) < own, "it signed nothing before it had its own past again"
    world.wake()
    world.run()
    world.finished()
    assert not world.people["p0"].told(game.InvalidEntry)


def test_a_seat_from_before_the_start_comes_to_its_game_again() -> None:
    world = World(3, "classic", "old seat", start=False)
    world.sit(0)
    guest = world.sit(1)
    world.sit(2)
    world.until(lambda: guest.disk.seat is not None and guest.disk.seat.said, 30)
    old = guest.disk.seat
    world.in_play(20)
    world.mover()
    world.kill("p1")
    again = world.revive("p1", record=b"", seat=old)
    assert again.game_or_none is None
    world.until(lambda: again.game_or_none is not None, 60)
    world.until(lambda: len(world.heads()) == 1 and not again.game.asking.catching_up, 60)
    world.wake()
    world.run()
    world.finished()
    assert not any(person.told(game.InvalidEntry) for person in world.people.values())


@pytest.mark.parametrize("moves", [4, 14])
def test_a_disk_from_before_a_new_epoch_still_plays(moves: int) -> None:
    """Use an older disk, which still has the secret that was replaced after a vote."""
    world = World.begun(14, seats=3, patience=60.0)
    gone = world.mover()
    old = {person.name: person.disk.seat for person in world.people.values()}
    world.kill(gone.name)
    stays = list(world.people.values())
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in stays), 200)
    world.wake()
    slots = stays[0].game.session.log.head.number
    world.until(lambda: stays[0].game.session.log.head.number > slots + moves, 60)
    name = stays[0].name
    world.kill(name)
    world.revive(name, seat=old[name])
    world.run()
    assert len(world.heads()) == 1
    assert all(person.game.session.state.outcome is not None for person in world.people.values())


def twins(seed: str) -> tuple[World, Person, Person]:
    """Return one key on two machines, which have noticed it."""
    world = World(2, "classic", seed)
    world.in_play(16)
    world.mover()
    first = world.people["p1"]
    first.game.ledger.flush()
    twin = world.add("twin", first.me, MemoryDisk(first.disk.seat, first.disk.record))
    world.until(lambda: first.told(game.OtherRun) and twin.told(game.OtherRun), 30)
    world.wake()
    return world, first, twin


def test_two_machines_with_one_key_do_not_both_sign() -> None:
    world, first, twin = twins("twins")
    world.wait(30)
    # The other seat may move; this one waits for its person's confirmation on one of the machines.
    for person in (first, twin):
        with pytest.raises(Stale, match="other-run"):
            person.game.may_sign()
    world.kill("twin")
    world.wait(1)
    first.client.confirm_run(world.now)
    world._settle(first)
    world.run()
    world.finished()
    assert not world.people["p0"].told(game.InvalidEntry)


def test_of_two_machines_the_one_confirmed_last_plays() -> None:
    world, first, twin = twins("twins in turn")
    for plays, waits in ((first, twin), (twin, first)):
        plays.client.confirm_run(world.now)
        world._settle(plays)
        world.until(lambda waits=waits: waits.game.session.heads.other_run is not None, 30)  # type: ignore[misc]
        world.wait(20)
        plays.game.may_sign()
        with pytest.raises(Stale, match="other-run"):
            waits.game.may_sign()
    assert twin.game.session.log.head.number > 20
    assert not world.people["p0"].told(game.InvalidEntry)


def test_a_second_machine_that_takes_over_adopts_what_the_first_one_wrote() -> None:
    world = World.begun(14, edition="master")
    world.mover()
    first = world.people["p1"]
    first.game.ledger.flush()
    old = MemoryDisk(first.disk.seat, first.disk.record)
    world.wake()
    world.until(lambda: world.people["p0"].game.session.log.head.number > 26, 60)
    world.kill("p1")
    world.graves.pop("p1")
    world.broker.forget_retained()
    world.add("p1", first.me, old)
    world.run()
    world.finished()
    assert not world.people["p0"].told(game.InvalidEntry)


def test_an_old_line_of_talk_is_not_heard_again_after_a_restart() -> None:
    world = World.begun()
    speaker, listener = world.people["p0"], world.people["p1"]
    speaker.client.send_talk("hello", 1_700_000_000)
    world._settle(speaker)
    world.until(lambda: listener.told(game.Said), 10)
    (line,) = [one for one in world.broker.log if "/say/" in one.topic]
    world.kill("p1")
    again = world.revive("p1")
    world.until(lambda: again.game_or_none is not None and not again.game.asking.catching_up, 30)
    again.client.receive(line.topic, line.payload, False, world.now)
    speaker.client.send_talk("still here", 1_700_000_001)
    world._settle(speaker)
    world.until(lambda: again.told(game.Said), 10)
    assert [said.text for said in again.told(game.Said)] == ["still here"]


def test_what_was_said_while_a_person_was_away_is_there_when_they_come_back() -> None:
    world = World.begun()
    speaker = world.people["p0"]
    speaker.client.send_talk("before", 1_700_000_000)
    world._settle(speaker)
    world.until(lambda: world.people["p1"].told(game.Said), 10)
    world.kill("p1")
    keeper = world.revive("p1")
    keeper.client.manner = replace(keeper.client.manner, keeping=True)
    world.until(lambda: keeper.game_or_none is not None and not keeper.game.asking.catching_up, 30)
    speaker.client.send_talk("are you there?", 1_700_000_001)
    world._settle(speaker)
    world.until(lambda: keeper.told(game.Said), 10)
    world.kill("p1")
    for unread in (True, False):
        again = world.revive("p1")
        world.until(lambda: world.people["p1"].game_or_none is not None, 30)
        again.client.history()
        said = [one for one in again.client.take_events() if isinstance(one, game.Said)]
        assert [(one.text, one.earlier) for one in said] == [("before", True), ("are you there?", not unread)]
        assert {one.seat for one in said} == {speaker.game.places((speaker.game.seat or 0,))[0]}
        world.kill("p1")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *(("heard", wrong) for wrong in (5, (5,), ((b"key", "1"),), ((b"key", 1, 2),))),
        *(("said", wrong) for wrong in ((1, 2), (("a", "b"),), ((b"key",),), ((b"key", b"envelope", b""),))),
        *(("guests", wrong) for wrong in ((1,), (("a",),))),
        *(("seed", wrong) for wrong in (b"x", bytes(33))),
    ],
)
def test_a_seat_with_other_things_in_the_place_of_its_own_is_broken(field: str, wrong: object) -> None:
    good = SavedSeat(
        "", "Koi", bytes(32), bytes(32), bytes(32), said=((b"key", b"envelope"),), guests=(b"k",), heard=((b"key", 1),)
    )
    assert SavedSeat.load(good.dump()) == good
    bad = msgpack.packb({**msgpack.unpackb(good.dump(), use_list=False), field: wrong})
    with pytest.raises(SeatBroken):
        SavedSeat.load(bad)
