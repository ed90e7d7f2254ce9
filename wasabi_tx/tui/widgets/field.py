"""The fields of a form: a value that is turned by keys or clicks, or a line that is typed."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from textual import events, getters, on
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Static

from ...text.cells import cut
from ...view.names import LONGEST
from ..forms.form import Field
from ..painted_app import PaintedApp
from ..safe_text import plain
from .line_input import LineInput

_PARTS = ("mark", "label", "value", "turn", "fixed")


class Turning(Widget):
    """One row that is turned: `▸ Edition   ‹ First edition ›`; without arrows if it cannot be changed."""

    DEFAULT_CSS = """
    Turning {
        height: 1; width: 100%; text-wrap: nowrap; text-overflow: clip;
        &:focus { background: $panel; }
        & > .turning--mark { color: $accent; text-style: bold; }
        & > .turning--label { color: $foreground; }
        & > .turning--value { color: $foreground; text-style: bold; }
        & > .turning--turn { color: $faint; text-style: bold; }
        & > .turning--fixed { color: $muted; text-style: bold; }
        &:focus > .turning--label { text-style: bold; }
        &:focus > .turning--value, &:focus > .turning--turn { color: $accent; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"turning--{part}" for part in _PARTS}
    app = getters.app(PaintedApp)
    field: reactive[Field] = reactive(Field("", "", "", ""), init=False)

    class Turned(Message):
        """Posted when a field is to have its next value, or the one before."""

        def __init__(self, name: str, by: int) -> None:
            super().__init__()
            self.name, self.by = name, by

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.set_reactive(Turning.field, field)
        self.can_focus = not field.fixed

    def watch_field(self, field: Field) -> None:
        self.can_focus = not field.fixed

    def render(self) -> Content:
        field, width = self.field, self.size.width
        parts = [self._part("▸ " if self.has_focus else "  ", "mark"), *self._seat()]
        value = cut(field.value, max(1, width - 6))
        used = sum(part.cell_length for part in parts)
        label = self._part(cut(field.label, max(1, width - used - cell_len(value) - 6)), "label")
        gap = Content(" " * max(0, width - used - label.cell_length - cell_len(value) - 5))
        if field.fixed:
            return Content("").join([*parts, label, gap, Content("  "), self._part(value, "fixed")])
        turns = [self._part("‹ ", "turn", -1), self._part(value, "value", 1), self._part(" ›", "turn", 1)]
        return Content("").join([*parts, label, gap, *turns])

    def _seat(self) -> list[Content]:
        """Return the number of the seat that the field is about, on its colour."""
        seat = self.field.seat
        if not seat:
            return []
        if self.app.paints.pixels:
            return [Content(f" {seat} ").stylize(f"bold $on-seat-{seat} on $seat-{seat}"), Content(" ")]
        return [Content(str(seat)).stylize(f"bold $seat-{seat}"), Content(" ")]

    def _part(self, words: str, part: str, by: int = 0) -> Content:
        style = self.get_visual_style(f"turning--{part}")
        if by:
            style += Style.from_meta({"turn": by})
        return plain(words).stylize(style)

    def on_click(self, event: events.Click) -> None:
        by = event.style.meta.get("turn")
        if by is not None:
            event.stop()
            self.post_message(self.Turned(self.field.id, by))


class Typed(Widget):
    """`▸ Your name      Ana`: a line that keeps what was typed when Enter ends it."""

    DEFAULT_CSS = """
    Typed {
        layout: horizontal; height: 1; width: 100%;
        &:focus-within { background: $panel; }
        & > Static { width: 1fr; height: 1; }
        & > LineInput { width: 17; height: 1; margin: 0 1; padding: 0; background: transparent; color: $foreground; }
        & > LineInput:focus { background-tint: $background 0%; color: $accent; text-style: bold; }
        & > LineInput:nocolor > .input--cursor { text-style: reverse; }
    }
    """
    field: reactive[Field] = reactive(Field("", "", "", ""), init=False)

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.set_reactive(Typed.field, field)
        self._words = Static()
        self.line = LineInput(field.value, field.placeholder, compact=True, max_length=LONGEST)
        self.line.cursor_blink = False

    def compose(self) -> ComposeResult:
        yield self._words
        yield self.line

    def on_mount(self) -> None:
        self._label()

    @property
    def is_changed(self) -> bool:
        """True if the line differs from the field's value."""
        return self.line.value != self.field.value

    def drop_line(self) -> None:
        """Put back what was there before."""
        self.line.value = self.field.value
        self.line.action_select_all()

    def watch_field(self, before: Field, field: Field) -> None:
        self.line.placeholder = field.placeholder
        if before.value != field.value or self.line.value == before.value:
            self.line.value = field.value
        self._label()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _label(self) -> None:
        chosen = self.line.has_focus
        label = Content.assemble(
            ("▸ " if chosen else "  ", "bold $accent"), (self.field.label, "bold" if chosen else "")
        )
        self._words.update(label)
