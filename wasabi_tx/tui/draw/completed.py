"""What everybody has completed, in the place of the own recipes: for a watcher, who has none."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.rules import AnyRules
from ...text.cells import cut, wrap
from ...text.foreign import clean
from ...view.table.recipe import recipe_name
from ...view.table.table import DeckView, SeatView
from ..canvas import BOLD, Canvas
from .recipes import recipes_title
from .sheet import Means, Sheet

NAME = 12


def paint_completed(
    seats: Sequence[SeatView], rules: AnyRules, means: Means, width: int, height: int, decks: Sequence[DeckView]
) -> Canvas:
    """Each player and the names of their recipes, the last one first; what has no room is left out."""
    sheet = Sheet(means, width, height)
    recipes_title(sheet, "panel.completed", decks)
    most = max(1, (height - 1) // len(seats))
    y = 1
    for seat in seats:
        sheet.seat(0, y, seat.number)
        sheet.write(2, y, cut(clean(seat.name, 24), NAME - 3), "text", BOLD if seat.to_move else 0)
        names = " · ".join(recipe_name(rules, means.texts, one) for one in reversed(seat.claimed))
        lines = wrap(names, width - NAME)[:most] if names else [sheet.say("card.empty")]
        for row, line in enumerate(lines):
            sheet.write(NAME, y + row, line, "text" if names else "faint")
        y += len(lines)
    return sheet.canvas
