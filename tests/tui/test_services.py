"""Settings, themes and games on disk, as the app finds them."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from wasabi_tx.app.failure import Failure
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.settings import Settings, change_settings, parse_settings
from wasabi_tx.app.values import GameWish, UnfinishedGames
from wasabi_tx.cli.commands.themes import themes
from wasabi_tx.engine.scores import all_scores
from wasabi_tx.text import Texts
from wasabi_tx.view.names import BY_LOT, PERSON, RIVALS

from .memory_games import play_until


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    "settings",
    [
        Settings(),
        Settings("it", "washi", "emoji", True, "fast", False),
        Settings(keys={"book": "ctrl+b", "hint": 'z,"'}),
    ],
)
def test_settings_survive_being_written_and_read(settings: Settings) -> None:
    assert parse_settings(change_settings("", settings)) == (settings, [])


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('theme = "washi"\nlanguage = "xx"\n', 2, "language"),
        ("\n\nbell = 3\n", 3, "bell"),
        ('theme = "../../etc"\n', 1, "theme"),
        ("colour = 1\n", 1, "colour"),
        ("[keys]\nbook = 1\n", 2, "keys.book"),
        ('theme = "washi\n', 1, ""),
    ],
)
def test_what_is_wrong_in_the_settings_is_named_with_its_line_and_ignored(text: str, line: int, key: str) -> None:
    settings, wrong = parse_settings(text)
    assert [(one.line, one.key) for one in wrong] == [(line, key)]
    assert settings.language == ""


def test_the_desk_keeps_settings_and_reports_broken_ones(home: Path) -> None:
    games = LocalGames("en")
    assert games.settings() == (Settings(), [])
    games.save_settings(Settings(theme="washi"))
    assert LocalGames("en").settings() == (Settings(theme="washi"), [])
    (home / "config" / "settings.toml").write_bytes(b"\xff\xfe[[[")
    settings, problems = games.settings()
    assert settings == Settings()
    assert len(problems) == 1
    assert "line 1" in problems[0]


def test_a_broken_theme_is_reported_and_the_others_work(home: Path) -> None:
    folder = home / "config" / "themes"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('name = { en = "Mine", it = "Mio" }\n[base]\ntext = "#fff"\n')
    (folder / "other.toml").write_text('name = { en = "Other", it = "Altro" }\n')
    found, problems = LocalGames("en").themes()
    assert found[0].id == "omakase"
    assert "other" in [theme.id for theme in found]
    assert len(found) == 9
    assert len(problems) == 1
    assert "mine" in problems[0]
    result = CliRunner().invoke(themes, ["--language", "it"])
    assert result.exit_code == 0
    assert "* omakase" in result.stdout
    assert "Altro" in result.stdout
    assert "mine" in result.stderr


async def test_a_game_is_started_closed_listed_and_resumed(home: Path) -> None:
    texts = Texts("en")
    games = LocalGames("en")
    opened = games.start(GameWish("classic", (PERSON,)), texts)
    assert games.saved(texts)[0].words.endswith(": 0, turn 1"), "with everybody's points"
    play_until(opened.game, 3)
    await opened.game.close()
    opened.close()
    (saved,) = games.saved(texts)
    assert not saved.finished
    moment = datetime.fromisoformat("2026-11-16T13:17:04").astimezone().timestamp()
    os.utime(home / "games" / saved.name, (moment, moment))
    assert games.saved(texts)[0].words.startswith("2026-11-16 13:17  First edition, ")
    again = games.resume(saved.name, texts)
    assert again.game.position.turn == opened.game.position.turn
    assert again.earlier is not None
    rematch = games.again(again, texts)
    assert rematch.game.position.first == (again.game.position.first + 1) % 2, "the next seat starts"
    again.close()
    rematch.close()
    assert len(list((home / "games").iterdir())) == 1, "nobody has moved in the rematch"


def test_a_game_is_played_under_the_name_of_the_settings(home: Path) -> None:
    assert home.exists()
    games = LocalGames("en")
    games.save_settings(Settings(name="Yuki"))
    opened = games.start(GameWish("classic", (PERSON, BY_LOT)), Texts("en"))
    opened.close()
    *people, rival = [player.name for player in opened.game.players]
    assert people == ["Yuki", "Player 2"]
    assert rival in RIVALS


@pytest.mark.usefixtures("home")
def test_what_cannot_be_had_is_refused_with_a_sentence() -> None:
    games, texts = LocalGames("en"), Texts("en")
    with pytest.raises(Failure):
        games.read("nothing.txt", texts)
    with pytest.raises(Failure):
        games.start(GameWish("nowhere"), texts)


def test_a_level_that_is_not_offered_at_such_a_table_is_refused_and_nothing_is_saved(home: Path) -> None:
    with pytest.raises(Failure, match="4 posti: lì i bot di livello difficile"):
        LocalGames("it").start(GameWish("master", (BY_LOT,) * 3, "hard"), Texts("it"))
    assert not list(home.glob("games/*.txt"))


async def test_a_game_without_a_move_of_ours_leaves_no_file_and_any_other_can_be_deleted(home: Path) -> None:
    texts, games = Texts("en"), LocalGames("en")
    opened = games.start(GameWish(), texts)
    await opened.game.close()
    opened.close()
    opened.close()
    assert games.saved(texts) == []
    assert not list((home / "games").iterdir())
    played_on = games.start(GameWish("classic", (PERSON,)), texts)
    play_until(played_on.game, 2)
    played_on.close()
    (saved,) = games.saved(texts)
    again = games.resume(saved.name, texts)
    again.close()
    assert len(games.saved(texts)) == 1, "it had a move before"
    games.delete(saved.name)
    assert games.saved(texts) == []


async def test_the_newest_unfinished_game_is_offered_and_a_finished_or_broken_one_is_not(home: Path) -> None:
    texts, games = Texts("en"), LocalGames("en")
    assert games.unfinished(texts) == UnfinishedGames()
    opened = games.start(GameWish("classic", ("Udon",)), texts)
    play_until(opened.game, 3)
    await opened.game.close()
    opened.close()
    left = games.unfinished(texts)
    assert left.count == 1
    assert left.newest is not None
    assert left.newest.partners == "Udon"
    turn = opened.game.position.turn
    you, udon = all_scores(opened.game.position)
    points = f"{you} : {udon}"
    assert left.newest.hints == (f"Udon, turn {turn}, {points}", f"turn {turn}, {points}", points)
    assert left.newest.about == f"First edition, turn {turn} · You: {you}, Udon: {udon}"
    (home / "games" / "later.txt").write_text("wasabi-tx transcript 9\n")
    os.utime(home / "games" / "later.txt", (2e9, 2e9))
    assert games.unfinished(texts) == left, "what cannot be read is not offered"
    path = home / "games" / left.newest.name
    path.write_text(path.read_text() + "\n--- end\n")
    assert games.unfinished(texts).newest is None
