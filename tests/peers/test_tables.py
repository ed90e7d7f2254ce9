"""Whole games among processes: everybody ends with the same game, and a listener learns nothing."""

from __future__ import annotations

import pytest

from tests.needs import needs
from tests.peers.conftest import OwnBroker
from tests.peers.matrix import FEW, MOSQUITTO, Case, play
from tests.peers.program import Programs


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=needs(MOSQUITTO) if case.broker == MOSQUITTO else (), id=str(case)) for case in FEW],
)
def test_everybody_ends_with_the_same_verified_game(case: Case, programs: Programs, own_broker: OwnBroker) -> None:
    broker = own_broker(MOSQUITTO).address.url() if case.broker == MOSQUITTO else None
    play(case, programs, broker)
