"""A page to read, of which a line that is typed picks a part."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from ..widgets.line_input import LineInput
from .page import Page, Scroller

SCROLLS = {
    "up": "scroll_up", "down": "scroll_down", "pageup": "page_up", "pagedown": "page_down",
    "home": "scroll_home", "end": "scroll_end",
}  # fmt: skip


class FilteredPage(Page[None], inherit_bindings=False):
    """A subclass yields its `line`, implements `pick`, and says what its keys scroll."""

    # These come before the line, which has the focus and takes every letter.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "act('close')", "close", show=False, priority=True, id="close"),
        *(Binding(key, f"scroll_page('{way}')", show=False, priority=True) for key, way in SCROLLS.items()),
    ]

    def __init__(self, longest: int) -> None:
        super().__init__()
        self.line = LineInput(compact=True, max_length=longest)
        self.line.cursor_blink = False
        self._picked = 0
        """The number of times that something else was picked."""

    def on_mount(self) -> None:
        self.watch(self.line, "value", self._pick_again, init=False)

    def _pick_again(self) -> None:
        self._picked += 1
        self.pick()

    def pick(self) -> None:
        """Show what the line picks, from its top."""
        raise NotImplementedError

    @property
    def scroller(self) -> Scroller:
        """Return the part that the keys scroll now."""
        raise NotImplementedError

    # Actions: each runs after every letter that was typed before it

    def action_close(self) -> None:
        self.line.call_later(self._clear_or_close)

    def _clear_or_close(self) -> None:
        """Clear what was typed; close only if there is nothing."""
        if self.line.value:
            self.line.value = ""
        elif self.is_current:
            self.dismiss()

    def action_scroll_page(self, way: str) -> None:
        self.line.call_later(self._scroll_soon, way)

    def _scroll_soon(self, way: str) -> None:
        """Scroll as soon as what is picked is shown, unless something else is picked meanwhile."""
        picked = self._picked

        def scroll() -> None:
            if self._picked == picked:
                getattr(self.scroller, f"action_{way}")()

        self.call_after_refresh(scroll)
