"""`wasabi-tx knock`: ask the host of a table for a seat, without an invite."""

from __future__ import annotations

import click

from .. import on_terminal
from ..online_common import broker_address, broker_option, name_for, name_option
from ..online_tables import MachineTables
from ..options import language_option, texts_for


@click.command()
@click.argument("table")
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def knock(table: str, broker: str | None, plain: bool, name: str | None, language: str | None) -> None:
    """Ask for a seat at TABLE, as the lobby names it: its host lets you in or turns you away.

    Without a broker, tables on the brokers of the local network are looked at.
    """
    texts = texts_for(language)
    place = broker_address(broker, texts)
    tables = MachineTables(name_for(name, texts))
    if not plain and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.knock(table, place, texts), tables, language, texts)
    else:
        from ..plain_table import sit_plain

        sit_plain(lambda tables: tables.knock(table, place, texts), tables, texts)
