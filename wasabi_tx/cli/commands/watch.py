"""`wasabi-tx watch`: look on, read-only, verifying everything."""

from __future__ import annotations

import click

from ...net.address import Address
from ...table.online.headless import follow_to_end
from ...table.online.invites import read_invite
from ...table.online.tables import watch_table
from ...text import Texts
from .. import on_terminal
from ..online_common import (
    broker_named,
    broker_option,
    failures_as_sentences,
    given_invite,
    invite_from,
    json_option,
    result_json,
    run_until_stopped,
    this_machine,
    trouble_teller,
)
from ..online_tables import MachineTables
from ..options import language_option, texts_for
from ..output import echo, emit


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
    """Watch the table of INVITE. Every move is checked; nothing is published.

    Without INVITE the one in WASABI_TX_INVITE or on standard input is taken.
    """
    texts = texts_for(language)
    through = broker_named(broker, texts)
    given = invite_from(given_invite(invite), texts)
    if headless or as_json:
        _follow_headless(given, through, as_json, texts)
    elif not plain and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.watch(given, texts, through), MachineTables(), language, texts)
    else:
        from ..plain_table import sit_plain

        sit_plain(lambda tables: tables.watch(given, texts, through), MachineTables(), texts)


def _follow_headless(invite: str, through: Address | None, as_json: bool, texts: Texts) -> None:
    """Watches to the end without a screen, and says what came of it."""
    machine = this_machine(texts)
    with failures_as_sentences(texts):
        table = watch_table(machine, read_invite(invite), through=through)

    async def main() -> None:
        try:
            with failures_as_sentences(texts):
                await table.connect()
                result = await follow_to_end(table, trouble_teller(texts))
            if as_json:
                emit(result_json(result))
            elif result is not None:
                echo(texts.say("online.result", table=result.table[:6], winner=", ".join(result.winner) or "-"))
        finally:
            await table.close()

    run_until_stopped(main)
