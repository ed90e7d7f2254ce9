"""Help in four pages: the keys here, the rules on one page, all rules by topic, and rulings; letters pick lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static, TabbedContent, TabPane

from ..draw.pages import HelpSection, count_found, section_lines
from ..safe_text import plain
from ..text_lines import TextLine
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.page_head import PageHead
from .filtered import FilteredPage
from .page import Reading, Scroller

if TYPE_CHECKING:
    from ...text import Texts
    from ..widgets.tall_picture import TallPicture

LONGEST = 24
KEYS = "help-keys"
TURNS = {"tab": 1, "right": 1, "shift+tab": -1, "left": -1}


class HelpPage(FilteredPage):
    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "LineInput"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "act('close')", "close", show=False, priority=True),
        *(Binding(key, f"turn_page({by})", show=False, priority=True) for key, by in TURNS.items()),
    ]

    def __init__(
        self, pages: Mapping[str, Sequence[HelpSection]], texts: Texts, picture: TallPicture[Any] | None = None
    ) -> None:
        """Make help of these pages; the `picture` follows the keys."""
        super().__init__(LONGEST)
        # Names of their own: the table has a part that is called keys.
        self._pages = {f"help-{name}": sections for name, sections in pages.items()}
        self._picture = picture
        self._head, self._foot = PageHead(), PageFoot(classes="-plain")
        self._head.heading = texts.say("tui.action.help")
        self._readings = {name: Reading(section_lines(sections)) for name, sections in self._pages.items()}

    def compose(self) -> ComposeResult:
        yield self._head
        with TabbedContent():
            for name, reading in self._readings.items():
                with TabPane(self._title(name), id=name), Scroller(can_focus=False):
                    yield reading
                    if self._picture is not None and name == KEYS:
                        yield self._picture
        yield Horizontal(Static("/"), self.line, id="search")
        yield self._foot

    def on_mount(self) -> None:
        super().on_mount()
        say = self.texts.say
        self._foot.hints = (
            KeyHint(say("book.typing"), say("book.type")),
            KeyHint("← →", say("help-page.turn")),
            KeyHint("↑ ↓", say("book.scroll")),
            self.hint("close"),
        )

    @on(events.DescendantFocus)
    def _keep_focus(self) -> None:
        """Give the focus back to the line: letters after a click on a title are typed, too."""
        self.line.focus()

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """The lines of the page that is shown."""
        return self._readings[self._tabs.active].lines

    def _title(self, name: str) -> str:
        return self.texts.say(f"help-page.{name.removeprefix('help-')}")

    @property
    def _tabs(self) -> TabbedContent:
        return self.query_one(TabbedContent)

    @property
    def scroller(self) -> Scroller:
        return self._tabs.get_pane(self._tabs.active).query_one(Scroller)

    def pick(self) -> None:
        """Show the lines with what was typed, and in every tab how many there are."""
        say, typed = self.texts.say, self.line.value
        for name, reading in self._readings.items():
            count = count_found(self._pages[name], typed)
            reading.lines = section_lines(self._pages[name], typed) if count else (TextLine(say("help-page.none")),)
            self._tabs.get_tab(name).label = plain(
                f"{self._title(name)} {count}" if typed.strip() else self._title(name)
            )
            self._tabs.get_pane(name).query_one(Scroller).action_scroll_home()
        if self._picture is not None:
            self._picture.display = not typed.strip()

    def action_turn_page(self, by: int) -> None:
        names = list(self._readings)
        self._tabs.active = names[(names.index(self._tabs.active) + by) % len(names)]
