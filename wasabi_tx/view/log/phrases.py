"""Phrases for steps, for the log or as advice: marked, so that a screen can style tiles and points."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from ...engine.board import stack_tiles
from ...engine.notation import Kind
from ...engine.position import Position
from ...engine.rules import AnyRules
from ...engine.sealed_card import deck_of
from ...engine.step import Step
from ...games.game import Player
from ...text import Texts
from ...text.marks import mark, unmarked
from ..editions import sight_of
from ..table.recipe import completion_of, recipe_name


class Rank(IntEnum):
    """The importance of a phrase; a shorter sentence drops the lowest first."""

    BESIDE = 0
    """A step that fills up a hand."""
    DONE = 1
    """A change on the table."""
    SCORED = 2


class Phrase(NamedTuple):
    """One step of a turn, in marked words."""

    words: str
    rank: Rank = Rank.DONE
    brief: str = ""
    """The same for very little room."""
    kind: str = ""
    """One of `COUNTED`, or empty."""
    drawn: int = 0
    """The length of the recipe that the step draws; 0 if it draws none."""


def listed(words: Sequence[str], texts: Texts) -> str:
    """Return `one, another and a third`."""
    return ", ".join(words[:-1]) + texts.say("worth.and") + words[-1] if len(words) > 1 else "".join(words)


def told_words(phrases: Sequence[Phrase], texts: Texts) -> list[str]:
    """Return the words of the phrases; recipes that are drawn one after the other are one phrase."""
    words: list[str] = []
    for drawn, run in groupby(phrases, lambda one: bool(one.drawn)):
        found = list(run)
        if drawn and len(found) > 1:
            words.append(texts.say("log.drawn", decks=listed([str(one.drawn) for one in found], texts)))
        else:
            words += [one.words for one in found]
    return words


BESIDE = ("card", "discard", "recipe", "tile")
"""Slots of a turn that only fill up a hand."""
COUNTED = ("discard", "draw", "gain", "give", "take", "tile")
"""Steps that are told all together or not at all, at the shortest by their number."""


def worth_words(texts: Texts, points: int, cubes: int) -> str:
    """Return `3 points and 1 cube`, without the parts that are zero."""
    words = [texts.say("worth.points", count=points)] if points or not cubes else []
    words += [texts.say("worth.cubes", count=cubes)] if cubes else []
    return texts.say("worth.and").join(words)


def phrase(texts: Texts, rules: AnyRules, players: Sequence[Player], before: Position, step: Step) -> Phrase:
    """Return one step in few words; the step must be legal."""
    words = _words("log.", texts, rules, players, before, step)
    if step.verb in rules.claiming:
        won = completion_of(rules, before, step)
        name = mark("strong", recipe_name(rules, texts, won.recipe))
        gain = mark("points", f"+{won.points + won.cubes}")
        return Phrase(words, Rank.SCORED, texts.say(f"log.{step.verb}-brief", recipe=name, gain=gain))
    rank = Rank.BESIDE if rules.slots.get(step.verb) in BESIDE else Rank.DONE
    kind = step.verb if step.verb in COUNTED else ""
    return Phrase(words, rank, kind=kind, drawn=step.args[0] if step.verb == "draw" else 0)


def advice_phrases(
    texts: Texts, rules: AnyRules, players: Sequence[Player], before: Position, steps: Sequence[Step]
) -> list[str]:
    """Return possible steps in plain words; those that only fill up a hand appear if there are no others."""
    found: dict[Rank, list[str]] = {rank: [] for rank in Rank}
    for step in steps:
        if step.verb in rules.slots:
            rank = Rank.BESIDE if rules.slots[step.verb] in BESIDE else Rank.DONE
            found[rank].append(unmarked(_words("advice.", texts, rules, players, before, step)))
        before = rules.apply(before, step)
    return found[Rank.DONE] or found[Rank.BESIDE]


def _words(table: str, texts: Texts, rules: AnyRules, players: Sequence[Player], before: Position, step: Step) -> str:
    """Return the phrase for a step from a table of sentences."""
    key, params = f"{table}{step.verb}", _params(rules, players, step, texts)
    if rules.slots.get(step.verb) == "action":
        params["played"] = mark("good", _card_name(rules, texts, step.verb))
    if step.verb in rules.claiming:
        won = completion_of(rules, before, step)
        params |= {
            "recipe": mark("strong", recipe_name(rules, texts, won.recipe)),
            "points": mark("points", worth_words(texts, won.points, won.cubes)),
        }
        key += "-style" if won.cubes else ""
    elif "tile" in params and "square" in params:
        below = stack_tiles(before.board.stacks[step.args[1]])
        if below:
            key, params["below"] = f"{key}-on", _tile(rules, texts, below[-1])
        elif rules.slots[step.verb] == "action":
            key += "-square"
    elif Kind.OPTIONAL_SQUARE in rules.verbs[step.verb] and len(step.args) == len(rules.verbs[step.verb]):
        key += "-square"
    elif Kind.CARDS in rules.verbs[step.verb]:
        key += "" if step.args else "-nothing"
    elif step.verb == "give":
        receiver = receiver_of(before, rules.apply(before, step))
        params["name"] = "" if receiver is None else mark("who", players[receiver].name, str(receiver + 1))
    return texts.say(key, **params) + sight_of(rules).bonus(rules, before, step, texts)


def _card_name(rules: AnyRules, texts: Texts, effect: str) -> str:
    """Return the edition's name for the card with an effect, without any addition in brackets."""
    card = next(action for action in rules.edition.actions if action.effect == effect)
    return card.names[texts.language].partition(" (")[0]


