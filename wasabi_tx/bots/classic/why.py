"""Explain why a line of Step 1 was chosen."""

from __future__ import annotations

from wasabi_tx.engine.step import Step

from ..board_windows import Reading
from ..reason import Reason
from .judge import Judge
from .lines import Line


def why_line(judge: Judge, line: Line) -> tuple[Reason, ...]:
    """Give the reasons: recipes completed, the card played, the purpose of the tiles, whether it ends the game."""
    rules, position = judge.rules, judge.position
    reasons: list[Reason] = []
    later: list[Reason] = []
    for step in line.steps:
        after = rules.apply(position, step)
        if step.verb == "claim":
            done = after.seats[judge.number].claimed[-1]
            points = judge.recipes[done.recipe].points
            reasons.append(Reason("completes", {"recipe": done.recipe, "points": points, "cubes": done.cubes}))
        elif step.verb == "place":
            later.append(_why_place(judge, step))
        elif step.verb == "wasabi":
            later.append(Reason("covers", {"square": step.args[0]}))
        else:
            later.append(Reason("plays-card", {"card": after.played}))
        position = after
    if reasons:
        later = [reason for reason in later if reason.code in ("plays-card", "covers")]
    seat = position.seats[judge.number]
    if position.board.full and not (position.rewards and position.covers) and judge.leads(seat):
        lead = seat.score - max(rival.score for rival in judge.rivals)
        reasons.append(Reason("ends-game", {"lead": lead}))
    return (*reasons, *later)


def _why_place(judge: Judge, step: Step) -> Reason:
    """Name the recipe whose best window through the square is worth most."""
    tile, square = step.args
    position, windows = judge.position, judge.windows
    seat = position.seats[judge.number]
    hand = tuple(held for n, held in enumerate(seat.tiles) if n != seat.tiles.index(tile)) if tile in seat.tiles else ()
    prospects = judge.prospects(position, hand, max(1, position.board.free.count(1) - 1), fetching=True)
    reading = Reading(windows, position.board.with_stack(square, tile))
    advanced = []
    for _, recipe in judge.held(seat):
        length = windows.lengths[recipe]
        sums = reading.sums(length)
        for number in windows.through[length][square]:
            window = windows.by_length[length][number]
            total = sums[number]
            missing = None if total & windows.foreign[recipe] else windows.missing(recipe, total)
            if missing is not None:
                value = prospects.window_value(recipe, total, reading.tops[window.part])
                advanced.append((value, recipe, length - len(missing), length))
    if not advanced or not max(advanced)[0]:
        return Reason("spare-tile", {"tile": tile, "square": square})
    _, recipe, have, length = max(advanced)
    about = {"recipe": recipe, "have": have, "length": length, "tile": tile, "square": square}
    return Reason("advances", dict(about))
