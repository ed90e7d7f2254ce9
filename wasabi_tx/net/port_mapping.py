"""A port mapping: a router at home forwards a port to this machine, if it does so on request, by UPnP."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

PATIENCE = 6.0
"""Seconds that finding a router and asking it may take together."""
LOOK = 1_500
"""Milliseconds for routers to answer."""
LEASE = 3_600
"""Seconds after which a router forgets what nobody renews: a machine that is switched off leaves nothing open."""
PORTS = 4
"""Ports outside that are tried, from our own on: another machine here may have the first."""
WORDS = "Wasabi TX"
_TCP = "TCP"
_ANYONE = ""


class NoMapping(Exception):
    """There is no way in through the router; the code says why.

    | code    | why                                                                  |
    | package | miniupnpc is not installed                                           |
    | router  | no router answered, or none in time                                  |
    | refused | it does not forward, or only for ever                                |
    | nearby  | it has no address of the internet itself: another router is above it |
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Mapped:
    """Where others reach our port from outside."""

    host: str
    port: int


class Router(Protocol):
    """What is asked of miniupnpc, which knows no types."""

    @property
    def lanaddr(self) -> str: ...

    def discover(self) -> int: ...

    def selectigd(self) -> str: ...

    def externalipaddress(self) -> str: ...

    def addportmapping(
        self, outside: int, protocol: str, host: str, inside: int, words: str, remote: str, lease: int, /
    ) -> bool: ...

    def deleteportmapping(self, outside: int, protocol: str, remote: str, /) -> bool: ...


@asynccontextmanager
async def mapped(port: int, interface: str = "") -> AsyncIterator[Mapped]:
    """Has a port forwarded for as long as the block runs; `NoMapping` if that cannot be had within seconds.

    `interface` is the address of ours through which to look for a router, by default the usual one.
    """
    ask = _Asking(port, interface)
    try:
        async with asyncio.timeout(PATIENCE):
            found = await asyncio.to_thread(ask.begin)
    except TimeoutError:
        ask.give_up()
        raise NoMapping("router") from None
    except BaseException:
        # Whoever is stopped while the router is asked must not leave a port open, either.
        ask.give_up()
        raise
    renewing = asyncio.create_task(_renew(ask))
    try:
        yield found
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await asyncio.to_thread(ask.end)


async def _renew(ask: _Asking) -> None:
    while True:
        await asyncio.sleep(LEASE / 2)
        await asyncio.to_thread(ask.again)


class _Asking:
    """One port and the router that forwards it. Everything here blocks, and belongs into a thread."""

    def __init__(self, port: int, interface: str) -> None:
        self._inside = port
        self._interface = interface
        self._router: Router | None = None
        self._outside = 0
        self._lock = threading.Lock()
        self._given_up = False

    def begin(self) -> Mapped:
        router = self._find()
        host = _outside_address(router)
        for port in range(self._inside, self._inside + PORTS):
            if not self._given_up and _forward(router, port, self._inside):
                with self._lock:
                    self._router, self._outside = router, port
                    late = self._given_up
                if late:
                    self.end()
                return Mapped(host, port)
        raise NoMapping("refused")

    def _find(self) -> Router:
        try:
            import miniupnpc
        except ImportError:
            raise NoMapping("package") from None
        through = {"multicastif": self._interface} if self._interface else {}
        router: Router = miniupnpc.UPnP(discoverdelay=LOOK, **through)
        try:
            router.discover()
            router.selectigd()
        except Exception:
            # Whatever the library says, it raises as an exception without a class of its own.
            raise NoMapping("router") from None
        return router

    def give_up(self) -> None:
        """Nobody waits any more: what the router still grants is taken back."""
        with self._lock:
            self._given_up = True

    def again(self) -> None:
        """Renews the lease, until the end."""
        with self._lock:
            if self._router is not None and not self._given_up:
                _forward(self._router, self._outside, self._inside)

    def end(self) -> None:
        """The router forwards nothing any more."""
        with self._lock:
            self._given_up = True
            if self._router is not None:
                with contextlib.suppress(Exception):
                    self._router.deleteportmapping(self._outside, _TCP, _ANYONE)


def _outside_address(router: Router) -> str:
    """The router's own address outside; `NoMapping` if nobody outside could reach that."""
    try:
        address = ipaddress.ip_address(router.externalipaddress())
    except Exception:
        raise NoMapping("router") from None
    if not address.is_global:
        raise NoMapping("nearby")
    return str(address)


def _forward(router: Router, outside: int, inside: int) -> bool:
    """Whether the router forwards a port now; for ever is not what we asked for."""
    try:
        return bool(router.addportmapping(outside, _TCP, router.lanaddr, inside, WORDS, _ANYONE, LEASE))
    except Exception:
        return False
