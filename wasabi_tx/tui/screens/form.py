"""The page of a form: up and down walk its fields, left and right turn the value, Enter takes all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from textual import events
from textual.app import ComposeResult

from ...engine.editions import packaged_edition
from ...view.names import LONGEST
from ...view.press import ChooseRow, Do, Press, TurnValue
from ..canvas import stacked
from ..draw.form import paint_form
from ..draw.keys_line import KeyHint
from ..draw.page_foot import ROWS, paint_page_foot
from ..draw.page_head import paint_page_head
from ..draw.sheet import Means
from ..keys import BY_ID, keys_on, shown_keys
from ..scene import ingredients
from ..wasabi_app import wasabi_app
from ..widgets.keyboard import Keyboard
from ..widgets.painting import Painting
from .page import Page

if TYPE_CHECKING:
    from ...engine.edition import Ingredient
    from ..forms.form import Field, FieldGroup, Form

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
        form, texts, groups = self.form, app.texts, self.form.groups(app.texts)
        field = self._fields[self.at]
        if self.keyboard.is_open:
            # The line that is being typed lies where the value is.
            fields = {field: field._replace(value=" " * (LONGEST + 1))}
            groups = [group._replace(fields=tuple(fields.get(one, one) for one in group.fields)) for group in groups]
        means = Means(app.paints, texts, self._sampled(groups), {}, {})
        head = paint_page_head(form.title(texts), form.summary(texts), means, width)
        body = paint_form(groups, self.at, means, width, height - ROWS - 1, form.intro(texts))
        button, *hints = self._typing_hints() if self.keyboard.is_open else self._hints(field)
        foot = paint_page_foot(button, hints, means, width, "")
        whole = stacked([head, body, foot], width, means.paints["background"])
        self.query_one("#form", Painting).canvas = whole
        value = next((one for one in whole.clicks if one.press == TurnValue(self.at, 1)), None)
        if value is not None:
            self.keyboard.place(value.x, value.y, LONGEST + 1)

    def _sampled(self, groups: Sequence[FieldGroup]) -> Mapping[str, Ingredient]:
        """What samples are made of, if there are any."""
        if not any(field.sample for group in groups for field in group.fields):
            return {}
        return ingredients(packaged_edition("classic"))

    def _hint(self, action: str, words: str) -> KeyHint:
        app = wasabi_app(self)
        return KeyHint(shown_keys(BY_ID[action], app.settings.keys, app.texts)[0], words, Do(action))

    def _hints(self, field: Field) -> list[KeyHint]:
        """The button, every other key that works on this field, and how to leave."""
        texts = wasabi_app(self).texts
        change = KeyHint("← →", texts.say("tui.change-it").lower(), Do("value_after"))
        if field.typed:
            change = KeyHint("A–Z", texts.say("form.type"), Do("value_after"))
        return [
            self._hint("fill_in", self.form.button(texts)),
            KeyHint("↑ ↓", texts.say("tui.action.choose"), Do("row_down")),
            change,
            self._hint("close", self.form.leaving(texts)),
        ]

    def _typing_hints(self) -> list[KeyHint]:
        say = wasabi_app(self).texts.say
        return [
            KeyHint(say("tui.key.enter"), say("tui.take-name"), Do("fill_in")),
            KeyHint(say("tui.key.escape"), say("form.drop"), Do("close")),
        ]

    @property
    def words(self) -> str:
        return self.query_one("#form", Painting).words

    # What is pressed

    async def take_key(self, event: events.Key) -> None:
        name = keys_on("form", wasabi_app(self).settings.keys).get(event.key)
        if self._fields[self.at].typed and event.is_printable and event.character:
            event.stop()
            self._type(event.character)
        elif name is not None:
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
        if self._fields[row].typed:
            self._go(row)
            self._type("")
            return
        self.form.turn(self._fields[row].id, by)
        self._go(min(row, len(self._fields) - 1))

    def _type(self, begun: str) -> None:
        """Opens the line of this field; the key that opened it may be its first letter."""
        self.keyboard.open(self._typed, self.draw, LONGEST)
        self.keyboard.insert_text_at_cursor(begun)

    async def _typed(self, text: str) -> None:
        self.form.write(self._fields[self.at].id, text)
        self.draw()

    def take_press(self, press: Press) -> None:
        match press:
            case ChooseRow(row):
                self._go(row)
            case TurnValue(row, by):
                self._turn(row, by)
            case Do("fill_in") if self.keyboard.is_open:
                self.run_worker(self.keyboard.finish(), name="typed")
            case _ if self.keyboard.is_open:
                self.keyboard.close()
            case Do(action):
                self.action_act(action)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_act("row_up")

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_act("row_down")
