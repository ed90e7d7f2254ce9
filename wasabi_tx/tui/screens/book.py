"""The recipe book: letters pick recipes by tile or name, Tab goes through the tiles, arrows and the wheel scroll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from ...text.cells import cut
from ...view.table.book import RecipeBook, book_of, find_tile
from ...view.table.plain_table import card_lines
from ..canvas import Canvas
from ..draw.book import paint_book
from ..draw.sheet import Means, Sheet
from ..views.board_view import ingredients
from ..widgets.page_foot import KeyHint, PageFoot
from ..widgets.page_head import PageHead
from ..widgets.painted import Painted
from ..widgets.tall_picture import TallPicture
from .filtered import FilteredPage
from .page import Scroller

if TYPE_CHECKING:
    from ...engine.edition import Ingredient
    from ...engine.observe import Observation
    from ...text import Texts

LONGEST = 24
HOW = "how"
BESIDE = 67
"""Fewest columns for a note beside the typed text."""


class BookView(NamedTuple):
    """The book, what was typed to pick recipes, and the rows in which the others still have room."""

    book: RecipeBook
    cards: tuple[str, ...]
    typed: str
    room: int


class BookRecipes(TallPicture[BookView]):
    """Paints every recipe with its tiles, all tiles with their names, and what the cards do."""

    def __init__(self, view: BookView, shown: Mapping[str, Ingredient]) -> None:
        super().__init__(view)
        self._ingredients = shown

    def paint_tall(self, view: BookView, width: int) -> Canvas:
        means = Means(self.app.paints, self.app.texts, self._ingredients)
        return paint_book(view.book, view.cards, means, width, view.typed, view.room)


class BookHint(Painted[str]):
    """Paints how to pick recipes, or the tile by whose code they are picked."""

    def __init__(self, shown: Mapping[str, Ingredient]) -> None:
        super().__init__(HOW)
        self._ingredients = shown

    def paint(self, view: str, width: int, height: int) -> Canvas:
        sheet = Sheet(Means(self.app.paints, self.app.texts, self._ingredients), width, height)
        if view == HOW:
            sheet.write(0, 0, cut(sheet.say("book.how"), width - 1), "muted")
        elif view:
            sheet.chip(sheet.write(0, 0, f"{sheet.say('book.with')} ", "muted"), 0, view)
        return sheet.canvas


class BookPage(FilteredPage):
    CSS_PATH = "book.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (BESIDE, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "next_tile", show=False, priority=True)]

    def __init__(self, observation: Observation, texts: Texts) -> None:
        super().__init__(LONGEST)
        self._book = book_of(observation, texts)
        edition = observation.rules.edition
        self._cards = tuple(card_lines(edition, texts))
        shown = ingredients(edition)
        count = sum(len(section.recipes) for section in self._book.sections)
        self._head, self._foot = PageHead(), PageFoot(classes="-plain")
        self._head.heading = texts.say("book.title")
        self._head.about = texts.say("book.count", edition=self._book.edition, count=count)
        self._hint = BookHint(shown)
        self._picture = BookRecipes(BookView(self._book, self._cards, "", 0), shown)
        self._recipes = Scroller(self._picture, id="recipes", can_focus=False)

    def compose(self) -> ComposeResult:
        yield self._head
        yield Horizontal(Static("/"), self.line, self._hint, id="search")
        yield self._recipes
        yield self._foot

    def on_resize(self) -> None:
        self._show_recipes()

    @property
    def typed(self) -> str:
        """The text that filters the recipes."""
        return self.line.value

    @property
    def scroller(self) -> Scroller:
        return self._recipes

    def pick(self) -> None:
        self._show_recipes()
        self._recipes.action_scroll_home()

    def _show_recipes(self) -> None:
        say, typed = self.texts.say, self.typed
        tile = find_tile(self._book, typed, self.texts.language)
        room = self._recipes.size.height
        self._picture.view = BookView(self._book, self._cards, typed, room)
        self._hint.view = "" if tile is None and typed else tile.ingredient.code if tile else HOW
        self._foot.hints = (
            KeyHint(say("book.typing"), say("book.type")),
            KeyHint("Tab", say("book.next")),
            KeyHint("↑ ↓", say("book.scroll")),
            self.hint("close"),
        )

    def action_next_tile(self) -> None:
        self.line.call_later(self._pick_next_tile)

    def _pick_next_tile(self) -> None:
        codes = [tile.ingredient.code for tile in self._book.tiles]
        now = find_tile(self._book, self.typed, self.texts.language)
        at = -1 if now is None else codes.index(now.ingredient.code)
        self.line.value = codes[(at + 1) % len(codes)]
