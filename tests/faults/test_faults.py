"""A short run of the fault harness: seeds whose plans hold every kind of fault between them but vanishing; and liars.

The long runs are `python -m tests.faults` and `python -m tests.faults.liars`.
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


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_game_comes_through(seed: str, broker: RealBroker, tmp_path: Path) -> None:
    report = Report()
    plan = make_plan(seed)
    await FaultyGame(plan, tmp_path / "game", broker, report).play()
    assert report.games == report.settled == 1
    assert report.faults.total() == len(plan.faults)


@pytest.mark.parametrize("seed", ["suite 11", "suite 16"])
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
