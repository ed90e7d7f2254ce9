"""Notes for beginners: things that happen at a table for the first time, each explained in one sentence."""

from __future__ import annotations

from collections.abc import Collection

from ..view.editions.edition_view import FORGO
from ..view.table.table import TableView
from .prompt import Prompt

FEW = 5
"""Number of free squares that count as the last ones."""


def new_note(view: TableView, noted: Collection[str]) -> str:
    """Return the name of something at the table that was never explained; "" if there is none."""
    seen = {
        "wasabi": any(cell.cover == "wasabi" for cell in view.cells),
        "cup": any(cell.cover == "cup" for cell in view.cells),
        "stack": any(len(cell.codes) > 1 for cell in view.cells),
        "card": bool(view.cards),
        "last": view.squares_left <= FEW,
    }
    return next((name for name, there in seen.items() if there and name not in noted), "")


def step_note(prompt: Prompt, noted: Collection[str]) -> str:
    """Return the name of a question that needs explaining the first time it is asked; usually ""."""
    full = FORGO in prompt.choices or prompt.slot == "discard"
    return "full" if full and "full" not in noted else ""
