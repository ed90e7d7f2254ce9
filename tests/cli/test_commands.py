"""Commands that only print: their output, and their answers to bad input."""

from __future__ import annotations

import json
import platform
import re
from importlib.metadata import version
from pathlib import Path

import pytest
from click import UsageError
from click.testing import CliRunner, Result
from wasabi_protocol.signed.codec import VERSION as PROTOCOL_VERSION
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite

from wasabi_tx import __version__
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.cli import COMMANDS, FIRST_COMMANDS, wasabi_tx
from wasabi_tx.cli.usage import say_usage
from wasabi_tx.engine.editions import PACKAGED, edition_text, rules_for
from wasabi_tx.engine.rules import RULES_VERSION
from wasabi_tx.games.transcript import read_transcript
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.store.paths import HOME
from wasabi_tx.text import Texts


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "en")
    return tmp_path


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(wasabi_tx, list(words), input=typed)


@pytest.mark.usefixtures("home")
def test_the_version() -> None:
    assert run("--version").output == f"wasabi-tx, version {__version__}\n"


@pytest.mark.usefixtures("home")
def test_a_bug_report_can_name_all_versions_and_nothing_of_its_person(home: Path) -> None:
    first, *others = run("--version", "--verbose").output.splitlines()
    assert first == f"wasabi-tx, version {__version__}"
    said = dict(line.split(": ", 1) for line in others)
    assert (said["protocol version"], said["rules version"]) == (str(PROTOCOL_VERSION), str(RULES_VERSION))
    assert said["textual"] == version("textual")
    assert said["Python"].startswith(platform.python_version())
    assert str(home) not in "".join(others)
    assert platform.node() not in "".join(others)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["plya"], "there is no command plya; did you mean play?"),
        (["theme"], "there is no command theme; did you mean themes?"),
        (["play", "--bot", "1"], "there is no option --bot; did you mean --bots?"),
        (["xyzzy"], "there is no command xyzzy; see them with: wasabi-tx --help"),
    ],
)
def test_a_slip_of_the_finger_is_told_with_what_was_meant(words: list[str], meant: str) -> None:
    with pytest.raises(UsageError) as slip:
        wasabi_tx.main(words, standalone_mode=False)
    assert say_usage(slip.value, Texts("en")) == meant


def test_editions_shows_which_figures_are_printed_and_which_are_ours(home: Path) -> None:
    del home
    shown = run("editions", "--show", "classic").output
    assert "* ours" in shown
    assert "board: 6* rows, 5 / 6 / 7 columns" in shown
    assert "length 3: x3*, 3* points, style 1\n" in shown, "the cube for style is printed"
    assert "Tekkamaki              Tu Ma*" in shown, "its name is printed, not its strip"
    assert "length 5*: 1 to the drawer, 1 to the pool" in run("editions", "--show", "master").output


@pytest.mark.parametrize("edition", PACKAGED)
def test_editions_speaks_italian(home: Path, tmp_path: Path, edition: str) -> None:
    del home
    template = run("editions", "--template", edition, "--language", "it").output
    mine = tmp_path / "mia.toml"
    mine.write_text(template, encoding="utf-8")
    told = [
        run("editions", "--language", "it").output,
        run("editions", "--check", str(mine), "--language", "it").output.rpartition("/")[2],
        run("editions", "--show", edition, "--language", "it").output,
        template.partition("\nid =")[0],
    ]
    for words in told:
        assert re.search(r"\b(tiles|recipes|points|rows|the|of|first|open|ok)\b", words) is None, words
    assert max(map(len, told[-1].splitlines())) <= 130


@pytest.mark.parametrize("edition", PACKAGED)
def test_a_box_owner_writes_a_template_edits_checks_adds_and_plays_it(home: Path, tmp_path: Path, edition: str) -> None:
    """Follow the template's notes and type in two recipes of the owner's box."""
    del home
    written = run("editions", "--template", edition).output
    assert "wasabi-tx editions --check FILE" in written
    mine = tmp_path / "my-box.toml"
    mine.write_text(written, encoding="utf-8")
    assert run("editions", "--check", str(mine)).output.endswith(": ok\n"), "it can be played as it is"
    edited = written.replace("Carrot Top", "Rabbit Food").replace('strip = "Ca Ma"', 'strip = "Ma Ca"')
    edited = edited.replace("Crab and Go", "Crab Walk").replace('strip = "Cr Ri"', 'strip = "Ri Cr"')
    assert edited != written
    mine.write_text(edited, encoding="utf-8")
    assert run("editions", "--check", str(mine)).output.endswith(": ok\n")
    played = run("play", "--plain", "--edition", str(mine), "--seed", "1", "--name", "Ana", typed="quit\n")
    assert played.exit_code == 0, played.output
    assert f"my-{edition}" in run("editions").output, "it is among the own editions now"
    mine.write_text(edited.replace('id = "my-', 'id = "your-', 1), encoding="utf-8")
    assert f"your-{edition}" in run("editions", "--add", str(mine)).output
    assert f"your-{edition}" in run("editions").output


