"""Sabotage: rules that answer as the engine does, but for one fault that the comparison with the oracle must find."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.oracle import compare
from tests.oracle.compare import Tally, play_numbered
from wasabi_tx.engine.editions import rules_from_text

if TYPE_CHECKING:
    import pytest


class Sabotaged:
    """Passes everything on to the rules; what is at fault, a subclass answers itself."""

    def __init__(self, rules: Any, fault: str) -> None:
        self._rules, self._fault = rules, fault

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def compared(games: range, variant: str | None, edition: str) -> Tally:
    """Engine and oracle over these games of an edition, all variants of it or one."""
    tally = Tally()
    for number in games:
        tally.add(play_numbered(1, number, variant, edition))
    return tally


def assert_found(
    monkeypatch: pytest.MonkeyPatch, kind: type[Sabotaged], fault: str, about: str, games: range, edition: str
) -> None:
    """A few games are enough to find the fault, and nothing else is found."""
    monkeypatch.setattr(compare, "rules_from_text", lambda text, players: kind(rules_from_text(text, players), fault))
    tally = compared(games, edition, edition)
    assert tally.disagreements
    assert all(about in found for found in tally.disagreements)
