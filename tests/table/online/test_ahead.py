"""What a person leaves for later turns is played by whoever holds the seat: once, on its turn, or not at all."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.table.whole_turns import whole_turn
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.table.ahead import NOTHING, Ahead, NotPlayed, TurnAhead
from wasabi_tx.table.game import AheadUnfit, Played, PlayedAhead
from wasabi_tx.table.online.keep.disk import FileDisk
from wasabi_tx.table.online.keep.seat import SavedSeat

from .world import Person, World


def turn_for(foreseen: Observation) -> Sequence[Step]:
    return whole_turn(foreseen, Random(str(foreseen.position.turn)))


def left_by(person: Person) -> Ahead:
    """What a bot leaves for this person's next turn."""
    foreseen = NOTHING.foreseen(person.game.observation())
    assert foreseen is not None
    return NOTHING.with_turn(foreseen, turn_for(foreseen))


def before_turn_of_waiter(edition: str = "classic", seed: str = "ahead") -> tuple[World, Person, Person]:
    """A game of two: the one who is to move, and the one who waits; both sleep."""
    world = World(2, edition, seed, bots=False)
    world.in_play(30)
    mover = world.mover()
    (waiter,) = (person for person in world.people.values() if person is not mover)
    return world, mover, waiter


def turn_of(person: Person) -> int:
    return person.game.observation().position.turn


def plays(world: World, person: Person) -> None:
    """Moves until the turn is another's."""
    turn = turn_of(person)
    person.asleep = False
    world.until(lambda: turn_of(person) > turn, 60)
    person.asleep = True


def bundles_by(person: Person, seat: int, turn: int) -> list[Bundle]:
    return [event.bundle for event in person.told(Played) if event.bundle.seat == seat and event.before.turn == turn]


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_it_is_played_as_soon_as_the_turn_has_come(edition: str) -> None:
    for seed in range(40):
        world, mover, waiter = before_turn_of_waiter(edition, f"fits {seed}")
        ahead = left_by(waiter)
        waiter.client.leave_ahead(ahead, world.now)
        assert not waiter.told(PlayedAhead), "it is not their turn yet"
        turn = ahead.turns[0].turn
        plays(world, mover)
        world.wait(2)
        if waiter.told(PlayedAhead):
            rules, seat = waiter.game.observation().rules, waiter.game.seat
            assert seat is not None
            steps = [step for bundle in bundles_by(mover, seat, turn) for step in bundle.steps]
            assert rules.format(steps) == ahead.turns[0].steps, "to its end, whatever it draws"
            assert turn_of(waiter) > turn
            assert waiter.told(PlayedAhead) == [PlayedAhead(turn)], "it is told once"
            assert waiter.disk.ahead() == waiter.client.ahead == Ahead(played=(turn,))
            return
        (unfit,) = waiter.told(AheadUnfit)
        assert waiter.disk.ahead() == Ahead((), unfit.why)
        assert turn_of(waiter) == turn, "nothing was played for them"
    raise AssertionError("none of them fitted")


def test_a_changed_square_is_named_and_nothing_of_it_is_played() -> None:
    world, mover, waiter = before_turn_of_waiter()
    ahead = left_by(waiter)
    (one,) = ahead.turns
    later = replace(one, turn=one.turn + 2)
    spoilt = Ahead((replace(one, squares=(("a1", "Xx"),)), later))
    waiter.client.leave_ahead(spoilt, world.now)
    plays(world, mover)
    world.wait(2)
    (unfit,) = waiter.told(AheadUnfit)
    assert unfit.why == NotPlayed(one.turn, "square", "a1", dropped=(later.turn,))
    assert not waiter.told(PlayedAhead)
    assert waiter.disk.ahead() == Ahead((), unfit.why)
    noted = waiter.disk.noted[-1]
    assert noted is not None
    assert noted.mine
    world.wake()
    world.run()
    world.finished()


def test_it_can_be_withdrawn() -> None:
    world, mover, waiter = before_turn_of_waiter()
    waiter.client.leave_ahead(left_by(waiter), world.now)
    waiter.client.leave_ahead(NOTHING, world.now)
    plays(world, mover)
    world.wait(2)
    assert not waiter.told(PlayedAhead)
    assert not waiter.told(AheadUnfit)
    noted = waiter.disk.noted[-1]
    assert noted is not None
    assert noted.mine


