"""A person is called once for an occasion, in the ways that they chose, and nothing secret goes with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.brokers import PATIENCE, until
from tests.peers.program import Program
from tests.web import web_server
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.cli.ringing import Ringer
from wasabi_tx.net.webhook import WebhookFailed, send_webhook
from wasabi_tx.store.seats import write_situation
from wasabi_tx.table.online.keep.situation import Situation
from wasabi_tx.text import Texts
from wasabi_tx.view.online.call import SHAPES, Call, call_message, call_of, terminal_call
from wasabi_tx.view.online.call_settings import EXAMPLE, BadCalls, CallSettings, parse_calls

TEXTS = Texts("en")
MINE = Situation(("Bo", "Chiara"), 9, mine=True)
TURN = Call("turn", "abcdef", ("Bo", "Chiara"), 9)
WRITE_FACTS = "import json, os; json.dump(dict(os.environ), open({file!r}, 'w'))"


def ringer(folder: Path, said: list[str], hour: int = 12, **settings: object) -> Ringer:
    def now() -> datetime:
        return datetime(2026, 3, 10, hour, 30, tzinfo=UTC)

    return Ringer(CallSettings(**settings), folder, TEXTS, said.append, now)  # type: ignore[arg-type]


def test_a_person_is_called_once_for_a_turn_even_by_the_next_keeper(tmp_path: Path) -> None:
    said: list[str] = []
    first = ringer(tmp_path, said)
    assert first.ring(TURN)
    assert not first.ring(TURN)
    first.close()
    second = ringer(tmp_path, said)
    assert not second.ring(TURN)
    assert second.ring(Call("turn", "abcdef", ("Bo", "Chiara"), 12))
    assert second.ring(Call("vote", "abcdef", ("Bo", "Chiara"), 12, "Bo"))
    assert second.ring(Call("turn", "ghijkl", ("Bo",), 12))
    second.close()
    assert len(said) == 4


def test_what_a_person_has_seen_is_not_called_for(tmp_path: Path) -> None:
    said: list[str] = []
    screen = ringer(tmp_path, said)
    screen.seen(TURN)
    assert not ringer(tmp_path, said).ring(TURN)
    screen.close()
    assert said == []


@pytest.mark.parametrize("still", [True, False])
def test_in_quiet_hours_a_call_waits_and_comes_only_if_it_is_still_true(tmp_path: Path, still: bool) -> None:
    said: list[str] = []
    hours = parse_calls('quiet = "22:30-07:00"').quiet
    night = ringer(tmp_path, said, 23, quiet=hours)
    write_situation(tmp_path, "abcdefgh", MINE.dump())
    call = call_of("abcdefgh", MINE)
    assert call is not None
    assert not night.ring(call)
    night.tick()
    if not still:
        write_situation(tmp_path, "abcdefgh", Situation(("Bo",), 10, mine=False, waits_for=("Bo",)).dump())
    night._now = lambda: datetime(2026, 3, 11, 7, 0, tzinfo=UTC)
    night.tick()
    night.close()
    assert len(said) == (1 if still else 0)


def test_quiet_hours_go_over_midnight_or_not() -> None:
    night, noon = parse_calls('quiet = "22:30-07:00"').quiet, parse_calls('quiet = "12:00-13:00"').quiet
    assert night is not None
    assert noon is not None
    for hour, minute, quiet in ((22, 29, False), (22, 30, True), (3, 0, True), (6, 59, True), (7, 0, False)):
        assert night.cover(datetime(2026, 3, 10, hour, minute, tzinfo=UTC).time()) == quiet
    assert [noon.cover(datetime(2026, 3, 10, hour, tzinfo=UTC).time()) for hour in (11, 12, 13)] == [False, True, False]


def test_a_command_gets_the_facts_and_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_BROKER", "mqtt://me:secret@host")
    monkeypatch.setenv("WASABI_TX_INVITE", "wasabi:secret")
    file = tmp_path / "facts"
    code = WRITE_FACTS.format(file=str(file))
    calling = ringer(tmp_path, [], terminal=False, command=(sys.executable, "-c", code))
    calling.ring(TURN)
    calling.close()
    facts = json.loads(file.read_text())
    assert facts["WASABI_TX_CALL"] == "turn"
    assert facts["WASABI_TX_CALL_TEXT"] == "Your move: turn 9 with Bo, Chiara"
    assert (facts["WASABI_TX_CALL_TABLE"], facts["WASABI_TX_CALL_TURN"]) == ("abcdef", "9")
    assert not facts.keys() & {"WASABI_TX_BROKER", "WASABI_TX_INVITE"}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_webhook_gets_the_shape_that_its_service_takes(tmp_path: Path, shape: str) -> None:
    with web_server() as web:
        calling = ringer(tmp_path, [], terminal=False, webhook=f"{web.url}/topic", shape=shape)
        calling.ring(TURN)
        calling.close()
        (posted,) = web.posted
    assert posted.path == "/topic"
    text = "Your move: turn 9 with Bo, Chiara"
    match shape:
        case "ntfy":
            assert (posted.body.decode(), posted.headers["Title"]) == (text, "Wasabi TX")
        case "discord":
            assert json.loads(posted.body) == {"content": text, "allowed_mentions": {"parse": []}}
        case "slack":
            assert json.loads(posted.body) == {"text": text}
        case _:
            assert json.loads(posted.body)["names"] == ["Bo", "Chiara"]


def test_a_name_calls_nobody_in_a_chat() -> None:
    call = Call("turn", "abcdef", ("<!channel> & co",), 9)
    assert b"<!channel>" not in call_message("slack", call, TEXTS)[1]


@pytest.mark.parametrize("code", [302, 404, 500])
def test_a_webhook_that_does_not_work_says_so_and_leads_nowhere_else(code: int) -> None:
    with web_server() as web:
        web.answers = code
        with pytest.raises(WebhookFailed) as failed:
            send_webhook(web.url, {}, b"x")
        assert failed.value.reason == f"HTTP {code}"
        assert len(web.posted) == 1
    with pytest.raises(WebhookFailed):
        send_webhook(web.url, {}, b"x")


def test_a_call_in_a_terminal_is_one_notification_and_one_bell_whatever_a_name_holds() -> None:
    assert terminal_call("a;b", "xterm-256color", False) == "\x1b]9;a,b\x07\x07"
    assert terminal_call("a", "rxvt-unicode", False) == "\x1b]777;notify;Wasabi TX;a\x07\x07"
    assert terminal_call("a", "screen", True) == "\x1bPtmux;\x1b\x1b]9;a\x07\x1b\\\x07"
    assert terminal_call("x\x1b]0;y\x07z", "xterm", False).count("\x1b") == 1


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("soup = 1", "soup"),
        ('command = "ls"', "command"),
        ("command = [1]", "command"),
        ('terminal = "yes"', "terminal"),
        ('webhook = "ftp://x"', "webhook"),
        ("webhook = 3", "webhook"),
        ('webhook = "file:///etc/passwd"', "webhook"),
        ('shape = "sushi"', "shape"),
        ('quiet = "always"', "quiet"),
        ('quiet = "25:00-07:00"', "quiet"),
        ("terminal =", ""),
    ],
)
def test_what_is_wrong_in_the_file_is_named(text: str, key: str) -> None:
    with pytest.raises(BadCalls) as bad:
        parse_calls(text)
    assert bad.value.key == key
    assert bool(bad.value.line) == (not key)


def test_the_example_is_a_good_file_that_does_nothing_new_until_one_chooses() -> None:
    assert parse_calls(EXAMPLE) == CallSettings()
    assert max(map(len, EXAMPLE.splitlines())) < 80
    settings = parse_calls(re.sub(r"^# (\w+ = )", r"\1", EXAMPLE, flags=re.MULTILINE))
    assert settings.terminal
    assert settings.desktop
    assert settings.quiet is not None
    assert settings.command[0] == "sh"
    assert settings.webhook.startswith("https://")
    assert "ntfy.sh" not in repr(settings)


def run(home: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(wasabi_tx, ["keep", *words], env={"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"})
    return result.exit_code, result.output


def test_keep_ring_tries_every_way_and_says_which_failed(tmp_path: Path) -> None:
    code, shown = run(tmp_path, "--ring")
    assert (code, "calls.toml" in shown, "terminal: done" in shown) == (0, True, True)
    assert EXAMPLE in shown
    (tmp_path / "config").mkdir()
    with web_server() as web:
        file = tmp_path / "config" / "calls.toml"
        file.write_text(f'terminal = false\ncommand = ["false"]\nwebhook = "{web.url}"\nshape = "json"\n')
        code, shown = run(tmp_path, "--ring")
        assert code == 1
        assert "command: " in shown
        assert "webhook: done" in shown
        assert len(web.posted) == 1
    file.write_text("shape = 3\n")
    code, shown = run(tmp_path, "--ring")
    assert (code, "shape cannot be that" in shown) == (1, True)
    assert run(tmp_path)[0] == 1, "a keeper says it at once"


def test_keep_rings_in_a_real_terminal(tmp_path: Path) -> None:
    program = Program(tmp_path, ["keep", "--ring"], typed=None, terminal=True)
    said = program.until(lambda said: "terminal: done" in said)
    assert "\x1b]9;Your move, turn 9 with Ana, Bo\x07\x07" in said.replace(": turn", ", turn")
    assert program.ended() == 0


def test_a_second_keeper_is_told_that_there_is_one(tmp_path: Path) -> None:
    first = Program(tmp_path, ["keep", "--json"], typed=None)
    lock = tmp_path / "games" / "seats" / "keeper.lock"
    until(lock.exists, PATIENCE)
    code, shown = run(tmp_path)
    assert (code, "running already" in shown) == (1, True)
    first.kill()


@pytest.mark.parametrize(("language", "words"), [("en", "Write this to"), ("it", "Scrivi questo in")])
def test_install_help_names_all_three_systems(tmp_path: Path, language: str, words: str) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.toml").write_text(f'language = "{language}"\n')
    code, shown = run(tmp_path, "--install-help")
    assert shown.count(words) == 2, "in the language of the settings"
    assert code == 0
    assert max(map(len, shown.splitlines())) <= 80, "nothing is broken where somebody copies it"
    assert all(word in shown for word in ("systemctl --user", "launchctl", "Register-ScheduledTask", "wasabi-tx keep"))


DAEMON = Path(__file__).parent / "notification_daemon.py"


def test_a_desktop_shows_the_call(tmp_path: Path) -> None:
    """A daemon of ours takes the desktop's place on a bus of its own."""
    pytest.importorskip("desktop_notifier")
    if shutil.which("dbus-run-session") is None:
        pytest.skip("there is no D-Bus here")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "calls.toml").write_text("terminal = false\ndesktop = true\n")
    words = ["dbus-run-session", "--", sys.executable, str(DAEMON), sys.executable, "-m", "wasabi_tx", "keep", "--ring"]
    home = os.environ | {"WASABI_TX_HOME": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=home)
    assert "desktop: done" in done.stdout, done.stderr
    assert "shown: Wasabi TX | Your move: turn 9 with Ana, Bo" in done.stdout
    alone = subprocess.run(["dbus-run-session", "--", *words[4:]], capture_output=True, text=True, timeout=60, env=home)
    assert alone.returncode == 1, "nothing shows it there"
    assert "desktop: " in alone.stderr
    assert "Traceback" not in alone.stderr
