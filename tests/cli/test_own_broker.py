"""Our own broker: how others reach it, and how we do when this machine has another address."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.request import urlopen

import pytest

from tests.brokers import KINDS, PATIENCE, RealBroker
from tests.needs import needs
from tests.ports import own_port
from tests.tui.tiny import NAME, put_tiny_edition
from wasabi_tx.app import brokers
from wasabi_tx.app import relays as own_relays
from wasabi_tx.app.brokers import site_folder
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.app.values import TableWish
from wasabi_tx.broker.broker import Broker
from wasabi_tx.net.address import Address
from wasabi_tx.online.client.events import CodeOffered, Offered
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.text import Texts

ENGLISH = Texts("en")
WISH = TableWish(NAME, 2, 2)
Addresses = Callable[..., None]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    monkeypatch.delenv("WASABI_TX_BROKER", raising=False)
    put_tiny_edition(tmp_path)
    return tmp_path


@pytest.fixture
def has_addresses(monkeypatch: pytest.MonkeyPatch) -> Addresses:
    """Give this machine other addresses, which nobody can reach."""

    def give(*addresses: str) -> None:
        monkeypatch.setattr(brokers, "own_addresses", lambda _listening: list(addresses))

    return give


def tables(*known_as: str) -> OnlineTables:
    return OnlineTables("Ana", bind="127.0.0.1", port=own_port(), known_as=known_as)


@pytest.mark.usefixtures("home")
async def test_a_host_comes_back_when_its_machine_has_another_address(has_addresses: Addresses) -> None:
    here = tables()
    has_addresses("192.0.2.10", "198.51.100.1")
    table = await here.host(WISH, ENGLISH)
    before = read_invite(table.invite)
    port = before.carriers[0].hosts[0][1]
    assert [host for host, _ in before.carriers[0].hosts] == ["192.0.2.10", "198.51.100.1"]
    await table.close()
    has_addresses("192.0.2.77")
    (saved,) = here.unfinished(ENGLISH)
    table = await here.resume(saved.name, ENGLISH)
    after = read_invite(table.invite)
    assert after.carriers[0].hosts == tuple((host, port) for host in ("192.0.2.77", "192.0.2.10", "198.51.100.1"))
    assert after.carriers[0].password == before.carriers[0].password, "old invites still open it"
    assert (after.table, after.ticket_key) == (before.table, before.ticket_key)
    await here.close()


@pytest.mark.usefixtures("home")
async def test_browsers_and_programs_come_to_one_port_which_a_host_finds_again(has_addresses: Addresses) -> None:
    folder = site_folder()
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<title>Wasabi!</title>")
    here = tables("game.example:81")
    has_addresses("127.0.0.1")
    table = await here.host(replace(WISH, browsers=True, private=True), ENGLISH)
    (carrier,) = read_invite(table.invite).carriers
    (_, (host, port)) = carrier.hosts
    assert (carrier.scheme, host, table.site) == ("ws", "127.0.0.1", "http://game.example:81/#")
    await table.close()
    (saved,) = here.unfinished(ENGLISH)
    table = await here.resume(saved.name, ENGLISH)
    assert set(read_invite(table.invite).carriers[0].hosts) == set(carrier.hosts)
    page = await asyncio.to_thread(urlopen, f"http://127.0.0.1:{port}/", timeout=PATIENCE)
    assert page.read() == b"<title>Wasabi!</title>"
    friend = OnlineTables("Bo")
    # The first address of the invite is the one behind somebody's forwarded port.
    way = Address("127.0.0.1", port, websockets=True)
    came = await friend.watch(table.watch_invite, ENGLISH, through=way, saved=False)
    async with asyncio.timeout(PATIENCE):
        while not isinstance(await came.next_event(), Offered):
            pass
    await friend.close()
    await table.close()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(Failure) as refused:
        await here.resume(saved.name, ENGLISH)
    assert str(refused.value) == ENGLISH.say("online.broker-moved", port=port)
    await here.close()


@pytest.mark.usefixtures("home")
async def test_no_site_stands_before_a_broker_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASABI_TX_BROKER", "mqtt://play:word@club.example")
    here = tables()
    with pytest.raises(Failure) as refused:
        await here.host(replace(WISH, browsers=True), ENGLISH)
    assert str(refused.value) == ENGLISH.say("web.own-broker", broker="club.example:1883")
    await here.close()


@needs("mosquitto")
@pytest.mark.usefixtures("home")
async def test_a_host_comes_back_with_the_program_it_chose(has_addresses: Addresses) -> None:
    started: list[str] = []
    start = Broker.start

    async def noted(folder: Path, **options: Any) -> Broker:
        broker = await start(folder, **options)
        started.append(broker.program.kind)
        return broker

    has_addresses("192.168.7.10")
    here = OnlineTables("Ana", bind="127.0.0.1", port=own_port(), engine="mosquitto")
    with patch.object(Broker, "start", noted):
        table = await here.host(WISH, ENGLISH)
        await table.close()
        (saved,) = here.unfinished(ENGLISH)
        await here.resume(saved.name, ENGLISH)
    assert started == ["mosquitto", "mosquitto"]
    await here.close()


@pytest.mark.usefixtures("home")
async def test_a_host_whose_port_is_taken_hears_which(has_addresses: Addresses) -> None:
    here = tables()
    has_addresses("192.168.7.10")
    table = await here.host(WISH, ENGLISH)
    port = read_invite(table.invite).carriers[0].hosts[0][1]
    await table.close()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(Failure) as refused:
        await here.resume(table.table, ENGLISH)
    assert str(refused.value) == ENGLISH.say("online.broker-moved", port=port)
    await here.close()


@pytest.mark.usefixtures("home")
async def test_a_forwarded_port_comes_first_in_the_invite_and_stays_after_a_return(has_addresses: Addresses) -> None:
    here = tables("203.0.113.9:41883", "club.example", "[2001:db8::1]:99")
    has_addresses("192.168.7.10")
    table = await here.host(WISH, ENGLISH)
    hosts = read_invite(table.invite).carriers[0].hosts
    port = hosts[1][1]
    assert hosts == (("203.0.113.9", 41883), ("club.example", port), ("2001:db8::1", 99), ("192.168.7.10", port))
    assert port != 1883
    await table.close()
    (saved,) = here.unfinished(ENGLISH)
    table = await here.resume(saved.name, ENGLISH)
    assert set(read_invite(table.invite).carriers[0].hosts) == set(hosts)
    await here.close()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("address", ["", "a b", "host:port", "host/path", "me@host", "host:0x1"])
async def test_what_is_no_address_is_told_so(address: str, has_addresses: Addresses) -> None:
    has_addresses("192.168.7.10")
    here = tables(address)
    with pytest.raises(Failure) as refused:
        await here.host(WISH, ENGLISH)
    assert "broker" in str(refused.value)
    await here.close()


@pytest.mark.usefixtures("home")
async def test_the_invite_of_an_own_broker_does_not_spell_its_password_out(has_addresses: Addresses) -> None:
    here = tables()
    has_addresses("192.168.7.10")
    for private in (False, True):
        table = await here.host(TableWish(NAME, 2, 2, private=private), ENGLISH)
        password = read_invite(table.invite).carriers[0].password
        assert len(password) == 20
        assert password not in table.invite
        assert len(f"wasabi-tx {table.invite}") <= 86, "a line of a terminal, but for the port of a test"
        await table.close()
    await here.close()


@pytest.fixture
async def relays(tmp_path: Path) -> AsyncIterator[list[RealBroker]]:
    """Yield two brokers that belong to nobody at the table."""
    started = [RealBroker(kind, tmp_path / f"relay-{kind}") for kind in KINDS]
    for broker in started:
        await asyncio.to_thread(broker.start)
    yield started
    for broker in started:
        await asyncio.to_thread(broker.stop)


def list_relays(home: Path, relays: Sequence[RealBroker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Make these the only relays of this machine."""
    monkeypatch.setattr(own_relays, "packaged_relays", dict)
    (home / "config").mkdir(exist_ok=True, parents=True)
    entries = (f"[[relay]]\nname = '{one.kind}'\naddresses = ['{one.address.url()}']\nnumber = 7\n" for one in relays)
    (home / "config" / "relays.toml").write_text("".join(entries))