def test_an_own_edition_needs_an_id_of_its_own_and_must_hold(home: Path, tmp_path: Path) -> None:
    del home
    mine = tmp_path / "mine.toml"
    mine.write_text(edition_text("classic"), encoding="utf-8")
    told = run("play", "--plain", "--edition", str(mine))
    assert (told.exit_code, "its id is classic" in told.output) == (1, True)
    mine.write_text("id = 7", encoding="utf-8")
    assert run("editions", "--add", str(mine)).exit_code == 1
    assert run("editions", "--add", str(tmp_path / "none.toml")).exit_code == 1


@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.usefixtures("home")
def test_editions_lists_and_shows_every_card(edition: str) -> None:
    assert edition in run("editions").output
    shown = run("editions", "--show", edition, "--language", "it")
    rules = rules_for(edition, 2)
    assert shown.exit_code == 0
    for recipe in rules.edition.recipes:
        assert recipe.names["it"] in shown.output
    assert run("editions", "--edition", edition, "--language", "it").output == shown.output, "as other commands say it"


@pytest.mark.usefixtures("home")
def test_what_the_backs_of_recipes_give_is_shown() -> None:
    shown = run("editions", "--show", "master").output
    for line in ("length 2*: 0 to the drawer, 0 to the pool", "length 5*: 1 to the drawer, 1 to the pool"):
        assert line in shown
    assert "to the drawer" not in run("editions", "--show", "classic").output


@pytest.mark.parametrize("option", ["--show", "--edition"])
@pytest.mark.usefixtures("home")
def test_an_edition_that_is_not_there_is_told_with_those_that_are(option: str) -> None:
    told = run("editions", option, "mastr").output
    assert "there is no edition mastr; there are: classic, master" in told


def test_an_edition_of_ones_own_is_found_checked_and_played(home: Path) -> None:
    folder = home / "config" / "editions"
    folder.mkdir(parents=True)
    mine = folder / "mine.toml"
    mine.write_text(edition_text("classic").replace('id = "classic"', 'id = "mine"', 1), encoding="utf-8")
    assert run("editions", "--check", str(mine)).exit_code == 0
    assert "mine" in run("editions").output
    played = run("simulate", "--edition", "mine", "--games", "2", "--json")
    assert json.loads(played.output)["edition"] == "mine"


def test_a_broken_edition_is_told_line_by_line(home: Path) -> None:
    broken = home / "broken.toml"
    text = edition_text("classic").replace("count = 9", "count = 0", 1).replace('code = "Tu"', 'code = "tu"', 1)
    broken.write_text(text, encoding="utf-8")
    told = run("editions", "--check", str(broken))
    assert told.exit_code == 1
    assert "ingredient 1" in told.output
    assert len(told.output.splitlines()) >= 2


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("editions", "--show", "klassic"), 2),
        (("editions", "--check", "/no/such/file"), 1),
        (("simulate", "--edition", "klassic"), 2),
        (("simulate", "--bots", "greedy,cat"), 2),
        (("simulate", "--bots", "random,random,random", "--players", "2"), 2),
        (("simulate", "--players", "5"), 2),
        (("simulate", "--games", "0"), 2),
        (("sushi",), 2),
    ],
)
@pytest.mark.usefixtures("home")
def test_bad_input_is_one_sentence(words: tuple[str, ...], code: int) -> None:
    told = run(*words)
    assert told.exit_code == code
    assert "Traceback" not in told.output
    assert isinstance(told.exception, SystemExit)


@pytest.mark.usefixtures("home")
@pytest.mark.long
def test_simulate_ends_with_one_object_that_adds_up() -> None:
    told = run("simulate", "--games", "6", "--players", "3", "--bots", "greedy,random", "--seed", "s", "--json")
    last = json.loads(told.output.splitlines()[-1])
    keys = "edition games players bots wins wins_by_turn_order draws mean_turns endings mean_scores seconds"
    assert list(last) == keys.split()
    assert last["bots"] == ["greedy", "random", "random"]
    assert sum(last["wins"]) + last["draws"] == last["games"] == sum(last["endings"].values()) == 6
    again = json.loads(
        run("simulate", "--games", "6", "--players", "3", "--bots", "greedy,random", "--seed", "s", "--json").output
    )
    assert {**again, "seconds": 0} == {**last, "seconds": 0}


