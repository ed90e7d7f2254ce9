"""`wasabi-tx watch`: watch a table, read-only, verifying everything."""

from __future__ import annotations

import click

from ...app.failure import failures_as_sentences
from ...app.machine import broker_named
from ...app.online_tables import OnlineTables
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...net.address import Address
from ...online.headless import follow_to_end
from ...text import Texts
from .. import on_terminal
from ..invite_argument import given_invite, invite_from
from ..options import broker_option, json_option, language_option
from ..running import result_json, run_until_stopped, trouble_teller


@click.command()
@click.argument("invite", required=False)
@broker_option
@click.option("--headless", is_flag=True, help="follow to the end without a screen and print the result")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@json_option
@language_option
def watch(
    invite: str | None, broker: str | None, headless: bool, plain: bool, as_json: bool, language: str | None
) -> None:
    """Watch the table of INVITE. Every move is checked; nothing is published.

    Without INVITE, it is read from WASABI_TX_INVITE or standard input.
    """
    texts = texts_for(language)
    through = broker_named(broker, texts)
    given = invite_from(given_invite(invite), texts)
    if headless or as_json:
        _follow_headless(given, through, as_json, texts)
    elif not plain and on_terminal():
        from ...tui.online_table import sit_on_screen

        sit_on_screen(lambda tables: tables.watch(given, texts, through), OnlineTables(), language, texts)
    else:
        from ...plain.online_table import sit_plain

        sit_plain(lambda tables: tables.watch(given, texts, through), OnlineTables(), texts)


def _follow_headless(invite: str, through: Address | None, as_json: bool, texts: Texts) -> None:
    """Watch to the end without a screen, and print the result."""
    tables = OnlineTables()

    async def main() -> None:
        try:
            table = await tables.watch(invite, texts, through)
            with failures_as_sentences(texts):
                result = await follow_to_end(table, trouble_teller(texts))
            if as_json:
                emit(result_json(result))
            elif result is not None:
                echo(texts.say("online.result", table=result.table[:6], winner=", ".join(result.winner) or "-"))
        finally:
            await tables.close()

    run_until_stopped(main)
