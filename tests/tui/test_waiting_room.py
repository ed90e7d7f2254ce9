"""The waiting room: who sits, who asks, bots, invites, fewer seats; then the sealed cards, and the table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import segno
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot
from wasabi_protocol.signed.identity import fingerprint, key_text

from tests.brokers import PATIENCE
from tests.net.memory import MemoryBroker, MemoryTransport
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.net.address import Address
from wasabi_tx.net.transport import Lost, Screens, Will
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.knocking import BadKnock
from wasabi_tx.online.lobby import LobbyClient, Spoken
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.lobby import LobbyScreen
from wasabi_tx.tui.screens.page import ListPage, TextPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.waiting_room import DOOR_PAUSE, WaitingRoomScreen

from .memory_games import MemoryGames
from .on_screen import every_word, table_of
from .on_screen import rows as shown
from .party import WHERE, Party, english, until, wish
from .tiny import NAME

Here = tuple[WasabiApp, Pilot[None], OnlineTable]


@asynccontextmanager
async def hosting(party: Party, size: tuple[int, int] = (80, 24), **other: Any) -> AsyncIterator[Here]:
    """Yield the app with Ana in the waiting room of her own table."""
    online = party.online()
    table = await online.host(wish(**other), english())
    app = party.app(online, table)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "1 Ana" in shown(app))
        yield app, pilot, table
        await party.close()
        await online.close()


@asynccontextmanager
async def joined(party: Party, size: tuple[int, int] = (80, 24), **other: Any) -> AsyncIterator[Here]:
    """Yield the app with Ana in the waiting room of Bo's table, and that table."""
    host = party.host(seats=3, **other)
    await host.connect()
    online = party.online()
    app = party.app(online, await online.join(host.invite, english()))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "Bo" in shown(app))
        yield app, pilot, host
        await party.close(host)
        await online.close()


async def test_a_host_lets_a_guest_sit_and_both_come_to_the_table(party: Party) -> None:
    async with hosting(party, welcome=False) as (app, pilot, table):
        assert f"wasabi-tx {table.invite}" in shown(app).replace("\n", "")
        guest = await party.join(table.invite)
        await until(pilot, lambda: "asks for a seat" in shown(app))
        assert "Bo" in shown(app)
        assert "Enter  Let Bo sit down" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert table_of(app).opened.game.title == table.title
        await party.close(guest)


async def test_the_host_of_an_own_edition_is_told_that_guests_need_its_file(party: Party) -> None:
    async with hosting(party) as (app, _pilot, table):
        assert [note for note in table.notes if f"{NAME}.toml" in note]
        assert not app._notifications, "nothing covers the seats"
        assert f"{NAME}.toml" in shown(app)
    online = party.online()
    packaged = await online.host(wish(edition="classic"), english())
    assert packaged.notes == ()
    await online.close()


async def test_escape_asks_how_to_leave_the_room(party: Party) -> None:
    async with hosting(party) as (app, pilot, _table):
        room = app.screen
        await pilot.press("escape")
        assert isinstance(app.screen, ListPage)
        await pilot.press("escape")
        assert app.screen is room


@pytest.mark.long
async def test_a_bot_is_shown_as_its_persons_and_needs_no_word_of_the_host(party: Party) -> None:
    async with hosting(party, welcome=False, seats=3) as (app, pilot, _table):
        await pilot.press("n")
        await until(pilot, lambda: "bot, run by Ana" in shown(app))
        assert "asks for a seat" not in shown(app)


async def test_somebody_who_claims_to_be_our_bot_is_asked_about(party: Party) -> None:
    async with hosting(party, welcome=False, seats=3) as (app, pilot, table):
        room = app.screen
        assert isinstance(room, WaitingRoomScreen)
        table.driver._events.put_nowait(table_events.Joined(b"\x01" * 32, "Mallory", party.machine("Ana").me.key))
        await until(pilot, lambda: "asks for a seat" in shown(app))
        assert not table.is_ours(b"\x01" * 32)


