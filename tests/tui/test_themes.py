"""The list of themes: the real look changes as the cursor moves, Enter keeps it, Esc puts the old one back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.pilot import Pilot

from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.themes import ThemesPage

from .memory_games import MemoryGames, app_at
from .on_screen import place_of, screen_words


async def open_themes(app: WasabiApp, pilot: Pilot[None]) -> ThemesPage:
    await pilot.pause()
    await pilot.press("f3")
    await pilot.pause()
    assert isinstance(app.screen, ThemesPage)
    return app.screen


def kept(app: WasabiApp) -> list[str]:
    assert isinstance(app.games, MemoryGames)
    return [settings.theme for settings in app.games.kept]


@pytest.mark.grid
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 15)])
@pytest.mark.long
async def test_every_theme_is_tried_out_as_the_cursor_moves_and_nothing_is_kept_yet(size: tuple[int, int]) -> None:
    app = app_at(8)
    async with app.run_test(size=size) as pilot:
        await open_themes(app, pilot)
        assert "↑ ↓" in screen_words(app)
        seen = []
        for _ in app.themes:
            seen.append(app.shown_theme.id)
            assert app.theme == f"wasabi-{seen[-1]}"
            assert app.shown_theme.names["en"] in screen_words(app)
            assert max(map(len, screen_words(app).splitlines())) <= size[0]
            await pilot.press("down")
            await pilot.pause()
        assert sorted(seen) == sorted(theme.id for theme in app.themes)
        assert app.shown_theme.id == seen[0], "after the last comes the first"
        assert kept(app) == []


async def test_escape_puts_the_old_theme_back() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_themes(app, pilot)
        before = app.shown_theme.id
        await pilot.press("down", "down")
        assert app.shown_theme.id != before
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.shown_theme.id == app.settings.theme == before
        assert kept(app) == []


async def test_enter_keeps_the_theme_and_the_settings_show_it() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_themes(app, pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert kept(app) == [app.shown_theme.id]
        await pilot.press("f2")
        await pilot.pause()
        assert isinstance(app.screen, FormPage)
        assert f"‹ {app.shown_theme.names['en']} ›" in screen_words(app)


async def test_a_theme_can_be_clicked_and_one_that_nobody_described_is_dark_or_light() -> None:
    app = app_at(8)
    async with app.run_test(size=(120, 40)) as pilot:
        page = await open_themes(app, pilot)
        await pilot.click(offset=place_of(app, app.themes[3].names["en"]))
        await pilot.pause()
        assert app.shown_theme.id == app.themes[3].id
        own = app.themes[3].__class__("mine", app.themes[3].names, False, "letters", {}, {})
        assert page._about(own) == Texts("en").say("themes.light")


async def test_everything_follows_the_settings_as_soon_as_they_are_assigned() -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.settings = replace(app.settings, theme="hinoki", glyphs="flat")
        await pilot.pause()
        variables = app.current_theme.variables
        assert app.theme == "wasabi-hinoki"
        assert [app.paints[name] for name in ("wood", "accent", "seat-1")] == [
            int(variables[name][1:], 16) for name in ("wood", "accent", "seat-1")
        ]
        assert not app.paints.depth
        before = app.paints
        app.settings = replace(app.settings, bell=True)
        assert app.paints is before, "what changes no look paints nothing again"
        app.try_out(language="it")
        await pilot.pause()
        assert Texts("it").say("tui.home.play") in screen_words(app)
