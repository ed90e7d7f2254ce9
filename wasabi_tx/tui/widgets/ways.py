"""Ways from here, as home lists them: each a row of its own with a key, in groups, and one as the button of Enter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from ..safe_text import plain
from .list_title import ListTitle
from .page_foot import KeyHint, PageFoot


class Way(NamedTuple):
    """Something that can be done from here."""

    id: str = ""
    key: str = ""
    name: str = ""
    hint: str = ""
    """A few words beside the name."""
    about: str = ""
    """A sentence about the way that Enter opens."""
    does: str = ""
    """An explanation of Enter, where the name alone does not give it."""
    shorter: tuple[str, ...] = ()
    """Ever fewer words for the hint, where there is no room for it."""

    @property
    def title(self) -> str:
        return f" {self.key} {self.name}"


class WayRow(Widget, can_focus=True):
    """One way, such as `▸1 Play now            First edition, 2 bots`; Enter opens the one with the focus."""

    DEFAULT_CSS = """
    WayRow {
        height: 1; width: 100%; text-wrap: nowrap; text-overflow: clip;
        &:focus, &:hover { background: $panel; }
    }
    """
    way: reactive[Way] = reactive(Way(), layout=True)

    class Taken(Message):
        """Posted when a way is clicked."""

        def __init__(self, way: str) -> None:
            super().__init__()
            self.way = way

    def get_content_width(self, container: Size, viewport: Size) -> int:
        del container, viewport
        return cell_len(self.way.title)

    def render(self) -> Content:
        way, (width, _) = self.way, self.size
        row = Content.assemble(
            plain(f"{'▸' if self.has_focus else ' '}{way.key}").stylize("bold $accent"),
            plain(f" {way.name}").stylize("bold"),
        )
        room = width - row.cell_length
        hint = next((plain(one) for one in (way.hint, *way.shorter) if cell_len(one) + 2 <= room), Content(""))
        return row.append(" " * (room - hint.cell_length)).append(hint.stylize("$muted"))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Taken(self.way.id))


class WayGroup(Vertical):
    """Ways below their title: a row for each possible way, shown as needed."""

    DEFAULT_CSS = "WayGroup { height: auto; }"

    def __init__(self, most: int, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        self._title = ListTitle()
        self.rows = [WayRow() for _ in range(most)]
        super().__init__(self._title, *self.rows, id=id)

    def show(self, title: str, ways: Sequence[Way]) -> None:
        self.display = bool(ways)
        self._title.words = title
        for number, row in enumerate(self.rows):
            row.display = number < len(ways)
            if row.display:
                row.way = ways[number]


class WayButton(Vertical):
    """The one green button, which opens the chosen way, and a sentence about it."""

    DEFAULT_CSS = """
    WayButton {
        height: 2; background: $bar-ground;
        & > Static { height: 1; width: 100%; text-wrap: nowrap; text-overflow: clip; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._button, self._about = PageFoot(classes="-button"), Static()

    def compose(self) -> ComposeResult:
        yield self._button
        yield self._about

    def show(self, key: str, way: Way) -> None:
        self._button.button = KeyHint(key, way.does or way.name, "choose")
        self._about.update(Content.assemble(("▌ ", "$bar-mark"), plain(way.about).stylize("$muted")))
