"""Relays: the list is data, the user's own come first, and only those that can carry a game are chosen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brokers import RealBroker
from tests.net.conftest import Opener
from tests.net.reading import connected, payloads
from tests.ports import own_port
from wasabi_tx.net.address import Address
from wasabi_tx.net.checkup import NEEDED, Checkup
from wasabi_tx.net.pacing import PUBLISHES_A_SECOND, Pace
from wasabi_tx.net.relays import BadRelays, Relay, choose_relays, packaged_relays, parse_relays, probe
from wasabi_tx.net.transport import Publication

GOOD = """
[[relay]]
name = "club"
addresses = ["mqtts://club.example", "wss://club.example"]
"""


def relay(name: str, number: int = 0) -> Relay:
    return Relay(name, (Address(f"{name}.example", 8883, tls=True, relay=number),), number=number)


def test_the_packaged_relays_speak_tls_and_say_what_they_are() -> None:
    found = packaged_relays()
    assert list(found) == list(range(1, len(found) + 1))
    for number, one in found.items():
        assert {address.scheme for address in one.addresses} == {"mqtts", "wss"}
        assert {address.relay for address in one.addresses} == {number}
        assert one.name
        assert one.terms


def test_the_protocol_s_page_has_the_same_list() -> None:
    page = (Path(__file__).parents[2] / "protocol" / "09-invites.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", page, re.MULTILINE)
    assert rows == [(str(number), ", ".join(map(str, one.addresses))) for number, one in packaged_relays().items()]


def test_a_list_of_one_s_own_needs_names_and_addresses() -> None:
    assert parse_relays(GOOD) == [
        Relay(
            "club", (Address("club.example", 8883, tls=True), Address("club.example", 443, tls=True, websockets=True))
        )
    ]
    assert parse_relays("") == []


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("relay = 3", 0),
        ("[[relay]", 0),
        ("relay = [3]", 1),
        (GOOD + "[[relay]]\nname = 'x'", 2),
        ("[[relay]]\naddresses = ['x']", 1),
        ("[[relay]]\nname = 'x'\naddresses = []", 1),
        ("[[relay]]\nname = 'x'\naddresses = 'x'", 1),
        ("[[relay]]\nname = 'x'\naddresses = ['x', 3]", 1),
        ("[[relay]]\nname = 'x'\naddresses = ['x', 'http://x']", 1),
        (GOOD + "number = 0", 1),
        (GOOD + "number = true", 1),
        (GOOD + "terms = 4", 1),
    ],
)
def test_what_is_no_list_is_refused_with_the_place_of_the_mistake(text: str, entry: int) -> None:
    with pytest.raises(BadRelays) as bad:
        parse_relays(text)
    assert bad.value.entry == entry


async def test_one_s_own_come_first_then_the_quickest_of_those_that_carry_a_game() -> None:
    delays = {"mine": 0.2, "slow": 0.09, "quick": 0.02, "small": 0.001, "dead": 0.0}
    ended: list[str] = []

    async def try_out(addresses: Sequence[Address]) -> Checkup:
        name = addresses[0].host.removesuffix(".example")
        try:
            if name == "silent":
                await asyncio.Event().wait()
            await asyncio.sleep(delays[name])
        finally:
            ended.append(name)
        size = 100 if name == "small" else NEEDED
        return Checkup(can_play=name != "dead", largest=size, retained=True)

    others = [relay(name, number) for number, name in enumerate(("slow", "small", "dead", "silent", "quick"), 1)]
    chosen = [one.name for one in await choose_relays([relay("mine")], others, 2, try_out)]
    assert chosen == ["mine", "quick"]
    assert "silent" in ended, "nobody waits for one that is not needed, and its probe is ended"
    ended.clear()
    chosen = [one.name for one in await choose_relays([relay("mine")], others, 1, try_out)]
    assert chosen == ended == ["mine"], "nobody else is bothered if one's own are enough"
    chosen = [one.name for one in await choose_relays([], others[:3] + others[4:], 9, try_out)]
    assert chosen == ["quick", "slow"]


async def test_a_real_broker_passes_the_probe_and_keeps_nothing_of_it(broker: RealBroker) -> None:
    assert (await probe([broker.address])).fit
    closed = Address("127.0.0.1", own_port(), tls=True)
    assert (await probe([closed, broker.websockets])).fit, "a firewall may let only websockets through"
    assert not (await probe([broker.watching])).fit, "nothing comes back to those who may only watch"


@given(st.lists(st.floats(0, 2), min_size=1, max_size=200))
def test_no_second_has_more_than_a_relay_is_asked_to_carry(gaps: list[float]) -> None:
    now = 0.0
    pace = Pace(clock=lambda: now)
    sent = []
    for gap in gaps:
        now += gap
        sent.append(now + pace.wait())
    assert sent == sorted(sent)
    for first, ninth in zip(sent, sent[PUBLISHES_A_SECOND:], strict=False):
        assert ninth >= first + 1


async def test_a_relay_gets_everything_in_order_if_not_at_once(
    broker: RealBroker, transport: Opener, realm: str
) -> None:
    here = transport(replace(broker.address, relay=1))
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    said = [b"%d" % number for number in range(2 * PUBLISHES_A_SECOND)]
    for payload in said:
        here.publish(Publication(f"wsb1/{realm}/x", payload))
    assert await payloads(events, len(said)) == said


async def test_a_relay_gets_first_what_cannot_wait(broker: RealBroker, transport: Opener, realm: str) -> None:
    here = transport(replace(broker.address, relay=1))
    here.subscribe([f"wsb1/{realm}/x"])
    events = await connected(here)
    answers = [b"answer %d" % number for number in range(3 * PUBLISHES_A_SECOND)]
    for payload in answers:
        here.publish(Publication(f"wsb1/{realm}/x", payload, can_wait=True))
    here.publish(Publication(f"wsb1/{realm}/x", b"move"))
    heard = await payloads(events, len(answers) + 1)
    assert heard.index(b"move") < 2 * PUBLISHES_A_SECOND, "only those that may go at once went before it"
    assert [payload for payload in heard if payload != b"move"] == answers
