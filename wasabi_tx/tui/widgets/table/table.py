"""The table: it holds what every panel shows as reactives, hands them down, and arranges the panels for its size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size
from textual.reactive import Reactive, var
from textual.widget import Widget

from ....engine.edition import Edition
from ....view.editions.edition_view import KitchenView
from ....view.online.surroundings import Around
from ...bindings import ACTIONS, key_now
from ...painted_app import PaintedApp
from ...tiles import TINY
from ...tiles import Size as TileSize
from ...views.bar_view import BarView, bar_view
from ...views.board_view import BoardView, board_view
from ...views.moment import TableMoment
from ...views.panel_views import (
    AskedView,
    CompletedView,
    DecksView,
    HandView,
    HeaderView,
    PantryView,
    PlayersView,
    RaceView,
    RecipesView,
    StoryView,
    completed_view,
    hand_view,
    header_view,
    pantry_view,
    players_view,
    race_view,
    recipes_view,
    story_view,
)
from ..line import Line
from ..page_foot import KeyHint
from .action_bar import ActionBar
from .arrangement import Arrangement, arrange, titled_when
from .asked import Asked
from .board import Board
from .completed import Completed
from .decks import Decks
from .guide import Guide
from .hand import Hand
from .header import TableHeader
from .key_line import KeyLine, key_hints
from .kitchen import Kitchen
from .notice import Notice
from .panel import TablePanel
from .pantry import Pantry
from .players import Players
from .race import Race
from .recipes import Recipes
from .shape import LEAST_HEIGHT, LEAST_WIDTH, SECTIONS, Room, Shape, choose_shape
from .story import Story
from .talk import Talk
from .telling import Telling, share_words

if TYPE_CHECKING:
    from ....lessons.guide import GuideView

P = TypeVar("P", bound=TablePanel[Any])


class Table(Widget):
    """Shows one moment after another; only what changes is drawn.

    Header, bar, line and keys stay for as long as the table does; the panels between them are arranged anew when
    another shape fits.
    """

    app = getters.app(PaintedApp)

    header: var[HeaderView | None] = var(None)
    board: var[BoardView | None] = var(None)
    hand: var[HandView | None] = var(None)
    kitchen: var[KitchenView | None] = var(None)
    recipes: var[RecipesView | None] = var(None)
    players: var[PlayersView | None] = var(None)
    pantry: var[PantryView | None] = var(None)
    decks: var[DecksView | None] = var(None)
    race: var[RaceView | None] = var(None)
    completed: var[CompletedView | None] = var(None)
    asked: var[AskedView | None] = var(None)
    story: var[StoryView | None] = var(None)
    talk: var[Around | None] = var(None)
    guide: var[GuideView | None] = var(None)
    bar: var[BarView | None] = var(None)
    hints: var[tuple[KeyHint, ...] | None] = var(None)
    notice: var[str | None] = var(None)

    edition: var[Edition | None] = var(None)
    keys: var[Mapping[str, str]] = var(dict)
    """The key of each action, as the person here has set it."""
    lit: var[frozenset[str] | None] = var(None)
    """The panels that a lesson is about; None without one."""
    tiles: var[TileSize] = var(TINY)
    """The size of a tile on the board."""
    deep: var[int] = var(1)
    """Rows of each player."""
    most: var[int] = var(99)
    """Rows of all players."""
    titled: var[str] = var("always")
    """The condition for the story's title."""
    shape: var[Shape | None] = var(None, init=False)
    """The shape that fits into the terminal."""
    section: var[str] = var(SECTIONS[0], init=False)
    """The section that the smallest shape shows."""
    arrangement: var[Arrangement | None] = var(None, init=False)

    def __init__(self, where: str, line: Line, remapped: Mapping[str, str]) -> None:
        """Make the table; `where` names the screen in the list of actions, and the bar contains the `line`."""
        super().__init__(id="table")
        self._where = where
        self._line = line
        self._remapped = remapped
        self._moment: TableMoment | None = None
        self.arranging = False
        """True while panels are being moved."""
        self._next: list[Widget] | None = None
        """The panels of another arrangement, until they take the place of the present ones."""
        self._named: dict[object, dict[str, str]] = {}
        self._made: dict[str, TablePanel[Any]] = {}
        """The panels by id; empty before they are composed."""

    def compose(self) -> ComposeResult:
        self.watch_shape(None, self.shape)
        self._mark_guided()
        yield self._bind(TableHeader(id="header"), view=Table.header, keys=Table.keys)
        yield Container(*self._panels(), id="panels")
        yield self._bind(ActionBar(self._line, id="bar"), view=Table.bar, keys=Table.keys)
        yield self._bind(KeyLine(id="keys"), view=Table.hints)
        yield self._bind(Notice(id="notice"), view=Table.notice)

    def _bind(self, panel: P, **bound: Reactive[Any]) -> P:
        """Let a panel follow its view, and what all panels follow; it has them from its first frame on."""
        self._made[panel.id or ""] = panel
        bound |= {"edition": Table.edition, "lit": Table.lit}
        for name, ours in bound.items():
            panel.set_reactive(getattr(type(panel), name), getattr(self, ours.name))
        return panel.data_bind(**bound)

    # Drawing

    def show(self, moment: TableMoment) -> None:
        """Show a moment: assign each panel its view; panels whose view is unchanged are not repainted."""
        self._moment = moment
        texts = self.app.texts
        self.edition, self.lit = moment.rules.edition, moment.lit
        self.keys = keys = self._key_names(moment.letters)
        self.header = header_view(moment)
        self.board = board_view(moment, texts.language)
        self.hand = hand_view(moment, texts)
        self.kitchen = moment.view.kitchen
        self.recipes = recipes_view(moment, texts, keys.get("return", ""))
        self.players = players_view(moment)
        self.pantry = pantry_view(moment)
        self.decks = DecksView(moment.view.decks)
        self.race = race_view(moment, texts)
        self.completed = CompletedView() if moment.watching else completed_view(moment, texts)
        self.talk = moment.around
        self.guide = moment.guide
        self.notice = texts.say("tui.too-small", width=LEAST_WIDTH, height=LEAST_HEIGHT)
        self.fit()
        self._tell(moment)

    def show_clock(self, clock: str) -> None:
        """Show how long the turn has taken; nothing else has changed."""
        if self._moment is not None and self.header is not None and self._moment.clock != clock:
            self._moment = replace(self._moment, clock=clock)
            self.header = replace(self.header, clock=clock)

    def _tell(self, moment: TableMoment) -> None:
        """Share what is to be told between the row of questions, the story and the bar, by the room that each has."""
        texts, story = self.app.texts, story_view(moment, self.app.texts)
        told = share_words(moment, self._telling(story), self.keys, texts)
        self.asked = told.asked
        self.story = replace(story, notices=told.notices, plans=told.plans)
        self.bar = bar_view(moment, texts, quiet=told.quiet)

    def _telling(self, story: StoryView) -> Telling:
        """Return the room that panels have for words; none where a panel is not there."""
        told = self._told_beside
        return Telling(
            shape=self.shape.name if self.shape is not None else "",
            bar=self.size.width,
            asked=self._panel_size("asked").width,
            kitchen=self._panel_size("kitchen").height,
            has_room=(lambda words: told.has_room(words, story)) if told is not None else None,
        )

    @property
    def _told_beside(self) -> Story | None:
        found = self._made.get("story")
        return found if isinstance(found, Story) and found.is_attached else None

    def _panel_size(self, name: str) -> Size:
        """Return the size of a panel; nothing if it is not there."""
        found = self._made.get(name)
        return found.size if found is not None and found.is_attached else Size()

    @on(Asked.Resized)
    @on(Story.Resized)
    def _tell_again(self) -> None:
        if self._moment is not None:
            self._tell(self._moment)

    def _name_keys(self) -> None:
        """Name the keys that work now, in as many words as the shape has room for."""
        if self._moment is not None:
            self.hints = key_hints(self._moment, self.keys, self.app.texts, self._where, self.tiny)

    def _key_names(self, letters: frozenset[str]) -> dict[str, str]:
        """Return the key of each action while some letters are typed; made once for them."""
        texts = self.app.texts
        found = self._named.get((texts, letters))
        if found is None:
            actions = [one for one in ACTIONS if self._where in one.where]
            found = {one.id: key_now(one, self._remapped, texts, letters) for one in actions}
            self._named[texts, letters] = found
        return found

    # Arranging

    @property
    def tiny(self) -> bool:
        """True if panels are shown in sections."""
        return self.shape is not None and self.shape.name == "tiny"

    def next_section(self) -> None:
        """Show the next section where not all panels have room."""
        at = SECTIONS.index(self.section)
        self.section = SECTIONS[(at + 1) % len(SECTIONS)] if self.tiny else SECTIONS[0]

    def watch_section(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Choose the shape for the terminal as it is now, whatever sizes it had on the way."""
        moment, size = self._moment, self.app.size
        if moment is not None and size:
            rules = moment.rules
            grid, hand = rules.grid, bool(rules.edition.hand_tiles)
            self.shape = shape = choose_shape(Room(*size, grid.columns, grid.rows, len(moment.view.seats), hand))
            section = self.section if self.tiny else ""
            self._name_keys()
            self.titled = titled_when(shape.name, section)
            self.arrangement = Arrangement(shape.name, shape.kitchen, hand, section, moment.guide is not None)

    def watch_shape(self, old: Shape | None, new: Shape | None) -> None:
        gone = old.classes if old is not None else frozenset()
        if new is not None:
            self.update_classes(dict.fromkeys(gone, False) | dict.fromkeys(new.classes, True))
            self.tiles, self.deep, self.most = new.tiles, new.deep, new.most

    def watch_arrangement(self) -> None:
        if self._made:
            self._mark_guided()
            self._made.clear()
            self._next, self.arranging = list(self._panels()), True
            self.call_next(self.rearrange)

    def _mark_guided(self) -> None:
        self.set_class(self.arrangement is not None and self.arrangement.guided, "-guided")

    async def rearrange(self) -> None:
        """Put the panels where the present shape has them, if that is not where they are."""
        panels, self._next = self._next, None
        if panels is not None:
            place = self.query_one("#panels", Container)
            async with self.batch():
                await place.remove_children()
                await place.mount_all(panels)
            self.arranging = self._next is not None

    def _panels(self) -> Iterator[Widget]:
        if self.shape is not None and self.arrangement is not None:
            yield from arrange(self.shape, self.arrangement, self._make)

    def _make(self, name: str) -> Widget:
        """Return a new panel, bound to what it shows."""
        kind, *bound = _PANELS[name]
        return self._bind(kind(id=name), view=getattr(Table, name), **{one: getattr(Table, one) for one in bound})


_PANELS: dict[str, tuple[type[TablePanel[Any]], *tuple[str, ...]]] = {
    "board": (Board, "tiles"),
    "players": (Players, "deep", "most"),
    "hand": (Hand,),
    "kitchen": (Kitchen,),
    "recipes": (Recipes,),
    "pantry": (Pantry,),
    "decks": (Decks,),
    "race": (Race,),
    "completed": (Completed,),
    "asked": (Asked, "keys"),
    "talk": (Talk, "keys"),
    "guide": (Guide, "keys"),
    "story": (Story, "keys", "titled"),
}
"""The panels by the name of what they show, with the other reactives of the table that they follow."""
