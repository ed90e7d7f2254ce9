"""`wasabi-tx host`: open a table for friends."""

from __future__ import annotations

import contextlib

import click

from ..table.apart import TableThread
from ..table.online.meet import Wanted, open_table
from ..table.online.terms import OPTIONS, make_terms
from ..text import Texts
from .companions import BotProcesses
from .meeting import Place, broker_address, broker_for, broker_option, home_for, name_option, sentences
from .options import edition_option, language_option, rules_by_name, texts_for
from .seated import sit_plain

PORT = 1883


@click.command()
@click.option("--seats", type=click.IntRange(2, 4), default=2, show_default=True)
@edition_option
@click.option("--bots", type=click.IntRange(0, 3), default=0, help="seats that bots of this machine take")
@click.option("--level", type=click.Choice(["easy", "normal"]), default="normal", show_default=True, help="of the bots")
@click.option("--private", is_flag=True, help="nobody reads along without the invite; not in the lobby")
@click.option("--welcome", is_flag=True, help="let everybody sit who comes, without asking")
@click.option("--clock", type=click.IntRange(0, 86_400), default=0, help="seconds a turn before others may vote")
@click.option("--option", "options", type=click.Choice(OPTIONS), multiple=True)
@broker_option
@click.option("--bind", default="0.0.0.0", show_default=True, help="where the embedded broker listens")
@click.option("--port", type=click.IntRange(1, 65_535), default=PORT, show_default=True, help="of the embedded broker")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@name_option
@language_option
def host(
    seats: int,
    edition: str,
    bots: int,
    level: str,
    private: bool,
    welcome: bool,
    clock: int,
    options: tuple[str, ...],
    broker: str | None,
    bind: str,
    port: int,
    plain: bool,
    name: str | None,
    language: str | None,
) -> None:
    """Open a table: on a broker of its own that ends with it, or with --broker on another."""
    del plain
    texts = texts_for(language)
    if bots >= seats:
        raise click.UsageError(f"{bots} bots leave no seat for you at a table of {seats}")
    home = home_for(texts, name)
    terms = make_terms(rules_by_name(edition, seats, texts), seats, seats, clock, options)
    wanted = Wanted(terms, private, welcome_all=welcome or private)
    thread = TableThread()
    stack = contextlib.AsyncExitStack()
    helpers = BotProcesses(level)
    try:
        place = thread.call(stack.enter_async_context(broker_for(broker_address(broker, texts), texts, bind, port)))
        with sentences(texts):
            attendance = open_table(home, place.address, place.public, wanted, bind=place.bind)
        _tell_place(place, texts)
        click.echo(texts.say("online.invite-play", invite=attendance.invite))
        click.echo(texts.say("online.invite-watch", invite=attendance.watch))
        helpers.start(attendance.invite, bots)
        sit_plain(attendance, texts, thread, confirm=not wanted.welcome_all)
    finally:
        helpers.stop()
        thread.call(stack.aclose())
        thread.close()


def _tell_place(place: Place, texts: Texts) -> None:
    """What somebody should know about a broker of one's own."""
    broker = place.broker
    if broker is not None and broker.moved:
        click.echo(texts.say("online.port-moved", port=broker.port), err=True)
    if broker is not None and broker.beyond_loopback:
        click.echo(texts.say("online.beyond-loopback"), err=True)
