"""A person is notified once for an occasion, in the ways that they chose, and nothing secret goes with it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from tests.brokers import PATIENCE, until
from tests.needs import needs
from tests.peers.program import Program
from tests.web_server import web_server
from wasabi_tx.app import ringing
from wasabi_tx.app.call_settings import EXAMPLE, BadCalls, CallSettings, parse_calls
from wasabi_tx.app.ringing import Ringer
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.games.plans import NO_PLANS, NotPlayed, Plans
from wasabi_tx.net.webhook import WebhookFailed, send_webhook
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.situation import Situation
from wasabi_tx.store.seat_notes import SITUATION, write_note
from wasabi_tx.text import Texts
from wasabi_tx.view.online.call import (
    SHAPES,
    Call,
    call_facts,
    call_message,
    call_of,
    desktop_call,
    say_call,
    terminal_call,
)

TEXTS = Texts("en")
MINE = Situation(("Bo", "Chiara"), 9, mine=True)
TURN = Call("turn", "abcdef", ("Bo", "Chiara"), 9)
WRITE_FACTS = "import json, os; json.dump(dict(os.environ), open({file!r}, 'w'))"


def ringer(folder: Path, said: list[str], hour: int = 12, **settings: object) -> Ringer:
    def now() -> datetime:
        return datetime(2026, 3, 10, hour, 30, tzinfo=UTC)

    return Ringer(CallSettings(**settings), folder, TEXTS, said.append, now)  # type: ignore[arg-type]


def finish(calling: Ringer) -> None:
    """Close it when all pending notifications are done."""
    calling._thread.submit(lambda: None).result(PATIENCE)
    calling.close()


def test_a_person_is_called_once_for_a_turn_even_by_the_next_keeper(tmp_path: Path) -> None:
    said: list[str] = []
    first = ringer(tmp_path, said)
    assert first.ring(TURN)
    assert not first.ring(TURN)
    finish(first)
    second = ringer(tmp_path, said)
    assert not second.ring(TURN)
    assert second.ring(Call("turn", "abcdef", ("Bo", "Chiara"), 12))
    assert second.ring(Call("vote", "abcdef", ("Bo", "Chiara"), 12, "Bo"))
    assert second.ring(Call("turn", "ghijkl", ("Bo",), 12))
    finish(second)
    assert len(said) == 4


def noted(games: Path, situation: Situation, when: int) -> None:
    """Save this situation with the time since when it has existed."""
    FileDisk(games, "abcdefgh").note(situation)
    os.utime(games / "seats" / "abcdefgh.situation", (when, when))


@pytest.mark.parametrize(("called", "goes_on", "again"), [(1000, 1050, False), (1000, 5000, True), (4990, 5000, False)])
def test_who_could_not_go_on_is_called_to_the_rest_of_the_turn_unless_that_was_just_done(
    tmp_path: Path, called: int, goes_on: int, again: bool
) -> None:
    """Turn up a card in mid-turn; its last share arrives at once, or an hour later."""
    said: list[str] = []
    calling, call = ringer(tmp_path, said), call_of("abcdefgh", MINE)
    assert call is not None
    noted(tmp_path, MINE, 1000)
    assert calling.ring(call)
    os.utime(tmp_path / "seats" / "abcdefgh.called", (called, called))
    noted(tmp_path, replace(MINE, mine=False, waits_for=("Bo",)), 1010)
    noted(tmp_path, MINE, goes_on)
    assert calling.ring(call) == again
    assert not calling.ring(call)
    finish(calling)
    assert len(said) == (2 if again else 1)


def test_a_screen_that_is_quicker_than_the_note_of_the_situation_calls_too(tmp_path: Path) -> None:
    calling, call = ringer(tmp_path, []), call_of("abcdefgh", MINE)
    assert call is not None
    noted(tmp_path, MINE, 1000)
    calling.seen(call)
    os.utime(tmp_path / "seats" / "abcdefgh.called", (1000, 1000))
    assert not calling.ring(call)
    noted(tmp_path, replace(MINE, mine=False, waits_for=("Bo",)), 1010)
    assert calling.ring(call)
    assert not calling.ring(call)
    finish(calling)


def test_two_tables_whose_names_begin_alike_are_two(tmp_path: Path) -> None:
    calling = ringer(tmp_path, [])
    for seat, rung in (("abcdefgh", True), ("abcdefij", True), ("abcdefgh", False)):
        call = call_of(seat, MINE)
        assert call is not None
        assert (call.table, calling.ring(call)) == ("abcdef", rung)
    finish(calling)


def test_what_a_person_has_seen_is_not_called_for(tmp_path: Path) -> None:
    said: list[str] = []
    screen = ringer(tmp_path, said)
    screen.seen(TURN)
    assert not ringer(tmp_path, said).ring(TURN)
    finish(screen)
    assert said == []


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("left", [NO_PLANS, Plans(not_played=NotPlayed(9, "square", "d3"))], ids=["nothing", "unfit"])
def test_in_quiet_hours_a_call_waits_and_comes_only_if_it_is_still_true(
    tmp_path: Path, left: Plans, still: bool
) -> None:
    said: list[str] = []
    hours = parse_calls('quiet = "22:30-07:00"').quiet
    night = ringer(tmp_path, said, 23, quiet=hours)
    write_note(tmp_path, "abcdefgh", SITUATION, MINE.dump())
    call = call_of("abcdefgh", MINE, left)
    assert call is not None
    assert not night.ring(call)
    night.tick()
    if not still:
        write_note(tmp_path, "abcdefgh", SITUATION, Situation(("Bo",), 10, mine=False, waits_for=("Bo",)).dump())
    night._now = lambda: datetime(2026, 3, 11, 7, 0, tzinfo=UTC)
    night.tick()
    finish(night)
    assert len(said) == (1 if still else 0)


def test_in_quiet_hours_nobody_hears_that_a_table_is_out_of_reach_and_the_turn_is_not_forgotten(tmp_path: Path) -> None:
    said: list[str] = []
    calling = ringer(tmp_path, said, 23, quiet=parse_calls('quiet = "22:30-07:00"').quiet)
    cut_off = Call("cut-off", "abcdef", ("Bo", "Chiara"))
    assert not calling.ring(cut_off)
    calling._now = lambda: datetime(2026, 3, 11, 7, 0, tzinfo=UTC)
    calling.tick()
    assert calling.ring(TURN)
    assert calling.ring(cut_off)
    assert not calling.ring(TURN)
    finish(calling)
    assert "Your keeper cannot reach the table with Bo, Chiara" in said[-1]


def test_quiet_hours_go_over_midnight_or_not() -> None:
    night, noon = parse_calls('quiet = "22:30-07:00"').quiet, parse_calls('quiet = "12:00-13:00"').quiet
    assert night is not None
    assert noon is not None
    for hour, minute, quiet in ((22, 29, False), (22, 30, True), (3, 0, True), (6, 59, True), (7, 0, False)):
        assert night.cover(datetime(2026, 3, 10, hour, minute, tzinfo=UTC).time()) == quiet
    assert [noon.cover(datetime(2026, 3, 10, hour, tzinfo=UTC).time()) for hour in (11, 12, 13)] == [False, True, False]


class SlowWay:
    """A terminal whose first notification takes as long as the test needs."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.going_on = threading.Event()

    def write(self, text: str) -> None:
        self.said.append(text)
        self.going_on.wait(PATIENCE)


