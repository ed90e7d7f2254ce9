"""The review of a game: the turning points with their boards, found while one looks, in the bots' process."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType

from ...table.bot_process import Thinker, ThinkerLost
from ...table.review import CannotReview, LuckyDraw, ReviewedTurn, ReviewWish
from ...text import Texts
from ...text.foreign import clean
from ...view.press import ChooseRow, Do, Press
from ...view.review import ReviewView, review_view
from ..canvas import stacked
from ..draw.keys_line import KeyHint
from ..draw.page_foot import ROWS, paint_page_foot
from ..draw.page_head import paint_page_head
from ..draw.review import paint_review
from ..draw.sheet import Means
from ..keys import BY_ID, bindings_on, shown_keys
from ..scene import ingredients
from ..wasabi_app import wasabi_app
from ..widgets.painting import FocusedPainting
from .page import Page

BAR = 10
"""Columns of the bar that shows how far it is."""


class ReviewPage(Page[None], inherit_bindings=False):
    """Shows what is found as it is found; it can be left at any time, and then the process ends."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("review", first=True)

    def __init__(self, wish: ReviewWish, texts: Texts) -> None:
        super().__init__()
        self._wish = wish
        self._texts = texts
        self._thinker = Thinker()
        self._turns: list[ReviewedTurn] = []
        self._draws: list[LuckyDraw] = []
        self._problem = ""
        self.at = 0
        self.view = self._look()

    def compose(self) -> ComposeResult:
        yield FocusedPainting("review")

    def on_mount(self) -> None:
        self.query_one(FocusedPainting).focus()
        self._going = self.run_worker(self._go_through(), name="review")

    async def on_unmount(self) -> None:
        self._going.cancel()
        await self._thinker.stop()

    def on_resize(self) -> None:
        self.draw()

    async def _go_through(self) -> None:
        try:
            async for found in self._thinker.review(self._wish):
                if isinstance(found, LuckyDraw):
                    self._draws.append(found)
                    continue
                chosen = self._chosen_turn
                self._turns.append(found)
                self.view = self._look()
                # What somebody looks at stays, wherever it is now among the others.
                self.at = next((n for n, one in enumerate(self.view.points) if one.turn == chosen), 0)
                self.draw()
        except CannotReview:
            self._problem = self._texts.say("review.not-this-game")
        except ThinkerLost:
            self._problem = self._texts.say("review.stopped")
        self.draw()

    @property
    def _chosen_turn(self) -> int | None:
        return self.view.points[self.at].turn if self.view.points and self.at else None

    def _look(self) -> ReviewView:
        return review_view(self._wish, self._turns, self._draws, self._texts)

    def draw(self) -> None:
        width, height = self.size
        if not width or height <= ROWS + 1:
            return
        texts, app = self._texts, wasabi_app(self)
        edition = self._wish.game.rules.edition
        means = Means(app.paints, texts, ingredients(edition), {}, {})
        about = f"{clean(self.view.name, 20)} · {self.view.edition}"
        head = paint_page_head(texts.say("review.title"), about, means, width, self._state(width))
        rules, room = self._wish.game.rules, height - ROWS - 1
        body = paint_review(self.view, self.at, rules, self._wish.seat, means, width, room, self._problem)
        foot = paint_page_foot(self._button(), self._hints(), means, width, "")
        self.query_one(FocusedPainting).canvas = stacked([head, body, foot], width, means.paints["background"])

    def _state(self, width: int) -> str:
        """How far it is, while it is not done."""
        done, count = len(self.view.turns), self.view.count
        if self._problem or done == count:
            return ""
        full = done * BAR // max(1, count)
        bar = f"{'█' * full}{'░' * (BAR - full)} " if width >= 60 else ""
        return f"{bar}{self._texts.say('review.progress', done=done, count=count)}"

    def _key(self, action: str) -> str:
        return shown_keys(BY_ID[action], wasabi_app(self).settings.keys, self._texts)[0]

    def _button(self) -> KeyHint | None:
        if len(self.view.points) < 2:
            return None
        return KeyHint(self._key("next_point"), self._texts.say("tui.action.next_point"), Do("next_point"))

    def _hints(self) -> list[KeyHint]:
        closing = KeyHint(self._key("close_review"), self._texts.say("tui.action.close"), Do("close_review"))
        return [closing]

    @property
    def words(self) -> str:
        return self.query_one(FocusedPainting).words

    # What is pressed

    def action_act(self, name: str) -> None:
        match name:
            case "next_point":
                self._choose(self.at + 1)
            case "previous_point":
                self._choose(self.at - 1)
            case "close_review":
                self.dismiss()

    def _choose(self, number: int) -> None:
        if self.view.points:
            self.at = number % len(self.view.points)
            self.draw()

    def take_press(self, press: Press) -> None:
        match press:
            case ChooseRow(row):
                self._choose(row)
            case Do(action):
                self.action_act(action)
