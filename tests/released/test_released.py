"""What any version has released stays readable: games, pages, invites, editions, and the vectors of its protocol."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.released import FOLDER, place_of, vector_digests, verified
from wasabi_tx.app.game_page.page import game_in
from wasabi_tx.engine.edition_file import read_edition

VERSIONS = sorted(path for path in FOLDER.iterdir() if (path / "expected.json").exists())
GAMES = [path for folder in VERSIONS for path in sorted([*folder.glob("*.wasabi"), *folder.glob("*.txt")])]
pytestmark = pytest.mark.parametrize("folder", VERSIONS, ids=lambda path: path.name)


def expected(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")


def test_every_game_is_verified_with_the_result_that_it_had(folder: Path) -> None:
    results = expected(folder)["results"]
    assert set(results) == {path.name for path in GAMES if path.parent == folder}
    for name, result in results.items():
        assert result["exit"] == 0
        assert verified(folder / name) == result


def test_the_game_in_a_page_is_the_one_that_was_put_there(folder: Path) -> None:
    for page in folder.glob("*.html"):
        assert game_in(page.read_text(encoding="utf-8")) == page.with_suffix(".wasabi").read_bytes()


def test_every_edition_is_read_as_it_was(folder: Path) -> None:
    hashes = expected(folder)["editions"]
    assert hashes
    for name, value in hashes.items():
        assert read_edition((folder / "editions" / f"{name}.toml").read_text(encoding="utf-8")).hash == value


def test_every_invite_leads_where_it_did(folder: Path) -> None:
    found = expected(folder)["invites"]
    assert found
    for text, place in found.items():
        assert place_of(text) == place


def test_no_vector_was_changed_or_taken_away(folder: Path) -> None:
    kept, present = expected(folder)["vectors"], vector_digests()
    assert kept
    assert {name for name, digest in kept.items() if present.get(name) != digest} == set()