def test_a_newer_call_takes_the_place_of_one_that_has_not_been_made(tmp_path: Path) -> None:
    way = SlowWay()
    calling = Ringer(CallSettings(), tmp_path, TEXTS, way.write)
    calling.ring(Call("turn", "slow", ("Bo",), 1))
    until(lambda: bool(way.said), PATIENCE)
    for turn in (3, 6, 9):
        assert calling.ring(Call("turn", "abcdefgh", ("Bo",), turn))
    calling.ring(Call("turn", "ghijkl", ("Chiara",), 2))
    way.going_on.set()
    finish(calling)
    assert [re.findall(r"turn \d+", text) for text in way.said] == [["turn 1"], ["turn 9"], ["turn 2"]]


def test_who_closes_waits_for_one_call_alone_and_the_next_keeper_makes_the_others(tmp_path: Path) -> None:
    way, other = SlowWay(), Call("turn", "abcdefgh", ("Bo",), 9)
    calling = Ringer(CallSettings(), tmp_path, TEXTS, way.write)
    calling.ring(Call("turn", "slow", ("Bo",), 1))
    until(lambda: bool(way.said), PATIENCE)
    calling.ring(other)
    with ThreadPoolExecutor(1) as thread:
        closing = thread.submit(calling.close)
        until(lambda: calling._thread._shutdown and not calling._thread._shutdown_lock.locked(), PATIENCE)
        way.going_on.set()
        closing.result(PATIENCE)
    assert len(way.said) == 1
    again = Ringer(CallSettings(), tmp_path, TEXTS, way.write)
    assert again.ring(other)
    finish(again)


