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
    """Wait for the next card of the display, or go on if it is full or the cards have run out."""
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
    """Finish the setup, or continue the turn of the seat that gained a card."""
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
    """Continue after a card was gained: a serving seat may serve more, a prep ends the turn."""
    if after.serving:
        after.phase = "serve"
        return after
    return end_turn(rules, after)


def choose(after: MasterPosition, phase: str) -> MasterPosition:
    """Choose Serve or Prep: no tile, card or cup moves any more, and only Serve depends on what changed."""
    after.phase = phase
    after.moved = 0
    after.owed = False
    after.serving = phase == "serve"
    if not after.serving:
        forget_changes(after)
    return after


def settle(rules: MasterRules, after: MasterPosition) -> MasterPosition:
    """End the turn if the hand is full or the recipe decks are empty; both are public, so this reveals nothing."""
    if len(after.seats[after.mover].recipes) < rules.hand_recipes:
        decks = after.decks
        # The longest recipes are drawn last, so the first check is usually enough.
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
    """Return what starts the final round now, or "" if nothing does."""
    if not after.board.empty:
        return "board"
    if not any(after.pantry):
        return "pantry"
    return "turns" if after.turn >= rules.last_turn else ""


def begin_turn(after: MasterPosition, chef: int) -> MasterPosition:
    """Begin the next turn, with this seat as the chef."""
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
    """Add these action cards to the discards."""
    discards = bytearray(after.discards)
    for card in cards:
        discards[card] += 1
    after.discards = bytes(discards)


def without(rules: MasterRules, after: MasterPosition, leaver: int, cards: tuple[int, ...]) -> MasterPosition:
    """Continue without the leaver, whose own turn ends once pending cards of the display are turned up."""
    discard(after, cards)
    after.finals &= ~(1 << leaver)
    left = after.playing
    if len(left) == 1:
        return end(after, "abandoned", left)
    if after.chef != leaver or after.phase == "refill":
        return after
    return end_turn(rules, after)
