"""From a table that was found to its end, line by line: the waiting room, the game, what came of it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from ..plain.console import Console, InputEnded
from ..plain.session import PlainSession
from ..plain.waiting_room import PlainWaitingRoom
from ..store.paths import find_paths
from ..store.user_files import edition_names
from ..table.online.client import events as table_events
from ..table.online.client.client import Event
from ..table.online.headless import finish
from ..table.online.peer_game import PeerGame
from ..table.online.result import OnlineResult
from ..table.online.tables import Attendance
from ..table.threaded import TableThread, ThreadedGame
from ..text import Texts
from ..view.log.chronicle import Chronicle
from ..view.online.waiting_room import room_line
from . import Failure
from .online_common import reach
from .output import echo


def play_plain(attendance: Attendance, thread: TableThread, texts: Texts) -> OnlineResult | None:
    """Sits at the table until the game is over, and then says what came of it, or until the input ends."""
    console = Console(sys.stdin, sys.stdout)
    driver = attendance.driver
    thread.call(reach(attendance, texts))

    def admit(key: bytes) -> None:
        thread.call(driver.do(lambda client, now: client.admit(key, now)))

    names = edition_names(find_paths().editions, texts.language)

    def edition_name(edition: str) -> str:
        return names.get(edition, edition)

    waiting = PlainWaitingRoom(console, texts, edition_name, attendance.is_ours, admit if attendance.asks else None)
    while driver.snapshot.observation is None:
        event = thread.call(_next_event(attendance))
        if isinstance(event, table_events.CannotPlay | table_events.HostBroken):
            thread.call(attendance.give_up())
            raise Failure(room_line(event, texts) or "")
        if event is not None:
            waiting.tell(event)
    game = PeerGame(driver, attendance.title, lambda: attendance.saved_as)
    chronicle = Chronicle(game.rules, game.players, texts)

    def talk(text: str) -> None:
        thread.call(game.say(text))

    session = PlainSession(_Followed(game, thread), console, texts, chronicle, attendance.title, talk)
    if not asyncio.run(session.run()):
        return None
    return thread.call(finish(attendance))


class _Followed(ThreadedGame):
    """A game whose table is left later than its screen: the others may still need our word."""

    async def close(self) -> None:
        pass


async def _next_event(attendance: Attendance) -> Event | None:
    return await attendance.driver.next_event()


def sit_plain(attendance: Attendance, texts: Texts, thread: TableThread) -> None:
    """The whole of it; the table is left in order however it ends."""
    for number in (signal.SIGTERM, *((signal.SIGHUP,) if os.name == "posix" else ())):
        # As Ctrl-C: the table is left in order, and can be come back to.
        signal.signal(number, signal.default_int_handler)
    try:
        result = play_plain(attendance, thread, texts)
        if result is not None:
            words = "online.settled" if result.settled else "online.unsettled"
            echo(texts.say(words, file=attendance.saved_as, digest=result.digest[:16]))
    except (KeyboardInterrupt, InputEnded):
        echo(texts.say("online.resume", table=attendance.title))
    finally:
        thread.call(attendance.close())
