"""The first start: one Enter, or a name, a language, a theme and signs."""

from __future__ import annotations

import pytest

from wasabi_tx.text import LANGUAGES
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.widgets.painting import Painting
from wasabi_tx.view.press import Do, TurnValue
from wasabi_tx.view.settings import Settings
from wasabi_tx.view.theme import GLYPHS

from .memory_games import MemoryGames
from .party import english, until

SIZES = [(40, 15), (80, 24), (120, 40), (200, 50)]


def first_start(games: MemoryGames, language: str = "en") -> WasabiApp:
    return WasabiApp(games, language=language, newcomer="Ana")


def page_of(app: WasabiApp) -> FormPage[str]:
    assert isinstance(app.screen, FormPage)
    return app.screen


@pytest.mark.parametrize("size", SIZES)
async def test_the_first_start_is_one_enter_and_is_kept(size: tuple[int, int]) -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games, "it")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "Ana" in page_of(app).words
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(name="Ana")]


async def test_the_first_start_changes_name_language_theme_and_signs() -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(*"Bo q?", "enter")
        assert "Bo q?" in page_of(app).words
        await pilot.press("down", "right")
        assert "Il tuo nome" in page_of(app).words, "every word changes at once"
        await pilot.press("down", "right")
        theme = app.palette.theme.id
        assert theme != Settings().theme
        await pilot.press("down", "left", "left")
        assert "|🍣|🥑|🍙|🦐|" in page_of(app).words, "emoji line up or do not"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(language="it", theme=theme, glyphs="emoji", name="Bo q?")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_every_kind_of_tiles_is_told_about(size: tuple[int, int], language: str) -> None:
    app = first_start(MemoryGames(preferred=Settings()), language)
    async with app.run_test(size=size) as pilot:
        await pilot.press("up")
        places = set()
        for glyphs in GLYPHS:
            assert app.settings.glyphs == glyphs
            rows = page_of(app).words.split("\n")
            places.add(next(y for y, row in enumerate(rows) if "Ana" in row))
            assert all(word in page_of(app).words for word in app.texts.say(f"tui.glyphs-about.{glyphs}").split())
            await pilot.press("right")
        assert app.settings.glyphs == GLYPHS[0], "after the last comes the first"
        assert len(places) == 1, "the form stays where it is"


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_flat_tiles_have_no_pictures_and_the_sample_shows_it(size: tuple[int, int]) -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=size) as pilot:
        await pilot.press("up")
        canvas = page_of(app).query_one("#form", Painting).canvas
        picture = {colour for row in app.pictures.middle["Sa"] for colour in row if colour is not None}
        assert canvas is not None
        assert picture <= {colour for row in canvas.pixels for colour in row}
        await pilot.press("right")
        canvas = page_of(app).query_one("#form", Painting).canvas
        assert canvas is not None
        assert not picture <= {colour for row in canvas.pixels for colour in row}
        assert "Salmon" in page_of(app).words


async def test_the_whole_page_is_drawn_in_the_signs_that_were_chosen() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("up")
        for glyphs in (*GLYPHS[1:], *GLYPHS):
            await pilot.press("right")
            await pilot.pause()
            assert app.settings.glyphs == glyphs
            page = page_of(app).query_one("#form", Painting)
            drawn = "\n".join(page.render_line(y).text for y in range(page.size.height))
            assert ("╭" in drawn) == (glyphs != "ascii")
            assert drawn.isascii() == (glyphs == "ascii")


async def test_esc_drops_what_is_typed_and_then_leaves() -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "y", "escape")
        await pilot.pause()
        assert "Ana" in page_of(app).words
        await pilot.press("escape")
        await until(pilot, lambda: app._exit)
    assert games.kept == []


async def test_a_name_is_typed_and_taken_by_mouse_too() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        page = page_of(app)
        painting = page.query_one("#form", Painting)
        assert painting.canvas is not None
        name = next(one for one in painting.canvas.clicks if one.press == TurnValue(0, 1))
        await pilot.click(painting, offset=(name.x, name.y))
        await until(pilot, lambda: page.keyboard.is_open)
        await pilot.press("B", "o")
        assert painting.canvas is not None
        button = next(one for one in painting.canvas.clicks if one.press == Do("fill_in"))
        await pilot.click(painting, offset=(button.x, button.y))
        await until(pilot, lambda: page.form.result == "Bo")
        assert isinstance(app.screen, FormPage), "the name is taken, and nothing has started"


async def test_a_name_ends_where_no_more_fits() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"Bartholomew the Great")
        assert page_of(app).keyboard.value == "Bartholomew "
        assert english().say("tui.take-name") in page_of(app).words
