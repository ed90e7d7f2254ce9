"""Lookups at a table: what is under covers and stacks, and what an adviser would do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from ....view.table.plain_table import lying_under
from ....view.turn.hint import Hint, advise, hint_sentence
from ...keys import BY_ID, shown_keys
from ...spans import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....engine.observe import Observation
    from ....engine.position import Position
    from ....text import Texts
    from ..base import Handler
    from .screen import TableScreen


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

    def handlers(self) -> Mapping[str, Handler]:
        return {"under": self.look_under, "hint": self.ask_hint, "take_hint": self.take_hint}

    @property
    def lifted(self) -> bool:
        """Whether covers and stacks are lifted to look under them."""
        if self._lifted is not self._table.followed.observation.position:
            self._lifted = None
        return self._lifted is not None

    def look_under(self) -> None:
        """Lifts covers and stacks, or puts them down again."""
        table = self._table
        if not self.lifted and not lying_under(table.followed.view()):
            table.remark(table.texts.say("under.nothing"))
            return
        self._lifted = None if self.lifted else table.followed.observation.position
        table.draw()

    def put_down(self) -> None:
        """Puts covers and stacks back; the caller draws."""
        self._lifted = None

    def ask_hint(self) -> None:
        """Asks the adviser, who thinks in a thread of its own."""
        table, plan = self._table, self._table.followed.plan
        if plan is not None:
            plan.say(table.texts.say("tui.thinking"))
            table.draw()
            table.run_worker(self._hint(table.texts), name="hint", exclusive=True, group="hint")

    def take_hint(self) -> None:
        """Puts the steps of the hint that is shown into the draft, where they can be seen, sent or undone."""
        table, plan, told = self._table, self._table.followed.plan, self._told
        if plan is None:
            return
        if told is None or told.observation != plan.draft.observation:
            self.ask_hint()
            return
        for step in told.hint.steps:
            if not plan.add(step):
                break
        table.draw()

    async def _hint(self, texts: Texts) -> None:
        table, plan = self._table, self._table.followed.plan
        if plan is None:
            return
        observation = plan.draft.observation
        hints: list[Hint] = await asyncio.to_thread(advise, observation, texts)
        if table.followed.plan is not plan:
            return
        if not hints:
            plan.say(texts.say("play.hint-none"))
        else:
            # Asked again about the same position, the adviser tells the next one, and after the last the first again.
            told = self._told
            number = (told.number + 1) % len(hints) if told is not None and told.observation == observation else 0
            self._told = Told(observation, hints[number], number)
            hint = hints[number]
            (key, *_) = shown_keys(BY_ID["take_hint"], table.wasabi.settings.keys, texts)
            words = hint_sentence(hint, number, len(hints), observation, table.followed.game.players, texts)
            plan.say(words, texts.say("play.hint-take", key=key), *hint.reasons)
            if table.body.small:
                # The smallest table has no room for reasons.
                table.open_page("hint", [(Span(words, "strong"),), *((Span(one, "text"),) for one in plan.said[1:])])
        table.draw()
