"""Everybody's state: the players as beside the board, and below their completed recipes and preferences."""

from __future__ import annotations

from typing import NamedTuple

from ...engine.observe import Observation
from ...text.cells import cut, wrap
from ...text.foreign import clean
from ...view.table.ending import Completed
from ...view.table.recipe import recipe_name
from ...view.table.table import TableView
from ..canvas import BOLD, Canvas, stacked
from ..views.board_view import ingredients
from ..views.panel_views import PlayersView, token_counts
from ..widgets.table.players import paint_players
from ..widgets.tall_picture import TallPicture
from .ending import chip_rows, paint_chip
from .sheet import Means, Sheet

ROWS = 3
"""Rows of a player, with the tiles by name."""
NAME = 14


class WhoView(NamedTuple):
    """A table as somebody sees it."""

    observation: Observation
    view: TableView


class WhoPicture(TallPicture[WhoView]):
    """Paints what everybody has, and what they have completed."""

    def paint_tall(self, view: WhoView, width: int) -> Canvas:
        texts, edition = self.app.texts, view.observation.rules.edition
        cards = {one.code: one.names[texts.language].partition(" (")[0] for one in edition.actions}
        means = Means(self.app.paints, texts, ingredients(edition), cards)
        return paint_who(view.observation, view.view, means, width)


def paint_who(observation: Observation, view: TableView, means: Means, width: int) -> Canvas:
    rules = observation.rules
    players = paint_players(
        PlayersView(view.seats, token_counts(rules.edition)), means, width, 2 + ROWS * len(view.seats)
    )
    title = Sheet(means, width, 2)
    title.title(1, title.say("panel.completed"))
    parts = [players, title.canvas]
    for seat, state in zip(view.seats, observation.position.seats, strict=True):
        done = tuple(
            Completed(recipe_name(rules, means.texts, one.recipe), rules.edition.recipes[one.recipe].points, one.cubes)
            for one in state.claimed
        )
        rows = chip_rows(done, width - NAME)
        liked = means.texts.say(f"seat.about.{seat.character}") if seat.character else ""
        about = wrap(liked, width - NAME) if liked else []
        below = max(1, len(rows))
        sheet = Sheet(means, width, below + len(about))
        sheet.seat(0, 0, seat.number)
        name = sheet.say("tui.you") if seat.you else clean(seat.name, 20)
        sheet.write(2, 0, cut(name, NAME - 3), "text", BOLD if seat.you else 0)
        if not rows:
            sheet.write(NAME, 0, sheet.say("ending.nothing"), "faint")
        for y, row in enumerate(rows):
            x = NAME
            for recipe in row:
                x = paint_chip(sheet, x, y, recipe) + 1
        for y, line in enumerate(about, below):
            sheet.write(NAME, y, line, "muted")
        parts.append(sheet.canvas)
    return stacked(parts, width, title.ground)
