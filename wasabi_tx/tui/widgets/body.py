"""The body of the screen: panels around the board, laid out for the terminal's size and drawn from a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from ...text import Texts
from ..draw.hand import hand_line, recipe_lines, watcher_lines
from ..draw.header import footer_line, header_line
from ..draw.side import SECTIONS, Side
from ..draw.talk import said_rows
from ..draw.turn import asked_line, lead_line, note_line, question_lines, row_line, said_lines, typed_line
from ..keys import BY_ID, key_now
from ..layout import LEAST_HEIGHT, LEAST_WIDTH, Layout, choose_layout
from ..safe_text import wrap
from ..scene import Scene, ingredients, looks_of
from ..spans import Line, Span, line_width
from .board import BoardWidget
from .keyboard import Keyboard, TakeKey
from .panel import Panel

TOLD_ELSEWHERE = ("talk",)
"""Actions whose keys stand beside what they are about."""


class TableBody(Widget):
    """Draws scenes."""

    def __init__(self, texts: Texts, keys: Mapping[str, str], where: str, take_key: TakeKey) -> None:
        super().__init__(id="table")
        self.keyboard = Keyboard(take_key)
        self.texts = texts
        self._keys = keys
        self._where = where
        self._layout: Layout | None = None
        self._scene: Scene | None = None
        self._drawn: tuple[object, ...] = ()
        self.section = SECTIONS[0]

    def compose(self) -> ComposeResult:
        yield Panel("header", "head")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield BoardWidget()
                yield Panel("hand")
            yield Panel("bar")
            yield Panel("side")
        yield Panel("rule")
        yield Panel("turn")
        yield Panel("footer", "foot")
        yield Panel("notice")
        yield self.keyboard

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
        self.query_one(BoardWidget).refresh()
        if self._scene is not None:
            self.draw(self._scene)

    def next_section(self) -> None:
        ways = SECTIONS if self.small else (SECTIONS[0], "log")
        at = ways.index(self.section) if self.section in ways else 0
        self.section = ways[(at + 1) % len(ways)]
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
        board = self.query_one(BoardWidget)
        if board.display:
            board.show(looks_of(scene, texts.language), scene.view.columns, layout.tiles)
        self.panel("hand").show(tuple(self._hand(scene, layout)))
        # Keys that only move something leave these as they are, and they are most of what is drawn.
        offered = tuple(scene.plan.offered_codes) if scene.plan is not None else ()
        stale = (scene.view, scene.since, offered, layout, self.section, texts, scene.around, scene.idle, scene.lifted)
        if len(stale) != len(self._drawn) or any(
            a is not b and a != b for a, b in zip(stale, self._drawn, strict=True)
        ):
            self._drawn = stale
            self._draw_header(scene)
            side = Side(scene, layout, texts, self._keys, width, self.size.height)
            self.panel("side").show(tuple(side.lines(self.section)))
            without, keep = {*scene.idle, *TOLD_ELSEWHERE}, ("panels",) if layout.small else ()
            self.panel("footer").show((footer_line(self._where, texts, width, self._keys, "", without, keep),))
            self.panel("rule").show((self._rule(scene, layout),))
        self.panel("turn").show(tuple(self._turn(scene, layout)))
        lead = line_width(lead_line(scene.line, texts))
        self.keyboard.place(lead, self.size.height - 2, width - lead)

    def _draw_header(self, scene: Scene) -> None:
        letters = scene.plan.letters if scene.plan is not None else ()
        lifted = key_now(BY_ID["under"], self._keys, self.texts, letters) if scene.lifted else ""
        head = header_line(
            scene.view, self.texts, self.size.width, scene.over, scene.around, scene.replayed, scene.clock, lifted
        )
        self.panel("header").show((head,))

    def tell_time(self, clock: str) -> None:
        """Time goes by; nothing else has changed."""
        scene = self._scene
        if scene is not None and scene.clock != clock:
            self._scene = replace(scene, clock=clock)
            if self._layout is not None:
                self._draw_header(self._scene)

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
        whole = layout.small and self.section != "board"
        board = self.query_one(BoardWidget)
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
        self.panel("rule").display = not layout.small
        self.panel("turn").styles.height = 3 + layout.question + (1 if layout.small else 0)
        for panel in self.query(Panel):
            panel.refresh()

    def _rule(self, scene: Scene, layout: Layout) -> Line:
        """The rule above the turn; what the table asks stands in it, so that it covers nothing."""
        if scene.around.asked:
            return asked_line(scene.around.asked, self.texts, self.size.width, self._keys)
        return (Span("─" * layout.left + "┴" + "─" * (self.size.width - layout.left - 1), "rule"),)

    def _draw_notice(self) -> None:
        words = self.texts.say("tui.too-small", width=LEAST_WIDTH, height=LEAST_HEIGHT)
        lines = wrap(words, max(1, self.size.width))
        self.panel("notice").show(tuple((Span(line, "warning"),) for line in lines))

    def _hand(self, scene: Scene, layout: Layout) -> list[Line]:
        if layout.small:
            return []
        plan, texts = scene.plan, self.texts
        if plan is None:
            return watcher_lines(scene.view, scene.rules, texts, layout.left)
        names = ingredients(scene.rules.edition) if layout.left >= 56 else None
        lines = [hand_line(plan, texts, layout.left, names)]
        return [*lines, *recipe_lines(plan, scene.view, texts, layout.left, layout.roomy)]

    def _turn(self, scene: Scene, layout: Layout) -> list[Line]:
        width, texts = self.size.width, self.texts
        lines: list[Line] = []
        if layout.small and scene.plan is not None:
            lines.append(hand_line(scene.plan, texts, width))
        elif layout.small:
            lines.append(())
        if scene.line == "talk":
            rows = said_rows(scene.around.talk, width, layout.question + 2)
            return [*lines, *[()] * (layout.question + 2 - len(rows)), *rows, *self._typed(scene)]
        if layout.small and scene.around.asked:
            lines.append(asked_line(scene.around.asked, texts, width, self._keys))
        else:
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
        if scene.line:
            return [lead_line(scene.line, self.texts)]
        return [typed_line(scene.typed, scene.waiting, self.texts)]
