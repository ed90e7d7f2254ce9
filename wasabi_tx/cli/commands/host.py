"""`wasabi-tx host`: open a table for friends."""

from __future__ import annotations

import click

from ...app.brokers import PORT
from ...app.online_tables import OnlineTables
from ...app.output import echo
from ...app.preferences import texts_for
from ...app.values import TableWish
from ...engine.editions import PRINTED
from ...online.terms import CLOCK, HINTS, QUICK_START, WATCHERS_TALK
from .. import Misuse, on_terminal
from ..invite_argument import name_for
from ..options import as_printed_option, check_rivals, edition_option, language_option, name_option
from ..site import prepare_site
from ..table_options import Bot, GroupedCommand, GroupedOption, Seats, TurnTime

NETWORK, FRIENDS, ANYWHERE, LOBBY = FOR = ("network", "friends", "anywhere", "lobby")


@click.command(cls=GroupedCommand)
@click.option(
    "--seats",
    type=Seats(),
    default="2",
    show_default=True,
    cls=GroupedOption,
    group="Table",
    metavar="N|FEWEST-MOST",
    help="how many can play, such as 3 or 2-4",
)
@edition_option
@click.option(
    "--time",
    "clock",
    type=TurnTime(),
    default=CLOCK,
    show_default="10m",
    cls=GroupedOption,
    group="Table",
    metavar="TIME",
    help="for a turn, before the others may vote: 90s, 10m, 24h, 3d or none",
)
@as_printed_option
@click.option(
    "--allow",
    type=click.Choice((HINTS, WATCHERS_TALK)),
    multiple=True,
    cls=GroupedOption,
    group="Table",
    help="hints for everybody, or talk by those who watch",
)
@click.option(
    "--for",
    "whom",
    type=click.Choice(FOR),
    default=NETWORK,
    show_default=True,
    cls=GroupedOption,
    group="People",
    help="network: listed there, and you let each guest sit; lobby: listed, and everybody may sit;"
    " friends: private, by invite; anywhere: private, also over relays, by invite or code",
)
@click.option(
    "--bot",
    "bots",
    type=Bot(),
    multiple=True,
    metavar="NAME[:LEVEL]",
    cls=GroupedOption,
    group="People",
    help="a bot on this machine: udon, udon:hard, easy, any; may be repeated",
)
@name_option
@click.option(
    "--broker",
    "brokers",
    metavar="URL",
    multiple=True,
    cls=GroupedOption,
    group="Network",
    help="instead of one on this machine: mqtt://, mqtts://, ws:// or wss://; several carry the table together",
)
@click.option(
    "--web",
    is_flag=True,
    cls=GroupedOption,
    group="People",
    help="friends on your network can come with nothing but a browser, by a link or its QR code",
)
@click.option("--address", "known_as", metavar="HOST[:PORT]", multiple=True, hidden=True)
@click.option("--bind", default="0.0.0.0", hidden=True)
@click.option("--port", type=click.IntRange(1, 65_535), default=PORT, hidden=True)
@click.option("--engine", default="", hidden=True)
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def host(
    seats: tuple[int, int],
    edition: str,
    clock: int,
    as_printed: bool,
    allow: tuple[str, ...],
    whom: str,
    bots: tuple[tuple[str, str], ...],
    name: str | None,
    brokers: tuple[str, ...],
    known_as: tuple[str, ...],
    web: bool,
    bind: str,
    port: int,
    engine: str,
    plain: bool,
    language: str | None,
) -> None:
    """Open a table: on its own broker, which ends with it, or on other brokers with --broker."""
    texts = texts_for(language)
    least, most = seats
    if len(bots) >= most:
        raise Misuse(texts.say("cli.no-seat-left", bots=len(bots), seats=most))
    check_rivals(tuple(who for who, _ in bots if who), len(bots), texts)
    if whom == ANYWHERE and brokers:
        raise Misuse(texts.say("cli.anywhere-or-broker"))
    if web and brokers:
        raise Misuse(texts.say("web.own-broker", broker=brokers[0]))
    wish = TableWish(
        PRINTED.get(edition, edition) if as_printed else edition,
        most,
        least,
        len(bots),
        rivals=tuple(f"{who}:{level}" if level else who for who, level in sorted(bots, key=lambda bot: not any(bot))),
        private=whom == FRIENDS,
        welcome=whom == LOBBY,
        clock=clock,
        options=tuple(dict.fromkeys((*allow, *([] if as_printed else [QUICK_START])))),
        anywhere=whom == ANYWHERE,
        browsers=web,
        brokers=brokers,
    )
    if web:
        prepare_site(texts)
    if wish.anywhere:
        # Relays far away take seconds to answer.
        echo(texts.say("cli.trying-relays"), err=True)
    tables = OnlineTables(name_for(name, texts), bind=bind, port=port, known_as=known_as, engine=engine)
    if not plain and on_terminal():
        from ...tui.online_table import sit_on_screen

        sit_on_screen(lambda tables: tables.host(wish, texts), tables, language, texts)
    else:
        from ...plain.online_table import greet_host, sit_plain

        sit_plain(lambda tables: tables.host(wish, texts), tables, texts, lambda table: greet_host(table, texts))
