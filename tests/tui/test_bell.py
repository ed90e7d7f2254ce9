"""The bell: it rings only for a person who may have turned to something else."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

import pytest

from wasabi_tx.app.settings import Settings
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.table.screen import LONG_WAIT

from .memory_games import MemoryGames, app_at
from .on_screen import shown, table_of


@pytest.mark.parametrize(
    ("waited", "looks", "bell", "rings"),
    [
        (0.0, True, True, False),
        (LONG_WAIT - 1, True, True, False),
        (LONG_WAIT + 1, True, True, True),
        (0.0, False, True, True),
        (LONG_WAIT + 1, False, False, False),
    ],
)
async def test_it_rings_after_a_long_wait_or_without_the_focus(
    waited: float, looks: bool, bell: bool, rings: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[bool] = []
    monkeypatch.setattr(WasabiApp, "bell", lambda _app: rung.append(True))
    app = app_at(9, bots=1, edition="classic", seed="bell", settings=Settings(reduced_motion=True, bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        table = table_of(app)
        assert table.followed.plan is not None
        app.settings = replace(app.settings, bell=bell)
        app.app_focus = looks
        table.followed.plan = None
        table._waits_since = monotonic() - waited
        table._moved()
        assert bool(rung) is rings
        table._moved()
        assert len(rung) <= 1, "once a turn"


@pytest.mark.parametrize(
    ("waited", "looks", "again"), [(0.0, False, False), (LONG_WAIT + 1, False, True), (0.0, True, True)]
)
async def test_a_second_decision_in_a_turn_online_is_seen_or_called_for_unless_it_came_at_once(
    waited: float, looks: bool, again: bool
) -> None:
    app = app_at(9, bots=1, edition="classic", seed="bell", settings=Settings(reduced_motion=True, bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.games, MemoryGames)
        table = table_of(app)
        table.opened = replace(table.opened, table="abcdefgh")
        app.app_focus = looks
        table._moved()
        table.followed.plan = None
        table._waits_since = monotonic() - waited
        for _ in range(2):
            table._moved()
        assert [seen for _, seen in app.games.calls] == [looks] * (2 if again else 1)


async def test_what_happened_is_announced_when_it_was_more_than_one_thing() -> None:
    for bots, told in ((1, False), (3, True)):
        app = app_at(9, bots=bots, edition="classic", seed="bell", settings=Settings(reduced_motion=True, bell=False))
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            assert (len(table_of(app).followed.since) > 1) is told
            assert ("y what happened" in shown(app, "keys")) is told
