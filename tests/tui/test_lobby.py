"""The lobby, the hosting form, the first start: every key does something, and strangers can do no harm."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from textual import events
from textual.pilot import Pilot
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Offer, Say
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.topics import Topic

from tests.brokers import PATIENCE
from wasabi_tx.net.discovery import Found
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.terms import make_terms
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.bindings import actions_on
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen
from wasabi_tx.view.online.lobby_columns import COLUMNS, column_widths

from .on_screen import place_of
from .on_screen import rows as shown
from .party import WHERE, Party, english, until
from .tiny import NAME, tiny_rules

T = TypeVar("T")
HOSTILE = ["[/bad]", "\x1b[31mred", "a\u202eb", "z\u200bw", "x" * 24, "[@click=app.exit]y", "🏳️‍🌈", "{name}", "%s"]


def _strangers(party: Party, count: int) -> None:
    """Return this number of signed offers, all with harmful names."""
    terms = make_terms(tiny_rules(NAME, 4), 2, 4)
    party.broker.connect("strangers", None, 0.0)
    for number in range(count):
        me = Identity(number.to_bytes(32, "big"))
        salt = number.to_bytes(32, "little")
        name = HOSTILE[number % len(HOSTILE)]
        edition = replace(terms, edition=NAME if number % 2 else "classic")
        offer = Offer(table_id(me.key, salt), me.key, salt, 1, edition, b"", name[:24], 1 + number % 4, number % 3 == 0)
        _publish(party, "lobby", me, signed_message(me, offer), retain=True)


def _publish(party: Party, kind: str, me: Identity, payload: bytes, retain: bool = False) -> None:
    topic = str(Topic("main", kind, key_text(me.key)))
    party.broker.publish("strangers", Publication(topic, payload, 0, retain), 0.0)


@pytest.mark.long
async def test_a_thousand_hostile_offers_neither_break_the_lobby_nor_slow_it(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    _strangers(party, 1000)
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) >= 100)
        await pilot.press(*["down"] * 20, "pagedown", "pageup")
        assert not any(bad in shown(app) for bad in ("\x1b", "\u202e", "\u200b", "\n\n\n\n\n\n\n\n\n\n\n\n\n"))
        assert len(shown(app).splitlines()) <= 24
        drawn = list[int]()

        def counted(width: int) -> list[int]:
            drawn.append(width)
            return column_widths(width)

        monkeypatch.setattr("wasabi_tx.tui.screens.lobby.column_widths", counted)
        await pilot.press("down")
        await pilot.pause()
        assert 0 < len(drawn) < 60 < len(screen.rows), "a key costs as much as a screen, however long the list is"
        assert app._exception is None


async def test_talk_of_strangers_is_harmless_and_ours_goes_out(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: "connected" in shown(app))
        party.broker.connect("strangers", None, 0.0)
        me = Identity(os.urandom(32))
        line = "[/bad] \x1b[2J\u202ehello " + "y" * 150
        _publish(party, "say", me, signed_message(me, Say("", me.key, 5, line)))
        party.broker.pump.wake()
        await until(pilot, lambda: "hello" in shown(app))
        assert "\x1b" not in shown(app)
        await pilot.press("t", *"hi", "enter")
        await until(pilot, lambda: any(one.topic.split("/")[-2] == "say" for one in party.broker.log[-3:]))


@pytest.mark.parametrize(("key", "state"), [("enter", "1 of 3"), ("w", "1 of 3")])
async def test_a_table_is_joined_or_watched_from_the_lobby(party: Party, key: str, state: str) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: state in shown(app))
        assert host.title in shown(app)
        bar, keys = shown(app).splitlines()[-2:]
        assert f"Enter  Sit down at {host.title[:6]}, with Bo" in bar
        assert "Enter" not in keys, "what the button says is not said twice"
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        assert isinstance(app.screen, WaitingRoomScreen)
        assert (app.screen.table.seat is None) == (key == "w")
        await party.close(host)
        await online.close()


async def test_who_has_a_seat_at_a_table_goes_back_to_it_from_the_lobby(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: "1 of 3" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ListPage))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LobbyScreen) and "Take your seat" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        assert isinstance(app.screen, WaitingRoomScreen)
        assert app.screen.table.seat is not None
        await party.close(host)
        await online.close()


@asynccontextmanager
async def at_the_door(party: Party, **wanted: Any) -> AsyncIterator[tuple[WasabiApp, Pilot[None], OnlineTable]]:
    """Open the lobby of a broker found on the network, with the table of a host who admits each guest in person."""
    party.guarded = True
    host = party.host(seats=3, **{"welcome_all": False} | wanted)
    await host.connect()
    host.await_guests()
    party.announced.heard = [Found("[/bad] club", "memory.example", 1883, "")]
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online))
        await until(pilot, lambda: "1 of 3" in shown(app))
        assert "[/bad] club" in shown(app)
        yield app, pilot, host
        await party.close(host)
        await online.close()


async def next_of(host: OnlineTable, kind: type[T]) -> T:
    async with asyncio.timeout(PATIENCE):
        while not isinstance(event := await host.next_event(), kind):
            assert event is not None
        return event


async def test_without_the_password_enter_knocks_and_the_host_lets_one_in(party: Party) -> None:
    async with at_the_door(party) as (app, pilot, host):
        await pilot.press("enter")
        knock = await next_of(host, table_events.Knocking)
        assert knock.name == "Ana"
        await until(pilot, lambda: "Waiting for Bo to let you in" in shown(app))
        await host.admit(knock.key)
        assert (await next_of(host, table_events.KnockEnded)).key == knock.key
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen))
        joined = await next_of(host, table_events.Joined)
        while not host.expects(joined.key) or joined.key == host.me.key:
            joined = await next_of(host, table_events.Joined)
        assert joined.key == knock.key
        assert joined.invited
        assert isinstance(app.screen, WaitingRoomScreen)
        assert app.screen.table.invite == host.invite
    assert not [topic for topic in party.broker.retained if "knock" in topic]


async def test_who_is_turned_away_reads_so_and_stays_in_the_lobby(party: Party) -> None:
    async with at_the_door(party) as (app, pilot, host):
        await pilot.press("enter")
        await host.turn_away((await next_of(host, table_events.Knocking)).key)
        await until(pilot, lambda: english().say("online.bad-knock.turned-away") in notes(app))
        assert isinstance(app.screen, LobbyScreen)
        assert app.screen.at_door is None
        assert "to let you in" not in shown(app)


@pytest.mark.parametrize("keys", [("escape",), ("q",), ("w",)])
async def test_who_stops_knocking_is_gone_at_once(party: Party, keys: tuple[str, ...]) -> None:
    async with at_the_door(party) as (app, pilot, host):
        await pilot.press("enter")
        knock = await next_of(host, table_events.Knocking)
        await pilot.press(*keys)
        assert (await next_of(host, table_events.KnockEnded)).key == knock.key
        await until(pilot, lambda: "to let you in" not in shown(app))


async def test_escape_leaves_the_door_and_then_the_lobby(party: Party) -> None:
    async with at_the_door(party) as (app, pilot, host):
        await pilot.press("enter")
        await next_of(host, table_events.Knocking)
        await pilot.press("escape")
        assert isinstance(app.screen, LobbyScreen)
        assert app.screen.at_door is None
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, LobbyScreen))


@pytest.mark.long
async def test_a_table_that_closes_lets_nobody_wait_at_its_door(party: Party) -> None:
    async with at_the_door(party) as (app, pilot, host):
        await pilot.press("enter")
        await next_of(host, table_events.Knocking)
        await host.close()
        await until(pilot, lambda: english().say("online.bad-knock.closed") in notes(app))
        assert "to let you in" not in shown(app)


async def test_where_everybody_may_sit_a_knock_is_answered_at_once_and_without_the_ticket(party: Party) -> None:
    async with at_the_door(party, welcome_all=True) as (app, pilot, host):
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Ana" in shown(app))
        async with asyncio.timeout(PATIENCE):
            while (admitted := await next_of(host, table_events.Admitted)).key == host.me.key:
                pass
        assert isinstance(app.screen, WaitingRoomScreen)
        assert admitted.key == app.screen.table.me.key
        assert read_invite(app.screen.table.invite).ticket_key == b""


async def test_only_open_tables_are_listed_on_demand(party: Party) -> None:
    _strangers(party, 9)
    host = party.host(seats=3)
    await host.connect()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) == 10)
        await pilot.press("v")
        assert [row.offer.table for row in screen.rows if row.offer.host == "Bo"] == [host.table]
        assert 1 < len(screen.rows) < 10
        assert all(row.open for row in screen.rows)
        assert "only open ones" in shown(app)
        await pilot.press("v")
        assert len(screen.rows) == 10
        await party.close(host)


def notes(app: WasabiApp) -> list[str]:
    return [note.message for note in app._notifications]


async def test_every_key_of_the_lobby_does_something_without_any_table(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online))
        await until(pilot, lambda: "no broker is set" in shown(app))
        for action in actions_on("lobby"):
            if action.id not in ("leave", "withdraw"):
                await pilot.press(action.keys.split(",")[0])
                await pilot.pause()
                while not isinstance(app.screen, LobbyScreen):
                    await pilot.press("escape")
                    await pilot.pause()
                if action.id in ("talk", "address"):
                    await pilot.press("escape")
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_long_line_in_japanese_is_shown_to_its_end(party: Party) -> None:
    line = "こんにちは、今日は一緒に寿司を作りましょう。" * 5
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: "connected" in shown(app))
        party.broker.connect("strangers", None, 0.0)
        me = Identity(os.urandom(32))
        _publish(party, "say", me, signed_message(me, Say("", me.key, 5, line)))
        party.broker.pump.wake()
        await until(pilot, lambda: "こんにちは" in shown(app))
        assert line in shown(app).replace("\n ", "")


async def test_tables_are_sorted_by_any_column_and_the_cursor_stays_on_its_table(party: Party) -> None:
    _strangers(party, 9)
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) == 9)
        assert "state ↓" in shown(app)
        await pilot.press("down", "down")
        chosen = screen.rows[2].offer.table
        await pilot.click(offset=place_of(app, " host ", 1))
        await pilot.pause()
        hosts = [row.offer.host.casefold() for row in screen.rows]
        assert hosts == sorted(hosts)
        assert screen.rows[screen.at].offer.table == chosen
        await pilot.click(offset=place_of(app, " host ", 1))
        await pilot.pause()
        assert [row.offer.host.casefold() for row in screen.rows] == sorted(hosts, reverse=True)
        assert "host ↑" in shown(app)
        seen = set()
        for _ in COLUMNS:
            await pilot.press("o")
            seen.add(screen._by)
            assert screen.rows[screen.at].offer.table == chosen
        assert seen == {column.name for column in COLUMNS}


async def test_the_list_of_tables_scrolls_to_its_ends_and_by_the_wheel(party: Party) -> None:
    _strangers(party, 40)
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) >= 30)
        last = len(screen.rows) - 1
        await pilot.press("end")
        await pilot.pause()
        assert screen.at == last
        assert screen.rows[last].offer.table[:6] in shown(app)
        assert "state ↓" in shown(app), "the titles stay"
        await pilot.press("home")
        await pilot.pause()
        assert screen.at == 0
        app.post_message(events.MouseScrollDown(None, 10, 10, 0, 1, 0, False, False, False))
        await pilot.pause()
        assert screen.tables.scroll_y > 0
        assert screen.at == 0, "whoever only looks has chosen nothing"


@pytest.mark.long
async def test_a_click_in_the_lobby_does_what_it_says_once(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: "connected" in shown(app))
        assert "n  Open a table" in shown(app), "there is none to sit down at"
        await pilot.click(offset=place_of(app, "Open a table"))
        await pilot.pause()
        assert [isinstance(one, FormPage) for one in app.screen_stack].count(True) == 1
        await online.close()


async def test_an_address_that_is_typed_leads_to_its_lobby_and_is_listed_the_next_time(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.open_lobby()
        await until(pilot, lambda: "no broker is set" in shown(app))
        await pilot.press("u", *"bad host", "enter")
        await until(pilot, lambda: app._notifications)
        assert "no broker is set" in shown(app), "what is wrong is said, and the lobby stays"
        await pilot.press("u", *WHERE, "enter")
        await until(pilot, lambda: "● connected" in shown(app))
        assert not app.screen.visited  # type: ignore[attr-defined]
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        app.open_lobby()
        await until(pilot, lambda: "visited before" in shown(app).lower())
        await pilot.press("enter")
        await until(pilot, lambda: "● connected" in shown(app))


async def test_where_one_may_only_watch_the_lobby_says_so_and_offers_neither_table_nor_talk(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wasabi_tx.online.lobby.ECHO", 0.0)
    party.guarded = True
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.open_lobby(WHERE)
        await until(pilot, lambda: "Here you may watch and knock" in shown(app))
        assert "new table" not in shown(app)
        assert "t talk" not in shown(app)
        screen = app.screen
        await pilot.press("n", "t")
        await pilot.pause()
        assert app.screen is screen
        assert not screen.keyboard.is_open  # type: ignore[attr-defined]
