"""The own hand: tiles, action cards, recipes and how far they have come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.cells import cell_len

from ...engine.edition import Ingredient
from ...engine.rules import Rules
from ...text import Texts
from ...view.press import PickNumber
from ...view.table.plain_table import recipe_state
from ...view.table.recipe import long_worth, short_worth, window_name
from ...view.table.table import RecipeView, TableView
from ...view.table.turn_row import HandTile, RecipeSlot, hand_cards, hand_tiles, recipe_strips, taken_tiles
from ...view.turn.plan import Plan
from ..safe_text import clean, cut, fit
from ..spans import Line, Span, clip, line_width


def hand_line(plan: Plan, texts: Texts, width: int, names: Mapping[str, Ingredient] | None = None) -> Line:
    """`HAND 1 Tu→d3 2 Av 3 Ri   CARDS 4 Stack 5 -`; full names where they are given."""
    spans: list[Span] = []
    held = plan.begun.args[0] if plan.begun.verbs == ("place",) and plan.begun.args else 0
    if plan.rules.edition.hand_tiles:
        spans.append(Span(texts.say("tui.hand") + " ", "muted"))
        for tile in hand_tiles(plan):
            spans += _tile(tile, plan, held, names, texts)
        spans += [Span(f"+{code} ", "good") for code in taken_tiles(plan)]
        spans.append(Span("  ", "text"))
    spans.append(Span(texts.say("tui.cards") + " ", "muted"))
    cards = hand_cards(plan, texts)
    for card in cards:
        name = card.name.rstrip("!") if line_width(spans) + len(card.name) + 6 < width else card.code
        role = "muted" if card.played else "text"
        press = PickNumber(card.key)
        spans += [Span(f"{card.key} ", "key", press), Span(name + ("✓ " if card.played else " "), role, press)]
    if not cards:
        spans.append(Span("-", "muted"))
    return clip(spans, width)


def _tile(tile: HandTile, plan: Plan, held: int, names: Mapping[str, Ingredient] | None, texts: Texts) -> list[Span]:
    press = PickNumber(tile.key)
    word = tile.code
    if names is not None:
        word = f"{tile.code} {names[tile.code].names[texts.language]}"
    if tile.went:
        return [Span(f"{tile.key} ", "muted", press), Span(f"{tile.code}→{tile.went} ", "muted", press)]
    role = "held" if held and plan.rules.code(held) == tile.code else "strong"
    return [Span(f"{tile.key} ", "key", press), Span(word, role, press), Span(" ", "text")]


def recipe_lines(plan: Plan, view: TableView, texts: Texts, width: int, roomy: bool) -> list[Line]:
    """One line a recipe, or three with its tiles ticked where there is room."""
    lines: list[Line] = []
    draws = any(slot.kind == "recipe" for slot in plan.draft.slots())
    for strip in recipe_strips(plan, view):
        if not strip.length:
            lines += [_empty(strip, texts, width, draws), *([(), ()] if roomy else [])]
        elif roomy:
            lines += _roomy(strip, plan.rules, texts, width)
        else:
            lines.append(_short(strip, plan.rules, texts, width))
    return lines


def _empty(strip: RecipeSlot, texts: Texts, width: int, draws: bool) -> Line:
    """A place for a recipe; whether one comes there with this turn."""
    words = texts.say("tui.draw-later") if draws else ""
    return clip((Span(f"{strip.key} ", "muted"), Span(fit("-", 16 if width >= 44 else 3) + words, "muted")), width)


def _short(strip: RecipeSlot, rules: Rules[Any], texts: Texts, width: int) -> Line:
    """`7 Green Dragon  5★2  Av Cu Ri Sa  2/4 e1-e4`"""
    press = PickNumber(strip.key)
    key = Span(f"{strip.key} ", "key", press)
    one = strip.view
    if one is None and not strip.done:
        words = texts.say("recipe.unknown", length=strip.length)
        return clip((key, Span(fit("-", 16 if width >= 44 else 3), "muted"), Span(words, "muted")), width)
    if one is None:
        return clip(
            (key, Span(texts.say("tui.done", where=strip.done), "good", press), Span(_star(strip), "warning")), width
        )
    state, role = _state(strip, one, rules, texts)
    codes = " ".join(one.strip)
    worth = short_worth(one.points, one.extra, texts)
    room = width - 2 - cell_len(worth) - cell_len(codes) - cell_len(state) - 6
    room = max(8, room)
    name = Span(fit(clean(one.name), room), "struck" if strip.leaving else "strong", press)
    spans = (key, name, Span(f"  {worth}  ", "muted"), Span(f"{codes}  ", "text"), Span(state, role))
    return clip(spans, width)


def _star(strip: RecipeSlot) -> str:
    return " ★" if strip.styled else ""


def _state(strip: RecipeSlot, one: RecipeView, rules: Rules[Any], texts: Texts) -> tuple[str, str]:
    """How far it has come, as short as it goes."""
    progress = one.progress
    if strip.leaving:
        return texts.say("tui.goes-back"), "warning"
    if one.claim is not None:
        return texts.say("tui.done", where=window_name(rules, one.claim.squares)), "good"
    if progress is None:
        return "", "muted"
    if not one.playable:
        return texts.say("tui.no-token"), "error"
    if progress.dead:
        return texts.say("tui.dead"), "error"
    if one.opening is not None:
        return f"{one.opening[0]} {one.opening[1]}!", "warning"
    star = "★" if progress.in_order and one.style and progress.have else ""
    where = window_name(rules, progress.squares) if progress.have else ""
    return f"{progress.have}/{progress.length}{star} {where}".rstrip(), "accent" if progress.have else "muted"


def _roomy(strip: RecipeSlot, rules: Rules[Any], texts: Texts, width: int) -> list[Line]:
    """Name and worth; the tiles, each ticked if it lies there; the state in words."""
    one = strip.view
    if one is None or one.progress is None:
        return [_short(strip, rules, texts, width), (), ()]
    press = PickNumber(strip.key)
    head = (
        Span(f"{strip.key} ", "key", press),
        Span(fit(clean(one.name), 22), "struck" if strip.leaving else "strong", press),
        Span(long_worth(one.points, one.extra, texts), "muted"),
    )
    missing = list(one.progress.missing)
    ticks: list[Span] = [Span("  ", "text")]
    for code, tile in zip(one.strip, _tiles(one, rules), strict=True):
        lies = tile not in missing
        if not lies:
            missing.remove(tile)
        ticks.append(Span(f"{'✓' if lies else '·'}{code} ", "good" if lies else "text"))
    state, role = _state(strip, one, rules, texts)
    if role not in ("warning", "error") or not strip.leaving:
        state = recipe_state(one, rules, texts)
    return [clip(head, width), clip((*ticks, Span(" " + cut(state, width - line_width(ticks) - 1), role)), width), ()]


def _tiles(one: RecipeView, rules: Rules[Any]) -> tuple[int, ...]:
    return rules.strips[one.recipe].tiles if one.recipe is not None else ()


def watcher_lines(view: TableView, rules: Rules[Any], texts: Texts, width: int) -> list[Line]:
    """The hand while somebody else is to move: nothing to choose, everything to read."""
    own = next((seat for seat in view.seats if seat.you), None)
    if own is None:
        return [clip((Span(texts.say("tui.watching"), "muted"),), width)]
    spans: list[Span] = []
    if rules.edition.hand_tiles:
        tiles = " ".join(f"{held.key} {held.code}" for held in view.tiles) or "-"
        spans += [Span(f"{texts.say('tui.hand')} ", "muted"), Span(f"{tiles}   ", "text")]
    cards = " ".join(f"{held.key} {held.code}" for held in view.cards) or "-"
    spans += [Span(f"{texts.say('tui.cards')} ", "muted"), Span(cards, "text")]
    strips = [RecipeSlot(one.key, one, "", False, False, one.length) for one in view.recipes]
    return [clip(spans, width), *(_short(strip, rules, texts, width) for strip in strips)]
