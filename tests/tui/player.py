"""Somebody at the app: turns what they want to play into presses, by keys alone or by clicks alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.pilot import Pilot

from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.step import Step
from wasabi_tx.tui.keys import BY_ID
from wasabi_tx.tui.screens.curtain import Curtain
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.board import BoardWidget
from wasabi_tx.tui.widgets.painting import Painting
from wasabi_tx.view.press import Do, PickCode, PickNumber, PickSquare, Press
from wasabi_tx.view.table.hand import keys_of
from wasabi_tx.view.turn.plan import Plan

from .memory_games import choose


def presses(plan: Plan, step: Step) -> Iterator[Press]:
    """The presses that choose a step, as a person would make them."""
    rules, keys, seat = plan.rules, keys_of(plan.rules), plan.base_seat
    effects = {action.effect: number for number, action in enumerate(rules.edition.actions)}
    if step.verb in rules.claiming:
        yield PickNumber(keys.recipes + seat.recipes.index(step.args[0]))
    elif step.verb in ("pass", "exchange"):
        yield Do("return")
        yield from (PickNumber(keys.recipes + seat.recipes.index(card)) for card in step.args)
        yield Do("accept")
    elif step.verb == "draw":
        yield PickNumber(step.args[0])
    elif step.verb == "forgo":
        yield PickNumber(0)
    elif step.verb in ("pool", "done"):
        yield Do("accept")
    else:
        args = list(zip(rules.grammar.check(step), step.args, strict=True))
        if step.verb in effects:
            yield PickNumber(keys.cards + seat.cards.index(effects[step.verb]))
        elif step.verb == "place" and rules.edition.hand_tiles:
            yield PickNumber(1 + seat.tiles.index(step.args[0]))
            args = args[1:]
        for kind, number in args:
            yield PickSquare(number) if kind in (Kind.SQUARE, Kind.OPTIONAL_SQUARE) else PickCode(number)


def codes_of(plan: Plan, number: int) -> str:
    return next(code for code, offered in plan.offered_codes.items() if offered == number)


class Person:
    """Plays at the table screen; `mouse` says whether by clicks or by keys."""

    def __init__(self, pilot: Pilot[None], mouse: bool) -> None:
        self._pilot = pilot
        self._mouse = mouse
        self.pressed = 0

    @property
    def _table(self) -> TableScreen:
        return next(screen for screen in self._pilot.app.screen_stack if isinstance(screen, TableScreen))

    async def play_turn(self) -> None:
        """One bundle from the first press to Space."""
        plan = self._table.followed.plan
        assert plan is not None
        bundle = choose(plan.draft.base, str(plan.draft.base.position.turn))
        for number, step in enumerate(bundle.steps):
            if step.verb == "done" and number < len(bundle.steps) - 1:
                continue
            await self._choose(step)
        assert plan.draft.complete, (bundle, plan.draft.steps, plan.message)
        assert plan.draft.steps == bundle.steps
        await self.press(Do("send"))
        await self._pilot.pause()

    async def _choose(self, step: Step) -> None:
        plan = self._table.followed.plan
        assert plan is not None
        before = len(plan.draft.steps)
        while plan.moment.prompt.slot in ("claim", "extra") and step.verb not in (*plan.rules.claiming, "place"):
            if plan.rules.slots.get(step.verb) == "action":
                break
            await self.press(PickNumber(0))
        for press in list(presses(plan, step)):
            if len(plan.draft.steps) > before and (isinstance(press, PickSquare) or press == Do("accept")):
                break
            await self.press(press)
        if len(plan.draft.steps) == before:
            # It could still be more than this: Enter takes it as it is; or it would lose a recipe: once more.
            await self.press(Do("accept"))
        assert plan.draft.steps[-1] == step, (step, plan.begun, plan.message)

    async def press(self, press: Press) -> None:
        self.pressed += 1
        if self._mouse:
            await self._click(press)
        else:
            for key in self._keys(press):
                await self._pilot.press(key)

    def _keys(self, press: Press) -> list[str]:
        plan = self._table.followed.plan
        assert plan is not None
        match press:
            case PickSquare(square):
                return list(plan.rules.grid.names[square])
            case PickCode(number):
                return list(codes_of(plan, number))
            case PickNumber(number):
                return [str(number)]
            case Do(action):
                return [BY_ID[action].keys.split(",")[0]]
        raise AssertionError(press)

    async def _click(self, press: Press) -> None:
        table = self._table
        if isinstance(press, PickSquare):
            board = table.query_one(BoardWidget)
            await self._pilot.click(board, offset=board.corner_of(press.square))
            return
        for panel in table.query(Painting):
            canvas = panel.canvas
            if canvas is None or not panel.display:
                continue
            for one in canvas.clicks:
                if one.press == press and canvas.pressed_at(one.x, one.y) == press:
                    await self._pilot.click(panel, offset=(one.x, one.y))
                    return
        raise AssertionError(f"nothing to click for {press}")


async def play_game(pilot: Pilot[Any], mouse: bool, most: int = 400) -> Person:
    """Plays until the game is over; whoever sits down raises the curtain."""
    person = Person(pilot, mouse)
    table = person._table
    for _ in range(most):
        await pilot.pause()
        if table.followed.over:
            return person
        if isinstance(pilot.app.screen, Curtain):
            if mouse:
                await pilot.click(offset=(5, 5))
            else:
                await pilot.press("enter")
        elif table.followed.plan is not None:
            await person.play_turn()
    raise AssertionError("the game did not end")
