"""The first start: everything is filled in, and one Enter goes on."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len

from ...text import LANGUAGES
from ...view.names import LONGEST, clean_name
from ...view.press import ChooseRow
from ...view.theme import GLYPHS
from ..forms.form import following
from ..spans import Line, Span, line_width
from .base import Handler
from .rows_screen import RowsScreen, column, paragraph

CHOICES = ("language", "glyphs")
ROWS = ("go", "name", *CHOICES)
SAMPLE = ("🍣", "🥑", "🍙", "🦐", "🐙", "🥒")
CODES = ("Sa", "Av", "Ma", "Sh", "Oc", "Cu")


class FirstStartScreen(RowsScreen):
    """Asks for name, language and signs, once."""

    where = "first"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.chosen_name = name
        self._name_at = (0, 0)

    @property
    def count(self) -> int:
        return len(ROWS)

    def header(self) -> tuple[str, str, Span]:
        return self.texts.say("tui.brand"), self.texts.say("first.welcome"), Span("", "head")

    def lines(self, width: int, height: int) -> list[Line]:
        del height
        say, settings = self.texts.say, self.wasabi.settings
        values = {
            "go": "",
            "name": "" if self.keyboard.is_open else self.chosen_name,
            "language": f"‹ {say('tui.language.name')} ›",
            "glyphs": f"‹ {say(f'tui.glyphs.{settings.glyphs}')} ›",
        }
        lines: list[Line] = [(), *self._text("first.about", width), ()]
        for number, row in enumerate(ROWS):
            chosen, press = number == self.at, ChooseRow(number)
            words = say(f"first.{row}")
            name = Span(f" {words} ", "default" if chosen else "strong", press) if row == "go" else None
            mark = Span(" ► " if chosen else "   ", "key", press)
            cells = (column(words, 24, "strong", press), Span(values[row], "default" if chosen else "accent", press))
            if row == "name":
                self._name_at = (1 + len(lines), line_width((mark, cells[0])))
            lines += [(mark, name), ()] if name is not None else [(mark, *cells)]
        test = [*self._text("tui.glyph-test", width), (), *_sample()]
        if self.keyboard.is_open:
            return [*lines, (), *test, (), *self._text("tui.typing-how", width, count=LONGEST)]
        return [*lines, (), *test, (), *self._text(f"first.how.{ROWS[self.at]}", width)]

    def _text(self, key: str, width: int, **params: object) -> list[Line]:
        return paragraph(self.texts.say(key, **params), min(74, width - 1), "muted")

    def _lead(self) -> Line:
        return ()

    def place_line(self) -> None:
        """The name is typed where it is shown."""
        y, x = self._name_at
        self.keyboard.place(x, y, LONGEST + 1)

    async def _rename(self, text: str) -> None:
        self.chosen_name = clean_name(text) or self.chosen_name
        self.draw()

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "choose": lambda: self._press(ROWS[self.at]),
            "value_before": lambda: self._turn(-1),
            "value_after": lambda: self._turn(1),
            "leave": self.app.exit,
        }

    def _turn(self, by: int) -> None:
        if ROWS[self.at] in CHOICES:
            self._press(ROWS[self.at], by)

    def clicked(self) -> None:
        self._press(ROWS[self.at])

    def _press(self, row: str, by: int = 1) -> None:
        app = self.wasabi
        match row:
            case "go":
                app.begin(self.chosen_name)
            case "name":
                self.keyboard.open(self._rename, self.draw, LONGEST)
            case "language":
                app.try_out(language=following(LANGUAGES, self.texts.language, by))
            case "glyphs":
                app.try_out(glyphs=following(GLYPHS, app.settings.glyphs, by))
        self.draw()


def _sample() -> list[Line]:
    """Two rows that line up if emoji are two columns wide here."""
    assert all(cell_len(one) == 2 for one in SAMPLE)
    return [
        (Span("   ", "text"), *(Span(f"|{one}", "text") for one in signs), Span("|", "text"))
        for signs in (SAMPLE, CODES)
    ]
