"""Spoken codes over brokers: they are read as people write them, and lead to one table and no other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.meeting.spoken_code import SpokenCode, parse_code
from wasabi_protocol.meeting.words import meeting_topic, read_word

from wasabi_tx.net.carriers import Carriers
from wasabi_tx.net.memory import Faults, MemoryBroker, MemoryTransport
from wasabi_tx.net.transport import Lost, Publication
from wasabi_tx.table.online import spoken_codes
from wasabi_tx.table.online.invites import is_invite
from wasabi_tx.table.online.spoken_codes import BadCode, CodeOffer, looks_like_code, meet, read_code
from wasabi_tx.text.code_words import code_words, nearest_word

INVITE = "wasabi:pvfxkomvkw7mivl42hcupgvorouywpvm2nnq43yns6ra5k/1"
CODES = st.builds(
    lambda number, one, two: SpokenCode(number, (one, two)),
    st.integers(1, 999),
    st.sampled_from(code_words()),
    st.sampled_from(code_words()),
)
_names = count()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody in these tests is far away."""
    for name, seconds in (("LISTEN", 0.1), ("REPEAT", 0.1), ("SECOND_THOUGHT", 0.1)):
        monkeypatch.setattr(spoken_codes, name, seconds)


def transport(*brokers: MemoryBroker) -> MemoryTransport | Carriers:
    parts = {f"client-{next(_names)}": broker for broker in brokers}
    if len(parts) == 1:
        ((name, broker),) = parts.items()
        return MemoryTransport(broker, name)
    return Carriers({name: MemoryTransport(broker, name) for name, broker in parts.items()})


@asynccontextmanager
async def offered(*brokers: MemoryBroker, number: int = 7, invite: str = INVITE) -> AsyncIterator[CodeOffer]:
    """A host with its code; the first number that it draws is this one, then the next."""
    numbers = count(number)
    ready = asyncio.Event()
    offer = CodeOffer(transport(*brokers), invite, lambda _most: next(numbers))
    offer.changed = ready.set
    running = asyncio.create_task(offer.run())
    try:
        await ready.wait()
        yield offer
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


# Words and spellings


def test_the_words_can_be_told_apart() -> None:
    words = code_words()
    assert len(words) == len(set(words)) >= 200
    assert list(words) == sorted(words)
    assert all(word.isascii() and word.isalpha() and word.islower() and 4 <= len(word) <= 10 for word in words)
    assert {"octopus", "daikon"} <= set(words)
    for one, other in combinations(words, 2):
        assert one[:4] != other[:4], (one, other)
        assert nearest_word(one) == one