def test_a_command_gets_the_facts_and_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_BROKER", "mqtt://me:secret@host")
    monkeypatch.setenv("WASABI_TX_INVITE", "wasabi:secret")
    monkeypatch.setenv("WASABI_TX_BROKER_PASSWORD", "secret")
    monkeypatch.setenv("WASABI_TX_CALL_OF_OLD", "secret")
    file = tmp_path / "facts"
    code = WRITE_FACTS.format(file=str(file))
    calling = ringer(tmp_path, [], terminal=False, command=(sys.executable, "-c", code))
    calling.ring(TURN)
    finish(calling)
    facts = json.loads(file.read_text())
    assert facts["WASABI_TX_CALL"] == "turn"
    assert facts["WASABI_TX_CALL_TEXT"] == "Your move: turn 9 with Bo, Chiara"
    assert (facts["WASABI_TX_CALL_TABLE"], facts["WASABI_TX_CALL_TURN"]) == ("abcdef", "9")
    ours = {name for name in facts if name.startswith("WASABI_TX_")}
    assert ours == call_facts(TURN, TEXTS).keys()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_webhook_gets_the_shape_that_its_service_takes(tmp_path: Path, shape: str) -> None:
    with web_server() as web:
        calling = ringer(tmp_path, [], terminal=False, webhook=f"{web.url}/topic", shape=shape)
        calling.ring(TURN)
        finish(calling)
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


@pytest.mark.parametrize("name", ["<!channel> & co", "<http://e.co|Bo>"])
def test_a_name_calls_nobody_in_slack_and_is_no_link(name: str) -> None:
    said = json.loads(call_message("slack", Call("turn", "abcdef", (name,), 9), TEXTS)[1])["text"]
    assert not set("<>") & set(said)
    assert unescape(said).endswith(name)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("[Bo](http://e.co/x)", r"\[Bo\]\(http\:\/\/e\.co\/x\)"),
        ("@everyone", r"\@everyone"),
        ("**Bo** ||_b_||", r"\*\*Bo\*\* \|\|\_b\_\|\|"),
        ("\\", "\\\\"),
        ("Bò 2", "Bò 2"),
    ],
)
def test_a_name_is_only_a_name_in_discord(name: str, written: str) -> None:
    for call in (Call("turn", "abcdef", (name,), 9), Call("vote", "abcdef", ("Bo",), 9, name)):
        said = json.loads(call_message("discord", call, TEXTS)[1])
        assert written in said["content"]
        assert said["content"] == say_call(call, TEXTS).replace(name, written)
        assert said["allowed_mentions"] == {"parse": []}


