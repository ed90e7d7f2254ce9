"""Sabotage: rules with one deliberate fault, which the comparison with the oracle must find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.oracle import compare
from tests.oracle.compare import Tally, play_numbered
from wasabi_tx.engine.editions import rules_from_text

if TYPE_CHECKING:
    import pytest


class Sabotaged:
    """Delegates everything to the rules; a subclass overrides the faulty part."""

    def __init__(self, rules: Any, fault: str) -> None:
        self._rules, self._fault = rules, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def compared(games: range, variant: str | None, edition: str) -> Tally:
    """Compare engine and oracle over these games of an edition, in all its variants or one."""
    tally = Tally()
    for number in games:
        tally.add(play_numbered(1, number, variant, edition))
    return tally


def assert_found(
    monkeypatch: pytest.MonkeyPatch, kind: type[Sabotaged], fault: str, about: str, games: range, edition: str
) -> None:
    """Check that a few games find the fault, and nothing else."""
    monkeypatch.setattr(compare, "rules_from_text", lambda text, players: kind(rules_from_text(text, players), fault))
    tally = compared(games, edition, edition)
    assert tally.disagreements
    assert all(about in found for found in tally.disagreements)
