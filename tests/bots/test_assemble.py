"""Bundles are complete: they end where their author learns something or somebody else is to move."""

from __future__ import annotations

import random

import pytest

from tests.bots.games import walk
from wasabi_tx.bots.bot import Bot, assemble
from wasabi_tx.bots.level_names import LEVEL_NAMES
from wasabi_tx.bots.levels import KINDS, LEVELS, find_bot
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.errors import Malformed, Stale
from wasabi_tx.engine.observe import observe

NAMES = [*KINDS, *LEVELS]


@pytest.mark.grid
@pytest.mark.parametrize("edition", PACKAGED)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_every_bundle_of_every_bot_is_accepted_until_the_game_is_over(edition: str, players: int, seed: int) -> None:
    bots: list[Bot] = [find_bot(NAMES[(seat + seed) % len(NAMES)]) for seat in range(players)]
    moments = list(walk(edition, bots, seed))
    assert moments[-1].after.outcome is not None
    assert {moment.bundle.seat for moment in moments} == set(range(players))


def test_a_bot_that_is_not_to_move_says_so() -> None:
    rules = rules_for("classic", 2)
    position = rules.start(0)
    waiting = observe(rules, position, 1 - position.mover, {})
    with pytest.raises(Stale, match="not-your-turn"):
        assemble(waiting, lambda view: view.legal()[:1])


def test_a_spectator_cannot_play() -> None:
    rules = rules_for("classic", 2)
    with pytest.raises(Stale, match="not-your-turn"):
        find_bot("greedy").choose(observe(rules, rules.start(0), None, {}), random.Random(0), 1)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(Malformed, match="grandmaster"):
        find_bot("grandmaster")


def test_every_level_that_is_offered_exists_and_no_other() -> None:
    assert set(LEVEL_NAMES) == set(LEVELS)
