"""Ports that belong to one test process until it ends, whatever else listens and connects on this machine."""

from __future__ import annotations

import atexit
import socket
from random import SystemRandom

PORTS = range(20_000, 30_000)
"""Ports that no system assigns by itself, neither to clients nor to servers on any port."""
_held: list[socket.socket] = []


def own_port() -> int:
    """Return a port on which nobody listens, and on which no other test process will.

    The UDP port of this number stays bound to reserve it, so nothing happens between checking and listening.
    """
    for port in SystemRandom().sample(PORTS, len(PORTS)):
        sign = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            sign.bind(("127.0.0.1", port))
            with socket.create_server(("127.0.0.1", port)):
                _held.append(sign)
                return port
        except OSError:
            sign.close()
    raise AssertionError("every port is taken")


@atexit.register
def _release() -> None:
    for sign in _held:
        sign.close()
