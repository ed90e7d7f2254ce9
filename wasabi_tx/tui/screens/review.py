"""The review of a game: the turning points with their boards, found while one looks, in the bots' process."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from ...games.bot_process import Thinker, ThinkerLost
from ...games.review import CannotReview, LuckyDraw, ReviewedTurn, ReviewWish
from ...games.what_if import turn_start
from ...text import Texts
from ...text.foreign import clean
from ...view.press import ChooseRow
from ...view.review import ReviewView, review_view
from ..bindings import BY_ID, KeyAction, bindings_on, shown_keys
from ..canvas import Canvas
from ..draw.review import paint_review
from ..draw.sheet import Means
from ..views.board_view import ingredients
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.page_head import PageHead
from ..widgets.painted import Painted
from .page import Page

BAR = 10
"""Columns of the bar that shows how far it is."""


class ReviewMoment(NamedTuple):
    """The results so far, the shown turning point, and any reason why the review cannot go on."""

    view: ReviewView
    at: int
    problem: str


class ReviewPicture(Painted[ReviewMoment]):
    """Paints skill and luck apart, turn by turn, and a turning point with its board."""

    def __init__(self, wish: ReviewWish) -> None:
        super().__init__()
        self._wish = wish

    def paint(self, view: ReviewMoment, width: int, height: int) -> Canvas:
        rules = self._wish.game.rules
        means = Means(self.app.paints, self.app.texts, ingredients(rules.edition))
        return paint_review(view.view, view.at, rules, self._wish.seat, means, width, height, view.problem)


class ReviewPage(Page[None], inherit_bindings=False):
    """Shows what is found as it is found; it can be left at any time, and then the process ends."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("review", priority=True)

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
        yield PageHead()
        yield ReviewPicture(self._wish)
        yield PageFoot()

    def on_mount(self) -> None:
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
        """Show what was found so far."""
        if not self.is_attached:
            return
        head, foot = self.query_one(PageHead), self.query_one(PageFoot)
        head.heading = self._texts.say("review.title")
        head.about = f"{clean(self.view.name, 20)} · {self.view.edition}"
        head.state = self._state(self.size.width)
        self.query_one(ReviewPicture).view = ReviewMoment(self.view, self.at, self._problem)
        foot.button, foot.hints = self._button(), self._hints()

    def _state(self, width: int) -> str:
        """Return the review's progress, or "" when it is done."""
        done, count = len(self.view.turns), self.view.count
        if self._problem or done == count:
            return ""
        full = done * BAR // max(1, count)
        bar = f"{'█' * full}{'░' * (BAR - full)} " if width >= 60 else ""
        return f"{bar}{self._texts.say('review.progress', done=done, count=count)}"

    def _key(self, action: str) -> str:
        return shown_keys(BY_ID[action], self.wasabi.settings.keys, self._texts)[0]

    def _button(self) -> KeyHint | None:
        if len(self.view.points) < 2:
            return None
        return KeyHint(self._key("next_point"), self._texts.say("tui.action.next_point"), "next_point")

    def _hints(self) -> tuple[KeyHint, ...]:
        ways = [("what_if", "what_if")] if self.view.points else []
        return tuple(
            KeyHint(self._key(action), self._texts.say(f"tui.action.{name}"), action)
            for action, name in (*ways, ("close_review", "close"))
        )

    # What is pressed

    def action_next_point(self) -> None:
        self._choose(self.at + 1)

    def action_previous_point(self) -> None:
        self._choose(self.at - 1)

    def action_what_if(self) -> None:
        """Play the shown turn again, and on from there against bots."""
        if self.view.points:
            game, seat = self._wish.game, self._wish.seat
            self.wasabi.open_what_if(game, turn_start(game, self.view.points[self.at].turn), seat)

    def offers(self, action: KeyAction) -> bool:
        return action.id != "what_if" or bool(self.view.points)

    def action_close_review(self) -> None:
        self.dismiss()

    def on_mouse_scroll_down(self) -> None:
        self.action_next_point()

    def on_mouse_scroll_up(self) -> None:
        self.action_previous_point()

    def _choose(self, number: int) -> None:
        if self.view.points:
            self.at = number % len(self.view.points)
            self.draw()

    @on(ReviewPicture.Pressed)
    def _press(self, message: ReviewPicture.Pressed) -> None:
        message.stop()
        if isinstance(message.press, ChooseRow):
            self._choose(message.press.row)
