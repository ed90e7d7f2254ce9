"""Tests of `wasabi-tx play`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.plain.typist import load, sit_down
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.games.game import Player
from wasabi_tx.store.transcripts import TranscriptFile
from wasabi_tx.view.table.plain_table import WIDTH

SETUP = "\n" * 4
ENOUGH = "\n" * 12
"""Also for two or three people behind their curtains."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *args: str, typed: str = "", **environment: str) -> Result:
    variables = {"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "", "LC_ALL": "en_US.UTF-8"} | environment
    return CliRunner().invoke(wasabi_tx, ["play", "--as-printed", *args], input=typed, env=variables)


def saved(home: Path) -> list[Path]:
    return sorted((home / "games").glob("*.txt"))


def test_a_game_is_saved_while_it_is_played_and_can_be_continued(home: Path) -> None:
    result = run(home, "--plain", "--name", "Ana", "--rival", "udon", "--seed", "1", typed=SETUP)
    assert result.exit_code == 0
    (file,) = saved(home)
    transcript = load(file.read_text(encoding="utf-8"))
    assert [player.name for player in transcript.players] == ["Ana", "Udon"]
    assert transcript.seed == "1"
    assert transcript.moves
    assert "wasabi-tx resume" in " ".join(result.output.split())


def test_starting_tiles_and_first_recipes_are_dealt_unless_somebody_wants_to_choose(home: Path) -> None:
    variables = {"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "", "LC_ALL": "en_US.UTF-8"}
    words = ["play", "--plain", "--hotseat", "2", "--seed", "1"]

    def asked() -> str:
        return " ".join(CliRunner().invoke(wasabi_tx, words, input="\n", env=variables).output.split())

    assert "Place a tile" in asked()
    words.append("--as-printed")
    assert "Place a tile" not in asked()
    words.pop()
    (home / "config").mkdir()
    (home / "config" / "settings.toml").write_text("as_printed = true\n")
    assert "Place a tile" not in asked()


def test_the_language_is_what_was_asked_for_or_that_of_the_settings_or_of_the_environment(home: Path) -> None:
    settings = home / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)

    def spoken(*args: str, **environment: str) -> str:
        told = run(home, "--plain", "--name", "Ana", "--seed", "1", *args, typed=SETUP, **environment).output
        said = {"en": "Your game is saved", "it": "La partita è salvata"}
        (language,) = (language for language, words in said.items() if words in " ".join(told.split()))
        return language

    assert spoken(LC_ALL="it_IT.UTF-8") == "it"
    assert spoken() == "en"
    settings.write_text('language = "it"\n', encoding="utf-8")
    assert spoken() == "it"
    assert spoken("--language", "en") == "en"
    settings.write_text('language = "xx"\n', encoding="utf-8")
    assert spoken() == "en"


def test_a_whole_game_from_a_pipe(home: Path) -> None:
    """Run it in its own process, with lines that were typed before."""
    typed = sit_down((Player("Ana"), Player("Bo")), "9", language="it").typed
    environment = os.environ | {"WASABI_TX_HOME": str(home), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "wasabi_tx", "play", "--plain", "--hotseat", "2", "--name", "Ana", "--name", "Bo"]
    command.append("--as-printed")
    done = subprocess.run(
        [*command, "--seed", "9", "--language", "it"],
        input="\n".join(typed) + "\n",
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Vince " in done.stdout or "Pareggio " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= WIDTH
    assert "\x1b" not in done.stdout
    assert load(saved(home)[0].read_text(encoding="utf-8")).last.outcome is not None


def test_play_without_plain_plays_line_by_line_too(home: Path) -> None:
    assert "First edition, 2 players." in run(home, "--name", "Ana").output


@pytest.mark.parametrize(
    ("args", "players"),
    [
        ((), ["1", "bot"]),
        (("--bots", "3"), ["1", "bot", "bot", "bot"]),
        (("--hotseat", "3"), ["1", "2", "3"]),
        (("--hotseat", "2", "--bots", "1"), ["1", "2", "bot"]),
    ],
)
def test_who_plays(home: Path, args: tuple[str, ...], players: list[str]) -> None:
    assert run(home, *args, typed=ENOUGH).exit_code == 0
    found = load(saved(home)[0].read_text(encoding="utf-8")).players
    assert ["bot" if player.bot else str(n) for n, player in enumerate(found, 1)] == players
    assert len({player.name for player in found}) == len(found)


@pytest.mark.parametrize(
    ("args", "names"),
    [
        (("--rival", "Udon"), ["Yuki", "Udon"]),
        (("--name", "Ana", "--rival", "Udon"), ["Ana", "Udon"]),
        (("--hotseat", "2"), ["Yuki", "Player 2"]),
        (("--hotseat", "2", "--name", "Ana"), ["Ana", "Player 2"]),
    ],
)
def test_the_first_seat_has_the_name_of_the_settings(home: Path, args: tuple[str, ...], names: list[str]) -> None:
    (home / "config").mkdir(parents=True)
    (home / "config" / "settings.toml").write_text('name = "Yuki"\n')
    assert run(home, "--plain", *args, typed=ENOUGH).exit_code == 0
    assert [player.name for player in load(saved(home)[0].read_text(encoding="utf-8")).players] == names


def test_without_a_name_the_login_is_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "sakura")
    run(home, "--plain", typed=SETUP)
    assert load(saved(home)[0].read_text(encoding="utf-8")).players[0].name == "sakura"


def test_the_second_edition_and_the_level(home: Path) -> None:
    words = ("--edition", "master", "--level", "easy", "--rival", "Ponzu", "--name", "Ana", "--seed", "1")
    result = run(home, *words, typed="Ri a1; gain Ch\n\n")
    assert "Second edition" in result.output
    assert "Ponzu (blocker)" in result.output
    assert load(saved(home)[0].read_text(encoding="utf-8")).players[1].bot == "easy-blocker"


def test_a_level_that_is_not_offered_at_such_a_table_gets_a_sentence(home: Path) -> None:
    refused = run(home, "--edition", "master", "--bots", "3", "--level", "hard")
    assert refused.exit_code == 2
    sentence = "Second edition, as printed, 4 seats: bots of the level hard win no more often than normal ones there"
    assert sentence in refused.output
    assert not saved(home)
    assert run(home, "--edition", "master", "--bots", "1", "--level", "hard").exit_code != 2


def test_the_language_of_the_locale(home: Path) -> None:
    assert "Prima edizione" in run(home, LC_ALL="it_IT.UTF-8").output
    assert "First edition" in run(home, "--language", "en", LC_ALL="it_IT.UTF-8").output


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--hotseat", "4", "--bots", "1"), "2 to 4 can play, and this would be 5 (people 4, bots 1)"),
        (("--hotseat", "1", "--bots", "0"), "2 to 4 can play, and this would be 1 (people 1, bots 0)"),
        (("--bots", "9"), "9 is not in the range"),
        (("--level", "divine"), "divine"),
        (("--edition", "soup"), "there is no edition soup"),
        (("--seed", ""), "a seed is one line"),
        (("--seed", "a\nb"), "a seed is one line"),
        (("--seed", "x" * 65), "a seed is one line"),
        (("--name", "\x1b[2J"), "a name is 1 to 12 printable characters"),
        (("--name", "x" * 13), "a name is 1 to 12 printable characters"),
        (("--name", " "), "a name is 1 to 12 printable characters"),
        (("--name", "Ana", "--name", "Bo"), "2 names are too many"),
        (("--rival", "Udon", "--rival", "Miso"), "bots at this table: 1"),
        (("--bots", "2", "--rival", "Udon", "--rival", "udon"), "each rival plays once"),
        (("--rival", "Wasabi"), "Wasabi"),
        (("--hotseat", "2", "--name", "Ana", "--name", "ana"), "cannot both be called ana"),
        (("--language", "xx"), "xx"),
    ],
)
def test_wrong_usage_is_one_sentence_and_saves_nothing(home: Path, args: tuple[str, ...], sentence: str) -> None:
    result = run(home, *args)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert saved(home) == []


def test_a_folder_that_cannot_be_written_is_one_sentence(home: Path) -> None:
    home.write_text("a file, not a folder")
    result = run(home)
    assert result.exit_code == 1
    assert "the game cannot be saved in" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_disk_that_is_full_is_one_sentence_and_what_was_saved_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = TranscriptFile.append
    written = 0

    def append(self: TranscriptFile, text: str) -> None:
        nonlocal written
        written += 1
        if written > 3:
            raise OSError(28, "No space left on device")
        whole(self, text)

    with monkeypatch.context() as patch:
        patch.setattr(TranscriptFile, "append", append)
        result = run(home, "--seed", "1", typed=SETUP)
    assert result.exit_code == 1
    assert "could not be saved any further: the disk is full" in result.stderr
    assert len(load(saved(home)[0].read_text(encoding="utf-8")).moves) == 1


def test_bots_that_cannot_think_are_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    result = run(home, "--seed", "1", typed=SETUP)
    assert result.exit_code == 1
    assert "The bots stopped answering." in result.stderr
    assert len(load(saved(home)[0].read_text(encoding="utf-8")).moves) == 1
