"""A table online on the screen: reached first, so that what is wrong is said in one sentence; then shown until left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import click

from ..table.online.result import result_of
from ..text import Texts
from ..tui.services import NotPossible
from . import Failure
from .local_games import HomeDesk, wants_colours
from .online_tables import OnlineHome, SeatOnline
from .output import echo


def sit_on_screen(
    come: Callable[[OnlineHome], Coroutine[Any, Any, object]], online: OnlineHome, language: str | None, texts: Texts
) -> None:
    """The whole of it; the table is left in order however it ends."""
    from ..tui.run import run_table

    async def main() -> SeatOnline:
        try:
            table = await come(online)
            assert isinstance(table, SeatOnline)
            await run_table(HomeDesk(language), table, close=online.close, language=language, colours=wants_colours())
        finally:
            await online.close()
        return table

    try:
        table = asyncio.run(main())
    except NotPossible as refused:
        raise Failure(str(refused)) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    _say_what_came(table, texts)


def _say_what_came(table: SeatOnline, texts: Texts) -> None:
    """How the game ended, or how to go on with it."""
    attendance = table.attendance
    if attendance.seat is None or table.given_up:
        return
    if table.left:
        echo(table.left)
    playing = attendance.driver.client.playing
    if playing is not None and (playing.over or playing.out):
        result = result_of(playing.session)
        words = "online.settled" if result.settled else "online.unsettled"
        echo(texts.say(words, file=attendance.saved_as, digest=result.digest[:16]))
    else:
        echo(texts.say("online.resume", table=attendance.title))
