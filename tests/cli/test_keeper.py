"""A keeper holds the free seats: it answers, it notifies, it never moves, and it makes room at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.brokers import PATIENCE
from tests.games.whole_turns import turn_off_the_board
from tests.peers.program import Program
from tests.tui.party import Companions, Party, english
from wasabi_tx.app import keeper as keeper_module
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.keeper import Keeper
from wasabi_tx.app.online_tables import OnlineTables, closing_lines
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.plans import NO_PLANS, Plans
from wasabi_tx.net.transport import Lost
from wasabi_tx.online.client.client import Client
from wasabi_tx.online.client.driver import Snapshot
from wasabi_tx.online.client.events import HostBroken
from wasabi_tx.online.headless import CannotGoOn
from wasabi_tx.online.online_table import OnlineTable, Unreachable
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.saved.seat import SavedSeat
from wasabi_tx.online.saved.situation import Situation, known_games
from wasabi_tx.online.tables import resume_table
from wasabi_tx.online.terms import QUICK_START
from wasabi_tx.store.paths import find_paths
from wasabi_tx.store.seats import KEEPER, SeatLock, SeatTaken
from wasabi_tx.view.online.call import Call, say_call
from wasabi_tx.view.online.refusals import say_refusal


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return Party.at(tmp_path, monkeypatch)


@asynccontextmanager
async def keeping(
    party: Party,
    name: str = "Ana",
    tick: Callable[[], None] = lambda: None,
    tell: Callable[[str, str], None] = lambda _seat, _trouble: None,
) -> AsyncIterator[tuple[Keeper, list[Call]]]:
    """Yield a keeper for this person on this loop."""
    calls: list[Call] = []
    machine = party.machine(name)

    def call(found: Call) -> bool:
        calls.append(found)
        return True

    keeper = Keeper(machine, english(), call, lambda level, _rivals: Companions(party, machine, level), tick, tell)
    task = asyncio.create_task(keeper.run())
    try:
        yield keeper, calls
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)


def holds(party: Party, table: str, name: str = "Ana") -> bool:
    """Return whether any program holds this seat."""
    try:
        with SeatLock(party.machine(name).games, table):
            return False
    except SeatTaken:
        return True


async def begun(party: Party, **wanted: Any) -> tuple[OnlineTable, OnlineTable]:
    """Return a table of Bo and Ana, whose game has begun."""
    host = party.host("Bo", **wanted)
    await host.driver.open()
    ana = await party.join(host.invite, "Ana")
    async with asyncio.timeout(PATIENCE):
        await ana.until(lambda now: now.shuffled)
        await host.until(lambda now: now.shuffled)
    return host, ana


async def left(party: Party) -> tuple[OnlineTable, OnlineTable]:
    """Return a table that Ana has closed, and at which Bo plays on."""
    host, ana = await begun(party)
    await ana.close()
    party.plays(host)
    return host, ana


async def test_a_keeper_sits_down_when_the_screen_is_gone_and_calls_for_the_turn(party: Party) -> None:
    host, ana = await begun(party)
    async with keeping(party) as (keeper, calls):
        await until(lambda: keeper.kept == {ana.table} or not keeper.kept)
        assert not calls, "the seat is taken"
        await ana.close()
        party.plays(host)
        await until(lambda: calls)
        (call,) = calls
        assert (call.kind, call.names, call.table) == ("turn", ("Bo",), ana.table[:6])
        assert holds(party, ana.table)
        (known,) = known_games(party.machine("Ana").games)
        assert known.situation.mine
        slot = host.snapshot.slot
        for _ in range(4):
            await host.driver.changed()
        assert host.snapshot.slot == slot, "it never moves"
    assert not holds(party, ana.table)
    await party.close(host)


async def test_what_nobody_expected_of_one_seat_is_logged_and_stops_no_other(
    party: Party, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first, ana = await left(party)
    second, kept = await left(party)
    tries: list[str] = []
    take_up = OnlineTables.resume

    async def resume(tables: OnlineTables, name: str, *args: Any, **kwargs: Any) -> OnlineTable:
        if name != ana.table:
            return await take_up(tables, name, *args, **kwargs)
        tries.append(name)
        kwargs["disk"].close()
        raise IndexError("nobody thought of that")

    monkeypatch.setattr(OnlineTables, "resume", resume)
    monkeypatch.setattr(keeper_module, "SEARCH_EVERY", 0.0)
    monkeypatch.setattr(keeper_module, "SEARCH_ANYWAY", 0.0)
    searches: list[int] = []
    async with keeping(party, tick=lambda: searches.append(1)) as (_, calls):
        await until(lambda: len(calls) > 1 and len(searches) > 5)
        assert {(call.seat, call.kind) for call in calls} == {(kept.table, "turn"), (ana.table, "cut-off")}
        assert tries == [ana.table], "it is not tried again and again"
        assert not holds(party, ana.table)
    assert "nobody thought of that" in caplog.text
    await party.close(first, second)


async def test_a_seat_that_cannot_be_kept_is_told_and_called_for_once_and_told_again_when_it_can(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, ana = await left(party)
    take_up, tries, told = OnlineTables.resume, 0, list[tuple[str, str]]()

    async def resume(tables: OnlineTables, *args: Any, **kwargs: Any) -> OnlineTable:
        nonlocal tries
        tries += 1
        if tries > 3:
            return await take_up(tables, *args, **kwargs)
        kwargs["disk"].close()
        raise Failure("port 1883 is taken")

    monkeypatch.setattr(OnlineTables, "resume", resume)
    for pause in ("SEARCH_EVERY", "SEARCH_ANYWAY", "TRY_AGAIN"):
        monkeypatch.setattr(keeper_module, pause, 0.0)
    async with keeping(party, tell=lambda seat, trouble: told.append((seat, trouble))) as (_, calls):
        await until(lambda: len(told) == 2 and any(call.kind == "turn" for call in calls))
    assert told == [(ana.table, "port 1883 is taken"), (ana.table, "")]
    (call,) = [call for call in calls if call.kind == "cut-off"]
    assert say_call(call, english()) == "Your keeper cannot reach the table with Bo"
    await party.close(host)


async def test_a_seat_at_which_no_game_can_go_on_is_told_once_and_never_tried_again(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, ana = await left(party)
    tries, told, searches = list[str](), list[tuple[str, str]](), list[int]()

    async def resume(_tables: OnlineTables, name: str, *_args: Any, **kwargs: Any) -> OnlineTable:
        tries.append(name)
        kwargs["disk"].close()
        raise CannotGoOn(HostBroken())

    monkeypatch.setattr(OnlineTables, "resume", resume)
    for pause in ("SEARCH_EVERY", "SEARCH_ANYWAY", "TRY_AGAIN"):
        monkeypatch.setattr(keeper_module, pause, 0.0)
    tell, tick = (lambda seat, trouble: told.append((seat, trouble))), (lambda: searches.append(1))
    async with keeping(party, tick=tick, tell=tell) as (_, calls):
        await until(lambda: told)
        since = len(searches)
        await until(lambda: len(searches) > since + 5)
        assert tries == [ana.table]
        assert told == [(ana.table, say_refusal(CannotGoOn(HostBroken()), english()))]
        assert not calls
        assert not holds(party, ana.table)
    await party.close(host)


@pytest.mark.parametrize("reason", ["password", "closed"])
async def test_a_broker_that_will_not_have_a_kept_seat_again_is_told_at_once_and_one_that_is_away_later(
    party: Party, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    host, ana = await left(party)
    told: list[str] = []
    async with keeping(party, tell=lambda _seat, trouble: told.append(trouble)) as (_, calls):
        await until(lambda: any(call.kind == "turn" for call in calls))
        (way,) = party.transports["Ana"][1:]
        way.cut()
        if reason == "password":
            way.inbox.put(Lost(reason))
        else:
            assert not told
            monkeypatch.setattr(keeper_module, "LONG_AWAY", 0.0)
        await until(lambda: any(call.kind == "cut-off" for call in calls))
        way.heal()
        await until(lambda: len(told) == 2)
    assert told == [say_refusal(Unreachable(reason, ana.broker, invited=True), english()), ""]
    await party.close(host)


async def test_with_a_quick_start_keepers_alone_come_to_the_first_turn(party: Party) -> None:
    host, ana = await begun(party, options=[QUICK_START])
    await ana.close()
    await host.close()
    async with keeping(party, "Ana") as (_, hers), keeping(party, "Bo") as (_, his):
        await until(lambda: any(call.turn == 1 for call in (*hers, *his)))
        assert all(call.turn for call in (*hers, *his)), "nobody is called before it"


async def test_guests_at_the_door_of_a_kept_table_are_one_call_in_a_while(party: Party) -> None:
    host = party.host("Ana", seats=4, welcome_all=False)
    await host.driver.open()
    async with asyncio.timeout(PATIENCE):
        await host.until(lambda _now: host.driver.up)
    await host.close()
    async with keeping(party) as (keeper, calls):
        first = await party.join(host.invite, "Bo")
        await until(lambda: calls)
        others = [await party.join(host.invite, name) for name in ("Chiara", "Dan", "Eve")]
        await until(lambda: len(keeper._doors[host.table]._asking) == 4)
        assert calls == [Call("guest", host.table, ("Bo",))]
        await party.close(first, *others)


async def test_a_screen_takes_the_seat_over_at_once_and_the_keeper_takes_it_back(party: Party) -> None:
    host, ana = await left(party)
    online = party.online("Ana")
    async with keeping(party) as (keeper, calls):
        for _ in range(3):
            await until(lambda: keeper.kept and holds(party, ana.table))
            screen = await online.resume(ana.table, english())
            await until(lambda: not keeper.kept)
            async with asyncio.timeout(PATIENCE):
                while not screen.driver.up:
                    await screen.driver.changed()
            with pytest.raises(SeatTaken):
                resume_table(party.machine("Ana"), ana.table)
            await screen.close()
        await until(lambda: keeper.kept)
        assert {call.kind for call in calls} <= {"turn"}
    await party.close(host)


async def test_what_ana_planned_is_played_by_the_keeper_or_she_is_called_with_the_reason(party: Party) -> None:
    """Let a screen plan one turn that fits and one that does not, and close it; Bo plays on."""
    played, broken = 0, 0
    host, ana = await begun(party)
    party.plays(host)
    online = party.online("Ana")
    await ana.close()
    async with keeping(party) as (_, calls):
        while not (played and broken):
            calls.clear()
            screen = await online.resume(ana.table, english())
            async with asyncio.timeout(PATIENCE):
                await screen.until(lambda now: now.my_turn and now.observation is not None)
            await play_turn(screen)
            spoil = bool(played)
            turn = await save_plans(screen, spoil)
            await screen.close()
            if not turn:
                continue
            async with asyncio.timeout(PATIENCE):
                while turn_of(host) <= turn and not any(call.turn == turn for call in calls):
                    await host.driver.changed()
            found = [call for call in calls if call.turn == turn]
            if spoil:
                (call,) = found
                assert call.not_played == "square"
                assert "your plan was not played" in say_call(call, english())
                assert "a1" not in say_call(call, english())
                broken += 1
            elif not found:
                played += 1
            assert not host.snapshot.ended, "the game was too short for this"
    await party.close(host)


def turn_of(table: OnlineTable) -> int:
    observation = table.snapshot.observation
    assert observation is not None
    return observation.position.turn


async def save_plans(screen: OnlineTable, spoil: bool) -> int:
    """Plan Ana's next turn so that Bo cannot break it, or spoil it; return the turn, 0 before the first one."""
    observation = screen.snapshot.observation
    assert observation is not None
    foreseen = NO_PLANS.foreseen(observation)
    if foreseen is None:
        return 0
    (one,) = NO_PLANS.with_turn(foreseen, turn_off_the_board(foreseen)).turns
    plans = Plans((replace(one, squares=(("a1", "Xx"),) if spoil else ()),))
    await screen.driver.do(lambda client, now: client.save_plans(plans, now))
    return foreseen.position.turn


