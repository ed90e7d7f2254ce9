"""The lines of a position's text that only the first edition has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...position import NO_CARD, NOBODY
from ...position_text import format_counts, read_counts
from ...text_lines import Lines
from . import flow
from .position import ClassicPosition

if TYPE_CHECKING:
    from .rules import ClassicRules

_FLAGS = ("owed", "extra", "stacking")


def own_lines(rules: ClassicRules, position: ClassicPosition) -> list[str]:
    """Return the lines for this turn's state, the Wasabi! cards on the board and the kitchen."""
    words = [flag for flag in _FLAGS if getattr(position, flag)]
    if position.played != NO_CARD:
        words.append(f"played {rules.edition.actions[position.played].code}")
    if position.rewards:
        words.append(f"rewards {position.rewards}")
    if position.passes:
        words.append(f"passes {position.passes}")
    lines = [f"this turn: {', '.join(words) or '-'}"]
    if position.covers:
        lines.append("wasabi: " + " ".join(rules.grid.names[square] for square in position.covers))
    codes = [action.code for action in rules.edition.actions]
    return [*lines, "kitchen: " + format_counts(codes, position.kitchen)]


def read_own_lines(rules: ClassicRules, position: ClassicPosition, lines: Lines) -> None:
    edition = rules.edition
    turn = lines.find("this turn")
    parts = turn.text.split(", ") if turn and turn.text != "-" else []
    # Without this line, nothing has been done in the turn.
    position.owed = "owed" in parts or (turn is None and position.phase == "play")
    position.extra, position.stacking = "extra" in parts, "stacking" in parts
    position.rewards = turn.number_after("rewards", 1, 9, default=0) if turn else 0
    position.passes = turn.number_after("passes", 1, 999, default=0) if turn else 0
    position.played = NO_CARD
    for part in parts:
        word, _, rest = part.partition(" ")
        if word == "played" and turn:
            position.played = turn.look_up(edition.action_numbers, rest)
        elif word not in ("rewards", "passes", *_FLAGS) and turn:
            raise turn.fault("unknown-word")
    if turn and position.phase != "play" and (position.owed or position.extra or position.stacking):
        raise turn.fault("phase")
    if position.phase != "play" and position.changed:
        raise lines.take_line("turn").fault("changed")
    _read_covers(rules, position, lines)
    _read_kitchen(rules, position, lines)
    if not _possible(rules, position):
        raise lines.take_line("turn").fault("phase")


def _possible(rules: ClassicRules, position: ClassicPosition) -> bool:
    """Return whether the phase, the mover and this turn's state are consistent."""
    phase = position.phase
    if phase == "over":
        return True
    if position.mover == NOBODY or (position.turn == 0) != (phase in ("give", "draw")):
        return False
    if position.extra and position.played != rules.spicy:
        return False
    if position.stacking and not (position.owed and position.played == rules.stack):
        return False
    if phase == "play":
        stuck = position.board.full or (position.played != NO_CARD and not position.seats[position.mover].tiles)
        return not (position.owed and stuck)
    if phase == "give":
        return flow.giver(rules, position) == position.mover
    after = flow.settle(rules, position.evolve())
    return after.phase == phase and after.mover == position.mover


def _read_covers(rules: ClassicRules, position: ClassicPosition, lines: Lines) -> None:
    line = lines.find("wasabi")
    squares = sorted({line.square(rules.grid, word) for word in line.words}) if line else []
    covered: set[int] = set()
    for square in squares:
        block = rules.grid.blocks.get(square, ())
        if line and (not block or covered & set(block)):
            raise line.fault("wasabi-does-not-fit")
        covered.update(block)
    flow.cover(rules, position, tuple(squares))


def _read_kitchen(rules: ClassicRules, position: ClassicPosition, lines: Lines) -> None:
    left = [action.counts[rules.players] for action in rules.edition.actions]
    for card in [card for seat in position.seats for card in seat.cards]:
        left[card] -= 1
    if rules.wasabi != NO_CARD:
        left[rules.wasabi] -= len(position.covers)
    line = lines.find("kitchen")
    given = read_counts(line, rules.edition.action_numbers) if line else None
    if min(left, default=0) < 0 or given not in (None, {n: count for n, count in enumerate(left) if count}):
        raise (line or lines.take_line("turn")).fault("kitchen")
    position.kitchen = bytes(left)
