"""Peers that are killed without warning come back to their seats, and everybody ends with the same game."""

from __future__ import annotations

import json
from random import Random

from tests.peers.conftest import OwnBroker
from tests.peers.kills import killed_game, seat_of
from tests.peers.program import Programs
from tests.peers.tables import NAMES, open_table

KILLS = 10


def test_peers_killed_in_the_middle_of_a_game_come_back_and_nobody_contradicts_themselves(
    programs: Programs, own_broker: OwnBroker
) -> None:
    happened = killed_game(programs, own_broker("nats"), 2, "short-classic", Random("kills"), KILLS, 4)
    assert happened == KILLS


def test_a_host_that_comes_back_before_anybody_came_tells_its_invites_again(
    programs: Programs, own_broker: OwnBroker
) -> None:
    table = open_table(programs, 2, "short-classic", broker=own_broker("nats").address.url())
    table.host.kill()
    again = programs.start(NAMES[0], "bot", "--seat", seat_of(programs.home(NAMES[0])), "--json")
    assert json.loads(again.line()) == {"invite": table.invite, "watch": table.watch}
