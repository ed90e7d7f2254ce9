"""An online table line by line: the waiting room, the game, the result."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import click

from ..app.failure import Failure
from ..app.online_tables import Come, OnlineTables, closing_lines
from ..app.output import echo
from ..games.game import SeatState
from ..games.threaded import TableThread
from ..online.client import events as table_events
from ..online.online_table import OnlineTable
from ..online.result import OnlineResult
from ..store.paths import find_paths
from ..store.user_files import edition_names
from ..text import Texts
from ..view.log.chronicle import Chronicle
from ..view.online.waiting_room import command_for, room_line
from .console import Console, InputEnded
from .session import PlainSession
from .waiting_room import PlainWaitingRoom


def sit_plain(
    come: Come, tables: OnlineTables, texts: Texts, greet: Callable[[OnlineTable], None] = lambda _table: None
) -> None:
    """Join, play to the end, and always close cleanly; `greet` is called on arrival."""
    for number in (signal.SIGTERM, *((signal.SIGHUP,) if os.name == "posix" else ())):
        # As with Ctrl-C, the table is closed cleanly, and can be resumed.
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
            # The game has already printed how to continue it.
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
    """Print the invites that a host has to pass on."""
    echo("\n".join(invite_lines(table, texts)))


def invite_lines(table: OnlineTable, texts: Texts) -> list[str]:
    """Return the invites of a table, to play and to watch."""
    lines = [
        texts.say("online.invite-play", invite=command_for(table.invite)),
        texts.say("online.invite-watch", invite=command_for(table.watch_invite)),
    ]
    if table.site:
        lines.append(texts.say("online.link-play", link=table.site + table.invite))
        lines.append(texts.say("online.link-watch", link=table.site + table.watch_invite))
    return lines


def play_plain(table: OnlineTable, thread: TableThread, texts: Texts) -> OnlineResult | None:
    """Sit at the table until the game is over, and return its result, or until the input ends."""
    console = Console(sys.stdin, sys.stdout)

    def admit(key: bytes) -> None:
        thread.call(table.admit(key))

    def turn_away(key: bytes) -> None:
        thread.call(table.turn_away(key))

    names = edition_names(find_paths().editions, texts.language)

    def edition_name(edition: str) -> str:
        return names.get(edition, edition)

    def begin() -> None:
        thread.call(table.propose())

    ways = (admit if table.asks else None, turn_away, begin if table.hosting else None)
    room = PlainWaitingRoom(console, texts, edition_name, table.expects, *ways)
    while table.snapshot.observation is None:
        event = thread.call(table.next_event())
        if isinstance(event, table_events.CannotPlay | table_events.HostBroken):
            thread.call(table.give_up())
            raise Failure(room_line(event, texts) or "")
        if event is not None:
            room.show_event(event)
    game = thread.call(table.game())
    chronicle = Chronicle(game.rules, game.players, texts)

    def talk(text: str) -> None:
        thread.call(game.send_talk(text))

    def doing(state: SeatState) -> None:
        thread.start(game.doing(state))

    back = f"wasabi-tx resume {table.title} --plain"
    session = PlainSession(
        game, console, texts, chronicle, table.title, talk, game.history, doing, back, thread.in_caller,
        invites=invite_lines(table, texts),
    )  # fmt: skip
    if not thread.call(session.run()):
        return None
    return thread.call(table.finish())
