"""A broker that is killed in the middle of a game comes back, and the game goes on to its end."""

from __future__ import annotations

import os
import signal

from tests.brokers import until
from tests.needs import needs
from tests.peers.conftest import OwnBroker
from tests.peers.kills import entries
from tests.peers.processes import broker_of
from tests.peers.program import PATIENCE, Programs
from tests.peers.tables import NAMES, Table, agree, open_table

MIDDLE = 20
"""Number of entries; a short game for two has three times as many."""


def in_the_middle(table: Table) -> None:
    home = table.programs.home(NAMES[1])
    until(lambda: entries(home) >= MIDDLE, PATIENCE)


def test_the_embedded_broker_is_started_again_by_its_host_and_has_forgotten_everything(programs: Programs) -> None:
    table = open_table(programs, 2, "short-classic")
    table.fill()
    in_the_middle(table)
    os.kill(broker_of(table.host.pid), signal.SIGKILL)
    agree(table)


def test_a_broker_comes_back_over_what_its_disk_holds(programs: Programs, own_broker: OwnBroker) -> None:
    broker = own_broker("nats")
    table = open_table(programs, 2, "short-classic", broker=broker.address.url())
    table.fill()
    in_the_middle(table)
    broker.kill_and_restart()
    agree(table)


@needs("mosquitto")
def test_a_broker_comes_back_with_nothing(programs: Programs, own_broker: OwnBroker) -> None:
    broker = own_broker("mosquitto")
    table = open_table(programs, 2, "short-master", broker=broker.address.url())
    table.fill()
    in_the_middle(table)
    broker.kill()
    broker.start()
    agree(table)
