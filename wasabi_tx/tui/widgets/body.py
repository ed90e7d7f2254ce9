"""The whole table: panels around the board, laid out for the terminal's size and drawn from a scene."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ...text import Texts
from ..actions import BY_ID, shown_keys
from ..content import clean, fit
from ..draw.hand import hand_line, recipe_lines, spectator_lines
from ..draw.header import footer_line, header_line
from ..draw.log import since_lines
from ..draw.seats import seat_lines
from ..draw.stocks import pantry_lines, stock_lines
from ..draw.turn import note_line, question_lines, row_line, said_lines, typed_line
from ..layout import LEAST_HEIGHT, LEAST_WIDTH, Layout, choose_layout
from ..scene import Scene, ingredients, looks_of
from ..spans import Line, Span, clip
from .board import Board
from .panel import Panel

SECTIONS = ("board", "recipes", "seats", "pantry", "log")
"""What the small layout shows in turn."""


class TableBody(Widget):
    """Draws scenes."""

    can_focus = True

    def __init__(self, texts: Texts, keys: Mapping[str, str], where: str) -> None:
        super().__init__(id="table")
        self.texts = texts
        self._keys = keys
        self._where = where
        self._layout: Layout | None = None
        self._scene: Scene | None = None
        self._drawn: tuple[object, ...] = ()
        self.section = 0

    def compose(self) -> ComposeResult:
        yield Panel("header", "head")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield Board()
                yield Panel("hand")
            yield Panel("bar")
            yield Panel("side")
        yield Panel("rule")
        yield Panel("turn")
        yield Panel("footer", "foot")
        yield Panel("notice")

    @property
    def small(self) -> bool:
        return self._layout is not None and self._layout.small

    def panel(self, name: str) -> Panel:
        return self.query_one(f"#{name}", Panel)

    def on_resize(self) -> None:
        self._layout = None
        if self._scene is not None:
            self.draw(self._scene)

    def redraw(self, texts: Texts, keys: Mapping[str, str]) -> None:
        """Draws everything anew: another language, other keys, another theme."""
        self.texts, self._keys, self._drawn = texts, keys, ()
        for panel in self.query(Panel):
            panel.refresh()
        self.query_one(Board).refresh()
        if self._scene is not None:
            self.draw(self._scene)

    def next_section(self) -> None:
        self.section = (self.section + 1) % len(SECTIONS)
        self._layout = None
        if self._scene is not None:
            self.draw(self._scene)

    def draw(self, scene: Scene) -> None:
        self._scene = scene
        if not self.is_attached or not self.size.width:
            return
        if self._layout is None:
            self._lay_out(scene)
        layout = self._layout
        if layout is None:
            self._draw_notice()
            return
        texts, width = self.texts, self.size.width
        board = self.query_one(Board)
        if board.display:
            board.show(looks_of(scene, texts.language), scene.view.columns, layout.tiles)
        self.panel("hand").show(tuple(self._hand(scene, layout)))
        # Keys that only move something leave these as they are, and they are most of what is drawn.
        offered = tuple(scene.plan.offered_codes) if scene.plan is not None else ()
        stale = (scene.view, scene.since, offered, layout, self.section, texts)
        if len(stale) != len(self._drawn) or any(
            a is not b and a != b for a, b in zip(stale, self._drawn, strict=True)
        ):
            self._drawn = stale
            self.panel("header").show((header_line(scene.view, texts, width, scene.over, not scene.replayed),))
            self.panel("side").show(tuple(self._side(scene, layout)))
            self.panel("footer").show((footer_line(self._where, texts, width, self._keys),))
        self.panel("turn").show(tuple(self._turn(scene, layout)))

    def _lay_out(self, scene: Scene) -> None:
        """Gives every panel its place for this terminal."""
        width, height = self.size.width, self.size.height
        grid = scene.rules.grid
        layout = self._layout = choose_layout(width, height, grid.columns, grid.rows)
        self._drawn = ()
        fits = layout is not None
        for name in ("header", "middle", "rule", "turn", "footer"):
            self.query_one(f"#{name}").display = fits
        self.panel("notice").display = not fits
        if layout is None:
            return
        whole = layout.small and SECTIONS[self.section] != "board"
        board = self.query_one(Board)
        self.query_one("#middle").styles.height = layout.body
        self.query_one("#left").display = not whole
        self.query_one("#left").styles.width = layout.left
        board.styles.height = 1 + grid.rows * layout.tiles.height
        board.refresh()
        hand = self.panel("hand")
        hand.display = not layout.small
        hand.styles.height = layout.hand
        self.panel("bar").display = not whole
        self.panel("bar").show(((Span("│", "rule"),),) * layout.body)
        self.panel("side").styles.width = width if whole else layout.side
        rule = self.panel("rule")
        cross = "─" * layout.left + "┴" + "─" * (width - layout.left - 1)
        rule.display = not layout.small
        rule.show(((Span(cross, "rule"),),))
        self.panel("turn").styles.height = 3 + layout.question + (1 if layout.small else 0)
        for panel in self.query(Panel):
            panel.refresh()

    def _draw_notice(self) -> None:
        words = self.texts.say("tui.too-small", width=LEAST_WIDTH, height=LEAST_HEIGHT)
        width = max(1, self.size.width)
        lines = [words[n : n + width] for n in range(0, len(words), width)]
        self.panel("notice").show(tuple((Span(line, "warning"),) for line in lines))

    def _hand(self, scene: Scene, layout: Layout) -> list[Line]:
        if layout.small:
            return []
        plan, texts = scene.plan, self.texts
        if plan is None:
            return spectator_lines(scene.view, scene.rules, texts, layout.left)
        names = ingredients(scene.rules.edition) if layout.left >= 56 else None
        lines = [hand_line(plan, texts, layout.left, names)]
        return [*lines, *recipe_lines(plan, scene.view, texts, layout.left, layout.roomy)]

    def _side(self, scene: Scene, layout: Layout) -> list[Line]:
        texts, view = self.texts, scene.view
        if layout.small:
            return self._small_side(scene, layout)
        width = layout.side
        lines = list(seat_lines(view, texts, width, scene.rules.hand_recipes))
        lines += stock_lines(view, texts, width)
        lines += self._pantry(scene, width)
        return lines + self._since(scene, width, layout.body - len(lines))

    def _pantry(self, scene: Scene, width: int) -> list[Line]:
        offered = tuple(scene.plan.offered_codes) if scene.plan is not None else ()
        full = width >= 48 and self.size.height >= 32
        return pantry_lines(scene.view, self.texts, width, ingredients(scene.rules.edition), full, offered)

    def _since(self, scene: Scene, width: int, rows: int) -> list[Line]:
        key = shown_keys(BY_ID["log"], self._keys)[0]
        return since_lines(scene.since, scene.view.notices, self.texts, width, rows, key)

    def _small_side(self, scene: Scene, layout: Layout) -> list[Line]:
        """One section at a time; beside the board only names, totals and warnings."""
        view, texts, width = scene.view, self.texts, self.size.width
        match SECTIONS[self.section]:
            case "recipes" if scene.plan is not None:
                return recipe_lines(scene.plan, view, texts, width, roomy=False)
            case "recipes":
                return spectator_lines(view, scene.rules, texts, width)
            case "seats":
                return list(seat_lines(view, texts, width, scene.rules.hand_recipes))
            case "pantry":
                return [*stock_lines(view, texts, width), *self._pantry(scene, width)]
            case "log":
                return self._since(scene, width, layout.body)
        lines: list[Line] = []
        for seat in view.seats:
            name = texts.say("tui.you") if seat.you else clean(seat.name, 20)
            mark = Span("►" if seat.to_move else " ", "key")
            lines.append(
                clip((mark, Span(fit(name, layout.side - 5), "text"), Span(f"{seat.total:>3}", "strong")), layout.side)
            )
        return lines

    def _turn(self, scene: Scene, layout: Layout) -> list[Line]:
        width, texts = self.size.width, self.texts
        lines: list[Line] = []
        if layout.small and scene.plan is not None:
            lines.append(hand_line(scene.plan, texts, width))
        elif layout.small:
            lines.append(())
        lines.append(row_line(scene.parts, width))
        said = scene.plan.message if scene.plan is not None else ""
        if cell_len(said) > width:
            # A hint with its reasons: for once it may take the place of the question.
            return [*lines, *said_lines(said, scene.wrong, width, layout.question + 1), *self._typed(scene)]
        asked = question_lines(scene.question, width, layout.question)
        lines += [*asked, *[()] * (layout.question - len(asked))]
        lines.append(note_line(scene.question, scene.wrong, width))
        return [*lines, *self._typed(scene)]

    def _typed(self, scene: Scene) -> list[Line]:
        return [typed_line(scene.typed, scene.notation, scene.waiting, self.texts, self.size.width)]
