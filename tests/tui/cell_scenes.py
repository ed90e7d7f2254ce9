"""The screens whose cells are compared: each opens the app in memory and walks to one screen by its keys."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from rich.console import Console
from textual.pilot import Pilot

from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import Opened, WaitingGame
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.game import Can, Event, Player, SeatStates, Vote
from wasabi_tx.games.transcript import Transcript
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.net.discovery import Found
from wasabi_tx.online.lobby import Spoken
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.puzzles.puzzle import puzzles_from
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.page import TextPage
from wasabi_tx.tui.screens.review import ReviewPage
from wasabi_tx.tui.screens.wait import WaitPage
from wasabi_tx.view.rivals import seat_players

from .cells import SIZES, Recorder, settle
from .memory_games import MemoryGames, app_at, played, seats
from .on_screen import drawn, table_of
from .on_screen import rows as words_of_rows
from .party import WHERE, Party, english, until, wish
from .scripted import AWAY, HERE, TALKING, ScriptedGame

Scene = Callable[[Settings], AbstractAsyncContextManager[Pilot[None]]]
Build = Callable[[Settings], WasabiApp]
OVER = 10_000
"""A turn later than any game lasts: the scene is the end of the game."""
FEW_WORLDS = 4
"""Worlds of a review whose figures need not be exact."""
INVITE, WATCH, SITE = f"wasabi:{'j' * 60}", f"wasabi:{'w' * 60}", "http://192.0.2.7:8080/#"
HOST = ("4", "down", "right", "right", *["down"] * 4, "right", "right", *["down"] * 5, "right", "down")
NEW_GAME = ("2", "down", "right", "right", "down", "down", "right", "down", "right")


@asynccontextmanager
async def shown(app: WasabiApp, *keys: str) -> AsyncIterator[Pilot[None]]:
    """Run the app in a terminal of the first size and press these keys; clocks stand still and reviews are short."""
    app.driver_class = Recorder
    app.console = Console(color_system="truecolor", force_terminal=True, legacy_windows=False)
    with patch("wasabi_tx.tui.screens.table.screen.monotonic", lambda: 0.0):
        async with app.run_test(headless=False, size=SIZES[0]) as pilot:
            await settle(pilot)
            if isinstance(app.screen, EndPage) and app.screen.review is not None:
                app.screen.review = replace(app.screen.review, worlds=FEW_WORLDS)
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            while isinstance(app.screen, ReviewPage) and not app.screen.view.done:
                await pilot.pause(0.05)
            yield pilot


def at(build: Build, *keys: str) -> Scene:
    return lambda settings: shown(build(settings), *keys)


def table(settings: Settings, turn: int = 21, edition: str = "classic", bots: int = 3) -> WasabiApp:
    players = seat_players(["Ana"], ("Udon", "Mochi", "Miso")[:bots], "normal", "")
    return app_at(turn, players=players, edition=edition, seed="picture", settings=settings, careful=False)


def master(settings: Settings) -> WasabiApp:
    return table(settings, 14, "master", 2)


def home(settings: Settings, newcomer: str | None = None, learned: bool = True) -> WasabiApp:
    games = MemoryGames(settings) if learned else MemoryGames(settings, reached=Progress())
    return WasabiApp(games, language="en", newcomer=newcomer)


def home_online(settings: Settings) -> WasabiApp:
    """Open home with a game to continue, two that wait, and all entries for playing with friends."""
    games = MemoryGames(settings)
    games.take_up(*played(8, "classic", seats(1, 2), "left"))
    games.online = [WaitingGame("a", "Bo and Chiara", "your move since 2 h"), WaitingGame("b", "Dario", "turn 12")]
    return WasabiApp(games, language="en", online=OnlineTables)


def lesson(settings: Settings, task: int) -> WasabiApp:
    games = MemoryGames(settings, reached=Progress(lessons={"classic": task - 1}))
    return WasabiApp(games, language="en", lesson="classic")


def puzzle(settings: Settings) -> WasabiApp:
    return WasabiApp(MemoryGames(settings), language="en", puzzles=puzzles_from("classic", 2))


def transcript(turn: int) -> Transcript:
    return played(turn, "short-classic" if turn > 100 else "classic", seats(1, 2), "replay", careful=False)[1]


def replay(settings: Settings, turn: int = 8) -> WasabiApp:
    return WasabiApp(MemoryGames(settings), language="en", replay=transcript(turn))


def scripted(settings: Settings, seat: int | None = 0) -> WasabiApp:
    game = ScriptedGame(seat) if seat is not None else ScriptedGame(None, can=Can.NOTHING)
    return WasabiApp(MemoryGames(settings), opened=Opened(game, "koi.wasabi", lambda: None), language="en")


def hotseat(settings: Settings) -> WasabiApp:
    return app_at(8, players=(Player("Ana"), Player("Bo")), seed="two", settings=settings, careful=False)


def saved(settings: Settings, over: bool = False) -> WasabiApp:
    """Open home with two games that are saved."""
    games, turn = MemoryGames(settings), OVER if over else 4
    for seed in ("one", "two"):
        games.take_up(*played(turn, "short-classic", seats(1, 1), seed, careful=False))
    return WasabiApp(games, language="en")


def with_invites(settings: Settings) -> WasabiApp:
    opened = Opened(
        ScriptedGame(can=TALKING | Can.INVITE), "koi", lambda: None, invite=INVITE, watch_invite=WATCH, site=SITE
    )
    return WasabiApp(MemoryGames(settings), opened=opened, language="en")


@asynccontextmanager
async def hearing(settings: Settings, events: Sequence[Event], *keys: str) -> AsyncIterator[Pilot[None]]:
    """Show a table at which something has just happened, and press these keys."""
    game = ScriptedGame()
    app = WasabiApp(MemoryGames(settings), opened=Opened(game, "koi.wasabi", lambda: None), language="en")
    async with shown(app) as pilot:
        game.happens(*events)
        screen = table_of(app)
        await drawn(pilot, screen)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)
        yield pilot


@asynccontextmanager
async def small_hint(settings: Settings) -> AsyncIterator[Pilot[None]]:
    """Open the page of a hint at the smallest table, which has no room for its reasons."""
    async with shown(app_at(8, settings=settings)) as pilot:
        await pilot.resize_terminal(*min(SIZES))
        await settle(pilot)
        await pilot.press("i")
        await until(pilot, lambda: isinstance(pilot.app.screen, TextPage))
        yield pilot


@asynccontextmanager
async def waiting(settings: Settings, *keys: str) -> AsyncIterator[Pilot[None]]:
    """Wait at home for a table that is never reached, or for a stranger who never comes."""

    async def never(_online: OnlineTables, _edition: str, _texts: Texts, tell: Callable[[str], None]) -> OnlineTable:
        tell("seeking")
        await asyncio.Event().wait()
        raise AssertionError("nobody comes")

    with (
        patch.object(OnlineTables, "meet_anybody", never),
        patch("wasabi_tx.tui.screens.wait.monotonic", lambda: 0.0),
    ):
        async with shown(home_online(settings), *keys) as pilot:
            app = pilot.app
            assert isinstance(app, WasabiApp)
            if not keys:
                app.visit(never(OnlineTables(), "", app.texts, lambda _state: None))
            await until(pilot, lambda: isinstance(app.screen, WaitPage))
            yield pilot


# Online: the same random bytes every time


@contextmanager
def same_chance() -> Iterator[None]:
    """Make the names of tables and the invites the same every time."""
    numbers = count()

    def urandom(size: int) -> bytes:
        return hashlib.shake_128(str(next(numbers)).encode()).digest(size)

    with patch("os.urandom", urandom), patch("random._urandom", urandom):
        yield


@asynccontextmanager
async def around() -> AsyncIterator[Party]:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as context, same_chance():
        yield Party.at(Path(folder), context)


def online_app(settings: Settings, online: object, joined: object = None) -> WasabiApp:
    return WasabiApp(MemoryGames(settings), language="en", online=lambda: online, table=joined)  # type: ignore


@asynccontextmanager
async def lobby(settings: Settings, *keys: str, tables: int = 5) -> AsyncIterator[Pilot[None]]:
    """Open a lobby with tables of both editions, one in play, a line of talk, and a broker on the local network."""
    async with around() as party:
        party.announced.heard = [Found("Bo's laptop", "memory.example", 1883, "")] if tables else []
        offers = (
            ("Gio", rules_for("classic", 3), 2, False, 0),
            ("Bo", rules_for("classic", 4), 2, False, 0),
            ("Daichi", rules_for("master", 3), 2, False, 60),
            ("Eva", rules_for("classic", 2), 1, False, 86_400),
            ("Farah", rules_for("master", 4), 4, True, 300),
        )[:tables]
        for name, rules, taken, begun, clock in offers:
            party.announce(name, rules, taken, begun=begun, clock=clock)
        online = party.online()
        async with shown(online_app(settings, online)) as pilot:
            app = pilot.app
            assert isinstance(app, WasabiApp)
            app.open_lobby(WHERE)
            screen = app.screen
            assert isinstance(screen, LobbyScreen)
            await until(pilot, lambda: "connected" in words_of_rows(app) and len(screen.rows) == tables)
            if tables:
                screen.said.extend([Spoken("Hana (aaaa-bbbb)", "Is there a seat?"), Spoken("Bo (cccc-dddd)", "Come!")])
                await pilot.press("home")
            await asyncio.sleep(0.6)
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            yield pilot
            await online.close()


@asynccontextmanager
async def room(settings: Settings, *keys: str) -> AsyncIterator[Pilot[None]]:
    """Open a host's waiting room, with one guest at the table and one at the door."""
    async with around() as party:
        online = party.online()
        opened = await online.host(wish(edition="classic", seats=4, least=3, welcome=False), english())
        async with shown(online_app(settings, online, opened)) as pilot:
            app = pilot.app
            assert isinstance(app, WasabiApp)
            await until(pilot, lambda: "1 Ana" in words_of_rows(app))
            guests = [await party.join(opened.invite)]
            await until(pilot, lambda: "asks for a seat" in words_of_rows(app))
            await pilot.press("enter")
            await until(pilot, lambda: "2 Bo" in words_of_rows(app))
            guests.append(await party.join(opened.invite, "Chiara"))
            await until(pilot, lambda: "Let Chiara sit down" in words_of_rows(app))
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            yield pilot
            await party.close(*guests)
            await online.close()


