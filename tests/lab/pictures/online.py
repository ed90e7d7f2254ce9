"""Pictures of online screens: home, a form, the lobby, a waiting room, with people around one broker in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.tui.memory_games import played
from tests.tui.on_screen import rows
from tests.tui.party import WHERE, Party, english, until, wish
from tests.tui.scripted import NAMES, ScriptedGame, at_table
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.game import Can, Played, Player
from wasabi_tx.net.address import Address
from wasabi_tx.net.discovery import Found
from wasabi_tx.online.lobby import LobbyClient
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.forms.hosting import HostForm
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.lobby import LOOK_EVERY, LobbyScreen
from wasabi_tx.tui.svg import svg_of

Size = tuple[int, int]
TALK = ("Is there a seat for a beginner?", "At Daichi's table, with the second edition: come and sit down!")


async def _read(lobby: LobbyClient) -> None:
    async for _ in lobby.changes():
        pass


def _picture(app: WasabiApp, size: Size) -> str:
    return svg_of(app.screen._compositor.render_strips(), size[0])


async def take_lobby(party: Party, size: Size) -> str:
    """Take tables of both editions, one in play and one in doubt, people, talk, a broker on the local network."""
    party.announce("Gio", rules_for("classic", 3), 2)
    party.announced.heard = [Found("Bo's laptop", "memory.example", 1883, "")]
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=size) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) == 1)
        party.announce("Bo", rules_for("classic", 4), 2, options=("hints", "watchers-talk"))
        party.announce("Daichi", rules_for("master", 3), 2, clock=60)
        party.announce("Eva", rules_for("classic", 2), 1, clock=86_400)
        party.announce("Farah", rules_for("master", 4), 4, begun=True, clock=300)
        others = [LobbyClient(party.machine(name), Address("memory.example", 1883)) for name in ("Chiara", "Hana")]
        async with asyncio.TaskGroup() as group:
            reading = [group.create_task(_read(one)) for one in others]
            await until(
                pilot, lambda: len(screen.rows) == 5 and "7 people" in rows(app) and all(one.writes for one in others)
            )
            for one, line in zip(others, TALK, strict=True):
                one.send_talk(line)
            await until(pilot, lambda: len(screen.said) == len(TALK))
            await pilot.press("home")
            await pilot.pause(LOOK_EVERY)
            picture = _picture(app, size)
            for task in reading:
                task.cancel()
        for one in others:
            await one.close()
        await online.close()
    return picture


async def take_waiting_room(party: Party, size: Size) -> str:
    """Take a host with one guest at the table and one at the door."""
    online = party.online()
    table = await online.host(wish(edition="classic", seats=4, least=3, welcome=False), english())
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


async def take_home(party: Party, size: Size) -> str:
    """Take a picture of home for a person with a broker: all entries for friends are shown."""
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        picture = _picture(app, size)
        await online.close()
    return picture


async def take_host_form(party: Party, size: Size) -> str:
    """Take a table for four with two bots, one of them chosen by name."""
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=size) as pilot:
        form = HostForm(app.games.editions(app.texts))
        app.push_screen(FormPage(form))
        await pilot.pause()
        for field, by in (("seats", 2), ("bots", 2), ("bot 0", 1)):
            form.turn(field, by)
        await pilot.press("up")
        await pilot.pause()
        picture = _picture(app, size)
        await online.close()
    return picture


async def take_watched(party: Party, size: Size) -> str:
    """Take a watched game, in its middle."""
    del party
    game = ScriptedGame(seat=None, can=Can.NOTHING)
    _, earlier = played(26, "classic", tuple(Player(name) for name in NAMES), "scripted")
    *_, last = earlier.moves
    game.rules, game.position, game.faces = earlier.rules, last.before, earlier.faces
    async with at_table(game, size=size) as seen:
        await seen.hear(Played(Bundle(last.seat, last.steps), last.before, last.after))
        return _picture(seen.app, size)


TAKEN: dict[str, tuple[Callable[[Party, Size], Awaitable[str]], Size]] = {
    "lobby-80x24": (take_lobby, (80, 24)),
    "lobby-120x40": (take_lobby, (120, 40)),
    "home-online-80x24": (take_home, (80, 24)),
    "home-online-120x40": (take_home, (120, 40)),
    "host-80x24": (take_host_form, (80, 24)),
    "host-120x40": (take_host_form, (120, 40)),
    "watched-80x24": (take_watched, (80, 24)),
    "watched-120x40": (take_watched, (120, 40)),
    "waiting-80x24": (take_waiting_room, (80, 24)),
    "waiting-120x40": (take_waiting_room, (120, 40)),
}


async def take_online(name: str) -> str:
    """Return the picture of that name; names of tables vary."""
    take, size = TAKEN[name]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        return await take(Party.at(Path(folder), patch), size)
