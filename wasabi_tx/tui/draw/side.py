"""The side of the board: seats, piles, pantry, what happened, talk; one of them at a time where it is narrow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...text import Texts
from ..keys import BY_ID, key_now
from ..layout import Layout
from ..safe_text import clean, fit
from ..scene import Scene, ingredients
from ..spans import Line, Span, clip
from .hand import recipe_lines, watcher_lines
from .log import since_lines
from .seats import seat_lines
from .stocks import pantry_lines, stock_lines
from .talk import beside, talk_line, talk_lines

SECTIONS = ("board", "recipes", "seats", "pantry", "log")
"""What the small layout shows in turn; larger ones show all but the log at once, and then all of the log."""
TWO_COLUMNS = 56
"""From so many columns on talk stands beside the log."""


@dataclass(frozen=True)
class Side:
    """One side of a table; `width` and `height` are those of the terminal."""

    scene: Scene
    layout: Layout
    texts: Texts
    keys: Mapping[str, str]
    width: int
    height: int

    def lines(self, section: str) -> list[Line]:
        if self.layout.small:
            return self._section(section)
        return self._news(self.layout.side, self.layout.body) if section == "log" else self._whole()

    def _whole(self) -> list[Line]:
        width = self.layout.side
        lines = [*self._seats(width), *stock_lines(self.scene.view, self.texts, width), *self._pantry(width)]
        return lines + self._news(width, self.layout.body - len(lines))

    def _seats(self, width: int) -> tuple[Line, ...]:
        scene = self.scene
        return seat_lines(scene.view, self.texts, width, scene.rules.hand_recipes, scene.around.away)

    def _pantry(self, width: int) -> list[Line]:
        scene = self.scene
        offered = tuple(scene.plan.offered_codes) if scene.plan is not None else ()
        full = width >= 48 and self.height >= 32
        return pantry_lines(scene.view, self.texts, width, ingredients(scene.rules.edition), full, offered)

    def _key(self, name: str) -> str:
        """The key that works now: letters may be those of a code that is asked for."""
        plan = self.scene.plan
        return key_now(BY_ID[name], self.keys, self.texts, plan.letters if plan is not None else ())

    def _news(self, width: int, rows: int) -> list[Line]:
        """What happened, and talk if there is any here."""
        around = self.scene.around
        if not around.talks:
            return self._since(width, rows)
        if width < TWO_COLUMNS or rows < 4:
            lines = self._since(width, rows - 1)
            lines += [()] * (rows - 1 - len(lines))
            return [*lines, talk_line(around, self.texts, width, self._key("talk"))]
        left = width * 11 // 20
        talk = talk_lines(around, self.texts, width - left - 1, rows, self._key("talk"))
        return beside(self._since(left, rows), talk, left)

    def _since(self, width: int, rows: int) -> list[Line]:
        scene = self.scene
        notices = (*scene.around.notices, *scene.view.notices)
        watching = scene.replayed or not any(seat.you for seat in scene.view.seats)
        return since_lines(scene.since, notices, self.texts, width, rows, self._key("log"), watching)

    def _section(self, section: str) -> list[Line]:
        """One section; beside the board only names, totals and who is away."""
        scene, texts, width = self.scene, self.texts, self.width
        match section:
            case "recipes" if scene.plan is not None:
                return recipe_lines(scene.plan, scene.view, texts, width, roomy=False)
            case "recipes":
                return watcher_lines(scene.view, scene.rules, texts, width)
            case "seats":
                return list(self._seats(width))
            case "pantry":
                return [*stock_lines(scene.view, texts, width), *self._pantry(width)]
            case "log":
                return self._news(width, self.layout.body)
        return [self._name(number) for number in range(len(scene.view.seats))]

    def _name(self, number: int) -> Line:
        seat, room = self.scene.view.seats[number], self.layout.side
        name = self.texts.say("tui.you") if seat.you else clean(seat.name, 20)
        mark = "×" if seat.gone else "○" if number in self.scene.around.away else ""
        spans = (
            Span("►" if seat.to_move else " ", "key"),
            Span(fit(name, room - 5 - len(mark)) + mark, "text"),
            Span(f"{seat.total:>3}", "strong"),
        )
        return clip(spans, room)
