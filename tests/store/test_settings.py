"""The settings file: replaced as a whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wasabi_tx.store.settings import read_settings, set_settings_aside, settings_file, write_settings

from .disk import Diary, FullDisk, mode_of, read_only_folder


def test_what_was_written_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "config"
    assert read_settings(folder) == ""
    write_settings(folder, 'name = "Zoë"\n')
    assert read_settings(folder) == 'name = "Zoë"\n'
    assert settings_file(folder).read_bytes() == 'name = "Zoë"\n'.encode()
    write_settings(folder, "")
    assert read_settings(folder) == ""
    assert list(folder.iterdir()) == [folder / "settings.toml"]


def test_bytes_that_are_no_text_are_read_all_the_same(tmp_path: Path) -> None:
    settings_file(tmp_path).write_bytes(b"\xff\r\nbell = true\r\n")
    assert read_settings(tmp_path) == "\ufffd\nbell = true\n"


def test_the_new_file_is_on_disk_before_it_takes_the_old_one_s_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_settings(tmp_path, "old")
    diary = Diary(monkeypatch)
    write_settings(tmp_path, "newer")
    assert diary.entries == ["write", "sync file 5", "replace", "sync folder"]


def test_a_full_disk_leaves_the_old_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_settings(tmp_path, "old")
    FullDisk(monkeypatch, 2)
    with pytest.raises(OSError, match="No space left"):
        write_settings(tmp_path, "newer")
    assert read_settings(tmp_path) == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "settings.toml"]


def test_a_read_only_folder_is_an_error_of_the_operating_system() -> None:
    with read_only_folder() as folder:
        assert read_settings(folder) == ""
        for place in (folder, folder / "config"):
            with pytest.raises(PermissionError):
                write_settings(place, "new")


def test_a_new_file_is_private_and_an_old_one_stays_as_open_as_it_was(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_settings(tmp_path, "one")
        assert mode_of(settings_file(tmp_path)) == 0o600
        settings_file(tmp_path).chmod(0o644)
        write_settings(tmp_path, "two")
        assert mode_of(settings_file(tmp_path)) == 0o644
    finally:
        os.umask(before)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "config").mkdir()
    kept = tmp_path / "mine" / "wasabi.toml"
    kept.write_text("old")
    settings_file(tmp_path / "config").symlink_to(kept)
    write_settings(tmp_path / "config", "new")
    assert settings_file(tmp_path / "config").is_symlink()
    assert kept.read_text() == "new"
    assert list((tmp_path / "mine").iterdir()) == [kept]


def test_settings_that_are_set_aside_stay_as_they_were(tmp_path: Path) -> None:
    settings_file(tmp_path).write_bytes(b'broker = "mqtt://me:secret@h\xff')
    settings_file(tmp_path).chmod(0o600)
    for _ in range(2):
        set_settings_aside(tmp_path)
        old = tmp_path / "settings.toml.old"
        assert old.read_bytes() == settings_file(tmp_path).read_bytes()
        assert mode_of(old) == 0o600
