"""The recipe book: letters pick recipes by tile or name, Tab goes through the tiles, arrows scroll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult

from ...view.table.book import book_of, find_tile
from ...view.table.plain_table import card_lines
from ..draw.book import paint_book
from ..draw.sheet import Means
from ..keys import BY_ID, keys_of, shown_keys
from ..scene import ingredients
from ..wasabi_app import wasabi_app
from ..widgets.keyboard import Keyboard
from ..widgets.painting import Painting
from .page import Page

if TYPE_CHECKING:
    from ...engine.observe import Observation
    from ...text import Texts

LONGEST = 24


class BookPage(Page[None]):
    def __init__(self, observation: Observation, texts: Texts) -> None:
        super().__init__()
        self._book = book_of(observation, texts)
        edition = observation.rules.edition
        self._cards = card_lines(edition, texts)
        self._ingredients = ingredients(edition)
        self._texts = texts
        self.typed = ""
        self.top = 0
        self._rows = self._seen = 0

    def compose(self) -> ComposeResult:
        yield Painting("book")
        self.keyboard = Keyboard(self.take_key)
        yield self.keyboard

    def on_mount(self) -> None:
        self.keyboard.display = True
        self.keyboard.focus()
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        width, height = self.size
        if not width or height < 8:
            return
        app = wasabi_app(self)
        keys = {"close": shown_keys(BY_ID["close"], app.settings.keys, self._texts)[0]}
        means = Means(app.paints, self._texts, self._ingredients, {}, keys)
        painted = paint_book(self._book, self._cards, means, width, height, self.typed, self.top)
        self._rows, self._seen = painted.rows, painted.seen
        self.query_one("#book", Painting).canvas = painted.canvas

    async def take_key(self, event: events.Key) -> None:
        scrolls = {"up": -1, "down": 1, "pageup": -self._seen, "pagedown": self._seen, "home": -9999, "end": 9999}
        if event.key in scrolls:
            self.top = max(0, min(self.top + scrolls[event.key], self._rows - self._seen))
        elif event.key == "tab":
            self._type(self._next_tile())
        elif event.key == "backspace":
            self._type(self.typed[:-1])
        elif event.key in keys_of(BY_ID["close"], wasabi_app(self).settings.keys) and not event.is_printable:
            # The first Esc clears what was typed.
            if not self.typed:
                return
            self._type("")
        elif event.is_printable and event.character and len(self.typed) < LONGEST:
            self._type(self.typed + event.character)
        else:
            return
        event.stop()
        self.draw()

    def _type(self, text: str) -> None:
        self.typed, self.top = text, 0

    def _next_tile(self) -> str:
        """The code of the tile after the one that is shown."""
        codes = [tile.ingredient.code for tile in self._book.tiles]
        now = find_tile(self._book, self.typed, self._texts.language)
        return codes[0] if now is None else codes[(codes.index(now.ingredient.code) + 1) % len(codes)]

    @property
    def words(self) -> str:
        return self.query_one("#book", Painting).words
