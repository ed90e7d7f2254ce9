"""The app that painted widgets run in: its paints and texts are reactive, and widgets follow them."""

from __future__ import annotations

from textual.app import App
from textual.reactive import var

from ..text import Texts
from .paints import Paints


class PaintedApp(App[None]):
    """An app whose look and language can change while it runs."""

    paints: var[Paints] = var(lambda: NotImplemented, init=False)
    """The colours of the theme as numbers."""
    texts: var[Texts] = var(lambda: Texts("en"), init=False)
    """The sentences of the language."""

    def __init__(self, paints: Paints, texts: Texts) -> None:
        super().__init__()
        self.set_reactive(PaintedApp.paints, paints)
        self.set_reactive(PaintedApp.texts, texts)
