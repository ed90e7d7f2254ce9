"""What a screen has to know about one edition: its own piles, warnings and sensible defaults."""

from __future__ import annotations

from typing import Any

from ...engine.rules import Rules
from ..sight import Sight
from .classic import ClassicSight
from .master import MasterSight

SIGHTS: dict[str, Sight] = {"classic": ClassicSight(), "master": MasterSight()}


def sight_of(rules: Rules[Any]) -> Sight:
    return SIGHTS[rules.name]
