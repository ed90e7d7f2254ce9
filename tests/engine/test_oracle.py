"""The engine agrees with a slow, obvious second implementation of the rules at every step of random games."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import compare
from tests.oracle.compare import EDITIONS, Tally, play_numbered
from tests.oracle.digest import ENDINGS
from tests.oracle.legal import LISTS
from wasabi_tx.engine.editions import rules_from_text

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
"""Those of the rare things that so many games meet with nearly every seed."""


def compared(games: range, edition: str | None = None) -> Tally:
    tally = Tally()
    for number in games:
        tally.add(play_numbered(1, number, edition))
    return tally


def test_engine_and_oracle_agree_on_games_in_which_everything_happens() -> None:
    tally = compared(range(6 * len(EDITIONS)))
    tally.add(compared(range(9), "short"))
    tally.add(compared(range(9), "wasabi-rain"))
    assert not tally.disagreements, tally.disagreements[0]
    assert set(tally.verbs) == {*LISTS, "leave", "exclude"}
    assert set(tally.endings) == {*ENDINGS} - {"turns"}
    assert set(tally.occasions) >= OCCASIONS
    assert tally.refused > 1000
    assert tally.attempts > tally.refused


class Sabotaged:
    """Rules that answer as the engine does, but for one fault."""

    def __init__(self, rules: Any, fault: str) -> None:
        self._rules, self._fault = rules, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

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
    monkeypatch.setattr(
        compare, "rules_from_text", lambda text, players: Sabotaged(rules_from_text(text, players), fault)
    )
    tally = compared(range(12), "classic")
    assert tally.disagreements
    assert all(about in found for found in tally.disagreements)
