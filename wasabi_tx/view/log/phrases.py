"""What was done, in few words: steps as phrases for the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.board import stack_tiles
from ...engine.card import deck_of
from ...engine.notation import Kind
from ...engine.position import Position
from ...engine.rules import Rules
from ...engine.step import Step
from ...table.game import Player
from ...text import Texts
from ..editions import sight_of
from ..table.recipe import completion_of, recipe_name


def worth_words(texts: Texts, points: int, cubes: int) -> str:
    """`3 points and 1 cube`, without what there is none of."""
    words = [texts.say("worth.points", count=points)] if points or not cubes else []
    words += [texts.say("worth.cubes", count=cubes)] if cubes else []
    return texts.say("worth.and").join(words)


def phrase(texts: Texts, rules: Rules[Any], players: Sequence[Player], before: Position, step: Step) -> str:
    """One step in few words; it must be one that may be taken."""
    key, params = f"log.{step.verb}", _params(rules, players, step)
    if rules.slots.get(step.verb) == "action":
        params["played"] = _card_name(rules, texts, step.verb)
    if step.verb in rules.claiming:
        won = completion_of(rules, before, step)
        params |= {
            "recipe": recipe_name(rules, texts, won.recipe),
            "length": str(len(rules.strips[won.recipe].tiles)) + ("★" if won.cubes else ""),
            "points": f"{won.points}+{won.cubes}" if won.cubes else str(won.points),
        }
    elif "tile" in params and "square" in params:
        below = stack_tiles(before.board.stacks[step.args[1]])
        if below:
            key, params["below"] = f"{key}-on", rules.code(below[-1])
        elif rules.slots[step.verb] == "action":
            key += "-square"
    elif Kind.OPTIONAL_SQUARE in rules.verbs[step.verb] and len(step.args) == len(rules.verbs[step.verb]):
        key += "-square"
    elif Kind.CARDS in rules.verbs[step.verb]:
        key += "" if step.args else "-nothing"
    elif step.verb == "give":
        params["name"] = receiver_name(players, before, rules.apply(before, step))
    return texts.say(key, **params) + sight_of(rules).bonus(rules, before, step, texts)


def _card_name(rules: Rules[Any], texts: Texts, effect: str) -> str:
    """What the edition calls the card with an effect, without what it may add in brackets."""
    card = next(action for action in rules.edition.actions if action.effect == effect)
    return card.names[texts.language].partition(" (")[0]


def phrases(
    texts: Texts, rules: Rules[Any], players: Sequence[Player], before: Position, steps: Sequence[Step]
) -> list[str]:
    """A bundle as phrases; steps that only end a part of the turn are left out."""
    found = []
    for step in steps:
        if step.verb in rules.slots or step.verb in ("leave", "exclude", "turn"):
            found.append(phrase(texts, rules, players, before, step))
        before = rules.apply(before, step)
    return found


def _params(rules: Rules[Any], players: Sequence[Player], step: Step) -> dict[str, object]:
    """The step's arguments by kind; the second of a kind is the other one."""
    params: dict[str, object] = {}

    def put(name: str, word: str) -> None:
        params["other" if name in params else name] = word

    for kind, number in zip(rules.grammar.check(step), step.args, strict=True):
        match kind:
            case Kind.TILE:
                put("tile", rules.code(number))
            case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
                put("square", rules.grid.names[number])
            case Kind.ACTION:
                put("card", rules.card_code(number))
            case Kind.DECK:
                put("deck", str(number))
            case Kind.SEAT:
                put("name", players[number].name)
            case Kind.CARD | Kind.CARDS:
                params["lengths"] = " ".join(filter(None, (str(params.get("lengths", "")), str(deck_of(number)))))
            case Kind.RECIPE:
                pass
    return params


def receiver_name(players: Sequence[Player], before: Position, after: Position) -> str:
    """Who got a tile."""
    pairs = zip(before.seats, after.seats, strict=True)
    return next((players[n].name for n, (old, new) in enumerate(pairs) if len(new.tiles) > len(old.tiles)), "")
