"""The parts of a view that depend on the edition: its own piles, warnings and sensible defaults."""

from __future__ import annotations

from ...engine.rules import AnyRules
from .classic import ClassicSight
from .edition_view import EditionView
from .master import MasterSight

SIGHTS: dict[str, EditionView] = {"classic": ClassicSight(), "master": MasterSight()}


def sight_of(rules: AnyRules) -> EditionView:
    return SIGHTS[rules.name]
