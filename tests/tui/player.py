"""Somebody at the app: turns what they want to play into presses, by keys alone or by clicks alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from textual.pilot import Pilot

from wasabi_tx.engine.notation import Kind
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.tui.bindings import BY_ID
from wasabi_tx.tui.screens.curtain import Curtain
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.turn.plan import Plan
from wasabi_tx.view.press import Do, PickCode, PickNumber, PickSquare, Press
from wasabi_tx.view.table.defaults import own_seat

from .memory_games import choose


def _key(numbered: dict[int, int], item: int) -> int:
    """Return the first number of a kind of thing in hand."""
    return next(key for key, held in numbered.items() if held == item)


def presses(plan: Plan, step: Step) -> Iterator[Press]:
    """Yield the presses that choose a step, as a person would make them."""
    rules, hand = plan.rules, plan.hand
    effects = {action.effect: number for number, action in enumerate(rules.edition.actions)}
    if step.verb in rules.claiming:
        yield PickNumber(_key(hand.recipes, step.args[0]))
    elif step.verb in ("pass", "exchange"):
        # Where no recipe has hope all of them are picked already, and go back in the order of the hand.
        picked = own_seat(plan.draft.base).recipes if plan.swaps else ()
        yield Do("accept" if picked else "return")
        yield from (PickNumber(_key(hand.recipes, card)) for card in (*picked, *step.args))
        yield Do("accept")
    elif step.verb == "draw":
        yield PickNumber(step.args[0])
    elif step.verb == "forgo" or (step.verb == "pool" and plan.pool_instead == step):
        yield PickNumber(0)
    elif step.verb in ("pool", "done"):
        yield Do("accept")
    elif step.verb == "discard":
        yield Do("discard")
        # A card that was earned in this turn has no number yet.
        held = step.args[0] in hand.cards.values()
        yield PickNumber(_key(hand.cards, step.args[0])) if held else PickCode(step.args[0])
    else:
        args = list(zip(rules.grammar.check(step), step.args, strict=True))
        if step.verb in effects:
            yield PickNumber(_key(hand.cards, effects[step.verb]))
        elif step.verb == "place" and rules.edition.hand_tiles:
            yield PickNumber(_key(hand.tiles, step.args[0]))
            args = args[1:]
        for kind, number in args:
            yield PickSquare(number) if kind in (Kind.SQUARE, Kind.OPTIONAL_SQUARE) else PickCode(number)


def as_pressed(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the same turn as keys make it, with discards in the first part of the turn.

    The rules let one discard at any time, and a screen ends a part of the turn only when something later needs it.
    """
    ordered: list[Step] = []
    for step in steps:
        if step.verb == "discard" and ordered and ordered[-1].verb == "done":
            ordered.insert(-1, step)
        else:
            ordered.append(step)
    return tuple(ordered)


def turn_presses(plan: Plan, bundle: Bundle) -> Iterator[Press]:
    """Yield the presses that plan this whole turn; each has to be made before the next one is requested."""
    wanted = as_pressed(bundle.steps)
    for number, step in enumerate(wanted):
        if step.verb != "done" or number == len(wanted) - 1:
            yield from _step_presses(plan, step)
    assert plan.draft.complete, (wanted, plan.draft.steps, plan.message)
    assert plan.draft.steps == wanted, (wanted, plan.draft.steps)


def _step_presses(plan: Plan, step: Step) -> Iterator[Press]:
    before = len(plan.draft.steps)
    while plan.moment.prompt.slot in ("claim", "extra") and step.verb not in (*plan.rules.claiming, "place"):
        if plan.rules.slots.get(step.verb) == "action":
            break
        yield PickNumber(0)
    for press in list(presses(plan, step)):
        if len(plan.draft.steps) > before and (isinstance(press, PickSquare) or press == Do("accept")):
            break
        yield press
    if len(plan.draft.steps) == before:
        # Enter accepts a step that could still go on, or confirms one that loses a recipe.
        yield Do("accept")
    assert plan.draft.steps[-1] == step, (step, plan.begun, plan.message)


def codes_of(plan: Plan, number: int) -> str:
    return next(code for code, offered in plan.offered_codes.items() if offered == number)


def keys_for(plan: Plan, press: Press) -> list[str]:
    """Return the keys to press; an action uses another key where its first one could be part of a typed code."""
    match press:
        case PickSquare(square):
            return list(plan.rules.grid.names[square])
        case PickCode(number):
            return list(codes_of(plan, number))
        case PickNumber(number):
            return [str(number)]
        case Do(action):
            return [next(key for key in BY_ID[action].keys.split(",") if key not in plan.letters)]
    raise AssertionError(press)


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
        """Play one bundle, from the first press to Space."""
        plan = self._table.followed.plan
        assert plan is not None
        bundle = choose(plan.draft.base, str(plan.draft.base.position.turn))
        for press in turn_presses(plan, bundle):
            await self.press(press)
        await self.press(Do("send"))
        await self._pilot.pause()

    async def press(self, press: Press) -> None:
        self.pressed += 1
        if self._mouse:
            await self._click(press)
        else:
            plan = self._table.followed.plan
            assert plan is not None
            for key in keys_for(plan, press):
                await self._pilot.press(key)

    async def _click(self, press: Press) -> None:
        table = self._table
        if isinstance(press, PickSquare):
            board = table.query_one(Board)
            await self._pilot.click(board, offset=board.corner_of(press.square))
            return
        for panel in table.query(Painted):
            canvas = panel.canvas
            if canvas is None or not panel.display:
                continue
            for one in canvas.clicks:
                if one.press == press and canvas.pressed_at(one.x, one.y) == press:
                    await self._pilot.click(panel, offset=(one.x, one.y))
                    return
        raise AssertionError(f"nothing to click for {press}")


async def play_game(pilot: Pilot[Any], mouse: bool, most: int = 400) -> Person:
    """Play until the game is over; each person raises the curtain when they sit down."""
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