async def test_a_game_begins_with_fewer_if_the_table_allows_it(party: Party) -> None:
    async with hosting(party, seats=4, least=2) as (app, pilot, table):
        assert "y  Copy the invite" in shown(app), "the most useful key while nobody is here"
        await pilot.press("s")
        assert [note.message for note in app._notifications][-1] == english().say("room.too-few", count=2)
        guest = await party.join(table.invite)
        await until(pilot, lambda: "2 Bo" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert len(table_of(app).opened.game.players) == 2
        await party.close(guest)


async def test_the_invite_is_offered_to_the_clipboard(party: Party) -> None:
    async with hosting(party) as (app, pilot, table):
        await pilot.press("y")
        assert app.clipboard == f"wasabi-tx {table.invite}"
        assert "(copied if your terminal allows it)" in shown(app), "nobody knows whether it does"
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "(copied if your terminal allows it; otherwise select the line)" in shown(app)
        await pilot.press("w")
        assert app.clipboard == f"wasabi-tx {table.watch_invite}"


def shows_code(page: object, text: str) -> None:
    """Check that the page begins with the QR code of a text, in signs that are lighter than what is behind them."""
    assert isinstance(page, TextPage)
    drawn = [line.text for line in page.lines]
    squares = (
        [[sign in "▀█" for sign in line] for line in drawn],
        [[sign in "▄█" for sign in line] for line in drawn],
    )
    rows = [row for pair in zip(*squares, strict=True) for row in pair]
    code = segno.make(text, error="l", micro=False)
    light = [[not square for square in row] for row in code.matrix_iter(border=2)]
    assert rows[: len(light)] == light
    assert len(rows[0]) <= 80


async def test_the_invite_is_shown_to_cameras(party: Party) -> None:
    async with hosting(party, (120, 40)) as (app, pilot, table):
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, TextPage))
        shows_code(app.screen, table.invite)


async def test_a_host_who_serves_browsers_sees_the_link_and_shows_it_to_cameras(party: Party) -> None:
    async with hosting(party, (120, 40)) as (app, pilot, table):
        assert english().say("room.open-link") not in shown(app)
        assert table.seat is not None
        table.seat = replace(table.seat, site=8080)
        host, port = read_invite(table.invite).carriers[0].hosts[0]
        assert table.site == f"http://{host}:{port}/#"
        await pilot.press("y")
        await until(pilot, lambda: english().say("room.open-link") in shown(app))
        assert table.site + table.invite in shown(app).replace("\n", "").replace(" ", "")
        assert f"({english().say('room.shows-qr', key='x')})" in shown(app)
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, TextPage))
        shows_code(app.screen, table.site + table.invite)


async def test_a_guest_sees_the_terms_and_cannot_act_as_host(party: Party) -> None:
    async with joined(party, options=("hints",)) as (app, pilot, host):
        await until(pilot, lambda: "starts when all 3 seats are taken" in shown(app))
        assert "hints allowed" in shown(app)
        for key in ("enter", "n", "s"):
            await pilot.press(key)
        assert {note.message for note in app._notifications} == {english().say("room.host-only")}
        assert await host.driver.do(lambda client, _now: len(client.waiting_room.admitted)) == 2


async def test_talk_in_the_room_is_heard_on_both_sides(party: Party) -> None:
    async with joined(party) as (app, pilot, host):
        await host.driver.do(lambda client, _now: client.send_talk("[/bad] nice\x1b[2J to see you", 1000))
        await until(pilot, lambda: "Bo: [/bad] nice" in shown(app))
        assert "\x1b" not in shown(app)
        await pilot.press("t", *"quick", "enter")
        heard: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while not heard:
                event = await host.driver.next_event()
                heard += (
                    [event.text]
                    if isinstance(event, table_events.TalkHeard) and event.key == party.machine("Ana").me.key
                    else []
                )
        assert heard == ["quick"]
        assert isinstance(app.screen, WaitingRoomScreen), "letters that were typed are no commands"


@pytest.mark.parametrize(("size", "keys"), [((80, 24), ["question_mark"]), ((120, 40), [])])
async def test_the_room_or_its_help_says_what_fingerprints_are_for_and_that_nobody_has_audited_how_cards_are_sealed(
    party: Party, size: tuple[int, int], keys: list[str]
) -> None:
    async with hosting(party, size, seats=4) as (app, pilot, _table):
        await pilot.press(*keys)
        await until(pilot, lambda: english().say("room.unaudited") in every_word(app))
        assert every_word(app).count(english().say("room.fingerprint")) == 1


