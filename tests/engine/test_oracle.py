"""The engine agrees with a slow, obvious second implementation of the rules at every step of random games."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.sabotage import Sabotaged, assert_found, compared
from tests.oracle.compare import EDITIONS
from tests.oracle.digest import ENDINGS
from tests.oracle.legal import LISTS

OCCASIONS = {
    "Spicy!'s second tile not used",
    "a Wasabi! card comes off the board",
    "a claim before this turn's tile",
    "a claim with style",
    "a deck is empty",
    "a discard in Step 1",
    "a discard in Step 2",
    "a discard with room in hand and a card to take",
    "a leaver in Step 1",
    "a leaver in Step 2",
    "a leaver in another's turn",
    "a second tile by Spicy!",
    "a stack of three or more",
    "a turn begins with no tile in hand",
    "rewards lapse",
    "the pantry is empty in Step 2",
    "the type just played is taken",
    "the win is shared",
    "two Wasabi! cards on the board",
}
"""Rare occasions that this number of games meets with nearly every seed."""


@pytest.mark.long
def test_engine_and_oracle_agree_on_games_in_which_everything_happens() -> None:
    tally = compared(range(6 * len(EDITIONS)), None, "classic")
    tally.add(compared(range(9), "short", "classic"))
    tally.add(compared(range(9), "wasabi-rain", "classic"))
    assert not tally.disagreements, tally.disagreements[0]
    assert set(tally.verbs) == {*LISTS, "leave", "exclude"}
    assert set(tally.endings) == {*ENDINGS} - {"turns"}
    assert set(tally.occasions) >= OCCASIONS
    assert tally.refused > 1000
    assert tally.attempts > tally.refused


def test_engine_and_oracle_agree_on_a_game_of_each_kind() -> None:
    tally = compared(range(len(EDITIONS)), None, "classic")
    assert not tally.disagreements, tally.disagreements[0]
    assert tally.refused > 100
    assert tally.attempts > tally.refused


class Faulty(Sabotaged):
    def legal(self, position: Any, faces: dict[int, int]) -> list[Any]:
        steps = list(self._rules.legal(position, faces))
        return steps[:-1] if self._fault == "a step is not listed" and position.turn == 3 else steps

    def apply(self, position: Any, step: Any) -> Any:
        if self._fault == "a step of another verb is carried out" and step.verb == "fly":
            return position
        if self._fault == "an ugly failure" and step.verb == "fly":
            raise KeyError(step.verb)
        after = self._rules.apply(position, step)
        return position if self._fault == "a pass changes nothing" and step.verb == "pass" else after

    def digest(self, position: Any) -> bytes:
        digest: bytes = self._rules.digest(position)
        return digest[::-1] if self._fault == "another digest in Step 2" and position.phase == "restock" else digest


@pytest.mark.parametrize(
    ("fault", "about"),
    [
        ("a step is not listed", "legal steps"),
        ("a step of another verb is carried out", "whether ('fly', ()) is allowed"),
        ("an ugly failure", "failed: KeyError"),
        ("a pass changes nothing", "digest of the result of ('pass'"),
        ("another digest in Step 2", "digest of the result of"),
    ],
)
def test_a_fault_in_the_engine_is_found(monkeypatch: pytest.MonkeyPatch, fault: str, about: str) -> None:
    assert_found(monkeypatch, Faulty, fault, about, range(12), "classic")
