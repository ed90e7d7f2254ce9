"""The planned hand: tiles, cards and recipes while a turn is being chosen, each in the place that it had before."""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.board import find_match
from ...engine.card import deck_of
from ...text import Texts
from ..turn.partial_step import returns_recipes
from ..turn.plan import Plan
from .hand import hand_of, keys_of
from .recipe import completion_of, window_name
from .table import RecipeView, TableView


@dataclass(frozen=True)
class HandTile:
    key: int
    code: str
    went: str
    """The square where it was put in this turn."""


@dataclass(frozen=True)
class HandCard:
    key: int
    code: str
    name: str
    played: bool


def hand_tiles(plan: Plan) -> tuple[HandTile, ...]:
    """The tiles as they were before the turn, each with where it went."""
    rules = plan.rules
    placed = [step.args for step in plan.draft.steps if step.verb == "place" and len(step.args) == 2]
    found = []
    # Of two that are alike the first keeps its number.
    for key, tile in reversed(plan.hand.tiles.items()):
        went = next((args for args in placed if args[0] == tile), None)
        if went is not None:
            placed.remove(went)
        found.append(HandTile(key, rules.code(tile), rules.grid.names[went[1]] if went else ""))
    return tuple(reversed(found))


def taken_tiles(plan: Plan) -> dict[int, str]:
    """Tiles that were chosen from the pantry for the next turn, by the numbers that they will have."""
    now = hand_of(plan.draft.observation, plan.hand).tiles
    kept = {tile.key for tile in hand_tiles(plan) if not tile.went}
    return {key: plan.rules.code(tile) for key, tile in now.items() if key not in kept}


def hand_cards(plan: Plan, texts: Texts) -> tuple[HandCard, ...]:
    """The action cards as they were before the turn, and whether they are played or discarded now."""
    actions = plan.rules.edition.actions
    numbers = {action.effect: card for card, action in enumerate(actions)}
    steps = plan.draft.steps
    left = [step.args[0] if step.verb == "discard" else numbers.get(step.verb) for step in steps]
    found = []
    for key, card in plan.hand.cards.items():
        used = card in left
        if used:
            left.remove(card)
        found.append(HandCard(key, actions[card].code, actions[card].names[texts.language], used))
    return tuple(found)


@dataclass(frozen=True)
class RecipeSlot:
    """A recipe of the hand, or an empty place for one."""

    key: int
    view: RecipeView | None
    done: str
    """Where it was completed in this turn."""
    styled: bool
    leaving: bool
    """Whether it is picked to go back."""
    length: int = 0
    recipe: int | None = None
    """What it is, if it was completed or given back in this turn and so is no more among those in hand."""


def recipe_strips(plan: Plan, view: TableView) -> tuple[RecipeSlot, ...]:
    """The recipes as they were before the turn; those completed in it say where."""
    rules = plan.rules
    done: dict[int, tuple[str, bool, int]] = {}
    leaving: set[int] = set(plan.begun.args) if plan.begun.verbs and returns_recipes(rules, plan.begun) else set()
    for number, step in enumerate(plan.draft.steps):
        if step.verb in rules.claiming:
            before = plan.draft.after(number)
            won = completion_of(rules, before, step)
            match = find_match(rules.grid, before.board, before.changed, rules.strips[won.recipe])
            done[step.args[0]] = window_name(rules, won.squares), bool(match and match.styled and won.cubes), won.recipe
        elif step.verb in ("pass", "exchange"):
            leaving.update(step.args)
    known = {one.card: one for one in view.recipes}
    first = keys_of(rules).recipes
    strips = []
    for key in range(first, first + max(rules.hand_recipes, len(plan.hand.recipes))):
        card = plan.hand.recipes.get(key)
        if card is None:
            strips.append(RecipeSlot(key, None, "", False, leaving=False))
            continue
        where, styled, recipe = done.get(card, ("", False, None))
        if card not in known and card in leaving:
            recipe = plan.draft.base.faces.get(card)
        strips.append(RecipeSlot(key, known.get(card), where, styled, card in leaving, deck_of(card), recipe))
    return tuple(strips)