@pytest.mark.parametrize(
    ("least", "words"),
    [(3, "starts when all 3 seats are taken"), (2, "starts with 3, or with 2 if the host wants")],
)
async def test_the_room_says_how_its_game_starts(party: Party, least: int, words: str) -> None:
    async with hosting(party, seats=3, least=least) as (app, _pilot, _table):
        assert words in every_word(app)


@pytest.mark.long
async def test_the_room_fits_every_terminal(party: Party) -> None:
    async with hosting(party, welcome=False, seats=4) as (app, pilot, table):
        for width, height in ((20, 6), (40, 15), (200, 60), (1, 1), (80, 24)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            assert all(cell_len(line) <= width for line in shown(app).splitlines())
        assert table.invite in shown(app).replace("\n", "")


@pytest.mark.parametrize("way", ["later", "for-good"])
async def test_the_room_is_left_for_later_or_for_good(party: Party, way: str) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: "Bo" in shown(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ListPage))
        await pilot.press(*(["down"] if way == "for-good" else []), "enter")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        assert len(online.unfinished(english())) == (1 if way == "later" else 0)
        again = await online.join(host.invite, english())
        assert len(online.unfinished(english())) == 1, "whoever comes again has a seat to come back to"
        await again.close()
        await party.close(host)
        await online.close()


async def test_a_seat_is_taken_up_again_from_the_list_of_unfinished_games(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    online = party.online()
    app = party.app(online)
    assert isinstance(app.games, MemoryGames)
    app.games.seats = 1
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: "Bo" in shown(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ListPage))
        await pilot.press("enter")
        await until(pilot, lambda: len(app.screen_stack) == 1)
        await pilot.press("u")
        await until(pilot, lambda: isinstance(app.screen, ListPage))
        await pilot.press("enter")
        await until(pilot, lambda: "Bo" in shown(app))
        await party.close(host)
        await online.close()


@pytest.mark.parametrize("welcome", [True, False])
async def test_a_host_who_comes_back_asks_who_may_sit_as_before(party: Party, welcome: bool) -> None:
    online = party.online()
    table = await online.host(wish(welcome=welcome, seats=3), english())
    await table.close()
    (saved,) = online.unfinished(english())
    table = await online.resume(saved.name, english())
    app = party.app(online, table)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "1 Ana" in shown(app))
        guest = await party.join(table.invite)
        await until(pilot, lambda: "2 Bo" in shown(app) if welcome else "asks for a seat" in shown(app))
        assert table.asks is not welcome
        await party.close(guest)
        await online.close()


class LostAtOnce(MemoryTransport):
    """A connection that ends as soon as it is opened."""

    def __init__(self, broker: MemoryBroker, why: str) -> None:
        super().__init__(broker, "nobody")
        self._why = why

    def open(self, will: Will | None = None, screens: Screens | None = None) -> None:
        super().open(will, screens)
        self.cut()
        self.inbox.put(Lost(self._why))


async def test_a_broker_out_of_reach_gives_a_sentence_and_leaves_no_seat(party: Party) -> None:
    host = party.host()
    machine = replace(party.machine("Ana"), connect=lambda _address: LostAtOnce(party.broker, "refused"))
    online = party.online(machine=machine)
    with pytest.raises(Failure) as refused:
        await online.join(host.invite, english())
    assert str(refused.value) == english().say("online.lost.refused", broker="memory.example:1883")
    assert online.unfinished(english()) == []
    await host.close()


async def test_a_password_that_was_kept_back_is_said_at_the_table(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    machine = replace(party.machine("Ana"), kept_back=lambda _address: True)
    online = party.online(machine=machine)
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen))
        words = english().say("online.password-kept-back", broker="memory.example:1883")
        assert words[1:] in every_word(app)
        app.pop_screen()
        await pilot.pause()
        # Notifications disappear after a while, so count only those that are new.
        told: list[str] = []
        monkeypatch.setattr(app, "notify", lambda message, **_how: told.append(message))
        app.push_screen(LobbyScreen(online, WHERE))
        await until(pilot, lambda: words in told)
        await party.close(host)
        await online.close()


