"""A table of the first edition in a few lines of text.

    table('''
        board:
        Pi Da .
        seat 1 | tiles Ma | recipes pickle-barrel
    ''').do("place Ma c1; claim pickle-barrel; done")

Omitted squares, seats and lines are empty, and seat 1 is about to begin a turn.
"""

from __future__ import annotations

from tests.engine import described_table
from tests.engine.described_table import Table, described, opened

ONE_LEFT = """
    board:
    Ri Ri Ri Ri Ri
    Ma Ma Ma Ma Ma
    Tu Tu Tu Sa Sa
    Sa Ye Ye Ye Ee
    Ee Oc Sh Sh Sh
    Cr Cr Cr Sc .
"""
"""A board with one empty square."""


def table(text: str, players: int = 2) -> Table:
    return described("classic", text, players, {"turn": "turn: 9, seat 1, play, first 1"})


def opening(players: int = 2, first: int = 1) -> Table:
    """Return the table before the first gift."""
    return opened("classic", players, first)


def pile_of_all_but(kept: str) -> str:
    """Return one stack of every tile in the box but these, so that the pantry is empty."""
    return described_table.pile_of_all_but("classic", kept)
