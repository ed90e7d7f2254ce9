"""Notes for beginners: what happens at a table for the first time, each worth one sentence."""

from __future__ import annotations

from collections.abc import Collection

from .editions.edition_view import FORGO
from .table.table import TableView
from .turn.prompt import Prompt

FEW = 5
"""So many squares are the last ones."""


def new_note(view: TableView, noted: Collection[str]) -> str:
    """The name of something at the table that was never explained; nothing if there is none."""
    seen = {
        "wasabi": any(cell.cover == "wasabi" for cell in view.cells),
        "cup": any(cell.cover == "cup" for cell in view.cells),
        "stack": any(len(cell.codes) > 1 for cell in view.cells),
        "card": bool(view.cards),
        "last": view.squares_left <= FEW,
    }
    return next((name for name, there in seen.items() if there and name not in noted), "")


def step_note(prompt: Prompt, noted: Collection[str]) -> str:
    """The name of what is asked for the first time and needs a word more; mostly nothing."""
    full = FORGO in prompt.choices or prompt.slot == "discard"
    return "full" if full and "full" not in noted else ""
