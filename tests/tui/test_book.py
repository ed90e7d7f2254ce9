"""The recipe book: all of it can be read at every size, tiles and names pick recipes, and it says who made which."""

from __future__ import annotations

import pytest
from textual import events
from textual.pilot import Pilot

from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.engine.observe import observe
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.screens.book import BookPage
from wasabi_tx.view.table.book import book_of, find_tile, shows

from .memory_games import app_at, played, seats
from .on_screen import screen_words, table_of

TURN = 21


def page_of(app: WasabiApp) -> BookPage:
    assert isinstance(app.screen, BookPage)
    return app.screen


async def open_book(pilot: Pilot[None], edition: str = "classic") -> None:
    await pilot.press("r" if edition == "classic" else "ctrl+r")
    await pilot.pause()


@pytest.mark.parametrize("edition", PACKAGED)
def test_the_book_knows_who_completed_what_and_only_the_own_hand(edition: str) -> None:
    transcript = played(TURN, edition, seats(1, 3), "picture")[1]
    rules, position = transcript.rules, transcript.last
    seen = observe(rules, position, 0, transcript.faces)
    book = book_of(seen, Texts("en"))
    recipes = {one.name: one for section in book.sections for one in section.recipes}
    assert len(recipes) == len(rules.edition.recipes)
    for number, seat in enumerate(position.seats, 1):
        for claimed in seat.claimed:
            assert number in recipes[rules.edition.recipes[claimed.recipe].names["en"]].by
    assert sum(len(one.by) for one in recipes.values()) == sum(len(seat.claimed) for seat in position.seats)
    held = {rules.edition.recipes[transcript.faces[card]].names["en"] for card in position.seats[0].recipes}
    assert {name for name, one in recipes.items() if one.own} == held
    watcher = book_of(observe(rules, position, None, {}), Texts("en"))
    assert not any(one.own for section in watcher.sections for one in section.recipes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tile_is_found_by_its_code_or_the_beginning_of_its_name(language: str) -> None:
    transcript = played(TURN, "classic", seats(1, 3), "picture")[1]
    book = book_of(observe(transcript.rules, transcript.last, 0, transcript.faces), Texts(language))
    for tile in book.tiles:
        for text in (tile.ingredient.code, tile.ingredient.code.lower(), tile.ingredient.names[language].upper()):
            found = find_tile(book, text, language)
            assert found is not None
            assert found.ingredient.code == tile.ingredient.code
        using = [one for section in book.sections for one in section.recipes if shows(one, tile.ingredient.code, tile)]
        assert len(using) == tile.used
    assert find_tile(book, "", language) is None
    assert find_tile(book, "zzz", language) is None


@pytest.mark.grid
@pytest.mark.parametrize("size", [(40, 15), (80, 24), (120, 40)])
@pytest.mark.parametrize("edition", PACKAGED)
async def test_every_recipe_tile_and_card_can_be_read(edition: str, size: tuple[int, int]) -> None:
    app = app_at(TURN, edition=edition, seed="picture")
    async with app.run_test(size=size) as pilot:
        await open_book(pilot, edition)
        recipes = page_of(app).query_one("#recipes")
        read = screen_words(app)
        for _ in range(40):
            before = recipes.scroll_y
            await pilot.press("pagedown")
            await pilot.pause()
            read += "\n" + screen_words(app)
            if recipes.scroll_y == before:
                break
        rules = table_of(app).opened.game.rules
        for recipe in rules.edition.recipes:
            assert recipe.names["en"] in read, recipe.names["en"]
        for one in rules.edition.ingredients:
            assert f"{one.code}  {one.names['en']}" in read
        for action in rules.edition.actions:
            assert action.names["en"] in read
        await pilot.press("home")
        assert recipes.scroll_y == 0


async def test_letters_pick_recipes_and_escape_clears_before_it_closes() -> None:
    app = app_at(TURN, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        await open_book(pilot)
        page = page_of(app)
        await pilot.press("q", "u")
        await pilot.pause()
        assert page.typed == "qu", "q is a letter here"
        assert "Squid Pro Quo" in screen_words(app)
        assert "Carrot Top" not in screen_words(app), "where not all fit, the others give way"
        await pilot.press("backspace", "backspace", "t", "u")
        await pilot.pause()
        assert "recipes with  Tuna" in screen_words(app)
        assert "on the board" in screen_words(app)
        assert "Tekkamaki" in screen_words(app)
        await pilot.press("tab")
        await pilot.pause()
        assert page.typed == "Sa", "Tab goes on to the next tile"
        await pilot.press("escape")
        await pilot.pause()
        assert page.typed == ""
        assert "Carrot Top" in screen_words(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is table_of(app)


async def test_where_all_fit_the_others_recede() -> None:
    app = app_at(TURN, seed="picture")
    async with app.run_test(size=(120, 60)) as pilot:
        await open_book(pilot)
        await pilot.press("t", "u")
        await pilot.pause()
        assert "Carrot Top" in screen_words(app)


async def test_the_wheel_scrolls_and_so_does_its_bar() -> None:
    app = app_at(TURN, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        await open_book(pilot)
        recipes = page_of(app).query_one("#recipes")
        assert recipes.show_vertical_scrollbar
        await pilot._post_mouse_events([events.MouseScrollDown], recipes, offset=(10, 5))
        await pilot.pause()
        assert recipes.scroll_y > 0


async def test_a_burst_of_keys_is_taken_in_order() -> None:
    app = app_at(TURN, seed="picture")
    async with app.run_test(size=(80, 24)) as pilot:
        await open_book(pilot)
        page = page_of(app)
        for key in ("s", "a", "escape", "t", "u", "tab", "down", "pagedown", "home"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
        assert page.typed == "Sa", "tu is the tuna, and the salmon comes after it"
        for key in ("escape", "escape", "1"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
        assert app.screen is table_of(app)
