"""`wasabi-tx join`: take a seat at somebody's table."""

from __future__ import annotations

import click

from .. import on_terminal
from ..online_common import broker_named, broker_option, given_invite, invite_from, name_for, name_option
from ..online_tables import MachineTables
from ..options import language_option, texts_for


@click.command()
@click.argument("invite", required=False)
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def join(invite: str | None, broker: str | None, plain: bool, name: str | None, language: str | None) -> None:
    """Take a seat at the table of INVITE, or of the one in WASABI_TX_INVITE or on standard input."""
    texts = texts_for(language)
    through = broker_named(broker, texts)
    given = invite_from(given_invite(invite), texts)
    tables = MachineTables(name_for(name, texts))
    if not plain and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.join(given, texts, through), tables, language, texts)
    else:
        from ..plain_table import sit_plain

        sit_plain(lambda tables: tables.join(given, texts, through), tables, texts)
