"""`wasabi-tx join`: take a seat at somebody's table."""

from __future__ import annotations

import click

from ...table.online.tables import join_table, read_invite
from ...table.threaded import TableThread
from .. import on_terminal
from ..online_common import broker_named, broker_option, home_for, invite_from, name_option, sentences
from ..options import language_option, texts_for
from ..plain_table import sit_plain


@click.command()
@click.argument("invite", required=False)
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def join(invite: str | None, broker: str | None, plain: bool, name: str | None, language: str | None) -> None:
    """Take a seat at the table of INVITE, or of the invite on standard input."""
    texts = texts_for(language)
    if not plain and invite not in (None, "-") and on_terminal():
        from ..online_tables import OnlineHome
        from ..screen_table import sit_on_screen

        through = broker_named(broker, texts)
        online = OnlineHome(language, name)
        sit_on_screen(lambda home: home.join_through(str(invite), through, texts), online, language, texts)
        return
    home = home_for(texts, name)
    with sentences(texts):
        attendance = join_table(home, read_invite(invite_from(invite, texts)), through=broker_named(broker, texts))
    thread = TableThread()
    try:
        sit_plain(attendance, texts, thread)
    finally:
        thread.close()
