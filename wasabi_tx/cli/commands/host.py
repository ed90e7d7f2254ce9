"""`wasabi-tx host`: open a table for friends."""

from __future__ import annotations

import click

from ...app.brokers import PORT
from ...app.online_tables import OnlineTables
from ...app.preferences import texts_for
from ...app.values import TableWish
from ...bots.level_names import LEVEL_NAMES
from ...engine.editions import PRINTED
from ...online.terms import CLOCK, HOUR, LONGEST_CLOCK, OPTIONS, QUICK_START
from .. import Misuse, on_terminal
from ..invite_argument import name_for
from ..options import as_printed_option, check_rivals, edition_option, language_option, name_option, rival_option


@click.command()
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--least", type=click.IntRange(2, 4), default=None, help="minimum players to start (default: all seats)")
@edition_option
@click.option("--bots", type=click.IntRange(0, 3), default=0, help="seats for bots on this machine")
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True, help="bots' level")
@rival_option
@click.option("--private", is_flag=True, help="unlisted; nobody can watch without the invite")
@click.option(
    "--anywhere",
    is_flag=True,
    help="for friends on any network: a private table, also carried by relays, which cannot read it",
)
@click.option("--welcome", is_flag=True, help="admit everybody without asking")
@click.option(
    "--clock",
    type=click.IntRange(0, LONGEST_CLOCK),
    default=None,
    show_default=str(CLOCK),
    help="seconds per turn before others may vote; 0 for no limit",
)
@click.option(
    "--hours",
    type=click.IntRange(1, LONGEST_CLOCK // HOUR),
    default=None,
    help="correspondence play: hours per turn, up to two weeks",
)
@as_printed_option
@click.option("--option", "options", type=click.Choice(OPTIONS), multiple=True)
@click.option(
    "--broker",
    "brokers",
    metavar="URL",
    multiple=True,
    help="mqtt://, mqtts://, ws:// or wss://; may be repeated to use several brokers at once",
)
@click.option("--bind", default="0.0.0.0", show_default=True, help="address the embedded broker listens on")
@click.option(
    "--port", type=click.IntRange(1, 65_535), default=PORT, show_default=True, help="port of the embedded broker"
)
@click.option(
    "--address",
    "known_as",
    metavar="HOST[:PORT]",
    multiple=True,
    help="extra address for the invite, such as a forwarded port",
)
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def host(
    seats: int,
    least: int | None,
    edition: str,
    bots: int,
    level: str,
    rivals: tuple[str, ...],
    private: bool,
    anywhere: bool,
    welcome: bool,
    clock: int | None,
    hours: int | None,
    as_printed: bool,
    options: tuple[str, ...],
    brokers: tuple[str, ...],
    bind: str,
    port: int,
    known_as: tuple[str, ...],
    plain: bool,
    name: str | None,
    language: str | None,
) -> None:
    """Open a table: on its own broker, which ends with it, or on other brokers with --broker."""
    texts = texts_for(language)
    if bots >= seats:
        raise Misuse(texts.say("cli.no-seat-left", bots=bots, seats=seats))
    check_rivals(rivals, bots, texts)
    if least is not None and least > seats:
        raise Misuse(texts.say("cli.least", seats=seats, least=least))
    if anywhere and brokers:
        raise Misuse(texts.say("cli.anywhere-or-broker"))
    if clock is not None and hours is not None:
        raise Misuse(texts.say("cli.clock-or-hours"))
    if clock is None:
        clock = CLOCK if hours is None else hours * HOUR
    switches = (*options, *([] if as_printed else [QUICK_START]))
    wish = TableWish(
        PRINTED.get(edition, edition) if as_printed else edition,
        seats,
        least or seats,
        bots,
        level,
        rivals,
        private=private,
        welcome=welcome,
        clock=clock,
        options=tuple(dict.fromkeys(switches)),
        anywhere=anywhere,
        brokers=brokers,
    )
    tables = OnlineTables(name_for(name, texts), bind=bind, port=port, known_as=known_as)
    if not plain and on_terminal():
        from ...tui.online_table import sit_on_screen

        sit_on_screen(lambda tables: tables.host(wish, texts), tables, language, texts)
    else:
        from ...plain.online_table import greet_host, sit_plain

        sit_plain(lambda tables: tables.host(wish, texts), tables, texts, lambda table: greet_host(table, texts))
