"""Peers that are killed without warning come back to their seats, and everybody ends with the same game."""

from __future__ import annotations

import json
from random import Random

from tests.brokers import until
from tests.peers.conftest import OwnBroker
from tests.peers.kills import entries, killed_game, seat_of
from tests.peers.program import PATIENCE, Programs
from tests.peers.tables import NAMES, agree, open_table

KILLS = 10


def test_peers_killed_in_the_middle_of_a_game_come_back_and_nobody_contradicts_themselves(
    programs: Programs, own_broker: OwnBroker
) -> None:
    happened = killed_game(programs, own_broker("nats"), 2, "classic", Random("kills"), KILLS, 4)
    assert happened == KILLS


def test_bots_that_were_killed_come_back_by_the_invite_of_their_table(programs: Programs) -> None:
    """Kill the host too, which brings its broker back."""
    table = open_table(programs, 2, "short-classic")
    table.fill()
    words = ("bot", "--json")
    until(lambda: all(entries(programs.home(name)) > 8 for name in NAMES[:2]), PATIENCE)
    for name in NAMES[:2]:
        table.everybody[name].kill()
    table.host, table.host_lines = programs.start(NAMES[0], *words, typed=table.invite + "\n"), 1
    table.others[NAMES[1]] = programs.start(NAMES[1], *words, typed=table.invite + "\n")
    agree(table)
    assert all(seat_of(programs.home(name)) for name in NAMES[:2]), "one seat each"


def test_a_bot_that_came_too_late_leaves_nothing_behind(programs: Programs, own_broker: OwnBroker) -> None:
    table = open_table(programs, 2, "short-classic", broker=own_broker("nats").address.url())
    table.fill()
    until(lambda: all(entries(programs.home(name)) for name in NAMES[:2]), PATIENCE)
    code, late = programs.run("late", "bot", typed=table.invite + "\n")
    assert (code, "began without you" in late.err) == (1, True)
    assert not list((programs.home("late") / "games" / "seats").glob("*.seat"))


def test_a_host_that_comes_back_before_anybody_came_tells_its_invites_again(
    programs: Programs, own_broker: OwnBroker
) -> None:
    table = open_table(programs, 2, "short-classic", broker=own_broker("nats").address.url())
    table.host.kill()
    again = programs.start(NAMES[0], "bot", "--seat", seat_of(programs.home(NAMES[0])), "--json")
    assert json.loads(again.line()) == {"invite": table.invite, "watch": table.watch}
