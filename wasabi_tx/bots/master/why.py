"""Explain why a line of play was chosen for a turn."""

from __future__ import annotations

from wasabi_tx.engine.step import Step

from ..board_windows import Reading
from ..reason import Reason
from .judge import Judge
from .lines import Line


def why_line(judge: Judge, line: Line) -> tuple[Reason, ...]:
    """Give the reasons: recipes served, cards played, the purpose of the tiles, and the prep."""
    rules, position = judge.rules, judge.position
    reasons: list[Reason] = []
    later: list[Reason] = []
    for step in line.steps:
        after = rules.apply(position, step)
        match step.verb:
            case "serve":
                done = after.seats[judge.number].claimed[-1]
                points = judge.recipes[done.recipe].points
                reasons.append(Reason("completes", {"recipe": done.recipe, "points": points, "cubes": done.cubes}))
            case "place":
                later.append(_why_place(judge, step))
            case "cup":
                later.append(Reason("moves-cup", {"square": step.args[1]}))
            case "chop" | "spicy" | "stack" | "switch":
                later.append(Reason("plays-card", {"card": getattr(rules, step.verb)}))
            case "gain" | "pool" | "exchange":
                later.append(why_prep(judge, step))
        position = after
    if reasons:
        later = [reason for reason in later if reason.code == "plays-card"]
    return (*reasons, *later)


def why_prep(judge: Judge, step: Step) -> Reason:
    if step.verb == "gain":
        return Reason("takes-card", {"card": step.args[0]})
    if step.verb == "pool":
        return Reason("takes-pool", {"cubes": judge.position.pool})
    worths = judge.worths(judge.position, judge.seat)
    dead = not any(worths.get(card, 0.0) for card in step.args)
    recipes = tuple(judge.faces[card] for card in step.args if card in judge.faces)
    return Reason("dead-recipes" if dead else "exchanges-recipes", {"recipes": recipes})


def _why_place(judge: Judge, step: Step) -> Reason:
    """Name the recipe whose best window through the square is worth most."""
    tile, square = step.args
    windows, position = judge.windows, judge.position
    cups = [cup for cup in position.board.blocked if cup != square]
    board = position.board.with_blocked(cups).with_stack(square, tile)
    reading = Reading(windows, board, movable=True)
    prospects = judge.prospects(position, position.board.free.count(1))
    advanced = []
    for _, recipe in judge.held(judge.seat):
        length = windows.lengths[recipe]
        sums = reading.sums(length)
        for number in windows.through[length][square]:
            total, part = sums[number], windows.by_length[length][number].part
            missing = None if total & windows.foreign[recipe] else windows.missing(recipe, total)
            if missing is not None:
                value = prospects.window_value(recipe, total, reading.tops[part])
                advanced.append((value, recipe, length - len(missing), length))
    if judge.last_turn or not advanced or not max(advanced)[0]:
        return Reason("spare-tile", {"tile": tile, "square": square})
    _, recipe, have, length = max(advanced)
    return Reason("advances", {"recipe": recipe, "have": have, "length": length, "tile": tile, "square": square})
