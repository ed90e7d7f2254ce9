"""The engine agrees with a slow, obvious second implementation of the second edition's rules in random games."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.sabotage import Sabotaged, assert_found, compared
from tests.oracle.compare import MASTER_EDITIONS, Tally
from tests.oracle.master.digest import ENDINGS
from tests.oracle.master.legal import LISTS

OCCASIONS = {
    "Chop makes a tile due: board",
    "Spicy takes the last space from this turn's tile",
    "a card is gained by Prep",
    "a card is gained by serving",
    "a cup is moved twice in a turn",
    "a cup moves to where another one was",
    "a deck is empty",
    "a leaver in another's turn",
    "a reshuffle in the middle of serving",
    "a serve with style",
    "a space is changed back",
    "a tile is laid on its like",
    "a serve without style",
    "a stack of three or more",
    "chopped under a stack",
    "no tile is due: board",
    "no tile is due: pantry",
    "stacked on a full board",
    "switched with a cup",
    "switched with an empty space",
    "the chef leaves in play",
    "the chef leaves in refill",
    "the display stays short",
    "the final round starts: turns",
    "the new card is discarded",
    "the reward lapses",
    "the same kind played twice in a turn",
    "two served in a turn",
}
"""Rare occasions that this number of games meets with nearly every seed."""


@pytest.mark.long
def test_engine_and_oracle_agree_on_games_in_which_everything_happens() -> None:
    tally = Tally()
    for edition in MASTER_EDITIONS:
        tally.add(compared(range(5), edition, "master"))
    assert not tally.disagreements, tally.disagreements[0]
    assert set(tally.verbs) == {*LISTS, "leave", "exclude"}
    assert set(tally.endings) == set(ENDINGS)
    assert set(tally.occasions) >= OCCASIONS
    assert tally.refused > 500
    assert tally.attempts > tally.refused


def test_engine_and_oracle_agree_on_a_game_of_each_kind() -> None:
    tally = Tally()
    for edition in MASTER_EDITIONS:
        tally.add(compared(range(1), edition, "master"))
    assert not tally.disagreements, tally.disagreements[0]
    assert tally.refused > 50
    assert tally.attempts > tally.refused


class Faulty(Sabotaged):
    def legal(self, position: Any, faces: dict[int, int]) -> list[Any]:
        steps = list(self._rules.legal(position, faces))
        return [step for step in steps if step.verb != "cup"] if self._fault == "no cup can be moved" else steps

    def apply(self, position: Any, step: Any) -> Any:
        if self._fault == "anything may be turned up" and step.verb == "turn" and position.phase != "refill":
            return position
        after = self._rules.apply(position, step)
        return position if self._fault == "taking the pool changes nothing" and step.verb == "pool" else after


@pytest.mark.parametrize(
    ("fault", "about"),
    [
        ("no cup can be moved", "legal steps"),
        ("anything may be turned up", "whether ('turn', "),
        ("taking the pool changes nothing", "digest of the result of ('pool'"),
    ],
)
def test_a_fault_in_the_engine_is_found(monkeypatch: pytest.MonkeyPatch, fault: str, about: str) -> None:
    assert_found(monkeypatch, Faulty, fault, about, range(6), "master")
