"""`wasabi-tx host`: open a table for friends."""

from __future__ import annotations

import click

from ...bots.level_names import LEVEL_NAMES
from ...table.online.terms import BY_CORRESPONDENCE, CLOCK, HOUR, LATE_SHARES, LONGEST_CLOCK, OPTIONS, QUICK_START
from ...tui.services import TableWish
from .. import Misuse, on_terminal
from ..online_common import PORT, name_for, name_option
from ..online_tables import MachineTables
from ..options import check_rivals, edition_option, language_option, rival_option, texts_for


@click.command()
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True)
@click.option("--least", type=click.IntRange(2, 4), default=None, help="may begin with so many; all seats if not given")
@edition_option
@click.option("--bots", type=click.IntRange(0, 3), default=0, help="seats that bots of this machine take")
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True, help="of the bots")
@rival_option
@click.option("--private", is_flag=True, help="nobody reads along without the invite; not in the lobby")
@click.option(
    "--anywhere",
    is_flag=True,
    help="for friends on any network: a private table, also carried by relays, which read nothing of it",
)
@click.option("--welcome", is_flag=True, help="let everybody sit who comes, without asking")
@click.option(
    "--clock",
    type=click.IntRange(0, LONGEST_CLOCK),
    default=None,
    show_default=str(CLOCK),
    help="seconds a turn before others may vote; 0 for no end",
)
@click.option(
    "--hours",
    type=click.IntRange(1, LONGEST_CLOCK // HOUR),
    default=None,
    help="by correspondence: hours a turn, up to two weeks",
)
@click.option("--setup", is_flag=True, help="choose starting tiles and first recipes yourselves; else they are dealt")
@click.option(
    "--late-cards", is_flag=True, help="with --hours: recipes come by your next turn, so that nobody needs a keeper"
)
@click.option("--option", "options", type=click.Choice(OPTIONS), multiple=True)
@click.option(
    "--broker",
    "brokers",
    metavar="URL",
    multiple=True,
    help="mqtt://, mqtts://, ws:// or wss://; with several, the table lives on each of them",
)
@click.option("--bind", default="0.0.0.0", show_default=True, help="where the embedded broker listens")
@click.option("--port", type=click.IntRange(1, 65_535), default=PORT, show_default=True, help="of the embedded broker")
@click.option(
    "--address", "known_as", metavar="HOST[:PORT]", multiple=True, help="that leads to it too, such as a forwarded port"
)
@click.option(
    "--upnp", "map_port", is_flag=True, help="ask the router to forward the port to the embedded broker for as long"
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
    setup: bool,
    late_cards: bool,
    options: tuple[str, ...],
    brokers: tuple[str, ...],
    bind: str,
    port: int,
    known_as: tuple[str, ...],
    map_port: bool,
    plain: bool,
    name: str | None,
    language: str | None,
) -> None:
    """Open a table: on a broker of its own that ends with it, or with --broker on others."""
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
    if late_cards and clock < BY_CORRESPONDENCE:
        raise Misuse(texts.say("cli.late-cards"))
    switches = (*options, *([LATE_SHARES] if late_cards else []), *([] if setup else [QUICK_START]))
    wish = TableWish(
        edition,
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
    tables = MachineTables(name_for(name, texts), bind=bind, port=port, known_as=known_as, map_port=map_port)
    if not plain and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(lambda tables: tables.host(wish, texts), tables, language, texts)
    else:
        from ..plain_table import greet_host, sit_plain

        sit_plain(lambda tables: tables.host(wish, texts), tables, texts, lambda table: greet_host(table, texts))
