"""Brokers announce themselves and are found, through the loopback interface alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from zeroconf import IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from tests.brokers import PATIENCE
from wasabi_tx.net.discovery import SERVICE, Browser, Found, advertise

LOOPBACK = ["127.0.0.1"]


class Watch:
    """A browser whose list can be awaited."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()
        self.browser = Browser(self._changed.set, LOOPBACK)

    async def until(self, condition: Callable[[list[Found]], bool]) -> list[Found]:
        async with asyncio.timeout(PATIENCE):
            while not condition(self.browser.found):
                self._changed.clear()
                await self._changed.wait()
        return self.browser.found


async def test_a_broker_is_found_while_it_is_announced_and_forgotten_at_once_after() -> None:
    watch = Watch()
    async with watch.browser:
        async with advertise("Circolo è bello", 18_830, "club", LOOPBACK, LOOPBACK, host_key="abc"):
            found = await watch.until(lambda found: any(one.port == 18_830 for one in found))
            assert Found("Circolo è bello", "127.0.0.1", 18_830, "club", "abc") in found
            # A later browser finds it too, by asking.
            late = Watch()
            async with late.browser:
                await late.until(lambda found: any(one.port == 18_830 for one in found))
        await watch.until(lambda found: all(one.port != 18_830 for one in found))


@pytest.fixture
def stranger() -> Callable[[dict[str, bytes | str], int], ServiceInfo]:
    def announce(properties: dict[str, bytes | str], port: int) -> ServiceInfo:
        name = f"stranger-{port}"
        return ServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            port=port,
            properties=properties,
            server=f"{name}.local.",
            parsed_addresses=LOOPBACK,
        )

    return announce


async def test_what_strangers_announce_is_taken_as_data_or_not_at_all(
    stranger: Callable[[dict[str, bytes | str], int], ServiceInfo],
) -> None:
    announced = [
        stranger({"realm": "club"}, 18_841),
        stranger({"name": "evil realm", "realm": "../#"}, 18_842),
        stranger({"name": b"\xff\xfe\x1b[2J" + b"x" * 200, "realm": "club"}, 18_843),
        stranger({"name": "last", "realm": ""}, 18_844),
    ]
    watch = Watch()
    zeroconf = AsyncZeroconf(interfaces=LOOPBACK, ip_version=IPVersion.V4Only)
    try:
        async with watch.browser:
            await asyncio.gather(*(zeroconf.async_register_service(info) for info in announced))
            wanted = {18_843, 18_844}
            found = await watch.until(lambda found: wanted <= {one.port for one in found})
            mine = {one.port: one for one in found if 18_841 <= one.port <= 18_844}
            assert set(mine) == wanted
            assert mine[18_843].name.isprintable()
            assert len(mine[18_843].name) == 40
    finally:
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()
