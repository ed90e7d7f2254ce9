"""A table's event loop in a thread of its own: the thread in which a person types may block."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class TableThread:
    """A thread with an event loop; whatever waits for a person runs in the thread that calls."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._wanted: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        """Functions that the loop wants run in the calling thread; None wakes it."""
        self._thread = threading.Thread(target=self._run, name="wasabi-table", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the work on the loop, and here what it hands to `in_caller`; return its result or raise its error."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        future.add_done_callback(lambda _: self._wanted.put(None))
        try:
            while not future.done():
                wanted = self._wanted.get()
                if wanted is not None:
                    wanted()
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def in_caller(self, work: Callable[[], T]) -> T:
        """Run blocking work in the thread that waits in `call`; the loop goes on meanwhile."""
        done: Future[T] = Future()

        def run() -> None:
            try:
                result = work()
            except Exception as error:
                done.set_exception(error)
            except BaseException:
                # An interrupt is for the caller: on the loop it would end the loop.
                done.cancel()
                raise
            else:
                done.set_result(result)

        self._wanted.put(run)
        return await asyncio.wrap_future(done)

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Begin the work on the loop without waiting for it."""
        asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """End the loop; work that is still running is cancelled first."""
        self.call(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_others() -> None:
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
