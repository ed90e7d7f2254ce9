"""A seat goes from its keeper to a screen and back, and no kill on the way costs a move or leaves a lock."""

from __future__ import annotations

from tests.peers.conftest import OwnBroker
from tests.peers.hand_over import evening
from tests.peers.program import Programs


def test_keeper_and_screens_hand_a_seat_over_through_kills(programs: Programs, own_broker: OwnBroker) -> None:
    ways = ["kill-asked-keeper", "play", "kill-moved", "kill-asking"]
    found = evening(programs, own_broker("nats"), "short-classic", ways)
    assert len(found.took) == 3