async def host_anywhere(
    home: Path, has_addresses: Addresses, relays: Sequence[RealBroker], monkeypatch: pytest.MonkeyPatch
) -> tuple[OnlineTables, OnlineTable]:
    """Return a table for friends anywhere, whose own broker they cannot reach."""
    list_relays(home, relays, monkeypatch)
    # Nobody listens at this port of the loopback, as at an address that only works in the host's own network.
    has_addresses("127.0.0.9")
    here = tables()
    return here, await here.host(replace(WISH, anywhere=True), ENGLISH)


@needs("mosquitto")
async def test_friends_anywhere_come_over_relays_when_they_cannot_reach_the_host(
    home: Path, has_addresses: Addresses, relays: list[RealBroker], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, table = await host_anywhere(home, has_addresses, relays, monkeypatch)
    invite = read_invite(table.invite)
    assert len(invite.carriers) == 3
    assert not any(carrier.relay for carrier in invite.carriers), "friends do not have our list"
    assert invite.private
    (note,) = table.notes[:1]
    assert "nats (127.0.0.1)" in note
    assert "never a card, a name or a move" in note
    monkeypatch.setenv("WASABI_TX_HOME", str(home / "friend"))
    put_tiny_edition(home / "friend")
    there = OnlineTables("Bo")
    guest = await there.join(table.invite, ENGLISH)
    assert sum(state.up for state in guest.carriers) >= 1
    async with asyncio.timeout(PATIENCE):
        await guest.until(lambda now: now.begun)
    await asyncio.to_thread(relays[0].kill)
    async with asyncio.timeout(PATIENCE):
        await guest.until(lambda now: now.shuffled)
    await there.close()
    await here.close()


async def code_of(table: OnlineTable) -> str:
    """Return the code that a host's room shows, once it has found a number."""
    async with asyncio.timeout(PATIENCE):
        while not isinstance(event := await table.next_event(), CodeOffered):
            pass
    return event.code


@needs("mosquitto")
async def test_a_friend_anywhere_comes_by_a_spoken_code(
    home: Path, has_addresses: Addresses, relays: list[RealBroker], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, table = await host_anywhere(home, has_addresses, relays, monkeypatch)
    code = await code_of(table)
    friend = home / "friend"
    monkeypatch.setenv("WASABI_TX_HOME", str(friend))
    put_tiny_edition(friend)
    list_relays(friend, relays, monkeypatch)
    there = OnlineTables("Bo")
    number, one, two = code.split("-")
    with pytest.raises(Failure, match="with different words"):
        await there.join(f"{number}-{two}-{one if one != two else 'wasabi'}", ENGLISH)
    guest = await there.join(f"“{number} {one}\n{two}”.", ENGLISH)
    assert guest.table == table.table
    async with asyncio.timeout(PATIENCE):
        await guest.until(lambda now: now.begun)
        await table.until(lambda now: now.begun)
    assert table._awaiting
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*table._awaiting, return_exceptions=True)
    await there.close()
    await here.close()


@needs("mosquitto")
async def test_a_host_who_comes_back_to_the_waiting_room_offers_a_new_code(
    home: Path, has_addresses: Addresses, relays: list[RealBroker], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, table = await host_anywhere(home, has_addresses, relays, monkeypatch)
    before = await code_of(table)
    await table.close()
    (saved,) = here.unfinished(ENGLISH)
    table = await here.resume(saved.name, ENGLISH)
    assert await code_of(table) != before
    await here.close()


@pytest.mark.usefixtures("home")
async def test_a_table_of_this_network_alone_has_no_code(has_addresses: Addresses) -> None:
    has_addresses("192.168.7.10")
    here = tables()
    table = await here.host(replace(WISH, private=True), ENGLISH)
    assert not table._awaiting
    await here.close()


async def test_without_any_relay_nobody_is_promised_friends_from_anywhere(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_relays(home, [], monkeypatch)
    here = tables()
    with pytest.raises(Failure) as refused:
        await here.host(replace(WISH, anywhere=True), ENGLISH)
    assert "no relay that could carry the table answers" in str(refused.value)
    (home / "config" / "relays.toml").write_text("[[relay]]\nname = 'x'\n")
    with pytest.raises(Failure) as refused:
        await here.host(replace(WISH, anywhere=True), ENGLISH)
    assert "relay number 1 of the list is wrong: address" in str(refused.value)
    await here.close()


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"[[relay]]\nname = '\xff'\n", "relay number 1"), (b"relay = " + b"[" * 900, "line 1"), (b"#\n" * 600_000, "")],
    ids=["no text", "deep", "long"],
)
def test_whatever_is_in_the_list_of_relays_a_sentence_says_so(home: Path, content: bytes, told: str) -> None:
    (home / "config" / "relays.toml").write_bytes(content)
    if not told:
        # Only so much of it is read at all.
        assert own_relays.own_relays(ENGLISH) == []
        return
    with pytest.raises(Failure) as refused:
        own_relays.own_relays(ENGLISH)
    assert told in str(refused.value)


