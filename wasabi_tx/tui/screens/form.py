"""The page of a form: up and down move through its fields, left and right change a value, Enter submits it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from ..bindings import bindings_on
from ..draw.belt import belt_rows
from ..draw.lettering import HEIGHT, lettering_width
from ..draw.portrait import HIGH, WIDE
from ..safe_text import plain
from ..tiles import LARGE
from ..widgets.belt import Belt
from ..widgets.field import Turning, Typed
from ..widgets.lettering import Lettering
from ..widgets.line_input import LineInput
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.page_head import PageHead
from ..widgets.portrait import Gallery, Portrait, Sitter
from ..widgets.tile_sample import TileSample
from .page import Page

if TYPE_CHECKING:
    from ..forms.form import Field, Form

AROUND = 3
"""Rows of the head and the foot."""
BESIDE, WIDER = 72, 93
"""Fewest columns for the description beside its field, and for a wider one."""
WIDEST = 98
FRAME = 2
"""Rows that a border takes."""
BESIDE_PORTRAIT, BESIDE_SAMPLE = HIGH + 8, LARGE.height + 6
"""Rows of the description with a portrait, and with a sample of a look."""
ROOMY, LEAST_FORM = 34, 8
"""Fewest rows for a belt above the introduction, and rows that the form needs below it."""
R = TypeVar("R")


def _form_bindings() -> Iterator[BindingType]:
    """Yield the keys of a form; they run at once, in order, but letters only while nothing is being typed."""
    for binding in bindings_on("form", priority=True) + bindings_on("page", priority=True):
        assert isinstance(binding, Binding)
        keys = binding.key.split(",")
        letters = [key for key in keys if len(key) == 1 or key == "space"]
        others = [key for key in keys if key not in letters]
        for some, action in ((others, binding.action), (letters, binding.action.replace("act(", "letter("))):
            if some:
                yield Binding(",".join(some), action, binding.description, show=False, priority=True, id=binding.id)


class FormPage(Page[R], inherit_bindings=False):
    """A form: dismissed with its result, or with None."""

    CSS_PATH = "form.tcss"
    BINDINGS: ClassVar[list[BindingType]] = list(_form_bindings())
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDER, "-wider")]  # noqa: RUF012 - as Textual declares it

    def __init__(self, form: Form[R]) -> None:
        super().__init__()
        self.form = form
        self._deep = 0
        self._head, self._foot = PageHead(), PageFoot()
        self._intro, self._belt, self._told = Vertical(id="intro"), Belt(classes="-large"), Static()
        self._boxes: list[Vertical] = []
        self._fields = VerticalScroll(id="fields", can_focus=False)
        self._words, self._portrait, self._sample = Static(), Portrait(), TileSample()
        self._about = Vertical(self._portrait, self._words, self._sample, id="about")
        self._gallery = Gallery(id="gallery")

    def compose(self) -> ComposeResult:
        yield self._head
        if self.form.intro(self.texts):
            with self._intro:
                yield Lettering(self.texts.say("tui.brand"))
                yield self._belt
                yield Center(self._told)
        with Vertical(id="body"):
            yield Static(id="above")
            with Horizontal(id="sheet"):
                with self._fields:
                    for group in self.form.groups(self.texts):
                        self._boxes.append(Vertical(*(_row(field) for field in group.fields), classes="group"))
                    self._boxes[-1].add_class("-last")
                    yield from self._boxes
                yield self._about
            yield self._gallery
            yield Static(id="below")
        yield self._foot

    async def on_resize(self) -> None:
        await self.refresh_form()
        if self.focused is not None:
            self.call_after_refresh(self.focused.scroll_visible, animate=False)

    # Drawing

    async def refresh_form(self) -> None:
        """Show the form's present fields: some come and go as others change."""
        if not self._boxes or not self.is_attached:
            return
        texts, groups = self.texts, self.form.groups(self.texts)
        self._head.heading, self._head.about = self.form.title(texts), self.form.summary(texts)
        for box, group in zip(self._boxes, groups, strict=True):
            box.border_title = plain(group.title.upper())
            rows = {row.field.id: row for row in box.children if isinstance(row, Turning | Typed)}
            gone = [row for name, row in rows.items() if name not in {field.id for field in group.fields}]
            for row in gone:
                await row.remove()
            for number, field in enumerate(group.fields):
                if field.id in rows:
                    rows[field.id].field = field
                elif box.is_attached:
                    await box.mount(_row(field), before=number if number < len(box.children) else None)
        self._choose_shape()
        self._show_about()

    def _choose_shape(self) -> None:
        """Set the classes for all that depends on how many rows there are."""
        width, groups = self.size.width, self.form.groups(self.texts)
        rows = self.size.height - AROUND - self._show_intro()
        fields = [field for group in groups for field in group.fields]
        tall = len(fields) + FRAME * len(groups)
        gap = int(rows > tall + len(groups))
        pitch = 2 if rows >= 2 * len(fields) + len(groups) * (FRAME + 2) + 4 else 1
        used = pitch * len(fields) + (pitch - 1 + FRAME + gap) * len(groups) - gap
        seats = [field for field in fields if field.portrait and self._has_portrait(field)]
        below = bool(seats) and rows >= used + HIGH + 3 and len(seats) * (WIDE + 2) <= min(WIDEST, width - 2)
        sampled = BESIDE_SAMPLE if any(field.sample for field in fields) else 0
        beside = BESIDE_PORTRAIT if seats and not below else sampled
        listed = width < BESIDE or rows < tall
        shape = {"-apart": bool(gap), "-roomy": pitch > 1, "-gallery": below}
        self.update_classes({"-listed": listed} | {name: not listed and given for name, given in shape.items()})
        self._deep = max(used, min(rows - gap, beside))
        self._about.styles.min_height = 0 if listed else self._deep

    def _has_portrait(self, field: Field) -> bool:
        paints = self.wasabi.paints
        return paints.depth and field.portrait in paints.pictures.portrait

    def _show_intro(self) -> int:
        """Show what is read first, where there is room for it; return its rows."""
        if not self.form.intro(self.texts):
            return 0
        width, height = self.size.width, self.size.height - AROUND
        told = plain(self.form.intro(self.texts))
        self._told.update(told)
        size = lettering_width(self.texts.say("tui.brand"))
        lines = len(told.wrap(min(72, width - 4)))
        belt = belt_rows(large=True) + 3 if height >= ROOMY else 0
        rows = HEIGHT + belt + lines
        self._intro.display = size is not None and size <= width >= BESIDE and height >= rows + LEAST_FORM
        self._belt.display = bool(belt)
        self._intro.set_class(bool(belt), "-apart")
        return rows if self._intro.display else 0

    @property
    def chosen(self) -> Field | None:
        """The field that has the focus."""
        focused = self.focused
        if isinstance(focused, Turning):
            return focused.field
        return focused.parent.field if focused is not None and isinstance(focused.parent, Typed) else None

    def _show_about(self) -> None:
        """Show what the value of the chosen field means, with the portrait of who it is, and every key that works."""
        field = self.chosen
        if field is None:
            return
        about, listed, below = self._about, self.has_class("-listed"), self.has_class("-gallery")
        about.border_title = plain((field.title or field.label).upper())
        self._words.update(plain(field.about))
        told = plain(field.about)
        rows = self.size.height - AROUND - len(told.wrap(max(1, self.size.width - 2))) - 1
        self._fields.styles.max_height = max(3, rows) if listed else None
        about.display = not listed or rows >= 3
        portrait = not listed and not below and self._has_portrait(field)
        lines = len(told.wrap(40 if self.size.width >= WIDER else 26))
        room = HIGH + lines + 5 if portrait else LARGE.height + lines + 4
        tight, sample = not listed and self._deep < room, bool(field.sample) and not listed
        self.update_classes({"-tight": tight, "-portrait": portrait, "-sample": sample})
        self._portrait.view = Sitter(field.portrait, field.seat)
        self._sample.view = field.sample
        everybody = [one for group in self.form.groups(self.texts) for one in group.fields if one.portrait]
        self._gallery.view = tuple(Sitter(one.portrait, one.seat, one.title, one == field) for one in everybody)
        self._foot.button, *hints = self._hints(field)
        self._foot.hints = tuple(hints)

    def _hints(self, field: Field) -> list[KeyHint]:
        """Return the button, every other key that works on this field, and how to leave."""
        say = self.texts.say
        typed = self._typed()
        if typed is not None and self.focused is typed.line and typed.is_changed:
            return [self.hint("fill_in", say("tui.take-name")), self.hint("close", say("form.drop"))]
        change = (
            KeyHint("A–Z", say("form.type"))
            if field.typed
            else KeyHint("← →", say("tui.change-it").lower(), "value_after")
        )
        return [
            self.hint("fill_in", self.form.button(self.texts)),
            KeyHint("↑ ↓", say("tui.action.choose"), "row_down"),
            change,
            self.hint("close", self.form.leaving(self.texts)),
        ]

    # Actions

    def _typed(self) -> Typed | None:
        return next(iter(self.query(Typed)), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave letters, and the keys that edit, to a line that has the focus."""
        typed = self._typed()
        typing = typed is not None and self.focused is typed.line
        if typing and (action == "letter" or parameters in (("value_before",), ("value_after",))):
            return False
        return super().check_action("act" if action == "letter" else action, parameters)

    async def action_letter(self, name: str) -> None:
        await self.action_act(name)

    def action_row_up(self) -> None:
        self._walk(-1)

    def action_row_down(self) -> None:
        self._walk(1)

    def _walk(self, by: int) -> None:
        """Focus the field after the chosen one, or before: also one that has no place on the screen yet."""
        rows = [row for row in self.query("Turning, Typed").results(Widget) if not _field(row).fixed]
        chosen = self.chosen
        at = next((number for number, row in enumerate(rows) if chosen and _field(row).id == chosen.id), -by)
        row = rows[(at + by) % len(rows)]
        self.set_focus(row.line if isinstance(row, Typed) else row)

    async def action_value_before(self) -> None:
        await self._turn(-1)

    async def action_value_after(self) -> None:
        await self._turn(1)

    async def _turn(self, by: int) -> None:
        if self.chosen is not None:
            self.form.turn(self.chosen.id, by)
            await self.refresh_form()

    def action_fill_in(self) -> None:
        self._after_typing(self._fill_in)

    def action_close(self) -> None:
        self._after_typing(self._close)

    def _after_typing(self, then: Callable[[], None]) -> None:
        """Call an action once all earlier key presses have reached the line being typed."""
        typed = self._typed()
        if typed is None:
            then()
        else:
            typed.line.call_later(then)

    def _fill_in(self) -> None:
        typed = self._typed()
        if typed is not None and typed.is_changed:
            self._take_line(typed)
        elif self.is_current:
            self.dismiss(self.form.result)

    def _take_line(self, typed: Typed) -> None:
        """Take what was typed; what cannot be taken is dropped."""
        self.form.write(typed.field.id, typed.line.value)
        groups = self.form.groups(self.texts)
        typed.field = next(one for group in groups for one in group.fields if one.id == typed.field.id)
        typed.drop_line()
        self.call_later(self.refresh_form)

    def _close(self) -> None:
        typed = self._typed()
        if typed is not None and typed.is_changed:
            typed.drop_line()
        elif self.is_current:
            self.dismiss()

    @on(Turning.Turned)
    async def _turned(self, message: Turning.Turned) -> None:
        message.stop()
        self.form.turn(message.name, message.by)
        await self.refresh_form()

    @on(events.DescendantFocus)
    @on(LineInput.Changed)
    def _chosen_another(self) -> None:
        self._show_about()


def _field(row: Widget) -> Field:
    assert isinstance(row, Turning | Typed)
    return row.field


def _row(field: Field) -> Turning | Typed:
    return Typed(field) if field.typed else Turning(field)
