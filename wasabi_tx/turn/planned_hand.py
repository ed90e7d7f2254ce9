"""The planned hand: tiles, cards and recipes while a turn is being chosen, each in its earlier place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from ..engine.board import find_match
from ..engine.sealed_card import deck_of
from ..text import Texts
from ..view.table.hand import hand_of, keys_of
from ..view.table.recipe import completion_of, window_name
from ..view.table.table import HandCard, HandTile, RecipeView, TableView, named_card
from .partial_step import returns_recipes
from .plan import Plan


def hand_tiles(plan: Plan) -> tuple[HandTile, ...]:
    """Return the tiles by their numbers; one that was laid leaves its place free, and one that was taken fills it."""
    held = plan.begun.args[0] if plan.begun.verbs == ("place",) and plan.begun.args else 0
    new, found = taken_tiles(plan), list[HandTile]()
    for tile in tiles_before(plan):
        picked = bool(held) and plan.rules.code(held) == tile.code and not any(one.held for one in found)
        if tile.key in new:
            found.append(HandTile(tile.key, new.pop(tile.key), new=True))
        else:
            found.append(replace(tile, held=picked and not tile.went))
    found += [HandTile(key, code, new=True) for key, code in new.items()]
    return tuple(sorted(found, key=lambda one: one.key))


def tiles_before(plan: Plan) -> tuple[HandTile, ...]:
    """Return the tiles as they were before the turn, each with where it went."""
    rules = plan.rules
    placed = [step.args for step in plan.draft.steps if step.verb == "place" and len(step.args) == 2]
    found = []
    # The first of two equal tiles keeps its number.
    for key, tile in reversed(plan.hand.tiles.items()):
        went = next((args for args in placed if args[0] == tile), None)
        if went is not None:
            placed.remove(went)
        found.append(HandTile(key, rules.code(tile), went=rules.grid.names[went[1]] if went else ""))
    return tuple(reversed(found))


def taken_tiles(plan: Plan) -> dict[int, str]:
    """Return tiles chosen from the pantry for the next turn, by the numbers that they will have."""
    now = hand_of(plan.draft.observation, plan.hand).tiles
    kept = {tile.key for tile in tiles_before(plan) if not tile.went}
    return {key: plan.rules.code(tile) for key, tile in now.items() if key not in kept}


def hand_cards(plan: Plan, texts: Texts) -> tuple[HandCard, ...]:
    """Return the action cards as they were before the turn, played and discarded ones too, then those just earned."""
    numbers = {action.effect: card for card, action in enumerate(plan.rules.edition.actions)}
    steps = plan.draft.steps
    left = [step.args[0] if step.verb == "discard" else numbers.get(step.verb) for step in steps]
    found = []
    for key, card in plan.hand.cards.items():
        used = card in left
        if used:
            left.remove(card)
        found.append(named_card(plan.rules, key, card, texts, played=used))
    now = hand_of(plan.draft.observation, plan.hand).cards
    earned = Counter(now.values()) - Counter(plan.hand.cards.values())
    for card in earned.elements():
        key = next(key for key, held in now.items() if held == card and plan.hand.cards.get(key) != card)
        found.append(replace(named_card(plan.rules, key, card, texts), new=True))
    return tuple(found)


@dataclass(frozen=True)
class RecipeSlot:
    """A recipe of the hand, or an empty place for one."""

    key: int
    view: RecipeView | None
    done: str
    """The place where it was completed in this turn."""
    styled: bool
    leaving: bool
    """True if it is picked to go back."""
    length: int = 0
    recipe: int | None = None
    """The recipe, if it was completed or returned in this turn and so is no longer in hand."""


def recipe_strips(plan: Plan, view: TableView) -> tuple[RecipeSlot, ...]:
    """Return the recipes as they were before the turn, with the places of those completed in it."""
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