async def test_a_password_that_was_kept_back_is_said_when_the_broker_wants_one(party: Party) -> None:
    host = party.host()
    machine = replace(
        party.machine("Ana"),
        connect=lambda _address: LostAtOnce(party.broker, "password"),
        kept_back=lambda _address: True,
    )
    online = party.online(machine=machine)
    with pytest.raises(Failure) as refused:
        await online.join(host.invite, english())
    for key in ("online.lost.password", "online.password-kept-back"):
        assert english().say(key, broker="memory.example:1883") in str(refused.value)
    await host.close()


@pytest.mark.parametrize("straight", [True, False])
async def test_a_game_that_began_without_us_is_said_and_leaves_no_seat(party: Party, straight: bool) -> None:
    host = party.host()
    await host.driver.open()
    guest = await party.join(host.invite, "Chiara")
    await guest.driver.until(lambda now: now.observation is not None)
    online = party.online()
    words = english().say("online.cannot-play.not-seated")
    app = party.app(online, await online.join(host.invite, english()) if straight else None)
    async with app.run_test(size=(80, 24)) as pilot:
        if not straight:
            app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: app.refused is not None)
        assert str(app.refused) == words
        assert [note.message for note in app._notifications][-1] == words[0].upper() + words[1:]
        assert online.unfinished(english()) == []
        await party.close(host, guest)
        await online.close()


@pytest.mark.parametrize("invite", ["", "hello", "memory.example:1883", "wasabi:[/bad]", "wasabi:p"])
async def test_what_is_no_invite_is_refused_with_a_sentence(party: Party, invite: str) -> None:
    online: OnlineTables = party.online()
    with pytest.raises(Failure) as refused:
        await online.join(invite, english())
    assert "invite" in str(refused.value)


@pytest.mark.long
async def test_a_hostile_guest_list_stays_readable(party: Party) -> None:
    async with hosting(party, welcome=False, seats=4) as (app, pilot, table):
        names = ["[/bad]", "\x1b[31mred", "a\u202eb", "z\u200bw", "x" * 10_000, "one\ntwo", "", "[link=x]y", "🏳️‍🌈" * 50]
        for number in range(1000):
            key = number.to_bytes(32, "big")
            table.driver._events.put_nowait(table_events.Joined(key, names[number % len(names)], b""))
        await until(pilot, lambda: table.driver._events.empty())
        await pilot.press(*["down"] * 30, "pagedown")
        lines = shown(app).splitlines()
        assert len(lines) <= 24
        assert not any(bad in shown(app) for bad in ("\x1b", "\u202e", "\u200b"))
        assert app._exception is None


JAPANESE = "こんにちは、今日は一緒に寿司を作りましょう。" * 5
"""A line of 110 letters, each two cells wide, without a blank to break it at."""


async def test_a_long_line_in_japanese_is_shown_to_its_end(party: Party) -> None:
    async with joined(party, (80, 40)) as (app, pilot, host):
        await host.send_talk(JAPANESE)
        await until(pilot, lambda: "こんにちは" in shown(app))
        assert JAPANESE in shown(app).replace("\n ", "")


async def test_the_room_shows_how_each_of_several_brokers_is(party: Party) -> None:
    brokers = ("mqtt://memory.example:1883", "mqtt://second.example:1884")
    async with hosting(party, brokers=brokers, private=True) as (app, pilot, table):
        await until(pilot, lambda: "● memory.example:1883  ● second.example:1884" in shown(app))
        party.transports["Ana"][1].cut()
        await until(pilot, lambda: "● memory.example:1883  ○ second.example:1884" in shown(app))
        assert "● connected" in shown(app)
        assert len(read_invite(table.invite).carriers) == 2


