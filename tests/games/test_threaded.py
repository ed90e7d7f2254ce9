"""Blocking reads run in the calling thread, while the loop of the table runs in its own."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator

import pytest

from wasabi_tx.games.threaded import TableThread


@pytest.fixture
def thread() -> Iterator[TableThread]:
    thread = TableThread()
    yield thread
    thread.close()


def test_blocking_work_runs_in_the_caller_while_the_loop_goes_on(thread: TableThread) -> None:
    turned = threading.Event()

    async def turn() -> None:
        turned.set()

    def ask() -> threading.Thread:
        thread.start(turn())
        assert turned.wait(60), "the loop waits for the person"
        return threading.current_thread()

    async def session() -> tuple[threading.Thread, threading.Thread]:
        return await thread.in_caller(ask), threading.current_thread()

    asked, went_on = thread.call(session())
    assert asked is threading.current_thread()
    assert went_on is not asked


def test_the_work_may_call_the_loop_itself(thread: TableThread) -> None:
    async def say(text: str) -> str:
        return text.upper()

    async def session() -> str:
        return await thread.in_caller(lambda: thread.call(say("hello")))

    assert thread.call(session()) == "HELLO"
    assert thread.call(say("again")) == "AGAIN"


def test_an_error_of_the_work_is_raised_where_it_was_waited_for(thread: TableThread) -> None:
    def ask() -> None:
        raise ValueError("nothing more is typed")

    async def session() -> str:
        try:
            await thread.in_caller(ask)
        except ValueError as error:
            return str(error)
        return ""

    assert thread.call(session()) == "nothing more is typed"


def test_an_interrupt_reaches_the_caller_and_the_loop_can_still_be_called(thread: TableThread) -> None:
    left: list[str] = []

    async def session() -> None:
        try:
            await thread.in_caller(lambda: signal.raise_signal(signal.SIGINT))
        except asyncio.CancelledError:
            left.append("in order")
            raise

    async def close() -> str:
        await asyncio.sleep(0)
        return "closed"

    with pytest.raises(KeyboardInterrupt):
        thread.call(session())
    assert thread.call(close()) == "closed"
    assert left == ["in order"]
