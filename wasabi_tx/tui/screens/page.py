"""A page on top of a screen: text to read, or a list to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...view.press import Do, Press
from ..canvas import Canvas
from ..draw.keys_line import KeyHint
from ..keys import BY_ID, bindings_on, shown_keys
from ..safe_text import plain
from ..spans import Line, hang
from ..textual_theme import Palette
from ..wasabi_app import wasabi_app
from ..widgets.foot_bar import FootBar
from ..widgets.marked_list import MarkedList
from ..widgets.painting import Painting
from ..widgets.panel import Pressed

Picture = Callable[[int], Canvas]
"""Paints something for a number of columns."""
WIDEST, BORDER = 100, 6
"""Columns of a page, and those that its border, its margins and a bar to scroll take."""
R = TypeVar("R")


class Page(ModalScreen[R]):
    """Closes with Esc or q."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("page")

    def action_act(self, name: str) -> None:
        if name == "close":
            self.dismiss()

    def entitle(self, title: str) -> None:
        """Writes the title into the border."""
        self.query_one(Vertical).border_title = plain(title[:1].upper() + title[1:])

    def show_keys(self, enter: str = "", *others: KeyHint, press: Press | None = None, close: str = "") -> None:
        """The foot: what Enter does here, if anything, what else works, and what it means to `close` this."""
        app = wasabi_app(self)
        say = app.texts.say
        key = shown_keys(BY_ID["close"], app.settings.keys, app.texts)[0]
        button = KeyHint(say("tui.key.enter"), enter, press or Do("choose")) if enter else None
        closing = KeyHint(key, close[:1].lower() + close[1:] or say("tui.action.close"), Do("close"))
        self.query_one(FootBar).show(button, [*others, closing])

    def on_pressed(self, message: Pressed) -> None:
        message.stop()
        self.take_press(message.press)

    def take_press(self, press: Press) -> None:
        """Something here was clicked."""
        if press == Do("choose"):
            self.query_one(OptionList).action_select()
        elif isinstance(press, Do):
            self.action_act(press.action)


class TextPage(Page[None]):
    """Something to read, as long as it may be."""

    def __init__(self, title: str, lines: Sequence[Line], picture: Picture | None = None) -> None:
        """The `picture`, painted for a number of columns, comes before the lines."""
        super().__init__()
        self.lines = tuple(lines)
        self._picture = picture
        self._caption = title

    def compose(self) -> ComposeResult:
        with Vertical():
            with VerticalScroll(classes="body"):
                if self._picture is not None:
                    yield Painting("picture")
                yield Static(id="read")
            yield FootBar()

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self.entitle(self._caption)
        self.show_keys("", KeyHint("↑ ↓", wasabi_app(self).texts.say("book.scroll")))

    def on_resize(self) -> None:
        room = min(self.size.width, WIDEST) - BORDER
        rows = [row for line in self.lines for row in hang(line, room)]
        self.query_one("#read", Static).update(rich_lines(rows, wasabi_app(self).palette))
        if self._picture is not None:
            canvas = self._picture(room)
            painting = self.query_one("#picture", Painting)
            painting.styles.width, painting.styles.height = canvas.width, canvas.height
            painting.canvas = canvas


def rich_lines(lines: Sequence[Line], palette: Palette) -> Text:
    """Lines as one text that a plain widget shows; grounds are left to the page."""
    text = Text(no_wrap=False)
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        for span in line:
            style = palette.style(span.role)
            text.append(span.text, Style(color=style.color, bold=style.bold, reverse=style.reverse))
    return text


class ListPage(Page[str]):
    """A list to choose from; gives the id of what was chosen, or nothing."""

    def __init__(self, title: str, options: Sequence[tuple[str, str]], take: str = "", close: str = "") -> None:
        """`take` says what Enter does with what is chosen, `close` what it means to choose nothing."""
        super().__init__()
        self._caption = title
        self._options = options
        self._take, self._close = take, close

    def compose(self) -> ComposeResult:
        with Vertical():
            yield MarkedList(*(Option(plain(words), id=name) for name, words in self._options))
            yield FootBar()

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.entitle(self._caption)
        self.show_keys(self._take or wasabi_app(self).texts.say("tui.take-this"), close=self._close)

    def on_resize(self) -> None:
        # A long list scrolls; border, title and last line stay where they can be seen.
        self.query_one(OptionList).styles.max_height = max(1, self.size.height - 4)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id or "")
