"""A short run of the fault harness: seeds whose plans together contain every kind of fault but vanishing; and liars.

The long runs are `python -m tests.lab.soaks.faults` and `python -m tests.lab.soaks.liars`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.brokers import RealBroker
from tests.faults.harness import FaultyGame, Report
from tests.faults.liars import play
from tests.faults.plan import Kind, make_plan

SEEDS = ("koi 101", "koi 168")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RealBroker]:
    broker = RealBroker("nats", tmp_path / "broker")
    broker.start()
    yield broker
    broker.stop()


@pytest.mark.parametrize("seed", [SEEDS[0], pytest.param(SEEDS[1], marks=pytest.mark.long)])
async def test_a_game_comes_through(seed: str, broker: RealBroker, tmp_path: Path) -> None:
    report = Report()
    plan = make_plan(seed)
    await FaultyGame(plan, tmp_path / "game", broker, report).play()
    assert report.games == report.settled == 1
    assert report.faults.total() == len(plan.faults)


@pytest.mark.parametrize("seed", ["suite 11", pytest.param("suite 16", marks=pytest.mark.long)])
async def test_a_liar_among_three_ends_no_program_and_is_the_only_one_named(
    seed: str, broker: RealBroker, tmp_path: Path
) -> None:
    deeds = {"suite 11": "long words", "suite 16": "two ballots"}
    assert await play(seed, tmp_path / "game", broker) == f"{deeds[seed]}: settled"


def test_the_short_run_has_every_kind_of_fault() -> None:
    kinds = {fault.kind for seed in SEEDS for fault in make_plan(seed).faults}
    assert kinds >= set(Kind) - {Kind.VANISH}


def test_a_plan_follows_from_its_seed() -> None:
    assert make_plan("koi 1") == make_plan("koi 1")
    assert make_plan("koi 1") != make_plan("koi 2")
