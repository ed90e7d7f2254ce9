"""Step 2 and the setup of the first edition: rewards, tiles, recipes, and gifts that help nobody."""

from __future__ import annotations

from functools import lru_cache, partial, reduce

from wasabi_tx.engine.editions.classic.rules import ClassicRules
from wasabi_tx.engine.position import replace_seat
from wasabi_tx.engine.step import Step

from ..greedy import Option
from ..reason import Reason, because
from .judge import Judge

TRIFLE = 0.01
"""The weight that decides between tiles that no recipe in hand needs: less than any needed tile is worth."""


def gifts(judge: Judge) -> list[Option]:
    """Return the starting tiles for the neighbour; those of below-average use count the same, so that gifts vary."""
    uses, usual = tile_uses(judge.rules), _usual_use(judge.rules)
    return [
        Option(-max(usual, uses[step.args[0]]), (step,), because(Reason("gives", {"tile": step.args[0]})))
        for step in judge.rules.legal(judge.position, judge.faces)
    ]


@lru_cache(maxsize=8)
def tile_uses(rules: ClassicRules) -> tuple[float, ...]:
    """Return for each tile the points of all recipes that need it, each divided by the recipe's length."""
    uses = [0.0] * (len(rules.edition.ingredients) + 1)
    for recipe in rules.edition.recipes:
        for tile in recipe.strip.tiles:
            uses[tile] += recipe.points / recipe.length
    return tuple(uses)


@lru_cache(maxsize=8)
def _usual_use(rules: ClassicRules) -> float:
    """Return the average use of the tiles that may be given."""
    given = {category.id for category in rules.edition.categories if category.starting_hand}
    uses = tile_uses(rules)
    found = [uses[tile] for tile, one in enumerate(rules.edition.ingredients, 1) if one.category in given]
    return sum(found) / len(found)


def rewards(judge: Judge) -> list[Option]:
    """Return the ways to take a card from the kitchen or the board, perhaps after a discard, or to take none."""
    rules, position = judge.rules, judge.position
    options = []
    for step in rules.legal(position, judge.faces):
        after = rules.apply(position, step)
        if step.verb == "forgo":
            options.append(Option(judge.worth(after), (step,), because(Reason("keeps-cards"))))
        elif step.verb == "take":
            options.append(Option(judge.worth(after), (step,), because(_why_take(step))))
        else:
            options += _exchanges(judge, step)
    return options


def _exchanges(judge: Judge, discard: Step) -> list[Option]:
    """Return the options that begin with this discard.

    With a full hand, these take every other available card. With room in hand, they take the same card back for every
    reward: the way to gain nothing where a card must be taken.
    """
    rules, position = judge.rules, judge.position
    full = len(position.seats[judge.number].cards) >= rules.hand_cards
    after, options = rules.apply(position, discard), []
    for step in rules.legal(after, judge.faces):
        back = step.args == discard.args
        if step.verb == "take" and back != full:
            exchanged = (_why_take(step), Reason("discards-card", {"card": discard.args[0]}))
            why = because(Reason("keeps-cards")) if back else because(*exchanged)
            steps = (discard, step) * (position.rewards if back else 1)
            options.append(Option(judge.worth(reduce(rules.apply, steps, position)), steps, why))
    return options


def _why_take(step: Step) -> Reason:
    card, *square = step.args
    return Reason("uncovers", {"square": square[0]}) if square else Reason("takes-card", {"card": card})


def tiles(judge: Judge) -> list[Option]:
    """Return the tiles of the pantry, valued by the recipes in hand; unneeded ones by how many recipes use them."""
    rules, position = judge.rules, judge.position
    seat = position.seats[judge.number]
    uses = tile_uses(rules)
    most = max(uses)
    needed = {tile for _, recipe in judge.held(seat) for tile in judge.windows.strips[recipe]}
    options, spare = [], None
    for step in rules.legal(position, judge.faces):
        if step.verb != "tile":
            continue
        tile = step.args[0]
        # All tiles that no recipe in hand needs give the same prospects.
        value = spare if tile not in needed else None
        if value is None:
            value = _worth_with(judge, tile)
            spare = spare if tile in needed else value
        value += TRIFLE * uses[tile] / most if tile not in seat.tiles else 0.0
        options.append(Option(value, (step,), partial(_why_tile, judge, tile)))
    return options


def _worth_with(judge: Judge, tile: int) -> float:
    """Return the value of the position once the seat has taken this tile from the pantry."""
    after = judge.position.evolve()
    after.pantry = judge.position.pantry.copy()
    after.pantry[tile] -= 1
    seat = judge.position.seats[judge.number].evolve()
    seat.tiles = tuple(sorted((*seat.tiles, tile)))
    after.seats = replace_seat(after.seats, judge.number, seat)
    return judge.worth(after)


def _why_tile(judge: Judge, tile: int) -> tuple[Reason, ...]:
    """Name the most valuable recipe in hand that needs the tile."""
    position = judge.position
    seat = position.seats[judge.number]
    worths = judge.worths(position, seat, fetching=True)
    needing = [
        (worth.value, recipe)
        for (_, recipe), worth in zip(judge.held(seat), worths, strict=True)
        if tile in judge.windows.strips[recipe]
    ]
    if not needing or not max(needing)[0]:
        return (Reason("stocks", {"tile": tile}),)
    return (Reason("fetches", {"tile": tile, "recipe": max(needing)[1]}),)


def draws(judge: Judge) -> list[Option]:
    """Return the draws, valued by what the length promises on this board, if it has a token not reserved already."""
    position = judge.position
    seat = position.seats[judge.number]
    tokens = list(seat.tokens)
    for _, recipe in judge.held(seat):
        tokens[judge.windows.lengths[recipe]] -= 1
    options = []
    for step in judge.rules.legal(position, judge.faces):
        if step.verb != "draw":
            continue
        length = step.args[0]
        value = judge.fresh.get(length, 0.0) if tokens[length] > 0 else 0.0
        options.append(Option(value, (step,), because(Reason("draws", {"length": length}))))
    return options
