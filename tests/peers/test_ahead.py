"""What a person left is played by a keeper that is a process of its own, also by the one that comes after a kill -9."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random

import pytest

from tests.bench.calls import begin, kept, play_turn
from tests.bench.keeper import machine_of
from tests.brokers import PATIENCE
from tests.table.whole_turns import whole_turn
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.step import Bundle
from wasabi_tx.table.ahead import MOST, NOTHING, Ahead
from wasabi_tx.table.game import Played
from wasabi_tx.table.online.keep.disk import FileDisk
from wasabi_tx.table.online.online_table import OnlineTable
from wasabi_tx.table.online.tables import resume_table

from .conftest import OwnBroker
from .program import Programs


def anything(now: Observation) -> Ahead:
    """So many alternatives, without any condition, that one is legal whatever the others do."""
    foreseen, ahead = NOTHING.foreseen(now), NOTHING
    assert foreseen is not None
    for seed in range(MOST):
        ahead = ahead.with_turn(foreseen, whole_turn(foreseen, Random(seed), "random"))
    return Ahead(tuple(replace(one, squares=()) for one in ahead.turns))


@pytest.mark.parametrize("killed", [False, True])
async def test_a_keeper_plays_what_was_left_and_a_second_one_after_it_signs_nothing_anew(
    programs: Programs, own_broker: OwnBroker, killed: bool
) -> None:
    ana, bo = (machine_of(programs.home(name), name) for name in ("ana", "bo"))
    host, guest = await begin(ana, bo, await asyncio.to_thread(own_broker, "nats"))
    seen = guest.snapshot.observation
    assert seen is not None
    ahead = anything(seen)
    await guest.driver.do(lambda client, now: client.leave_ahead(ahead, now))
    seat, turn = guest.table, ahead.turns[0].turn
    await guest.close()
    keeper = programs.start("ana", "keep", typed=None)
    await kept(ana, seat)
    await play_turn(host)
    if killed:
        keeper.kill()
        programs.start("ana", "keep", typed=None)
    async with asyncio.timeout(PATIENCE):
        while FileDisk(ana.games, seat).ahead().turns:  # noqa: ASYNC110 - another process does not tell
            await asyncio.sleep(0.05)
        while not killed and not await bundles_on(host, turn):
            await host.driver.changed()
    played = seen.rules.format([step for bundle in await bundles_on(host, turn) for step in bundle.steps])
    assert any(one.steps.startswith(played) for one in ahead.turns), "one of them, and nothing twice"
    screen = await asyncio.to_thread(resume_table, ana, seat)
    await screen.connect()
    async with asyncio.timeout(PATIENCE):
        await screen.until(lambda now: now.slot >= host.snapshot.slot)
    for table in (screen, host):
        assert not await table.driver.do(lambda client, _now: client.playing and client.playing.session.log.evidence)
    await screen.close()
    await host.close()


async def bundles_on(table: OnlineTable, turn: int) -> list[Bundle]:
    """What was played on a turn, as this place knows it."""
    history = await table.driver.do(lambda client, _now: client.history())
    played = [change for change in history.changes if isinstance(change, Played)]
    return [change.bundle for change in played if change.before.turn == turn]
