"""Games online on the table screen: played to the end and again, resumed, left, paused, voted on, and only watched."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable

import pytest
from textual.pilot import Pilot
from wasabi_protocol.signed.identity import key_text

from tests.brokers import PATIENCE
from tests.store.disk import FullDisk
from wasabi_tx.games.game import Change, Ended
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.client.playing import Playing
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.bindings import actions_on
from wasabi_tx.tui.screens.base import WasabiScreen
from wasabi_tx.tui.screens.ending import EndPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.invites import InvitesPage
from wasabi_tx.tui.screens.page import ListPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen
from wasabi_tx.tui.visit import Visit

from .memory_games import MemoryGames
from .on_screen import table_of, table_words
from .party import Party, english, until, wish
from .player import Person


def at_table(app: WasabiApp) -> bool:
    return any(isinstance(screen, TableScreen) and hasattr(screen, "followed") for screen in app.screen_stack)


async def play_to_the_end(pilot: Pilot[None], app: WasabiApp) -> None:
    """Play by keys until the end page is open."""
    person = Person(pilot, mouse=False)
    async with asyncio.timeout(5 * PATIENCE):
        while not isinstance(app.screen, EndPage):
            table = table_of(app)
            if table.followed.plan is not None:
                assert not table.opened.game.awaiting, "nothing is planned before the card has come"
                await person.play_turn()
            await pilot.pause(0.01)


@pytest.fixture
async def seated(party: Party) -> AsyncIterator[tuple[Party, WasabiApp, OnlineTable, Pilot[None]]]:
    """Yield the app with Ana at her own table of two with a bot, once the cards are shuffled."""
    online = party.online()
    table = await online.host(wish(bots=1), english())
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:

        async def come() -> OnlineTable:
            return table

        app.visit(come())
        await until(pilot, lambda: at_table(app))
        yield party, app, table, pilot
        await party.close()
        await online.close()


async def test_a_running_table_shows_its_invites_to_copy_and_for_a_camera(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]],
) -> None:
    _, app, table, pilot = seated
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, InvitesPage))
    page = app.screen
    assert isinstance(page, InvitesPage)
    words = "".join(line.text.rstrip("\\") for line in page.lines)
    for invite in (table.watch_invite, table.invite):
        assert f"wasabi-tx {invite}" in words
    assert "█" in words
    await pilot.press("w")
    assert app.clipboard == f"wasabi-tx {table.watch_invite}"
    await pilot.press("y")
    assert app.clipboard == f"wasabi-tx {table.invite}"
    await pilot.press("escape")
    await pilot.pause()
    assert app.screen is table_of(app)


@pytest.mark.parametrize("invite", ["wasabi:play", ""])
def test_a_table_with_a_site_shows_its_link_too(invite: str) -> None:
    site, words = "http://192.0.2.7:8080/#", english().say("room.open-link")
    for known, shown in ((site, True), ("", False)):
        page = InvitesPage(invite, "wasabi:watch", known, english(), width=60, on_dark=True, remapped={})
        lines = [line.text for line in page.lines]
        assert (words in lines) is shown
        assert (site + (invite or "wasabi:watch") in lines) is shown


@pytest.mark.usefixtures("looked_at")
@pytest.mark.long
async def test_a_game_with_a_bot_is_played_to_its_end_and_again(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]],
) -> None:
    _, app, table, pilot = seated
    await play_to_the_end(pilot, app)
    assert table.snapshot.result is not None
    assert table.snapshot.result.settled
    table.notes = ("the port was taken",)
    await pilot.press("enter")
    await until(pilot, lambda: at_table(app) and table_of(app).opened.game.title == table.latest.title != table.title)
    assert len(table_of(app).opened.game.players) == 2
    assert table_of(app).opened.game.position.turn == 0
    assert "the port was taken" not in [note.message for note in app._notifications], "that was said at the first table"


async def test_with_a_quick_start_the_game_begins_with_its_first_turn(party: Party) -> None:
    """Starting tiles and recipes are chosen at random for everybody, as the terms of the table announce."""
    online = party.online()
    table = await online.host(wish(bots=1, options=("quick-start",)), english())
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:

        async def come() -> OnlineTable:
            return table

        app.visit(come())
        await until(pilot, lambda: at_table(app) and table_of(app).opened.game.position.turn)
        seat = table_of(app).opened.game.position.seats[0]
        edition = table_of(app).opened.game.rules.edition
        assert (len(seat.tiles), len(seat.recipes)) == (edition.hand_tiles, edition.hand_recipes)
        await party.close()
        await online.close()


@pytest.mark.long
@pytest.mark.usefixtures("looked_at")
async def test_a_client_is_touched_by_its_own_thread_alone(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]],
) -> None:
    """Check it from the waiting room to the rematch, with all requests that a screen makes."""
    party, app, table, pilot = seated
    await play_to_the_end(pilot, app)
    await pilot.press("enter")
    await until(pilot, lambda: at_table(app) and table_of(app).opened.game.title == table.latest.title != table.title)
    owners = set(party.touches.owners.values())
    assert len(owners) == 4, "two clients at two tables"
    assert threading.main_thread() not in owners
    with pytest.raises(AssertionError, match="touched what belongs to table"):
        assert table.latest.driver._client.playing


async def test_a_person_is_called_to_their_turn_and_only_if_they_look_elsewhere(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, app, table, pilot = seated
    assert isinstance(app.games, MemoryGames)
    calls, written = app.games.calls, list[str]()
    monkeypatch.setattr(app, "_write", written.append)
    for focused in (True, False):
        await until(pilot, lambda: table_of(app).followed.plan is not None)
        before = len(calls)
        # A key press would show the app that somebody is looking, so no key is pressed from here on.
        app.app_focus = focused
        table_of(app)._called = ""
        for _ in range(2):
            table_of(app)._call_person()
        ((call, seen),) = calls[before:]
        assert (call.kind, call.seat, call.turn, seen) == (
            "turn",
            table.table,
            table_of(app).opened.game.position.turn,
            focused,
        )
        assert len(call.names) == 1
        assert any("\x1b]9;Your move" in one for one in written) is not focused
    await Person(pilot, mouse=False).play_turn()
    await until(pilot, lambda: table_of(app).followed.plan is not None)
    assert calls[-1][0].turn == table_of(app).opened.game.position.turn


async def test_a_full_disk_pauses_the_table_with_a_sentence_and_it_goes_on_by_itself(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, app, table, pilot = seated
    person = Person(pilot, mouse=False)
    await until(pilot, lambda: table_of(app).followed.plan is not None)
    before, slot = table_of(app).opened.game.position, table.snapshot.slot
    disk = FullDisk(monkeypatch, 0)
    await person.play_turn()
    await until(pilot, lambda: "the disk is full" in table_words(table_of(app)))
    words = table_words(table_of(app))
    assert "Nothing can be saved: the disk is full. It goes on by itself when it can." in words
    assert "Your turn is kept until it can be saved." in words
    assert table_of(app).followed.plan is None, "the same turn is not asked for twice"
    assert table.snapshot.slot == slot
    disk.lift()
    await until(pilot, lambda: table_of(app).opened.game.position is not before)
    await until(pilot, lambda: "the disk is full" not in table_words(table_of(app)))
    await until(pilot, lambda: table_of(app).followed.plan is not None)


@pytest.mark.long
async def test_a_game_is_closed_and_taken_up_again_with_all_that_happened(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]],
) -> None:
    _, app, _, pilot = seated
    person = Person(pilot, mouse=False)
    await until(pilot, lambda: table_of(app).followed.plan is not None)
    await person.play_turn()
    await until(pilot, lambda: table_of(app).followed.plan is not None)
    before = table_of(app).followed
    assert isinstance(app.games, MemoryGames)
    app.games.seats = 1
    await pilot.press("q", "enter")
    await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    await pilot.press("u")
    await until(pilot, lambda: isinstance(app.screen, ListPage))
    await pilot.press("enter")
    await until(pilot, lambda: at_table(app))
    after = table_of(app).followed
    assert after.chronicle.entries[: len(before.chronicle.entries)] == before.chronicle.entries
    assert after.game.position.turn >= before.game.position.turn
    assert after.frames[0].position == before.frames[0].position


@pytest.mark.parametrize("first", ["screen", "visit"])
@pytest.mark.parametrize("straight", [True, False])
@pytest.mark.long
async def test_one_hand_takes_a_closed_table_away(party: Party, first: str, straight: bool) -> None:
    """The order in which screen and visit hear of the end must not matter."""
    online = party.online()
    table = await online.host(wish(bots=1), english())
    app = party.app(online, table if straight else None)
    async with app.run_test(size=(80, 24)) as pilot:

        async def come() -> OnlineTable:
            return table

        if not straight:
            app.visit(come())
        await until(pilot, lambda: at_table(app))
        screen = table_of(app)
        closed = asyncio.Event()
        close = screen.opened.game.close

        async def close_game() -> None:
            await close()
            while first == "visit" and screen in app.screen_stack:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0)
            closed.set()

        async def close_table() -> None:
            if first == "screen":
                await closed.wait()
                await pilot.pause()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(screen.opened.game, "close", close_game)
            patch.setattr(table, "close", close_table)
            await pilot.press("q")
            await until(pilot, lambda: isinstance(app.screen, ListPage))
            await pilot.press("enter")
            await until(pilot, lambda: closed.is_set() and screen not in app.screen_stack)
            await pilot.pause()
            assert len(app.screen_stack) == 1
        await party.close()
        await online.close()


async def test_somebody_leaves_for_good_and_the_table_is_gone_from_their_screen(party: Party) -> None:
    host = party.host(seats=3)
    await host.driver.open()
    other = await party.join(host.invite, "Chiara")
    party.plays(host)
    party.plays(other)
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: at_table(app))
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, ListPage))
        await pilot.press("down", "enter", "y")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert english().say("room.you-left") in [note.message for note in app._notifications]
        assert online.unfinished(english()) == []
        await party.close(host, other)
        await online.close()


async def test_two_vote_the_third_out_who_does_not_move(party: Party) -> None:
    online = party.online()
    table = await online.host(wish(seats=3, least=3, clock=1), english())
    app = party.app(online, table)
    async with app.run_test(size=(120, 40)) as pilot:
        bo = await party.join(table.invite, "Bo")
        chiara = await party.join(table.invite, "Chiara")
        await until(pilot, lambda: at_table(app))
        game = table_of(app).opened.game
        out = next(seat for seat, player in enumerate(game.players) if player.name == "Chiara")
        party.plays(bo)
        person = Person(pilot, mouse=False)
        while game.position.mover != out:
            if table_of(app).followed.plan is not None:
                await person.play_turn()
            await pilot.pause(0.01)
        before = game.position
        await chiara.close()
        absent = party.online("Chiara")
        await _until(table, lambda playing: playing.patience.waited(time.monotonic()) > 1)
        await game.vote(out, yes=True)
        await _until(bo, lambda playing: playing.session.ballots.question() is not None)
        await bo.driver.do(lambda client, now: client.vote(out, True, now))
        await until(pilot, lambda: game.position.seats[out].gone)
        assert game.position is not before
        await until(pilot, lambda: "Chiara" in table_words(table_of(app)) and app._exception is None)
        back = await absent.resume(absent.unfinished(english())[0].name, english())
        await until(pilot, lambda: back.voted_out_by is not None)
        assert sorted(back.voted_out_by or ()) == ["Ana", "Bo"]
        assert table.voted_out_by is None
        await party.close(bo)
        await absent.close()
        await online.close()


async def _until(table: OnlineTable, condition: Callable[[Playing], object]) -> None:
    """Wait until a condition holds in a player's client."""

    def look(client: Client, _now: float) -> bool:
        return client.playing is not None and bool(condition(client.playing))

    async with asyncio.timeout(PATIENCE):
        while not await table.driver.do(look):
            await table.driver.changed()


