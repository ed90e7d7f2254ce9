"""The lobby in a large terminal: cards that can be walked, clicked and resized, and what is beside them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from textual.pilot import Pilot
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Say
from wasabi_protocol.table.topics import Topic

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.discovery import Found
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.lobby import Spoken
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen

from .on_screen import place_of, screen_words
from .on_screen import rows as shown
from .party import QUIET, WHERE, Party, until

LARGE, SMALL = (120, 40), (80, 24)


@asynccontextmanager
async def lobby(
    party: Party, size: tuple[int, int] = LARGE, tables: int = 0, theme: str = "omakase", glyphs: str = "letters"
) -> AsyncIterator[tuple[WasabiApp, Pilot[None], LobbyScreen]]:
    """Open a lobby in which this number of tables was already offered."""
    online = party.online()
    app = party.app(online)
    app.games.preferred = replace(QUIET, theme=theme, glyphs=glyphs)  # type: ignore[attr-defined]
    async with app.run_test(size=size) as pilot:
        screen = LobbyScreen(online, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: "connected" in shown(app) and len(screen.rows) == tables)
        yield app, pilot, screen
        await online.close()


def cards(screen: LobbyScreen) -> str:
    """Return the words of the lobby while it shows tables as cards."""
    return screen_words(screen.app) if screen.has_class("-cards") else ""


async def settle(pilot: Pilot[None], screen: LobbyScreen) -> None:
    screen._look()
    await pilot.pause()


@pytest.mark.parametrize(
    ("theme", "glyphs"), [("omakase", "letters"), ("terminal", "letters"), ("monochrome", "ascii")]
)
async def test_a_large_lobby_says_all_in_cards_with_colours_and_without(party: Party, theme: str, glyphs: str) -> None:
    doubtful = party.announce("Gio", rules_for("classic", 3), 2)
    party.announced.heard = [Found("[/bad] club", "memory.example", 1883, "")]
    async with lobby(party, tables=1, theme=theme, glyphs=glyphs) as (_app, pilot, screen):
        assert "no word from its host yet" in cards(screen)
        assert "has said nothing since you came. It may be gone." in cards(screen)
        open_one = party.announce("Bo", rules_for("classic", 4), 1, options=("hints",))
        begun = party.announce("Eva", rules_for("master", 2), 2, begun=True, clock=60)
        await until(pilot, lambda: len(screen.rows) == 3)
        screen.said.append(Spoken("Hana (aaaa-bbbb)", "come [/bad] in"))
        await pilot.press("home")
        await settle(pilot, screen)
        words = cards(screen)
        for table, host in ((open_one, "Bo"), (begun, "Eva"), (doubtful, "Gio")):
            assert f"{table[:6]} by {host}" in words
        for line in ("3 free", "no clock", "1 min a turn", "w watch", "Second edition", "here now", "talk"):
            assert line.casefold() in words.casefold()
        assert "Enter  Sit down" in words
        assert f"table {open_one[:6]}" in words, "who hosts, and which table"
        assert f"table {doubtful[:6]}" not in words, "nobody knows whether Gio is here"
        assert "Hana (aaaa-bbbb) come [/bad] in" in words
        assert "[/bad] club" in words
        assert "Everybody may ask what a good turn would be." in words
        pictures = screen.wasabi.paints.depth
        assert screen.belt.display == pictures


async def test_arrows_clicks_and_enter_lead_to_the_table_of_the_card(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    for name in ("Eva", "Gio"):
        party.announce(name, rules_for("classic", 4), 1)
    async with lobby(party, tables=3) as (app, pilot, screen):
        await pilot.press("end", "up")
        await pilot.pause()
        assert screen.at == 1
        assert f"TABLE {screen.rows[1].offer.table[:6].upper()}" in cards(screen)
        at = next(number for number, row in enumerate(screen.rows) if row.offer.table == host.table)
        if screen.at != at:
            await pilot.click(offset=place_of(app, f"{host.table[:6]} by"))
            await pilot.pause()
        assert screen.at == at
        await until(pilot, lambda: "Enter  Sit down" in cards(screen))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        await party.close(host)


@pytest.mark.long
async def test_the_button_of_a_card_does_what_enter_does(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    async with lobby(party, tables=1) as (app, pilot, screen):
        await until(pilot, lambda: "Sit down" in cards(screen))
        await pilot.click(offset=place_of(app, "Enter  Sit down"))
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        await party.close(host)


async def test_the_cursor_keeps_its_table_in_a_smaller_terminal_and_back(party: Party) -> None:
    for name in ("Bo", "Eva", "Gio"):
        party.announce(name, rules_for("classic", 4), 1)
    async with lobby(party, tables=3) as (app, pilot, screen):
        await pilot.press("down", "down")
        chosen = screen.rows[2].offer
        large = cards(screen)
        await pilot.resize_terminal(*SMALL)
        await pilot.pause()
        assert not cards(screen)
        assert f"► {chosen.table[:6]}" in shown(app)
        assert "1 of 4" in shown(app)
        await pilot.resize_terminal(*LARGE)
        await until(pilot, lambda: cards(screen) == large)
        assert "1 of 4 no clock" not in shown(app), "a table is a card or a row, not both"
        assert screen.rows[screen.at].offer.table == chosen.table


async def test_cards_are_sorted_and_filtered_and_talk_is_opened_with_the_mouse(party: Party) -> None:
    party.announce("Bo", rules_for("classic", 4), 1)
    party.announce("Eva", rules_for("classic", 2), 2)
    party.announced.heard = [Found("club", "memory.example", 1883, "")]
    async with lobby(party, tables=2) as (app, pilot, screen):
        assert "by state ↓  o" in cards(screen)
        await pilot.click(offset=place_of(app, "by state"))
        await pilot.pause()
        assert "by seen ↓  o" in cards(screen)
        await pilot.press("v")
        await pilot.pause()
        assert "only open ones" in cards(screen)
        assert "by Eva" not in cards(screen)
        await pilot.click(offset=place_of(app, "only open ones"))
        await pilot.pause()
        assert "by Eva" in cards(screen)
        await pilot.press("v")
        await pilot.click(offset=place_of(app, "club"))
        await pilot.pause()
        assert "memory.example:1883. Enter shows which tables are there." in cards(screen)
        await pilot.click(offset=place_of(app, "TALK"))
        await pilot.pause()
        assert screen.keyboard.is_open


@pytest.mark.long
async def test_many_hostile_tables_and_lines_stay_within_their_cards(party: Party) -> None:
    names = ["[/bad]", "a\u202eb", "寿司" * 6, "x" * 24, "🏳️‍🌈", "%s {name}"]
    for number in range(40):
        party.announce(f"{names[number % len(names)][:20]}{number}", rules_for("classic", 4), 1 + number % 4)
    async with lobby(party, (100, 30), tables=40) as (app, pilot, screen):
        me = Identity(os.urandom(32))
        line = signed_message(me, Say("", me.key, 5, "\x1b[2J\u202e" + "こんにちは" * 30))
        topic = str(Topic("main", "say", key_text(me.key)))
        party.broker.connect("strangers", None, 0.0)
        party.broker.publish("strangers", Publication(topic, line, 0, False), 0.0)
        party.broker.pump.wake()
        await until(pilot, lambda: "こんにちは" in cards(screen).replace("\0", ""))
        assert screen.tables.show_vertical_scrollbar
        await pilot.press("end")
        await pilot.pause()
        assert f"{screen.rows[-1].offer.table[:6]} by" in cards(screen)
        assert not any(bad in cards(screen) for bad in ("\x1b", "\u202e", "\u200d"))
        assert app._exception is None


async def test_cards_of_a_quiet_lobby_are_not_painted_again(party: Party) -> None:
    party.announce("Bo", rules_for("classic", 4), 1)
    async with lobby(party, tables=1) as (_app, pilot, screen):
        await settle(pilot, screen)
        before = list(screen.tables.options)
        for _ in range(3):
            await settle(pilot, screen)
        assert list(screen.tables.options) == before, "the same options, not new ones"
        await pilot.press("f3", "escape")
        await pilot.press("down")
        assert cards(screen)
