"""Check whether the second edition's rules can play an edition, and report what prevents it."""

from __future__ import annotations

from collections import Counter

from ...edition import Edition, Problem, Setup
from ...errors import Malformed
from ...geometry import geometry
from .steps import ACTION_LENGTH

EFFECTS = frozenset({"chop", "spicy", "stack", "switch"})


def problems(edition: Edition) -> list[Problem]:
    if edition.setup is None:
        return [Problem("setup", "missing")]
    found = []
    if edition.tokens:
        found.append(Problem("token", "not-in-these-rules"))
    if edition.hand_tiles:
        found.append(Problem("hand.tiles", "number", f"{edition.hand_tiles}, 0 to 0"))
    found += [
        Problem(f"action ({action.code}).effect", "unknown-effect", action.effect)
        for action in edition.actions
        if action.effect not in EFFECTS
    ]
    backs = {back.length for back in edition.decks}
    found += [Problem("deck", "missing", str(length)) for length in edition.lengths if length not in backs]
    found += [
        Problem(f"recipe ({recipe.id}).style", "number", f"{recipe.style}, 0 to 0")
        for recipe in edition.recipes
        if recipe.length == ACTION_LENGTH and recipe.style
    ]
    return found + _first_recipes(edition, edition.setup) + _cups(edition, edition.setup)


def _first_recipes(edition: Edition, setup: Setup) -> list[Problem]:
    """Check that everyone can get the recipes that the setup deals, and no more than a hand holds."""
    found = []
    if len(setup.recipes) > edition.hand_recipes:
        found.append(Problem("setup.recipes", "too-many", str(len(setup.recipes))))
    seats = max(edition.columns)
    for length, each in sorted(Counter(setup.recipes).items()):
        if len(edition.deck_faces(length)) < each * seats:
            found.append(Problem("setup.recipes", "too-few-recipes", str(length)))
    return found


def _cups(edition: Edition, setup: Setup) -> list[Problem]:
    """Check that the cups stand on different squares of the play area and leave one empty."""
    found = []
    for players, columns in edition.columns.items():
        grid, where = geometry(edition.rows, columns, edition.lengths), f"setup.cups.{players}"
        squares = setup.cups[players]
        for square in squares:
            try:
                grid.parse_square(square)
            except Malformed:
                found.append(Problem(where, "square", square))
        if len(set(squares)) != len(squares) or len(squares) >= grid.size:
            found.append(Problem(where, "squares", " ".join(squares)))
    return found
