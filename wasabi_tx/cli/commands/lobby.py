"""`wasabi-tx lobby`: the tables on a broker, and the brokers on the local network, as a screen or as lines."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import asdict

import click
from rich.cells import cell_len

from ...app.failure import Failure
from ...app.machine import broker_address, this_machine
from ...app.output import echo, emit
from ...app.preferences import texts_for
from ...games.game import Link
from ...net.address import Address
from ...net.discovery import browse
from ...online.carry.offer import RENEW_PAUSE
from ...online.lobby import LobbyClient, Offering
from ...online.machine import Machine
from ...online.online_table import HOPELESS, Unreachable
from ...store.paths import find_paths
from ...store.user_files import edition_names
from ...text import Texts
from ...view.online.lobby_columns import COLUMNS, Reader, lobby_rows
from ...view.online.refusals import say_refusal
from ...view.online.waiting_room import clock_line, command_for, option_words
from .. import on_terminal
from ..options import json_option, language_option
from ..running import run_until_stopped

LOOK = 2.0
"""Seconds of listening for brokers."""
LONGEST = 5.0
"""Most seconds of listening for offers: a live table answers within three."""
ASKED = RENEW_PAUSE
"""Seconds more where tables hear that we ask: one that has just spoken does so again after this pause."""
QUIET = 0.3
"""Seconds to go on listening once every table is known to be alive."""


@click.command()
@click.argument("url", metavar="[URL]", required=False)
@click.option("--list", "lines", is_flag=True, help="print the tables and end, as without a terminal")
@click.option(
    "--seconds",
    type=click.FloatRange(0.2, 3600),
    default=None,
    help="with --list: how long to listen; otherwise until every table has said that it is there, or could have",
)
@json_option
@language_option
def lobby(url: str | None, lines: bool, seconds: float | None, as_json: bool, language: str | None) -> None:
    """Open the lobby of the broker at URL: its tables, who is there, a line of talk.

    Without URL it is the broker in WASABI_TX_BROKER or in the settings, or one that is found on the local network.
    """
    texts = texts_for(language)
    chosen = broker_address(url, texts)
    if not lines and not as_json and on_terminal():
        from ...tui.launch import open_home

        open_home(language, url or "")
        return
    home = this_machine(texts)
    echo(texts.say("lobby.connecting"), err=True)
    run_until_stopped(lambda: _look(home, chosen, seconds, as_json, texts))


async def _look(home: Machine, chosen: Address | None, seconds: float | None, as_json: bool, texts: Texts) -> None:
    if chosen is not None:
        addresses = [chosen]
    else:
        found = await browse(LOOK)
        addresses = [Address(one.host, one.port) for one in found]
        for one in found:
            if as_json:
                emit({"broker": one.name, "host": one.host, "port": one.port, "realm": one.realm})
            else:
                echo(texts.say("lobby.broker", name=one.name, host=one.host, port=one.port))
        if not found and not as_json:
            echo(texts.say("lobby.no-broker"))
    for address in addresses:
        offers, writes, people = await _offers(home, address, seconds, texts)
        if as_json:
            for offer in offers:
                emit(asdict(offer))
        else:
            _show(offers, None if writes else address, texts)
            if not offers:
                echo(texts.say("lobby.no-tables", broker=f"{address.host}:{address.port}"))
            if people:
                echo(texts.say("lobby.here", names=", ".join(people)))


async def _offers(
    home: Machine, address: Address, seconds: float | None, texts: Texts
) -> tuple[list[Offering], bool, tuple[str, ...]]:
    """Return the tables on a broker, whether we may publish there, as joining requires, and who is in its lobby."""
    lobby = LobbyClient(home, address)
    lost = "unreachable"
    up = False
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds or LONGEST) as limit:
                first = limit.when() or 0.0
                async for change in lobby.changes():
                    if isinstance(change, Link):
                        up, lost = up or change.up, change.reason or lost
                        if not up and lost in HOPELESS:
                            break
                    if seconds is None:
                        now, last = asyncio.get_running_loop().time(), first + ASKED * lobby.writes
                        limit.reschedule(min(last, now + QUIET) if lobby.settled else last)
        if not up:
            unreachable = Unreachable(lost, f"{address.host}:{address.port}", lobby.kept_back)
            raise Failure(say_refusal(unreachable, texts))
        return lobby.offers(), lobby.writes, lobby.people
    finally:
        await lobby.close()


def _show(offers: list[Offering], locked: Address | None, texts: Texts) -> None:
    """Print the tables with the columns of the lobby's screen, each with its terms and the command to join or watch.

    At a locked broker the command knocks.
    """
    names = edition_names(find_paths().editions, texts.language)
    rows = lobby_rows(offers, Reader(texts, lambda edition: names.get(edition, edition)))
    if not rows:
        return
    titles = tuple(texts.say(f"lobby.column.{one.name}") for one in COLUMNS)
    widths = [max(cell_len(cell) for cell in cells) for cells in zip(titles, *(row.texts for row in rows), strict=True)]
    echo(_line(titles, widths))
    for row in rows:
        echo(_line(row.texts, widths))
        agreed = [clock_line(row.offer.clock, texts), *option_words(row.offer.options, texts)]
        echo("  " + " · ".join(agreed))
        if locked is not None and row.open:
            echo(f"  wasabi-tx join {row.offer.table[:6]} --broker {locked}")
        else:
            echo("  " + command_for(row.offer.watch if row.offer.begun else row.offer.invite))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()
