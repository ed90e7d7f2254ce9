"""A person's plans for later turns are played by the program that holds the seat: once, on its turn, or not at all."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.games.whole_turns import whole_turn
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.games.game import PlanDropped, PlanPlayed, Played
from wasabi_tx.games.plans import NO_PLANS, NotPlayed, PlannedTurn, Plans
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.seat import SavedSeat

from .world import Person, World


def turn_for(foreseen: Observation) -> Sequence[Step]:
    return whole_turn(foreseen, Random(str(foreseen.position.turn)))


def left_by(person: Person) -> Plans:
    """Return a bot's plans for this person's next turn."""
    foreseen = NO_PLANS.foreseen(person.game.observation())
    assert foreseen is not None
    return NO_PLANS.with_turn(foreseen, turn_for(foreseen))


def before_turn_of_waiter(edition: str = "classic", seed: str = "plan") -> tuple[World, Person, Person]:
    """Return a game of two with the player to move and the one who waits; both sleep."""
    world = World.begun(30, edition=edition, seed=seed, bots=False)
    mover = world.mover()
    (waiter,) = (person for person in world.people.values() if person is not mover)
    return world, mover, waiter


def turn_of(person: Person) -> int:
    return person.game.observation().position.turn


def plays(world: World, person: Person) -> None:
    """Let a person move until it is another's turn."""
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
        plans = left_by(waiter)
        waiter.client.save_plans(plans, world.now)
        assert not waiter.told(PlanPlayed), "it is not their turn yet"
        turn = plans.turns[0].turn
        plays(world, mover)
        world.wait(2)
        if waiter.told(PlanPlayed):
            rules, seat = waiter.game.observation().rules, waiter.game.seat
            assert seat is not None
            steps = [step for bundle in bundles_by(mover, seat, turn) for step in bundle.steps]
            assert rules.format(steps) == plans.turns[0].steps, "to its end, whatever it draws"
            assert turn_of(waiter) > turn
            assert waiter.told(PlanPlayed) == [PlanPlayed(turn)], "it is told once"
            assert waiter.disk.plans() == waiter.client.plans == Plans(played=(turn,))
            return
        (dropped,) = waiter.told(PlanDropped)
        assert waiter.disk.plans() == Plans((), dropped.why)
        assert turn_of(waiter) == turn, "nothing was played for them"
    raise AssertionError("none of them fitted")


def test_a_changed_square_is_named_and_nothing_of_it_is_played() -> None:
    world, mover, waiter = before_turn_of_waiter()
    plans = left_by(waiter)
    (one,) = plans.turns
    later = replace(one, turn=one.turn + 2)
    spoilt = Plans((replace(one, squares=(("a1", "Xx"),)), later))
    waiter.client.save_plans(spoilt, world.now)
    plays(world, mover)
    world.wait(2)
    (dropped,) = waiter.told(PlanDropped)
    assert dropped.why == NotPlayed(one.turn, "square", "a1", dropped=(later.turn,))
    assert not waiter.told(PlanPlayed)
    assert waiter.disk.plans() == Plans((), dropped.why)
    noted = waiter.disk.noted[-1]
    assert noted is not None
    assert noted.mine
    world.wake()
    world.run()
    world.finished()


def test_it_can_be_withdrawn() -> None:
    world, mover, waiter = before_turn_of_waiter()
    waiter.client.save_plans(left_by(waiter), world.now)
    waiter.client.save_plans(NO_PLANS, world.now)
    plays(world, mover)
    world.wait(2)
    assert not waiter.told(PlanPlayed)
    assert not waiter.told(PlanDropped)
    noted = waiter.disk.noted[-1]
    assert noted is not None
    assert noted.mine


def test_who_comes_back_finds_what_they_left_and_can_add_to_it() -> None:
    world, _, waiter = before_turn_of_waiter()
    left = left_by(waiter)
    waiter.client.save_plans(left, world.now)
    world.kill(waiter.name)
    back = world.revive(waiter.name)
    assert back.client.plans == left
    world.until(lambda: back.client.playing is not None, 60)
    foreseen = back.client.plans.foreseen(back.game.observation())
    assert foreseen is not None
    back.client.save_plans(back.client.plans.with_turn(foreseen, turn_for(foreseen)), world.now)
    assert [one.turn for one in back.disk.plans().turns] == [left.turns[0].turn, foreseen.position.turn]


def test_what_a_keeper_saw_is_still_to_be_told() -> None:
    """Bring a person back after two keepers, the first of which played a turn for them."""
    world, mover, waiter = before_turn_of_waiter("classic", "fits 0")
    seen = len(waiter.client.history().changes)
    waiter.client.save_plans(left_by(waiter), world.now)
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
    waiter.disk.saved_plans = "{ something that a person wrote"
    plays(world, mover)
    world.wait(2)
    (dropped,) = waiter.told(PlanDropped)
    assert dropped.why.code == "unreadable"
    plays(world, waiter)
    plays(world, mover)
    world.wait(2)
    assert len(waiter.told(PlanDropped)) == 1


def test_what_is_left_too_late_is_played_at_once() -> None:
    world, mover, waiter = before_turn_of_waiter()
    plays(world, mover)
    world.wait(1)
    now = waiter.game.observation()
    assert now.my_turn
    waiter.client.save_plans(NO_PLANS.with_turn(now, turn_for(now)), world.now)
    world.wait(2)
    assert waiter.told(PlanPlayed)
    assert waiter.client.plans == Plans(played=(now.position.turn,))
    waiter.client.save_plans(NO_PLANS, world.now)
    assert waiter.disk.plans().played == (now.position.turn,), "whatever is left later"


@pytest.mark.grid
@pytest.mark.parametrize("writes", range(1, 8))
def test_a_program_that_dies_while_it_plays_it_signs_nothing_twice(writes: int) -> None:
    """Kill it after each of its writes, and start it again as a keeper from its disk."""
    world, mover, waiter = before_turn_of_waiter()
    waiter.client.save_plans(left_by(waiter), world.now)
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
    left = Plans((PlannedTurn(9, "place Tu d3", "play", (("d3", "."),)),))
    disk.save_plans(left)
    (path,) = (tmp_path / "seats").glob("*.plans")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert FileDisk(tmp_path, "abc").plans() == left
    disk.save_plans(NO_PLANS)
    assert not path.exists()
    disk.save_plans(left)
    disk.save_seat(replace(SavedSeat("", "Ana", b"", b"", b""), over=True))
    assert disk.plans() == NO_PLANS
    disk.save_plans(left)
    disk.forget()
    assert disk.plans() == NO_PLANS


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
    disk.save_seat(replace(SavedSeat("", "Ana", b"", b"", b""), over=True))
    assert disk.back() is None
