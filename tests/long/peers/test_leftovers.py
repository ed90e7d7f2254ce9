"""However a command ends, nothing that it started remains."""

from __future__ import annotations

import signal

import pytest

from tests.brokers import until
from tests.peers.processes import all_gone, descendants
from tests.peers.program import PATIENCE, Program, Programs

ENDS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
OF_A_TERMINAL = [signal.SIGINT, signal.SIGHUP, signal.SIGKILL]


def _opened(program: Program, bots: int) -> None:
    """Wait for its broker and bots: one process for each bot, a leash and the broker itself."""
    program.until(lambda said: said.count("wasabi:") >= 2)
    until(lambda: len(descendants(program.pid)) >= 2 + bots, PATIENCE)


@pytest.mark.parametrize("how", ENDS, ids=lambda how: how.name)
def test_the_broker_of_a_bot_ends_with_it(programs: Programs, how: signal.Signals) -> None:
    program = programs.start("host", "bot", "--new", "--json")
    _opened(program, 0)
    started = descendants(program.pid)
    program.signal(how)
    assert program.ended() == (-signal.SIGKILL if how is signal.SIGKILL else 130)
    assert program.err == ""
    all_gone(started)


@pytest.mark.parametrize("how", OF_A_TERMINAL, ids=lambda how: how.name)
def test_the_broker_and_the_bots_of_a_host_end_with_it(programs: Programs, how: signal.Signals) -> None:
    words = (
        "host",
        "--plain",
        "--seats",
        "4",
        "--bot",
        "any",
        "--bot",
        "any",
        "--bind",
        "127.0.0.1",
        "--port",
        "21900",
        "--for",
        "lobby",
    )
    program = programs.start("host", *words, typed=None)
    _opened(program, 2)
    started = descendants(program.pid)
    program.signal(how)
    assert program.ended() in {signal.SIGKILL: (-signal.SIGKILL,)}.get(how, (0, 130, -how))
    assert "Traceback" not in program.err
    all_gone(started)
