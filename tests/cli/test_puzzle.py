"""Tests of `wasabi-tx puzzle`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wasabi_tx.cli import wasabi_tx
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.arena import play_out
from wasabi_tx.games.review import turns_of
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.puzzles.judge import today
from wasabi_tx.puzzles.own_game import gained, puzzles_in
from wasabi_tx.puzzles.puzzle import find_puzzle, puzzles_of_day


def run(home: Path, *args: str, typed: str = "") -> Result:
    env = {"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    return CliRunner().invoke(wasabi_tx, ["puzzle", *args], env=env, input=typed)


def test_today_s_puzzle_is_asked_and_its_stars_are_kept(tmp_path: Path) -> None:
    result = run(tmp_path, "--plain", typed="pass 6\n\nquit\n")
    assert result.exit_code == 0
    assert f"Puzzle {today()}: " in result.output
    assert f"Wasabi TX puzzle {today()} ☆☆☆" in result.output
    (kept,) = tmp_path.rglob("progress.json")
    assert json.loads(kept.read_text())["puzzles"] == {today().isoformat(): 0}


@pytest.mark.parametrize(
    ("args", "name"),
    [
        (("7",), "classic 7"),
        (("--edition", "master", "7"), "master 7"),
        (("--day", "2026-11-17"), "2026-11-17"),
        (("--edition", "master", "--day", "2026-11-17"), "master 2026-11-17"),
    ],
)
def test_a_number_a_day_and_an_edition_can_be_asked_for(tmp_path: Path, args: tuple[str, ...], name: str) -> None:
    assert f"Puzzle {name}: " in run(tmp_path, "--plain", *args).output


def test_a_seed_gives_the_same_puzzle_to_everybody(tmp_path: Path) -> None:
    one, other = (run(tmp_path, "--plain", "--seed", "friends").output for _ in range(2))
    assert one == other
    assert one.startswith("Puzzle classic ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("151",), "puzzles from 1 to 150"),
        (("--day", "tomorrow"), "like 2026-11-17"),
        (("3", "--seed", "x"), "only one of"),
        (("--from", "nothing.txt"), "nothing.txt"),
    ],
)
def test_what_cannot_be_gets_a_sentence(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    result = run(tmp_path, "--plain", *args)
    assert result.exit_code != 0
    assert words in result.output
    assert "Traceback" not in result.output


def test_turns_of_an_own_game_are_puzzles(tmp_path: Path) -> None:
    text = play_out(rules_for("classic", 2), ("random", "normal"), "told", 0, record=True).transcript
    (tmp_path / "game.txt").write_text(text, encoding="utf-8", newline="\n")
    game = read_transcript(text, rules_for).record
    found = list(puzzles_in(game, 0, str))
    assert found
    moves = {str(move.before.turn): move for move in turns_of(game, 0)}
    assert all(one.gain > gained(game, moves[one.name]) for one in found)
    result = run(tmp_path, "--plain", "--from", str(tmp_path / "game.txt"), "--seat", "1")
    assert f"Puzzle turn {found[0].name} of game.txt: Find the best turn" in result.output
    assert "wrong seat" not in result.output
    assert run(tmp_path, "--plain", "--from", str(tmp_path / "game.txt"), "--seat", "3").exit_code != 0


def test_the_day_s_puzzle_is_one_of_the_numbered_ones() -> None:
    daily = next(puzzles_of_day("classic", today()))
    assert daily.best in {find_puzzle("classic", number).best for number in range(1, 151)}
