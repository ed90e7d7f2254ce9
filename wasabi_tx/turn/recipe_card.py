"""A recipe card in the player's own hand as a screen shows it: its tiles, its place on the board, and what it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..engine.rules import AnyRules
from ..text import Texts
from ..text.marks import mark
from ..view.table.recipe import recipe_name, window_name
from ..view.table.table import RecipeView, TableView
from .planned_hand import RecipeSlot


@dataclass(frozen=True)
class RecipeChip:
    code: str
    laid: bool
    key: int
    """The number of a tile in hand that could be laid; 0 if there is none."""


@dataclass(frozen=True)
class RecipeCard:
    key: int
    name: str
    points: int
    cubes: int
    """Additional value with style."""
    card: str
    """A word for the action card that only some recipes give."""
    styled: bool
    """True if the printed order is still possible."""
    chips: tuple[RecipeChip, ...]
    state: str
    """`ready` to complete, `near` with one placement, `open`, `dead`, `done`, `leaving`, `unknown` or `empty`."""
    status: str
    """The state in words; a marked sentence."""
    short: str
    """The state where there is little room."""
    line: tuple[int, ...] = ()
    """The squares where it lies, or lies best."""


def recipe_cards(
    slots: Sequence[RecipeSlot], view: TableView, rules: AnyRules, texts: Texts, swap_key: str
) -> tuple[RecipeCard, ...]:
    """Return all recipes in hand; `swap_key` is the key that returns recipes."""
    return tuple(_card(slot, view, rules, texts, swap_key) for slot in slots)


def _card(slot: RecipeSlot, view: TableView, rules: AnyRules, texts: Texts, swap_key: str) -> RecipeCard:
    one = slot.view
    if slot.recipe is not None:
        return (_returned if slot.leaving else _done)(slot, slot.recipe, rules, texts)
    if one is None or one.recipe is None:
        return _without_face(slot, texts)
    recipe = rules.edition.recipes[one.recipe]
    state, status, short = _status(slot, one, rules, texts, swap_key)
    progress = one.progress
    begun = progress.squares if progress and progress.have else ()
    line = one.claim.squares if one.claim is not None else one.waits or begun
    return RecipeCard(
        key=slot.key,
        name=one.name,
        points=one.points,
        cubes=recipe.style,
        card="" if one.extra.startswith("★") else one.extra,
        styled=progress is None or progress.in_order or not progress.have,
        chips=_chips(one, view, rules),
        state=state,
        status=status,
        short=short,
        line=line,
    )


def _done(slot: RecipeSlot, number: int, rules: AnyRules, texts: Texts) -> RecipeCard:
    """Return the card of a recipe completed in this turn, with all its tiles on the board."""
    recipe, words = rules.edition.recipes[number], texts.say("card.done", where=slot.done)
    chips = tuple(RecipeChip(rules.code(tile), True, 0) for tile in recipe.strip.tiles)
    short = texts.say("card.done-short", where=slot.done)
    return RecipeCard(
        slot.key, recipe_name(rules, texts, number), recipe.points, recipe.style, "", slot.styled, chips, "done",
        mark("good", words), short,
    )  # fmt: skip


def _returned(slot: RecipeSlot, number: int, rules: AnyRules, texts: Texts) -> RecipeCard:
    """Return a card given back in this turn."""
    recipe, words = rules.edition.recipes[number], texts.say("card.leaving")
    chips = tuple(RecipeChip(rules.code(tile), False, 0) for tile in recipe.strip.tiles)
    return RecipeCard(
        slot.key, recipe_name(rules, texts, number), recipe.points, recipe.style, "", False, chips, "leaving",
        mark("muted", words), words,
    )  # fmt: skip


def _without_face(slot: RecipeSlot, texts: Texts) -> RecipeCard:
    if slot.length:
        words = texts.say("recipe.unknown", length=slot.length)
        return RecipeCard(slot.key, "", 0, 0, "", False, (), "unknown", mark("muted", words), words)
    return RecipeCard(slot.key, "", 0, 0, "", False, (), "empty", "", "")


def _chips(one: RecipeView, view: TableView, rules: AnyRules) -> tuple[RecipeChip, ...]:
    assert one.recipe is not None
    progress = one.progress
    tiles = rules.strips[one.recipe].tiles
    lacking = Counter(tiles if progress is None or not progress.have else progress.missing)
    if one.claim is not None:
        lacking = Counter()
    hand = {held.code: held.key for held in reversed(view.tiles)}
    chips = []
    # Laid tiles come first in the printed order, so the last of two equal tiles is the missing one.
    for tile in reversed(tiles):
        code = rules.code(tile)
        laid = not lacking[tile]
        if not laid:
            lacking[tile] -= 1
        chips.append(RecipeChip(code, laid, 0 if laid else hand.get(code, 0)))
    return tuple(reversed(chips))


def _status(slot: RecipeSlot, one: RecipeView, rules: AnyRules, texts: Texts, swap_key: str) -> tuple[str, str, str]:
    say, progress = texts.say, one.progress
    if slot.leaving:
        words = say("card.leaving")
        return "leaving", mark("muted", words), words
    if one.claim is not None:
        worth = one.claim.points + one.claim.cubes
        where = window_name(rules, one.claim.squares)
        key = "card.ready-style" if one.claim.cubes else "card.ready"
        return "ready", mark("points", say(key, worth=worth, where=where)), f"{where} +{worth}!"
    # No key is shown where nothing can be given back, at the end of a game or in an old one.
    swap = mark("muted", say("card.swap", key=swap_key)) if swap_key else ""
    if not one.playable:
        words = say("card.no-token", length=one.length)
        return "dead", mark("error", words) + swap, say("card.no-token-short")
    if one.waits:
        words = say("card.waits", where=window_name(rules, one.waits))
        return "near", mark("points", words), say("card.waits-short")
    if progress is None or progress.dead:
        words, short = say("card.dead"), say("card.dead-short")
        if one.covered is not None:
            words, short = say("card.covered"), say("card.covered-short")
        return "dead", mark("error", words) + swap, short
    if one.opening is not None:
        code, square = one.opening
        words = say("card.opening", tile=_name(rules, code, texts), square=square)
        return "near", mark("points", words), f"{code} {square}!"
    names = [_name(rules, rules.code(tile), texts) for tile in progress.missing]
    needs = say("card.needs", tiles=", ".join(names), count=len(names))
    where = window_name(rules, progress.squares)
    if one.covered is not None:
        begun = say("card.covered-begun", have=one.covered.have, length=one.covered.length)
        return "open", mark("muted", f"{say('card.covered')} · {needs}"), begun
    if not progress.have:
        return "open", mark("muted", f"{say('card.not-begun')} · {needs}"), say("card.not-begun").lower()
    if not progress.missing:
        return "open", mark("muted", say("card.lies", where=where)), say("card.lies-short", where=where)
    if len(progress.missing) == 1 and progress.cups:
        square = rules.grid.names[progress.cups[0]]
        words = say("card.needs-cup", tile=names[0], square=square)
        return "open", words, say("card.needs-cup-short", square=square)
    begun = say("card.begun", have=progress.have, length=progress.length)
    return "open", f"{begun}{mark('muted', f' · {needs} · {where}')}", f"{progress.have}/{progress.length} {where}"


def _name(rules: AnyRules, code: str, texts: Texts) -> str:
    return next(one.names[texts.language] for one in rules.edition.ingredients if one.code == code)
