"""A moment at a table: all that its panels show, gathered once, from which the view of each panel is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...engine.rules import AnyRules
from ...turn.plan import Plan
from ...turn.preview import Preview
from ...turn.prompt_choices import Question
from ...view.log.chronicle import TurnEntry
from ...view.online.surroundings import Around
from ...view.press import Do
from ...view.table.table import TableView
from .flash import Flash

if TYPE_CHECKING:
    from ...lessons.guide import GuideView

QUIET = Around()
ALWAYS_LIT = frozenset({"guide", "keys", "notice"})
"""Panels that never step back."""


@dataclass(frozen=True)
class TableMoment:
    rules: AnyRules
    view: TableView
    plan: Plan | None
    question: Question
    since: Sequence[TurnEntry]
    last: frozenset[int]
    """Squares of the last move."""
    cursor: int | None
    lifted: bool
    """True while covers and stacks are lifted to look under them."""
    line: str
    """The purpose of the line being typed: `talk`, `notation`, or ""."""
    over: bool
    replayed: bool = False
    preview: Preview | None = None
    """The effect that Enter would have now."""
    clock: str = ""
    """The time that the present turn has taken, once it is worth showing."""
    around: Around = QUIET
    idle: frozenset[str] = frozenset()
    """Actions that this game does not offer."""
    flash: Flash | None = None
    """The latest event, while it is shown."""
    note: str = ""
    """A note on something that the user meets for the first time."""
    composing: bool = False
    """True if the plan is for a later turn."""
    unplayed: tuple[str, ...] = ()
    """The reason why the plan for this turn was not played, in a sentence or two."""
    plans: tuple[tuple[str, ...], ...] = ()
    """The plans for later turns: each in a line, then in ever shorter ones."""
    ways: tuple[tuple[str, Do], ...] = ()
    """The ways to change later turns while others move."""
    guide: GuideView | None = None
    """The task of a lesson; everything else recedes."""
    race: Sequence[tuple[int, ...]] = ()
    """All totals at the end of every turn."""

    @property
    def lit(self) -> frozenset[str] | None:
        """The panels that a lesson is about; None if every panel is shown as ever."""
        return None if self.guide is None else self.guide.panels | ALWAYS_LIT

    @property
    def watching(self) -> bool:
        """True if nobody at this keyboard has a seat."""
        return not any(seat.you for seat in self.view.seats)

    @property
    def letters(self) -> frozenset[str]:
        """The letters that are typed now, and so run no action."""
        return frozenset(self.plan.letters) if self.plan is not None else frozenset()
