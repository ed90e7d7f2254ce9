"""The menu of the home screen: the title in blocks, the belt, and every way in its group."""

from __future__ import annotations

from typing import NamedTuple

from ..canvas import Canvas
from ..draw.belt import paint_belt
from ..draw.home import HomePlan, WayGroup, paint_home, plan_home
from ..draw.sheet import Means
from .painted import Painted


class HomeView(NamedTuple):
    """Everything that can be done, what Enter would do, games that wait, and how far the belt has moved."""

    groups: tuple[WayGroup, ...]
    at: int
    waiting: WayGroup | None
    keys: tuple[tuple[str, str], ...]
    moved: int


class HomeMenu(Painted[HomeView], can_focus=True):
    DEFAULT_CSS = "HomeMenu { width: 100%; height: 100%; }"

    def _means(self, view: HomeView) -> Means:
        return Means(self.app.paints, self.app.texts, {}, {}, dict(view.keys))

    def _plan(self, view: HomeView, width: int, height: int) -> HomePlan:
        waiting = 0 if view.waiting is None else len(view.waiting.ways)
        sizes = [len(group.ways) for group in view.groups]
        return plan_home(self._means(view), width, height, sizes, waiting)

    @property
    def has_belt(self) -> bool:
        """True if there is room for the belt."""
        if self.view is None:
            return False
        plan = self._plan(self.view, *self.size)
        return plan.drawn and plan.belt is not None

    def paint(self, view: HomeView, width: int, height: int) -> Canvas:
        means, plan = self._means(view), self._plan(view, width, height)
        canvas = paint_home(view.groups, view.at, means, width, height, view.waiting)
        if plan.drawn and plan.belt is not None:
            canvas.paste(paint_belt(means.paints, width, plan.large, view.moved), 0, plan.belt)
        return canvas
