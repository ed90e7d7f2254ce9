"""The action bar: what is held or asked, one green button for Enter, and what it brings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widgets import Static

from ....text.cells import cut
from ....text.foreign import clean
from ....text.marks import Piece, pieces_of
from ....turn.action_bar import ActionBar as Bar
from ....turn.prompt_choices import Choice
from ....view.press import Do, Press
from ...canvas import BOLD, REVERSE, Canvas, mix
from ...draw.sheet import Means, Sheet, fits, piece_width, told_rows, wrap_pieces
from ...safe_text import plain
from ...views.bar_view import BarView
from ..line import Line
from .panel import TablePanel


class ActionBar(TablePanel[BarView]):
    """Shows what is asked or held, the one green button and what it brings; holds the line that can be typed."""

    LEAST = (12, 1)
    DEFAULT_CSS = """
    /* The line that is being typed begins after the words before it. */
    ActionBar { layout: horizontal; overflow: hidden hidden; }
    ActionBar > #lead { width: auto; height: 1; margin-left: 2; visibility: hidden; }
    ActionBar > Line { position: relative; width: 0; height: 1; margin-right: 1; }
    ActionBar > Line.-open { width: 1fr; }
    """

    def __init__(self, line: Line, view: BarView | None = None, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(view, id=id)
        self._line = line
        self._lead = ""
        """The words before the line."""

    def compose(self) -> ComposeResult:
        # The line begins where the words before it end.
        yield Static(id="lead")
        yield self._line

    def on_mount(self) -> None:
        self._place_line()

    def watch_view(self) -> None:
        super().watch_view()
        self._place_line()

    def _place_line(self) -> None:
        lead = self.view.bar.lead if self.view is not None and self.view.typing else ""
        if self.is_mounted and lead != self._lead:
            self._lead = lead
            self.query_one("#lead", Static).update(plain(lead))

    def paint(self, view: BarView, width: int, height: int) -> Canvas:
        colour = self.app.paints.seat(view.seat) if view.seat else None
        enter = self.keys.get("accept") or self.keys.get("next", "")
        return paint_action_bar(view.bar, self.means, width, height, colour, enter, view.remaining)


def paint_action_bar(
    bar: Bar,
    means: Means,
    width: int,
    height: int,
    colour: int | None = None,
    enter: str = "Enter",
    remaining: float | None = None,
) -> Canvas:
    """Paint the bar in one row or more; `colour` is another player's during their turn.

    `remaining` is the share left of the time for which their move is shown.
    """
    own = means.paints["accent-shape"] if colour is None else colour
    y = 1 if height > 2 else 0
    if remaining is not None:
        sheet = _ground(means, width, height, own)
        _tell(sheet, y, bar.told, own, remaining)
        return sheet.canvas
    words = [*_wordings(bar, means.keys)]
    # If nothing fits, the first wording is cut, like any words.
    for wording in (*words, words[0]):
        sheet = _ground(means, width, height, own)
        if _paint(sheet, y, bar, wording, enter):
            break
    return sheet.canvas


def _ground(means: Means, width: int, height: int, colour: int) -> Sheet:
    sheet = Sheet(means, width, height)
    if means.paints.pixels:
        sheet.ground = mix(means.paints["background"], colour, 0.14)
        sheet.canvas.ground(0, 0, width, height, sheet.ground)
    for row in range(height):
        sheet.canvas.text(0, row, "▌", colour)
    return sheet


@dataclass(frozen=True)
class _Wording:
    """The words of a bar; each wording leaves out more than the one before, the least important first."""

    lead: tuple[Piece, ...]
    labels: tuple[str, ...]
    """The label of each choice, "" for one that is omitted."""
    told: tuple[str, ...]
    """The gain of pressing the button, in fewer and fewer words."""


def _wordings(bar: Bar, keys: Mapping[str, str]) -> Iterator[_Wording]:
    """Yield wordings of a bar: without what is seen elsewhere, the question, names of others, words for signs."""
    lead, told = tuple(pieces_of(bar.lead)), bar.told or (bar.more, *bar.shorter)
    every = tuple(_label(choice, keys) for choice in bar.choices)
    fewer = [every]
    for number, choice in reversed([*enumerate(bar.choices)]):
        if choice.seen:
            fewer.append((*fewer[-1][:number], "", *fewer[-1][number + 1 :]))
    brief = tuple(words and (clean(one.brief) or words) for one, words in zip(bar.choices, fewer[-1], strict=True))
    silent = () if bar.button and not bar.answers else lead
    asked = [(lead, labels) for labels in fewer]
    for sentences in (told[:-1], told) if bar.decides else (told,):
        for question, labels in (*asked, (silent, fewer[-1]), (lead, brief), (silent, brief)):
            yield _Wording(question, labels, sentences)


def _paint(sheet: Sheet, y: int, bar: Bar, words: _Wording, enter: str) -> bool:
    """Paint the bar; return True if everything that matters for the decision can be read."""
    lead, width, height = words.lead, sheet.width, sheet.height
    button, label = (f" {enter} ", f" {clean(bar.button)} ") if bar.button else ("", "")
    size = cell_len(button) + cell_len(label)
    stacked = height > 1 and (width < 60 or sum(map(piece_width, lead)) + size > width - 3)
    rows = wrap_pieces(lead, width - 3)
    # An answer is read to its end, unless that hides that something cannot be undone.
    alone = not bar.button or (bar.answers and stacked and bar.press != Do("send"))
    if alone and 1 < len(rows) <= height - y:
        for number, pieces in enumerate(rows):
            sheet.pieces(2, y + number, pieces)
        return True
    room = width - 3 - (0 if stacked else size)
    x = _lead(sheet, 2, y, lead, room)
    if bar.button:
        at, row = (2, y + 1) if stacked and lead else (x + 1 if lead else 2, y)
        x, y = _paint_button(sheet, at, row, button, label, bar.press or Do("accept")), row
    return _rest(sheet, x + 2, y, bar, words) and fits(lead, room)


TIME_LEFT = 12


def _tell(sheet: Sheet, y: int, told: Sequence[str], colour: int, remaining: float) -> None:
    """Describe another player's move in as many words as fit, with a line that gets shorter."""
    room = sheet.height - y
    rows = told_rows(told, sheet.width - 3, room) or wrap_pieces(pieces_of(told[-1]), sheet.width - 3)[:room]
    for number, row in enumerate(rows):
        end = sheet.pieces(2, y + number, row)
    if len(rows) == 1 and end + TIME_LEFT + 3 <= sheet.width and sheet.paints.pixels:
        x, done = sheet.width - TIME_LEFT - 2, round(TIME_LEFT * remaining)
        sheet.canvas.text(x, y, "━" * done, colour)
        sheet.canvas.text(x + done, y, "━" * (TIME_LEFT - done), mix(sheet.ground, colour, 0.4))


