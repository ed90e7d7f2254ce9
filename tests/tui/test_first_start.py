"""The first start: one Enter, or a name, a language, a theme and signs."""

from __future__ import annotations

import pytest

from wasabi_tx.app.settings import Settings
from wasabi_tx.app.theme import GLYPHS
from wasabi_tx.text import LANGUAGES
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.widgets.field import Typed
from wasabi_tx.tui.widgets.tile_sample import TileSample

from .memory_games import MemoryGames
from .on_screen import place_of, screen_words
from .party import english, until

SIZES = [(40, 15), (80, 24), (120, 40), (200, 50)]


def first_start(games: MemoryGames, language: str = "en") -> WasabiApp:
    return WasabiApp(games, language=language, newcomer="Ana")


def page_of(app: WasabiApp) -> FormPage[str]:
    assert isinstance(app.screen, FormPage)
    return app.screen


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.long
async def test_the_first_start_is_one_enter_and_is_kept(size: tuple[int, int]) -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games, "it")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "Ana" in screen_words(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(name="Ana")]


async def test_the_first_start_changes_name_language_theme_and_signs() -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(*"Bo q?", "enter")
        assert "Bo q?" in screen_words(app)
        await pilot.press("down", "right")
        assert "Il tuo nome" in screen_words(app), "every word changes at once"
        await pilot.press("down", "right")
        theme = app.shown_theme.id
        assert theme != Settings().theme
        await pilot.press("down", "left", "left")
        assert "|🍣|🥑|🍙|🦐|" in screen_words(app), "emoji line up or do not"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(language="it", theme=theme, glyphs="emoji", name="Bo q?")]


async def test_nobody_is_in_a_lobby_before_they_have_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    games, opened = MemoryGames(preferred=Settings()), list[tuple[str, list[Settings]]]()
    app = WasabiApp(games, language="en", newcomer="login", lobby="mqtt://192.0.2.1")
    monkeypatch.setattr(app, "open_lobby", lambda broker: opened.append((broker, [*games.kept])))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert not opened
        await pilot.press(*"Bo", "enter", "enter")
        await until(pilot, lambda: bool(opened))
    assert opened == [("mqtt://192.0.2.1", [Settings(name="Bo")])]


@pytest.mark.grid
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_every_kind_of_tiles_is_told_about(size: tuple[int, int], language: str) -> None:
    app = first_start(MemoryGames(preferred=Settings()), language)
    async with app.run_test(size=size) as pilot:
        await pilot.press("up")
        places = set()
        for glyphs in GLYPHS:
            assert app.settings.glyphs == glyphs
            rows = screen_words(app).split("\n")
            places.add(next(y for y, row in enumerate(rows) if "Ana" in row))
            assert all(word in screen_words(app) for word in app.texts.say(f"tui.glyphs-about.{glyphs}").split())
            await pilot.press("right")
        assert app.settings.glyphs == GLYPHS[0], "after the last comes the first"
        assert len(places) == 1, "the form stays where it is"


@pytest.mark.grid
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_flat_tiles_have_no_pictures_and_the_sample_shows_it(size: tuple[int, int]) -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=size) as pilot:
        await pilot.press("up")
        canvas = page_of(app).query_one(TileSample).canvas
        picture = {colour for row in app.pictures.middle["Sa"] for colour in row if colour is not None}
        assert picture <= {colour for row in canvas.pixels for colour in row}
        await pilot.press("right")
        canvas = page_of(app).query_one(TileSample).canvas
        assert not picture <= {colour for row in canvas.pixels for colour in row}
        assert "Salmon" in screen_words(app)


async def test_the_whole_page_is_drawn_in_the_signs_that_were_chosen() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("up")
        for glyphs in (*GLYPHS[1:], *GLYPHS):
            await pilot.press("right")
            await pilot.pause()
            assert app.settings.glyphs == glyphs
            drawn = screen_words(app)
            assert ("╭" in drawn) == (glyphs != "ascii")
            assert drawn.isascii() == (glyphs == "ascii")


async def test_esc_drops_what_is_typed_and_then_leaves() -> None:
    games = MemoryGames(preferred=Settings())
    app = first_start(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "y", "escape")
        await pilot.pause()
        assert "Ana" in screen_words(app)
        await pilot.press("escape")
        await until(pilot, lambda: app._exit)
    assert games.kept == []


async def test_a_name_is_typed_and_taken_by_mouse_too() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        page = page_of(app)
        await pilot.press("down")
        await pilot.click(offset=place_of(app, "Ana", 1))
        await until(pilot, lambda: page.query_one(Typed).line.has_focus)
        await pilot.press("end", *["backspace"] * 3, "B", "o")
        await pilot.pause()
        await pilot.click(offset=place_of(app, english().say("tui.take-name")))
        await until(pilot, lambda: page.form.result == "Bo")
        assert isinstance(app.screen, FormPage), "the name is taken, and nothing has started"


@pytest.mark.long
async def test_a_name_ends_where_no_more_fits() -> None:
    app = first_start(MemoryGames(preferred=Settings()))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"Bartholomew the Great")
        assert page_of(app).query_one(Typed).line.value == "Bartholomew "
        assert english().say("tui.take-name") in screen_words(app)
