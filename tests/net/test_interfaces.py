"""The addresses where others may reach this machine."""

from __future__ import annotations

import ifaddr
import pytest

from wasabi_tx.net import interfaces
from wasabi_tx.net.interfaces import everywhere, is_nearby, own_addresses


def adapter(name: str, *addresses: str) -> ifaddr.Adapter:
    ips = [ifaddr.IP((one, 0, 1) if ":" in one else one, 24, name) for one in addresses]
    return ifaddr.Adapter(name, name, ips)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a laptop with a home network, one for containers, one to the office, and a second cable."""
    adapters = [
        adapter("lo", "127.0.0.1", "::1"),
        adapter("docker0", "172.17.0.1"),
        adapter("tun0", "10.8.0.2"),
        adapter("wlan0", "192.168.7.10", "2001:db8::7", "fe80::7"),
        adapter("eth0", "169.254.9.9", "192.168.7.10"),
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(interfaces, "_usual_address", lambda: "192.168.7.10")


@pytest.mark.usefixtures("machine")
def test_every_address_of_every_interface_is_named_and_the_usual_one_first() -> None:
    assert own_addresses("0.0.0.0") == ["192.168.7.10", "172.17.0.1", "10.8.0.2", "169.254.9.9"]
    assert own_addresses("::") == [*own_addresses("0.0.0.0"), "2001:db8::7"]


@pytest.mark.usefixtures("machine")
def test_what_listens_on_one_address_has_that_one() -> None:
    assert own_addresses("10.8.0.2") == ["10.8.0.2"]
    assert own_addresses("127.0.0.1") == []


def test_a_machine_without_a_network_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter("lo", "127.0.0.1")])
    monkeypatch.setattr(interfaces, "_usual_address", lambda: "")
    assert own_addresses("0.0.0.0") == []


@pytest.mark.parametrize(
    ("addresses", "listening"),
    [
        (("127.0.0.1", "::1", "2001:db8::7", "fe80::7"), "::"),
        (("127.0.0.1", "192.168.7.10", "2001:db8::7"), "0.0.0.0"),
        (("127.0.0.1", "::1"), "0.0.0.0"),
    ],
)
def test_a_network_without_ipv4_is_listened_on_by_ipv6(
    addresses: tuple[str, ...], listening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [adapter("eth0", *addresses)])
    monkeypatch.setattr(interfaces, "_usual_address", lambda: "")
    assert everywhere() == listening


@pytest.mark.parametrize(
    ("host", "nearby"),
    [("192.168.1.10", True), ("fe80::1", True), ("127.0.0.1", True), ("8.8.8.8", False), ("broker.example", False)],
)
def test_only_an_address_of_the_same_network_is_nearby(host: str, nearby: bool) -> None:
    assert is_nearby(host) is nearby