async def test_a_guest_reads_what_it_waits_for_and_a_host_hears_the_knock(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[str] = []
    monkeypatch.setattr(WasabiApp, "bell", lambda app: rung.append(app._titled))
    async with hosting(party, welcome=False) as (app, pilot, table):
        app.settings = replace(app.settings, bell=True)
        assert app._titled.endswith(english().say("room.title", table=table.title))
        assert rung == []
        guest = await party.join(table.invite)
        await until(pilot, lambda: "asks for a seat" in shown(app))
        assert len(rung) == 1
        assert "Somebody asks for a seat" in app._titled
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert len(rung) >= 2, "the game begins"
        await party.close(guest)


@pytest.mark.long
async def test_a_crowd_at_the_door_rings_once_in_a_while(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    monkeypatch.setattr(WasabiApp, "bell", lambda app: rung.append(app._titled))
    async with hosting(party, welcome=False, seats=4) as (app, pilot, table):
        app.settings = replace(app.settings, bell=True)
        guests = [await party.join(table.invite, name) for name in ("Bo", "Chiara", "Dan")]
        await until(pilot, lambda: "3 people ask for a seat" in app._titled)
        assert len(rung) == 1
        assert isinstance(app.screen, WaitingRoomScreen)
        app.screen._rang_at_door -= DOOR_PAUSE
        guests.append(await party.join(table.invite, "Eve"))
        await until(pilot, lambda: "4 people ask for a seat" in app._titled)
        assert len(rung) == 2
        await party.close(*guests)


async def test_a_request_that_is_withdrawn_vanishes_from_the_room(party: Party) -> None:
    async with hosting(party, welcome=False) as (app, pilot, table):
        guest = await party.join(table.invite)
        await until(pilot, lambda: "Somebody asks for a seat" in shown(app))
        await guest.give_up()
        await until(pilot, lambda: "asks for a seat" not in shown(app))
        assert "has gone" in shown(app)
        await party.close(guest)


async def test_a_guest_reads_who_has_to_let_it_in(party: Party) -> None:
    async with joined(party, welcome_all=False) as (app, pilot, _host):
        await until(pilot, lambda: "▌ Waiting for Bo to let you in." in shown(app))
        assert "Copy the invite" not in shown(app), "there is nothing for a guest to do"
        assert "asks for a seat" not in shown(app), "that is the guest itself"
        assert english().say("tui.action.copy") in shown(app)


@asynccontextmanager
async def knocked(party: Party, name: str = "Eve") -> AsyncIterator[tuple[Here, asyncio.Task[str]]]:
    """Yield the app with Ana waiting at her own table, where somebody knocks who has only seen it in the lobby."""
    party.guarded = True
    brokers = ("mqtt://play:secret@memory.example:1883",)
    async with hosting(party, welcome=False, brokers=brokers, seats=3) as here:
        lobby = LobbyClient(party.machine(name), Address("memory.example", 1883))
        table = await lobby.find(here[2].title, PATIENCE)
        knock = asyncio.create_task(lobby.knock(table))
        app, pilot, _ = here
        await until(pilot, lambda: "knocks, without an invite" in shown(app))
        yield here, knock
        knock.cancel()
        await asyncio.gather(knock, return_exceptions=True)
        await lobby.close()


async def test_a_host_sees_who_knocks_and_lets_them_in_by_one_key(party: Party) -> None:
    async with knocked(party) as ((app, pilot, table), knock):
        assert "Eve" in shown(app)
        assert "Enter lets in, Bksp turns away" in shown(app)
        await pilot.press("enter")
        async with asyncio.timeout(PATIENCE):
            assert await knock == table.invite
        guest = await party.join(table.invite, "Eve")
        # She was let in already: nobody is asked again.
        await until(pilot, lambda: "2 Eve" in shown(app))
        assert "asks for a seat" not in shown(app)
        await guest.close()


async def test_a_host_turns_away_who_knocks_by_one_key(party: Party) -> None:
    async with knocked(party) as ((app, pilot, _table), knock):
        await pilot.press("backspace")
        with pytest.raises(BadKnock) as refused:
            async with asyncio.timeout(PATIENCE):
                await knock
        assert refused.value.reason == "turned-away"
        await until(pilot, lambda: "knocks, without an invite" not in shown(app))


async def test_a_knock_that_is_withdrawn_vanishes(party: Party) -> None:
    async with knocked(party) as ((app, pilot, _table), knock):
        knock.cancel()
        await until(pilot, lambda: "knocks, without an invite" not in shown(app))
        assert "asks for a seat" not in shown(app)


async def test_the_name_of_who_knocks_can_do_no_harm(party: Party) -> None:
    async with knocked(party, "[/bad]\x1b[2J\u202eEve") as ((app, _pilot, _table), _knock):
        assert "[/bad]" in shown(app)
        assert not {"\x1b", "\u202e"} & set(shown(app))
        assert app._exception is None


async def test_a_guest_with_an_invite_can_be_turned_away_too(party: Party) -> None:
    async with hosting(party, welcome=False, seats=3) as (app, pilot, table):
        guest = await party.join(table.invite)
        await until(pilot, lambda: "asks for a seat" in shown(app))
        await pilot.press("backspace")
        await until(pilot, lambda: "Bo was turned away" in shown(app))
        assert "asks for a seat" not in shown(app)
        await guest.close()
        again = await party.join(table.invite)
        other = await party.join(table.invite, "Cy")
        await until(pilot, lambda: "Cy" in shown(app))
        assert "Somebody asks for a seat" in shown(app), "who was turned away is not heard of again"
        await party.close(again, other)


async def test_a_guest_sees_at_once_that_it_has_a_seat(party: Party) -> None:
    async with joined(party, welcome_all=False) as (app, pilot, host):
        await until(pilot, lambda: "Waiting for Bo to let you in." in shown(app))
        assert isinstance(app.screen, WaitingRoomScreen)
        await host.admit(host.me.key)
        await host.admit(app.screen.table.me.key)
        await until(pilot, lambda: "Bo has given you a seat" in shown(app))
        assert "2 Ana" in shown(app)
        assert "▌ You have a seat. The game begins when the others are there." in shown(app)
        assert "Copy the invite" not in shown(app)


async def test_a_guest_who_is_turned_away_reads_so_and_leaves(party: Party) -> None:
    host = party.host(seats=3, welcome_all=False)
    await host.connect()
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen) and "Waiting for Bo" in shown(app))
        assert isinstance(app.screen, WaitingRoomScreen)
        await host.turn_away(app.screen.table.me.key)
        await until(pilot, lambda: not isinstance(app.screen, WaitingRoomScreen))
        assert english().say("room.you-turned-away") in [note.message for note in app._notifications]
        assert online.unfinished(english()) == []
        await party.close(host)
        await online.close()