def test_who_comes_back_finds_what_they_left_and_can_add_to_it() -> None:
    world, _, waiter = before_turn_of_waiter()
    left = left_by(waiter)
    waiter.client.leave_ahead(left, world.now)
    world.kill(waiter.name)
    back = world.revive(waiter.name)
    assert back.client.ahead == left
    world.until(lambda: back.client.playing is not None, 60)
    foreseen = back.client.ahead.foreseen(back.game.observation())
    assert foreseen is not None
    back.client.leave_ahead(back.client.ahead.with_turn(foreseen, turn_for(foreseen)), world.now)
    assert [one.turn for one in back.disk.ahead().turns] == [left.turns[0].turn, foreseen.position.turn]


def test_what_a_keeper_saw_is_still_to_be_told() -> None:
    """Its person comes back after two keepers, of which the first played their turn for them."""
    world, mover, waiter = before_turn_of_waiter("classic", "fits 0")
    seen = len(waiter.client.history().changes)
    waiter.client.leave_ahead(left_by(waiter), world.now)
    world.keeping.add(waiter.name)
    world.kill(waiter.name)
    world.revive(waiter.name).asleep = True
    plays(world, mover)
    world.wait(5)
    world.kill(waiter.name)
    world.revive(waiter.name).asleep = True
    world.wait(5)
    world.keeping.clear()
    world.kill(waiter.name)
    back = world.revive(waiter.name)
    history = back.client.history()
    assert history.known == seen
    assert len(history.missed) > 0
    world.kill(waiter.name)
    again = world.revive(waiter.name).client.history()
    assert again.known == len(again.changes), "it was told"


def test_a_damaged_file_costs_a_sentence_once() -> None:
    world, mover, waiter = before_turn_of_waiter()
    waiter.disk.left = "{ something that a person wrote"
    plays(world, mover)
    world.wait(2)
    (unfit,) = waiter.told(AheadUnfit)
    assert unfit.why.code == "unreadable"
    plays(world, waiter)
    plays(world, mover)
    world.wait(2)
    assert len(waiter.told(AheadUnfit)) == 1


def test_what_is_left_too_late_is_played_at_once() -> None:
    world, mover, waiter = before_turn_of_waiter()
    plays(world, mover)
    world.wait(1)
    now = waiter.game.observation()
    assert now.my_turn
    waiter.client.leave_ahead(NOTHING.with_turn(now, turn_for(now)), world.now)
    world.wait(2)
    assert waiter.told(PlayedAhead)
    assert waiter.client.ahead == Ahead(played=(now.position.turn,))
    waiter.client.leave_ahead(NOTHING, world.now)
    assert waiter.disk.ahead().played == (now.position.turn,), "whatever is left later"


@pytest.mark.parametrize("writes", range(1, 8))
def test_a_program_that_dies_while_it_plays_it_signs_nothing_twice(writes: int) -> None:
    """Killed after each of its writes, and started again as a keeper from its disk."""
    world, mover, waiter = before_turn_of_waiter("classic", "killed")
    waiter.client.leave_ahead(left_by(waiter), world.now)
    waiter.disk.fuse = writes
    mover.asleep = False
    turn = turn_of(waiter)
    world.until(lambda: turn_of(mover) > turn or waiter.name in world.graves, 60)
    mover.asleep = True
    world.wait(3)
    if waiter.name in world.graves:
        world.keeping.add(waiter.name)
        world.revive(waiter.name).asleep = True
        world.wait(5)
    waiter.disk.fuse = None
    world.wake()
    world.run()
    world.finished()


def test_it_is_kept_for_the_eyes_of_its_person_and_goes_with_the_seat(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abc")
    left = Ahead((TurnAhead(9, "place Tu d3", "play", (("d3", "."),)),))
    disk.leave(left)
    (path,) = (tmp_path / "seats").glob("*.ahead")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert FileDisk(tmp_path, "abc").ahead() == left
    disk.leave(NOTHING)
    assert not path.exists()
    disk.leave(left)
    disk.keep(replace(SavedSeat("", "Ana", b"", b"", b""), over=True))
    assert disk.ahead() == NOTHING
    disk.leave(left)
    disk.forget()
    assert disk.ahead() == NOTHING


def test_how_far_a_person_saw_is_noted_once_and_goes_with_the_seat(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abc")
    assert disk.back() is None
    disk.away(7)
    disk.away(12)
    (path,) = (tmp_path / "seats").glob("*.away")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert FileDisk(tmp_path, "abc").back() == 7
    assert disk.back() is None
    path.write_text("something else")
    assert disk.back() is None
    disk.away(3)
    disk.keep(replace(SavedSeat("", "Ana", b"", b"", b""), over=True))
    assert disk.back() is None
