"""The lobby, the hosting form, the first start: every key does something, and strangers can do no harm."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input, OptionList
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity, key_text
from wasabi_protocol.signed.messages import Offer, Say
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.topics import Topic

from wasabi_tx.net.transport import Publication
from wasabi_tx.table.online.terms import make_terms
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.keys import actions_on
from wasabi_tx.tui.screens.first_start import ROWS, FirstStartScreen
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.hosting import NAMES, HostPage
from wasabi_tx.tui.screens.invite import InvitePage
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen
from wasabi_tx.tui.services import TableWish
from wasabi_tx.tui.spans import text_of
from wasabi_tx.tui.widgets.panel import Panel
from wasabi_tx.view.settings import Settings

from .memory_games import MemoryGames
from .on_screen import rows as shown
from .party import WHERE, Heard, Party, english, until
from .tiny import NAME, tiny_rules

HOSTILE = ["[/bad]", "\x1b[31mred", "a\u202eb", "z\u200bw", "x" * 24, "[@click=app.exit]y", "🏳️‍🌈", "{name}", "%s"]


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return Party.at(tmp_path, monkeypatch)


def _strangers(party: Party, count: int) -> None:
    """So many tables, all properly signed, all with names that want to do harm."""
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


async def test_a_thousand_hostile_offers_neither_break_the_lobby_nor_slow_it(party: Party) -> None:
    _strangers(party, 1000)
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = LobbyScreen(meeting, WHERE)
        app.push_screen(screen)
        await until(pilot, lambda: len(screen.rows) >= 100)
        await pilot.press(*["down"] * 20, "pagedown", "pageup")
        assert not any(bad in shown(app) for bad in ("\x1b", "\u202e", "\u200b", "\n\n\n\n\n\n\n\n\n\n\n\n\n"))
        assert len(shown(app).splitlines()) <= 24
        drawn, row = list[int](), screen._row
        screen._row = lambda one, number, width: drawn.append(number) or row(one, number, width)  # type: ignore
        screen.lines(80, 24)
        assert 0 < len(drawn) < 24 < len(screen.rows), "a key costs as much as a screen, however long the list is"
        assert app._exception is None


async def test_talk_of_strangers_is_harmless_and_ours_goes_out(party: Party) -> None:
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(meeting, WHERE))
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
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(meeting, WHERE))
        await until(pilot, lambda: state in shown(app))
        assert host.title in shown(app)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        assert isinstance(app.screen, WaitingRoomScreen)
        assert (app.screen.table.seat is None) == (key == "w")
        await party.close(host)
        await meeting.close()


async def test_a_broker_that_was_only_heard_of_lets_one_watch_and_says_so(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    party.announced.found = [Heard("[/bad] club", "memory.example", 1883)]
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(meeting))
        await until(pilot, lambda: "1 of 3" in shown(app))
        assert "[/bad] club" in shown(app)
        await pilot.press("enter")
        await pilot.pause()
        assert [note.message for note in app._notifications] == [english().say("lobby.ask-invite", name="Bo")]
        await pilot.press("down", "enter")
        await until(pilot, lambda: "1 of 3" in shown(app))
        await party.close(host)


async def test_every_key_of_the_lobby_does_something_without_any_table(party: Party) -> None:
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(meeting))
        await until(pilot, lambda: "No broker is set" in shown(app))
        for action in actions_on("lobby"):
            if action.id != "leave":
                await pilot.press(action.keys.split(",")[0])
                await pilot.pause()
                while not isinstance(app.screen, LobbyScreen):
                    await pilot.press("escape")
                    await pilot.pause()
                await pilot.press("escape")
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_the_form_opens_a_table_with_one_enter_and_every_line_of_it_changes_something(party: Party) -> None:
    meeting = party.meeting()
    app = party.app(meeting)
    wishes: list[TableWish | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(HostPage(), wishes.append)
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: wishes)
        assert wishes == [TableWish()]
        page = HostPage()
        app.push_screen(page)
        await pilot.pause()
        for name in NAMES[1:]:
            await pilot.press("down")
            before = page.wish
            await pilot.press("right")
            if name == "least":
                assert page.wish.least <= page.wish.seats
            else:
                assert page.wish != before, name
            await pilot.press("left", "enter", "enter")
        assert page.query_one(OptionList).highlighted == len(NAMES) - 1
        assert not any("►" in str(option.prompt) for option in page.query_one(OptionList).options)
        assert page.wish.bots < page.wish.seats


async def test_an_invite_is_pasted_with_its_line_breaks(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.ask_invite("join")
        await until(pilot, lambda: isinstance(app.screen, InvitePage) and app.screen.query(Input))
        app.post_message(events.Paste(f" {host.invite[:50]}\n{host.invite[50:]}\n"))
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Bo" in shown(app))
        await party.close(host)
        await meeting.close()


async def test_home_lists_what_is_online_only_where_there_is_any(party: Party) -> None:
    for online in (None, party.meeting):
        app = WasabiApp(MemoryGames(), language="en", online=online)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            words = text_of(app.screen.query_one("#menu", Panel).lines)
            assert ("Host" in words) == (online is not None)
            assert ("Lobby" in words) == (online is not None)


async def test_the_first_start_is_one_enter_and_is_kept() -> None:
    games = MemoryGames(preferred=Settings())
    app = WasabiApp(games, language="it", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Ana" in shown(app))
        assert isinstance(app.screen, FirstStartScreen)
        assert "|🍣|🥑" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(name="Ana")]


async def test_the_first_start_changes_name_language_and_signs() -> None:
    games = MemoryGames(preferred=Settings())
    app = WasabiApp(games, language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Ana" in shown(app))
        await pilot.press("down", "enter", *"Bo q?", "enter")
        await pilot.press("down", "enter", "down", "enter")
        await pilot.press("up", "up", "up", "enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(language="it", glyphs="emoji", name="Bo q?")]


async def test_the_first_start_says_what_keys_do_on_the_line_that_is_chosen() -> None:
    app = WasabiApp(MemoryGames(preferred=Settings()), language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for row in ROWS:
            assert english().say(f"first.how.{row}") in shown(app)
            await pilot.press("down")
        assert isinstance(app.screen, FirstStartScreen)
        await pilot.press("left")
        assert app.settings.glyphs == "ascii"
        await pilot.press("right")
        assert app.settings.glyphs == "letters", "left goes back"
        await pilot.press("up", "up", "left", "right", "up", "left", "right")
        assert isinstance(app.screen, FirstStartScreen), "only Enter starts"


async def test_a_name_ends_where_no_more_fits() -> None:
    app = WasabiApp(MemoryGames(preferred=Settings()), language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "enter", *"Bartholomew the Great")
        assert isinstance(app.screen, FirstStartScreen)
        assert app.screen.keyboard.value == "Bartholomew "
        assert english().say("tui.typing-how", count=12) in shown(app)


async def test_a_long_line_in_japanese_is_shown_to_its_end(party: Party) -> None:
    line = "こんにちは、今日は一緒に寿司を作りましょう。" * 5
    meeting = party.meeting()
    app = party.app(meeting)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(LobbyScreen(meeting, WHERE))
        await until(pilot, lambda: "connected" in shown(app))
        party.broker.connect("strangers", None, 0.0)
        me = Identity(os.urandom(32))
        _publish(party, "say", me, signed_message(me, Say("", me.key, 5, line)))
        party.broker.pump.wake()
        await until(pilot, lambda: "こんにちは" in shown(app))
        assert line in shown(app).replace("\n ", "")
