"""The ending of a game: who won, the podium, the race, how the points were made, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partialmethod
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType

from ...app.failure import Failure
from ...text.foreign import clean
from ...view.table.ending import Ending, result_card
from ..bindings import bindings_on
from ..canvas import Canvas, stacked
from ..draw.ending import paint_ending
from ..draw.sheet import Means, Sheet
from ..svg import svg_of
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.tall_picture import TallPicture
from .page import Page, Scroller

if TYPE_CHECKING:
    from ...games.review import ReviewWish

RISING = 1.5
"""Seconds in which the podium rises and the race is drawn."""
LOOKED_AT = 1.5
"""Seconds during which a new result ignores Enter, which may have been meant for the last turn."""
TICK = 0.1
PICTURE = (100, 40)
"""Columns of a picture that is saved, and the rows for which it is laid out."""
ROWS = 2
"""Rows of the foot."""
NARROW = 100
"""Columns below which keys are explained in one word."""
SHARES = ("copy_result", "save_picture")


class EndView(NamedTuple):
    """A result, the rows of the screen that it is laid out for, and how far its podium has risen."""

    ending: Ending
    height: int
    shown: float


class EndPicture(TallPicture[EndView]):
    """Paints who won, the podium, the race, and how the points were made."""

    def paint_tall(self, view: EndView, width: int) -> Canvas:
        return paint_ending(view.ending, self.means, width, view.height, view.shown)


class EndPage(Page[str], inherit_bindings=False):
    """Returns one of its ways, `home`, or nothing."""

    CSS_PATH = "ending.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("ending", priority=True)

    def __init__(
        self, ending: Ending, ways: Sequence[str], *, leaves: str = "home", note: str = "",
        fresh: bool = False, review: ReviewWish | None = None, file: str = "",
    ) -> None:  # fmt: skip
        """Enter takes the first of the `ways`; Esc does what `leaves` says.

        A `fresh` result is celebrated, and only after that does Enter do anything.
        The `review` is the one that can be asked for here. The `file` is the saved game, if it is one.
        """
        super().__init__()
        self.ending = ending
        self.ways = tuple(ways)
        self._leaves = leaves
        self._note = note
        self.review = review
        self._file = file
        self._shown = 0.0 if fresh else 1.0
        self._fresh = fresh
        self._appeared = 0.0
        """The time at which the page appeared."""
        self._picture, self._foot = EndPicture(), PageFoot()
        self._body = Scroller(self._picture, id="ending", can_focus=False)

    def compose(self) -> ComposeResult:
        self._picture.view = EndView(self.ending, self.app.size.height, self._shown)
        yield self._body
        yield self._foot

    def on_mount(self) -> None:
        self._appeared = monotonic()
        if self.wasabi.settings.reduced_motion or not self.wasabi.paints.depth:
            self._shown = 1.0
        self._rises = self.set_interval(TICK, self._rise, pause=self._shown == 1.0)

    def on_resize(self) -> None:
        self._show_result()

    def _rise(self) -> None:
        """Show a little more of the podium and the race."""
        self._shown = min(1.0, self._shown + TICK / RISING)
        if self._shown == 1.0:
            self._rises.pause()
        self._show_result()

    def _skip(self) -> None:
        if self._shown < 1.0:
            self._shown = 1.0
            self._rises.pause()
            self._show_result()

    def on_key(self) -> None:
        self._skip()

    def _show_result(self) -> None:
        self._picture.view = EndView(self.ending, self.size.height, self._shown)
        self._foot.button, self._foot.hints, self._foot.note = self._button(), self._hints(), self._note

    def show_note(self, words: str) -> None:
        """Show these words before the note that is there already."""
        self._note = f"{words} · {self._note}" if self._note else words
        if self.is_attached:
            self._show_result()

    def _means(self) -> Means:
        return Means(self.wasabi.paints, self.texts)

    def _button(self) -> KeyHint | None:
        if not self.ways:
            return None
        return self.hint("choose", self._label(self.ways[0], capital=True))

    def _hints(self) -> tuple[KeyHint, ...]:
        """Return everything else that works now; how to leave comes last."""
        names = [*self.ways[1:], *(("review",) if self.review is not None else ()), *SHARES]
        names += ["save_page"] if self._file else []
        hints = [self.hint(name, self._label(name)) for name in names]
        room = self.size.height - ROWS
        if paint_ending(self.ending, self._means(), *self.size).height > room > 0:
            hints.append(KeyHint("↑ ↓", self.texts.say("book.scroll")))
        return (*hints, self.hint("home", self._label(self._leaves)))

    def _label(self, way: str, capital: bool = False) -> str:
        short = f"tui.end.{way}"
        narrow = self.size.width < NARROW and not capital and self.texts.knows(short)
        words = self.texts.say(short if narrow else f"tui.action.{way}")
        return words[:1].upper() + words[1:] if capital else words

    # Actions

    async def action_act(self, name: str) -> None:
        self._skip()
        # What was told of the last action would cover what this one shows.
        self.app.clear_notifications()
        await super().action_act(name)

    def _scroll(self, way: str) -> None:
        getattr(self._body, f"action_{way}")()

    action_row_up = partialmethod(_scroll, "scroll_up")
    action_row_down = partialmethod(_scroll, "scroll_down")
    action_page_up = partialmethod(_scroll, "page_up")
    action_page_down = partialmethod(_scroll, "page_down")
    action_row_first = partialmethod(_scroll, "scroll_home")
    action_row_last = partialmethod(_scroll, "scroll_end")

    def action_choose(self) -> None:
        if self.ways and not (self._fresh and monotonic() - self._appeared < LOOKED_AT):
            self._take(self.ways[0])

    def action_copy_result(self) -> None:
        self.app.copy_to_clipboard(result_card(self.ending, self.texts))
        self.app.notify(self.texts.say("tui.end.copied"), markup=False)

    def action_save_page(self) -> None:
        self.wasabi.save_page(self._file)

    def action_home(self) -> None:
        self.dismiss("home")

    def action_replay_game(self) -> None:
        self._take("replay_game")

    def action_board(self) -> None:
        self._take("board")

    def action_review(self) -> None:
        from .review import ReviewPage

        if self.review is not None:
            self.app.push_screen(ReviewPage(self.review, self.texts))

    def _take(self, way: str) -> None:
        if way in self.ways:
            self.dismiss(way)

    def on_mouse_down(self) -> None:
        """Stop the animation on a click."""
        self._fresh = False

    def picture(self) -> str:
        """Return the result as an SVG, whatever the size of this terminal."""
        means, (width, height) = self._means(), PICTURE
        foot = Sheet(means, width, 1, "panel")
        x = foot.badge(0, 0, f" {foot.say('tui.brand')} ", foot.paints["accent-shape"]) + 1
        facts = f"{clean(self.ending.edition)} · {foot.say('table.turns', count=self.ending.turns)}"
        foot.write(x, 0, facts, "muted")
        page = paint_ending(self.ending, means, width, height)
        whole = stacked([page, foot.canvas], width, means.paints["background"])
        return svg_of([whole.strip(y) for y in range(whole.height)], width)

    def action_save_picture(self) -> None:
        try:
            file = self.wasabi.games.save_picture("result", self.picture(), self.texts)
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        self.wasabi.hand_over(file, "tui.end.picture-saved")
