"""A table online line by line: the waiting room, the game, what came of it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable

import click

from ..plain.console import Console, InputEnded
from ..plain.session import PlainSession
from ..plain.waiting_room import PlainWaitingRoom
from ..store.paths import find_paths
from ..store.user_files import edition_names
from ..table.game import SeatState
from ..table.online.client import events as table_events
from ..table.online.online_table import OnlineTable
from ..table.online.result import OnlineResult
from ..table.threaded import TableThread, ThreadedGame
from ..text import Texts
from ..view.log.chronicle import Chronicle
from ..view.online.waiting_room import command_for, room_line
from . import Failure
from .online_common import closing_lines
from .online_tables import Come, MachineTables
from .output import echo


def sit_plain(
    come: Come, tables: MachineTables, texts: Texts, greet: Callable[[OnlineTable], None] = lambda _table: None
) -> None:
    """From the way to the table to its end; it is left in order however that comes. `greet` speaks on arrival."""
    for number in (signal.SIGTERM, *((signal.SIGHUP,) if os.name == "posix" else ())):
        # As Ctrl-C: the table is left in order, and can be come back to.
        signal.signal(number, signal.default_int_handler)
    thread = TableThread()
    table: OnlineTable | None = None
    try:
        table = thread.call(come(tables))
        for note in table.notes:
            echo(note, err=True)
        greet(table)
        result = play_plain(table, thread, texts)
        if result is not None:
            words = "online.settled" if result.settled else "online.unsettled"
            echo(texts.say(words, file=table.saved_as, digest=result.digest[:16]))
        elif table.seat is not None:
            # How to continue it the game has said already.
            for line in closing_lines(table, texts)[1:]:
                echo(line)
    except (KeyboardInterrupt, InputEnded):
        if table is None:
            raise click.exceptions.Exit(130) from None
        if table.seat is not None:
            echo("\n".join(closing_lines(table, texts, " --plain")))
    finally:
        thread.call(tables.close())
        thread.close()


def greet_host(table: OnlineTable, texts: Texts) -> None:
    """What a host has to know and to pass on."""
    echo(texts.say("online.invite-play", invite=command_for(table.invite)))
    echo(texts.say("online.invite-watch", invite=command_for(table.watch_invite)))


def play_plain(table: OnlineTable, thread: TableThread, texts: Texts) -> OnlineResult | None:
    """Sits at the table until the game is over, and then says what came of it, or until the input ends."""
    console = Console(sys.stdin, sys.stdout)

    def admit(key: bytes) -> None:
        thread.call(table.admit(key))

    def turn_away(key: bytes) -> None:
        thread.call(table.turn_away(key))

    names = edition_names(find_paths().editions, texts.language)

    def edition_name(edition: str) -> str:
        return names.get(edition, edition)

    room = PlainWaitingRoom(console, texts, edition_name, table.expects, admit if table.asks else None, turn_away)
    while table.snapshot.observation is None:
        event = thread.call(table.next_event())
        if isinstance(event, table_events.CannotPlay | table_events.HostBroken):
            thread.call(table.give_up())
            raise Failure(room_line(event, texts) or "")
        if event is not None:
            room.tell(event)
    game = thread.call(table.game())
    chronicle = Chronicle(game.rules, game.players, texts)

    def talk(text: str) -> None:
        thread.call(game.say(text))

    def doing(state: SeatState) -> None:
        thread.start(game.doing(state))

    followed = _Followed(game, thread)
    back = f"wasabi-tx resume {table.title} --plain"
    session = PlainSession(followed, console, texts, chronicle, table.title, talk, game.history, doing, back)
    if not asyncio.run(session.run()):
        return None
    return thread.call(table.finish())


class _Followed(ThreadedGame):
    """A game whose table is left later than its screen: the others may still need our word."""

    async def close(self) -> None:
        pass
