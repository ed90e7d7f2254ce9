"""The line of keys: only those that do something now, in order of use, and how to get help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from ...engine.notation import Kind
from ...view.press import Do, Press
from ...view.turn.partial_step import returns_recipes
from ...view.turn.plan import Plan
from ..canvas import BOLD, Canvas
from ..keys import BY_ID, footer_on
from ..scene import Scene
from .sheet import Means, Sheet


class KeyHint(NamedTuple):
    keys: str
    words: str
    press: Press | None = None


def key_hints(scene: Scene, means: Means, where: str, small: bool) -> list[KeyHint]:
    """What can be pressed now, the most useful first; help comes last."""
    say, plan = means.texts.say, scene.plan
    if scene.flash is not None and scene.flash.told:
        return _while_told(means, "since" not in scene.idle)
    hints: list[KeyHint] = []
    if scene.flash is not None and scene.flash.recipe:
        hints.append(_skip(means))
    if scene.guide is not None and scene.guide.back:
        hints.append(KeyHint(_key(means, "back"), scene.guide.back, Do("back")))
    if plan is not None:
        hints += _choosing(plan, means)
        if plan.begun:
            hints.append(KeyHint(_key(means, "drop"), say("keys.put-back"), Do("drop")))
        if (plan.draft.steps and scene.guide is None) or plan.begun:
            hints.append(KeyHint(_key(means, "back"), say("keys.undo"), Do("back")))
    hidden = {"help", "accept", "back", "palette", "panels", *scene.idle}
    if plan is None or not plan.draft.complete or scene.composing:
        hidden.add("send")
    if scene.composing and plan is not None and not plan.begun:
        hints.append(KeyHint(_key(means, "drop"), say("keys.stop"), Do("drop")))
    hints += [KeyHint(_key(means, do.action), words.split()[0] if small else words, do) for words, do in scene.ways]
    if plan is None and scene.plans:
        hints.append(KeyHint(_key(means, "log"), say("keys.plans"), Do("log")))
    if small:
        # What does not fit here is one key away, and nothing else says so; of plans the log tells too.
        hints.insert(
            len(hints) if scene.plans else 0, KeyHint(_key(means, "panels"), say("tui.action.panels"), Do("panels"))
        )
    shown = [one.id for one in footer_on(where) if one.id not in hidden]
    hints += [KeyHint(_key(means, one), say(f"tui.action.{one}"), Do(one)) for one in shown]
    if plan is not None and "hint" not in scene.idle:
        hints.insert(-1 if hints else 0, KeyHint(_key(means, "hint"), say("keys.hint"), Do("hint")))
    if plan is not None and len(scene.since) > 1:
        hints.insert(-1 if hints else 0, KeyHint(_key(means, "since"), say("keys.since"), Do("since")))
    if "book" in means.keys:
        hints.insert(-1 if hints else 0, KeyHint(_key(means, "book"), say("keys.recipes"), Do("book")))
    if scene.around.asked and "answer" not in scene.idle:
        hints.insert(0, KeyHint(_key(means, "answer"), say("tui.action.answer"), Do("answer")))
    return [*hints, KeyHint(_key(means, "help"), say("tui.action.help"), Do("help"))]


def _choosing(plan: Plan, means: Means) -> list[KeyHint]:
    """Numbers, codes and squares that choose something now."""
    say, grid, prompt = means.texts.say, plan.rules.grid, plan.moment.prompt
    tiles = [key for key, tile in plan.hand.tiles.items() if plan.can_pick_tile(tile)]
    cards = [key for key, card in plan.hand.cards.items() if plan.can_pick_card(card)]
    lengths = [] if plan.begun else [step.args[0] for step in prompt.choices if step.verb == "draw"]
    recipes = list(plan.hand.recipes) if returns_recipes(plan.rules, plan.begun) else []
    kind, number = plan.offers[0] if plan.offers else (None, 0)
    hints = []
    if tiles:
        hints.append(KeyHint(_span(tiles), say("keys.tile")))
    if kind is Kind.TILE:
        # Any code will do for an example.
        hints.append(KeyHint(plan.rules.code(number), say("keys.code")))
    if cards:
        hints.append(KeyHint(_span(cards), say("keys.card")))
    elif kind is Kind.ACTION:
        hints.append(KeyHint(plan.rules.card_code(number), say("keys.card")))
    if lengths:
        hints.append(KeyHint(_span(lengths), say("keys.length")))
    if recipes:
        hints.append(KeyHint(_span(recipes), say("keys.recipe")))
    if plan.squares:
        hints.append(KeyHint(say("keys.arrows"), say("keys.move")))
        hints.append(KeyHint(f"a–{grid.names[-1][0]} 1–{grid.rows}", say("keys.square")))
    return hints


def _span(keys: Sequence[int]) -> str:
    """`1–3`, or the numbers themselves if some between them are missing or there are two."""
    first, last = min(keys), max(keys)
    return f"{first}–{last}" if len(keys) == last - first + 1 > 2 else " ".join(map(str, sorted(keys)))


def _skip(means: Means) -> KeyHint:
    return KeyHint(means.texts.say("keys.any"), means.texts.say("keys.skip"))


def _while_told(means: Means, again: bool) -> list[KeyHint]:
    """What can be pressed while another's move is shown."""
    say = means.texts.say
    hints = [_skip(means)]
    if again:
        hints.append(KeyHint(_key(means, "since"), say("keys.again"), Do("since")))
    hints += [KeyHint(_key(means, one), say(f"keys.{one}"), Do(one)) for one in ("log", "pace")]
    return [*hints, KeyHint(_key(means, "help"), say("tui.action.help"), Do("help"))]


def _key(means: Means, action: str) -> str:
    return means.keys.get(action, BY_ID[action].keys)


def paint_keys(hints: Sequence[KeyHint], means: Means, width: int) -> Canvas:
    """Filled from the left; it stops before one would be cut, and help always stands at the right end."""
    sheet = Sheet(means, width, 1, "surface")
    *others, last = hints
    end = width - cell_len(f"{last.keys} {last.words}") - 1
    write_hint(sheet, end, 0, last)
    x = 1
    for hint in others:
        size = cell_len(f"{hint.keys} {hint.words}")
        if x + size > end - 2:
            continue
        x = write_hint(sheet, x, 0, hint) + 2
    return sheet.canvas


def write_hint(sheet: Sheet, x: int, y: int, hint: KeyHint) -> int:
    """`w watch`, which can be clicked; the column after it."""
    left = x
    x = sheet.write(x, y, hint.keys, "text", BOLD)
    x = sheet.write(x, y, f" {hint.words}", "muted")
    if hint.press is not None:
        sheet.canvas.click(left, y, x - left, 1, hint.press)
    return x
