"""Intended differences from the rulebook at the start of a game."""

from __future__ import annotations

from ..engine.rules import AnyRules
from ..text import Texts


def changed_start(rules: AnyRules, dealt: bool) -> str:
    """Return the change at the start of such a game: hands are `dealt`, wasabi in `dishes`, or "" for none."""
    if rules.edition.hand_tiles:
        return "dealt" if dealt else ""
    return "dishes" if any(starting_cubes(rules)) else ""


def starting_cubes(rules: AnyRules) -> tuple[int, ...]:
    """Return the cubes that each player starts with, from the first player on."""
    setup = rules.edition.setup
    return (0,) * rules.players if setup is None else setup.wasabi[rules.players]


def starting_wasabi(rules: AnyRules, texts: Texts) -> str:
    """Return the cubes in turn order as words, such as `0, 1 and 2`."""
    *most, last = map(str, starting_cubes(rules))
    return texts.say("play.changed.and", most=", ".join(most), last=last)
