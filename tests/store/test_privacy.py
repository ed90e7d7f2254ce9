"""Privacy on disk: games, keys and settings are for their owner alone, in folders of their owner alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from wasabi_tx.store.games import create_game
from wasabi_tx.store.identity import identity_seed
from wasabi_tx.store.settings import write_settings
from wasabi_tx.store.transcripts import new_transcript

from .disk import mode_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no modes")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Set a umask with which everybody may write to new files."""
    before = os.umask(0)
    yield
    os.umask(before)


def make_all(folder: Path) -> None:
    create_game(folder, "table", b"head").close()
    new_transcript(folder, "classic", datetime(2026, 1, 1, tzinfo=UTC)).close()
    identity_seed(folder)
    write_settings(folder, "")


def test_everything_is_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    make_all(folder)
    assert mode_of(folder) == 0o700
    assert {path.name: mode_of(path) for path in folder.iterdir()} == {
        "table.wasabi": 0o600,
        "classic-20260101-000000.txt": 0o600,
        "identity.key": 0o600,
        "settings.toml": 0o600,
    }


def test_a_folder_of_an_earlier_version_is_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    folder.chmod(0o755)
    make_all(folder)
    assert mode_of(folder) == 0o700


def test_a_folder_that_was_made_unwritable_stays_so(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    folder.chmod(0o555)
    if os.geteuid() == 0:
        create_game(folder, "table", b"head").close()
    else:
        with pytest.raises(PermissionError):
            create_game(folder, "table", b"head")
    assert mode_of(folder) == 0o500