async def test_whoever_comes_back_waits_at_the_table_for_a_broker_that_is_not_there(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wasabi_tx.online.online_table.AT_THE_DOOR", 0.2)
    broker = RealBroker("nats", tmp_path / "theirs")
    await asyncio.to_thread(broker.start)
    host = tables()
    table = await host.host(replace(WISH, welcome=True, brokers=(broker.address.url(),)), ENGLISH)
    monkeypatch.setenv("WASABI_TX_HOME", str(home / "friend"))
    put_tiny_edition(home / "friend")
    there = OnlineTables("Bo")
    guest = await there.join(table.invite, ENGLISH)
    async with asyncio.timeout(PATIENCE):
        await guest.until(lambda now: now.shuffled)
    await there.close()
    await asyncio.to_thread(broker.kill)
    (saved,) = there.unfinished(ENGLISH)
    assert "Ana · setup · " in saved.words
    again = OnlineTables("Bo")
    guest = await again.resume(saved.name, ENGLISH)
    assert guest.snapshot.shuffled, "the table is there to look at"
    assert not guest.driver.up
    await asyncio.to_thread(broker.start)
    async with asyncio.timeout(PATIENCE):
        while not guest.driver.up:
            await guest.driver.changed()
    await again.close()
    await host.close()
    await asyncio.to_thread(broker.stop)
