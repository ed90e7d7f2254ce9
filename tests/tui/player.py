"""Somebody at the app: turns what they want to play into presses, by keys alone or by clicks alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.pilot import Pilot

from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.step import Step
from wasabi_tx.tui.screens.curtain import Curtain
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.board import BoardWidget
from wasabi_tx.tui.widgets.panel import Panel
from wasabi_tx.view.table.hand import keys_of
from wasabi_tx.view.turn.plan import Plan

from .online_world import choose

Press = tuple[str, str]
"""What kind of thing is pressed, and which."""


def presses(plan: Plan, step: Step) -> Iterator[Press]:
    """The presses that choose a step, as a person would make them."""
    rules, keys, seat = plan.rules, keys_of(plan.rules), plan.base_seat
    effects = {action.effect: number for number, action in enumerate(rules.edition.actions)}
    if step.verb in rules.claiming:
        yield "number", str(keys.recipes + seat.recipes.index(step.args[0]))
    elif step.verb in ("pass", "exchange"):
        yield "action", "return"
        yield from (("number", str(keys.recipes + seat.recipes.index(card))) for card in step.args)
        yield "accept", ""
    elif step.verb == "draw":
        yield "number", str(step.args[0])
    elif step.verb == "forgo":
        yield "number", "0"
    elif step.verb in ("pool", "done"):
        yield "accept", ""
    else:
        args = list(zip(rules.grammar.check(step), step.args, strict=True))
        if step.verb in effects:
            yield "number", str(keys.cards + seat.cards.index(effects[step.verb]))
        elif step.verb == "place" and rules.edition.hand_tiles:
            yield "number", str(1 + seat.tiles.index(step.args[0]))
            args = args[1:]
        for kind, number in args:
            yield ("square", str(number)) if kind in (Kind.SQUARE, Kind.OPTIONAL_SQUARE) else ("code", str(number))


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
        plan = self._table.sitting.plan
        assert plan is not None
        bundle = choose(plan.draft.base, str(plan.draft.base.position.turn))
        for number, step in enumerate(bundle.steps):
            if step.verb == "done" and number < len(bundle.steps) - 1:
                continue
            await self._choose(step)
        assert plan.draft.complete, (bundle, plan.draft.steps, plan.message)
        assert plan.draft.steps == bundle.steps
        await self.press("action", "send")
        await self._pilot.pause()

    async def _choose(self, step: Step) -> None:
        plan = self._table.sitting.plan
        assert plan is not None
        before = len(plan.draft.steps)
        while plan.moment.prompt.slot in ("claim", "extra") and step.verb not in (*plan.rules.claiming, "place"):
            if plan.rules.slots.get(step.verb) == "action":
                break
            await self.press("number", "0")
        for press in list(presses(plan, step)):
            if len(plan.draft.steps) > before and press[0] in ("square", "accept"):
                break
            await self.press(*press)
        if len(plan.draft.steps) == before:
            # It could still be more than this: Enter takes it as it is; or it would lose a recipe: once more.
            await self.press("accept", "")
        assert plan.draft.steps[-1] == step, (step, plan.begun, plan.message)

    async def press(self, kind: str, what: str) -> None:
        self.pressed += 1
        if self._mouse:
            await self._click(kind, what)
        else:
            for key in self._keys(kind, what):
                await self._pilot.press(key)

    def _keys(self, kind: str, what: str) -> list[str]:
        plan = self._table.sitting.plan
        assert plan is not None
        match kind:
            case "square":
                return list(plan.rules.grid.names[int(what)])
            case "code":
                return list(codes_of(plan, int(what)))
            case "number":
                return [what]
            case "accept":
                return ["enter"]
        return {"send": ["space"], "return": ["p"]}[what]

    async def _click(self, kind: str, what: str) -> None:
        table = self._table
        if kind == "square":
            board = table.query_one(BoardWidget)
            region = board.region_of(int(what))
            await self._pilot.click(board, offset=(region.x + 1, region.y))
            return
        wanted = f"{kind}:{what}".rstrip(":")
        for name in ("turn", "hand", "side"):
            panel = table.query_one(f"#{name}", Panel)
            for y, line in enumerate(panel.lines):
                x = 0
                for span in line:
                    if span.press == wanted and x < panel.size.width and y < panel.size.height:
                        await self._pilot.click(panel, offset=(x, y))
                        return
                    x += len(span.text)
        raise AssertionError(f"nothing to click for {wanted}")


async def play_game(pilot: Pilot[Any], mouse: bool, most: int = 400) -> Person:
    """Plays until the game is over; whoever sits down raises the curtain."""
    person = Person(pilot, mouse)
    table = person._table
    for _ in range(most):
        await pilot.pause()
        if table.sitting.over:
            return person
        if isinstance(pilot.app.screen, Curtain):
            if mouse:
                await pilot.click(offset=(5, 5))
            else:
                await pilot.press("enter")
        elif table.sitting.plan is not None:
            await person.play_turn()
    raise AssertionError("the game did not end")
