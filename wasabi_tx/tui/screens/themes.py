"""The themes by name: the whole look changes as the cursor moves, Enter keeps it, and Esc puts the old one back."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ...app.theme import Theme
from ...engine.edition import Edition
from ...engine.editions import packaged_edition
from ...text.cells import cut
from ...text.foreign import clean
from ..bindings import bindings_on
from ..canvas import Canvas
from ..draw.sheet import Means
from ..draw.theme_sample import Sample, paint_sample
from ..safe_text import plain
from ..views.board_view import ingredients
from ..widgets.list_title import ListTitle
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.page_head import PageHead
from ..widgets.painted import Painted
from .page import Page

LIST, NARROW = 36, 26
"""Columns of the list, where there is room for a sample beside it, and where there is little."""


class ThemeSample(Painted[Edition]):
    """Paints a corner of a board, recipes, chips, and tiles for every kind of eyes, in the theme of the app."""

    def paint(self, view: Edition, width: int, height: int) -> Canvas:
        means = Means(self.app.paints, self.app.texts, ingredients(view))
        return paint_sample(Sample(view, means), width, height)


class ThemesPage(Page[None], inherit_bindings=False):
    CSS_PATH = "themes.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("themes", priority=True)
    HORIZONTAL_BREAKPOINTS = [(0, "-small"), (72, "-beside"), (110, "-wide")]  # noqa: RUF012 - as Textual declares it

    def __init__(self) -> None:
        super().__init__()
        self._before = self.wasabi.settings.theme
        self._head, self._foot = PageHead(), PageFoot()
        self._list = OptionList(*(Option("", id=theme.id) for theme in self.wasabi.themes))
        self._list.highlighted = [theme.id for theme in self.wasabi.themes].index(self.wasabi.shown_theme.id)

    def compose(self) -> ComposeResult:
        yield self._head
        with Horizontal(id="body"):
            with Vertical(id="list"):
                yield ListTitle(self.texts.say("tui.setting.theme"))
                yield self._list
            yield ThemeSample(packaged_edition("classic"))
        yield self._foot

    def on_resize(self) -> None:
        self._show_themes()
        self._list.scroll_to_highlight()

    @property
    def at(self) -> int:
        """The number of the theme that is tried out."""
        return self._list.highlighted or 0

    def _show_themes(self) -> None:
        """Show every theme by name, with a word about it where there is room."""
        chosen, head, foot = self.wasabi.themes[self.at], self._head, self._foot
        head.heading = self.texts.say("tui.setting.theme")
        head.about = f"{clean(self._theme_name(chosen))} · {self._about(chosen)}"
        for number, theme in enumerate(self.wasabi.themes):
            self._list.replace_option_prompt_at_index(number, self._row(theme, number == self.at))
        foot.button = self.hint("use_theme")
        foot.hints = (KeyHint("↑ ↓", self.texts.say("tui.action.choose"), "row_down"), self.hint("old_theme"))

    def _row(self, theme: Theme, chosen: bool) -> Content:
        width = self.size.width if self.has_class("-small") else LIST if self.has_class("-wide") else NARROW
        name = plain(f"{'▸' if chosen else ' '} {cut(clean(self._theme_name(theme)), width - 5)}").stylize("bold")
        about = self._about(theme)
        gap = width - 3 - name.cell_length - cell_len(about)
        if width >= LIST and gap >= 2:
            look = "" if chosen and self.wasabi.paints.pixels else "$muted"
            name = name.append(" " * gap).append(plain(about).stylize(look))
        return name

    def _theme_name(self, theme: Theme) -> str:
        return theme.names[self.texts.language]

    def _about(self, theme: Theme) -> str:
        key = f"themes.about.{theme.id}"
        return self.texts.say(key if self.texts.knows(key) else "themes.dark" if theme.dark else "themes.light")

    # Actions

    def action_row_up(self) -> None:
        self._list.action_cursor_up()

    def action_row_down(self) -> None:
        self._list.action_cursor_down()

    def action_use_theme(self) -> None:
        self.wasabi.change(theme=self.wasabi.themes[self.at].id)
        self.dismiss()

    def action_old_theme(self) -> None:
        self.wasabi.try_out(theme=self._before)
        self.dismiss()

    @on(OptionList.OptionHighlighted)
    def _try_out(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if self.is_current and event.option_id != self.wasabi.shown_theme.id:
            self.wasabi.try_out(theme=event.option_id)
            self._show_themes()
