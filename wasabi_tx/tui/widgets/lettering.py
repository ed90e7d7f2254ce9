"""Words in blocks: the title of the game; in plain letters where half cells cannot be drawn."""

from __future__ import annotations

from ..canvas import BOLD, Canvas
from ..draw.lettering import HEIGHT, lettering_width, paint_lettering
from ..draw.sheet import Sheet
from .painted import Painted


class Lettering(Painted[str]):
    """Paints a word in blocks, in the middle of its rows."""

    DEFAULT_CSS = f"Lettering {{ width: 100%; height: {HEIGHT}; }}"

    def paint(self, view: str, width: int, height: int) -> Canvas:
        sheet = Sheet(self.means, width, height)
        size = lettering_width(view)
        if self.app.paints.depth and size is not None and size <= width and height >= HEIGHT:
            left, top = (width - size) // 2, (height - HEIGHT) // 2
            paint_lettering(sheet.canvas, left, top, view, self.app.paints["accent-shape"])
        else:
            sheet.write_centred(height // 2, sheet.say("tui.logo"), "accent", BOLD)
        return sheet.canvas
