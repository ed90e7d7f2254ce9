"""A feat: what makes the recipe that was completed last stand out among all that its seat has completed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from ...engine.edition import Edition
from ...engine.position import Claimed
from ...text import Texts

LONG = 4
"""The length from which the first recipe of a length is a feat."""


@dataclass(frozen=True)
class Feat:
    in_a_row: int = 0
    """How many recipes in a row were completed with style, from two on; what cannot have style breaks no row."""
    first_of: int = 0
    """The length of which it is the first, if that is a long one."""
    last_token: int = 0
    """How many tokens are assigned, if it took the last one."""

    @property
    def grade(self) -> int:
        """How much larger than usual its celebration is, up to 3."""
        return (
            3
            if self.last_token
            else min(3, max(0, self.in_a_row - 1) + (self.first_of - LONG + 1 if self.first_of else 0))
        )


def feat_of(edition: Edition, claimed: Sequence[Claimed]) -> Feat:
    """Return the feat of the last of these recipes."""
    recipes = [(edition.recipes[one.recipe], one.cubes) for one in claimed]
    length = recipes[-1][0].length
    styled = [bool(cubes) for recipe, cubes in recipes if recipe.style]
    row = len(list(takewhile(bool, reversed(styled)))) if recipes[-1][1] else 0
    tokens = sum(token.count for token in edition.tokens)
    return Feat(
        in_a_row=row if row > 1 else 0,
        first_of=length if length >= LONG and [one.length for one, _ in recipes].count(length) == 1 else 0,
        last_token=tokens if len(claimed) == tokens else 0,
    )


def feat_words(feat: Feat, texts: Texts) -> str:
    """Say what is greatest about a feat, or nothing."""
    if feat.last_token:
        return texts.say("feat.last-token", count=feat.last_token)
    if feat.in_a_row:
        return texts.say("feat.in-a-row", count=feat.in_a_row)
    return texts.say("feat.first", length=feat.first_of) if feat.first_of else ""
