"""Tests of `wasabi-tx replay`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.plain.typist import load, sit_down
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.games.game import Player


def run(home: Path, *args: str, typed: str = "") -> Result:
    return CliRunner().invoke(
        wasabi_tx, ["replay", *args], input=typed, env={"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    )


@pytest.fixture(scope="module")
def text() -> str:
    return sit_down((Player("Ana"), Player("Bo")), "9").transcript


@pytest.fixture
def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def test_every_turn_is_printed(file: Path, text: str) -> None:
    result = run(file.parent, str(file), "--plain", "--steps")
    assert result.exit_code == 0
    assert result.output.count("First edition - turn ") == load(text).last.turn
    assert "First edition: Ana, Bo" in result.output


def test_turn_by_turn(file: Path) -> None:
    result = run(file.parent, str(file), "--plain", typed="\n\nq\n")
    assert result.exit_code == 0
    assert result.output.count("First edition - ") == 3


def test_a_saved_game_is_found_by_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.txt").write_text(text, encoding="utf-8")
    assert run(tmp_path, "mine.txt", "--steps").exit_code == 0


@pytest.fixture
def games(tmp_path: Path, text: str) -> Path:
    """Return a home with a game of each edition, the first edition's being newer."""
    folder = tmp_path / "games"
    folder.mkdir()
    second = sit_down((Player("Ana"), Player("Bo")), "9", edition="master").transcript
    for age, (name, game) in enumerate({"first.txt": text, "second.txt": second}.items()):
        (folder / name).write_text(game, encoding="utf-8", newline="\n")
        os.utime(folder / name, (1_000_000 - age, 1_000_000 - age))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "edition"),
    [((), "First"), (("--edition", "classic"), "First"), (("--edition", "master"), "Second")],
    ids=["any", "classic", "master"],
)
def test_without_a_file_the_newest_game_is_shown_or_the_newest_of_an_edition(
    games: Path, words: tuple[str, ...], edition: str
) -> None:
    result = run(games, *words, "--steps")
    assert result.exit_code == 0
    assert f"{edition} edition: Ana, Bo" in result.output


def test_a_file_of_another_edition_no_such_edition_and_no_game_get_a_sentence(games: Path, tmp_path: Path) -> None:
    assert run(games, "second.txt", "--edition", "master", "--steps").exit_code == 0
    told = run(games, "first.txt", "--edition", "master")
    assert (told.exit_code, "this is not a game of the edition master" in told.stderr) == (1, True)
    assert "there is no edition mastr" in run(games, "--edition", "mastr").stderr
    (games / "games" / "second.txt").unlink()
    assert "there is no such game in" in run(games, "--edition", "master").stderr
    assert "there is no such game in" in run(tmp_path / "nowhere").stderr


def test_a_cut_game_shows_what_holds_and_names_the_line(tmp_path: Path, text: str) -> None:
    cut = text[: text.index("> ", text.index("--- turn 3")) + 9]
    (tmp_path / "cut.txt").write_text(cut, encoding="utf-8", newline="\n")
    result = run(tmp_path, str(tmp_path / "cut.txt"), "--steps")
    assert result.exit_code == 1
    assert "First edition - turn 2" in result.stdout
    assert f"Line {cut.count(chr(10)) + 1} is cut off" in result.stderr


def test_a_damaged_game_shows_what_holds_and_names_the_line(tmp_path: Path, text: str) -> None:
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("--- turn 4")) + 1
    lines[at] = "position: soup\n"
    (tmp_path / "bad.txt").write_text("".join(lines), encoding="utf-8", newline="\n")
    result = run(tmp_path, str(tmp_path / "bad.txt"), "--steps")
    assert result.exit_code == 1
    assert "First edition - turn 3" in result.stdout
    assert f"Line {at + 1}: " in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "soup.txt").write_bytes(b"\xff\xfe soup \x00")
    (tmp_path / "empty.txt").write_bytes(b"")
    for name in ("soup.txt", "empty.txt", "missing.txt", ""):
        result = run(tmp_path, str(tmp_path / name))
        assert result.exit_code == 1
        assert len(result.stderr.splitlines()) == 1
        assert result.stdout == ""
