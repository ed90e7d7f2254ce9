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
    """Whether covers and stacks are lifted to look under them."""
    line: str
    """What the line is for that is being typed: `talk`, `notation`, or nothing."""
    over: bool
    replayed: bool = False
    preview: Preview | None = None
    """What Enter would do with what is held."""
    clock: str = ""
    """How long the present turn has taken, once it is worth telling."""
    around: Around = QUIET
    idle: frozenset[str] = frozenset()
    """Actions that this game does not offer."""
    flash: Flash | None = None
    """What has just happened, while it is shown."""
    note: str = ""
    """What is at the table for the first time in the life of who sits here."""
    composing: bool = False
    """Whether the plan is for a later turn."""
    unplayed: tuple[str, ...] = ()
    """Why what was left for this turn was not played, in a sentence or two."""
    plans: tuple[tuple[str, ...], ...] = ()
    """What was left for later turns: each in a line, then in ever shorter ones."""
    ways: tuple[tuple[str, Do], ...] = ()
    """What can be done about later turns while others move."""
    guide: GuideView | None = None
    """What a lesson asks for; everything that it is not about steps back."""
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
