"""Pictures of what is online: the lobby and a waiting room, with people around one broker in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.tui.on_screen import rows
from tests.tui.party import WHERE, Heard, Party, english, until, wish
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.svg import svg_of

Size = tuple[int, int]


def _picture(app: WasabiApp, size: Size) -> str:
    return svg_of(app.screen._compositor.render_strips(), size[0])


async def take_lobby(party: Party, size: Size) -> str:
    """Three tables, and a broker on the local network."""
    hosts = [party.host("Bo", seats=4, least=2), party.host("Daichi", seats=3), party.host("Eva", seats=2)]
    for host in hosts:
        await host.driver.open()
    party.announced.found = [Heard("Bo's laptop", "memory.example", 1883)]
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=size) as pilot:
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: all(f"1 of {seats}" in rows(app) for seats in (2, 3, 4)))
        picture = _picture(app, size)
        await party.close(*hosts)
        await online.close()
    return picture


async def take_waiting_room(party: Party, size: Size) -> str:
    """A host with one guest at the table and one at the door."""
    online = party.online()
    table = await online.host(wish(seats=4, least=2, welcome=False), english())
    app = party.app(online, table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "1 Ana" in rows(app))
        guests = [await party.join(table.invite)]
        await until(pilot, lambda: "asks for a seat" in rows(app))
        await pilot.press("enter")
        guests.append(await party.join(table.invite, "Chiara"))
        await until(pilot, lambda: "2 Bo" in rows(app) and "Let Chiara sit down" in rows(app))
        picture = _picture(app, size)
        await party.close(*guests)
        await online.close()
    return picture


TAKEN: dict[str, tuple[Callable[[Party, Size], Awaitable[str]], Size]] = {
    "lobby-80x24": (take_lobby, (80, 24)),
    "lobby-120x40": (take_lobby, (120, 40)),
    "waiting-80x24": (take_waiting_room, (80, 24)),
    "waiting-120x40": (take_waiting_room, (120, 40)),
}


async def take_online(name: str) -> str:
    """The picture of that name; names of tables differ from time to time."""
    take, size = TAKEN[name]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        return await take(Party.at(Path(folder), patch), size)
