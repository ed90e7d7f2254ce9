"""Resuming a seat at an online table, with the broker and the bots that this machine brought to it."""

from __future__ import annotations

from pathlib import Path

from ..net.address import Address
from ..store.paths import find_paths
from ..store.seats import seat_written
from ..store.transcripts import last_transcript_written
from ..table.online.beginnings import table_beginning
from ..table.online.keep.seat import unfinished_of_person
from ..table.online.online_table import OnlineTable
from ..text import Texts
from ..view.online.waiting_room import command_for
from .online_common import failures_as_sentences
from .online_tables import MachineTables, seat_lines
from .output import echo


def list_online(texts: Texts) -> bool:
    """The unfinished games at online tables, a line each: what waits for us comes first; whether there are any."""
    lines = seat_lines(find_paths().games, texts)
    for _, line in lines:
        echo(line)
    return bool(lines)


def resume_online(
    wanted: Path | None, texts: Texts, language: str | None, plain: bool, through: Address | None = None
) -> bool:
    """Goes on at the table of this name, or at the newest one if it is newer than any local game; whether it did."""
    games = find_paths().games
    seats = unfinished_of_person(games)
    if wanted is not None:
        word = str(wanted).lower()
        with failures_as_sentences(texts):
            found = table_beginning(word, [name for name, _ in seats]) if word else None
        seats = [(name, seat) for name, seat in seats if name == found]
    elif seats and last_transcript_written(games) > seat_written(games, seats[0][0]):
        seats = []
    if not seats:
        return False
    name, seat = seats[0]
    tables = MachineTables()
    if plain:
        from .plain_table import sit_plain

        def greet(table: OnlineTable) -> None:
            if seat.bind:
                echo(texts.say("online.invite-play", invite=command_for(table.invite)))

        sit_plain(lambda tables: tables.resume(name, texts, through), tables, texts, greet)
    else:
        from .screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.resume(name, texts, through), tables, language, texts)
    return True
