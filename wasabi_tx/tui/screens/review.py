"""The review of a game: the turning points with their boards, found while one looks, in the bots' process."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.reactive import var

from ...games.bot_process import Thinker, ThinkerLost
from ...games.review import CannotReview, LuckyDraw, ReviewedTurn, ReviewWish
from ...games.what_if import turn_start
from ...text import Texts
from ...text.foreign import clean
from ...view.press import ChooseRow
from ...view.review import ReviewView, TurningPoint, review_view
from ..bindings import KeyAction, bindings_on
from ..canvas import Canvas
from ..draw.review import ReviewShape, paint_figures, paint_told, review_board, review_shape
from ..draw.sheet import Means
from ..widgets.page_foot import PageFoot
from ..widgets.page_head import PageHead
from ..widgets.painted import Painted
from ..widgets.table.board import Board
from ..widgets.tall_picture import TallPicture
from .page import Page, Scroller

AROUND = 3
"""Rows of the head and the foot."""
BAR = 10
"""Columns of the progress bar."""


class ReviewMoment(NamedTuple):
    """The results so far, the number of the shown turning point, and how they are laid out."""

    view: ReviewView
    at: int
    shape: ReviewShape
    height: int = 0
    """Rows for words that need no scrolling."""
    problem: str = ""
    """The reason why the review cannot go on."""

    @property
    def point(self) -> TurningPoint | None:
        return self.view.points[self.at] if self.view.points else self.view.best


class ReviewFigures(TallPicture[ReviewMoment]):
    """Paints skill and luck apart, turn by turn, and lists the turning points."""

    def paint_tall(self, view: ReviewMoment, width: int) -> Canvas:
        small, roomy = view.shape.small, view.shape.beside
        return paint_figures(view.view, view.at, self.means, width, small=small, roomy=roomy)


class ReviewTold(TallPicture[ReviewMoment]):
    """Paints a turning point in words."""

    def __init__(self, wish: ReviewWish) -> None:
        super().__init__()
        self._wish = wish

    def paint_tall(self, view: ReviewMoment, width: int) -> Canvas:
        edition, seat = self._wish.game.rules.edition, self._wish.seat
        means = Means.of(self.app.paints, self.app.texts, edition, {})
        return paint_told(view.view, view.point, seat, means, width, view.height, view.problem)


class ReviewPage(Page[None], inherit_bindings=False):
    """Shows what is found as it is found; it can be left at any time, and then the process ends."""

    CSS_PATH = "review.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("review", priority=True)

    at: var[int] = var(0, init=False)
    """The number of the turning point that is shown."""

    def __init__(self, wish: ReviewWish, texts: Texts) -> None:
        super().__init__()
        self._wish = wish
        self._texts = texts
        self._thinker = Thinker()
        self._turns: list[ReviewedTurn] = []
        self._draws: list[LuckyDraw] = []
        self._problem = ""
        self.view = self._look()
        self._board, self._figures, self._told = Board(), ReviewFigures(), ReviewTold(wish)
        self._words = Scroller(self._told, id="told")
        self._head, self._foot = PageHead(), PageFoot()

    def compose(self) -> ComposeResult:
        yield self._head
        yield Container(self._board, self._figures, self._words, id="body")
        yield self._foot

    def watch_at(self) -> None:
        self.draw()
        self._words.scroll_home(animate=False, immediate=True)

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
                # The point that is shown stays, whatever its number is among the others now.
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
        head, foot = self._head, self._foot
        head.heading = self._texts.say("review.title")
        head.about = f"{clean(self.view.name, 20)} · {self.view.edition}"
        head.state = self._state(self.size.width)
        self._show_point()
        foot.button = self.hint("next_point") if len(self.view.points) > 1 else None
        ways = (self.hint("what_if"),) if self.view.points else ()
        foot.hints = (*ways, self.hint("close_review", self._texts.say("tui.action.close")))

    def _show_point(self) -> None:
        """Show the turning point on its board and in words, which scroll where they do not fit."""
        (width, height), rules, texts = self.size, self._wish.game.rules, self.texts
        shape = review_shape(rules.grid.columns, rules.grid.rows, width, height - AROUND)
        self.update_classes({"-beside": shape.beside, "-close": shape.close})
        moment = ReviewMoment(self.view, min(self.at, max(0, len(self.view.points) - 1)), shape)
        self._board.tiles = shape.tiles
        self._board.view = review_board(moment.point, rules, self._wish.seat, texts.language)
        self._board.visible = moment.point is not None
        self._figures.view = moment
        above = 0 if shape.beside else 1 + rules.grid.rows * shape.tiles.height
        self._told.view = moment._replace(height=height - AROUND - above, problem=self._problem)

    def _state(self, width: int) -> str:
        """Return the review's progress, or "" when it is done."""
        done, count = len(self.view.turns), self.view.count
        if self._problem or done == count:
            return ""
        full = done * BAR // max(1, count)
        bar = f"{'█' * full}{'░' * (BAR - full)} " if width >= 60 else ""
        return f"{bar}{self._texts.say('review.progress', done=done, count=count)}"

    # Actions

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

    @on(Painted.Pressed)
    def _press(self, message: Painted.Pressed) -> None:
        message.stop()
        if isinstance(message.press, ChooseRow):
            self._choose(message.press.row)
