"""Each widget of the table alone: what it shows follows its view, it says what was clicked, and it fits any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual import on
from textual.message import Message

from wasabi_tx.lessons.guide import GuideView
from wasabi_tx.text import Texts
from wasabi_tx.tui.tiles import SIZES, SMALL
from wasabi_tx.tui.views.bar_view import bar_view
from wasabi_tx.tui.views.board_view import board_view
from wasabi_tx.tui.views.moment import TableMoment
from wasabi_tx.tui.views.panel_views import (
    AskedView,
    DecksView,
    completed_view,
    hand_view,
    header_view,
    pantry_view,
    players_view,
    race_view,
    recipes_view,
    story_view,
)
from wasabi_tx.tui.widgets.line import Line
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.action_bar import ActionBar
from wasabi_tx.tui.widgets.table.asked import Asked
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.tui.widgets.table.completed import Completed
from wasabi_tx.tui.widgets.table.decks import Decks
from wasabi_tx.tui.widgets.table.guide import Guide
from wasabi_tx.tui.widgets.table.hand import Hand
from wasabi_tx.tui.widgets.table.header import TableHeader
from wasabi_tx.tui.widgets.table.key_line import KeyLine, key_hints
from wasabi_tx.tui.widgets.table.kitchen import Kitchen
from wasabi_tx.tui.widgets.table.notice import Notice
from wasabi_tx.tui.widgets.table.panel import TablePanel
from wasabi_tx.tui.widgets.table.pantry import Pantry
from wasabi_tx.tui.widgets.table.players import Players
from wasabi_tx.tui.widgets.table.race import Race
from wasabi_tx.tui.widgets.table.recipes import Recipes
from wasabi_tx.tui.widgets.table.story import Story
from wasabi_tx.tui.widgets.table.talk import Talk
from wasabi_tx.view.online.surroundings import Around, TalkLine
from wasabi_tx.view.press import Do

from .alone import Alone
from .memory_games import app_at
from .on_screen import table_of

TEXTS = Texts("en")
KEYS = {"accept": "Enter", "answer": "x", "help": "?", "log": "o", "return": "p", "talk": "t", "under": "v"}
GUIDE = GuideView("Lesson 1 of 6", "Put it on c4.", ("2", "c", "4"), "", frozenset({"hand"}), ())
AROUND = Around(talk=(TalkLine(1, "Udon", "Hello!"),), talks=True, may_talk=True)

Made = Callable[[TableMoment], Painted[Any]]


async def _no_key(_event: object) -> None:
    """Do nothing with a press."""


WIDGETS: dict[str, tuple[Made, str]] = {
    "board": (lambda now: Board(board_view(now, "en")), "a"),
    "hand": (lambda now: Hand(hand_view(now, TEXTS)), "HAND"),
    "kitchen": (lambda now: Kitchen(now.view.kitchen), "KITCHEN"),
    "recipes": (lambda now: Recipes(recipes_view(now, TEXTS, "p")), "YOUR RECIPES"),
    "players": (lambda now: Players(players_view(now)), "PLAYERS"),
    "pantry": (lambda now: Pantry(pantry_view(now)), "PANTRY"),
    "decks": (lambda now: Decks(DecksView(now.view.decks)), "TO DRAW"),
    "race": (lambda now: Race(race_view(now, TEXTS)), "SCORE"),
    "completed": (lambda now: Completed(completed_view(now, TEXTS)), "You"),
    "asked": (lambda _: Asked(AskedView("Vote to go on without Bo.", answers=True)), "Vote to go on"),
    "story": (lambda now: Story(story_view(now, TEXTS)), "SINCE YOUR TURN"),
    "talk": (lambda _: Talk(AROUND), "Udon: Hello!"),
    "bar": (lambda now: ActionBar(Line(_no_key), bar_view(now, TEXTS)), "Enter"),
    "header": (lambda now: TableHeader(header_view(now)), "YOUR TURN"),
    "keys": (lambda now: KeyLine(key_hints(now, KEYS, TEXTS, "table", small=False)), "? help"),
    "guide": (lambda _: Guide(GUIDE), "Put it on c4."),
    "notice": (lambda _: Notice("This terminal is too small."), "too small"),
}


@pytest.fixture(scope="module", params=["classic", "master"])
def edition(request: pytest.FixtureRequest) -> str:
    return str(request.param)


async def moment_at(edition: str, turn: int = 14) -> TableMoment:
    """Return all that a table shows in the middle of a game."""
    app = app_at(turn, seed="picture", edition=edition, careful=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        return table_of(app).moment()


def alone(made: Made, now: TableMoment, theme: str = "omakase") -> tuple[Alone, Painted[Any]]:
    widget = made(now)
    if isinstance(widget, TablePanel):
        widget.set_reactive(TablePanel.edition, now.rules.edition)
        widget.set_reactive(TablePanel.keys, KEYS)
    if isinstance(widget, Board):
        widget.set_reactive(Board.tiles, SMALL)
    return Alone(widget, theme), widget


@pytest.mark.parametrize("name", WIDGETS)
async def test_it_shows_its_view(name: str) -> None:
    made, words = WIDGETS[name]
    app, widget = alone(made, await moment_at("classic"))
    async with app.run_test(size=(80, 15)) as pilot:
        await pilot.pause()
        assert words in widget.words
        view, widget.view = widget.view, None
        assert not widget.words.strip(), "nothing is shown without a view"
        widget.view = view
        assert words in widget.words


@pytest.mark.grid
@pytest.mark.parametrize("theme", ["omakase", "monochrome"])
@pytest.mark.long
async def test_every_widget_can_be_painted_at_any_size(edition: str, theme: str) -> None:
    now = await moment_at(edition)
    for name, (made, _) in WIDGETS.items():
        app, widget = alone(made, now, theme)
        async with app.run_test(size=(80, 24)):
            for width in (*range(1, 50, 3), 59, 60, 79, 80, 99, 100, 120, 160, 200):
                for height in (1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 23, 24, 25, 40, 60):
                    canvas = widget.paint(widget.view, max(width, widget.LEAST[0]), max(height, widget.LEAST[1]))
                    assert all(len(layer) == canvas.width for row in canvas.rows for layer in row), (
                        name,
                        width,
                        height,
                    )


@pytest.mark.grid
@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 2), (7, 3), (40, 1), (200, 60)])
async def test_every_widget_fills_its_place_whatever_its_size(edition: str, size: tuple[int, int]) -> None:
    now = await moment_at(edition)
    for name, (made, _) in WIDGETS.items():
        app, widget = alone(made, now)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert (widget.canvas.width, widget.canvas.height) == size, name


class Heard(Alone):
    """Keeps every message that says what was picked."""

    def __init__(self, widget: Painted[Any]) -> None:
        super().__init__(widget)
        self.heard: list[Message] = []

    @on(Board.Picked)
    @on(Hand.Picked)
    @on(Kitchen.Picked)
    @on(Recipes.Picked)
    @on(Pantry.Picked)
    def hear(self, message: Message) -> None:
        self.heard.append(message)


async def click_all(widget: Painted[Any]) -> list[Message]:
    """Click every clickable part, and return the messages posted."""
    app = Heard(widget)
    async with app.run_test(size=(100, 16)) as pilot:
        await pilot.pause()
        for one in widget.canvas.clicks:
            await pilot.click(offset=(one.x, one.y))
        await pilot.pause()
        return [*app.heard, *(Painted.Pressed(press) for press in app.pressed)]  # type: ignore[arg-type]


async def test_a_click_on_the_board_says_which_square() -> None:
    now = await moment_at("classic")
    board = Board(board_view(now, "en"))
    app = Heard(board)
    async with app.run_test(size=(120, 50)) as pilot:
        for tiles in SIZES:
            board.tiles = tiles
            squares = range(len(now.view.cells))
            assert [board.square_at(*board.corner_of(square)) for square in squares] == list(squares), tiles
            assert board.square_at(0, 0) is None
            await pilot.pause()
            await pilot.click(offset=board.corner_of(16))
            await pilot.click(offset=(0, 0))
        await pilot.pause()
        assert [one.square for one in app.heard if isinstance(one, Board.Picked)] == [16] * len(SIZES)


async def test_clicks_on_the_hand_the_recipes_the_pantry_and_the_kitchen_say_what_was_picked() -> None:
    now, master = await moment_at("classic"), await moment_at("master")
    _, hand = alone(WIDGETS["hand"][0], now)
    picked = [one.number for one in await click_all(hand) if isinstance(one, Hand.Picked)]
    assert picked == [1, 2, 3, *(card.key for card in now.view.cards)]
    _, recipes = alone(WIDGETS["recipes"][0], now)
    assert [one.number for one in await click_all(recipes) if isinstance(one, Recipes.Picked)] == [6, 7, 8]
    _, pantry = alone(WIDGETS["pantry"][0], now)
    left = [number for number, item in enumerate(now.view.pantry, 1) if item.count]
    assert [one.tile for one in await click_all(pantry) if isinstance(one, Pantry.Picked)] == left
    _, kitchen = alone(WIDGETS["kitchen"][0], master)
    cards = [card.number for card in master.view.kitchen.cards for _ in range(card.count)]
    assert [one.card for one in await click_all(kitchen) if isinstance(one, Kitchen.Picked)] == cards
    assert cards


@pytest.mark.parametrize(
    ("name", "does"), [("players", "who"), ("asked", "answer"), ("talk", "talk"), ("keys", "help"), ("bar", "accept")]
)
@pytest.mark.long
async def test_a_click_on_what_has_a_key_does_what_the_key_does(name: str, does: str) -> None:
    now = await moment_at("classic")
    _, widget = alone(WIDGETS[name][0], now)
    heard = await click_all(widget)
    assert Do(does) in [one.press for one in heard if isinstance(one, Painted.Pressed)]


async def test_a_panel_steps_back_while_a_lesson_is_about_others() -> None:
    now = await moment_at("classic")
    for name, (made, _) in WIDGETS.items():
        widget = made(now)
        widget.id = name
        assert isinstance(widget, TablePanel)
        widget.set_reactive(TablePanel.edition, now.rules.edition)
        async with Alone(widget).run_test(size=(80, 15)) as pilot:
            await pilot.pause()
            before = widget.canvas.rows
            widget.lit = frozenset({"elsewhere"})
            assert widget.canvas.rows != before, name
            widget.lit = frozenset({name})
            assert widget.canvas.rows == before, name


async def test_a_panel_names_things_as_its_edition_and_its_language_do() -> None:
    now = await moment_at("classic")
    app, hand = alone(WIDGETS["hand"][0], now)
    async with app.run_test(size=(100, 16)) as pilot:
        await pilot.pause()
        english = hand.words
        app.texts = Texts("it")
        assert hand.words != english
        app.texts = Texts("en")
        assert hand.words == english


async def test_the_bar_holds_the_line_after_the_words_before_it() -> None:
    now = await moment_at("classic")
    line = Line(_no_key)
    app = Alone(ActionBar(line, bar_view(now, TEXTS)))
    async with app.run_test(size=(80, 1)) as pilot:
        await pilot.pause()
        bar = app.query_one(ActionBar)
        assert line.parent is bar
        bar.view = bar_view(replace(now, line="talk"), TEXTS)
        await pilot.pause()
        assert bar.words.startswith("▌ say:")
