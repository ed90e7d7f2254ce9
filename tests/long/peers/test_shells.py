"""The commands in the README, typed verbatim into real shells, lead to the table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.brokers import RealBroker
from tests.needs import needs
from tests.peers.program import Programs
from tests.ports import own_port
from tests.tui.short import put_short_editions
from tests.tui.terminal import opened
from wasabi_tx.view.online.waiting_room import command_rows

README = Path(__file__).parents[3] / "README.md"
LINES = sorted(set(re.findall(r"`(wasabi-tx (?:join |watch )?INVITE)`", README.read_text(encoding="utf-8"))))
SHELLS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    # Many people turn on these patterns, which give # or ~ a meaning.
    "zsh": ["zsh", "-f", "-o", "extended_glob", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
every_shell = pytest.mark.parametrize(
    "shell", ["bash", *(pytest.param(shell, marks=needs(shell)) for shell in ("zsh", "fish"))]
)
CODE = """
import fcntl, os, termios
# A shell wants to rule its terminal; when it dies, so does what runs in it.
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
words = {words!r}
os.execvp(words[0], words)
"""


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@every_shell
def test_a_line_of_the_readme_joins_the_table(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str, private: bool
) -> None:
    assert len(LINES) == 3, "join, watch, and the invite alone"
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    words = ["--plain", "--edition", "short-classic", "--seats", "4", "--bind", "127.0.0.1"]
    port = str(own_port())
    host = programs.start("ann", "host", *words, "--port", port, *(["--for", "friends"] if private else []), typed=None)
    play, watch = re.findall(r"wasabi:\S+", host.until(lambda said: said.count("wasabi:") == 2))
    for number, line in enumerate(LINES):
        home = tmp_path / f"guest-{number}"
        put_short_editions(home)
        typed = line.replace("INVITE", watch if "watch" in line else play)
        with opened(home, CODE.format(words=SHELLS[shell])) as terminal:
            terminal.type(typed + "\r")
            terminal.until(lambda rows: any("Waiting room" in row for row in rows))
            assert not any("invite" in row.lower() and "not" in row for row in terminal.lines)


@every_shell
@needs("mosquitto")
def test_a_spoken_code_of_the_readme_joins_the_table(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mosquitto_broker: RealBroker, shell: str
) -> None:
    line = "wasabi-tx join 7-octopus-daikon"
    assert f"`{line}`" in README.read_text(encoding="utf-8")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    url = mosquitto_broker.address.url()
    words = ["--plain", "--edition", "short-classic", "--seats", "4", "--for", "friends", "--broker", url]
    host = programs.start("ann", "host", *words, typed=None)
    said = host.until(lambda said: "friends can also type" in said)
    code = re.search(r"wasabi-tx join ([0-9]+-[a-z]+-[a-z]+) --broker", " ".join(said.split()))
    assert code is not None
    home = tmp_path / "guest"
    put_short_editions(home)
    with opened(home, CODE.format(words=SHELLS[shell])) as terminal:
        # The packaged relays are not available here: the room shows where to ask instead.
        terminal.type(line.replace("7-octopus-daikon", code[1]) + f" --broker {url}\r")
        terminal.until(lambda rows: any("Waiting room" in row for row in rows))


def test_ctrl_z_stops_the_screen_and_fg_brings_it_back(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with opened(programs.home("ann"), CODE.format(words=SHELLS["bash"])) as terminal:
        terminal.type("wasabi-tx play --bots 1\r")
        terminal.until(lambda rows: any("squares left" in row for row in rows))
        terminal.type("\x1a")
        terminal.until(lambda rows: any("Stopped" in row for row in rows))
        terminal.type("fg\r")
        terminal.until(lambda rows: any("squares left" in row for row in rows))


def test_a_newcomer_is_asked_for_a_name_before_a_table_and_only_once(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    home = programs.home("ann")
    port = str(own_port())
    line = f"wasabi-tx host --edition short-classic --bind 127.0.0.1 --port {port}\r"
    with opened(home, CODE.format(words=SHELLS["bash"])) as terminal:
        (home / "config" / "settings.toml").unlink()
        terminal.type(line)
        terminal.until(lambda rows: any("Your name" in row for row in rows))
        terminal.type("Annie\r")
        terminal.until(lambda rows: any("1 Annie" in row for row in rows))
    with opened(home, CODE.format(words=SHELLS["bash"])) as terminal:
        terminal.type(line)
        terminal.until(lambda rows: any("Waiting room" in row for row in rows))
    assert "Your name" not in terminal.written.decode(errors="replace")


@every_shell
@pytest.mark.parametrize("width", [20, 40, 79, 80, 200])
def test_the_rows_of_a_command_that_is_wider_than_the_screen_are_one_command_to_a_shell(shell: str, width: int) -> None:
    invite = "wasabi:o36d3tpwwriunuu7oy67t5effbrabcdefghijklmnop234/192.168.7.10:10.8.0.2:2883:.p"
    rows = command_rows(f"printf %s.%s {invite} end", width)
    assert all(len(row) <= width for row in rows)
    assert (len(rows) == 1) == (width == 200)
    quiet = [word for word in SHELLS[shell] if word != "-i"]
    told = subprocess.run([*quiet, "-c", "\n".join(rows)], capture_output=True, text=True, check=True)
    assert told.stdout == f"{invite}.end"
