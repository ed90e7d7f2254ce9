"""Playing with anybody: one key leads to a stranger's table or to a bot, and nobody waits without a word."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from wasabi_protocol.meeting import work
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Say

from tests.brokers import PATIENCE
from wasabi_tx.app import online_tables
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.online_tables import OnlineTables
from wasabi_tx.engine.errors import Illegal
from wasabi_tx.games.game import Can, Said
from wasabi_tx.net.address import Address
from wasabi_tx.net.relays import Relay
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.wait import WaitPage
from wasabi_tx.tui.screens.waiting_room import WaitingRoomScreen

from .on_screen import screen_rows
from .party import Party, english, until
from .tiny import NAME

RELAY = Relay("club", (Address("memory.example", 1883),))


@pytest.fixture(autouse=True)
def relays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a broker in memory be the only relay, and take the work out of seeking."""

    async def working(relays: list[Relay], _texts: Texts) -> list[Relay]:
        return relays

    monkeypatch.setattr(work, "WORK_BITS", 6)
    monkeypatch.setattr(online_tables, "strangers_relays", lambda _texts: [RELAY])
    monkeypatch.setattr(online_tables, "working_relays", working)


def _words(app: WasabiApp) -> str:
    return "\n".join(screen_rows(app))


def nothing(_state: str) -> None:
    """Ignore the progress of a search."""


async def _both(party: Party) -> tuple[OnlineTable, OnlineTable]:
    """Return the tables of two who sought each other."""
    people = [party.online(name) for name in ("Ana", "Bo")]
    async with asyncio.timeout(PATIENCE):
        one, other = await asyncio.gather(*(one.meet_anybody(NAME, english(), nothing) for one in people))
    assert one.table == other.table
    return one, other


async def test_one_key_leads_to_a_game_with_whoever_presses_it_too(party: Party) -> None:
    online, stranger = party.online(), party.online("Bo")
    app = party.app(online)
    async with app.run_test(size=(80, 24)) as pilot:
        theirs = asyncio.create_task(stranger.meet_anybody("classic", english(), nothing))
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("8")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        screen = app.screen
        assert isinstance(screen, TableScreen)
        assert {player.name for player in screen.opened.game.players} == {"Ana", "Bo"}
        assert Can.EMOTE in screen.opened.game.can
        await party.close(await theirs)
        await online.close()


async def test_a_bot_plays_if_nobody_comes_within_a_minute(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(online_tables, "A_MINUTE", 0.3)
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)) as pilot:
        app.play_anybody()
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert any("Nobody came" in str(note.message) for note in app._notifications)
        assert isinstance(app.screen, TableScreen)
        assert [bool(player.bot) for player in app.screen.opened.game.players].count(True) == 1
    assert party.online().unfinished(english()) == [], "nothing is left of a table that nobody came to"


@pytest.mark.parametrize(("key", "bots"), [("enter", True), ("escape", False)])
async def test_who_does_not_want_to_wait_need_not(party: Party, key: str, bots: bool) -> None:
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)) as pilot:
        app.play_anybody()
        await until(pilot, lambda: isinstance(app.screen, WaitPage) and "s left" in _words(app))
        assert "Looking for somebody" in _words(app)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, TableScreen if bots else HomeScreen))
    assert not [one for one in party.broker.log if one.retain], "a seek is never retained"


async def test_a_machine_without_relays_says_so(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    async def offline(_relays: list[Relay], _texts: Texts) -> list[Relay]:
        raise Failure("no relay answers")

    monkeypatch.setattr(online_tables, "working_relays", offline)
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)) as pilot:
        app.play_anybody()
        await until(pilot, lambda: any("No relay" in str(note.message) for note in app._notifications))
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_stranger_who_does_not_come_is_given_up_and_leaves_nothing(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online_tables, "TO_BEGIN", 0.2)
    online, stranger = party.online(), party.online("Bo")
    states = list[str]()
    gone = asyncio.Event()

    async def never(*_: object) -> None:
        gone.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(stranger, "_play_with", never)
    ours = asyncio.create_task(online.meet_anybody(NAME, english(), states.append))
    theirs = asyncio.create_task(stranger.meet_anybody(NAME, english(), nothing))
    async with asyncio.timeout(PATIENCE):
        await gone.wait()
        while states.count("seeking") < 2:
            await asyncio.wait([ours], timeout=0.05)
    assert states == ["relays", "seeking", "met", "seeking"]
    for task in (ours, theirs):
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    assert online.unfinished(english()) == []
    await online.close()


# What strangers say


async def test_strangers_say_phrases_and_nothing_else(party: Party) -> None:
    one, other = await _both(party)
    games = [await one.game(), await other.game()]
    with pytest.raises(Illegal) as refused:
        await games[0].send_talk("come to my house")
    assert refused.value.code == "only-emotes"

    def rude(client: Client, _now: float) -> None:
        said = Say(client.channel.table, client.me.key, 1, "come to my house")
        client.outgoing.post("say", signed_message(client.me, said), qos=0)

    await one.driver.do(rude)
    await games[0].send_talk("1")
    async with asyncio.timeout(PATIENCE):
        async for event in games[1].events():
            if isinstance(event, Said):
                assert event.text == "1", "what a client of theirs says otherwise is dropped"
                break
    await party.close(one, other)


# Every way that takes a moment


async def test_a_way_that_takes_longer_says_what_is_waited_for_and_can_be_given_up(party: Party) -> None:
    cancelled = asyncio.Event()

    async def slow() -> OnlineTable:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError("nobody answers")

    app = party.app(party.online())
    async with app.run_test(size=(80, 24)) as pilot:
        app.visit(slow())
        await until(pilot, lambda: isinstance(app.screen, WaitPage) and "Connecting" in _words(app))
        assert "━━━━" in _words(app)
        await pilot.press("escape")
        await asyncio.wait_for(cancelled.wait(), PATIENCE)
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_whoever_follows_a_link_presses_no_key_of_the_home_screen_on_the_way(party: Party) -> None:
    there = asyncio.Event()
    host = party.host(seats=3)
    await host.connect()

    async def come(tables: OnlineTables) -> OnlineTable:
        await there.wait()
        return await tables.join(host.invite, english())

    online = party.online()
    app = party.app(online, come=come)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "1")
        assert isinstance(app.screen, WaitPage)
        assert "Connecting" in _words(app)
        there.set()
        await until(pilot, lambda: isinstance(app.screen, WaitingRoomScreen))
        assert [type(one) for one in app.screen_stack] == [HomeScreen, WaitingRoomScreen]
        await party.close(host)
    await online.close()
