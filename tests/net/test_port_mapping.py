"""A port of this machine on a router that offers it: asked for, renewed, given back, and never in the way."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from wasabi_tx.net import port_mapping
from wasabi_tx.net.port_mapping import LEASE, Mapped, NoMapping, mapped

from .router import Entry, FakeRouter

pytest.importorskip("miniupnpc")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_mapping, "LOOK", 200)


async def refused(here: str) -> str:
    with pytest.raises(NoMapping) as no:
        async with mapped(1883, here):
            pass
    return no.value.code


async def test_a_port_is_forwarded_for_a_while_and_given_back_at_the_end() -> None:
    with FakeRouter() as router:
        async with mapped(1883, router.address) as found:
            assert found == Mapped(router.outside, 1883)
            assert router.table == {1883: Entry("127.0.0.1", 1883, LEASE)}, "for an hour, and not for ever"
        assert not router.table


async def test_it_is_given_back_whatever_ends_the_table() -> None:
    with FakeRouter() as router:
        with pytest.raises(KeyError):
            async with mapped(1883, router.address):
                raise KeyError
        assert not router.table


async def test_the_lease_is_renewed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_mapping, "LEASE", 0.02)
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def forward(*_args: object) -> bool:
        count.append(1)
        if len(count) >= 3:
            loop.call_soon_threadsafe(asked.set)
        return True

    count: list[int] = []
    monkeypatch.setattr(port_mapping, "_forward", forward)
    with FakeRouter() as router:
        async with mapped(1883, router.address):
            await asked.wait()


async def test_a_port_that_somebody_has_is_left_to_them() -> None:
    with FakeRouter(taken=(1883, 1884)) as router:
        async with mapped(1883, router.address) as found:
            assert found.port == 1885
            assert router.table == {1885: Entry("127.0.0.1", 1883, LEASE)}


async def test_a_router_that_forwards_only_for_ever_forwards_nothing() -> None:
    with FakeRouter(for_ever_only=True) as router:
        assert await refused(router.address) == "refused"
        assert not router.table


@pytest.mark.parametrize("outside", ["192.168.0.7", "10.1.2.3", "100.64.0.9", "203.0.113.7", "garbage", ""])
async def test_an_address_that_leads_nowhere_is_no_way_in(outside: str) -> None:
    """As behind two routers, or where a provider shares one address among many."""
    with FakeRouter(outside=outside) as router:
        assert await refused(router.address) in ("nearby", "router")
        assert not router.table


async def test_where_no_router_answers_it_takes_a_moment_and_no_more() -> None:
    assert await refused(FakeRouter().address) == "router"


async def test_a_router_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_mapping, "PATIENCE", 0.01)
    with FakeRouter() as router:
        assert await refused(router.address) == "router"


def test_what_a_router_grants_when_nobody_waits_any_more_is_given_back() -> None:
    with FakeRouter() as router, ThreadPoolExecutor(1) as thread:
        router.held.clear()
        ask = port_mapping._Asking(1883, router.address)
        late = thread.submit(ask.begin)
        assert router.adding.wait(20)
        ask.give_up()
        router.held.set()
        late.result(20)
        assert "AddPortMapping" in router.asked
        assert not router.table


async def test_what_is_stopped_while_the_router_is_asked_leaves_no_port_open() -> None:
    async def host(address: str) -> None:
        async with mapped(1883, address):
            raise AssertionError("nobody waits for it")

    with FakeRouter() as router:
        router.held.clear()
        asking = asyncio.create_task(host(router.address))
        assert await asyncio.to_thread(router.adding.wait, 20)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        router.held.set()
        # As at the end of a program.
        await asyncio.get_running_loop().shutdown_default_executor()
        assert router.asked[-1] == "DeletePortMapping"
        assert not router.table


def test_a_lease_that_is_renewed_late_is_not_renewed_after_the_end() -> None:
    with FakeRouter() as router, ThreadPoolExecutor(2) as threads:
        ask = port_mapping._Asking(1883, router.address)
        ask.begin()
        router.adding.clear()
        router.held.clear()
        again = threads.submit(ask.again)
        assert router.adding.wait(20)
        ending = threads.submit(ask.end)
        router.held.set()
        for done in (again, ending):
            done.result(20)
        ask.again()
        assert not router.table


async def test_without_the_package_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "miniupnpc", None)
    assert await refused(FakeRouter().address) == "package"
