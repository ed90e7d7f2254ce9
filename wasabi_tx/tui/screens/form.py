"""The page of a form: up and down walk its fields, left and right turn the value, Enter takes all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual import events
from textual.app import ComposeResult

from ...view.press import ChooseRow, Do, Press, TurnValue
from ..canvas import stacked
from ..draw.form import paint_form
from ..draw.keys_line import KeyHint
from ..draw.page_foot import ROWS, paint_page_foot
from ..draw.page_head import paint_page_head
from ..draw.sheet import Means
from ..keys import BY_ID, keys_on, shown_keys
from ..wasabi_app import wasabi_app
from ..widgets.keyboard import Keyboard
from ..widgets.painting import Painting
from .page import Page

if TYPE_CHECKING:
    from ..forms.form import Field, Form

R = TypeVar("R")


class FormPage(Page[R]):
    """Gives what the form comes to, or nothing."""

    def __init__(self, form: Form[R]) -> None:
        super().__init__()
        self.form = form
        self.at = 0

    def compose(self) -> ComposeResult:
        yield Painting("form")
        self.keyboard = Keyboard(self.take_key)
        yield self.keyboard

    def on_mount(self) -> None:
        self.keyboard.display = True
        self.keyboard.focus()
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    @property
    def _fields(self) -> list[Field]:
        return [field for group in self.form.groups(wasabi_app(self).texts) for field in group.fields]

    def draw(self) -> None:
        width, height = self.size
        if not width or height <= ROWS + 1 or not self.is_mounted:
            return
        app = wasabi_app(self)
        means, form = Means(app.paints, app.texts, {}, {}, {}), self.form
        head = paint_page_head(form.title(app.texts), form.summary(app.texts), means, width)
        body = paint_form(form.groups(app.texts), self.at, means, width, height - ROWS - 1)
        foot = paint_page_foot(self._hint("fill_in", form.button(app.texts)), self._hints(), means, width, "")
        self.query_one("#form", Painting).canvas = stacked([head, body, foot], width, means.paints["background"])

    def _hint(self, action: str, words: str) -> KeyHint:
        app = wasabi_app(self)
        return KeyHint(shown_keys(BY_ID[action], app.settings.keys, app.texts)[0], words, Do(action))

    def _hints(self) -> list[KeyHint]:
        say = wasabi_app(self).texts.say
        return [
            KeyHint("↑ ↓", say("tui.action.choose"), Do("row_down")),
            KeyHint("← →", say("tui.change-it").lower(), Do("value_after")),
            self._hint("close", say("tui.action.close")),
        ]

    @property
    def words(self) -> str:
        return self.query_one("#form", Painting).words

    # What is pressed

    async def take_key(self, event: events.Key) -> None:
        name = keys_on("form", wasabi_app(self).settings.keys).get(event.key)
        if name is not None:
            event.stop()
            self.action_act(name)

    def action_act(self, name: str) -> None:
        match name:
            case "row_up" | "row_down":
                by = 1 if name == "row_down" else -1
                self._go(self.at + by, by)
            case "value_before" | "value_after":
                self._turn(self.at, 1 if name == "value_after" else -1)
            case "fill_in":
                self.dismiss(self.form.result)
            case _:
                super().action_act(name)

    def _go(self, row: int, by: int = 1) -> None:
        """To a row, or the next one that can be changed."""
        fields = self._fields
        while fields[row % len(fields)].fixed:
            row += by
        self.at = row % len(fields)
        self.draw()

    def _turn(self, row: int, by: int) -> None:
        self.form.turn(self._fields[row].id, by)
        self._go(min(row, len(self._fields) - 1))

    def take_press(self, press: Press) -> None:
        match press:
            case ChooseRow(row):
                self._go(row)
            case TurnValue(row, by):
                self._turn(row, by)
            case Do(action):
                self.action_act(action)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_act("row_up")

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_act("row_down")
