"""Finding free ports to listen on."""

from __future__ import annotations

import errno
import os
import socket

from .program import BrokerFailed

TRIES = 50


def resolve_bind(host: str) -> str:
    """Return the address to listen on; raise `BrokerFailed` if this machine has no such address."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise BrokerFailed("bind", host=host) from None
    return str(found[0][4][0])


def free_port(host: str, wish: int, taken: set[int]) -> int:
    """Return the requested port or the next free one; 0 requests any. Ports in `taken` are excluded."""
    if wish == 0:
        for _ in range(TRIES):
            port = _bind(host, 0)
            if port and port not in taken:
                return port
        raise BrokerFailed("ports", port=0)
    for port in range(wish, min(wish + TRIES, 65_536)):
        if port not in taken and _bind(host, port):
            return port
    raise BrokerFailed("ports", port=wish)


def _bind(host: str, port: int) -> int:
    """Return the port if it can be bound, else 0."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        if os.name == "posix":
            # Like servers, treat a port whose last connections are still closing as free.
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
            trial.listen(1)
        except OSError as error:
            if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise BrokerFailed("bind", host=host) from None
            if error.errno in (errno.EACCES, errno.EPERM) and os.name == "posix":
                raise BrokerFailed("port-forbidden", port=port) from None
            return 0
        return int(trial.getsockname()[1])
