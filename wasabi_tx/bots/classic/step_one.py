"""Step 1 of the first edition: what to place, which card to play with it, or whether to pass."""

from __future__ import annotations

from functools import partial
from itertools import combinations

from wasabi_tx.engine.position import NO_CARD
from wasabi_tx.engine.step import Step

from ..greedy import Option
from ..reason import Reason, because
from .cards import completions
from .judge import Judge, Worth
from .lines import Line, follow, placements
from .why import why_line

FOLLOWED = 4
"""The number of best placements tried together with a card."""
PAIRED = 6
"""The number of best placements tried in pairs."""
FOLLOWED_IN_HASTE, PAIRED_IN_HASTE = 1, 3


def step_one(judge: Judge) -> list[Option]:
    """Return the options: placements with and without a card, each with all its claims; ending Step 1; passing."""
    position = judge.position
    seat = position.seats[judge.number]
    plain = placements(judge) if position.owed or position.extra else []
    lines = plain if position.owed else [*plain, *_kept(follow(judge, ()))]
    if position.played == NO_CARD and seat.cards:
        lines = [*lines, *_with_card(judge, plain)]
    options = [_option(judge, line) for line in lines]
    if position.untouched:
        options += _passes(judge)
    nothing_else = because(Reason("nothing-else"))
    return options or [Option(0.0, (step,), nothing_else) for step in judge.rules.legal(position, judge.faces)]


def _kept(line: Line | None) -> list[Line]:
    return [line] if line else []


def _option(judge: Judge, line: Line) -> Option:
    return Option(line.value, (*line.steps, judge.rules.done_step), partial(why_line, judge, line))


def _with_card(judge: Judge, plain: list[Line]) -> list[Line]:
    """Return lines with an action card: completing something, a second tile, a cube for covering squares."""
    rules, position = judge.rules, judge.position
    followed, paired = (FOLLOWED, PAIRED) if judge.guessed is None else (FOLLOWED_IN_HASTE, PAIRED_IN_HASTE)
    cards = position.seats[judge.number].cards
    first = [line.steps[:1] for line in plain[:followed]] if position.owed else [()]
    lines = []
    for steps in completions(judge):
        placed = any(step.verb == "place" or (len(step.args) == 2 and step.verb == "chop") for step in steps)
        ends = [()] if placed or not position.owed else first
        for end in ends:
            lines += _kept(follow(judge, (*steps, *end)))
    if rules.spicy in cards:
        tried = [line.steps[0] for line in plain[:paired]]
        places = combinations(tried, 2) if position.owed else _second_tiles(judge)
        for steps in places:
            lines += _kept(follow(judge, (rules.spicy_step, *steps)))
    if rules.wasabi in cards:
        for square in rules.grid.blocks:
            for start in first[:2]:
                lines += _kept(follow(judge, (*start, rules.wasabi_steps[square])))
    return lines


def _second_tiles(judge: Judge) -> list[tuple[Step]]:
    """Return the placements of a second tile, after this turn's own one."""
    free = [square for square, empty in enumerate(judge.position.board.free) if empty]
    tiles = dict.fromkeys(judge.position.seats[judge.number].tiles)
    return [(judge.rules.place_steps[tile][square],) for tile in tiles for square in free]


def _passes(judge: Judge) -> list[Option]:
    """Return the passes for each choice of recipes, excluding any that would end the game without winning it.

    On the first turn, only recipes that cannot be made are returned: the board is still free for all others.
    """
    position = judge.position
    seat = position.seats[judge.number]
    passes = position.passes + 1
    if judge.completes_run(passes) and not judge.leads(seat) and seat.tiles:
        return []
    held = judge.held(seat)
    worths = dict(zip(held, judge.worths(position, seat, fetching=False), strict=True))
    free = position.board.free.count(1)
    options = []
    for count in range(min(1, len(seat.recipes)), len(seat.recipes) + 1):
        for cards in combinations(seat.recipes, count):
            after = seat.evolve()
            after.recipes = tuple(card for card in seat.recipes if card not in cards)
            kept: list[Worth] = [worth for (card, _), worth in worths.items() if card not in cards]
            value = judge.total(position, after, kept, free, passes)
            recipes = tuple(judge.faces[card] for card in cards if card in judge.faces)
            dead = all(worth.value == 0 for (card, _), worth in worths.items() if card in cards)
            if not dead and position.turn <= len(position.seats):
                continue
            reason = Reason("dead-recipes" if dead else "exchanges-recipes", {"recipes": recipes})
            options.append(Option(value, (Step("pass", cards),), because(reason)))
    return options
