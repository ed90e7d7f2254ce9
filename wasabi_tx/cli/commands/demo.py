"""`wasabi-tx demo`: a broker, three bots as peers in separate processes, and a screen that watches them."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import click

from ...app.bot_processes import BotProcesses
from ...app.brokers import broker_for
from ...app.editions import rules_by_name
from ...app.failure import Failure
from ...app.machine import BROKER
from ...app.online_tables import OnlineTables
from ...app.preferences import texts_for
from ...bots.level_names import LEVEL_NAMES
from ...engine.toml_text import read_json
from ...online.online_table import OnlineTable
from ...store.paths import find_paths
from ...text import Texts
from .. import on_terminal
from ..options import edition_option, language_option

SEATS = 3
PACE = 1.5
"""Seconds before each move, so that people can follow."""
HOME = "WASABI_TX_HOME"

QUICK = ("--option", "quick-start")
"""Options that deal the setup: viewers want to see a game, not how tiles are given away."""


@click.command()
@edition_option
@click.option("--level", type=click.Choice(LEVEL_NAMES), default="normal", show_default=True)
@click.option("--pace", type=click.FloatRange(0), default=PACE, show_default=True, help="seconds before each move")
@click.option("--plain", is_flag=True, help="line by line, for screen readers, scripts and pipes")
@language_option
def demo(edition: str, level: str, pace: float, plain: bool, language: str | None) -> None:
    """Watch three bots play: each is a peer in its own process, over a broker on this machine only."""
    texts = texts_for(language)
    rules_by_name(edition, SEATS, texts)

    async def come(tables: OnlineTables) -> OnlineTable:
        return await tables.watch_own(_table_of_bots(edition, level, pace, texts), texts)

    if not plain and on_terminal():
        from ...tui.online_table import sit_on_screen

        sit_on_screen(come, OnlineTables(), language, texts)
    else:
        from ...plain.online_table import sit_plain

        sit_plain(come, OnlineTables(), texts)


@contextlib.asynccontextmanager
async def _table_of_bots(edition: str, level: str, pace: float, texts: Texts) -> AsyncIterator[str]:
    """Yield the invite to watch three bots; end them and delete everything they wrote afterwards."""
    with tempfile.TemporaryDirectory(prefix="wasabi-demo-", ignore_cleanup_errors=True) as folder:
        _bring_editions(Path(folder))
        async with broker_for(None, texts) as place:
            bots = BotProcesses(level, pace=pace, environment={HOME: folder, BROKER: place.address.url()})
            try:
                said = await asyncio.to_thread(bots.open, ["--seats", str(SEATS), "--edition", edition, *QUICK])
                if not said:
                    raise Failure(texts.say("online.demo-failed"))
                table = read_json(said)
                bots.start(table["invite"], SEATS - 1)
                yield table["watch"]
            finally:
                await asyncio.to_thread(bots.stop)


def _bring_editions(home: Path) -> None:
    """Copy this person's editions to the bots' own folder, so that they can play them."""
    mine = find_paths().editions
    if mine.is_dir():
        shutil.copytree(mine, home / "config" / "editions")
