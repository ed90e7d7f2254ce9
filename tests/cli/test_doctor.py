"""`wasabi-tx doctor`: its findings, and its warnings when something would prevent playing."""

from __future__ import annotations

import json
import os
import re
import select
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.brokers import PATIENCE, RealBroker
from wasabi_tx.app.machine import BROKER
from wasabi_tx.app.terminal import count_colours
from wasabi_tx.cli import wasabi_tx
from wasabi_tx.cli.commands.doctor import FOLDERS
from wasabi_tx.store.paths import HOME, find_paths


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME, str(tmp_path))
    monkeypatch.setenv("WASABI_TX_LANG", "it")
    monkeypatch.delenv(BROKER, raising=False)
    return tmp_path


def doctor(*words: str) -> Result:
    return CliRunner().invoke(wasabi_tx, ["doctor", *words])


def test_the_embedded_broker_is_started_and_found_fit(home: Path) -> None:
    told = doctor("--json")
    assert told.exit_code == 0
    report = json.loads(told.output)
    assert report["ok"] is True
    assert report["embedded"]["can_play"]
    assert report["embedded"]["retained"]
    assert report["embedded"]["watchers_only_watch"]
    assert report["embedded"]["largest_payload"] >= 32_000
    assert report["engines"]["nats"]["version"] == "2.15.1"
    assert {report["folders"][name] for name in FOLDERS} == {str(path) for path in places(home)}
    assert report["terminal"]["interactive"] is False
    assert "broker" not in report


def places(home: Path) -> list[Path]:
    paths = find_paths()
    found = [paths.config, paths.editions, paths.themes, paths.games, paths.log]
    assert all(path.is_relative_to(home) for path in found)
    return found


def test_it_lists_where_things_are_kept(home: Path) -> None:
    told = doctor().output
    assert all(str(path) in told for path in places(home))


def test_a_broker_is_examined_and_its_password_not_shown(nats_broker: RealBroker) -> None:
    told = doctor("--broker", nats_broker.address.url())
    assert told.exit_code == 0
    last = told.output.splitlines()[-1]
    assert re.match(r"ok +broker +mqtt://play@127\.0\.0\.1:\d+: connected in .* round trip .* retained messages", last)
    assert nats_broker.settings.password not in told.output


@pytest.mark.parametrize(
    ("change", "reason", "said"),
    [
        ({"password": "wrong"}, "password", "does not accept this password"),
        ({"port": 1}, "unreachable", "cannot be reached"),
    ],
)
def test_what_is_wrong_with_a_broker_is_said_and_the_exit_code_is_1(
    nats_broker: RealBroker, monkeypatch: pytest.MonkeyPatch, change: dict[str, object], reason: str, said: str
) -> None:
    from dataclasses import replace

    monkeypatch.setenv(BROKER, replace(nats_broker.address, **change).url())  # type: ignore[arg-type]
    told = doctor("--json")
    assert told.exit_code == 1
    report = json.loads(told.output)
    assert report["ok"] is False
    assert report["embedded"]["ok"] is True
    assert report["broker"]["reason"] == reason
    assert said in report["broker"]["problem"]


def test_a_broker_where_one_can_only_watch(nats_broker: RealBroker) -> None:
    told = doctor("--broker", nats_broker.watching.url())
    assert told.exit_code == 1
    assert "one can watch there, but not play" in told.output
    assert "WRONG broker" in told.output


def test_a_bad_address_is_one_sentence() -> None:
    told = doctor("--broker", "http://example.org")
    assert told.exit_code == 1
    assert "the address of a broker begins with mqtt://" in told.output


def test_a_folder_that_cannot_be_written_is_wrong(home: Path) -> None:
    (home / "games").write_text("a file")
    told = doctor()
    assert told.exit_code == 1
    assert "cannot be written to" in told.output


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 1 << 24),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "xterm"}, 16),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 0),
    ],
)
def test_colours_are_counted_from_the_environment(environment: dict[str, str], colours: int) -> None:
    assert count_colours(environment) == colours


MEASURE = "from wasabi_tx.app import terminal; {} print(repr(terminal.measure_glyphs('a★🍣')))"


def on_terminal(answers: bool) -> str:
    """Return what the measuring prints on a terminal that draws everything one column too wide, or never answers."""
    import pty

    # A terminal answers at once; this one when the machine has time for it.
    patient = f"terminal.PATIENCE = {PATIENCE};" if answers else ""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", MEASURE.format(patient)])
    said = b""
    try:
        while select.select([terminal], [], [], PATIENCE)[0]:
            try:
                new = os.read(terminal, 4_096)
            except OSError:
                break
            if not new:
                break
            said += new
            for glyph in re.findall(rb"\r([^\r\x1b]+)\x1b\[6n", new):
                width = {"a": 1, "★": 1, "🍣": 2}[glyph.decode()]
                if answers:
                    os.write(terminal, b"\x1b[7;%dR" % (width + 2))
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    return said.decode()


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo terminal")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_glyphs_are_measured_by_asking_the_terminal() -> None:
    assert "{'a': 2, '★': 2, '🍣': 3}" in on_terminal(answers=True)
    assert "None" in on_terminal(answers=False)
