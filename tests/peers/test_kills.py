"""Peers that are killed without warning come back to their seats, and everybody ends with the same game."""

from __future__ import annotations

from random import Random

from tests.peers.conftest import OwnBroker
from tests.peers.kills import killed_game
from tests.peers.program import Programs

KILLS = 10


def test_peers_killed_in_the_middle_of_a_game_come_back_and_nobody_contradicts_themselves(
    programs: Programs, own_broker: OwnBroker
) -> None:
    happened = killed_game(programs, own_broker("nats"), 2, "short-classic", Random("kills"), KILLS, 4)
    assert happened == KILLS
