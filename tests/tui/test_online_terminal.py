"""Tables online in real pseudo-terminals over the embedded broker, by keyboard alone, through whatever goes wrong."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import takewhile
from pathlib import Path

import pytest

from tests.net.proxy import Mode, Proxy
from tests.ports import own_port
from wasabi_tx.games.threaded import TableThread
from wasabi_tx.online.invites import read_invite, ways_of
from wasabi_tx.online.result import check_record

from .reader import answer, asks, over
from .terminal import Terminal, opened
from .tiny import NAME, put_tiny_edition, tiny_rules

pytestmark = pytest.mark.long
CODE = "import sys; sys.argv = ['wasabi-tx', *{words!r}]; from wasabi_tx.cli import run; run()"


@contextmanager
def command(home: Path, *words: str) -> Iterator[Terminal]:
    put_tiny_edition(home)
    with opened(home, CODE.format(words=[*words, "--language", "en"])) as terminal:
        yield terminal


def shown(terminal: Terminal, words: str) -> list[str]:
    return terminal.until(lambda lines: any(words in line for line in lines))


def invite_in(lines: list[str], which: str) -> str:
    """Return the invite below its heading, with its lines joined at the backslashes as a shell does."""
    at = next(number for number, line in enumerate(lines) if which in line)
    rows = takewhile(lambda line: line[:1].strip(), lines[at + 1 :])
    invite = "".join(row.rstrip().removesuffix("\\") for row in rows)
    assert invite.startswith("wasabi-tx wasabi:"), "\n".join(lines)
    return invite.split()[1]


class Table:
    """Everybody at their own terminal; whoever is asked something answers."""

    def __init__(self, *terminals: Terminal) -> None:
        self.terminals = list(terminals)

    def play(self, moves: int) -> bool:
        """Give this number of answers, or fewer if the game ends; return whether it has ended."""
        while moves > 0:
            if all(over(terminal.lines) for terminal in self.terminals):
                return True
            for terminal in self.terminals:
                terminal.settle()
                lines = list(terminal.lines)
                if asks(lines):
                    answer(terminal, lines, mouse=False)
                    terminal.until(lambda now, lines=lines: now[1:] != lines[1:] or not asks(now))  # type: ignore[misc]
                    moves -= 1
                else:
                    terminal.read(0.02)
        return False


@pytest.mark.parametrize("bots", [0, 1], ids=["two people", "two people and a bot"])
def test_a_game_between_terminals_survives_a_cut_cable_and_a_killed_program(tmp_path: Path, bots: int) -> None:
    ana, bo, eve = (tmp_path / name for name in ("ana", "bo", "eve"))
    port = str(own_port())
    # These players press Enter wherever it suggests something.
    table = ("--edition", NAME, "--seats", str(2 + bots), "--allow", "hints", *(["--bot", "easy"] if bots else []))
    thread = TableThread()
    with ExitStack() as stack:
        stack.callback(thread.close)
        host = stack.enter_context(
            command(ana, "host", *table, "--bind", "127.0.0.1", "--port", port, "--name", "Ana", "--for", "lobby")
        )
        lines = shown(host, "q quit")
        invite, watch = invite_in(lines, "To play"), invite_in(lines, "To watch")
        proxy = Proxy(ways_of(read_invite(invite))[0][0])
        thread.call(proxy.__aenter__())
        stack.callback(lambda: thread.call(proxy.__aexit__(None, None, None)))
        through = f"mqtt://127.0.0.1:{proxy.address.port}"
        guest = stack.enter_context(command(bo, "join", invite, "--broker", through, "--name", "Bo"))
        shown(host, "squares left")
        shown(guest, "squares left")
        watcher = stack.enter_context(command(eve, "watch", watch))
        shown(watcher, "squares left")
        people = Table(host, guest)
        assert not people.play(12)
        before = proxy.connections
        thread.call(proxy.set(Mode.RESET))
        thread.call(proxy.set(Mode.PASS))
        thread.call(proxy.connected(before + 1))
        assert not people.play(12)
        os.killpg(guest.child.pid, signal.SIGKILL)
        guest.ended()
        back = stack.enter_context(command(bo, "resume"))
        shown(back, "squares left")
        assert Table(host, back).play(900)
        watcher.until(over)
        for terminal in (host, back, watcher):
            terminal.type("\x03")
            assert terminal.ended() == 0
    checked = [check_record(path.read_bytes(), tiny_rules) for path in _games(ana, bo, eve)]
    assert len(checked) == 3 + bots
    assert len({str(one.result) for one in checked}) == 1
    assert all(one.result is not None and one.result.settled for one in checked)


def test_who_comes_too_late_reads_why_in_the_shell_and_has_nothing_to_resume(tmp_path: Path) -> None:
    ana, eve = tmp_path / "ana", tmp_path / "eve"
    port = str(own_port())
    table = ("--edition", NAME, "--bot", "any", "--bind", "127.0.0.1", "--port", port)
    with command(ana, "host", *table) as host:
        invite = invite_in(shown(host, "q quit"), "To play")
        shown(host, "squares left")
        with command(eve, "join", invite) as late:
            assert late.ended() == 1
            late.settle()
            assert any("began without you" in line for line in late.lines)
            assert not any("resume" in line for line in late.lines)
        with command(eve, "resume") as again:
            assert again.ended() == 1, "there is none"
        host.type("\x03")
        host.ended()


def _games(*homes: Path) -> list[Path]:
    """Return everybody's game files, including those of bots and watchers."""
    return [path for home in homes for path in (home / "games").glob("*.wasabi")]
