"""A person's plan is played by a keeper in its own process, even by one started after a kill -9."""

from __future__ import annotations

import asyncio

import pytest

from tests.brokers import PATIENCE
from tests.games.whole_turns import turn_off_the_board
from tests.lab.bench.calls import begin, kept, play_turn
from tests.lab.bench.keeper import machine_of
from tests.peers.conftest import OwnBroker
from tests.peers.program import Programs
from wasabi_tx.engine.step import Bundle
from wasabi_tx.games.game import Played
from wasabi_tx.games.plans import NO_PLANS
from wasabi_tx.online.online_table import OnlineTable
from wasabi_tx.online.saved.disk import FileDisk
from wasabi_tx.online.tables import resume_table


@pytest.mark.parametrize("killed", [False, True])
async def test_a_keeper_plays_what_was_planned_and_a_second_one_after_it_signs_nothing_anew(
    programs: Programs, own_broker: OwnBroker, killed: bool
) -> None:
    ana, bo = (machine_of(programs.home(name), name) for name in ("ana", "bo"))
    host, guest = await begin(ana, bo, await asyncio.to_thread(own_broker, "nats"))
    seen = guest.snapshot.observation
    assert seen is not None
    foreseen = NO_PLANS.foreseen(seen)
    assert foreseen is not None
    plans = NO_PLANS.with_turn(foreseen, turn_off_the_board(foreseen))
    await guest.driver.do(lambda client, now: client.save_plans(plans, now))
    seat, turn = guest.table, plans.turns[0].turn
    await guest.close()
    keeper = programs.start("ana", "keep", typed=None)
    await kept(ana, seat)
    await play_turn(host)
    if killed:
        keeper.kill()
        programs.start("ana", "keep", typed=None)
    async with asyncio.timeout(PATIENCE):
        while FileDisk(ana.games, seat).plans().turns:  # noqa: ASYNC110 - another process does not tell
            await asyncio.sleep(0.05)
        while not killed and not await bundles_on(host, turn):
            await host.driver.changed()
    played = seen.rules.format([step for bundle in await bundles_on(host, turn) for step in bundle.steps])
    assert plans.turns[0].steps.startswith(played), "nothing else, and nothing twice"
    screen = await asyncio.to_thread(resume_table, ana, seat)
    await screen.connect()
    async with asyncio.timeout(PATIENCE):
        await screen.until(lambda now: now.slot >= host.snapshot.slot)
    for table in (screen, host):
        assert not await table.driver.do(lambda client, _now: client.playing and client.playing.session.log.evidence)
    await screen.close()
    await host.close()


async def bundles_on(table: OnlineTable, turn: int) -> list[Bundle]:
    """Return the bundles played on a turn, as this place knows them."""
    history = await table.driver.do(lambda client, _now: client.history())
    played = [change for change in history.changes if isinstance(change, Played)]
    return [change.bundle for change in played if change.before.turn == turn]
