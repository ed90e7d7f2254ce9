"""Lookups at a table: what is under covers and stacks, and what an adviser would do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from ....turn.hint import Hint, advise, hint_sentence
from ....view.table.plain_table import lying_under
from ...text_lines import TextLine

if TYPE_CHECKING:
    from ....engine.observe import Observation
    from ....engine.position import Position
    from ....text import Texts
    from .screen import TableScreen

ROOMY = 30
"""Fewest rows for all reasons of a hint during a lesson."""


class Told(NamedTuple):
    """The hint that was shown last, what it was about, and its place among the hints for that."""

    observation: Observation
    hint: Hint
    number: int


class Lookups:
    """Answers on the table itself, without changing the game."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table
        self._lifted: Position | None = None
        """The position whose covers are lifted; in any other everything is in its place again."""
        self._told: Told | None = None

    @property
    def lifted(self) -> bool:
        """True while covers and stacks are lifted to look under them."""
        if self._lifted is not self._table.followed.observation.position:
            self._lifted = None
        return self._lifted is not None

    def action_under(self) -> None:
        """Lift covers and stacks, or put them down again."""
        table = self._table
        if not self.lifted and not lying_under(table.followed.view()):
            table.remark(table.texts.say("under.nothing"))
            return
        self._lifted = None if self.lifted else table.followed.observation.position
        table.refresh_table()

    def put_down(self) -> None:
        """Put covers and stacks down; the caller draws."""
        self._lifted = None

    def action_hint(self) -> None:
        """Ask the adviser, which thinks in a thread of its own."""
        table, plan = self._table, self._table.followed.plan
        if plan is not None:
            plan.set_message(table.texts.say("tui.thinking"))
            table.plan_changed()
            table.run_worker(self._hint(table.texts), name="hint", exclusive=True, group="hint")

    def action_take_hint(self) -> None:
        """Put the steps of the shown hint into the draft, where they can be seen, sent or undone."""
        table, plan, told = self._table, self._table.followed.plan, self._told
        if plan is None:
            return
        if told is None or told.observation != plan.draft.observation:
            self.action_hint()
            return
        for step in told.hint.steps:
            if not plan.add(step):
                break
        table.plan_changed()

    async def _hint(self, texts: Texts) -> None:
        table, plan = self._table, self._table.followed.plan
        if plan is None:
            return
        observation = plan.draft.observation
        hints: list[Hint] = await asyncio.to_thread(advise, observation, texts)
        if table.followed.plan is not plan:
            return
        if not hints:
            plan.set_message(texts.say("play.hint-none"))
        else:
            # Asked again about the same position, the adviser tells the next one, and after the last the first again.
            told = self._told
            number = (told.number + 1) % len(hints) if told is not None and told.observation == observation else 0
            self._told = Told(observation, hints[number], number)
            hint = hints[number]
            words = hint_sentence(hint, number, len(hints), observation, table.followed.game.players, texts)
            # The guide of a lesson has three rows on a small terminal: the main reason fits there.
            brief = table.guiding is not None and table.size.height < ROOMY
            plan.set_message(
                words, texts.say("play.hint-take", key=table.key_of("take_hint")), *hint.reasons[: 1 if brief else None]
            )
            if table.table.tiny:
                # The smallest table has no room for reasons.
                table.open_page("hint", [TextLine(words, "bold"), *map(TextLine, plan.said[1:])])
        table.plan_changed()
