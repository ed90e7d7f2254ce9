"""`wasabi-tx join`: take a seat at somebody's table."""

from __future__ import annotations

import click

from ..table.apart import TableThread
from ..table.online.meet import join_table, read_invite
from .meeting import broker_named, broker_option, home_for, invite_from, name_option, sentences
from .options import language_option, texts_for
from .seated import sit_plain


@click.command()
@click.argument("invite", required=False)
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def join(invite: str | None, broker: str | None, plain: bool, name: str | None, language: str | None) -> None:
    """Take a seat at the table of INVITE, or of the invite on standard input."""
    del plain
    texts = texts_for(language)
    home = home_for(texts, name)
    with sentences(texts):
        attendance = join_table(home, read_invite(invite_from(invite, texts)), through=broker_named(broker, texts))
    thread = TableThread()
    try:
        sit_plain(attendance, texts, thread)
    finally:
        thread.close()
