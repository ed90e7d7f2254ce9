"""What may be done now, in groups: one line a verb instead of hundreds of steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..engine.notation import Kind
from ..engine.observe import Observation
from ..engine.rules import Rules
from ..engine.step import Step
from ..text import Texts
from .phrases import recipe_name
from .table import keys_of


@dataclass(frozen=True)
class Group:
    """All legal steps of one verb: what can stand in each place, and one of them as an example."""

    verb: str
    places: tuple[str, ...]
    example: str
    count: int


def group_steps(observation: Observation, steps: Sequence[Step], texts: Texts) -> list[Group]:
    """The steps by verb, in the order in which they come."""
    by_verb: dict[str, list[Step]] = {}
    for step in steps:
        by_verb.setdefault(step.verb, []).append(step)
    return [_group(observation, verb, same, texts) for verb, same in by_verb.items()]


def _group(observation: Observation, verb: str, steps: list[Step], texts: Texts) -> Group:
    rules = observation.rules
    kinds = rules.verbs[verb]
    if Kind.CARDS in kinds:
        places = [_recipes(observation, texts)]
    else:
        columns = [sorted({step.args[n] for step in steps if n < len(step.args)}) for n in range(len(kinds))]
        places = [_words(observation, kind, numbers, texts) for kind, numbers in zip(kinds, columns, strict=True)]
    example = typed_form(observation, steps[0])
    return Group(verb, tuple(place for place in places if place), example, len(steps))


def _words(observation: Observation, kind: Kind, numbers: list[int], texts: Texts) -> str:
    rules = observation.rules
    match kind:
        case Kind.TILE:
            return " ".join(rules.code(tile) for tile in numbers)
        case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
            return square_names(rules, numbers)
        case Kind.ACTION:
            return " ".join(rules.card_code(card) for card in numbers)
        case Kind.RECIPE:
            return ", ".join(recipe_name(rules, texts, recipe) for recipe in numbers)
        case Kind.DECK:
            return " ".join(map(str, numbers))
        case _:
            return ""


def _recipes(observation: Observation, texts: Texts) -> str:
    """Recipes that can be returned, by number."""
    if observation.seat is None:
        return ""
    first, held = keys_of(observation.rules).recipes, observation.position.seats[observation.seat].recipes
    return " ".join([*(str(key) for key in range(first, first + len(held))), texts.say("typed.all").split()[0]])


def square_names(rules: Rules[Any], squares: Iterable[int]) -> str:
    """Squares row by row, runs shortened: `a1-d1 f1 b2`."""
    width, names = rules.grid.columns, rules.grid.names
    runs: list[list[int]] = []
    for square in sorted(squares):
        if runs and runs[-1][-1] == square - 1 and square % width:
            runs[-1].append(square)
        else:
            runs.append([square])
    words = []
    for run in runs:
        words += [names[square] for square in run] if len(run) < 3 else [f"{names[run[0]]}-{names[run[-1]]}"]
    return " ".join(words)


def typed_form(observation: Observation, step: Step) -> str:
    """A step as one would type it: notation, with recipes of the hand by their number."""
    rules, keys = observation.rules, keys_of(observation.rules)
    held = () if observation.seat is None else observation.position.seats[observation.seat].recipes
    words = [step.verb]
    for kind, number in zip(rules.grammar.check(step), step.args, strict=True):
        if kind in (Kind.CARD, Kind.CARDS) and number in held:
            words.append(str(keys.recipes + held.index(number)))
        elif kind is not Kind.RECIPE or len(words) < 2 or not words[-1].isdigit():
            words.append(rules.grammar.format(Step(step.verb, step.args)).split(" ")[len(words)])
    return " ".join(words)