@given(st.sampled_from(code_words()), st.data())
def test_one_slip_in_a_word_does_no_harm(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnopqrstuvwxyz"))
    for slip in (word[:at] + letter + word[at + 1 :], word[:at] + word[at + 1 :], word[:at] + letter + word[at:]):
        assert nearest_word(slip) == word


@given(CODES)
def test_a_code_is_read_as_people_write_it(code: SpokenCode) -> None:
    text = str(code)
    number, one, two = text.split("-")
    for written in (
        text,
        text.upper(),
        f"  {text}\n",
        f"'{text}'",
        f"“{text}”.",
        f"{text}.",
        f"{number} {one} {two}",
        f"{number} - {one} - {two}",
        f"“{number} {one}\n{two}”.",
        f"{number}, {one}, {two}!",
        f"{number} {one} {two} and be quick",
        f"{number}–{one}—{two}",
        f"{number}-{one}-\n{two}",
        f"{number}-{one[:2]}\n{one[2:]}-{two}",
        f"wasabi-tx join {text}",
        f"wasabi-tx join {number}-{one}-{two[:3]}\r\n{two[3:]}",
        f"`wasabi-tx join {text}`, see you there!",
        f"{number}-{one}-\u200b{two}",
    ):
        assert looks_like_code(written), written
        assert read_code(written) == code, written


@pytest.mark.parametrize("text", ["", "7", "7-octopus", INVITE, "example.org", "10.0.0.7:2883", "1883", "wasabi://h/r"])
def test_what_is_no_code_does_not_look_like_one(text: str) -> None:
    assert not looks_like_code(text)
    assert not is_invite("7-octopus-daikon")


def test_a_word_that_is_none_of_ours_is_named() -> None:
    with pytest.raises(BadCode) as bad:
        read_code("7-octopus-submarine")
    assert (bad.value.reason, bad.value.detail) == ("words", "submarine")


# Meeting


async def test_a_friend_comes_by_the_code() -> None:
    broker = MemoryBroker()
    async with offered(broker) as offer:
        assert offer.code.startswith("7-")
        assert await meet(transport(broker), read_code(offer.code)) == INVITE
        assert await meet(transport(broker), read_code(offer.code)) == INVITE
    assert broker.retained == {}


@pytest.mark.parametrize("number", range(4))
async def test_it_comes_over_brokers_that_lose_repeat_and_delay(number: int) -> None:
    broker = MemoryBroker(number, Faults(drop=0.2, duplicate=0.2, delay=(0.0, 0.05)))
    async with offered(broker) as offer:
        assert await meet(transport(broker), read_code(offer.code)) == INVITE
        assert offer.wrong == 0


async def test_one_broker_in_common_is_enough() -> None:
    one, both, other = MemoryBroker(), MemoryBroker(), MemoryBroker()
    async with offered(one, both) as offer:
        assert await meet(transport(both, other), read_code(offer.code)) == INVITE


async def test_three_wrong_codes_make_it_void_and_everybody_is_told() -> None:
    broker = MemoryBroker()
    async with offered(broker) as offer:
        right = read_code(offer.code)
        wrong = SpokenCode(right.number, (right.words[1], "tofu" if right.words[0] != "tofu" else "miso"))
        for left in (2, 1, 0):
            with pytest.raises(BadCode) as bad:
                await meet(transport(broker), wrong, patience=0.5)
            assert bad.value.reason == ("void" if left == 0 else "wrong")
            assert offer.left == left
        assert offer.void
        assert offer.code == ""
        with pytest.raises(BadCode) as bad:
            await meet(transport(broker), right, patience=0.5)
        assert bad.value.reason == "void"


async def test_nobody_there_is_told_apart_from_no_way_there() -> None:
    with pytest.raises(BadCode) as bad:
        await meet(transport(MemoryBroker()), parse_code("7-octopus-daikon"), patience=0.3)
    assert (bad.value.reason, bad.value.detail) == ("nobody", "7")
    dead = Carriers({})
    with pytest.raises(BadCode) as bad:
        await meet(dead, parse_code("7-octopus-daikon"), patience=0.1)
    assert bad.value.reason == "unreachable"


async def test_a_broker_that_wants_a_password_says_so_at_once() -> None:
    closed = MemoryTransport(MemoryBroker(), "guest")
    closed.inbox.put(Lost("password"))
    with pytest.raises(BadCode) as bad:
        await meet(closed, parse_code("7-octopus-daikon"))
    assert bad.value.reason == "password"


async def test_a_second_host_takes_another_number() -> None:
    broker = MemoryBroker()
    async with offered(broker) as first, offered(broker, invite="wasabi:other") as second:
        assert (first.code.partition("-")[0], second.code.partition("-")[0]) == ("7", "8")
        assert await meet(transport(broker), read_code(first.code)) == INVITE
        assert await meet(transport(broker), read_code(second.code)) == "wasabi:other"
        assert (first.wrong, second.wrong) == (0, 0)


async def test_two_hosts_who_could_not_hear_each_other_both_get_their_guests() -> None:
    """They took the same number on different brokers; a guest reaches both."""
    one, other = MemoryBroker(), MemoryBroker()
    async with offered(one) as first, offered(other, invite="wasabi:other") as second:
        assert first.code.partition("-")[0] == second.code.partition("-")[0] == "7"
        assert await meet(transport(one, other), read_code(first.code), patience=1.0) == INVITE
        assert await meet(transport(one, other), read_code(second.code), patience=1.0) == "wasabi:other"
        assert first.wrong + second.wrong <= 2
        assert not first.void
        assert not second.void


async def test_what_a_relay_carries_holds_neither_words_nor_invite() -> None:
    broker = MemoryBroker()
    async with offered(broker) as offer:
        code = read_code(offer.code)
        await meet(transport(broker), code)
    carried = [publication.payload for publication in broker.log]
    assert {read_word(payload).t for payload in carried} == {"here", "hello", "reply", "proof", "found"}
    for payload in carried:
        assert not any(secret.encode() in payload for secret in (*code.words, INVITE, INVITE[8:20]))
    assert all(publication.topic.startswith("wsb1/main/meet/7/") for publication in broker.log)
    assert not any(publication.retain for publication in broker.log)


async def test_garbage_under_the_number_disturbs_nobody() -> None:
    broker = MemoryBroker()
    async with offered(broker) as offer:
        stranger = MemoryTransport(broker, "stranger")
        stranger.open()
        for number, payload in enumerate((b"", b"\xff" * 40, b"\x80", b"x" * 60_000)):
            stranger.publish(Publication(meeting_topic(7, "abcdefghijklmnopqrstuvwxy" + "abcd"[number]), payload))
        stranger.publish(Publication("wsb1/main/meet/7/no-run", b"x"))
        assert await meet(transport(broker), read_code(offer.code)) == INVITE
        await stranger.close()


def test_the_list_of_words_comes_with_the_package() -> None:
    assert (Path(spoken_codes.__file__).parents[2] / "text" / "code_words.txt").is_file()
