"""Tests of `wasabi-tx review`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wasabi_tx.cli import wasabi_tx
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games import review
from wasabi_tx.games.arena import play_out


def run(home: Path, *args: str) -> Result:
    env = {"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"}
    return CliRunner().invoke(wasabi_tx, ["review", *args], env=env)


@pytest.fixture(autouse=True)
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review.review_turns, "__defaults__", (4,))


@pytest.fixture(scope="module")
def text() -> str:
    """Return the first turns of a game in which somebody plays at random."""
    whole = play_out(rules_for("classic", 2), ("random", "normal"), "told", 0, record=True).transcript
    return whole[: whole.index("--- turn 9")]


@pytest.fixture
def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def test_every_turn_is_told_then_the_sum_the_luck_and_the_turning_points(file: Path) -> None:
    result = run(file.parent, str(file))
    assert result.exit_code == 0
    words = " ".join(result.output.split())
    assert words.startswith("random's turns in First edition, played by random, normal Turn ")
    assert "missed about" in words
    assert "Points missed in all: about" in words
    assert "Luck: the" in words
    assert "random played:" in words
    assert "First edition - turn " in result.output, "a turning point comes with its table"
    assert max(map(len, result.output.splitlines())) < 80


def test_italians_read_it_in_italian(file: Path) -> None:
    result = run(file.parent, str(file), "--seat", "2", "--language", "it")
    assert result.exit_code == 0
    assert "I turni di normal in Prima edizione" in result.output
    assert "Fortuna: le" in result.output


def test_programs_get_figures(file: Path) -> None:
    lines = [json.loads(line) for line in run(file.parent, str(file), "--json").output.splitlines()]
    *turns, whole = lines
    assert all(turn.keys() == {"turn", "played", "lost", "doubt", "better"} for turn in turns)
    assert whole["lost"] == pytest.approx(sum(turn["lost"] for turn in turns), abs=0.1)
    assert "luck" in whole


def test_what_cannot_be_reviewed_is_said_in_a_sentence(file: Path, tmp_path: Path) -> None:
    assert run(tmp_path, str(file), "--seat", "3").output == "wasabi-tx: there is no seat 3 in this game\n"
    broken = tmp_path / "broken.txt"
    broken.write_text("not a game\n")
    for name in ("broken.txt", "missing.txt"):
        result = run(tmp_path, str(tmp_path / name))
        assert result.exit_code == 1
        assert name in result.output
        assert "Traceback" not in result.output
