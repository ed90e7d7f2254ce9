"""Votes at a table, and the question whether to play here when the same key plays on another device."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ....text.foreign import clean
from ..page import ListPage
from ..yes_no import YesNoPage

if TYPE_CHECKING:
    from .screen import TableScreen

Answer = Callable[[bool], Awaitable[None]]


class Votes:
    """Asks the person at this screen, and gives their answer to the game."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def action_answer(self) -> None:
        """Answer the pending question, or ask the others about somebody who is missing."""
        table, around, say = self._table, self._table.around, self._table.texts.say
        if around.other_run:
            self._ask(say("tui.asked.other-run"), say("tui.asked.other-run-about"), self._confirm_run)
        elif around.vote is not None:
            self._ask_about(around.vote.out)
        elif len(around.missing) == 1:
            self._ask_about(around.missing[0])
        elif around.missing:
            names = [(str(seat), self._name(seat)) for seat in around.missing]
            table.app.push_screen(ListPage(say("tui.asked.whom"), names), self._chosen)
        else:
            table.remark(say("tui.asked.nothing"))

    def _name(self, seat: int) -> str:
        return clean(self._table.opened.game.players[seat].name, 20)

    def _chosen(self, seat: str | None) -> None:
        if seat:
            self._ask_about(int(seat))

    def _ask_about(self, seat: int) -> None:
        game, say, name = self._table.opened.game, self._table.texts.say, self._name(seat)
        if left := self._table.around.time_left(seat):
            self._table.remark(say("tui.asked.too-early", name=name, time=left))
            return
        kind = "give-up" if len(game.position.playing) == 2 else "vote"
        asked = self._table.around.vote is not None

        async def answer(yes: bool) -> None:
            # No to a vote that nobody has called says nothing.
            if yes or asked:
                await game.vote(seat, yes)

        self._ask(say(f"tui.asked.{kind}", name=name), say(f"tui.asked.{kind}-about", name=name), answer)

    def _ask(self, question: str, about: str, answer: Answer) -> None:
        table = self._table

        def answered(yes: bool | None) -> None:
            if yes is not None:
                table.run_worker(self._give(answer(yes)), name="answer")

        table.app.push_screen(YesNoPage(question, about), answered)

    async def _give(self, answer: Awaitable[None]) -> None:
        await self._table.attempt(answer)
        self._table.plan_changed()

    async def _confirm_run(self, yes: bool) -> None:
        if yes:
            await self._table.opened.game.confirm_run()
            self._table.around.confirmed()
