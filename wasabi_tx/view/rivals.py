"""Rivals: the bots of a local game, each with its own name and character, chosen or drawn at random."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from ..bots.level_names import bot_of
from ..games.game import Player
from .names import PERSON, RIVALS, bot_names


def find_rivals(people: Collection[str], count: int, level: str, seed: str, chosen: Sequence[str] = ()) -> list[Player]:
    """Return `count` bots for a table with these people: first those chosen by name, then random ones.

    The same seed draws the same bots. A rival whose name a person already has gets another.
    """
    lot = [name for name in RIVALS if name not in chosen]
    Random(f"rivals {seed}").shuffle(lot)
    drawn = [*chosen, *lot][:count]
    taken = {name.casefold() for name in people}
    spare = bot_names([*people, *RIVALS])
    return [Player(next(spare) if name.casefold() in taken else name, bot_of(level, RIVALS[name])) for name in drawn]


def seat_players(people: Sequence[str], others: Sequence[str], level: str, seed: str) -> tuple[Player, ...]:
    """Seat the first of the people, then the others in order: a `PERSON`, a rival by name, or one `BY_LOT`."""
    chosen = [one for one in others if one in RIVALS]
    rivals = find_rivals(people, len(others) - list(others).count(PERSON), level, seed, chosen)
    named, drawn = dict(zip(chosen, rivals, strict=False)), iter(rivals[len(chosen) :])
    first, *friends = map(Player, people)
    waiting = iter(friends)
    return first, *(next(waiting) if one == PERSON else named.get(one) or next(drawn) for one in others)
