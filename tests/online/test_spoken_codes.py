"""Spoken codes over brokers: they are read as people write them, and lead to one table and no other."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import combinations, count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wasabi_protocol.meeting import work
from wasabi_protocol.meeting.meeting import MOST_WRONG, GuestMeeting
from wasabi_protocol.meeting.messages import MeetingWord, meeting_topic, read_word, write_word
from wasabi_protocol.meeting.spoken_code import SpokenCode, parse_code
from wasabi_protocol.signed.identity import base32

from tests.net.memory import Faults, MemoryBroker, MemoryTransport
from wasabi_tx.net.carriers import Carriers
from wasabi_tx.net.transport import Arrived, Lost, Publication
from wasabi_tx.online import spoken_codes
from wasabi_tx.online.invites import is_invite
from wasabi_tx.online.spoken_codes import BadCode, CodeOffer, looks_like_code, meet, read_code
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
    """Shorten the waits and reduce the work."""
    for name, seconds in (("LISTEN", 0.1), ("REPEAT", 0.1), ("SECOND_THOUGHT", 0.1)):
        monkeypatch.setattr(spoken_codes, name, seconds)
    monkeypatch.setattr(work, "WORK_BITS", 6)


def transport(*brokers: MemoryBroker) -> MemoryTransport | Carriers:
    parts = {f"client-{next(_names)}": broker for broker in brokers}
    if len(parts) == 1:
        ((name, broker),) = parts.items()
        return MemoryTransport(broker, name)
    return Carriers({name: MemoryTransport(broker, name) for name, broker in parts.items()})


@asynccontextmanager
async def offered(*brokers: MemoryBroker, number: int = 7, invite: str = INVITE) -> AsyncIterator[CodeOffer]:
    """Yield a host with its code; it draws this number first, then the next."""
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


@pytest.mark.parametrize("text", ["", "7", "7-octopus", INVITE, "example.org", "10.0.0.7:2883", "1883", "wasabi:h/r"])
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


def guess_at(code: SpokenCode) -> SpokenCode:
    """Return a code with the same number and other words."""
    return SpokenCode(code.number, (code.words[1], "tofu" if code.words[0] != "tofu" else "miso"))


async def spoil(broker: MemoryBroker, offer: CodeOffer) -> SpokenCode:
    """Guess at a host's code until it is void; return that code."""
    right = read_code(offer.code)
    for left in reversed(range(MOST_WRONG)):
        with pytest.raises(BadCode) as bad:
            await meet(transport(broker), guess_at(right), patience=0.5)
        assert bad.value.reason == ("void" if left == 0 else "wrong")
        if left:
            assert (offer.code, offer.tries_left) == (str(right), left)
    return right


async def until_code(offer: CodeOffer, but: SpokenCode) -> str:
    """Wait until a host has another code than this one."""
    changed = asyncio.Event()
    offer.changed = changed.set
    while offer.code in ("", str(but)):
        await changed.wait()
        changed.clear()
    return offer.code


async def test_a_void_code_says_so_to_everybody_and_the_next_one_comes_by_itself() -> None:
    broker = MemoryBroker()
    async with offered(broker) as offer:
        void = await spoil(broker, offer)
        code = await until_code(offer, void)
        assert offer.voided == 1
        assert offer.wrong == 0
        with pytest.raises(BadCode) as bad:
            await meet(transport(broker), void, patience=0.5)
        assert bad.value.reason == "void"
        assert await meet(transport(broker), read_code(code)) == INVITE


async def test_guesses_without_end_are_few_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken_codes, "FIRST_PAUSE", 0.3)
    broker = MemoryBroker()
    async with offered(broker) as offer:
        second = await until_code(offer, await spoil(broker, offer))
        void = await spoil(broker, offer)
        assert str(void) == second
        assert offer.code == "", "the third one is not there at once"
        await until_code(offer, void)
        assert offer.voided == 2
    pauses = []
    for offer.voided in range(12):
        pauses.append(offer.pause / 0.3)
    assert pauses[:6] == [0, 0, 1, 2, 4, 8]
    codes_an_hour = next(number for number in range(12) if sum(pauses[: number + 1]) > 60)
    assert codes_an_hour * MOST_WRONG <= 64