async def _watching(party: Party) -> tuple[OnlineTable, OnlineTable]:
    host = party.host(seats=2)
    await host.driver.open()
    guest = await party.join(host.invite, "Chiara")
    return host, guest


@pytest.mark.long
async def test_a_spectator_sees_everything_public_and_can_change_nothing(party: Party) -> None:
    host, guest = await _watching(party)
    online = party.online("Eve")
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.watch(host.watch_invite, english()))
        await until(pilot, lambda: at_table(app))
        game = table_of(app).opened.game
        assert game.people == ()
        before = game.position
        log = len(party.broker.log)
        for action in actions_on("table"):
            if action.id not in ("leave", "palette"):
                for key in action.keys.split(","):
                    await pilot.press(key)
                    await pilot.pause()
                while not isinstance(app.screen, TableScreen):
                    await pilot.press("escape")
                    await pilot.pause()
        await pilot.press(*"1a1", "enter", "space")
        assert table_of(app).opened.game.position is before
        (eve,) = online._tables
        mine = [one for one in party.broker.log[log:] if one.topic.rsplit("/", 1)[-1] == key_text(eve.me.key)]
        assert mine == [], "a spectator publishes nothing but asks"
        assert table_of(app).followed.observation.faces == {}
        await party.close(host, guest)
        await online.close()