@pytest.mark.long
async def test_a_game_that_only_keepers_and_screens_touch_comes_to_its_signed_end(party: Party) -> None:
    """Let the screen play one bundle whenever it is called, and go."""
    host, ana = await left(party)
    online = party.online("Ana")
    async with keeping(party) as (_, calls):
        while True:
            await until(lambda: calls or host.snapshot.ended)
            if host.snapshot.ended:
                break
            calls.clear()
            screen = await online.resume(ana.table, english())
            async with asyncio.timeout(PATIENCE):
                await screen.until(lambda now: now.my_turn or now.ended)
            await play_turn(screen)
            await screen.close()
        async with asyncio.timeout(PATIENCE):
            await host.until(lambda now: now.result is not None and now.result.settled)
        await until(lambda: not known_games(party.machine("Ana").games))
    await party.close(host)


async def play_turn(screen: OnlineTable) -> None:
    """Play, as an easy bot would, until it is somebody else's turn."""
    while (now := screen.snapshot).my_turn and now.observation is not None:
        bundle = find_bot("easy").choose(now.observation, Random(f"{now.slot}"), 100)
        await screen.driver.do(partial(_play, bundle))
        async with asyncio.timeout(PATIENCE):
            await screen.until(lambda now: now.my_turn or now.ended or not _is_mine(now))


