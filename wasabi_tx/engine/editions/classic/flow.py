"""The flow of a game: from seat to seat, from Step 1 to Step 2, to the next turn, to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...changes import begin_changes, forget_changes
from ...position import NO_CARD, NOBODY, Outcome
from ...scores import all_scores, best_seats
from .position import ClassicPosition

if TYPE_CHECKING:
    from .rules import ClassicRules

PASSES_A_SEAT = 3
"""Rounds of consecutive passes that end the game, since passing alone could go on for ever."""


def next_gift(rules: ClassicRules, after: ClassicPosition) -> ClassicPosition:
    """Move on to the seat that gives the next starting tile, or to drawing recipes once all hands are dealt."""
    after.mover = giver(rules, after)
    if after.mover == NOBODY:
        after.phase = "draw"
        after.mover = after.first if not after.seats[after.first].gone else after.next_playing(after.first)
        return settle(rules, after)
    return after


def giver(rules: ClassicRules, position: ClassicPosition) -> int:
    """Return the seat that chooses the next starting tile: the nearest one to the right of the receiver."""
    receiver = rules.receiver(position)
    if receiver == NOBODY:
        return NOBODY
    seats = position.seats
    # Negative indices wrap around: the seat to the right of the first is the last one.
    to_the_right = receiver - 1
    while seats[to_the_right].gone:
        to_the_right -= 1
    return to_the_right % rules.players


def restock(rules: ClassicRules, after: ClassicPosition) -> ClassicPosition:
    """Begin Step 2."""
    after.phase = "restock"
    forget_changes(after)
    after.owed = after.extra = after.stacking = False
    return settle(rules, after)


def settle(rules: ClassicRules, after: ClassicPosition) -> ClassicPosition:
    """Advance to the next thing that the mover owes in Step 2; end the turn when nothing is owed.

    What is owed depends only on open information, so an automatic end reveals nothing.
    """
    seat = after.seats[after.mover]
    if after.rewards:
        if any(after.kitchen) or after.covers:
            return after
        after.rewards = 0
    if len(seat.tiles) < rules.hand_tiles and any(after.pantry):
        return after
    if len(seat.recipes) < rules.hand_recipes and any(after.decks):
        return after
    return _next_drawer(rules, after) if after.phase == "draw" else end_turn(after)


def _next_drawer(rules: ClassicRules, after: ClassicPosition) -> ClassicPosition:
    """Move on to the next seat of the setup, which goes round once, or begin the starting player's first turn."""
    following = after.next_playing(after.mover)
    wrapped = (following - after.first) % rules.players <= (after.mover - after.first) % rules.players
    if wrapped:
        return begin_turn(after, following)
    after.mover = following
    return settle(rules, after)


def end_turn(after: ClassicPosition) -> ClassicPosition:
    if after.board.full:
        return end(after, "board", best_seats(after))
    if after.passes >= PASSES_A_SEAT and after.passes >= PASSES_A_SEAT * len(after.playing):
        return end(after, "passes", best_seats(after))
    return begin_turn(after, after.next_playing(after.mover))


def begin_turn(after: ClassicPosition, seat: int) -> ClassicPosition:
    """Begin the next turn, with this seat as the mover."""
    after.mover = seat
    after.phase = "play"
    after.turn += 1
    begin_changes(after)
    after.owed = True
    after.extra = after.stacking = False
    after.played = NO_CARD
    after.rewards = 0
    return after


def end(after: ClassicPosition, ending: str, winners: tuple[int, ...]) -> ClassicPosition:
    """End the game and clear the state of its last turn."""
    after.phase = "over"
    after.mover = NOBODY
    forget_changes(after)
    after.rewards = 0
    after.owed = after.extra = after.stacking = False
    after.played = NO_CARD
    after.outcome = Outcome(ending, winners, all_scores(after))
    return after


def cover(rules: ClassicRules, after: ClassicPosition, covers: tuple[int, ...]) -> None:
    """Put the Wasabi! cards on exactly these squares."""
    after.covers = covers
    blocks = (rules.grid.blocks[square] for square in covers)
    after.board = after.board.with_blocked(square for block in blocks for square in block)


def without(rules: ClassicRules, after: ClassicPosition, leaver: int, cards: tuple[int, ...]) -> ClassicPosition:
    """Return the leaver's cards to the kitchen and let the others play on; the leaver's turn ends without Step 2."""
    kitchen = bytearray(after.kitchen)
    for card in cards:
        kitchen[card] += 1
    after.kitchen = bytes(kitchen)
    left = after.playing
    if len(left) == 1:
        return end(after, "abandoned", left)
    if after.phase == "give":
        return next_gift(rules, after)
    if after.mover != leaver:
        return after
    return _next_drawer(rules, after) if after.phase == "draw" else end_turn(after)