def _lead(sheet: Sheet, x: int, y: int, lead: Sequence[Piece], room: int) -> int:
    for piece in lead:
        size = piece_width(piece)
        if size > room:
            piece = piece._replace(text=cut(piece.text, max(0, room)))
            return sheet.pieces(x, y, (piece,))
        x = sheet.pieces(x, y, (piece,))
        room -= size
    return x


def _choices(sheet: Sheet, x: int, y: int, bar: Bar, labels: Sequence[str]) -> tuple[int, int, bool]:
    """Write the choices, explained if there is room for all, and a sign if there are more.

    Return the column and row after them, and whether all labels are there.
    """
    explained = x + _explained_width(bar, sheet.means.keys) <= sheet.width
    if explained and bar.about:
        x = sheet.write(x - 1, y, bar.about, "muted") + 2
    shown = [(choice, label) for choice, label in zip(bar.choices, labels, strict=True) if label]
    more = len(shown) < len(bar.choices)
    for number, (choice, label) in enumerate(shown, 1):
        sign = int(more or number < len(shown))
        if x + cell_len(label) + 2 + sign > sheet.width and y + 1 < sheet.height:
            x, y = 2, y + 1
        if x + cell_len(label) + 2 + sign > sheet.width:
            return sheet.write(x, y, "…", "muted") + 2 if x < sheet.width else x, y, False
        at = x
        x = sheet.canvas.text(x, y, label, sheet.paints["text"], 0)
        if explained and choice.about:
            x = sheet.write(x + 1, y, choice.about, "muted")
        sheet.canvas.click(at, y, x - at, 1, choice.press)
        x += 2
    if more and x < sheet.width:
        x = sheet.write(x, y, "…", "muted") + 2
    return x, y, True


def _explained_width(bar: Bar, keys: Mapping[str, str]) -> int:
    """Return the width of all choices with their explanations."""
    words = [f"{_label(one, keys)} {one.about}".rstrip() for one in bar.choices]
    return sum(cell_len(one) + 2 for one in (*words, *([bar.about] if bar.about else [])))


def explains(bar: Bar, keys: Mapping[str, str], width: int, enter: str = "Enter") -> bool:
    """Return True if there is room to explain each of the choices."""
    lead = sum(map(piece_width, pieces_of(bar.lead)))
    button = cell_len(f" {enter}  {clean(bar.button)} ") + 2
    return 2 + lead + button + _explained_width(bar, keys) <= width


def _label(choice: Choice, keys: Mapping[str, str]) -> str:
    words = clean(choice.label)
    if isinstance(choice.press, Do) and choice.press.action in keys:
        return f"{keys[choice.press.action]} {words}"
    return words


def _rest(sheet: Sheet, x: int, y: int, bar: Bar, words: _Wording) -> bool:
    """Write other choices, then the effect of the button; what does not fit whole goes to the next row or away.

    Return True if everything that matters for the decision can be read.
    """
    left, top = x, y
    x, y, all_there = _choices(sheet, x, y, bar, words.labels)
    more = [pieces_of(sentence) for sentence in words.told]
    room = sheet.width - x - 1
    below = [] if fits(more[0], room) else told_rows(words.told, sheet.width - 3, sheet.height - y - 1)
    for number, row in enumerate(below, y + 1):
        sheet.pieces(2, number, row)
    beside = next((pieces for pieces in more if fits(pieces, room)), ()) if not below else ()
    if not below and not beside and y > top and not sheet.canvas.words(top)[left:].strip():
        # The choices fill their own row: there is room beside the button.
        x, y = left, top
        beside = next((pieces for pieces in more if fits(pieces, sheet.width - left - 1)), ())
    sheet.pieces(x, y, beside)
    return all_there and (not bar.decides or bool(below or beside))


def _paint_button(sheet: Sheet, x: int, y: int, key: str, label: str, press: Press) -> int:
    """Paint the screen's one green button, a key and its label; return the column after it."""
    paints, left = sheet.paints, x
    if paints.pixels:
        x = sheet.badge(x, y, key, paints["accent-shape"])
        x = sheet.canvas.text(x, y, label, paints["text"], BOLD, mix(paints["background"], paints["accent-shape"], 0.3))
    else:
        x = sheet.canvas.text(x, y, key, paints["accent"], REVERSE | BOLD)
        x = sheet.write(x, y, label, "text", BOLD)
    sheet.canvas.click(left, y, x - left, 1, press)
    return x