@asynccontextmanager
async def guest_room(settings: Settings) -> AsyncIterator[Pilot[None]]:
    """Open the waiting room of a guest who has a seat."""
    async with around() as party:
        host = party.host(seats=3)
        await host.connect()
        online = party.online()
        joined = await online.join(host.invite, english())
        async with shown(online_app(settings, online, joined)) as pilot:
            app = pilot.app
            assert isinstance(app, WasabiApp)
            await until(pilot, lambda: "Bo" in words_of_rows(app) and "Ana" in words_of_rows(app))
            yield pilot
            await party.close(host)
            await online.close()


SCENES: dict[str, Scene] = {
    "home": at(home),
    "home-online": at(home_online, "down", "down"),
    "home-first": at(partial(home, learned=False)),
    "home-help": at(home, "question_mark"),
    "first-start": at(partial(home, newcomer="Ana")),
    "first-start-typing": at(partial(home, newcomer="Ana"), "B", "o"),
    "new-game": at(home, *NEW_GAME),
    "new-edition": at(home, "2", "right", "enter"),
    "host": at(home_online, *HOST),
    "settings": at(home, "f2", "down", "down"),
    "invite": at(home_online, "5", "w", "a"),
    "palette": at(home, "ctrl+p"),
    "play-now": at(home, "1"),
    "courses": at(home, "l"),
    "record": at(partial(saved, over=True), "r"),
    "replays": at(partial(saved, over=True), "4", "down"),
    "unfinished": at(saved, "u", "down"),
    "unfinished-delete": at(saved, "u", "x"),
    "waiting": waiting,
    "anybody": lambda settings: waiting(settings, "8"),
    "table-classic": at(table),
    "table-held": at(table, "1", "right"),
    "table-classic2": at(partial(table, bots=1)),
    "table-master": at(master),
    "table-watched": at(partial(scripted, seat=None)),
    "table-talk": at(scripted, "t", "h", "i"),
    "learn": at(partial(lesson, task=3)),
    "learn-mistake": at(partial(lesson, task=3), "2", "a", "1"),
    "puzzle": at(puzzle),
    "replay": at(replay, "right", "right", "right"),
    "replay-log": at(replay, "right", "o"),
    "replay-result": at(partial(replay, turn=OVER), "end", "s"),
    "replay-again": at(partial(table, turn=OVER, edition="short-classic", bots=1), "w", "right"),
    "book": at(table, "r"),
    "book-found": at(table, "r", "s", "a", "l"),
    "book-master": at(master, "ctrl+r", "tab"),
    "help": at(table, "question_mark"),
    "help-further": at(table, "question_mark", "pagedown", "pagedown"),
    "help-rules": at(home, "question_mark", "right"),
    "help-rulings": at(home, "question_mark", "left"),
    "help-found": at(home, "question_mark", "right", "right", *"style"),
    "who": at(table, "w"),
    "log": at(table, "o"),
    "since": at(table, "y"),
    "hint": small_hint,
    "invites": at(with_invites, "f5"),
    "vote": lambda settings: hearing(settings, [Vote(2, (1,), (), None, open=True)], "x"),
    "vote-whom": lambda settings: hearing(settings, [SeatStates((HERE, AWAY, AWAY))], "x"),
    "curtain": at(hotseat),
    "curtain-leaving": at(hotseat, "escape"),
    "paused": at(scripted, "f4"),
    "leaving": at(table, "q"),
    "yes-no": at(scripted, "q", "down", "enter"),
    "ending": at(partial(table, turn=OVER)),
    "ending-master": at(partial(table, turn=OVER, edition="master", bots=2), "pagedown"),
    "review": at(partial(table, turn=OVER, edition="short-classic", bots=1), "r"),
    "themes": at(table, "f3"),
    "puzzles": at(home, "p"),
    "lobby": lobby,
    "lobby-empty": partial(lobby, tables=0),
    "lobby-help": lambda settings: lobby(settings, "question_mark"),
    "lobby-host": lambda settings: lobby(settings, "n"),
    "room": room,
    "room-leaving": lambda settings: room(settings, "q"),
    "room-qr-code": lambda settings: room(settings, "x"),
    "room-guest": guest_room,
}
