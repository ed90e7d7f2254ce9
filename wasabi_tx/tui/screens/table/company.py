"""What a table does with the others around it: talk, votes, another place of the same key, playing again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ....table.game import Can, InvalidEntry, Leaving, Notice, RematchWished
from ....view.online.event_lines import news_line
from ....view.online.surroundings import sentence
from ...draw.talk import said_rows
from ...keys import KeyAction
from ...safe_text import clean
from ...spans import Line, Span
from ..base import ListPage
from ..curtain import Paused
from ..yes_no import AskedPage
from .lookups import Lookups
from .pages import TEXT

Answer = Callable[[bool], Awaitable[None]]


class Company(Lookups):
    """Answers what the table asks, and says what its people want."""

    talking: str | None = None
    """A line that is being typed to the others."""

    def offers(self, action: KeyAction) -> bool:
        if action.id == "drop" and self.lifted:
            return True
        return not action.needs or Can[action.needs] in self.opened.game.can

    def refuse(self) -> None:
        key = "tui.watching" if self.around.watching else "error.not-here"
        self.remark(self.texts.say(key))

    def hear(self, event: Notice) -> None:
        """Something happened around the table: what must not be missed is said once more above everything."""
        if isinstance(event, InvalidEntry | Leaving | RematchWished):
            words = news_line(event, self.opened.game.players, self.texts)
            self.tell(sentence(words or ""), "warning" if isinstance(event, InvalidEntry) else "information")
        self.draw_soon()

    # Talk

    def do_talk(self) -> None:
        """Opens the line; whatever was said is read by now."""
        self.talking = ""
        self.around.unread = 0
        self.draw()

    async def say(self, line: str) -> None:
        """A line to the others; a digit alone says what is said most often."""
        emotes = self.texts.words("tui.emote")
        text = clean(emotes.get(line.strip(), line))
        if text:
            await self.attempt(self.opened.game.say(text))

    def said(self) -> list[Line]:
        if not self.around.lines:
            return []
        self.around.unread = 0
        return [(), (Span(self.texts.say("tui.talk"), "strong"),), *said_rows(tuple(self.around.lines), TEXT, 10_000)]

    def do_mute(self) -> None:
        self.around.muted = not self.around.muted
        self.around.unread = 0
        self.draw()

    # Pauses are screens, never moves: the others hear of one as of anything else that is said

    def do_pause(self) -> None:
        self.run_worker(self.say(self.texts.say("tui.pause-said")), name="pause")
        self.app.push_screen(Paused("", self.texts), self._back)

    def _back(self, stays: bool | None) -> None:
        self.run_worker(self.say(self.texts.say("tui.back-said")), name="back")
        if not stays:
            self.do_leave()

    # What is asked

    def do_answer(self) -> None:
        """Answers what is asked; if nothing is, asks the others about somebody who is missing."""
        around, say = self.around, self.texts.say
        if around.other_run:
            self._ask(say("tui.asked.other-run"), say("tui.asked.other-run-about"), self._confirm)
        elif around.vote is not None:
            self._ask_about(around.vote.out)
        elif len(around.missing) == 1:
            self._ask_about(around.missing[0])
        elif around.missing:
            names = [(str(seat), clean(self._called(seat), 20)) for seat in around.missing]
            self.app.push_screen(ListPage(say("tui.asked.whom"), names, say("tui.close")), self._about_whom)
        else:
            self.remark(say("tui.asked.nothing"))

    def _called(self, seat: int) -> str:
        return self.opened.game.players[seat].name

    def _about_whom(self, seat: str | None) -> None:
        if seat:
            self._ask_about(int(seat))

    def _ask_about(self, seat: int) -> None:
        say, name = self.texts.say, clean(self._called(seat), 20)
        kind = "give-up" if len(self.opened.game.position.playing) == 2 else "vote"
        asked = self.around.vote is not None

        async def answer(yes: bool) -> None:
            # Whoever was not asked and wants no vote has said nothing.
            if yes or asked:
                await self.opened.game.vote(seat, yes)

        self._ask(say(f"tui.asked.{kind}", name=name), say(f"tui.asked.{kind}-about", name=name), answer)

    def _ask(self, question: str, about: str, answer: Answer) -> None:
        def answered(yes: bool | None) -> None:
            if yes is not None:
                self.run_worker(self._give(answer(yes)), name="answer")

        self.app.push_screen(AskedPage(question, about, self.texts), answered)

    async def _give(self, answer: Awaitable[None]) -> None:
        await self.attempt(answer)
        self.draw()

    async def _confirm(self, yes: bool) -> None:
        if yes:
            await self.opened.game.confirm_run()
            self.around.confirmed()