def test_a_name_is_only_a_name_on_the_desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    class DesktopNotifier:
        def __init__(self, app_name: str) -> None:
            del app_name

        async def send(self, _title: str, message: str) -> None:
            sent.append(message)

    monkeypatch.setitem(sys.modules, "desktop_notifier", SimpleNamespace(DesktopNotifier=DesktopNotifier))
    calling = ringer(tmp_path, [], terminal=False, desktop=True)
    calling.ring(Call("turn", "abcdef", ("<a href='//e.co'>Bo</a>",), 9))
    finish(calling)
    assert sent == [desktop_call("Your move: turn 9 with <a href='//e.co'>Bo</a>", sys.platform)]
    assert desktop_call("<b> & co", "linux") == "&lt;b&gt; &amp; co"
    assert desktop_call("<b> & co", "darwin") == desktop_call("<b> & co", "win32") == "<b> & co"


SECRET = "https://ntfy.sh/a-long-word-that-only-you-know"


@pytest.mark.parametrize(
    ("settings", "logged"),
    [
        ({"command": (sys.executable, "-c", "raise SystemExit(7)", SECRET)}, "the call by command failed: exit code 7"),
        ({"command": (sys.executable, "-c", "input()", SECRET)}, "the call by command failed: TimeoutExpired"),
        ({"command": (SECRET,)}, "the call by command failed: No such file or directory"),
        ({"webhook": "http://127.0.0.1:1/a long word"}, "the call by webhook failed: InvalidURL"),
        ({"webhook": "http://127.0.0.1:long/"}, "the call by webhook failed: InvalidURL"),
    ],
)
def test_the_log_holds_no_word_of_a_command_or_an_address(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: dict[str, Any],
    logged: str,
) -> None:
    if "Timeout" in logged:
        monkeypatch.setattr(ringing, "COMMAND_SECONDS", 0.0)
    calling = ringer(tmp_path, [], terminal=False, **settings)
    calling.ring(TURN)
    finish(calling)
    assert caplog.messages == [logged]


def test_one_way_that_fails_stops_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def write(_text: str) -> None:
        raise UnicodeEncodeError("ascii", "ö", 0, 1, "ordinal not in range")

    with web_server() as web:
        calling = Ringer(CallSettings(webhook=web.url), tmp_path, TEXTS, write)
        calling.ring(TURN)
        finish(calling)
        assert len(web.posted) == 1
    assert caplog.messages == ["the call by terminal failed: UnicodeEncodeError"]


def test_a_name_that_the_locale_cannot_write_is_no_reason_not_to_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "facts"
    command = (sys.executable, "-c", WRITE_FACTS.format(file=str(file)))
    written = TextIOWrapper(BytesIO(), encoding="ascii")
    monkeypatch.setattr(written, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "ascii")
    calling = Ringer(CallSettings(command=command), tmp_path, TEXTS)
    calling.ring(Call("turn", "abcdefgh", ("Zoë", "日本"), 9))
    finish(calling)
    written.seek(0)
    assert "Your move: turn 9 with Zo?, ??" in written.read()
    assert json.loads(file.read_text())["WASABI_TX_CALL_NAMES"] == "Zo?, ??"


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


@pytest.mark.skipif(os.name != "posix", reason="the example is for a shell")
@pytest.mark.parametrize("name", [r"\033]0;x\007", "*", r"Bo\c", "$(id)", "`id`", "%s%n", "-n", '"; id; "'])
def test_in_the_example_a_name_is_nothing_but_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (line,) = re.findall(r"^# (command = .*)", EXAMPLE, flags=re.MULTILINE)
    assert "| mail ana" in line
    calling = ringer(tmp_path, [], terminal=False, command=parse_calls(line.replace("mail ana", "cat > mail")).command)
    calling.ring(Call("turn", "abcdefgh", (name,), 9))
    finish(calling)
    assert (tmp_path / "mail").read_text() == f"Your move: turn 9 with {name}\n"


