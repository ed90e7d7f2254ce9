"""`wasabi-tx join`: take a seat at somebody's table."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import click

from ...app.machine import broker_named
from ...app.online_tables import OnlineTables
from ...app.output import echo
from ...app.preferences import texts_for
from ...online.beginnings import is_table_name
from ...online.online_table import OnlineTable
from ...online.spoken_codes import looks_like_code
from .. import on_terminal
from ..invite_argument import check_invite, given_invite, invite_from, name_for
from ..options import broker_option, language_option, name_option


@click.command()
@click.argument("invite", metavar="[INVITE|CODE|TABLE]", required=False)
@broker_option
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def join(invite: str | None, broker: str | None, plain: bool, name: str | None, language: str | None) -> None:
    """Take a seat at a table.

    INVITE comes from the host, CODE is a spoken code from the host, and TABLE is a name in the lobby, whose host is
    then asked for a seat. Without any of them, the invite is read from WASABI_TX_INVITE or standard input.
    """
    texts = texts_for(language)
    through = broker_named(broker, texts)
    given = invite_from(given_invite(invite), texts)
    if not is_table_name(given):
        check_invite(given, texts)
    tables = OnlineTables(name_for(name, texts))
    if looks_like_code(given):
        echo(texts.say("cli.asking-relays", code=given), err=True)

    def come(tables: OnlineTables) -> Coroutine[Any, Any, OnlineTable]:
        return tables.ask(given, through, texts) if is_table_name(given) else tables.join(given, texts, through)

    if not plain and on_terminal():
        from ...tui.online_table import sit_on_screen

        sit_on_screen(come, tables, language, texts)
    else:
        from ...plain.online_table import sit_plain

        sit_plain(come, tables, texts)
