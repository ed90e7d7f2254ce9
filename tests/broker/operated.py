"""Mosquitto as the operator's page has it: verbatim, except for ports, paths and loopback addresses."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

from tests.brokers import PATIENCE, until
from tests.faults.cluster import page_block
from tests.ports import own_port
from wasabi_tx.broker.child import Child
from wasabi_tx.broker.config import BrokerSettings, new_password, write_configuration
from wasabi_tx.broker.program import find_program
from wasabi_tx.net.address import PLAYER, Address


class OperatedMosquitto:
    """A running Mosquitto with a port for players and another one for people without the password."""

    def __init__(self, folder: Path) -> None:
        password, players, others = new_password(), own_port(), own_port()
        # The page names the commands that write the list of passwords; the rights are those on the page.
        write_configuration("mosquitto", BrokerSettings(folder, "127.0.0.1", players, password))
        (folder / "mosquitto.acl").write_text(page_block("mosquitto acl"), encoding="utf-8")
        self.text = page_block("mosquitto conf")
        own = (
            self.text.replace("0.0.0.0", "127.0.0.1")
            .replace("/etc/mosquitto/wasabi", str(folder / "mosquitto"))
            .replace("listener 1883", f"listener {players}")
            .replace("listener 1884", f"listener {others}")
        )
        if os.geteuid() == 0:
            own += "user root\n"
        path = folder / "page.conf"
        path.write_text(own, encoding="utf-8")
        self.most_others = int(re.findall(r"max_connections (\d+)", own)[1])
        """Connections on the port for people without the password."""
        self.address = Address("127.0.0.1", players, user=PLAYER, password=password)
        self.watching = Address("127.0.0.1", others)
        self._child = Child.start([str(find_program("mosquitto").path), "-c", str(path)], folder)
        # Not the other port: Mosquitto miscounts clients whenever one has come and gone.
        until(lambda: _listens(players), PATIENCE)

    @property
    def pid(self) -> int:
        return self._child.pid

    def stop(self) -> None:
        self._child.stop()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
