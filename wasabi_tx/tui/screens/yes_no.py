"""A question to be answered with yes or no; nothing else answers it, so that no key pressed for the game does."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from ..bindings import bindings_on, footer_on
from ..safe_text import plain
from ..widgets.page_foot import PageFoot
from .page import Page


class YesNoPage(Page[bool]):
    """True or False; None if it was closed without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_on("asked")

    def __init__(self, question: str, about: str, close: str = "") -> None:
        """Make the page; `close` is the label for not answering."""
        super().__init__()
        self._close = close
        self.question = question
        self._about = about

    def compose(self) -> ComposeResult:
        answers = PageFoot(classes="-plain answers")
        answers.hints = tuple(self.hint(one.id) for one in footer_on("asked"))
        with self.dialog():
            yield Static(plain(self.question), classes="question")
            yield Static(plain(self._about), classes="about")
            yield answers
            yield self.foot(close=self._close)

    def action_yes(self) -> None:
        self.dismiss(True)

    def action_no(self) -> None:
        self.dismiss(False)