def phrases(
    texts: Texts, rules: AnyRules, players: Sequence[Player], before: Position, steps: Sequence[Step]
) -> list[Phrase]:
    """Return a bundle as phrases, without steps that only end a part of the turn."""
    found = []
    for step in steps:
        if step.verb in rules.slots or step.verb in ("leave", "exclude", "turn"):
            found.append(phrase(texts, rules, players, before, step))
        before = rules.apply(before, step)
    return found


def planned(texts: Texts, rules: AnyRules, steps: Sequence[Step]) -> list[str]:
    """Return planned steps in words that hold for any board: `put Rice on d4`, `take Tuna`."""
    return [_planned(texts, rules, step) for step in steps if step.verb in rules.slots] or [texts.say("advice.nothing")]


def _planned(texts: Texts, rules: AnyRules, step: Step) -> str:
    params, kinds = _params(rules, (), step, texts), rules.verbs[step.verb]
    whole = len(step.args) == len(kinds)
    key = f"advice.{step.verb}"
    if step.verb in rules.claiming:
        params["recipe"] = recipe_name(rules, texts, step.args[1])
    if rules.slots[step.verb] == "action":
        params["played"] = _card_name(rules, texts, step.verb)
    if Kind.CARDS in kinds and not step.args:
        key += "-nothing"
    elif whole and (Kind.OPTIONAL_SQUARE in kinds or ("tile" in params and "played" in params)):
        key += "-square"
    return unmarked(texts.say(key, **params))


def wanted(texts: Texts, rules: AnyRules, step: Step) -> str:
    """Return the tile, card or recipe that a step takes, or "" if it takes none."""
    params = _params(rules, (), step, texts)
    if "deck" in params:
        return texts.say("plans.recipe", deck=params["deck"])
    return unmarked(str(params.get("tile", params.get("card", ""))))


def _tile(rules: AnyRules, texts: Texts, tile: int) -> str:
    one = rules.edition.ingredients[tile - 1]
    return mark("tile", one.names[texts.language], one.code)


def _params(rules: AnyRules, players: Sequence[Player], step: Step, texts: Texts) -> dict[str, object]:
    """Return the step's arguments by kind; the second of a kind is called `other`."""
    params: dict[str, object] = {}

    def put(name: str, word: str) -> None:
        params["other" if name in params else name] = word

    for kind, number in zip(rules.grammar.check(step), step.args, strict=True):
        match kind:
            case Kind.TILE:
                put("tile", _tile(rules, texts, number))
            case Kind.SQUARE | Kind.OPTIONAL_SQUARE:
                put("square", rules.grid.names[number])
            case Kind.ACTION:
                put("card", mark("good", _card_name(rules, texts, rules.edition.actions[number].effect)))
            case Kind.DECK:
                put("deck", str(number))
            case Kind.SEAT:
                put("name", mark("who", players[number].name, str(number + 1)))
            case Kind.CARD | Kind.CARDS:
                params["lengths"] = " ".join(filter(None, (str(params.get("lengths", "")), str(deck_of(number)))))
            case Kind.RECIPE:
                pass
    return params


def receiver_of(before: Position, after: Position) -> int | None:
    """Return the seat that received a tile, or None."""
    pairs = zip(before.seats, after.seats, strict=True)
    return next((n for n, (old, new) in enumerate(pairs) if len(new.tiles) > len(old.tiles)), None)