def test_as_many_play_as_bots_are_named() -> None:
    told = run("simulate", "--games", "1", "--bots", "random,random,random,random", "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.output)["players"] == 4


def test_simulate_writes_transcripts_that_hold(home: Path) -> None:
    folder = home / "out"
    assert run("simulate", "--games", "3", "--bots", "random", "--transcripts", str(folder)).exit_code == 0
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == ["game-1.txt", "game-2.txt", "game-3.txt"]
    for path in files:
        assert read_transcript(path.read_text(encoding="utf-8"), rules_for).last.outcome is not None


def test_simulate_says_when_it_cannot_write(home: Path) -> None:
    taken = home / "file"
    taken.write_text("")
    told = run("simulate", "--games", "1", "--transcripts", str(taken))
    assert told.exit_code == 1
    assert f"cannot be saved in {taken}: something is already there" in told.output


def test_themes_lists_all_and_reports_a_broken_one(home: Path) -> None:
    assert len(run("themes").output.splitlines()) == 8
    (home / "config" / "themes").mkdir(parents=True)
    (home / "config" / "themes" / "bad.toml").write_text("dark = 3")
    told = run("themes")
    assert "izakaya" in told.output
    assert "name" in next(line for line in told.output.splitlines() if "theme bad" in line)


def test_a_local_game_is_exported_as_text_and_as_json(home: Path) -> None:
    run("simulate", "--games", "1", "--bots", "random", "--transcripts", str(home / "out"))
    file = home / "out" / "game-1.txt"
    game = read_transcript(file.read_text(encoding="utf-8"), rules_for)
    names = [player.name for player in game.players]
    lines = run("export", str(file)).output.splitlines()
    assert lines[:3] == ["edition classic", f"seat 1: {names[0]}", f"seat 2: {names[1]}"]
    assert len(lines) == 3 + len(game.moves)
    assert lines[-1].startswith(f"turn {game.last.turn} ")
    head, *moves, result = [json.loads(line) for line in run("export", "--json", str(file)).output.splitlines()]
    assert [seat["name"] for seat in head["seats"]] == names
    steps = [rules_for("classic", 2).parse("; ".join(move["steps"])) for move in moves]
    assert steps == [move.steps for move in game.moves]
    checked = json.loads(run("verify", "--json", str(file)).output)
    assert {**result, "fault": None} == checked
    file.write_text("once upon a time")
    told = run("export", str(file))
    assert told.exit_code == 1
    assert "This is not a saved game" in told.stderr


@pytest.mark.parametrize("text", ["garb", "mqtt://foo", "foo:1883"])
@pytest.mark.parametrize("command", ["join", "watch"])
@pytest.mark.usefixtures("home")
def test_what_is_no_whole_invite_is_told_so_with_what_one_looks_like(command: str, text: str) -> None:
    told = run(command, "--plain", text)
    assert told.exit_code == 1
    assert "invite" in told.stderr
    assert "begins with wasabi:" in told.stderr


@pytest.mark.usefixtures("home")
def test_an_invite_to_a_lobby_says_where_its_tables_are() -> None:
    lobby = format_invite(Invite((Carrier((("127.0.0.1", 1883),)),), "main", ""))
    assert "see what is open there with: wasabi-tx lobby" in run("join", "--plain", lobby).stderr


@pytest.mark.usefixtures("home")
def test_watching_without_a_screen_accepts_what_the_screen_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a code, which leads to the table by the same path with and without a screen."""
    asked: list[str] = []

    async def watch(_tables: OnlineTables, invite: str, *_rest: object) -> OnlineTable:
        asked.append(invite)
        raise Failure("nobody is there")

    monkeypatch.setattr(OnlineTables, "watch", watch)
    for way in ("--headless", "--plain", "--json"):
        assert run("watch", way, "7-octopus-daikon").exit_code == 1
    assert asked == ["7-octopus-daikon"] * 3
    lobby = format_invite(Invite((Carrier((("foo", 1883),)),), "main"))
    assert "see what is open there with: wasabi-tx lobby" in run("join", "--plain", lobby).stderr


@pytest.mark.usefixtures("home")
def test_help_lists_the_ten_commands_that_people_need_and_all_of_them_when_asked() -> None:
    first, alone, every = (run(*words).output for words in (["--help"], ["help"], ["help", "--all"]))
    named = [re.findall(r"(?m)^  ([a-z]+) {2,}", shown.partition("Commands:")[2]) for shown in (first, every)]
    assert named == [list(FIRST_COMMANDS), list(COMMANDS)]
    assert len(FIRST_COMMANDS) == 10
    assert first.rstrip().endswith("more: `wasabi-tx help --all`")
    assert alone == first
