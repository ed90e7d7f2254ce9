"""The line of keys: only those that do something now, in order of use, and how to get help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from ....engine.notation import Kind
from ....text import Texts
from ....turn.partial_step import returns_recipes
from ....turn.plan import Plan
from ....view.press import Do
from ...bindings import BY_ID, footer_on
from ...canvas import BOLD, Canvas
from ...draw.sheet import Means, Sheet
from ...views.moment import TableMoment
from ..page_foot import KeyHint
from .panel import TablePanel

Keys = Mapping[str, str]
"""The key of each action, as the person here has set it."""


class KeyLine(TablePanel[tuple[KeyHint, ...]]):
    """Shows the keys that work now; each can be clicked."""

    def paint(self, view: tuple[KeyHint, ...], width: int, height: int) -> Canvas:
        return paint_keys(view, self.means, width, height)


def key_hints(moment: TableMoment, keys: Keys, texts: Texts, where: str, small: bool) -> tuple[KeyHint, ...]:
    """Return what can be pressed now, the most useful first; help comes last."""
    say, plan = texts.say, moment.plan
    if moment.flash is not None and moment.flash.told:
        return _while_told(keys, texts, "since" not in moment.idle)
    hints: list[KeyHint] = []
    if moment.flash is not None and moment.flash.recipe:
        hints.append(_skip(texts))
    if moment.guide is not None and moment.guide.back:
        hints.append(KeyHint(_key(keys, "back"), moment.guide.back, "back"))
    if plan is not None:
        hints += _choosing(plan, texts)
        if plan.begun:
            hints.append(KeyHint(_key(keys, "drop"), say("keys.put-back"), "drop"))
        if (plan.draft.steps and moment.guide is None) or plan.begun:
            hints.append(KeyHint(_key(keys, "back"), say("keys.undo"), "back"))
    hidden = {"help", "accept", "back", "palette", "panels", *moment.idle}
    if plan is None or not plan.draft.complete or moment.composing:
        hidden.add("send")
    if moment.composing and plan is not None and not plan.begun:
        hints.append(KeyHint(_key(keys, "drop"), say("keys.stop"), "drop"))
    hints += [
        KeyHint(_key(keys, do.action), words.split()[0] if small else words, do.action) for words, do in moment.ways
    ]
    if plan is None and moment.plans:
        hints.append(KeyHint(_key(keys, "log"), say("keys.plans"), "log"))
    if small:
        # What does not fit here is one key away, and nothing else says so; of plans the log tells too.
        hints.insert(
            len(hints) if moment.plans else 0, KeyHint(_key(keys, "panels"), say("tui.action.panels"), "panels")
        )
    shown = [one.id for one in footer_on(where) if one.id not in hidden]
    hints += [KeyHint(_key(keys, one), say(f"tui.action.{one}"), one) for one in shown]
    if plan is not None and "hint" not in moment.idle:
        hints.insert(-1 if hints else 0, KeyHint(_key(keys, "hint"), say("keys.hint"), "hint"))
    if plan is not None and len(moment.since) > 1:
        hints.insert(-1 if hints else 0, KeyHint(_key(keys, "since"), say("keys.since"), "since"))
    if "book" in keys:
        hints.insert(-1 if hints else 0, KeyHint(_key(keys, "book"), say("keys.recipes"), "book"))
    if moment.around.asked and "answer" not in moment.idle:
        hints.insert(0, KeyHint(_key(keys, "answer"), say("tui.action.answer"), "answer"))
    return (*hints, KeyHint(_key(keys, "help"), say("tui.action.help"), "help"))


def _choosing(plan: Plan, texts: Texts) -> list[KeyHint]:
    """Return the numbers, codes and squares that choose something now."""
    say, grid, prompt = texts.say, plan.rules.grid, plan.moment.prompt
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
    """Format numbers as `1–3`, or one by one if there are gaps or only two."""
    first, last = min(keys), max(keys)
    return f"{first}–{last}" if len(keys) == last - first + 1 > 2 else " ".join(map(str, sorted(keys)))


def _skip(texts: Texts) -> KeyHint:
    return KeyHint(texts.say("keys.any"), texts.say("keys.skip"))


def _while_told(keys: Keys, texts: Texts, again: bool) -> tuple[KeyHint, ...]:
    """Return the keys that work while another player's move is shown."""
    say = texts.say
    hints = [_skip(texts)]
    if again:
        hints.append(KeyHint(_key(keys, "since"), say("keys.again"), "since"))
    hints += [KeyHint(_key(keys, one), say(f"keys.{one}"), one) for one in ("log", "pace")]
    return (*hints, KeyHint(_key(keys, "help"), say("tui.action.help"), "help"))


def _key(keys: Keys, action: str) -> str:
    return keys.get(action, BY_ID[action].keys)


def paint_keys(hints: Sequence[KeyHint], means: Means, width: int, height: int = 1) -> Canvas:
    """Write as many hints as fit whole from the left, and help at the right end."""
    sheet = Sheet(means, width, height, "surface")
    *others, last = hints
    end = width - cell_len(f"{last.keys} {last.words}") - 1
    _write(sheet, end, last)
    x = 1
    for hint in others:
        size = cell_len(f"{hint.keys} {hint.words}")
        if x + size > end - 2:
            continue
        x = _write(sheet, x, hint) + 2
    return sheet.canvas


def _write(sheet: Sheet, x: int, hint: KeyHint) -> int:
    """Write a hint such as `w watch`; return the column after it."""
    end = sheet.write(sheet.write(x, 0, hint.keys, "text", BOLD), 0, f" {hint.words}", "muted")
    if hint.action:
        sheet.canvas.click(x, 0, end - x, 1, Do(hint.action))
    return end
