"""Claiming a completed recipe, in any edition: which recipes are on the board, and how a claim is checked."""

from __future__ import annotations

from .board import Match, find_match, lying
from .edition import Recipe
from .errors import Illegal
from .position import Position, Seat
from .rules import AnyRules
from .sealed_card import Card, Faces, deck_of


def complete_recipes(rules: AnyRules, position: Position, seat: Seat, faces: Faces) -> list[tuple[Card, int]]:
    """Return the cards in hand whose known recipe is on the board through a changed square, with their faces, sorted.

    Claims are never judged by this list: a client that does not know the face still has to check the claim.
    """
    found = []
    board, changed, members = position.board, position.changed, rules.members
    # Usually only one square has changed.
    here = lying(board, changed) if changed & changed - 1 else board.packed[changed.bit_length() - 1]
    for card in seat.recipes:
        face = faces.get(card)
        if (
            face is not None
            and here & members[face]
            and find_match(rules.grid, board, changed, rules.strips[face]) is not None
        ):
            found.append((card, face))
    if len(found) > 1:
        found.sort()
    return found


def held_recipe(rules: AnyRules, position: Position, card: Card, face: int) -> Recipe:
    """Return the recipe that the mover shows; raise `Illegal` unless the card is in hand and can have this face."""
    recipe = rules.edition.recipes[face]
    if card not in position.seats[position.mover].recipes or recipe.length != deck_of(card):
        raise Illegal("recipe-not-held", recipe=recipe.id)
    if any(done.recipe == face for seat in position.seats for done in seat.claimed):
        raise Illegal("recipe-claimed-before", recipe=recipe.id)
    return recipe


def match_of(rules: AnyRules, position: Position, recipe: Recipe) -> Match:
    """Return the best window for the recipe; raise `Illegal` if it is not on the board."""
    match = find_match(rules.grid, position.board, position.changed, recipe.strip)
    if match is None:
        raise Illegal("not-on-the-board", recipe=recipe.id)
    return match