async def test_a_late_spectator_has_the_whole_log(party: Party) -> None:
    host, guest = await _watching(party)
    party.plays(host)
    party.plays(guest, pace=0.02)
    await host.driver.until(lambda now: now.observation is not None and now.observation.position.turn >= 6)
    online = party.online("Eve")
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.watch(host.watch_invite, english()))
        await until(pilot, lambda: at_table(app))
        followed = table_of(app).followed
        assert followed.frames[0].position.turn == 0
        positions = [frame.position for frame in followed.frames]
        assert positions[-1].turn >= 6
        turns = [position.turn for position in positions]
        assert turns == sorted(turns)
        await party.close(host, guest)
        await online.close()


async def test_history_and_events_together_tell_each_change_once(party: Party) -> None:
    host, guest = await _watching(party)
    party.plays(host)
    party.plays(guest)
    told = []
    for turn in (0, 3, 5):
        await host.until(lambda now, turn=turn: now.observation is not None and now.observation.position.turn >= turn)  # type: ignore[misc]
        eve = await party.watch(host.watch_invite, f"Eve {turn}")
        await eve.until(lambda now: now.shuffled)
        told.append((eve, await eve.game()))
    lists = []
    for eve, game in told:
        changes = list(game.history.changes)
        async for event in game.events():
            if isinstance(event, Change):
                changes.append(event)
            elif isinstance(event, Ended):
                break
        lists.append([game.rules.digest(change.after) for change in changes])
        assert changes[-1].after.outcome is not None
        await eve.close()
    assert lists[0] == lists[1] == lists[2]
    await party.close(host, guest)


