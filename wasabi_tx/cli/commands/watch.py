"""`wasabi-tx watch`: look on, read-only, verifying everything."""

from __future__ import annotations

import click

from ...table.online.headless import follow
from ...table.online.tables import read_invite, watch_table
from ...table.threaded import TableThread
from .. import on_terminal
from ..online_common import (
    broker_named,
    broker_option,
    home_for,
    invite_from,
    json_option,
    one_sentence,
    reach,
    result_json,
    run_until_stopped,
    sentences,
    trouble_teller,
)
from ..options import language_option, texts_for
from ..output import echo, emit
from ..plain_table import sit_plain


@click.command()
@click.argument("invite", required=False)
@broker_option
@click.option("--headless", is_flag=True, help="only follow to the end and say what came of it")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@json_option
@language_option
def watch(
    invite: str | None, broker: str | None, headless: bool, plain: bool, as_json: bool, language: str | None
) -> None:
    """Watch the table of INVITE, or of the invite on standard input. Every move is checked; nothing is published."""
    texts = texts_for(language)
    if not plain and not headless and not as_json and invite not in (None, "-") and on_terminal():
        from ..online_tables import OnlineHome
        from ..screen_table import sit_on_screen

        through = broker_named(broker, texts)
        online = OnlineHome(language)
        sit_on_screen(lambda home: home.watch_through(str(invite), through, texts), online, language, texts)
        return
    home = home_for(texts)
    with sentences(texts):
        attendance = watch_table(home, read_invite(invite_from(invite, texts)), through=broker_named(broker, texts))
    if not headless and not as_json:
        thread = TableThread()
        try:
            sit_plain(attendance, texts, thread)
        finally:
            thread.close()
        return

    async def main() -> None:
        try:
            await reach(attendance, texts)
            with one_sentence(texts):
                result = await follow(attendance, trouble_teller(texts))
            if as_json:
                emit(result_json(result))
            elif result is not None:
                echo(texts.say("online.result", table=result.table[:6], winner=", ".join(result.winner) or "-"))
        finally:
            await attendance.close()

    run_until_stopped(main)