def _play(bundle: Bundle, client: Client, now: float) -> None:
    client.play(bundle, now)


def _is_mine(now: Snapshot) -> bool:
    return now.observation is not None and now.observation.position.mover == now.observation.seat


@pytest.mark.parametrize(("clock", "words"), [(600, ""), (86_400, "online.keep")])
async def test_who_closes_a_game_for_days_hears_of_the_keeper_unless_there_is_one(
    party: Party, monkeypatch: pytest.MonkeyPatch, clock: int, words: str
) -> None:
    host, ana = await begun(party, clock=clock)
    monkeypatch.setenv("WASABI_TX_HOME", str(party.folder / "home"))
    hint = [english().say(words)] if words else []
    assert closing_lines(ana, english()) == [english().say("online.resume", table=ana.title), *hint]
    with SeatLock(find_paths().games, KEEPER):
        assert len(closing_lines(ana, english())) == 1
    assert ana.seat is not None
    ana.seat = replace(ana.seat, bind="127.0.0.1")
    assert (english().say("online.keep-host") in closing_lines(ana, english())) == bool(words)
    await ana.close()
    await party.close(host)


async def test_who_closes_with_a_move_that_no_broker_has_is_told_where_it_is(party: Party) -> None:
    host, ana = await left(party)
    screen = await party.online("Ana").resume(ana.table, english())
    async with asyncio.timeout(PATIENCE):
        await screen.until(lambda now: now.my_turn and now.observation is not None)
    words = english().say("online.unsent")
    assert words not in closing_lines(screen, english())
    (way,) = party.transports["Ana"][1:]
    way.cut()
    async with asyncio.timeout(PATIENCE):
        while screen.driver.up:
            await screen.changed()
    assert words not in closing_lines(screen, english())
    observation = screen.snapshot.observation
    assert observation is not None
    await screen.driver.do(partial(_play, find_bot("easy").choose(observation, Random(1), 100)))
    assert words in closing_lines(screen, english())
    await screen.close()
    assert words in closing_lines(screen, english()), "also when it is closed already"
    await party.close(host)


