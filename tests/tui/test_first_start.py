"""The first start: one Enter, or a name, a language and signs."""

from __future__ import annotations

from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.first_start import ROWS, FirstStartScreen
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.view.settings import Settings

from .memory_games import MemoryGames
from .on_screen import rows as shown
from .party import english, until


async def test_the_first_start_is_one_enter_and_is_kept() -> None:
    games = MemoryGames(preferred=Settings())
    app = WasabiApp(games, language="it", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Ana" in shown(app))
        assert isinstance(app.screen, FirstStartScreen)
        assert "|🍣|🥑" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(name="Ana")]


async def test_the_first_start_changes_name_language_and_signs() -> None:
    games = MemoryGames(preferred=Settings())
    app = WasabiApp(games, language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Ana" in shown(app))
        await pilot.press("down", "enter", *"Bo q?", "enter")
        await pilot.press("down", "enter", "down", "enter")
        await pilot.press("up", "up", "up", "enter")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    assert games.kept == [Settings(language="it", glyphs="emoji", name="Bo q?")]


async def test_the_first_start_says_what_keys_do_on_the_line_that_is_chosen() -> None:
    app = WasabiApp(MemoryGames(preferred=Settings()), language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for row in ROWS:
            assert english().say(f"first.how.{row}") in shown(app)
            await pilot.press("down")
        assert isinstance(app.screen, FirstStartScreen)
        await pilot.press("left")
        assert app.settings.glyphs == "ascii"
        await pilot.press("right")
        assert app.settings.glyphs == "letters", "left goes back"
        await pilot.press("up", "up", "left", "right", "up", "left", "right")
        assert isinstance(app.screen, FirstStartScreen), "only Enter starts"


async def test_a_name_ends_where_no_more_fits() -> None:
    app = WasabiApp(MemoryGames(preferred=Settings()), language="en", newcomer="Ana")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "enter", *"Bartholomew the Great")
        assert isinstance(app.screen, FirstStartScreen)
        assert app.screen.keyboard.value == "Bartholomew "
        assert english().say("tui.typing-how", count=12) in shown(app)