async def flood(broker: MemoryBroker, number: int, with_work: bool, done: asyncio.Event) -> None:
    """Say hello again and again under a number, each time as somebody else."""
    stranger = MemoryTransport(broker, f"stranger-{next(_names)}")
    stranger.open()
    while not done.is_set():
        for _ in range(20):
            run = base32(secrets.token_bytes(16))
            point = GuestMeeting(parse_code("7-miso-tofu"), run)._point
            nonce = work.find_work(number, run, point) if with_work else bytes(8)
            word = MeetingWord("hello", point=point, work=nonce)
            stranger.publish(Publication(meeting_topic(number, run), write_word(word)))
        await asyncio.sleep(0)
    await stranger.close()


@pytest.mark.parametrize("with_work", [False, True])
@pytest.mark.long
async def test_a_friend_gets_in_among_many_who_say_hello(with_work: bool) -> None:
    broker, done = MemoryBroker(), asyncio.Event()
    async with offered(broker) as offer:
        strangers = asyncio.create_task(flood(broker, 7, with_work, done))
        for _ in range(3):
            assert await meet(transport(broker), read_code(offer.code), patience=5.0) == INVITE
        done.set()
        await strangers
        assert not offer.voided


async def test_guesses_at_every_number_spoil_no_code_without_work() -> None:
    """Repeat an attack that once worked: three wrong proofs under each of 99 numbers, in 102 messages of 11 kB."""
    broker = MemoryBroker()
    async with offered(broker) as offer:
        stranger = MemoryTransport(broker, "stranger")
        stranger.open()
        host = next(read_word(one.payload).host for one in broker.log if read_word(one.payload).t == "here")
        for number in range(1, 100):
            for _ in range(3):
                run = base32(secrets.token_bytes(16))
                point = GuestMeeting(parse_code("7-miso-tofu"), run)._point
                for word in (
                    MeetingWord("hello", point=point, work=bytes(8)),
                    MeetingWord("proof", host, mac=bytes(32)),
                ):
                    stranger.publish(Publication(meeting_topic(number, run), write_word(word)))
        assert await meet(transport(broker), read_code(offer.code)) == INVITE
        assert offer.wrong <= 1
        await stranger.close()


async def test_false_hosts_under_the_number_win_no_race() -> None:
    """Let them hear every hello, reply to it before the host does, and claim that the code is void."""
    broker = MemoryBroker()
    point = GuestMeeting(parse_code("7-miso-tofu"), "a" * 26)._point
    false = MemoryTransport(broker, "false")
    false.open()
    false.subscribe(["wsb1/main/meet/7/+"])

    async def pretend() -> None:
        async for item in false.events():
            if isinstance(item, Arrived) and read_word(item.payload).t == "hello":
                for number in range(5):
                    name = bytes([number]) * 16
                    for word in (MeetingWord("reply", name, point=point), MeetingWord("void", name)):
                        false.publish(Publication(item.topic, write_word(word)))

    pretending = asyncio.create_task(pretend())
    async with offered(broker) as offer:
        assert await meet(transport(broker), read_code(offer.code), patience=5.0) == INVITE
        assert offer.wrong == 0
    pretending.cancel()
    await asyncio.gather(pretending, return_exceptions=True)
    await false.close()


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
    """Give them the same number on different brokers; a guest reaches both."""
    one, other = MemoryBroker(), MemoryBroker()
    async with offered(one) as first, offered(other, invite="wasabi:other") as second:
        assert first.code.partition("-")[0] == second.code.partition("-")[0] == "7"
        assert await meet(transport(one, other), read_code(first.code), patience=1.0) == INVITE
        assert await meet(transport(one, other), read_code(second.code), patience=1.0) == "wasabi:other"
        assert first.wrong + second.wrong <= 2
        assert not first.voided
        assert not second.voided


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
    assert (Path(spoken_codes.__file__).parents[1] / "text" / "code_words.txt").is_file()
