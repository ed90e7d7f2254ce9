"""A page on top of a screen: text to read, or a list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ..bindings import bindings_on
from ..safe_text import plain
from ..text_lines import TextLine
from ..widgets.marked_list import MarkedList
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.tall_picture import TallPicture
from .base import WasabiScreen

R = TypeVar("R")


class Page(WasabiScreen[R], ModalScreen[R]):
    """Closes with Esc or q."""

    CSS_PATH = "page.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("page")

    def action_close(self) -> None:
        self.dismiss()

    def dialog(self, title: str = "") -> Vertical:
        """Return the box for what is on the page, with the title in its border."""
        box = Vertical(classes="dialog")
        if title:
            box.border_title = plain(title[:1].upper() + title[1:])
        return box

    def foot(self, enter: str = "", *others: KeyHint, action: str = "choose", close: str = "") -> PageFoot:
        """Return a foot for what Enter does here, if anything, what else works, and what it means to `close` this."""
        say, foot = self.texts.say, PageFoot(id="foot", classes="-single")
        foot.button = KeyHint(say("tui.key.enter"), enter, action) if enter else None
        foot.hints = (*others, self.hint("close", close[:1].lower() + close[1:]))
        return foot

    def action_choose(self) -> None:
        """Take what is highlighted in the list."""
        self.query_one(OptionList).action_select()


class Reading(Widget):
    """Lines to read, wrapped below the beginning of their words."""

    lines: reactive[tuple[TextLine, ...]] = reactive((), layout=True)

    def __init__(self, lines: Sequence[TextLine]) -> None:
        super().__init__()
        self.set_reactive(Reading.lines, tuple(lines))

    def _rows(self, width: int) -> list[Content]:
        return [row for line in self.lines for row in line.hang(width)] if width else []

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - as Textual asks
        return len(self._rows(width))

    def render(self) -> Content:
        return Content("\n").join(self._rows(self.size.width))


class Scroller(VerticalScroll):
    """Something to scroll by keys; those that arrive together scroll one after the other."""

    def _go(self, y: float) -> None:
        self.scroll_to(y=y, animate=False, immediate=True)

    def action_scroll_up(self) -> None:
        self._go(self.scroll_y - 1)

    def action_scroll_down(self) -> None:
        self._go(self.scroll_y + 1)

    def action_page_up(self) -> None:
        self._go(self.scroll_y - self.scrollable_content_region.height)

    def action_page_down(self) -> None:
        self._go(self.scroll_y + self.scrollable_content_region.height)

    def action_scroll_home(self) -> None:
        self._go(0)

    def action_scroll_end(self) -> None:
        self._go(self.max_scroll_y)


class TextPage(Page[None]):
    """Something to read, as long as it may be."""

    def __init__(self, title: str, lines: Sequence[TextLine], picture: TallPicture[Any] | None = None) -> None:
        """Make the page; the `picture` comes before the lines."""
        super().__init__()
        self.lines = tuple(lines)
        self._picture = picture
        self._caption = title

    def compose(self) -> ComposeResult:
        with self.dialog(self._caption):
            with Scroller(classes="body"):
                if self._picture is not None:
                    yield self._picture
                yield Reading(self.lines)
            yield self.foot("", KeyHint("↑ ↓", self.texts.say("book.scroll")))


class ListPage(Page[str]):
    """A list to choose from; returns the id of the choice, or None."""

    def __init__(self, title: str, options: Sequence[tuple[str, str]], choose: str = "", close: str = "") -> None:
        """Make the page; `choose` and `close` are the labels of Enter and of Esc."""
        super().__init__()
        self._caption = title
        self._list = MarkedList(*(Option(plain(words), id=name) for name, words in options))
        self._choose, self._close = choose, close

    def compose(self) -> ComposeResult:
        with self.dialog(self._caption):
            yield self._list
            yield self.foot(self._choose or self.texts.say("tui.take-this"), close=self._close)

    def on_resize(self) -> None:
        # A long list scrolls; border, title and last line stay where they can be seen.
        self._list.styles.max_height = max(1, self.size.height - 3)

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option.id or "")
