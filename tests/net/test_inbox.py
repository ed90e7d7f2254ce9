"""Events reach a reader in order; a slow one loses what matters least, and memory stays bounded."""

from __future__ import annotations

import asyncio
import threading

import pytest

from tests.brokers import PATIENCE
from wasabi_tx.net.inbox import MESSAGE_BYTES, MOST, MOST_CHANGES, Inbox
from wasabi_tx.net.transport import Arrived, Connected, Lost, TransportEvent


def message(name: str, retained: bool = False, size: int = 1) -> Arrived:
    return Arrived(name, b"x" * size, retained)


async def read_all(inbox: Inbox) -> list[TransportEvent]:
    inbox.read_on(asyncio.get_running_loop())
    inbox.close()
    return [events async for events in inbox]


async def test_events_come_in_the_order_in_which_they_were_put() -> None:
    inbox = Inbox()
    events: list[TransportEvent] = [
        Connected(),
        message("a"),
        message("b", retained=True),
        Lost("closed"),
        message("c"),
    ]
    for one in events:
        inbox.put(one)
    assert await read_all(inbox) == events


@pytest.mark.parametrize("events", [Connected(), Lost("refused")])
async def test_what_a_connection_brings_waits_for_the_events_of_the_connection(events: TransportEvent) -> None:
    inbox = Inbox()
    inbox.read_on(asyncio.get_running_loop())
    inbox.put(message("of the one before"))
    inbox.pause()
    inbox.put(message("kept", retained=True))
    assert await anext(inbox) == message("of the one before")
    waiting = asyncio.create_task(anext(inbox))
    inbox.put(message("live"))
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.put(events)
    assert await asyncio.wait_for(waiting, PATIENCE) == events
    assert await read_all(inbox) == [message("kept", retained=True), message("live")]


async def test_what_waits_for_a_connection_that_never_stood_is_read_with_the_next_or_at_the_end() -> None:
    inbox = Inbox()
    inbox.pause()
    inbox.put(message("a"))
    inbox.pause()
    inbox.put(message("b"))
    inbox.put(Connected())
    inbox.pause()
    inbox.put(message("c"))
    assert await read_all(inbox) == [message("a"), Connected(), message("b"), message("c")]


async def test_a_slow_reader_loses_the_oldest_live_messages_and_retained_ones_last() -> None:
    inbox = Inbox(most=3)
    inbox.put(message("kept", retained=True))
    for name in ("first", "second", "third", "fourth"):
        inbox.put(message(name))
    inbox.put(Lost("closed"))
    read = await read_all(inbox)
    assert read == [message("kept", retained=True), message("third"), message("fourth"), Lost("closed")]
    assert inbox.dropped == 2


async def test_bytes_are_bounded_too() -> None:
    inbox = Inbox(most_bytes=2 * (50 + MESSAGE_BYTES))
    for name in "abc":
        inbox.put(message(name, size=50))
    assert await read_all(inbox) == [message("b", size=50), message("c", size=50)]


async def test_changes_of_the_connection_do_not_pile_up() -> None:
    inbox = Inbox()
    for number in range(10_000):
        inbox.put(Lost("timeout", str(number)))
    read = await read_all(inbox)
    assert len(read) == MOST_CHANGES
    assert read[-1] == Lost("timeout", "9999")


async def test_a_waiting_reader_is_woken_from_another_thread() -> None:
    inbox = Inbox()
    inbox.read_on(asyncio.get_running_loop())
    waiting = asyncio.ensure_future(anext(inbox))
    await asyncio.sleep(0)
    thread = threading.Thread(target=inbox.put, args=(message("a"),))
    thread.start()
    assert await asyncio.wait_for(waiting, PATIENCE) == message("a")
    thread.join()


async def test_nothing_is_lost_between_many_threads_and_a_reader() -> None:
    inbox = Inbox()
    inbox.read_on(asyncio.get_running_loop())

    def put(name: str) -> None:
        for number in range(500):
            inbox.put(message(f"{name}{number}"))

    threads = [threading.Thread(target=put, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    read = [await asyncio.wait_for(anext(inbox), PATIENCE) for _ in range(2_000)]
    for thread in threads:
        thread.join()
    for name in "abcd":
        assert [one for one in read if isinstance(one, Arrived) and one.topic[0] == name] == [
            message(f"{name}{number}") for number in range(500)
        ]


async def test_reading_ends_after_close() -> None:
    inbox = Inbox()
    inbox.read_on(asyncio.get_running_loop())
    waiting = asyncio.ensure_future(anext(inbox))
    await asyncio.sleep(0)
    inbox.close()
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(waiting, PATIENCE)
    inbox.put(message("late"))
    assert [events async for events in inbox] == []


async def test_what_is_too_much_under_one_topic_drowns_nobody_elsewhere() -> None:
    inbox = Inbox(topic_bytes=3 * (1 + MESSAGE_BYTES))
    inbox.put(message("quiet"))
    for _ in range(MOST + 10):
        inbox.put(message("noise"))
    inbox.put(message("quiet"))
    assert await read_all(inbox) == [message("quiet"), *[message("noise")] * 3, message("quiet")]
    assert inbox.dropped == MOST + 7


async def test_a_topic_has_room_again_when_it_was_read() -> None:
    inbox = Inbox(topic_bytes=1)
    inbox.read_on(asyncio.get_running_loop())
    for _ in range(3):
        inbox.put(message("a", size=100))
        inbox.put(message("a", size=100))
        assert await anext(inbox) == message("a", size=100)
    assert inbox.dropped == 3