async def test_who_closes_a_waiting_room_hears_that_the_room_is_kept(party: Party) -> None:
    host = party.host("Ana")
    await host.driver.open()
    (line,) = closing_lines(host, english())
    assert line == f"the waiting room is kept; come back to it with: wasabi-tx resume {host.title}"
    await party.close(host)


@pytest.mark.parametrize(
    ("games", "rooms", "words"),
    [
        (0, 0, "there is no unfinished game yet; new ones will be kept"),
        (2, 0, "keeping 2 unfinished games"),
        (0, 1, "keeping 1 waiting room"),
        (1, 2, "keeping 1 unfinished game, 2 waiting rooms"),
    ],
)
def test_a_keeper_says_what_it_keeps(tmp_path: Path, games: int, rooms: int, words: str) -> None:
    for number in range(games + rooms):
        disk = FileDisk(tmp_path / "games", f"table{number}")
        disk.save_seat(SavedSeat("", "Ana", b"", b"", b""))
        if number < games:
            disk.note(Situation(("Bo",), 3, mine=True))
    program = Program(tmp_path, ["keep"], typed=None)
    assert program.line() == words
    program.signal(signal.SIGTERM if games else signal.SIGINT)
    assert program.ended() == (0 if games else 130), "a service that is stopped has not failed"
