"""Spoken codes on real brokers while strangers make noise under every number."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from wasabi_protocol.meeting.meeting import GuestMeeting
from wasabi_protocol.meeting.messages import MeetingWord, meeting_topic, parse_meeting_topic, read_word, write_word
from wasabi_protocol.meeting.spoken_code import parse_code
from wasabi_protocol.signed.identity import base32
from wasabi_protocol.verdicts import Verdict

from tests.brokers import EACH_KIND
from tests.peers.conftest import OwnBroker
from wasabi_tx.net.address import Address
from wasabi_tx.net.mqtt import MqttTransport
from wasabi_tx.net.transport import Arrived, Connected, Publication
from wasabi_tx.online.spoken_codes import CodeOffer, meet, read_code

INVITE = "wasabi:pvfxkomvkw7mivl42hcupgvorouywpvm2nnq43yns6ra5k/1"
ROUNDS, HELLOS = 40, 25
"""Ten rounds a second for four seconds: 250 messages a second, 1,000 altogether."""


@asynccontextmanager
async def offered(address: Address) -> AsyncIterator[CodeOffer]:
    offer, ready = CodeOffer(MqttTransport([address]), INVITE), asyncio.Event()
    offer.changed = ready.set
    running = asyncio.create_task(offer.run())
    try:
        await ready.wait()
        yield offer
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _connected(transport: MqttTransport) -> None:
    transport.open()
    async for event in transport.events():
        if isinstance(event, Connected):
            return


def hello() -> tuple[str, MeetingWord]:
    """Return a stranger's hello with invalid work."""
    run = base32(secrets.token_bytes(16))
    return run, MeetingWord("hello", point=GuestMeeting(parse_code("7-miso-tofu"), run)._point, work=bytes(8))


async def _shout(stranger: MqttTransport, number: int) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    for turn in range(ROUNDS):
        for _ in range(HELLOS):
            run, word = hello()
            stranger.publish(Publication(meeting_topic(number, run), write_word(word)))
        await asyncio.sleep(max(0.0, start + 0.1 * (turn + 1) - loop.time()))


@pytest.mark.parametrize("kind", EACH_KIND)
async def test_a_friend_comes_by_the_code_through_hellos_without_end(own_broker: OwnBroker, kind: str) -> None:
    address = (await asyncio.to_thread(own_broker, kind)).address
    stranger = MqttTransport([address])
    await _connected(stranger)
    async with offered(address) as offer:
        code = read_code(offer.code)
        shouting = asyncio.create_task(_shout(stranger, code.number))
        for _ in range(3):
            assert await meet(MqttTransport([address]), code) == INVITE
        await shouting
        assert (offer.wrong, offer.voided) == (0, 0)
    await stranger.close()


@pytest.mark.parametrize("kind", EACH_KIND)
async def test_wrong_guesses_under_every_number_spoil_no_code(own_broker: OwnBroker, kind: str) -> None:
    """Let a stranger hear everything said there, and answer each reply with a proof, which once took only 11 kB."""
    address = (await asyncio.to_thread(own_broker, kind)).address
    stranger = MqttTransport([address])
    stranger.subscribe(["wsb1/main/meet/#"])
    await _connected(stranger)

    async def prove() -> None:
        async for event in stranger.events():
            if not isinstance(event, Arrived):
                continue
            try:
                word = read_word(event.payload)
                parse_meeting_topic(event.topic)
            except Verdict:
                continue
            if word.t == "reply":
                proof = MeetingWord("proof", word.host, mac=secrets.token_bytes(32))
                stranger.publish(Publication(event.topic, write_word(proof)))

    proving = asyncio.create_task(prove())
    async with offered(address) as offer:
        for number in range(1, 100):
            for _ in range(3):
                run, word = hello()
                stranger.publish(Publication(meeting_topic(number, run), write_word(word)))
        for _ in range(3):
            assert await meet(MqttTransport([address]), read_code(offer.code)) == INVITE
        assert offer.wrong == 0, "a proof in a friend's run is no guess"
        assert offer.voided == 0
    proving.cancel()
    await asyncio.gather(proving, return_exceptions=True)
    await stranger.close()
