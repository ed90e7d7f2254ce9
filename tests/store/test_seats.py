"""The private side of a seat: for one person's eyes, and one program at a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.brokers import until
from wasabi_tx.store import seats
from wasabi_tx.store.seat_notes import SITUATION, list_notes, write_note
from wasabi_tx.store.seats import (
    WANTED,
    SeatFile,
    SeatHold,
    SeatLock,
    SeatTaken,
    WantedSeats,
    list_seats,
    wanted_seats,
)

from .disk import Diary, FullDisk, mode_of, no_space, read_only_folder

TABLE = "abcdefghijklmnopqrstuvwxyz"

HOLDER = """
import sys
import time
from pathlib import Path
from wasabi_tx.store.seats import SeatLock, SeatTaken
try:
    with SeatLock(Path(sys.argv[1]), *sys.argv[2:]):
        print("mine", flush=True)
        sys.stdin.readline()
except SeatTaken as taken:
    print("taken", taken.table, flush=True)
"""


def holder(folder: Path, *suffix: str) -> subprocess.Popen[str]:
    """Start another program that wants the seat, and holds it until it reads a line."""
    words = [sys.executable, "-c", HOLDER, str(folder), TABLE, *suffix]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_what_was_written_is_read(tmp_path: Path) -> None:
    seat = SeatFile(tmp_path, TABLE)
    assert seat.read() is None
    seat.write(b"one")
    assert SeatFile(tmp_path, TABLE).read() == b"one"
    seat.write(b"")
    assert seat.read() == b""
    seat.delete()
    assert seat.read() is None
    seat.delete()


def test_nobody_else_can_look_into_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        seat = SeatFile(tmp_path / "games", TABLE)
        seat.write(b"one")
        seat.write(b"two")
    finally:
        os.umask(before)
    folder = tmp_path / "games" / "seats"
    assert mode_of(folder) == 0o700
    assert {path.name: mode_of(path) for path in folder.iterdir()} == {f"{TABLE}.seat": 0o600}


def test_a_folder_that_others_could_enter_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "seats"
    folder.mkdir(0o755)
    folder.chmod(0o755)
    with SeatLock(tmp_path, TABLE):
        assert mode_of(folder) == 0o700
    folder.chmod(0o755)
    SeatFile(tmp_path, TABLE).write(b"one")
    assert mode_of(folder) == 0o700


def test_it_is_on_disk_before_it_takes_the_old_one_s_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = SeatFile(tmp_path, TABLE)
    seat.write(b"one")
    diary = Diary(monkeypatch)
    seat.write(b"three")
    assert diary.entries == ["write", "sync file 5", "replace", "sync folder"]
    seat.delete()
    assert diary.entries[4:] == ["sync folder"]


@pytest.mark.parametrize("room", [0, 2])
def test_a_full_disk_leaves_the_old_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    seat = SeatFile(tmp_path, TABLE)
    seat.write(b"one")
    disk = FullDisk(monkeypatch, room)
    with pytest.raises(OSError, match="No space left"):
        seat.write(b"three")
    assert seat.read() == b"one"
    assert [path.name for path in (tmp_path / "seats").iterdir()] == [f"{TABLE}.seat"]
    disk.lift()
    seat.write(b"three")
    assert seat.read() == b"three"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_write_that_fails_late_leaves_the_old_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def fails(*_args: object) -> None:
        raise no_space()

    seat = SeatFile(tmp_path, TABLE)
    seat.write(b"one")
    monkeypatch.setattr(os, call, fails)
    with pytest.raises(OSError, match="No space left"):
        seat.write(b"three")
    assert seat.read() == b"one"
    assert [path.name for path in (tmp_path / "seats").iterdir()] == [f"{TABLE}.seat"]


def test_what_a_killed_program_left_unfinished_is_no_seat_and_goes_with_it(tmp_path: Path) -> None:
    seat = SeatFile(tmp_path, TABLE)
    seat.write(b"one")
    (tmp_path / "seats" / f"{TABLE}.seat.0123.new").write_bytes(b"thr")
    assert list_seats(tmp_path) == [TABLE]
    assert seat.read() == b"one"
    seat.delete()
    assert list((tmp_path / "seats").iterdir()) == []


@pytest.mark.parametrize("table", ["", "../x", "a/b", "A", "a.b", "a\n", "a" * 65])
def test_a_table_s_name_leads_nowhere_else(tmp_path: Path, table: str) -> None:
    for kind in (SeatFile, SeatLock):
        with pytest.raises(ValueError, match="table"):
            kind(tmp_path, table)


def test_the_tables_last_written_to_come_first(tmp_path: Path) -> None:
    assert list_seats(tmp_path) == []
    for age, table in enumerate(("c", "a", "b")):
        SeatFile(tmp_path, table).write(b"")
        os.utime(tmp_path / "seats" / f"{table}.seat", (1000 - age, 1000 - age))
    with SeatLock(tmp_path, "d"):
        assert list_seats(tmp_path) == ["c", "a", "b"]


@pytest.mark.parametrize("copy", [f"{TABLE} (conflicted copy)", f"{TABLE} (1)", "A", "", "a" * 65, "ü"])
def test_copies_that_other_programs_make_are_no_seats(tmp_path: Path, copy: str) -> None:
    SeatFile(tmp_path, TABLE).write(b"one")
    write_note(tmp_path, TABLE, SITUATION, "{}")
    for suffix in (".seat", ".situation", WANTED):
        (tmp_path / "seats" / f"{copy}{suffix}").write_bytes(b"x")
    assert (list_seats(tmp_path), list_notes(tmp_path, SITUATION), wanted_seats(tmp_path)) == (
        [TABLE],
        [TABLE],
        frozenset(),
    )


def test_one_program_at_a_time_holds_a_seat(tmp_path: Path) -> None:
    with SeatLock(tmp_path, TABLE):
        other = holder(tmp_path)
        assert other.communicate(timeout=20)[0] == f"taken {TABLE}\n"
    other = holder(tmp_path)
    assert first_line(other) == "mine"
    with pytest.raises(SeatTaken) as caught, SeatLock(tmp_path, TABLE):
        pass
    assert caught.value.table == TABLE
    with SeatLock(tmp_path, "another"):
        other.communicate("\n", timeout=20)
    with SeatLock(tmp_path, TABLE):
        pass


def test_a_killed_program_lets_go(tmp_path: Path) -> None:
    other = holder(tmp_path)
    assert first_line(other) == "mine"
    os.kill(other.pid, signal.SIGKILL)
    other.communicate(timeout=20)
    assert (tmp_path / "seats" / f"{TABLE}.lock").exists()
    with SeatLock(tmp_path, TABLE):
        pass


def test_a_program_cannot_take_its_own_seat_twice(tmp_path: Path) -> None:
    lock = SeatLock(tmp_path, TABLE)
    with lock:
        with pytest.raises(SeatTaken):
            lock.__enter__()
        with pytest.raises(SeatTaken), SeatLock(tmp_path, TABLE):
            pass
        other = holder(tmp_path)
        assert other.communicate(timeout=20)[0] == f"taken {TABLE}\n"
    with lock:
        pass


def test_a_seat_that_was_let_go_leaves_no_lock_behind(tmp_path: Path) -> None:
    with SeatLock(tmp_path, TABLE):
        assert mode_of(tmp_path / "seats" / f"{TABLE}.lock") == 0o600
    assert list((tmp_path / "seats").iterdir()) == []


def test_a_lock_on_a_file_that_its_holder_just_removed_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = SeatLock(tmp_path, TABLE)
    first.__enter__()
    opened = os.open
    once = [first]

    def open_then_let_go(path: Path, flags: int, mode: int = 0o777) -> int:
        descriptor = opened(path, flags, mode)
        if str(path).endswith(".lock") and once:
            once.pop().__exit__(None, None, None)
        return descriptor

    monkeypatch.setattr(os, "open", open_then_let_go)
    with SeatLock(tmp_path, TABLE):
        other = holder(tmp_path)
        assert other.communicate(timeout=20)[0] == f"taken {TABLE}\n"


def test_a_read_only_folder_is_an_error_of_the_operating_system() -> None:
    with read_only_folder() as folder:
        with pytest.raises(PermissionError):
            SeatFile(folder, TABLE).write(b"one")
        with pytest.raises(PermissionError), SeatLock(folder, TABLE):
            pass
        assert SeatFile(folder, TABLE).read() is None
        assert list_seats(folder) == []


def test_a_keeper_makes_room_for_who_wants_the_seat_and_takes_none_that_is_wanted(tmp_path: Path) -> None:
    keeper, screen = SeatHold(tmp_path, TABLE), SeatHold(tmp_path, TABLE)
    keeper.acquire_for_keeper()
    assert wanted_seats(tmp_path) == frozenset()
    with ThreadPoolExecutor(1) as other:
        coming = other.submit(screen.acquire)
        until(lambda: wanted_seats(tmp_path) == {TABLE}, 20)
        keeper.let_go()
        coming.result(20)
    with pytest.raises(SeatTaken):
        keeper.acquire_for_keeper()
    with pytest.raises(SeatTaken):
        SeatHold(tmp_path, TABLE).acquire(0)
    screen.let_go()
    assert list((tmp_path / "seats").iterdir()) == []
    keeper.acquire_for_keeper()
    keeper.let_go()


def test_a_wish_of_a_killed_program_keeps_no_keeper_from_the_seat(tmp_path: Path) -> None:
    other = holder(tmp_path, WANTED)
    assert first_line(other) == "mine"
    keeper = SeatHold(tmp_path, TABLE)
    with pytest.raises(SeatTaken):
        keeper.acquire_for_keeper()
    os.kill(other.pid, signal.SIGKILL)
    other.communicate(timeout=20)
    assert wanted_seats(tmp_path) == {TABLE}
    keeper.acquire_for_keeper()
    assert wanted_seats(tmp_path) == frozenset(), "nobody wants it any more"
    keeper.let_go()


def test_a_keeper_that_does_not_let_go_is_told_so_and_the_wish_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "HAND_OVER", 0.0)
    keeper = SeatHold(tmp_path, TABLE)
    keeper.acquire_for_keeper()
    screen = SeatHold(tmp_path, TABLE)
    with pytest.raises(SeatTaken):
        screen.acquire()
    assert (screen.held, wanted_seats(tmp_path)) == (False, frozenset())
    keeper.let_go()


def test_who_looks_often_sees_every_wish_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = WantedSeats(tmp_path)
    assert wishes.read() == frozenset()
    screen = SeatHold(tmp_path, TABLE)
    for _ in range(3):
        screen.acquire()
        assert wishes.read() == {TABLE}
        screen.let_go()
        assert wishes.read() == frozenset()
    later = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: later)
    wishes.read()
    monkeypatch.setattr(seats, "wanted_seats", lambda _folder: pytest.fail("nothing has changed"))
    assert wishes.read() == frozenset()
    monkeypatch.undo()
    screen.acquire()
    assert wishes.read() == {TABLE}
    screen.let_go()
