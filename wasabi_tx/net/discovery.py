"""Discovery of brokers on the local network by multicast DNS: announcing ours and finding others."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import TracebackType

from zeroconf import IPVersion, NotRunningException, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from ..text.foreign import clean
from .interfaces import own_addresses

SERVICE = "_wasabi-mqtt._tcp.local."
MOST_FOUND = 100
"""Most brokers listed, because anyone on the network can announce anything."""
ANSWER_TIMEOUT = 3_000
_REALM = re.compile(r"[a-z0-9-]{1,32}")
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A broker that somebody announces; nothing about it is proved."""

    name: str
    host: str
    port: int
    realm: str
    host_key: str = ""
    """The hash of the key of whoever hosts a table there, as they announce it."""


@asynccontextmanager
async def advertise(
    name: str,
    port: int,
    realm: str,
    addresses: Sequence[str] | None = None,
    interfaces: Sequence[str] | None = None,
    host_key: str = "",
) -> AsyncIterator[None]:
    """Announce a broker while the block runs; raise `OSError` if this machine has no network for it.

    `addresses` are those it listens on, by default all; `interfaces` are our own addresses to announce through, by
    default all. With the hash of a host's key, guests find their table again after its address has changed.
    """
    # Two clubs may have the same name, so the displayed name is kept apart from the service's name.
    label = f"wasabi-{secrets.token_hex(6)}"
    info = ServiceInfo(
        SERVICE,
        f"{label}.{SERVICE}",
        port=port,
        properties={"name": clean(name, _LONGEST_NAME), "realm": realm, "host": host_key},
        server=f"{label}.local.",
        parsed_addresses=list(addresses or own_addresses("0.0.0.0")),
    )
    zeroconf = _zeroconf(interfaces)
    try:
        # The label is random, so there is no need to check that it is free; announcing continues in the background.
        announcing = await zeroconf.async_register_service(info, cooperating_responders=True)
        try:
            yield
        finally:
            await asyncio.gather(announcing, return_exceptions=True)
    finally:
        # Say goodbye for everything announced, so that lists forget it at once.
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


class Browser:
    """The announced brokers, kept up to date while entered; `changed` is called on each change. Raises `OSError` like
    `advertise`.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None, interfaces: Sequence[str] | None = None) -> None:
        self._changed = changed
        self._interfaces = interfaces
        self._found: dict[str, Found] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None

    @property
    def found(self) -> list[Found]:
        """The brokers announced now, sorted by name."""
        return sorted(self._found.values())

    async def __aenter__(self) -> Browser:
        self._zeroconf = _zeroconf(self._interfaces)
        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._on_change])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._browser is not None
        assert self._zeroconf is not None
        # On a busy machine its sockets may open later than closing waits for them, and would stay open.
        with contextlib.suppress(NotRunningException):
            await self._zeroconf.zeroconf.async_wait_for_start()
        await self._browser.async_cancel()
        for task in list(self._asking.values()):
            task.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)
        await self._zeroconf.async_close()

    def _on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            if task := self._asking.pop(name, None):
                task.cancel()
            if self._found.pop(name, None) is not None:
                self._changed()
            return
        if name not in self._asking and (name in self._found or len(self._found) + len(self._asking) < MOST_FOUND):
            self._asking[name] = asyncio.create_task(self._ask(zeroconf, service_type, name))

    async def _ask(self, zeroconf: Zeroconf, service_type: str, name: str) -> None:
        try:
            info = AsyncServiceInfo(service_type, name)
            if await info.async_request(zeroconf, ANSWER_TIMEOUT) and (one := _read(info)) is not None:
                self._found[name] = one
                self._changed()
        finally:
            self._asking.pop(name, None)


async def browse(seconds: float, interfaces: Sequence[str] | None = None) -> list[Found]:
    """Return the brokers that answer within the given seconds."""
    async with Browser(interfaces=interfaces) as browser:
        await asyncio.sleep(seconds)
        return browser.found


def _read(info: ServiceInfo) -> Found | None:
    """Read an announcement as far as it is usable; a stranger's text is only data."""
    properties = info.properties or {}
    name = clean((properties.get(b"name") or b"").decode("utf-8", errors="replace"), _LONGEST_NAME)
    realm = (properties.get(b"realm") or b"").decode("ascii", errors="replace")
    host_key = (properties.get(b"host") or b"").decode("ascii", errors="replace")
    if not name or not info.port or (realm and not _REALM.fullmatch(realm)):
        return None
    # Prefer an IPv4 address: all our brokers listen there.
    for address in info.parsed_addresses(IPVersion.V4Only) or info.parsed_scoped_addresses(IPVersion.V6Only):
        if not ipaddress.ip_address(address.partition("%")[0]).is_unspecified:
            return Found(name, address, info.port, realm, host_key if host_key.isalnum() else "")
    return None


def _zeroconf(interfaces: Sequence[str] | None) -> AsyncZeroconf:
    if interfaces is None:
        return AsyncZeroconf(ip_version=IPVersion.V4Only)
    return AsyncZeroconf(interfaces=list(interfaces), ip_version=IPVersion.V4Only)
