"""The story of the game: what the others did, newest first, in whole sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from ....text.cells import cut, wrap
from ....text.foreign import clean
from ....text.marks import Piece, pieces_of
from ....view.online.surroundings import Around
from ....view.press import Do
from ...canvas import Canvas
from ...draw.sheet import Means, Sheet, piece_width, wrap_pieces
from ...views.panel_views import StoryView
from .panel import TablePanel
from .talk import paint_talk, talk_rows

INDENT = 2


class Story(TablePanel[StoryView]):
    """Shows the others' moves, newest first, below any notices."""

    LEAST = (10, 1)

    titled: reactive[str] = reactive("always", repaint=False, init=False)
    """The condition for a title: `always`, `never`, or `roomy` for two rows a seat."""

    class Resized(Message):
        """Posted when there is more or less room for words."""

    def watch_titled(self) -> None:
        self.repaint()

    def on_resize(self) -> None:
        self.post_message(self.Resized())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        del container, viewport, width
        return 2 * len(self.view.seats) if self.view is not None else 1

    def has_title(self, view: StoryView, height: int) -> bool:
        """Return whether a row is left for the title; just above the bar every row is needed for the story."""
        return self.titled == "always" or (self.titled == "roomy" and height >= 2 * len(view.seats))

    def has_room(self, words: str, view: StoryView) -> bool:
        """Return whether all of a notice can be read here."""
        width, height = self.size
        talk = view.around.talks and height > 1
        return len(wrap(words, width)) <= height - self.has_title(view, height) - talk

    def paint(self, view: StoryView, width: int, height: int) -> Canvas:
        title = view.title if self.has_title(view, height) else ""
        if view.typing:
            return paint_talk(view.around, self.means, width, height, titled=bool(title), typing=True)
        # Without a title it lies above the bar, and nobody reads again what the bar tells.
        turns = view.turns if title or not view.told else view.turns[:-1]
        told = [view.sentences(entry, self.app.texts) for entry in reversed(turns)]
        return paint_story(told, view.notices, self.means, width, height, title, view.around, view.begun, view.plans)


def paint_story(
    turns: Sequence[Iterable[str]],
    notices: Sequence[str],
    means: Means,
    width: int,
    height: int,
    title: str,
    around: Around,
    begun: bool = False,
    plans: Sequence[Sequence[str]] = (),
) -> Canvas:
    """Paint notices, then plans, then turns, each as long as fits; talk has the last row.

    Before the game has `begun`, write that nothing has happened.
    """
    sheet = Sheet(means, width, height)
    y = 0
    if around.talks and height > 1:
        _talk(sheet, around)
        sheet.height -= 1
    if title:
        every = f"{means.keys.get('log', '')} {sheet.say('story.all')}".strip()
        order = f"{sheet.say('story.order')} · {every}"
        room = width - cell_len(title) - 2
        sheet.title(0, title, order if len(turns) > 1 and cell_len(order) <= room else every)
        sheet.canvas.click(max(0, width - 8), 0, 8, 1, Do("log"))
        y = 1
    for notice in notices:
        for row in wrap_pieces((Piece(clean(notice, 400), "strong"),), width):
            if y < sheet.height:
                sheet.pieces(0, y, row)
                y += 1
    y = _plans(sheet, y, plans, leaving=bool(turns))
    for number, told in enumerate(turns):
        after = _tell(sheet, y, told, len(turns) - number - 1, newest=number == 0, indent=INDENT if title else 0)
        if after == y:
            break
        y = after
    if not begun and not turns and not notices and y < sheet.height:
        sheet.write(0, y, sheet.say("play.log-empty"), "faint")
    return sheet.canvas


def longest(forms: Sequence[str], width: int) -> str:
    """Return the longest of these forms that fits into a row, or the shortest of all."""
    return next((form for form in forms if cell_len(form) <= width), forms[-1])


def _plans(sheet: Sheet, y: int, plans: Sequence[Sequence[str]], leaving: bool) -> int:
    """Write all plans in full, or in a row each, `leaving` half of the room to the log.

    If there are more of them than rows, the last row gives their number. Return the row after them.
    """
    room, width = sheet.height - y, sheet.width
    most = (room + 1) // 2 if leaving else room
    rows = [row for forms in plans for row in wrap(f"▸ {forms[0]}", width, "  ")]
    if len(rows) > most:
        shown = plans if len(plans) <= most else plans[: max(0, most - 1)]
        rows = [cut(f"▸ {longest(forms, width - 2)}", width) for forms in shown]
        if len(shown) < len(plans):
            more = sheet.say("plans.more", count=len(plans) - len(shown))
            rows.append(f"▸ {more}: {sheet.means.keys.get('log', '')}")
    for row in rows[: max(0, most)]:
        sheet.write(0, y, row, "text")
        sheet.canvas.click(0, y, width, 1, Do("log"))
        y += 1
    return y


def _talk(sheet: Sheet, around: Around) -> None:
    """Write the newest line of talk, the number of unread ones, and the key to answer."""
    y = sheet.height - 1
    unread = f" ●{around.unread}" if around.unread else ""
    x = sheet.write(0, y, f"{sheet.say('tui.talk').upper()}{unread} ", "accent" if unread else "muted")
    key = f" {sheet.means.keys.get('talk', '')}" if around.may_talk else ""
    end = sheet.write_right(y, key, "accent")
    rows = talk_rows(around, sheet.means, max(4, end - x - 1))
    sheet.pieces(x, y, rows[-1])
    sheet.canvas.click(0, y, sheet.width, 1, Do("talk"))


def _tell(sheet: Sheet, y: int, told: Iterable[str], older: int, newest: bool, indent: int) -> int:
    """Write the longest sentence that leaves half of the room to older ones, or at least fits.

    If even the shortest does not fit, the newest is cut. In the `indent` is the number of the seat, as on the squares
    that it changed. Return the row after it.
    """
    room, width = sheet.height - y, sheet.width - indent
    share, whole, rows = max(1, room - min(older, room // 2)), None, []
    for sentence in told if room > 0 else ():
        rows = wrap_pieces(pieces_of(sentence), width)
        whole = rows if whole is None and len(rows) <= room else whole
        if len(rows) <= share:
            whole = rows
            break
    if whole is not None:
        rows = whole
    elif not newest or room < 1:
        return y
    else:
        rows = rows[:room]
        while rows[-1] and sum(map(piece_width, rows[-1])) + 1 > width:
            rows[-1].pop()
        rows[-1].append(Piece("…"))
    who = rows[0][0] if rows[0][0].kind == "who" else None
    if indent and who is not None:
        sheet.seat(0, y, int(who.data))
    for row in rows:
        sheet.pieces(indent, y, row)
        y += 1
    return y
