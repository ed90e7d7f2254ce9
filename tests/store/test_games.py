"""Game files: a move that was appended is never lost, whatever the disk does afterwards."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wasabi_tx.store.games import LARGEST, create_game, list_games, read_game, reopen_game

from .disk import Diary, FullDisk, no_space, read_only_folder


def test_a_game_grows_by_what_is_appended(tmp_path: Path) -> None:
    file = create_game(tmp_path / "games", "classic", b"head")
    assert file.path == tmp_path / "games" / "classic.wasabi"
    file.append(b" one")
    assert read_game(file.path) == b"head one"
    file.append(b" two")
    file.close()
    assert read_game(file.path) == b"head one two"
    assert file.length == 12


def test_a_new_game_is_on_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary(monkeypatch)
    create_game(tmp_path, "classic", b"head").close()
    assert diary.entries == ["write", "sync file 4", "link", "sync folder"]


def test_append_returns_when_the_bytes_are_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = create_game(tmp_path, "classic", b"head")
    diary = Diary(monkeypatch)
    file.append(b"12345")
    assert diary.entries == ["write", "sync file 9"]
    file.append(b"678")
    assert diary.entries[2:] == ["write", "sync file 12"]
    file.close()


def test_a_game_never_takes_the_place_of_another(tmp_path: Path) -> None:
    first, second, third = (create_game(tmp_path, "classic", head) for head in (b"1", b"2", b"3"))
    for file in (first, second, third):
        file.close()
    assert [file.path.name for file in (first, second, third)] == [
        "classic.wasabi",
        "classic-2.wasabi",
        "classic-3.wasabi",
    ]
    assert [read_game(file.path) for file in (first, second, third)] == [b"1", b"2", b"3"]


@pytest.mark.parametrize("name", ["../classic", "a/b", "/tmp/x", ""])
def test_a_game_lies_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="file name"):
        create_game(tmp_path, name, b"head")
    assert list(tmp_path.iterdir()) == []


def test_a_torn_end_is_cut_before_the_game_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "classic.wasabi"
    path.write_bytes(b"head one tw")
    diary = Diary(monkeypatch)
    file = reopen_game(path, 8)
    assert read_game(path) == b"head one"
    assert diary.entries == ["sync file 8"]
    file.append(b" 2")
    file.close()
    assert read_game(path) == b"head one 2"


def test_reopening_a_whole_game_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "classic.wasabi"
    path.write_bytes(b"head one")
    os.utime(path, (1, 1))
    reopen_game(path, 8).close()
    assert path.stat().st_mtime == 1
    assert read_game(path) == b"head one"


def test_a_game_that_lost_bytes_is_not_filled_up_with_others(tmp_path: Path) -> None:
    path = tmp_path / "classic.wasabi"
    path.write_bytes(b"head")
    with pytest.raises(OSError, match=r"classic\.wasabi"):
        reopen_game(path, 5)
    assert read_game(path) == b"head"


@pytest.mark.parametrize("room", [0, 1, 4])
def test_an_append_on_a_full_disk_leaves_all_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    file = create_game(tmp_path, "classic", b"head")
    file.append(b" one")
    disk = FullDisk(monkeypatch, room)
    with pytest.raises(OSError, match="No space left"):
        file.append(b" two ")
    assert read_game(file.path) == b"head one"
    disk.lift()
    file.append(b" 2")
    file.close()
    assert read_game(file.path) == b"head one 2"


def test_an_append_that_does_not_reach_the_disk_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = create_game(tmp_path, "classic", b"head")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _fails)
        with pytest.raises(OSError, match="No space left"):
            file.append(b" one")
    assert read_game(file.path) == b"head"
    file.append(b" 1")
    file.close()
    assert read_game(file.path) == b"head 1"


def _fails(*_args: object) -> None:
    raise no_space()


def test_an_end_that_could_not_be_cut_is_cut_before_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = create_game(tmp_path, "classic", b"head")
    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", _fails)
        broken.setattr(os, "ftruncate", _fails)
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                file.append(b" a long one")
    assert read_game(file.path) == b"head a long one"
    file.append(b" 1")
    file.close()
    assert read_game(file.path) == b"head 1"


def test_an_interrupted_append_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = create_game(tmp_path, "classic", b"head")
    calls: list[int] = []
    sync = os.fsync

    def interrupted(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 1:
            raise KeyboardInterrupt
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        file.append(b" one")
    assert read_game(file.path) == b"head"
    file.close()


def test_a_full_disk_leaves_no_half_of_a_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = FullDisk(monkeypatch, 3)
    with pytest.raises(OSError, match="No space left"):
        create_game(tmp_path, "classic", b"head")
    assert list(tmp_path.iterdir()) == []
    disk.lift()
    create_game(tmp_path, "classic", b"head").close()
    assert [path.name for path in tmp_path.iterdir()] == ["classic.wasabi"]


def test_every_append_that_returned_survives_a_kill(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from wasabi_tx.store.games import create_game\n"
        "file = create_game(Path(sys.argv[1]), 'classic', b'head')\n"
        "for number in range(10**6):\n"
        "    file.append(b' %d' % number)\n"
        "    print(number, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout
    while int(process.stdout.readline()) < 20:
        pass
    os.kill(process.pid, signal.SIGKILL)
    said = [20, *map(int, process.stdout.read().split())]
    process.stdout.close()
    process.wait(timeout=20)
    found = read_game(tmp_path / "classic.wasabi").split()
    whole = [b"head", *(b"%d" % number for number in range(said[-1] + 1))]
    assert found[: len(whole)] == whole


def test_nothing_is_appended_to_a_closed_game(tmp_path: Path) -> None:
    file = create_game(tmp_path, "classic", b"head")
    file.close()
    file.close()
    with pytest.raises(ValueError, match="closed"):
        file.append(b" one")
    assert read_game(file.path) == b"head"


def test_a_file_larger_than_any_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.wasabi"
    with path.open("wb") as raw:
        raw.truncate(LARGEST)
    assert len(read_game(path)) == LARGEST
    os.truncate(path, LARGEST + 1)
    with pytest.raises(OSError, match="large") as caught:
        read_game(path)
    assert caught.value.errno == errno.EFBIG


def test_the_newest_games_come_first_and_nothing_else(tmp_path: Path) -> None:
    for age, name in enumerate(("c.wasabi", "a.wasabi", "b.wasabi", "d.txt", "d.wasabi.0f.new")):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    (tmp_path / "folder.wasabi").mkdir()
    assert [path.name for path in list_games(tmp_path)] == ["c.wasabi", "a.wasabi", "b.wasabi"]
    assert list_games(tmp_path / "nowhere") == []


def test_a_read_only_folder_is_an_error_of_the_operating_system() -> None:
    with read_only_folder() as folder:
        for place in (folder, folder / "games"):
            with pytest.raises(PermissionError):
                create_game(place, "classic", b"head")
        assert list_games(folder) == []
