"""The lines of a position's text that only the second edition has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...board import make_board
from ...decks import named
from ...errors import Malformed
from ...position import NOBODY
from ...position_text import format_counts, read_counts
from ...sealed_card import Card, format_card, parse_card
from ...text_lines import Lines, Words
from .position import ACTIONS, MasterPosition

if TYPE_CHECKING:
    from .rules import MasterRules


def own_lines(rules: MasterRules, position: MasterPosition) -> list[str]:
    """Return the lines for this turn, cups, display, discards, pool, action deck and the rest of the final round."""
    words = [flag for flag in ("owed", "serving") if getattr(position, flag)]
    if position.mover == NOBODY and position.chef != NOBODY:
        words.append(f"chef {position.chef + 1}")
    names, codes = rules.grid.names, [action.code for action in rules.edition.actions]
    lines = [
        f"this turn: {', '.join(words) or '-'}",
        "cups: " + (" ".join(names[square] for square in position.board.blocked) or "-"),
        "display: " + (" ".join(codes[card] for card in position.display) or "-"),
        "discards: " + format_counts(codes, position.discards),
        f"pool: {position.pool}",
        "deck 1: " + (" ".join(format_card(card).split(".")[1] for card in position.decks[ACTIONS]) or "-"),
    ]
    if position.moved:
        moved = (name for square, name in enumerate(names) if position.moved >> square & 1)
        lines.append(f"moved: {' '.join(moved)}")
    if position.trigger:
        waiting = " ".join(str(seat + 1) for seat in range(rules.players) if position.finals >> seat & 1)
        lines.append(f"final round: {position.trigger}, waiting {waiting or '-'}")
    return lines


def read_own_lines(rules: MasterRules, position: MasterPosition, lines: Lines) -> None:
    _read_turn(rules, position, lines)
    _read_cups(rules, position, lines)
    line = lines.take_line("display")
    position.display = tuple(sorted(line.look_up(rules.edition.action_numbers, word) for word in line.words))
    if len(position.display) > rules.display_size:
        raise line.fault("display")
    discards = lines.find("discards")
    counts = read_counts(discards, rules.edition.action_numbers) if discards else {}
    position.discards = bytes(min(counts.get(card, 0), 255) for card in range(len(rules.edition.actions)))
    pool = lines.find("pool")
    position.pool = pool.number(0, 0, 65535) if pool else rules.setup.pool
    _read_deck(rules, position, lines)
    _read_final_round(position, lines)


def _read_turn(rules: MasterRules, position: MasterPosition, lines: Lines) -> None:
    """Read this turn's state; without its line, nothing has been done in the turn."""
    line = lines.find("this turn")
    parts = line.text.split(", ") if line and line.text != "-" else []
    position.owed = "owed" in parts or (line is None and position.phase == "play")
    position.serving = "serving" in parts
    chef = line.number_after("chef", 1, rules.players, default=0) - 1 if line else NOBODY
    if line and any(part not in ("owed", "serving") and not part.startswith("chef ") for part in parts):
        raise line.fault("unknown-word")
    serving = {"serve": True, "gain": True, "refill": position.serving, "discard": position.serving}
    if position.serving != serving.get(position.phase, False) or (position.owed and position.phase != "play"):
        raise lines.take_line("turn").fault("phase")
    if position.changed and not (position.phase == "play" or position.serving):
        raise lines.take_line("turn").fault("changed")
    if (chef != NOBODY and position.phase != "refill") or (position.mover == NOBODY) != (
        position.phase in ("refill", "over")
    ):
        raise lines.take_line("turn").fault("mover")
    position.chef = chef if position.mover == NOBODY else position.mover
    if position.phase == "refill" and (position.chef == NOBODY) != (position.turn == 0):
        raise lines.take_line("turn").fault("mover")


def _read_cups(rules: MasterRules, position: MasterPosition, lines: Lines) -> None:
    """Read the cups' squares (by default those of the setup) and which cups have been moved."""
    line, moved = lines.find("cups"), lines.find("moved")
    squares = _squares(rules, line) if line else set(map(rules.grid.parse_square, rules.setup.cups[rules.players]))
    stacks = position.board.stacks
    if len(squares) != len(rules.setup.cups[rules.players]) or any(stacks[square] for square in squares):
        raise (line or lines.take_line("board")).fault("cups")
    position.board = make_board(stacks, sorted(squares))
    marked = _squares(rules, moved) if moved else set()
    if moved and (not marked <= squares or position.phase != "play"):
        raise moved.fault("moved")
    position.moved = sum(1 << square for square in marked)


def _squares(rules: MasterRules, line: Words) -> set[int]:
    return {rules.grid.parse_square(word) for word in line.words}


def _read_deck(rules: MasterRules, position: MasterPosition, lines: Lines) -> None:
    """Read the cards that the line names; by default fresh ones, as many as are nowhere else."""
    line = lines.find("deck 1")
    hidden = [rules.hidden_count(position, card) for card in range(len(rules.action_counts))]
    cards = tuple(_card(line, word) for word in line.words) if line else named(ACTIONS, sum(hidden), 0)
    missing = position.phase == "refill" and (not cards or len(position.display) >= rules.display_size)
    if min(hidden, default=0) < 0 or len(set(cards)) != len(cards) or len(cards) != sum(hidden) or missing:
        raise (line or lines.take_line("display")).fault("actions")
    position.decks[ACTIONS] = cards


def _card(line: Words, word: str) -> Card:
    try:
        return parse_card(f"{ACTIONS}.{word}")
    except Malformed:
        raise line.fault("card") from None


def _read_final_round(position: MasterPosition, lines: Lines) -> None:
    line = lines.find("final round")
    position.trigger, position.finals = "", 0
    if line is None:
        return
    position.trigger = line.comma(0)
    waiting = line.comma(1).split()
    if position.trigger not in ("board", "pantry", "turns") or waiting[:1] != ["waiting"]:
        raise line.fault("final-round")
    seats = {str(seat + 1): seat for seat in position.playing}
    for word in [] if waiting[1:] == ["-"] else waiting[1:]:
        position.finals |= 1 << line.look_up(seats, word)
