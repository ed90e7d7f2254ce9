"""Defaults: choices that suit nearly everyone, each with its reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...engine.board import TILE_MASK
from ...engine.card import deck_of
from ...engine.observe import Observation
from ...engine.position import Position, Seat
from ...engine.step import Step
from ...text import Texts
from ..table.recipe import recipe_name
from ..table.recipe_progress import find_progress


@dataclass(frozen=True)
class Default:
    """What Enter chooses, and why."""

    step: Step
    why: str


def own_seat(observation: Observation) -> Seat:
    assert observation.seat is not None, "a watcher chooses nothing"
    return observation.position.seats[observation.seat]


def missing_tiles(observation: Observation) -> list[tuple[int, int]]:
    """Tiles that the own recipes lack and the hand has not, each with its recipe; the nearest recipe first."""
    rules, position = observation.rules, observation.position
    if observation.seat is None:
        return []
    seat = own_seat(observation)
    faces = [observation.faces[card] for card in seat.recipes if card in observation.faces]
    near = [(find_progress(rules, position, face, seat.tiles), face) for face in faces]
    near.sort(key=lambda pair: (len(pair[0].missing), pair[1]))
    found = []
    for progress, face in near:
        if progress.dead or (seat.tokens and not seat.tokens[progress.length]):
            continue
        for tile, count in (Counter(progress.missing) - Counter(seat.tiles)).items():
            found += [(tile, face)] * count
    return found


def tile_default(observation: Observation, texts: Texts, verb: str) -> Default | None:
    """A tile from the pantry: what the nearest recipe lacks, else what there is most of."""
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
    """Where a tile brings the nearest recipe that lacks it further, in its order if it can be; None if nowhere.

    A square from which a cup has to be moved first comes last.
    """
    rules, position, seat = observation.rules, observation.position, own_seat(observation)
    faces = [observation.faces[card] for card in seat.recipes if card in observation.faces]
    near = [(face, find_progress(rules, position, face, seat.tiles)) for face in faces]
    near = [(face, one) for face, one in near if not one.dead and one.have and tile in one.missing]
    for face, progress in sorted(near, key=lambda pair: (len(pair[1].missing), -rules.edition.recipes[pair[0]].points)):
        strip = rules.strips[face].tiles
        free = [square for square in progress.squares if position.board.free[square]]
        there, back = (_fitting(position, progress.squares, order, tile) for order in (strip, strip[::-1]))
        found = [square for square in (*there, *back, *free) if square in free]
        found += [square for square in (*there, *back, *progress.cups) if square in progress.cups]
        if found:
            return found[0]
    return None


def _fitting(position: Position, squares: tuple[int, ...], order: tuple[int, ...], tile: int) -> list[int]:
    """Squares of a window that want the tile, if the window can still get this order."""
    tops = [position.board.stacks[square] & TILE_MASK for square in squares]
    if any(top not in (0, wanted) for top, wanted in zip(tops, order, strict=True)):
        return []
    return [square for square, wanted in zip(squares, order, strict=True) if wanted == tile]


def gift_default(observation: Observation, texts: Texts) -> Default | None:
    """A starting tile for the neighbour: the one that fewest recipes need."""
    steps = [step for step in observation.legal() if step.verb == "give"]
    needed = Counter(tile for strip in observation.rules.strips for tile in set(strip.tiles))
    if not steps:
        return None
    best = min(steps, key=lambda step: (needed[step.args[0]], step))
    return Default(best, texts.say("why.few", count=needed[best.args[0]]))


def draw_default(observation: Observation, texts: Texts) -> Default | None:
    """A recipe of the length for which most tokens wait, never one without a token while there is another.

    In an edition without tokens it is one of a length that is not in hand.
    """
    decks = [step.args[0] for step in observation.legal() if step.verb == "draw"]
    if not decks:
        return None
    seat = own_seat(observation)
    held = Counter(deck_of(card) for card in seat.recipes)
    if seat.tokens:
        waiting = {deck: seat.tokens[deck] - held[deck] for deck in decks}
        best = max(decks, key=lambda deck: (bool(seat.tokens[deck]), waiting[deck], deck))
        why = texts.say("why.tokens", count=seat.tokens[best])
    else:
        best = min(decks, key=lambda deck: (held[deck], deck))
        why = texts.say("why.new-length")
    return Default(Step("draw", (best,)), why)
