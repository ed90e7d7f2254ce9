"""Tests of `wasabi-tx resume`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.invites import open_invite
from tests.plain.typist import load, sit_down
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.games.game import Player
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.seat import SavedSeat
from wasabi_tx.online.saved.situation import Situation

TWO = (Player("Ana"), Player("Bo"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    return tmp_path


def run(home: Path, *args: str, typed: str = "") -> Result:
    return CliRunner().invoke(
        wasabi_tx, ["resume", *args], input=typed, env={"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    )


def save(home: Path, name: str, text: str, age: int = 0) -> Path:
    path = home / "games" / name
    path.write_text(text, encoding="utf-8", newline="\n")
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


@pytest.fixture(scope="module")
def whole() -> tuple[list[str], str]:
    sitting = sit_down(TWO, "9")
    return sitting.typed, sitting.transcript


def test_a_game_goes_on_to_the_same_end(home: Path, whole: tuple[list[str], str]) -> None:
    """Cut it in the middle of a line; the lines typed for the missing part are typed again."""
    typed, text = whole
    cut = text[: text.index("--- turn 6") + 300]
    path = save(home, "one.txt", cut)
    done = len(load(cut).moves)
    bundles = [line for line in typed if line]
    curtains = {0: "\n", 1: "\n\n"}
    lines, seated = "", None
    movers = [move.seat for move in load(text).moves]
    for number in range(done, len(movers)):
        if movers[number] != seated:
            lines += curtains[int(seated is not None)]
            seated = movers[number]
        lines += f"{bundles[number]}\n\n"
    result = run(home, "--plain", typed=lines)
    assert result.exit_code == 0
    assert "You are back in turn 6." in result.output
    assert path.read_text(encoding="utf-8") == text


def test_the_newest_unfinished_game_is_taken(home: Path, whole: tuple[list[str], str]) -> None:
    _, text = whole
    save(home, "finished.txt", text, age=0)
    save(home, "newer.txt", text[: text.index("--- turn 4")], age=5)
    save(home, "older.txt", text[: text.index("--- turn 2")], age=9)
    assert "You are back in turn 4." in run(home).output
    assert "You are back in turn 2." in run(home, "older.txt").output
    assert "You are back in turn 2." in run(home, str(home / "games" / "older.txt")).output


def test_unfinished_games_are_listed(home: Path, whole: tuple[list[str], str]) -> None:
    _, text = whole
    save(home, "finished.txt", text)
    save(home, "newer.txt", text[: text.index("--- turn 4")], age=5)
    save(home, "soup.txt", "soup\n", age=9)
    result = run(home, "--list")
    assert result.stdout == "newer.txt  First edition, Ana, Bo, turn 4\n"
    assert "soup.txt: This is not a saved game" in result.stderr
    assert result.exit_code == 0


def test_what_cannot_be_continued_is_one_sentence(home: Path, whole: tuple[list[str], str]) -> None:
    _, text = whole
    nothing = run(home)
    assert (nothing.exit_code, "no unfinished game" in nothing.stderr) == (1, True)
    save(home, "finished.txt", text)
    over = run(home, "finished.txt")
    assert (over.exit_code, "this game is over" in over.stderr) == (1, True)
    missing = run(home, "missing.txt")
    assert (missing.exit_code, "there is no such file" in missing.stderr) == (1, True)
    folder = run(home, str(home))
    assert (folder.exit_code, "it is a folder" in folder.stderr) == (1, True)
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith("> "))
    before = save(home, "damaged.txt", "".join([*lines[:at], "> 1: place Tu z9\n"]))
    damaged = run(home, "damaged.txt")
    assert (damaged.exit_code, f"Line {at + 1}: " in damaged.stderr) == (1, True)
    assert before.read_text(encoding="utf-8").endswith("> 1: place Tu z9\n")
    for result in (nothing, over, missing, folder, damaged):
        assert len(result.stderr.splitlines()) == 1


def test_a_word_that_is_no_game_and_an_empty_list_are_one_sentence_each(home: Path) -> None:
    missing = run(home, "zzz")
    assert (missing.exit_code, missing.stderr) == (
        1,
        "wasabi-tx: zzz: there is no such game or table here; wasabi-tx resume --list names those that wait\n",
    )
    empty = run(home, "--list")
    assert (empty.exit_code, empty.stdout, "no unfinished game" in empty.stderr) == (0, "", True)


def test_games_online_are_listed_with_whose_move_it_is_and_first_what_waits_for_us(home: Path) -> None:
    seat = SavedSeat("", "Ana", b"", b"", b"", record="x")
    mine, theirs = Situation(("Bo", "Chiara"), 9, mine=True), Situation(("Dario",), 3, mine=False, waits_for=("Dario",))
    for name, situation in (("aaaaaaaa", theirs), ("bbbbbbbb", mine)):
        disk = FileDisk(home / "games", name)
        disk.save_seat(seat)
        disk.note(situation)
        os.utime(home / "games" / "seats" / f"{name}.situation", (1000, 1000))
    first, second = run(home, "--list").stdout.splitlines()
    assert first.startswith("bbbbbb  Bo, Chiara · turn 9 · your move for ")
    assert second.startswith("aaaaaa  Dario · turn 3 · Dario's move, seen ")


def test_a_seat_whose_invite_leads_nowhere_is_listed_all_the_same(home: Path) -> None:
    for name, invite in (("aaaaaaaa", ""), ("bbbbbbbb", open_invite("127.0.0.1", table="b" * 26))):
        FileDisk(home / "games", name).save_seat(SavedSeat(invite, "Ana", b"", b"", b""))
    result = run(home, "--list")
    assert result.exit_code == 0
    assert set(result.stdout.splitlines()) == {
        "aaaaaa  Ana at a table online, ?",
        "bbbbbb  Ana at a table online, 127.0.0.1:1883",
    }


def test_a_table_online_is_resumed_by_a_beginning_that_no_other_has(home: Path) -> None:
    for name in ("abcdefgh", "abcdefgi"):
        FileDisk(home / "games", name).save_seat(SavedSeat("", "Ana", b"", b"", b""))
    several = run(home, "ABCDEF", "--plain")
    assert several.exit_code == 1
    assert several.stderr == "wasabi-tx: several tables begin like that: abcdefgh, abcdefgi; type more of the name\n"
    one = run(home, "abcdefgi", "--plain")
    assert (one.exit_code, "several" in one.stderr) == (1, False), "its invite leads nowhere"
