"""Coming back to a seat at a table online, with the broker and the bots that this machine brought to it."""

from __future__ import annotations

import contextlib
from pathlib import Path

from ..store.paths import find_paths
from ..table.online.keep.disk import SavedSeat
from ..table.online.tables import read_invite, resume_table, unfinished
from ..table.threaded import TableThread
from ..text import Texts
from .bot_processes import BotProcesses
from .online_common import home_for, own_broker, sentences
from .output import echo
from .plain_table import sit_plain


def list_online(texts: Texts) -> None:
    """The unfinished games at tables online, a line each."""
    for name, seat in _own(find_paths().games):
        invite = read_invite(seat.invite)
        where = f"{invite.host}:{invite.port}"
        echo(texts.say("cli.online-saved", table=name[:6], name=seat.name, where=where))


def _own(games: Path) -> list[tuple[str, SavedSeat]]:
    return [(name, seat) for name, seat in unfinished(games) if not seat.bot]


def resume_online(wanted: Path | None, texts: Texts, language: str | None, plain: bool) -> bool:
    """Goes on at the table of this name, or at the newest one if it is newer than any local game; whether it did."""
    games = find_paths().games
    seats = _own(games)
    if wanted is not None:
        word = str(wanted)
        seats = [(name, seat) for name, seat in seats if word and name.startswith(word.lower())]
    elif seats and _older(games, seats[0][0]):
        seats = []
    if not seats:
        return False
    if plain:
        _go_on(*seats[0], texts)
        return True
    from .online_tables import OnlineHome
    from .screen_table import sit_on_screen

    name = seats[0][0]
    sit_on_screen(lambda home: home.resume(name, texts), OnlineHome(language), language, texts)
    return True


def _older(games: Path, name: str) -> bool:
    """Whether a local game was played after this seat."""
    seat = (games / "seats" / f"{name}.seat").stat().st_mtime
    return any(path.stat().st_mtime > seat for path in games.glob("*.txt"))


def _go_on(name: str, seat: SavedSeat, texts: Texts) -> None:
    home = home_for(texts)
    thread = TableThread()
    stack = contextlib.AsyncExitStack()
    companions = BotProcesses("normal")
    try:
        thread.call(stack.enter_async_context(own_broker(seat, texts)))
        with sentences(texts):
            attendance = resume_table(home, name)
        if seat.bind:
            echo(texts.say("online.invite-play", invite=attendance.invite))
        companions.resume([bot for bot, _ in unfinished(home.games) if bot.startswith(f"{name}-")])
        sit_plain(attendance, texts, thread)
    finally:
        companions.stop()
        thread.call(stack.aclose())
        thread.close()
