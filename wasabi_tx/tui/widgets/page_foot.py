"""The foot of a page: one green button for Enter, every other key that works now, and how to leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events, getters
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from ...text.cells import cut
from ..painted_app import PaintedApp
from ..safe_text import plain

GAP = 2
LEAST_NOTE = 12
"""Columns below which a note is left out."""


class KeyHint(NamedTuple):
    """A key, what it does in a word or two, and the action of the screen that a click runs, if any."""

    keys: str
    words: str
    action: str = ""


class PageFoot(Widget):
    """One row, or two: what does not fit beside the button goes below it; the last hint, how to leave, always shows.

    With the class `-single` all is in one row, with `-plain` in one without a button, with `-button` it is the button.
    """

    DEFAULT_CSS = """
    PageFoot {
        height: 2; width: 100%; background: $surface; color: $foreground; text-wrap: nowrap; text-overflow: clip;
        &.-single, &.-plain, &.-button { height: 1; }
        & > .page-foot--bar { background: $bar-ground; }
        & > .page-foot--mark { background: $bar-ground; color: $bar-mark; }
        & > .page-foot--button-key { background: $button-key-ground; color: $button-key; text-style: bold; }
        & > .page-foot--button { background: $button-ground; color: $foreground; text-style: bold; }
        & > .page-foot--badge { background: $key-ground; color: $foreground; text-style: bold; }
        & > .page-foot--bar-strong { background: $bar-ground; color: $foreground; text-style: bold; }
        & > .page-foot--bar-words { background: $bar-ground; color: $muted; }
        & > .page-foot--key { color: $foreground; text-style: bold; }
        & > .page-foot--words { color: $muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"page-foot--{one}"
        for one in ("bar", "mark", "button-key", "button", "badge", "bar-words", "bar-strong", "key", "words")
    }
    app = getters.app(PaintedApp)
    button: reactive[KeyHint | None] = reactive[KeyHint | None](None)
    """The hint for Enter."""
    hints: reactive[tuple[KeyHint, ...]] = reactive[tuple[KeyHint, ...]](())
    """Everything else that works now; how to leave comes last."""
    note: reactive[str] = reactive("")
    """A few words for the second row, where there is room."""

    def render(self) -> Content:
        width = self.size.width
        if not width or not (self.hints or self.button or self.note):
            return Content("")
        if self.has_class("-plain"):
            return self._second(self.hints, width)
        if self.has_class("-button"):
            return self._alone(width)
        beside, below = self._fill(width) if self.size.height > 1 else (self._fill_one(width), [])
        row = Content("").join([self._begin(), *beside])
        if row.cell_length - GAP > width and not below:
            # What comes last begins a little earlier rather than being cut.
            begin = self._begin()
            row = Content("").join([begin[: len(begin) - GAP], self._styled(" ", "bar"), *beside])
        bar = self.get_visual_style("page-foot--bar")
        first = row.append(Content(" " * max(0, width - row.cell_length)).stylize(bar))
        return Content("\n").join([first, self._second(below, width)])

    def _alone(self, width: int) -> Content:
        """Return the button alone, or without one what is waited for, and a note after it."""
        note = self._styled(self.note, "bar-words" if self.button else "bar-strong")
        row = self._begin().append(note).truncate(width)
        return row.append(self._styled(" " * (width - row.cell_length), "bar"))

    # The first row

    def _begin(self) -> Content:
        """Return the mark and the button."""
        mark = self._styled("▌", "mark").append(self._styled(" ", "bar"))
        if self.button is None:
            return mark
        key = self._styled(f" {self.button.keys} ", "button-key", self.button.action)
        words = self._styled(f" {self.button.words} ", "button", self.button.action)
        return Content("").join([mark, key, words, self._styled(" " * GAP, "bar")])

    def _fill(self, width: int) -> tuple[list[Content], list[KeyHint]]:
        """Return the hints beside the button, and those that do not fit there."""
        x = self._begin().cell_length
        beside: list[Content] = []
        for number, hint in enumerate(self.hints):
            if x + self._badge_width(hint) > width:
                return beside, list(self.hints[number:])
            beside += self._badge(hint)
            x += sum(part.cell_length for part in beside[-2:])
        return beside, []

    def _fill_one(self, width: int) -> list[Content]:
        """Return the hints for a single row: what does not fit whole is left out, but never how to leave."""
        *others, last = self.hints
        x, end = self._begin().cell_length, width - self._badge_width(last)
        beside: list[Content] = []
        for hint in others:
            if x + self._badge_width(hint) + GAP <= end:
                beside += self._badge(hint)
                x += sum(part.cell_length for part in beside[-2:])
        return [*beside, *self._badge(last)]

    @staticmethod
    def _badge_width(hint: KeyHint) -> int:
        return cell_len(f" {hint.keys}  {hint.words}")

    def _badge(self, hint: KeyHint) -> list[Content]:
        """Return ` w  watch` with the key on a ground of its own, and the gap after it."""
        keys = f" {hint.keys} " if self.app.paints.pixels else hint.keys
        key = self._styled(keys, "badge", hint.action)
        return [key.append(self._styled(f" {hint.words}", "bar-words", hint.action)), self._styled(" " * GAP, "bar")]

    # The second row

    def _second(self, below: Sequence[KeyHint], width: int) -> Content:
        parts: list[Content] = [Content(" ")]
        x, end, last = 1, width, None
        if below:
            *below, last = below
            end -= cell_len(f"{last.keys} {last.words}") + 1
        for hint in below:
            size = cell_len(f"{hint.keys} {hint.words}")
            if x + size < end:
                parts += [self._plain_hint(hint), Content(" " * GAP)]
                x += size + GAP
        if self.note and x + LEAST_NOTE < end:
            words = cut(self.note, end - x - GAP)
            parts.append(self._styled(words, "words"))
            x += cell_len(words)
        if last is not None:
            gap = 0 if self.has_class("-plain") else max(0, end - x)
            parts += [Content(" " * gap), self._plain_hint(last)]
        return Content("").join(parts)

    def _plain_hint(self, hint: KeyHint) -> Content:
        key = self._styled(hint.keys, "key", hint.action)
        return key.append(self._styled(f" {hint.words}", "words", hint.action))

    def _styled(self, words: str, part: str, action: str = "") -> Content:
        style = self.get_visual_style(f"page-foot--{part}")
        if part == "button-key" and not self.app.paints.pixels:
            # Textual leaves this out of a visual style.
            style += Style(reverse=True)
        if action:
            style += Style.from_meta({"act": action})
        return plain(words).stylize(style)

    async def on_click(self, event: events.Click) -> None:
        action = event.style.meta.get("act")
        if action is not None:
            event.stop()
            await self.app.run_action(f"screen.act('{action}')", self)

    @property
    def words(self) -> str:
        """The text of the foot, without colours."""
        return self.render().plain
