"""The flow of a game: cards turned up, draws, the next turn, the final round, the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...changes import begin_changes, forget_changes
from ...decks import named
from ...position import NOBODY, Outcome
from ...scores import all_scores, best_seats
from .position import ACTIONS, RECIPES, MasterPosition

if TYPE_CHECKING:
    from .rules import MasterRules


def refill(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    """Waits for the next card of the display, or goes on if it is full or no card is left."""
    if len(after.display) < rules.display_size:
        if not after.decks[ACTIONS] and any(after.discards):
            _reshuffle(after)
        if after.decks[ACTIONS]:
            after.phase = "refill"
            after.mover = NOBODY
            return after
    return refilled(rules, after)


def _reshuffle(after: MasterPosition) -> None:
    after.epoch += 1
    after.decks = after.decks.copy()
    after.decks[ACTIONS] = named(ACTIONS, sum(after.discards), after.epoch)
    after.discards = bytes(len(after.discards))


def refilled(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    """Setup is finished, or the one who gained a card goes on."""
    if after.chef == NOBODY:
        first = after.first
        return begin_turn(after, after.next_playing(first) if after.seats[first].gone else first)
    chef = after.seats[after.chef]
    if chef.gone:
        return end_turn(rules, after)
    after.mover = after.chef
    if len(chef.cards) > rules.hand_cards:
        after.phase = "discard"
        return after
    return gained(rules, after)


def gained(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    """The card has been gained: a seat that is serving may serve more, a prep is over."""
    if after.serving:
        after.phase = "serve"
        return after
    return end_turn(rules, after)


def choose(after: MasterPosition, phase: str) -> MasterPosition:
    """Serve or Prep is chosen: no tile, card or cup is moved any more, and only Serve looks at what changed."""
    after.phase = phase
    after.moved = 0
    after.owed = False
    after.serving = phase == "serve"
    if not after.serving:
        forget_changes(after)
    return after


def settle(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    """The turn ends when the mover holds enough recipes, or none is left; this is open, so it betrays nothing."""
    if len(after.seats[after.mover].recipes) < rules.hand_recipes:
        decks = after.decks
        # The longest recipes are drawn last: mostly one look is enough.
        if decks[-1] or any(decks[RECIPES:]):
            return after
    return end_turn(rules, after)


def end_turn(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    if not after.trigger:
        after.trigger = _trigger(rules, after)
        if after.trigger:
            after.finals = sum(1 << seat for seat in after.playing)
    elif not after.finals:
        return end(after, after.trigger, best_seats(after))
    return begin_turn(after, after.next_playing(after.chef))


def _trigger(rules: MasterRules, after: MasterPosition) -> str:
    """What starts the final round now, if anything does."""
    if not after.board.empty:
        return "board"
    if not any(after.pantry):
        return "pantry"
    return "turns" if after.turn >= rules.last_turn else ""


def begin_turn(after: MasterPosition, chef: int) -> MasterPosition:
    """The next turn begins, and it is this seat's."""
    after.phase = "play"
    after.turn += 1
    after.chef = after.mover = chef
    after.finals &= ~(1 << chef)
    begin_changes(after)
    after.moved = 0
    after.owed = True
    after.serving = False
    return after


def end(after: MasterPosition, ending: str, winners: tuple[int, ...]) -> MasterPosition:
    after.phase = "over"
    after.chef = after.mover = NOBODY
    forget_changes(after)
    after.moved = 0
    after.owed = after.serving = False
    after.outcome = Outcome(ending, winners, all_scores(after))
    return after


def discard(after: MasterPosition, cards: tuple[int, ...]) -> None:
    """Puts these action cards on the discards."""
    discards = bytearray(after.discards)
    for card in cards:
        discards[card] += 1
    after.discards = bytes(discards)


def without(rules: MasterRules, after: MasterPosition, leaver: int, cards: tuple[int, ...]) -> MasterPosition:
    """Play goes on among the others; the leaver's own turn ends, but not before cards in the air are turned up."""
    discard(after, cards)
    after.finals &= ~(1 << leaver)
    left = after.playing
    if len(left) == 1:
        return end(after, "abandoned", left)
    if after.chef != leaver or after.phase == "refill":
        return after
    return end_turn(rules, after)
