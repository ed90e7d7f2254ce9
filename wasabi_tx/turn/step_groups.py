"""Legal steps in groups: one line per verb instead of hundreds of steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..engine.notation import Kind
from ..engine.rules import AnyRules
from ..engine.step import Step
from ..text import Texts
from ..view.table.hand import Hand
from ..view.table.recipe import recipe_name


@dataclass(frozen=True)
class Group:
    """All legal steps of one verb: the options for each argument, and one step as an example."""

    verb: str
    places: tuple[str, ...]
    example: str
    count: int


def group_steps(rules: AnyRules, hand: Hand, steps: Sequence[Step], texts: Texts) -> list[Group]:
    """Return the steps grouped by verb, in their order."""
    by_verb: dict[str, list[Step]] = {}
    for step in steps:
        by_verb.setdefault(step.verb, []).append(step)
    return [_group(rules, hand, verb, same, texts) for verb, same in by_verb.items()]


def _group(rules: AnyRules, hand: Hand, verb: str, steps: list[Step], texts: Texts) -> Group:
    kinds = rules.verbs[verb]
    if Kind.CARDS in kinds:
        places = [_recipes(hand, texts)]
    else:
        columns = [sorted({step.args[n] for step in steps if n < len(step.args)}) for n in range(len(kinds))]
        places = [_words(rules, kind, numbers, texts) for kind, numbers in zip(kinds, columns, strict=True)]
    example = typed_form(rules, hand, steps[0], texts)
    return Group(shown_verb(verb, texts), tuple(place for place in places if place), example, len(steps))


def _words(rules: AnyRules, kind: Kind, numbers: list[int], texts: Texts) -> str:
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


def _recipes(hand: Hand, texts: Texts) -> str:
    """Return the recipes that can be returned, by number."""
    return " ".join([*map(str, hand.recipes), texts.say("typed.all").split()[0]])


def square_names(rules: AnyRules, squares: Iterable[int]) -> str:
    """Return squares row by row, runs shortened: `a1-d1 f1 b2`."""
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


def typed_form(rules: AnyRules, hand: Hand, step: Step, texts: Texts) -> str:
    """Return a step as a person would type it: in the language's words, with recipes in hand by number."""
    words = rules.grammar.format(step).split(" ")
    kinds = rules.grammar.check(step)
    for place, (kind, number) in enumerate(zip(kinds, step.args, strict=True), 1):
        key = hand.recipe_key(number) if kind is Kind.CARD else None
        if key is not None:
            words[place] = str(key)
            if kinds[place:] == (Kind.RECIPE,):
                del words[place + 1]
    return " ".join([shown_verb(step.verb, texts), *words[1:]])


def shown_verb(verb: str, texts: Texts) -> str:
    """Return the word for a verb in the screen's language; the notation's own works everywhere."""
    return texts.say(f"verb.{verb}").split()[0] if texts.knows(f"verb.{verb}") else verb
