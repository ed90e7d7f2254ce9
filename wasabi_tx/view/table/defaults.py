"""Defaults: choices that suit nearly everyone, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ...engine.board import TILE_MASK
from ...engine.observe import Observation
from ...engine.position import Position, Seat
from ...engine.rules import AnyRules
from ...engine.sealed_card import Card, deck_of
from ...engine.step import Step
from ...text import Texts
from .recipe import recipe_name
from .recipe_progress import RecipeProgress, find_progress, free_lines, under_cover


@dataclass(frozen=True)
class Default:
    """The default choice of Enter, with its reason."""

    step: Step
    why: str


def own_seat(observation: Observation) -> Seat:
    assert observation.seat is not None, "a watcher chooses nothing"
    return observation.position.seats[observation.seat]


def missing_tiles(observation: Observation) -> list[tuple[int, int]]:
    """Return the tiles that the player's recipes and hand lack, each with its recipe, nearest recipe first."""
    if observation.seat is None:
        return []
    seat, found = own_seat(observation), []
    for face, progress in sorted(_hopeful(observation), key=lambda pair: (len(pair[1].missing), pair[0])):
        for tile, count in (Counter(progress.missing) - Counter(seat.tiles)).items():
            found += [(tile, face)] * count
    return found


def _hopeful(observation: Observation) -> list[tuple[int, RecipeProgress]]:
    """Return the player's recipes that have a line on the board and a token, each with its progress."""
    rules, position, seat = observation.rules, observation.position, own_seat(observation)
    faces = [observation.faces[card] for card in seat.recipes if card in observation.faces]
    found = [(face, find_progress(rules, position, face, seat.tiles)) for face in faces]
    return [(face, one) for face, one in found if not one.dead and _has_token(seat, one.length)]


def _has_token(seat: Seat, length: int) -> bool:
    """Return True if a recipe of this length can be completed; always in an edition without tokens."""
    return not seat.tokens or bool(seat.tokens[length])


def hopeless(observation: Observation) -> tuple[Card, ...]:
    """Return all recipes in the hand if none of them can be completed but some other recipe could; else none.

    A recipe whose line is only covered does not count as hopeless: the cover may go.
    """
    rules, position, seat = observation.rules, observation.position, own_seat(observation)
    faces = [observation.faces[card] for card in seat.recipes if card in observation.faces]
    if len(faces) < len(seat.recipes) or _hopeful(observation):
        return ()
    if any(
        _has_token(seat, len(rules.strips[face].tiles)) and under_cover(rules, position, face) is not None
        for face in faces
    ):
        return ()
    lengths = (length for length in rules.edition.lengths if _has_token(seat, length))
    return seat.recipes if any(free_lines(rules, position, length) for length in lengths) else ()


def draw_drawback(rules: AnyRules, position: Position, step: Step, texts: Texts) -> str:
    """Return the reason against a step that draws a recipe (no token for its length, or no line), or ""."""
    if step.verb != "draw":
        return ""
    if not _has_token(position.seats[position.mover], step.args[0]):
        return texts.say("card.no-token-short")
    return "" if free_lines(rules, position, step.args[0]) else texts.say("card.no-line-short")


def tile_default(observation: Observation, texts: Texts, verb: str) -> Default | None:
    """Suggest a tile from the pantry: one that the nearest recipe lacks, else the most plentiful."""
    rules = observation.rules
    offered = {step.args[0]: step for step in observation.legal() if step.verb == verb}
    for tile, recipe in missing_tiles(observation):
        if tile in offered:
            return Default(offered[tile], texts.say("why.missing", recipe=recipe_name(rules, texts, recipe)))
    if not offered:
        return None
    most = max(offered, key=lambda tile: (observation.position.pantry[tile], -tile))
    return Default(offered[most], texts.say("why.plenty"))


def best_square(observation: Observation, tile: int) -> int | None:
    """Return the square where a tile advances the nearest recipe that lacks it, in order if possible.

    A square from which a cup has to be moved first comes last. Return None if there is no such square.
    """
    rules, position = observation.rules, observation.position
    near = [(face, one) for face, one in _hopeful(observation) if one.have and tile in one.missing]
    for face, progress in sorted(near, key=lambda pair: (len(pair[1].missing), -rules.edition.recipes[pair[0]].points)):
        strip = rules.strips[face].tiles
        free = [square for square in progress.squares if position.board.free[square]]
        there, back = (_fitting(position, progress.squares, order, tile) for order in (strip, strip[::-1]))
        found = [square for square in (*there, *back, *free) if square in free]
        found += [square for square in (*there, *back, *progress.cups) if square in progress.cups]
        if found:
            return found[0]
    return None


def needed_most(observation: Observation, tiles: Sequence[int]) -> int:
    """Return the tile that most of the player's recipes lack; on a tie, the first."""
    lacking = Counter(tile for _, one in _hopeful(observation) for tile in set(one.missing))
    return max(tiles, key=lambda tile: lacking[tile])


def _fitting(position: Position, squares: tuple[int, ...], order: tuple[int, ...], tile: int) -> list[int]:
    """Return the squares of a window that want the tile, if the window can still be filled in this order."""
    tops = [position.board.stacks[square] & TILE_MASK for square in squares]
    if any(top not in (0, wanted) for top, wanted in zip(tops, order, strict=True)):
        return []
    return [square for square, wanted in zip(squares, order, strict=True) if wanted == tile]


def gift_default(observation: Observation, texts: Texts) -> Default | None:
    """Suggest a starting tile for the neighbour: the one that fewest recipes need."""
    steps = [step for step in observation.legal() if step.verb == "give"]
    needed = Counter(tile for strip in observation.rules.strips for tile in set(strip.tiles))
    if not steps:
        return None
    best = min(steps, key=lambda step: (needed[step.args[0]], step))
    return Default(best, texts.say("why.few", count=needed[best.args[0]]))


ROOM = 6
"""Number of free lines that are enough: more of them are no reason to draw another length."""


def draw_default(observation: Observation, texts: Texts) -> Default | None:
    """Suggest drawing a recipe of a length that has a token and room on the board, preferring the most tokens.

    In an edition without tokens, prefer a length that is not in the hand.
    """
    decks = [step.args[0] for step in observation.legal() if step.verb == "draw"]
    if not decks:
        return None
    rules, position, seat = observation.rules, observation.position, own_seat(observation)
    held = Counter(deck_of(card) for card in seat.recipes)
    lines = {deck: free_lines(rules, position, deck) for deck in decks}

    def rank(deck: int) -> tuple[bool, int, int, int]:
        waiting, first = (seat.tokens[deck] - held[deck], deck) if seat.tokens else (-held[deck], -deck)
        return _has_token(seat, deck), min(lines[deck], ROOM), waiting, first

    best = max(decks, key=rank)
    whys = [texts.say("why.tokens", count=seat.tokens[best])] if seat.tokens else []
    whys += [] if seat.tokens or held[best] else [texts.say("why.new-length")]
    return Default(Step("draw", (best,)), ", ".join([*whys, texts.say("why.lines", count=lines[best])]))
