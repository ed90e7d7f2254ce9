"""Resuming a seat at an online table, with the broker and the bots that this machine brought to it."""

from __future__ import annotations

from pathlib import Path

from ..app.failure import failures_as_sentences
from ..app.online_tables import OnlineTables, seat_lines
from ..app.output import echo
from ..net.address import Address
from ..online.beginnings import table_beginning
from ..online.online_table import OnlineTable
from ..online.saved.seat import unfinished_of_person
from ..store.paths import find_paths
from ..store.seats import seat_written
from ..store.transcripts import last_transcript_written
from ..text import Texts
from ..view.online.waiting_room import command_for


def list_online(texts: Texts) -> bool:
    """Print the unfinished games at online tables, those that wait for us first; return whether there are any."""
    lines = seat_lines(find_paths().games, texts)
    for _, line in lines:
        echo(line)
    return bool(lines)


def resume_online(
    wanted: Path | None, texts: Texts, language: str | None, plain: bool, through: Address | None = None
) -> bool:
    """Resume the named table, or the newest one if it is newer than any local game; return whether there was one."""
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
    tables = OnlineTables()
    if plain:
        from ..plain.online_table import sit_plain

        def greet(table: OnlineTable) -> None:
            if seat.bind:
                echo(texts.say("online.invite-play", invite=command_for(table.invite)))

        sit_plain(lambda tables: tables.resume(name, texts, through), tables, texts, greet)
    else:
        from ..tui.online_table import sit_on_screen

        sit_on_screen(lambda tables: tables.resume(name, texts, through), tables, language, texts)
    return True
