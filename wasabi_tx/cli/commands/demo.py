"""`wasabi-tx demo`: a broker, three bots as peers in processes of their own, and a screen that watches them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import click

from ...bots.level_names import LEVEL_NAMES
from ...store.paths import find_paths
from ...table.online.online_table import OnlineTable
from ...text import Texts
from .. import Failure, on_terminal
from ..bot_processes import BotProcesses
from ..online_common import BROKER, broker_for
from ..online_tables import MachineTables
from ..options import edition_option, language_option, rules_by_name, texts_for

SEATS = 3
PACE = 1.5
"""Seconds before each move, so that people can follow."""
HOME = "WASABI_TX_HOME"

QUICK = ("--option", "quick-start")
"""Who looks on wants to see a game, and not how tiles are given away."""


@click.command()
@edition_option
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True)
@click.option("--pace", type=click.FloatRange(0), default=PACE, show_default=True, help="seconds before each move")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def demo(edition: str, level: str, pace: float, plain: bool, language: str | None) -> None:
    """Watch three bots play: each a peer in a process of its own, over a broker on this machine alone."""
    texts = texts_for(language)
    rules_by_name(edition, SEATS, texts)

    async def come(tables: MachineTables) -> OnlineTable:
        return await tables.watch_own(_table_of_bots(edition, level, pace, texts), texts)

    if not plain and on_terminal():
        from ..screen_table import sit_on_screen

        sit_on_screen(come, MachineTables(), language, texts)
    else:
        from ..plain_table import sit_plain

        sit_plain(come, MachineTables(), texts)


@contextlib.asynccontextmanager
async def _table_of_bots(edition: str, level: str, pace: float, texts: Texts) -> AsyncIterator[str]:
    """The invite to watch three bots; they and everything that they wrote are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="wasabi-demo-", ignore_cleanup_errors=True) as folder:
        _bring_editions(Path(folder))
        async with broker_for(None, texts) as place:
            bots = BotProcesses(level, pace=pace, environment={HOME: folder, BROKER: place.address.url()})
            try:
                said = await asyncio.to_thread(bots.open, ["--seats", str(SEATS), "--edition", edition, *QUICK])
                if not said:
                    raise Failure(texts.say("online.demo-failed"))
                table = json.loads(said)
                bots.start(table["invite"], SEATS - 1)
                yield table["watch"]
            finally:
                await asyncio.to_thread(bots.stop)


def _bring_editions(home: Path) -> None:
    """The bots live in a folder of their own, and may play what this person has."""
    mine = find_paths().editions
    if mine.is_dir():
        shutil.copytree(mine, home / "config" / "editions")
