"""The head of a page: the name of the game, the title of the page, its subject and its state."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import getters
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from ...text.cells import cut
from ..painted_app import PaintedApp
from ..safe_text import plain

BRANDED = 60
"""Fewest columns for the name of the game."""
SOME = 8
"""Fewest columns for a note about the page."""


class PageHead(Widget):
    """One row: ` WASABI!  Review  Ana · First edition      5 of 13 turns`, as much of it as fits."""

    DEFAULT_CSS = """
    PageHead {
        height: 1; width: 100%; background: $panel; color: $foreground; text-wrap: nowrap; text-overflow: clip;
        & > .page-head--brand { background: $brand-ground; color: $brand; text-style: bold; }
        & > .page-head--title { color: $foreground; text-style: bold; }
        & > .page-head--about { color: $muted; }
        & > .page-head--state { color: $accent; }
        & > .page-head--alarm { background: $brand-ground; color: $brand; text-style: bold; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "page-head--brand",
        "page-head--title",
        "page-head--about",
        "page-head--state",
        "page-head--alarm",
    }
    app = getters.app(PaintedApp)
    heading: reactive[str] = reactive("")
    """The page's title."""
    about: reactive[str] = reactive("")
    """The page's subject or choice, in a few words."""
    state: reactive[str] = reactive("")
    """The state, at the right end."""
    alarm: reactive[bool] = reactive(False)
    """True if that state is a problem."""

    def render(self) -> Content:
        width, brand = self.size.width, f" {self.app.texts.say('tui.brand')} "
        parts: list[Content] = []
        if width >= BRANDED:
            parts.append(self._part(brand, "brand"))
        parts += [Content(" "), self._part(self.heading, "title"), Content("  ")]
        x = sum(part.cell_length for part in parts)
        end = width - cell_len(self.state) - 2 if self.state else width
        if end - x > SOME:
            parts.append(self._part(cut(self.about, end - x - 1), "about"))
        elif cell_len(self.heading) + 2 > end:
            parts = [Content(" "), self._part(cut(self.heading, max(1, end - 2)), "title")]
        if self.state:
            gap = width - sum(part.cell_length for part in parts) - cell_len(self.state) - 1
            parts += [Content(" " * max(0, gap)), self._part(self.state, "alarm" if self.alarm else "state")]
        return Content("").join(parts)

    def _part(self, words: str, part: str) -> Content:
        return plain(words).stylize(self.get_visual_style(f"page-head--{part}"))
