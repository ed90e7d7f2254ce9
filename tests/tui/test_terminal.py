"""The app in a real pseudo-terminal: whole games read off the screen, and what happens when it is closed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.brokers import PATIENCE
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.transcript import Transcript, read_transcript

from .reader import asked, mine, over, play_on
from .short import any_rules, put_short_editions
from .terminal import HOME, Terminal, opened


def choose(terminal: Terminal, words: str, mouse: bool, keys: str = "") -> None:
    """Choose from a list, by a click on the words or by keys."""
    lines = terminal.until(lambda lines: any(words in line for line in lines))
    y = next(n for n, line in enumerate(lines) if words in line)
    terminal.click(lines[y].index(words), y) if mouse else terminal.type(keys)


def finish(terminal: Terminal, home: Path) -> Transcript:
    """Close the app at the end of a game, and return the game that it has saved."""
    terminal.until(over)
    terminal.type("\x03")
    assert terminal.ended() == 0
    (path,) = (home / "games").iterdir()
    return read_transcript(path.read_text(), any_rules)


def choose_edition(terminal: Terminal, mouse: bool) -> None:
    """Choose the short first edition on the form of a new game, and start it."""
    for shown in ("First edition ›", "Second edition ›"):
        choose(terminal, shown, mouse, "\x1b[C")
    terminal.until(lambda lines: any("Short First edition" in line for line in lines))
    choose(terminal, "Start", mouse, "\r")


def test_a_whole_game_is_played_from_the_home_screen_by_keyboard(tmp_path: Path) -> None:
    with opened(tmp_path, HOME) as terminal:
        choose(terminal, "Play now", mouse=False, keys="\r")
        assert play_on(terminal, mouse=False) == set()
        assert finish(terminal, tmp_path).last.outcome is not None


@pytest.mark.long
def test_a_whole_game_is_played_from_the_home_screen_by_mouse(tmp_path: Path) -> None:
    put_short_editions(tmp_path)
    with opened(tmp_path, HOME) as terminal:
        choose(terminal, "Against bots", mouse=True)
        choose_edition(terminal, mouse=True)
        assert play_on(terminal, mouse=True) == set()
        assert finish(terminal, tmp_path).last.outcome is not None


@pytest.mark.long
@pytest.mark.parametrize("mouse", [False, True], ids=["keyboard", "mouse"])
def test_two_people_at_one_keyboard_play_a_whole_game_with_a_curtain_between_them(tmp_path: Path, mouse: bool) -> None:
    put_short_editions(tmp_path)
    with opened(tmp_path, HOME) as terminal:
        choose(terminal, "One keyboard", mouse, "\x1b[B\x1b[B\r")
        choose_edition(terminal, mouse)
        people = play_on(terminal, mouse)
        saved = finish(terminal, tmp_path)
        assert saved.last.outcome is not None
        assert people == {player.name for player in saved.players}


def test_signals_that_somebody_blocked_are_heard_all_the_same(tmp_path: Path) -> None:
    blocked = {signal.SIGHUP, signal.SIGWINCH}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        with opened(tmp_path, HOME) as terminal:
            terminal.until(lambda lines: any("Play now" in line for line in lines))
            terminal.resize(60, 20)
            terminal.until(lambda lines: len(lines) == 20 and any("Play now" in line for line in lines))
            os.killpg(terminal.child.pid, signal.SIGHUP)
            terminal.ended()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.parametrize("where", ["home", "table"])
def test_a_terminal_that_vanishes_without_a_signal_ends_the_app_too(tmp_path: Path, where: str) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with opened(tmp_path, HOME) as terminal:
            terminal.until(lambda lines: any("Play now" in line for line in lines))
            if where == "table":
                terminal.type("\r")
                terminal.until(mine)
            terminal.vanish()
            assert terminal.child.wait(PATIENCE) == -signal.SIGHUP
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("how", ["ctrl-c", "closed"])
def test_a_game_that_is_cut_short_is_saved(tmp_path: Path, how: str) -> None:
    with opened(tmp_path, HOME) as terminal:
        terminal.until(lambda lines: any("Play now" in line for line in lines))
        terminal.type("\r")
        terminal.until(mine)
        terminal.type("\r\r\r")
        terminal.until(lambda lines: "Your turn is complete" in asked(lines))
        terminal.resize(40, 15)
        terminal.resize(80, 24)
        terminal.type(" ")
        terminal.until(lambda lines: "Draw which length" in asked(lines))
        if how == "ctrl-c":
            terminal.type("\x03")
            assert terminal.ended() == 0
            assert "Traceback" not in "\n".join(terminal.lines)
        else:
            os.killpg(terminal.child.pid, signal.SIGHUP)
            terminal.ended()
    (path,) = (tmp_path / "games").iterdir()
    saved = read_transcript(path.read_text(), rules_for)
    assert any(move.steps[0].verb == "give" and move.seat == 0 for move in saved.moves)
