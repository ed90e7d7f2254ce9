"""Late watchers see the whole game, whatever the broker still retains of it."""

from __future__ import annotations

import os
import signal

from wasabi_protocol.game.record import read_record

from tests.brokers import until
from tests.peers.keeping import forget
from tests.peers.kills import entries
from tests.peers.program import PATIENCE, Programs
from tests.peers.tables import NAMES, agree, open_table

MIDDLE = 20


def test_late_watchers_see_the_whole_game_from_all_part_or_none_of_what_was_retained(programs: Programs) -> None:
    table = open_table(programs, 2, "short-classic")
    table.fill()
    host = programs.home(NAMES[0])
    until(lambda: entries(host) >= MIDDLE, PATIENCE)
    # One seat is stopped, so that the game is not over before everybody has come.
    sleeper = table.others[NAMES[1]]
    os.kill(sleeper.pid, signal.SIGSTOP)
    try:
        keys = sorted({key for key, _ in read_record(table.game(NAMES[0]).read_bytes())[0]})
        # Without a password it can only read what is retained, and never ask.
        table.look("reader")
        for name, forgotten in (("asker-part", keys[:1]), ("asker-none", keys)):
            forget(table.invite, forgotten)
            table.look(name, ask=True)
            until(lambda name=name: entries(programs.home(name)) >= MIDDLE, PATIENCE)  # type: ignore[misc]
    finally:
        os.kill(sleeper.pid, signal.SIGCONT)
    agree(table)
