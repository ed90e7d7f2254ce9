"""Notes for beginners: what happens at a table for the first time, each worth one sentence."""

from __future__ import annotations

from collections.abc import Collection

from ..engine.rules import AnyRules
from .table.table import TableView

FEW = 5
"""So many squares are the last ones."""


def new_note(view: TableView, rules: AnyRules, noted: Collection[str]) -> str:
    """The name of something at the table that was never explained; nothing if there is none."""
    seen = {
        "wasabi": any(cell.cover == "wasabi" for cell in view.cells),
        "cup": any(cell.cover == "cup" for cell in view.cells),
        "stack": any(len(cell.codes) > 1 for cell in view.cells),
        "full": len(view.cards) >= rules.hand_cards,
        "card": bool(view.cards),
        "last": view.squares_left <= FEW,
    }
    return next((name for name, there in seen.items() if there and name not in noted), "")
