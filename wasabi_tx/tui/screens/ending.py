"""The ending of a game: who won, the podium, the race, how the points were made, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from ...text import Texts
from ...text.foreign import clean
from ...view.press import Do, Press
from ...view.table.ending import Ending, result_card
from ..canvas import Canvas, stacked
from ..draw.ending import paint_ending
from ..draw.keys_line import KeyHint
from ..draw.page_foot import ROWS, paint_page_foot
from ..draw.sheet import Means, Sheet
from ..keys import BY_ID, bindings_on, shown_keys
from ..services import NotPossible
from ..svg import svg_of
from ..wasabi_app import wasabi_app
from ..widgets.painting import FocusedPainting
from .page import Page

if TYPE_CHECKING:
    from ...table.review import ReviewWish

RISING = 1.5
"""Seconds in which the podium rises and the race is drawn."""
LOOKED_AT = 1.5
"""Seconds in which a new result is only looked at: whoever ended turn after turn with Enter meant no other game."""
TICK = 0.1
PICTURE = (100, 40)
"""Columns of a picture that is saved, and the rows for which it is laid out."""
NARROW = 100
"""Columns below which keys are explained in one word."""
SHARES = ("copy_result", "save_picture")


class EndPage(Page[str], inherit_bindings=False):
    """Gives one of its ways, `home`, or nothing."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("ending", first=True)

    def __init__(
        self, ending: Ending, texts: Texts, ways: Sequence[str], *, leaves: str = "home", note: str = "",
        fresh: bool = False, review: ReviewWish | None = None,
    ) -> None:  # fmt: skip
        """Enter takes the first of the `ways`; Esc does what `leaves` says.

        A `fresh` result is celebrated, and only after that does Enter do anything.
        The `review` is the one that can be asked for here.
        """
        super().__init__()
        self.ending = ending
        self._texts = texts
        self.ways = tuple(ways)
        self._leaves = leaves
        self._note = note
        self.review = review
        self._shown = 0.0 if fresh else 1.0
        self._fresh = fresh
        self._appeared = 0.0
        """When it appeared."""
        self.top = 0
        self._rows = self._seen = 0

    def compose(self) -> ComposeResult:
        yield FocusedPainting("ending")

    def on_mount(self) -> None:
        self.query_one(FocusedPainting).focus()
        self._appeared = monotonic()
        app = wasabi_app(self)
        if app.settings.reduced_motion or not app.paints.depth:
            self._shown = 1.0
        self._rises = self.set_interval(TICK, self._rise, pause=self._shown == 1.0)
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def _rise(self) -> None:
        """A little more of it is shown."""
        self._shown = min(1.0, self._shown + TICK / RISING)
        if self._shown == 1.0:
            self._rises.pause()
        self.draw()

    def _skip(self) -> None:
        if self._shown < 1.0:
            self._shown = 1.0
            self._rises.pause()
            self.draw()

    def on_key(self, event: events.Key) -> None:
        del event
        self._skip()

    # What is drawn

    def draw(self) -> None:
        width, height = self.size
        if not width or height <= ROWS:
            return
        means = self._means()
        room = height - ROWS
        whole = paint_ending(self.ending, means, width, height, self._shown)
        self._rows, self._seen = whole.height, room
        self.top = max(0, min(self.top, whole.height - room))
        window = Canvas(width, room, means.paints["background"])
        window.paste(whole, 0, -self.top)
        foot = paint_page_foot(self._button(), self._hints(whole.height > room), means, width, self._note)
        self.query_one(FocusedPainting).canvas = stacked([window, foot], width, means.paints["background"])

    def _means(self) -> Means:
        return Means(wasabi_app(self).paints, self._texts, {}, {}, {})

    def _key(self, action: str) -> str:
        return shown_keys(BY_ID[action], wasabi_app(self).settings.keys, self._texts)[0]

    def _button(self) -> KeyHint | None:
        if not self.ways:
            return None
        return KeyHint(self._key("choose"), self._label(self.ways[0], capital=True), Do("choose"))

    def _hints(self, scrolls: bool) -> list[KeyHint]:
        """Everything else that works now; how to leave comes last."""
        names = [*self.ways[1:], *(("review",) if self.review is not None else ()), *SHARES]
        hints = [KeyHint(self._key(name), self._label(name), Do(name)) for name in names]
        if scrolls:
            hints.append(KeyHint("↑ ↓", self._texts.say("book.scroll")))
        return [*hints, KeyHint(self._key("home"), self._label(self._leaves), Do("home"))]

    def _label(self, way: str, capital: bool = False) -> str:
        short = f"tui.end.{way}"
        narrow = self.size.width < NARROW and not capital and self._texts.knows(short)
        words = self._texts.say(short if narrow else f"tui.action.{way}")
        return words[:1].upper() + words[1:] if capital else words

    @property
    def words(self) -> str:
        """All that can be read here, also what is scrolled away."""
        whole = paint_ending(self.ending, self._means(), *self.size)
        return "\n".join(whole.words(y) for y in range(whole.height))

    # What is pressed

    def action_act(self, name: str) -> None:
        self._skip()
        match name:
            case "row_up" | "row_down" | "page_up" | "page_down" | "row_first" | "row_last":
                self._scroll(name)
            case "choose":
                if self.ways and not (self._fresh and monotonic() - self._appeared < LOOKED_AT):
                    self._take(self.ways[0])
            case "copy_result":
                self.app.copy_to_clipboard(result_card(self.ending, self._texts))
                self.app.notify(self._texts.say("tui.end.copied"), markup=False)
            case "save_picture":
                self._save_picture()
            case "review":
                self._open_review()
            case "home":
                self.dismiss("home")
            case _:
                self._take(name)

    def _open_review(self) -> None:
        from .review import ReviewPage

        if self.review is not None:
            self.app.push_screen(ReviewPage(self.review, self._texts))

    def _take(self, way: str) -> None:
        if way in self.ways:
            self.dismiss(way)

    def _scroll(self, name: str) -> None:
        page = max(1, self._seen - 1)
        by = {"row_up": -1, "row_down": 1, "page_up": -page, "page_down": page, "row_first": -self._rows}
        self.top = max(0, min(self.top + by.get(name, self._rows), self._rows - self._seen))
        self.draw()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self._scroll("row_up")

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self._scroll("row_down")

    def take_press(self, press: Press) -> None:
        self._fresh = False
        if isinstance(press, Do):
            self.action_act(press.action)

    def picture(self) -> str:
        """The result as an SVG, whatever the size of this terminal."""
        means, (width, height) = self._means(), PICTURE
        foot = Sheet(means, width, 1, "panel")
        x = foot.badge(0, 0, f" {foot.say('tui.brand')} ", foot.paints["accent-shape"]) + 1
        facts = f"{clean(self.ending.edition)} · {foot.say('table.turns', count=self.ending.turns)}"
        foot.write(x, 0, facts, "muted")
        page = paint_ending(self.ending, means, width, height)
        whole = stacked([page, foot.canvas], width, means.paints["background"])
        return svg_of([whole.strip(y) for y in range(whole.height)], width)

    def _save_picture(self) -> None:
        try:
            file = wasabi_app(self).games.save_picture("result", self.picture(), self._texts)
        except NotPossible as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        self.app.notify(self._texts.say("tui.end.picture-saved", file=file), timeout=10, markup=False)
