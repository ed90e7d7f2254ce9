"""A few tiles as they look at the table, or signs that line up only where the terminal draws them well."""

from __future__ import annotations

from ...engine.editions import packaged_edition
from ..canvas import Canvas
from ..draw.board import square_canvas
from ..draw.sheet import Means, Sheet
from ..tiles import LARGE
from ..views.board_view import Square, ingredients
from .painted import Painted

TILES = ("Sa", "Av", "Ma", "Sh")
EMOJI = ("🍣", "🥑", "🍙", "🦐")


class TileSample(Painted[str]):
    """Paints `tiles`, or `emoji` with letters below them."""

    DEFAULT_CSS = f"TileSample {{ width: 100%; height: {LARGE.height}; }}"

    def paint(self, view: str, width: int, height: int) -> Canvas:
        shown = ingredients(packaged_edition("classic"))
        sheet = Sheet(Means(self.app.paints, self.app.texts, shown), width, height)
        if view == "emoji":
            for row, signs in enumerate((EMOJI, TILES)):
                sheet.write(0, row, f"|{'|'.join(signs)}|")
        elif height >= LARGE.height:
            language = self.app.texts.language
            for number, code in enumerate(TILES[: width // LARGE.width]):
                square = square_canvas(Square.of(shown[code], language), LARGE, self.app.paints, sheet.ground)
                sheet.canvas.paste(square, number * LARGE.width, 0)
        return sheet.canvas
