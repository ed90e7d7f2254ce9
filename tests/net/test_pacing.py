"""Pauses between attempts, the window of unacknowledged messages, and orders that wait for a connection."""

from __future__ import annotations

import asyncio
from random import Random

from tests.brokers import PATIENCE
from wasabi_tx.net.outbox import Outbox, Subscribe, Unsubscribe
from wasabi_tx.net.pacing import FIRST_PAUSE, LONGEST_PAUSE, Pause, SendWindow
from wasabi_tx.net.transport import Publication


def test_pauses_grow_to_five_seconds_with_jitter_and_start_anew_after_a_connection_that_stood() -> None:
    now = 0.0
    pause = Pause(Random(1), lambda: now)
    waits = [pause.after_loss() for _ in range(40)]
    assert FIRST_PAUSE == waits[0] == 0.1
    assert all(FIRST_PAUSE <= wait <= LONGEST_PAUSE for wait in waits)
    assert all(wait >= LONGEST_PAUSE / 2 for wait in waits[6:])
    assert len(set(waits[6:])) > 30
    pause.connected()
    now += 1
    assert pause.after_loss() > 2
    pause.connected()
    now += LONGEST_PAUSE
    assert pause.after_loss() == FIRST_PAUSE


async def test_a_window_lets_in_so_many_and_the_next_when_one_leaves() -> None:
    window = SendWindow(most=2, most_bytes=100)
    await window.enter(10)
    await window.enter(10)
    third = asyncio.ensure_future(window.enter(10))
    await asyncio.sleep(0)
    assert not third.done()
    window.exit(10)
    await asyncio.wait_for(third, PATIENCE)


async def test_a_window_counts_bytes_and_what_is_larger_goes_alone() -> None:
    window = SendWindow(most=10, most_bytes=100)
    await window.enter(500)
    small = asyncio.ensure_future(window.enter(1))
    await asyncio.sleep(0)
    assert not small.done()
    window.exit(500)
    await asyncio.wait_for(small, PATIENCE)
    empty = asyncio.ensure_future(window.empty())
    await asyncio.sleep(0)
    assert not empty.done()
    window.exit(1)
    await asyncio.wait_for(empty, PATIENCE)


async def taken(outbox: Outbox) -> list[object]:
    outbox.close()
    orders: list[object] = []
    while (order := await outbox.next_order()) is not None:
        orders.append(order)
    return orders


async def test_orders_are_taken_as_given_filters_eight_at_a_time() -> None:
    outbox = Outbox()
    outbox.subscribe(["before"])
    outbox.take_on(asyncio.get_running_loop())
    assert outbox.begin() == [Subscribe(("before",))]
    names = [str(number) for number in range(9)]
    outbox.subscribe(names)
    outbox.publish(Publication("x", b""))
    outbox.unsubscribe(names)
    assert await taken(outbox) == [
        Subscribe(tuple(names[:8])),
        Subscribe(("8",)),
        Publication("x", b""),
        Unsubscribe(tuple(names[:8])),
        Unsubscribe(("8",)),
    ]


async def test_without_a_connection_publications_are_dropped_and_filters_kept() -> None:
    outbox = Outbox()
    outbox.begin()
    outbox.publish(Publication("x", b"waits in vain"))
    outbox.subscribe(["a", "b"])
    outbox.end()
    outbox.publish(Publication("x", b"too late"))
    outbox.unsubscribe(["a"])
    assert outbox.dropped == 2
    assert outbox.begin() == [Subscribe(("b",))]
    assert await taken(outbox) == []


async def test_waiting_publications_are_bounded() -> None:
    outbox = Outbox(most=3, most_bytes=10)
    outbox.begin()
    for payload in (b"1234567", b"12345", b"1", b"2", b"3"):
        outbox.publish(Publication("x", payload))
    assert await taken(outbox) == [Publication("x", payload) for payload in (b"1234567", b"1", b"2")]
    assert outbox.dropped == 2


async def test_what_can_wait_goes_after_everything_else_and_each_in_its_own_order() -> None:
    outbox = Outbox()
    outbox.begin()
    asks = [Publication("ask", b"%d" % number, can_wait=True) for number in range(3)]
    moves = [Publication("move", b"%d" % number) for number in range(3)]
    for ask, move in zip(asks, moves, strict=True):
        outbox.publish(ask)
        outbox.publish(move)
    outbox.subscribe(["x"])
    assert await outbox.next_order() == moves[0]
    outbox.publish(Publication("move", b"late"))
    assert await taken(outbox) == [*moves[1:], Subscribe(("x",)), Publication("move", b"late"), *asks]


async def test_for_what_cannot_wait_there_is_room_as_long_as_anything_waits_that_can() -> None:
    outbox = Outbox(most=3, most_bytes=10)
    outbox.begin()
    for number in range(5):
        outbox.publish(Publication("ask", b"%d" % number, can_wait=True))
    assert outbox.dropped == 2, "the oldest"
    for payload in (b"1", b"12345678", b"too much"):
        outbox.publish(Publication("move", payload))
    outbox.publish(Publication("ask", b"in vain", can_wait=True))
    assert await taken(outbox) == [Publication("move", b"1"), Publication("move", b"12345678")]
    assert outbox.dropped == 7