async def test_a_cut_connection_heals_and_the_game_goes_on(
    seated: tuple[Party, WasabiApp, OnlineTable, Pilot[None]],
) -> None:
    party, app, table, pilot = seated
    await until(pilot, lambda: table_of(app).followed.plan is not None)
    cable = party.transports["Ana"][0]
    cable.cut()
    await until(pilot, lambda: not table.driver.up)
    turn = table_of(app).opened.game.position.turn
    await Person(pilot, mouse=False).play_turn()
    cable.heal()
    await until(pilot, lambda: table.driver.up)
    await until(
        pilot, lambda: table_of(app).followed.plan is not None or table_of(app).opened.game.position.turn > turn
    )
    assert app._exception is None


async def test_an_awaited_card_is_said_and_nothing_can_be_sent_before_it_comes(party: Party) -> None:
    host = party.host(seats=2)
    await host.driver.open()
    party.plays(host)
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join(host.invite, english()))
        await until(pilot, lambda: at_table(app))
        person = Person(pilot, mouse=False)
        while _phase(app) == "give":
            await until(pilot, lambda: table_of(app).followed.plan is not None or _phase(app) == "draw")
            if table_of(app).followed.plan is not None:
                await person.play_turn()
        await until(pilot, lambda: table_of(app).followed.plan is not None)
        party.transports["Bo"][0].cut()
        await person.play_turn()
        await until(pilot, lambda: table_of(app).opened.game.awaiting)
        assert table_of(app).followed.plan is None
        assert english().say("tui.awaits") in table_words(table_of(app))
        await pilot.press("enter", "space")
        assert table_of(app).opened.game.awaiting
        await until(pilot, lambda: "Waiting for Bo to open your card" in table_words(table_of(app)))
        party.transports["Bo"][0].heal()
        await until(pilot, lambda: not table_of(app).opened.game.awaiting)
        await until(pilot, lambda: table_of(app).followed.plan is not None)
        await party.close(host)
        await online.close()


def _phase(app: WasabiApp) -> str:
    return str(table_of(app).opened.game.position.phase)


async def test_a_host_that_cannot_be_joined_gives_a_sentence_and_home_stays(party: Party) -> None:
    online = party.online()
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(online.join("wasabi:nothing", english()))
        await until(pilot, lambda: any("invite" in str(note.message) for note in app._notifications))
        assert isinstance(app.screen, HomeScreen)
        assert not any(isinstance(screen, WaitingRoomScreen) for screen in app.screen_stack)


async def test_a_visit_that_ends_while_the_app_does_takes_nothing_away_twice(party: Party) -> None:
    """The app clears all screens away while the visit still closes a page on top of its own."""
    host = party.host()
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)):
        visit, shown = Visit(app, host), WasabiScreen[None]()
        await visit._show(shown)
        page = ListPage("a page", [("one", "one")])
        await app.push_screen(page)
        pop = app.pop_screen

        async def pop_all() -> None:
            await pop()
            await pop()

        app.pop_screen = pop_all  # type: ignore[method-assign, assignment]
        await visit._take_down()
        assert len(app.screen_stack) == 1
    await party.close(host)
