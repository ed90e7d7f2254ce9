"""A screen of rows with a cursor and a line to type: the waiting room, the lobby, the first start."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult

from ...text.cells import fit, wrap
from ...text.foreign import clean
from ...view.press import ChooseRow, Do, Press
from ..draw.belt import belt_rows, paint_belt
from ..draw.footer import footer_line
from ..keys import BY_ID, shown_keys
from ..spans import Line, Span, clip, line_width
from ..widgets.keyboard import Keyboard, Taken
from ..widgets.painting import Painting
from ..widgets.panel import Panel, Pressed
from .base import ActionScreen, Handler

ROOMY = 34
"""Rows from which a screen has plates below its header."""
PAGE = 10
"""Rows that PageUp and PageDown move."""


class Primary(NamedTuple):
    """What the one button of a screen does, or, without an action, what one waits for."""

    action: str
    words: str
    note: str = ""


class RowsScreen(ActionScreen):
    """Draws `lines` whenever something changes; Up and Down move `at` among `count` rows."""

    at = 0
    _named = ""
    _lead_words = "tui.talk-to"
    _editions: Mapping[str, str] = MappingProxyType({})

    def compose(self) -> ComposeResult:
        self.keyboard = Keyboard(self.take_key)
        yield Panel("rows")
        yield self.keyboard
        yield Painting("belt")

    def on_mount(self) -> None:
        self.keyboard.focus()
        self.draw()

    def edition_name(self, edition: str) -> str:
        """What an edition is called here; its own name if it is not here. The files are read once."""
        language = self.texts.language
        if self._named != language:
            self._named, self._editions = language, dict(self.wasabi.games.editions(self.texts))
        return self._editions.get(edition, edition)

    @property
    def count(self) -> int:
        raise NotImplementedError

    def clicked(self) -> None:
        """A row was clicked: the cursor is there."""

    def idle(self) -> Collection[str]:
        """Actions that do nothing here now."""
        return ()

    @property
    def has_belt(self) -> bool:
        """Whether there is room for the plates below the header."""
        return self.wasabi.paints.depth and self.size.height >= ROOMY

    def lines(self, width: int, height: int) -> list[Line]:
        """Everything between the header, or the belt, and the footer."""
        raise NotImplementedError

    def primary(self) -> Primary | None:
        """What the one button does now; nothing if no key is more useful than the others."""
        return None

    def header(self) -> tuple[str, str, Span]:
        """The name of the screen, what it is about, and its state."""
        raise NotImplementedError

    async def say(self, text: str) -> None:
        """Says a line to everybody here."""
        raise NotImplementedError

    def place_line(self) -> None:
        """Shows the line that is being typed above the footer."""
        lead = line_width(self._lead())
        self.keyboard.place(lead, self.size.height - 2, self.size.width - lead - 1)

    def draw(self) -> None:
        if not self.is_attached:
            return
        width, height = self.size.width, self.size.height
        if not width:
            return
        self.at = max(0, min(self.at, self.count - 1))
        belt = self._show_belt()
        body = [()] * belt + [clip(line, width) for line in self.lines(width, height - 3 - belt)]
        body = body[: height - 3] + [()] * (height - 3 - len(body))
        primary = self.primary()
        idle = self.idle() if primary is None else {*self.idle(), primary.action}
        foot = footer_line(self.where, self.texts, width, self.wasabi.settings.keys, without=idle)
        foot = (*foot, Span(" " * (width - line_width(foot)), "foot"))
        lead = self._lead() or self._primary_line(primary, width)
        self.query_one("#rows", Panel).show((self._head(width), *body, lead, foot))
        self.place_line()

    def _show_belt(self) -> int:
        """Shows the belt if there is room for it; the rows that it takes."""
        belt, width = self.query_one("#belt", Painting), self.size.width
        belt.display = self.has_belt
        if not belt.display:
            return 0
        rows = belt_rows(large=True)
        belt.styles.offset = (0, 1)
        belt.styles.width, belt.styles.height = width, rows
        belt.canvas = paint_belt(self.wasabi.paints, width, large=True)
        return rows

    def _head(self, width: int) -> Line:
        name, about, state = self.header()
        spans = [Span(f" {name} ", "brand"), Span(f" {about}", "head")]
        gap = width - line_width(spans) - cell_len(state.text) - 1
        spans = list(clip(spans, width - cell_len(state.text) - 2)) if gap < 1 else spans
        gap = max(1, width - line_width(spans) - cell_len(state.text) - 1)
        return clip((*spans, Span(" " * gap, "head"), state, Span(" ", "head")), width)

    def _primary_line(self, primary: Primary | None, width: int) -> Line:
        """The action bar: one filled button, and what it brings."""
        if primary is None:
            return ()
        if not primary.action:
            line = clip((Span("▌ ", "bar-mark"), Span(primary.words, "button-words")), width)
            return (*line, Span(" " * (width - line_width(line)), "bar"))
        press = Do(primary.action)
        key = shown_keys(BY_ID[primary.action], self.wasabi.settings.keys, self.texts)[0]
        words = f" {clean(primary.words, 40)} "
        spans = (Span("▌ ", "bar-mark"), Span(f" {key} ", "button", press), Span(words, "button-words", press))
        line = clip((*spans, Span(f"  {primary.note}", "bar")), width)
        return (*line, Span(" " * (width - line_width(line)), "bar"))

    def _lead(self) -> Line:
        """What is before the line that is being typed."""
        return (Span(f" {self.texts.say(self._lead_words)} ", "key"),) if self.keyboard.is_open else ()

    def restyle(self) -> None:
        self.query_one("#rows", Panel).refresh()
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def on_screen_resume(self) -> None:
        self.draw()

    # What is pressed

    def move(self, by: int) -> None:
        self.at += by
        self.draw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(1)

    async def on_pressed(self, message: Pressed) -> None:
        message.stop()
        match message.press:
            case ChooseRow(row):
                self.at = row
                self.clicked()
                self.draw()
            case Do(action):
                await self.action_act(action)

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "row_up": lambda: self.move(-1),
            "row_down": lambda: self.move(1),
            "row_first": lambda: self.move(-self.count),
            "row_last": lambda: self.move(self.count),
            "page_up": lambda: self.move(-PAGE),
            "page_down": lambda: self.move(PAGE),
            "talk": self.open_line,
            "help": self.open_keys,
        }

    def open_line(self, taken: Taken | None = None, lead: str = "tui.talk-to") -> None:
        """Lets somebody type a line for those here, or for what takes it; `lead` is before it."""
        self._lead_words = lead
        self.keyboard.open(taken or self._say, self.draw)

    async def _say(self, line: str) -> None:
        if line.strip():
            self.run_worker(self.say(line), name="say")

    def open_keys(self) -> None:
        """The keys of this screen and the rules, without the pictures of a table."""
        from ...engine.editions import rules_for
        from ..draw.pages import help_lines

        lines = help_lines(rules_for("classic", 2), None, self.texts, self.wasabi.settings.keys, self.where)
        self.open_page("help", lines)


def titled(words: str, width: int, note: str = "", right: str = "") -> Line:
    """`SEATS ───── 2 of 4`: a heading in capitals, or a sentence as it is if a `note` follows it, and a rule."""
    heading = Span(f" {words} ", "strong") if note else Span(f" {words.upper()} ", "title")
    spans = (heading, Span(f" {note} ", "muted")) if note else (heading,)
    rule = width - line_width(spans) - 1 - (cell_len(right) + 1 if right else 0)
    if right and rule < 1:
        return titled(words, width, note)
    line = (*spans, Span("─" * max(0, rule), "rule"))
    return (*line, Span(f" {right}", "muted")) if right else line


def paragraph(text: str, width: int, role: str) -> list[Line]:
    """Running text, one cell from either side."""
    return [(Span(f" {row}", role),) for row in wrap(text, max(20, width - 2))]


def column(text: str, width: int, role: str = "text", press: Press | None = None) -> Span:
    """A cell of a list, exactly so wide."""
    return Span(fit(clean(text), width), role, press)
