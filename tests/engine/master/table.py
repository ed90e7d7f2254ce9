"""A table of the second edition in a few lines of text.

    table('''
        board:
        Sa . No
        seat 1 | recipes sake-avo-maki
    ''').do("place Av b1; serve sake-avo-maki; done")

Omitted squares, seats and lines are empty; the cups stand aside in the last row, the display shows a Chop, a Spicy and
a Stack, and seat 1 is about to begin a turn.
"""

from __future__ import annotations

from tests.engine import described_table
from tests.engine.described_table import Table, described, opened
from wasabi_tx.engine.editions import rules_for


def table(text: str, players: int = 2) -> Table:
    columns = rules_for("master", players).grid.columns
    cups = " ".join(f"{letter}6" for letter in "gfedcba"[-columns:][:players])
    defaults = {"turn": "turn: 9, seat 1, play, first 1", "display": "display: Ch Sp St", "cups": f"cups: {cups}"}
    return described("master", text, players, defaults)


def opening(players: int = 2, first: int = 1) -> Table:
    """Return the table before the display is dealt."""
    return opened("master", players, first)


def pile_of_all_but(kept: str) -> str:
    """Return one stack of every tile in the box but these, so that the pantry is empty."""
    return described_table.pile_of_all_but("master", kept)
