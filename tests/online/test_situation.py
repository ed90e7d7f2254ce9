"""The situation of an unfinished game is on every player's disk, for the list of games to come back to."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.seat import SavedSeat
from wasabi_tx.online.saved.situation import Situation, known_games
from wasabi_tx.store.seat_notes import CALLED, SITUATION, list_notes, read_note, write_note

from .world import World

MINE = Situation(("Ana", "Bo"), 9, mine=True)
THEIRS = Situation(("Ana",), 3, mine=False, waits_for=("Ana",))
SEAT = SavedSeat("", "Ana", b"", b"", b"")


@pytest.mark.long
def test_everybody_notes_whom_the_game_waits_for_and_nobody_once_it_is_over() -> None:
    world = World.begun(30, seats=3, bots=False)
    mover = world.mover()
    world.wait(3)
    for person in world.people.values():
        noted = person.disk.noted[-1]
        assert noted is not None
        assert noted.turn == mover.game.observation().position.turn
        assert noted.mine == (person is mover)
        assert noted.waits_for == (() if person is mover else (mover.name,))
        assert set(noted.names) == set(world.people) - {person.name}
    world.wake()
    world.run()
    assert all(person.disk.noted[-1] is None for person in world.people.values())


def test_who_has_left_is_no_longer_named() -> None:
    world = World.begun(30, seats=3, bots=False)
    gone, stays, last = world.people.values()
    gone.client.quit(world.now)
    world.until(lambda: len(stays.game.observation().position.playing) == 2, 60)
    world.wait(3)
    for person, other in ((stays, last), (last, stays)):
        noted = person.disk.noted[-1]
        assert noted is not None
        assert noted.names == (other.name,)


def test_a_card_that_the_programs_of_others_owe_is_waited_for_by_name() -> None:
    world = World.begun(30, bots=False)
    mover = world.mover()
    other = next(person for person in world.people.values() if person is not mover)
    world.kill(other.name)
    mover.asleep = False
    world.until(lambda: mover.game.patience.automatic or "bundle" not in mover.game.session.owes, 60)
    world.wait(5)
    noted = mover.disk.noted[-1]
    assert noted is not None
    assert (noted.mine, noted.waits_for) == (False, (other.name,))


def test_a_turn_is_ours_to_decide_only_when_the_cards_before_it_are_drawn() -> None:
    world = World.begun(32, seats=3, seed="owed card", bots=False)
    mover = world.mover()
    following, gone = (world.people[name] for name in ("p1", "p0"))
    world.kill(gone.name)
    noted = len(following.disk.noted)
    mover.asleep = False
    world.until(lambda: following.game.patience.automatic, 60)
    assert following.game.observation().my_turn
    world.wait(10)
    assert [one.mine for one in following.disk.noted[noted:] if one is not None] == [False]
    world.revive(gone.name).asleep = True
    world.wait(10)
    assert [one.mine for one in following.disk.noted[noted:] if one is not None] == [False, True]


def test_a_bot_notes_nothing() -> None:
    world = World.begun(30)
    assert not any(person.disk.noted for person in world.people.values())


def test_what_is_noted_again_keeps_its_time(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abc")
    disk.note(MINE)
    os.utime(tmp_path / "seats" / "abc.situation", (1000, 1000))
    FileDisk(tmp_path, "abc").note(MINE)
    assert read_note(tmp_path, "abc", SITUATION)[1] == 1000
    disk.note(THEIRS)
    assert read_note(tmp_path, "abc", SITUATION)[1] != 1000


def test_a_seat_that_is_over_or_forgotten_is_in_no_list(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abc")
    disk.note(MINE)
    write_note(tmp_path, "abc", CALLED, "turn 9")
    assert [one.situation for one in known_games(tmp_path)] == [MINE]
    disk.save_seat(replace(SEAT, over=True))
    assert list_notes(tmp_path, SITUATION) == []
    assert [path.name for path in (tmp_path / "seats").iterdir()] == ["abc.seat"]
    disk.note(MINE)
    disk.forget()
    assert list_notes(tmp_path, SITUATION) == []


def test_what_waits_for_us_comes_first_and_the_longest_wait_before_the_others(tmp_path: Path) -> None:
    for name, situation, written in (("a", MINE, 2000), ("b", THEIRS, 5000), ("c", MINE, 1000), ("d", THEIRS, 6000)):
        write_note(tmp_path, name, SITUATION, situation.dump())
        os.utime(tmp_path / "seats" / f"{name}.situation", (written, written))
    assert [(one.seat, one.since) for one in known_games(tmp_path)] == [
        ("c", 1000),
        ("a", 2000),
        ("d", 6000),
        ("b", 5000),
    ]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"names": 3}', MINE.dump().replace("true", "[]}"), MINE.dump().replace('"Bo"', "7")],
)
def test_a_note_that_cannot_be_read_is_no_note(tmp_path: Path, text: str) -> None:
    write_note(tmp_path, "abc", SITUATION, text)
    assert known_games(tmp_path) == []


def test_names_in_a_note_are_cleaned(tmp_path: Path) -> None:
    write_note(tmp_path, "abc", SITUATION, Situation(("An\x1b[2Ja",), 1, mine=False, waits_for=("B\x07o",)).dump())
    (found,) = known_games(tmp_path)
    assert (found.situation.names, found.situation.waits_for) == (("An [2Ja",), ("B o",))
