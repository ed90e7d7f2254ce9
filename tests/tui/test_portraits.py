"""Portraits: every rival has one, and where they cannot be drawn nothing takes their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from wasabi_tx.app.pictures import NONE, Pictures, parse_pictures
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.theme import parse_theme
from wasabi_tx.app.values import GameWish
from wasabi_tx.bots.level_names import CHARACTER_NAMES
from wasabi_tx.engine.observe import observe
from wasabi_tx.store.user_files import find_pictures, find_themes, read_theme
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.draw.portrait import PERSON, PLAIN
from wasabi_tx.tui.draw.sheet import Means
from wasabi_tx.tui.forms.new_game import NewGameForm
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.views.board_view import ingredients
from wasabi_tx.tui.views.panel_views import PlayersView
from wasabi_tx.tui.widgets.portrait import Gallery, Portrait
from wasabi_tx.tui.widgets.table.players import paint_players
from wasabi_tx.view.names import RIVALS
from wasabi_tx.view.rivals import seat_players
from wasabi_tx.view.table.table import SeatView, describe_table

from .memory_games import MemoryGames

NOWHERE = Path("nowhere")


def shipped() -> Pictures:
    found = NONE
    for path in find_pictures(NOWHERE):
        found = found.joined(parse_pictures(read_theme(path)))
    return found


def test_every_character_has_a_portrait_and_a_face() -> None:
    pictures = shipped()
    assert {*CHARACTER_NAMES, PLAIN, PERSON} == set(pictures.face)
    assert {*CHARACTER_NAMES, PLAIN, PERSON, "lot"} == set(pictures.portrait)


def test_whoever_can_be_chosen_has_a_portrait() -> None:
    form, texts = NewGameForm(GameWish(), [("classic", "First edition")]), Texts("en")
    seen = set()
    for _ in range(2 + len(RIVALS)):
        seen |= {field.portrait for group in form.groups(texts) for field in group.fields if field.seat}
        form.turn("seat 0", 1)
    assert seen == set(shipped().portrait)


def _faces(theme: str, glyphs: str, pictures: Pictures) -> list[list[int]]:
    games = MemoryGames()
    players = seat_players(["Ana"], ("Udon", "Ponzu"), "normal", "")
    game = games.open("classic", players, "faces").game
    observation = observe(game.rules, game.position, 0, {})
    seats: tuple[SeatView, ...] = describe_table(observation, players, Texts("en")).seats
    colours = parse_theme(theme, read_theme(find_themes(NOWHERE)[theme]))
    means = Means(
        Paints(textual_theme(colours), glyphs, pictures), Texts("en"), ingredients(game.rules.edition), {}, {}
    )
    return paint_players(PlayersView(seats), means, 70, 10).pixels


@pytest.mark.parametrize(
    ("theme", "glyphs"), [("omakase", "ascii"), ("omakase", "flat"), ("monochrome", "letters"), ("terminal", "letters")]
)
def test_where_half_cells_cannot_be_drawn_there_are_no_faces(theme: str, glyphs: str) -> None:
    assert _faces(theme, glyphs, shipped()) == _faces(theme, glyphs, NONE)
    assert _faces("omakase", "letters", shipped()) != _faces("omakase", "letters", NONE)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_a_form_shows_the_portrait_of_who_is_chosen(size: tuple[int, int]) -> None:
    app = WasabiApp(MemoryGames(Settings("en", reduced_motion=True)), language="en")
    async with app.run_test(size=size) as pilot:
        app.push_screen(FormPage(NewGameForm(GameWish(others=("Ponzu",)), [("classic", "First edition")])))
        await pilot.press("up")
        await pilot.pause()
        shown = [*app.screen.query(Portrait), *app.screen.query(Gallery)]
        seen = {colour for one in shown if one.display for row in one.canvas.pixels for colour in row}
        assert {colour for row in shipped().portrait["blocker"] for colour in row if colour is not None} <= seen
