"""Strangers' text in files, names and arguments reaches no terminal raw, whichever command shows it."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.invites import open_invite
from tests.tui.terminal import Terminal, opened
from tests.tui.tiny import tiny_rules, tiny_text
from wasabi_tx.games.game import Player
from wasabi_tx.games.local import LocalGame

NEEDLE = "n33dle"
RAW = ("\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "\x9d52;c;b3c=\x9c", "\u202e", "\u2066", "\u200b")
MARKUP = "[@click=app.exit][bold]"
TAINT = NEEDLE + "".join(RAW) + MARKUP
OBEYED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
RUN = """
import os, sys
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
from wasabi_tx.cli import run
for number, words in enumerate({commands!r}):
    print("=== " + str(number) + " ===", flush=True)
    sys.argv = ["wasabi-tx", *words]
    try:
        run()
    except SystemExit:
        pass
print("=== end ===", flush=True)
"""


def toml(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def transcript(name: str, torn: bool = False) -> str:
    """Return a saved game whose second player has this name."""
    written: list[str] = []
    LocalGame(tiny_rules("tiny", 2), (Player("Ana"), Player("Bo", "easy")), "1", written.append)
    text = "".join(written)
    assert "seat 2: bot easy Bo" in text
    return text.replace("seat 2: bot easy Bo", f"seat 2: bot easy {name}") + (f"> 1: {name}\n" if torn else "")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home in which everything that can come from strangers is hostile, even its own name."""
    home = tmp_path / TAINT
    for folder in ("config/editions", "config/themes", "games"):
        (home / folder).mkdir(parents=True)
    editions, themes, games = home / "config/editions", home / "config/themes", home / "games"
    (editions / "tiny.toml").write_text(tiny_text())
    (editions / f"{TAINT}.toml").write_text(
        tiny_text().replace('strip = "', f'strip = "{NEEDLE}\\u001b[2J\\u009b31m\\u202e ', 1)
    )
    (editions / "broken.toml").write_text(f"{TAINT} = ")
    (editions / "named.toml").write_text(tiny_text().replace('en = "Tiny ', f"en = {toml(TAINT)[:-1]}", 1))
    (editions / "markup.toml").write_text(tiny_text().replace('en = "Tiny First edition', f'en = "{NEEDLE}{MARKUP}', 1))
    (themes / f"{TAINT}.toml").write_text(f"[base]\n{toml(TAINT)} = {toml(TAINT)}\n")
    (themes / "fine.toml").write_text(f"name = {{ en = {toml(TAINT)}, it = {toml(TAINT)} }}\n")
    (themes / "broken.toml").write_text(f"{TAINT} = ")
    (games / f"{TAINT}.txt").write_text(transcript(TAINT))
    (games / "fault.txt").write_text(transcript(TAINT, torn=True))
    (games / "foreign.txt").write_text(f"wasabi-tx transcript 1\nedition: {TAINT} 00\nplayers: 2\n")
    (games / "foreign.wasabi").write_text(TAINT)
    return home


def said_by(home: Path, commands: list[list[str]], **environment: str) -> list[str]:
    """Return what each command wrote to a terminal, byte for byte."""
    with opened(home, RUN.format(commands=commands), (80, 24), "", TERM="dumb", **environment) as terminal:
        assert terminal.ended() == 0
        terminal.settle()
        text = terminal.written.decode("utf-8", errors="surrogateescape").replace("\r\n", "\n")
    parts = text.split("=== ")[1:]
    assert len(parts) == len(commands) + 1, text
    return [part.partition("===\n")[2] for part in parts[:-1]]


def obeyed(text: str) -> list[str]:
    """Return the characters that a terminal obeys, or that nobody sees."""
    return [repr(char) for char in text if char != "\n" and unicodedata.category(char) in OBEYED]


def test_files_of_strangers(home: Path) -> None:
    games = home / "games"
    files = [str(games / name) for name in (f"{TAINT}.txt", "fault.txt", "foreign.txt", "foreign.wasabi")]
    commands = [
        ["doctor"],
        ["doctor", "--json"],
        ["editions"],
        *(["editions", "--check", str(path)] for path in sorted((home / "config/editions").iterdir())),
        *(["editions", "--show", path.stem] for path in sorted((home / "config/editions").iterdir())),
        ["themes"],
        *([command, file] for command in ("verify", "export", "resume") for file in files),
        *([command, "--json", file] for command in ("verify", "export") for file in files),
        *(["replay", "--steps", file] for file in files),
        ["resume", "--list"],
        ["play", "--plain", "--edition", TAINT],
        ["play", "--plain", "--edition", "named"],
    ]
    silent = []
    for words, said in zip(commands, said_by(home, commands, NO_COLOR="1"), strict=True):
        assert obeyed(said) == [], (words, said)
        assert "should not" not in said, (words, said)
        if NEEDLE not in said:
            silent.append(words[:2])
    # The strangers' text comes through, cleaned, wherever a command shows it.
    assert [words for words in silent if words != ["verify", "--json"]] == [["editions", "--show"]] * 2


def test_arguments_that_were_pasted(home: Path) -> None:
    whole = open_invite("127.0.0.1", 1)
    commands = [
        [TAINT],
        [f"--{TAINT}"],
        ["play", f"--{TAINT}"],
        ["play", "--plain", "--name", TAINT],
        ["play", "--plain", "--seed", TAINT],
        ["play", "--level", TAINT],
        ["play", "--bots", TAINT],
        ["simulate", "--bots", TAINT],
        ["simulate", "--games", "1", "--transcripts", f"/proc/{TAINT}"],
        *([command, word] for command in ("join", "watch", "bot") for word in (TAINT, whole + TAINT, f"{TAINT}://x")),
        *(["lobby", word] for word in (TAINT, f"mqtt://{TAINT}", f"mqtt://x:{TAINT}", f"{TAINT}://x")),
        ["resume", TAINT],
        ["verify", TAINT],
        ["export", TAINT],
        ["replay", TAINT],
        ["editions", "--show", TAINT],
        ["host", "--plain", "--edition", TAINT],
        ["broker", "--engine", TAINT],
    ]
    for words, said in zip(commands, said_by(home, commands), strict=True):
        assert said
        assert obeyed(said) == [], (words, said)
        assert "should not" not in said, (words, said)


def on_screen(terminal: Terminal, *expected: str) -> None:
    """Wait for these words; nothing of the taint may have reached the terminal."""
    terminal.until(lambda lines: all(any(one in line for line in lines) for one in expected))
    terminal.settle()
    written = terminal.written.decode("utf-8", errors="surrogateescape")
    assert [one for one in RAW if one in written] == []


@pytest.mark.grid
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ("Play now",)),
        (["replay", "games/{taint}.txt"], (NEEDLE,)),
        (["resume", "games/{taint}.txt"], (NEEDLE,)),
        (["play", "--edition", "markup"], (NEEDLE,)),
    ],
    ids=["home", "replay", "resume", "play"],
)
def test_screens(home: Path, words: list[str], expected: tuple[str, ...]) -> None:
    argv = [word.replace("games/{taint}", str(home / "games" / TAINT)) for word in words]
    code = f"import sys; sys.argv = {['wasabi-tx', *argv]!r}; from wasabi_tx.cli import run; run()"
    with opened(home, code) as terminal:
        (home / "config/settings.toml").write_text(f"name = {toml(TAINT)}\n{toml(TAINT)} = {toml(TAINT)}\n")
        on_screen(terminal, *expected)
        terminal.type("\x03")
        terminal.ended()
