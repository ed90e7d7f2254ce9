"""The end of a game: who won and why, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...text import Texts
from ..canvas import Canvas
from ..draw.lettering import HEIGHT, lettering_width, paint_lettering
from ..keys import bindings_on
from ..safe_text import plain
from ..spans import Line
from ..wasabi_app import wasabi_app
from ..widgets.marked_list import MarkedList
from ..widgets.painting import Painting
from .page import Page, rich_lines

TALL = 32
"""Rows from which a win is written in blocks."""
WAYS = ("again", "replay", "look", "home")
"""A watcher, or the last one at a table, is not offered a rematch."""


class EndPage(Page[str]):
    """Gives `again`, `replay`, `home`, or nothing to look at the board."""

    # Before the list, which has the focus, takes them for itself.
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("ending", first=True)

    def __init__(self, lines: Sequence[Line], texts: Texts, again: bool = True, banner: bool = False) -> None:
        super().__init__()
        self._banner = texts.say("ending.banner") if banner else ""
        self._ways = WAYS if again else WAYS[1:]
        self.lines = tuple(lines)
        self._texts = texts

    def compose(self) -> ComposeResult:
        say = self._texts.say
        with Vertical():
            if self._banner:
                yield Painting("banner")
            yield Static(plain(say("play.over")), classes="title")
            with VerticalScroll(classes="body"):
                yield Static(rich_lines(self.lines, wasabi_app(self).palette))
            yield MarkedList(*(Option(plain(say(f"tui.end.{way}")), id=way) for way in self._ways))

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self._write_banner()

    def on_resize(self) -> None:
        self._write_banner()

    def _write_banner(self) -> None:
        """The win in letters of blocks, where they fit and leave room for the rest."""
        if not self._banner:
            return
        paints, banner = wasabi_app(self).paints, self.query_one("#banner", Painting)
        size, room = lettering_width(self._banner), min(self.size.width, 100) - 4
        fits = paints.depth and size is not None and size <= room and self.size.height >= TALL
        banner.display = fits
        if fits and size is not None:
            canvas = Canvas(room, HEIGHT, paints["surface"])
            paint_lettering(canvas, (room - size) // 2, 0, self._banner, paints["points-shape"])
            banner.canvas = canvas

    def action_act(self, name: str) -> None:
        if name in ("page_up", "page_down"):
            self._scroll(-1 if name == "page_up" else 1)
        else:
            super().action_act(name)

    def _scroll(self, pages: int) -> None:
        body = self.query_one(VerticalScroll)
        body.scroll_relative(y=pages * max(1, body.size.height - 1), animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id or "look")
