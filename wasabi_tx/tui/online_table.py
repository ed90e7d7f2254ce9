"""An online table on the screen: reached first, so that one sentence says what is wrong, then shown until left."""

from __future__ import annotations

import asyncio

import click

from ..app.local_games import LocalGames, colours_here
from ..app.online_tables import Come, OnlineTables, closing_lines
from ..app.output import echo
from ..online.online_table import OnlineTable
from ..text import Texts
from ..view.online.waiting_room import left_line


def sit_on_screen(come: Come, tables: OnlineTables, language: str | None, texts: Texts) -> None:
    """Show an online table until its end, and always leave it in order."""
    from .run import run_table

    async def main() -> OnlineTable:
        try:
            table = await come(tables)
            await run_table(LocalGames(language), table, close=tables.close, language=language, colours=colours_here())
        finally:
            await tables.close()
        return table.latest

    try:
        table = asyncio.run(main())
    except KeyboardInterrupt:
        raise click.exceptions.Exit(130) from None
    _say_what_came(table, texts)


def _say_what_came(table: OnlineTable, texts: Texts) -> None:
    """Print how the game ended, or how to resume it."""
    if table.seat is None or table.given_up:
        return
    if table.voted_out_by is not None:
        echo(left_line(table.voted_out_by, texts))
    result = table.snapshot.result
    if result is not None:
        words = "online.settled" if result.settled else "online.unsettled"
        echo(texts.say(words, file=table.saved_as, digest=result.digest[:16]))
    else:
        echo("\n".join(closing_lines(table, texts)))