def run(home: Path, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(wasabi_tx, ["keep", *words], env={"WASABI_TX_HOME": str(home), "WASABI_TX_LANG": "en"})
    return result.exit_code, result.output


def test_keep_ring_tries_every_way_and_says_which_failed(tmp_path: Path) -> None:
    code, shown = run(tmp_path, "--ring")
    assert (code, "calls.toml" in shown, "terminal: this is not a terminal" in shown) == (0, True, True)
    assert EXAMPLE in shown
    (tmp_path / "config").mkdir()
    with web_server() as web:
        file = tmp_path / "config" / "calls.toml"
        file.write_text(f'terminal = false\ncommand = ["false"]\nwebhook = "{web.url}"\nshape = "json"\n')
        code, shown = run(tmp_path, "--ring")
        assert code == 1
        assert "command: it ended with exit code 1" in shown
        assert "webhook: done" in shown
        (posted,) = web.posted
        assert json.loads(posted.body)["text"] == "This is a test. Your move: turn 9 with Ana, Bo"
    file.write_text("shape = 3\n")
    code, shown = run(tmp_path, "--ring")
    assert (code, "shape cannot be that" in shown, EXAMPLE in shown) == (1, True, True)
    file.write_text("webhok = 3\n")
    settings = "webhok is not a setting; there are terminal, desktop, command, webhook, shape, quiet"
    assert settings in run(tmp_path, "--ring")[1]
    assert run(tmp_path)[0] == 1, "a keeper says it at once"
    file.write_text("terminal = false\n")
    assert "turns every way off" in run(tmp_path, "--ring")[1]


def test_keep_ring_says_which_package_a_desktop_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "desktop_notifier", None)
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "calls.toml").write_text("desktop = true\n")
    code, shown = run(tmp_path, "--ring")
    assert (code, "desktop: a package is missing: pip install 'wasabi-tx[desktop]'" in shown) == (1, True)


def test_a_running_keeper_reads_the_file_when_it_has_changed(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    program = Program(tmp_path, ["keep"], typed=None)
    program.line()
    (tmp_path / "config" / "calls.toml").write_text("webhok = 3\n")
    until(lambda: "webhok is not a setting" in program.err, PATIENCE)
    program.kill()


def test_keep_rings_in_a_real_terminal(tmp_path: Path) -> None:
    program = Program(tmp_path, ["keep", "--ring"], typed=None, terminal=True)
    said = program.until(lambda said: "terminal: done" in said)
    assert "\x1b]9;This is a test. Your move: turn 9 with Ana, Bo\x07\x07" in said
    assert program.ended() == 0


def test_a_second_keeper_is_told_that_there_is_one(tmp_path: Path) -> None:
    first = Program(tmp_path, ["keep", "--json"], typed=None)
    lock = tmp_path / "games" / "seats" / "keeper.lock"
    until(lock.exists, PATIENCE)
    code, shown = run(tmp_path)
    assert (code, "running already" in shown) == (1, True)
    first.kill()


DAEMON = Path(__file__).parent / "notification_daemon.py"


@needs("dbus-run-session", "desktop_notifier")
def test_a_desktop_shows_the_call(tmp_path: Path) -> None:
    """Replace the desktop with our own daemon on its own bus."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "calls.toml").write_text("terminal = false\ndesktop = true\n")
    words = ["dbus-run-session", "--", sys.executable, str(DAEMON), sys.executable, "-m", "wasabi_tx", "keep", "--ring"]
    home = os.environ | {"WASABI_TX_HOME": str(tmp_path)}
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=home)
    assert "desktop: done" in done.stdout, done.stderr
    assert "shown: Wasabi TX | This is a test. Your move: turn 9 with Ana, Bo" in done.stdout
    alone = subprocess.run(["dbus-run-session", "--", *words[4:]], capture_output=True, text=True, timeout=60, env=home)
    assert alone.returncode == 1, "nothing shows it there"
    assert "desktop: " in alone.stderr
    assert "Traceback" not in alone.stderr
