"""A person is a key: made once, kept to oneself, never overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wasabi_tx.store.identity import IdentityBroken, identity_seed

from .disk import Diary, FullDisk, mode_of, read_only_folder


def test_the_seed_is_made_at_the_first_start_and_stays(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet" / "there"
    seed = identity_seed(folder)
    assert len(seed) == 32
    assert identity_seed(folder) == seed
    assert (folder / "identity.key").read_bytes() == seed
    assert identity_seed(tmp_path / "another") != seed


def test_nobody_else_can_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link
    modes: list[int] = []

    def linked(source: Path, target: Path) -> None:
        modes.append(mode_of(source))
        link(source, target)

    monkeypatch.setattr(os, "link", linked)
    before = os.umask(0)
    try:
        identity_seed(tmp_path)
    finally:
        os.umask(before)
    assert modes == [0o600], "not for a moment"
    assert mode_of(tmp_path / "identity.key") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


def test_a_copy_that_all_can_read_is_made_private_again(tmp_path: Path) -> None:
    seed = identity_seed(tmp_path)
    (tmp_path / "identity.key").chmod(0o644)
    assert identity_seed(tmp_path) == seed
    assert mode_of(tmp_path / "identity.key") == 0o600


def test_it_is_on_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary(monkeypatch)
    identity_seed(tmp_path)
    assert diary.entries == ["write", "sync file 32", "link", "sync folder"]


def test_a_new_folder_is_on_disk_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diary = Diary(monkeypatch)
    identity_seed(tmp_path / "a" / "b")
    assert diary.entries == ["sync folder", "sync folder", "write", "sync file 32", "link", "sync folder"]


@pytest.mark.parametrize("content", [b"", b"x" * 31, b"x" * 33, b"x" * 100_000])
def test_a_file_of_another_size_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "identity.key"
    path.write_bytes(content)
    with pytest.raises(IdentityBroken) as caught:
        identity_seed(tmp_path)
    assert caught.value.path == path
    assert caught.value.code == "identity-size"
    assert path.read_bytes() == content


def test_of_many_first_starts_at_once_all_are_the_same_person(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from wasabi_tx.store.identity import identity_seed;"
        "print('ready', flush=True); sys.stdin.readline(); print(identity_seed(Path(sys.argv[1])).hex())"
    )
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for start in starts:
        assert start.stdout
        assert start.stdout.readline() == "ready\n"
    for start in starts:
        assert start.stdin
        start.stdin.write("\n")
        start.stdin.flush()
    seeds = {start.communicate(timeout=20)[0].strip() for start in starts}
    assert seeds == {(tmp_path / "identity.key").read_bytes().hex()}


def test_one_that_came_first_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def late(source: Path, target: Path) -> None:
        target.write_bytes(b"f" * 32)
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    assert identity_seed(tmp_path) == b"f" * 32
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


def _no_links(_source: Path, _target: Path) -> None:
    raise PermissionError(1, "Operation not permitted")


def test_a_disk_without_hard_links_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", _no_links)
    seed = identity_seed(tmp_path)
    assert identity_seed(tmp_path) == seed
    assert mode_of(tmp_path / "identity.key") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


def test_one_that_came_first_is_not_overwritten_there_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_source: Path, target: Path) -> None:
        target.write_bytes(b"f" * 32)
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", late)
    assert identity_seed(tmp_path) == b"f" * 32
    assert [path.name for path in tmp_path.iterdir()] == ["identity.key"]


@pytest.mark.parametrize("room", [0, 31, 32, 40])
def test_a_full_disk_leaves_no_half_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    monkeypatch.setattr(os, "link", _no_links)
    disk = FullDisk(monkeypatch, room)
    with pytest.raises(OSError, match="No space left"):
        identity_seed(tmp_path)
    assert list(tmp_path.iterdir()) == []
    disk.lift()
    assert len(identity_seed(tmp_path)) == 32


def test_a_read_only_folder_is_an_error_of_the_operating_system() -> None:
    with read_only_folder() as folder:
        for place in (folder, folder / "config"):
            with pytest.raises(PermissionError):
                identity_seed(place)
