"""The themes by name: the whole look changes as the cursor moves, Enter keeps it, and Esc puts the old one back."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType

from ...engine.editions import packaged_edition
from ...text import Texts
from ...text.cells import cut
from ...text.foreign import clean
from ...view.press import ChooseRow, Do, Press
from ...view.theme import Theme
from ..canvas import BOLD, Canvas, stacked
from ..draw.keys_line import KeyHint
from ..draw.page_foot import ROWS, paint_page_foot
from ..draw.page_head import paint_page_head
from ..draw.sheet import Means, Sheet
from ..draw.theme_sample import Sample, paint_sample
from ..keys import BY_ID, bindings_on, shown_keys
from ..scene import ingredients
from ..wasabi_app import wasabi_app
from ..widgets.painting import FocusedPainting
from .page import Page

BESIDE = 72
"""Columns from which the sample stands beside the list."""
LIST = 36
"""Columns of the list, where there is room for a sample beside it."""
NARROW = 26


class ThemesPage(Page[None], inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("themes", first=True)

    def compose(self) -> ComposeResult:
        yield FocusedPainting("themes")

    def on_mount(self) -> None:
        app = wasabi_app(self)
        self._before = app.settings.theme
        self._edition = packaged_edition("classic")
        ids = [theme.id for theme in app.themes]
        self.at = ids.index(app.palette.theme.id)
        self.query_one(FocusedPainting).focus()
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    @property
    def _texts(self) -> Texts:
        return wasabi_app(self).texts

    def draw(self) -> None:
        width, height = self.size
        if not width or height <= ROWS + 1 or not self.is_mounted:
            return
        app, texts = wasabi_app(self), self._texts
        means = Means(app.paints, texts, ingredients(self._edition), {}, {})
        chosen = app.themes[self.at]
        about = f"{clean(self._theme_name(chosen))} · {self._about(chosen)}"
        head = paint_page_head(texts.say("tui.setting.theme"), about, means, width)
        room = height - ROWS - 1
        wide = width if width < BESIDE else LIST if width >= 110 else NARROW
        body = Canvas(width, room, means.paints["background"])
        body.paste(self._list(means, wide, room), 0, 0)
        if width >= BESIDE:
            body.paste(paint_sample(Sample(self._edition, means), width - wide - 1, room - 1), wide + 1, 1)
        hints = [KeyHint("↑ ↓", texts.say("tui.action.choose"), Do("row_down")), self._hint("old_theme")]
        foot = paint_page_foot(self._hint("use_theme"), hints, means, width, "")
        self.query_one(FocusedPainting).canvas = stacked([head, body, foot], width, means.paints["background"])

    def _list(self, means: Means, width: int, height: int) -> Canvas:
        """Every theme by name, with a word about it where there is room."""
        sheet = Sheet(means, width, height)
        sheet.title(1, means.texts.say("tui.setting.theme"), x=1, end=width - 1)
        themes = wasabi_app(self).themes
        pitch = 2 if height >= 3 + 2 * len(themes) else 1
        top = max(0, self.at - (height - 4) // pitch)
        for number, theme in enumerate(themes[top:], top):
            y = 3 + (number - top) * pitch
            if y >= height:
                break
            self._row(sheet, y, theme, number)
        return sheet.canvas

    def _row(self, sheet: Sheet, y: int, theme: Theme, number: int) -> None:
        paints, chosen = sheet.paints, number == self.at
        ink, muted = paints["text"], paints["muted"]
        if chosen and paints.pixels:
            sheet.canvas.ground(1, y, sheet.width - 2, 1, paints["accent-shape"])
            ink = muted = paints.ink_on(paints["accent-shape"])
        sheet.canvas.text(1, y, "▸" if chosen else " ", ink, BOLD)
        x = sheet.canvas.text(3, y, cut(clean(self._theme_name(theme)), sheet.width - 5), ink, BOLD)
        about = self._about(theme)
        if sheet.width >= LIST and x + 2 + cell_len(about) <= sheet.width - 2:
            sheet.canvas.text(sheet.width - 2 - cell_len(about), y, about, muted)
        sheet.canvas.click(1, y, sheet.width - 2, 1, ChooseRow(number))

    def _theme_name(self, theme: Theme) -> str:
        return theme.names[self._texts.language]

    def _about(self, theme: Theme) -> str:
        key = f"themes.about.{theme.id}"
        return self._texts.say(key if self._texts.knows(key) else "themes.dark" if theme.dark else "themes.light")

    def _hint(self, action: str) -> KeyHint:
        key = shown_keys(BY_ID[action], wasabi_app(self).settings.keys, self._texts)[0]
        return KeyHint(key, self._texts.say(f"tui.action.{action}"), Do(action))

    @property
    def words(self) -> str:
        return self.query_one(FocusedPainting).words

    # What is pressed

    def action_act(self, name: str) -> None:
        app = wasabi_app(self)
        match name:
            case "row_up" | "row_down":
                self._choose(self.at + (1 if name == "row_down" else -1))
            case "use_theme":
                app.change(theme=app.themes[self.at].id)
                self.dismiss()
            case "old_theme":
                app.try_out(theme=self._before)
                self.dismiss()

    def _choose(self, number: int) -> None:
        app = wasabi_app(self)
        self.at = number % len(app.themes)
        app.try_out(theme=app.themes[self.at].id)
        self.draw()

    def take_press(self, press: Press) -> None:
        match press:
            case ChooseRow(row):
                self._choose(row)
            case Do(action):
                self.action_act(action)
