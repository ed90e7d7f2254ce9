"""A panel of the table: a painted widget that knows the edition, the keys, and whether a lesson is about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypeVar

from textual.reactive import reactive

from ....engine.edition import Edition
from ...canvas import Canvas
from ...draw.sheet import Means
from ..painted import Painted

V = TypeVar("V")
BACK = 0.6
"""The share by which a panel fades while a lesson is about others."""


class TablePanel(Painted[V]):
    """Paints a view of the table with the names of an edition."""

    edition: reactive[Edition | None] = reactive(None, repaint=False, init=False)
    """The edition whose ingredients and cards are named."""
    keys: reactive[Mapping[str, str]] = reactive(dict, repaint=False, init=False)
    """The key of each action, as the person here has set it."""
    lit: reactive[frozenset[str] | None] = reactive(None, repaint=False, init=False)
    """The panels that a lesson is about, by id; None if all of them are shown as ever."""

    RECEDES: ClassVar[bool] = True
    """True if the whole panel fades while a lesson is about others."""
    _means: Means | None = None

    def watch_edition(self) -> None:
        self.repaint()

    def watch_keys(self) -> None:
        self.repaint()

    def watch_lit(self) -> None:
        self.repaint()

    @property
    def is_lit(self) -> bool:
        """True unless this panel is dimmed."""
        return self.lit is None or self.id in self.lit

    @property
    def means(self) -> Means:
        """The same object until something in it changes, so that painters can cache their pictures."""
        app, known = self.app, self._means
        if known is None or (known.paints, known.texts, known.edition, known.keys) != (
            app.paints, app.texts, self.edition, self.keys,
        ):  # fmt: skip
            known = self._means = Means.of(app.paints, app.texts, self.edition, self.keys)
        return known

    def _painted(self) -> Canvas:
        canvas = super()._painted()
        if self.RECEDES and not self.is_lit:
            canvas.recede(self.app.paints["background"], BACK)
        return canvas
