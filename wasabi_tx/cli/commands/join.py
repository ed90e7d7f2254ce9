"""`wasabi-tx join`: take a seat at somebody's table."""

from __future__ import annotations

import click

from .. import on_terminal
from ..online_common import broker_named, broker_option, given_invite, invite_from, name_option
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
    texts, invite = texts_for(language), given_invite(invite)
    tables, through = MachineTables(name), broker_named(broker, texts)
    if not plain and invite not in (None, "-") and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.join(str(invite), texts, through), tables, language, texts)
    else:
        from ..plain_table import sit_plain

        given = invite_from(invite, texts)
        sit_plain(lambda tables: tables.join(given, texts, through), tables, texts)
