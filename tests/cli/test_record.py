"""Tests of `wasabi-tx record`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.view.test_record import saved
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.games.finished import Cooked, FinishedGame, FinishedSeat
from wasabi_tx.online import replayed


def run(home: Path, *args: str) -> Result:
    env = {"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    return CliRunner().invoke(wasabi_tx, ["record", *args], env=env)


def test_a_record_is_made_of_the_files_that_are_there(tmp_path: Path) -> None:
    assert "No finished game yet" in run(tmp_path).output
    assert not list(tmp_path.glob("**/identity.key")), "looking makes nobody"
    games = tmp_path / "games"
    games.mkdir()
    (games / "one.txt").write_text(saved("classic", "ends"), encoding="utf-8")
    (games / "two.txt").write_text(saved("master", "ends"), encoding="utf-8")
    (games / "torn.txt").write_text(saved("master", "ends")[:5000], encoding="utf-8")
    (games / "torn.wasabi").write_bytes(b"\x00\xffsoup")
    shown = run(tmp_path)
    assert shown.exit_code == 0
    assert "of 2 games won." in shown.output
    assert "You and Mochi: " in shown.output
    assert "First edition: " in shown.output
    assert max(map(len, shown.output.splitlines())) < 80
    assert "Contro" in run(tmp_path, "--language", "it").output


def test_a_table_online_is_read_once_and_again_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []
    ended = FinishedGame(
        "classic",
        (FinishedSeat("Ana", False, 9, None, (Cooked("tekkamaki"),)), FinishedSeat("Bea", False, 3, None, ())),
        0,
    )

    def read(path: Path, seed: bytes | None) -> FinishedGame | None:
        del seed
        reads.append(path.name)
        return ended if path.name == "one.wasabi" else None

    monkeypatch.setattr(replayed, "finished_online", read)
    games = tmp_path / "games"
    games.mkdir()
    for name in ("one.wasabi", "two.wasabi"):
        (games / name).write_bytes(b"some game")
    first = run(tmp_path).output
    assert "You and Bea: 1 – 0" in first
    assert sorted(reads) == ["one.wasabi", "two.wasabi"]
    assert run(tmp_path).output == first
    assert len(reads) == 2
    (games / "two.wasabi").write_bytes(b"some game that went on")
    assert run(tmp_path).output == first
    assert reads[2:] == ["two.wasabi"]
    memory = games / "record.json"
    for damage in ("", "[]", "soup", '{"one.wasabi": 3}', memory.read_text().replace('"you": 0', '"you": 7')):
        memory.write_text(damage)
        assert run(tmp_path).output == first
