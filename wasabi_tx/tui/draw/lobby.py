"""The lobby of a large terminal: tables as cards, people, talk and brokers beside them, all about one table below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

from ...table.online.lobby import Present, Spoken
from ...text.cells import cut, wrap
from ...text.foreign import clean
from ...view.online.lobby_cards import Fact, TableCard, short_name
from ...view.press import ChooseRow, Do
from ..canvas import BOLD, DIM, Canvas, mix
from ..layout import Rect
from .belt import ON_IT
from .sheet import Means, Sheet

LEAST = (100, 30)
"""Columns and rows of a terminal from which tables are cards."""
MARGIN, GAP = 2, 3
CARD, PITCH = 3, 4
"""Rows of a card, and from one to the next."""
PICTURE = 9
STATE = 17
"""Columns of a card in which its state is told."""
CHIPS, CLOCK = 18, 16
"""Columns that chips of seats take, and after which the clock stands below other clocks."""
ROOMY_CARD = 74
"""Columns of a card from which seats have a place of their own beside the state."""
LABEL = 12
FACTS, WRAPPED_FACTS = 8, 9
"""Rows that are kept for what is said about a table, in a wide terminal and in others: cards do not jump."""
WIDE = 120
MOST_BROKERS, LEAST_TALK = 3, 5


class Nearby(NamedTuple):
    """A broker on the local network."""

    name: str
    address: str
    here: bool
    """Whether we look at it now."""


@dataclass(frozen=True, kw_only=True)
class LobbyPage:
    """What is painted; two equal ones look the same."""

    title: str
    note: str
    """How the list is sorted, or that some tables are left out."""
    note_does: str
    """The action of a click on it."""
    cards: tuple[TableCard, ...]
    """Those around the cursor: more than there is room for."""
    first: int
    """The number of the first of them in the whole list."""
    count: int
    """How long the whole list is."""
    at: int
    """The cursor, which counts tables and then brokers."""
    empty: str
    """Why there is no table."""
    present: tuple[Present, ...]
    talk: tuple[Spoken, ...]
    brokers: tuple[Nearby, ...]
    about: str
    """The title of the facts."""
    facts: tuple[Fact, ...]
    door: str
    """That we knock somewhere."""


def paint_lobby(page: LobbyPage, means: Means, width: int, height: int) -> Canvas:
    sheet = Sheet(means, width, height)
    inner = width - 2 * MARGIN
    facts = [(fact.label, row, line) for fact in page.facts for row, line in enumerate(wrap(fact.words, inner - LABEL))]
    door = wrap(page.door, inner) if page.door else []
    below = 1 + max(FACTS if width >= WIDE else WRAPPED_FACTS, 1 + len(facts)) + len(door)
    side = max(30, min(40, width * 3 // 10))
    upper = height - below
    _cards(sheet, Rect(MARGIN, 0, inner - side - GAP, upper), page)
    _beside(sheet, Rect(width - MARGIN - side, 0, side, upper), page)
    y = upper + 1
    if facts:
        sheet.title(y, page.about, x=MARGIN, end=width - MARGIN)
        for at, (label, row, line) in enumerate(facts, y + 1):
            sheet.write(MARGIN, at, "" if row else cut(label, LABEL - 1), "muted")
            sheet.write(MARGIN + LABEL, at, line)
    for at, line in enumerate(door, height - len(door)):
        sheet.write(MARGIN, at, line, "accent", BOLD)
    return sheet.canvas


# The cards


def _cards(sheet: Sheet, place: Rect, page: LobbyPage) -> None:
    x, _, width, height = place
    sheet.title(0, page.title, page.note, x=x, end=x + width)
    note = cell_len(page.note)
    sheet.canvas.click(x + width - note, 0, note, 1, Do(page.note_does))
    if not page.cards:
        for y, line in enumerate(wrap(page.empty, width), 2):
            sheet.write(x, y, line, "muted")
        return
    fit = max(1, height // PITCH)
    at = min(page.at, page.count - 1)
    start = max(0, min(at - fit + 1, page.count - fit))
    for row, card in enumerate(page.cards[start - page.first : start - page.first + fit]):
        number = start + row
        # First the card, then its button: what is said last counts.
        sheet.canvas.click(x, 1 + PITCH * row, width, CARD, ChooseRow(number))
        _card(sheet, Rect(x, 1 + PITCH * row, width, CARD), card, number == page.at)
    more = page.count - start - fit
    if more > 0 and PITCH * fit < height:
        sheet.write(x + 2, PITCH * fit, sheet.say("lobby.more", count=more), "faint")


def _card(sheet: Sheet, place: Rect, card: TableCard, chosen: bool) -> None:
    x, y, width, _ = place
    paints, canvas = sheet.paints, sheet.canvas
    end = x + width
    if paints.pixels:
        lit = mix(paints["background"], paints["accent-shape"], 0.14)
        canvas.ground(x, y, width, CARD, lit if chosen else paints["panel"])
    for row in range(y, y + CARD):
        sheet.write(x, row, "▌" if chosen or paints.pixels else " ", "accent" if chosen else "line", BOLD)
    left = _picture(sheet, x + 2, y, card)
    state = end - STATE
    roomy = width >= ROOMY_CARD
    chips = state - CHIPS if roomy else state
    _title(sheet, left, y, card, state - 1 - left)
    edition = sheet.write(left, y + 1, cut(card.edition, chips - left - cell_len(card.clock) - 3))
    sheet.write(max(edition + 2, min(left + CLOCK, chips - cell_len(card.clock) - 1)), y + 1, card.clock, "muted")
    sheet.write(left, y + 2, cut(card.seen, state - 1 - left), "faint" if card.fresh else "warning")
    sheet.write(state, y, cut(card.state, STATE - 1), *(("accent", BOLD) if card.open and card.fresh else ("muted", 0)))
    _chips(sheet, chips, y + 1, card)
    if chosen:
        _button(sheet, end - 1, y + 2, card.way)
    else:
        key = "" if card.open else f"{sheet.means.keys['look_on']} "
        words = cut(f"{key}{card.way.lower()}", STATE - 1)
        sheet.write(state, y + (1 if roomy else 2), words, "muted")


def _title(sheet: Sheet, x: int, y: int, card: TableCard, room: int) -> None:
    """`abcdef by Ana`, with the name of the table in bold."""
    name = short_name(card.table)
    words = cut(sheet.say("lobby.by", table=name, host=card.host), room)
    sheet.write(x, y, words, "muted")
    if (at := words.find(name)) >= 0:
        sheet.write(x + cell_len(words[:at]), y, name, "text", BOLD)


def _picture(sheet: Sheet, x: int, y: int, card: TableCard) -> int:
    """What lies on this table: always the same for the same one; the column after it."""
    food = [sheet.paints.pictures.middle[code] for code in ON_IT if code in sheet.paints.pictures.middle]
    if not sheet.paints.depth or not food:
        return x
    sheet.canvas.stamp(x, 2 * y, food[sum(map(ord, card.table)) % len(food)])
    return x + PICTURE + 2


def _chips(sheet: Sheet, x: int, y: int, card: TableCard) -> None:
    """A chip for each seat: those that are taken in their colours, the others dim."""
    paints = sheet.paints
    for seat in range(1, card.seats + 1):
        taken = seat <= card.taken
        if not paints.pixels:
            x = sheet.write(x, y, f"[{seat}]" if taken else " . ", f"seat-{seat}" if taken else "faint") + 1
        elif taken:
            x = sheet.badge(x, y, f" {seat} ", paints.seat(seat)) + 1
        else:
            x = sheet.canvas.text(x, y, f" {seat} ", paints["faint"], 0, mix(paints["panel"], paints["text"], 0.08)) + 1


def _button(sheet: Sheet, end: int, y: int, way: str) -> None:
    """What Enter does, at the right."""
    paints, key = sheet.paints, f" {sheet.means.keys['take']} "
    words = f" {way} "
    x = end - cell_len(key) - cell_len(words)
    sheet.canvas.click(x, y, end - x, 1, Do("take"))
    if not paints.pixels:
        sheet.write(sheet.write(x, y, key, "accent", BOLD), y, words, "text", BOLD)
        return
    x = sheet.badge(x, y, key, paints["accent-shape"])
    sheet.canvas.text(x, y, words, paints["text"], BOLD, mix(paints["background"], paints["accent-shape"], 0.3))


# What is beside them


def _beside(sheet: Sheet, place: Rect, page: LobbyPage) -> None:
    brokers = 2 + min(len(page.brokers), MOST_BROKERS) if page.brokers else 0
    people = min(2 + len(page.present), place.height - brokers - 2 - LEAST_TALK)
    _people(sheet, place._replace(height=people), page)
    _talk(sheet, Rect(place.x, people + 1, place.width, place.height - people - 1 - brokers), page.talk)
    if brokers:
        _brokers(sheet, Rect(place.x, place.height - brokers + 1, place.width, brokers - 1), page)


def _people(sheet: Sheet, place: Rect, page: LobbyPage) -> None:
    """Who is here, we ourselves at the end."""
    x, _, width, height = place
    end = x + width
    sheet.title(0, sheet.say("lobby.present"), x=x, end=end)
    room = height - 2
    shown = page.present if len(page.present) <= room else page.present[: room - 1]
    y = 1
    for one in shown:
        hosted = sheet.say("lobby.hosts", table=short_name(one.table)) if one.table else ""
        where = sheet.say("lobby.begun") if one.playing else hosted
        _person(sheet, place._replace(y=y), clean(one.name, 24), where)
        y += 1
    if len(shown) < len(page.present):
        sheet.write(x + 2, y, f"+{len(page.present) - len(shown)}", "muted")
        y += 1
    _person(sheet, place._replace(y=y), sheet.say("tui.you"), "", BOLD)


def _person(sheet: Sheet, place: Rect, name: str, where: str, attributes: int = 0) -> None:
    end = place.x + place.width
    sheet.write(place.x, place.y, "●", "accent")
    sheet.write_right(place.y, where, "muted", end=end)
    sheet.write(place.x + 2, place.y, cut(name, place.width - 3 - cell_len(where)), "text", attributes)


def _talk(sheet: Sheet, place: Rect, talk: tuple[Spoken, ...]) -> None:
    """The newest lines, each after the name of the speaker."""
    x, top, width, height = place
    sheet.title(top, sheet.say("lobby.talk"), sheet.means.keys["talk"], x=x, end=x + width)
    sheet.canvas.click(x, top, width, 1, Do("talk"))
    if not talk:
        sheet.write(x, top + 1, cut(sheet.say("lobby.silence"), width), "faint")
    rows: list[tuple[str, str]] = []
    for one in reversed(talk):
        who = cut(clean(one.who, 40), width - 1)
        first, *others = wrap(clean(one.text), width, used=cell_len(who) + 1)
        said = [(who, first), *(("", line) for line in others)]
        if rows and len(said) + len(rows) > height - 1:
            break
        rows = [*said, *rows]
    for y, (who, line) in enumerate(rows[-(height - 1) :], top + 1):
        at = sheet.write(x, y, who, "accent", BOLD) + 1 if who else x
        sheet.write(at, y, line)


def _brokers(sheet: Sheet, place: Rect, page: LobbyPage) -> None:
    """Brokers on this network: the cursor goes on to them after the last table."""
    x, y, width, height = place
    sheet.title(y, sheet.say("lobby.brokers"), x=x, end=x + width)
    rows = height - 1
    first = max(0, min(page.at - page.count - rows + 1, len(page.brokers) - rows))
    for row, one in enumerate(page.brokers[first : first + rows], y + 1):
        number = page.count + first + row - y - 1
        chosen = number == page.at
        if chosen and sheet.paints.pixels:
            sheet.canvas.ground(x, row, width, 1, sheet.paints["panel"])
        sheet.write(x, row, "►" if chosen else "●" if one.here else " ", "accent", BOLD)
        name = cut(clean(one.name), width // 2)
        end = sheet.write(x + 2, row, name, "text", BOLD)
        address = cut(clean(one.address), x + width - end - 1)
        sheet.write_right(row, address, "muted", 0 if sheet.paints.pixels else DIM, end=x + width)
        sheet.canvas.click(x, row, width, 1, ChooseRow(number))