async def test_a_host_who_waits_sees_and_hears_the_lobby(party: Party) -> None:
    async with hosting(party, welcome=False, seats=3) as (app, pilot, table):
        machine = party.machine("Eve")
        lobby = LobbyClient(machine, Address("memory.example", 1883))
        following = asyncio.create_task(_read(lobby))
        await until(pilot, lambda: "in the lobby: 1 person" in shown(app))
        assert "here: Eve" in shown(app)
        lobby.send_talk("is there a seat \x1b[2J\u202efor [/me]?")
        await until(pilot, lambda: "is there a seat" in shown(app))
        assert "for [/me]?" in shown(app)
        assert not {"\x1b", "\u202e"} & set(shown(app))
        following.cancel()
        await lobby.close()
        await until(pilot, lambda: "in the lobby: 0 people" in shown(app))
        mine = [one for one in party.broker.log if "/who/" in one.topic and key_text(table.me.key) in one.topic]
        assert not mine, "a host is to be seen by its table, and not twice"


async def test_who_loses_the_lobby_and_comes_back_is_seen_there_again(party: Party) -> None:
    async with hosting(party, welcome=False, seats=3) as (app, pilot, _table):
        lobby = LobbyClient(party.machine("Eve"), Address("memory.example", 1883))
        following = asyncio.create_task(_read(lobby))
        for _ in range(3):
            await until(pilot, lambda: "here: Eve" in shown(app))
            transport = lobby._transport
            assert isinstance(transport, MemoryTransport)
            transport.cut()
            await until(pilot, lambda: "here: Eve" not in shown(app))
            transport.heal()
        following.cancel()
        await lobby.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_host_answers_those_in_the_lobby_from_the_waiting_room(party: Party, size: tuple[int, int]) -> None:
    async with hosting(party, size, welcome=False, seats=3) as (app, pilot, table):
        lobby = LobbyClient(party.machine("Eve"), Address("memory.example", 1883))
        heard: list[Spoken] = []
        following = asyncio.create_task(_read(lobby, heard))
        await until(pilot, lambda: "here: Eve" in shown(app))
        await pilot.press("l")
        await until(pilot, lambda: "to the lobby:" in shown(app))
        await pilot.press(*"one seat", "enter")
        await until(pilot, lambda: bool(heard))
        mark = fingerprint(table.me.key)[:9]
        assert heard == [Spoken(f"Ana ({mark})", "one seat")]
        await until(pilot, lambda: f"in the lobby Ana ({mark}): one seat" in shown(app))
        following.cancel()
        await lobby.close()


