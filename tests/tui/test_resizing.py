"""Resizing at every kind of prompt: nothing is lost, and what is asked and what Enter does can always be read."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.speeds import budget
from wasabi_tx.text import Texts
from wasabi_tx.text.marks import pieces_of
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.turn.action_bar import action_bar
from wasabi_tx.turn.plan import Plan
from wasabi_tx.turn.preview import preview_of
from wasabi_tx.turn.prompt_choices import question_of
from wasabi_tx.view.press import Do

from .memory_games import app_at, choose
from .on_screen import shown, table_of
from .player import Person, turn_presses

SIZES = ((200, 50), (120, 40), (100, 30), (80, 24), (60, 20), (40, 15), (120, 40), (80, 24))
PROMPTS = {
    "classic": {"gift", "recipe", "place", "place tile", "claim", "card", "tile", "send", "return", "line"},
    "master": {"place", "place tile", "prep", "send", "return", "line", "code"},
}
"""Moments that occur in every game, apart from its cards."""


def words_of(sentence: str) -> str:
    """Return a sentence without its marks, with single spaces between words."""
    return " ".join("".join(piece.text for piece in pieces_of(sentence)).split())


class Looker:
    """Looks at every kind of prompt once, at every size."""

    def __init__(self, app: WasabiApp, pilot: Pilot[None], texts: Texts) -> None:
        self._app, self._pilot, self._texts = app, pilot, texts
        self.seen: set[str] = set()

    @property
    def table(self) -> TableScreen:
        return table_of(self._app)

    @property
    def plan(self) -> Plan:
        plan = self.table.followed.plan
        assert plan is not None
        return plan

    async def look(self, name: str = "") -> None:
        """Check the prompt at every size; `name` is its kind where the plan does not tell."""
        kind = name or self._kind()
        if kind in self.seen:
            return
        self.seen.add(kind)
        before = self._chosen()
        for size in SIZES[-budget(4, len(SIZES)) :]:
            await self._pilot.resize_terminal(*size)
            await self._pilot.pause()
            assert self._chosen() == before, (kind, size)
            self._read(kind, size)

    def _kind(self) -> str:
        begun = self.plan.begun
        if not begun:
            return self.plan.moment.prompt.slot
        return " ".join([begun.verbs[0], *(["tile"] if begun.args else []), *["and"] * (len(begun.args) - 1)])

    def _chosen(self) -> tuple[object, ...]:
        """Return all that somebody has chosen, pointed at or typed and not sent."""
        plan, keyboard = self.plan, self.table.line
        return (plan.draft.steps, plan.begun, plan.cursor, plan.typed, keyboard.is_open, keyboard.value)

    def _read(self, kind: str, size: tuple[int, int]) -> None:
        """Check that question, primary key and help key can be read in full.

        Where there is no room for both, the question gives way to the button that answers it.
        """
        texts, plan = self._texts, self.plan
        read = " ".join(shown(self._app, "bar").replace("▌", " ").split())
        assert f"? {texts.say('tui.action.help')}" in shown(self._app, "keys"), (kind, size)
        if plan.typed or self.table.line.is_open:
            assert plan.typed in read, (kind, size, read)
            return
        question = question_of(plan, self.table.followed.view(), texts)
        bar = action_bar(plan, question, preview_of(plan), texts)
        assert words_of(bar.lead) in read or (bar.button and not bar.answers), (kind, size, read)
        if bar.button:
            assert f"{texts.say('tui.key.enter')} {words_of(bar.button)}" in read, (kind, size, read)


async def step_aside(looker: Looker, pilot: Pilot[None]) -> None:
    """Begin input that a good player never begins: recipes to return, a line of notation, half a code."""
    if "p" not in looker.plan.letters and "return" not in looker.seen:
        await pilot.press("p")
        if looker.plan.begun:
            await pilot.press(str(max(looker.plan.hand.recipes)))
            await looker.look("return")
        await pilot.press("escape")
    if "line" not in looker.seen:
        await pilot.press(":", *"place")
        await looker.look("line")
        await pilot.press("escape")
    letter = next(iter(looker.plan.letters), "")
    if letter and "code" not in looker.seen:
        await pilot.press(letter)
        await looker.look("code")
        await pilot.press("escape")


@pytest.mark.long
@pytest.mark.parametrize(("edition", "language"), [("classic", "en"), ("master", "it")])
async def test_nothing_is_lost_and_everything_asked_is_read_at_every_size(edition: str, language: str) -> None:
    app = app_at(people=1, bots=1, edition=f"short-{edition}", seed="friends", language=language)
    async with app.run_test(size=(80, 24)) as pilot:
        looker, person = Looker(app, pilot, Texts(language)), Person(pilot, mouse=False)
        for _ in range(60):
            await pilot.pause()
            if looker.table.followed.over:
                break
            plan = looker.table.followed.plan
            if plan is None:
                continue
            for press in turn_presses(plan, choose(plan.draft.base, str(plan.draft.base.position.turn))):
                if not plan.begun and plan.moment.prompt.slot in ("place", "prep"):
                    await step_aside(looker, pilot)
                await looker.look()
                await person.press(press)
            await looker.look()
            await person.press(Do("send"))
        assert PROMPTS[edition] <= looker.seen, looker.seen