async def test_where_there_is_no_lobby_nothing_is_said_to_one(party: Party) -> None:
    async with hosting(party, brokers=("mqtt://memory.example:1883",), private=True) as (app, pilot, _table):
        await pilot.press("l")
        await pilot.pause()
        assert "to the lobby:" not in shown(app)


@pytest.mark.long
async def test_what_is_said_in_the_lobby_does_not_push_away_what_happens_in_the_room(party: Party) -> None:
    async with hosting(party, (100, 40), welcome=False, seats=3) as (app, pilot, table):
        guest = await party.join(table.invite)
        await until(pilot, lambda: "Bo wants to play" in shown(app))
        for number in range(200):
            table.driver.emit(table_events.LobbyTalk("x", f"buy {number}"))
        await until(pilot, lambda: "buy 199" in shown(app))
        assert "Bo wants to play" in shown(app)
        assert shown(app).count("buy") == 3
        await party.close(guest)


async def _read(lobby: LobbyClient, heard: list[Spoken] | None = None) -> None:
    async for change in lobby.changes():
        if heard is not None and isinstance(change, Spoken):
            heard.append(change)


async def test_a_code_that_needs_the_password_of_its_broker_says_so(party: Party) -> None:
    brokers = ("mqtt://play:secret@memory.example:1883",)
    async with hosting(party, brokers=brokers, private=True) as (app, pilot, _table):
        await until(pilot, lambda: "Friends who have the password of this broker can type this" in shown(app))


async def test_the_room_shows_a_code_to_say_and_tells_when_wrong_words_make_it_void(party: Party) -> None:
    brokers = ("mqtt://memory.example:1883",)
    async with hosting(party, brokers=brokers, private=True) as (app, pilot, table):
        await until(pilot, lambda: "you can say it on the phone" in shown(app))
        (command,) = re.findall(r"wasabi-tx join ([0-9]+-[a-z]+-[a-z]+) --broker mqtt://memory\.example", shown(app))
        offer = table_events.CodeOffered(command, wrong=2, tries_left=1, broker="mqtt://memory.example")
        table.driver.emit(offer)
        await until(pilot, lambda: "once more, and it is void" in shown(app))
        table.driver.emit(table_events.CodeOffered("", wrong=3))
        await until(pilot, lambda: "the code is void" in shown(app))
        assert "you can say it on the phone" not in shown(app)


async def test_a_room_that_is_being_taken_away_draws_nothing_any_more(party: Party) -> None:
    """An event of the table may arrive after its widgets are gone and before the screen is."""
    async with joined(party) as (app, pilot, _host):
        room = app.screen
        assert isinstance(room, WaitingRoomScreen)
        await room.remove_children()
        room.draw()
        room._draw_late()
        await pilot.pause()
        assert app._exception is None


async def test_a_guest_reads_that_the_host_does_not_answer(party: Party) -> None:
    async with joined(party) as (app, pilot, _):
        room = app.screen
        assert isinstance(room, WaitingRoomScreen)
        room.room.handle(table_events.NoAnswer("host-away"))
        room.draw_soon()
        await until(pilot, lambda: "Bo does not answer now." in shown(app))
        assert "no answer from Bo" in " ".join(every_word(app).split())


@pytest.mark.parametrize("part", ["#room", "#said"])
async def test_the_wheel_scrolls_each_part_of_the_room(party: Party, part: str) -> None:
    async with hosting(party) as (app, pilot, _):
        room = app.screen
        assert isinstance(room, WaitingRoomScreen)
        room.room.said += [f"Line {number}." for number in range(30)]
        await pilot.resize_terminal(60, 14)
        await pilot.pause()
        seen = room.query_one(part)
        assert seen.show_vertical_scrollbar
        seen.scroll_home(animate=False)
        await pilot.pause()
        await pilot._post_mouse_events([events.MouseScrollDown], seen, offset=(2, 0))
        await pilot.pause()
        assert seen.scroll_y > 0
