"""A new game as a form: every seat can be taken by a person, a rival by name or one by lot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import GameWish
from wasabi_tx.bots.level_names import is_offered
from wasabi_tx.engine.editions import PACKAGED
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.ascii_signs import in_ascii
from wasabi_tx.tui.forms.new_game import NewGameForm
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.view.names import BY_LOT, PERSON, RIVALS
from wasabi_tx.view.rivals import seat_players

from .memory_games import MemoryGames
from .on_screen import place_of, screen_words

EDITIONS = [(name, name) for name in PACKAGED]
SIZES = [(40, 15), (80, 24), (120, 40), (200, 50)]


def form_of(app: WasabiApp) -> FormPage[GameWish]:
    assert isinstance(app.screen, FormPage)
    return app.screen


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from((-1, 1))), max_size=60))
def test_whatever_is_turned_the_table_can_be_played(turns: list[tuple[int, int]]) -> None:
    form, texts = NewGameForm(GameWish(), EDITIONS), Texts("en")
    for row, by in turns:
        fields = [field for group in form.groups(texts) for field in group.fields]
        form.turn(fields[row % len(fields)].id, by)
        wish = form.result
        named = [one for one in wish.others if one in RIVALS]
        assert 1 <= len(wish.others) <= 3
        assert set(wish.others) <= {BY_LOT, PERSON, *RIVALS}
        assert len(set(named)) == len(named), "a rival plays once"
        assert is_offered(wish.level, wish.edition, 1 + len(wish.others))


def test_a_value_that_is_turned_on_and_back_is_the_old_one() -> None:
    form, texts = NewGameForm(GameWish("classic", ("Udon", PERSON, BY_LOT)), EDITIONS), Texts("en")
    before = form.result
    for field in [field for group in form.groups(texts) for field in group.fields if not field.fixed]:
        form.turn(field.id, 1)
        assert form.result != before, field.id
        form.turn(field.id, -1)
        assert form.result == before, field.id


def test_everybody_sits_where_the_form_says() -> None:
    players = seat_players(["Ana", "Player 2"], (BY_LOT, PERSON, "Ponzu"), "hard", "seed")
    assert [player.name for player in players][::2] == ["Ana", "Player 2"]
    assert (players[3].name, players[3].bot) == ("Ponzu", "hard-blocker")
    assert players[1].name in set(RIVALS) - {"Ponzu"}


def test_a_table_of_people_alone_asks_for_no_level() -> None:
    form, texts = NewGameForm(GameWish(others=(PERSON,)), EDITIONS), Texts("en")
    assert "level" not in [field.id for group in form.groups(texts) for field in group.fields]


def test_a_level_that_is_not_offered_gives_way_and_the_form_says_so() -> None:
    form, texts = NewGameForm(GameWish("master", (BY_LOT, BY_LOT), "hard"), EDITIONS), Texts("en")
    form.turn("seats", 1)
    assert (len(form.result.others), form.result.level) == (3, "normal")
    level = next(field for field in form.groups(texts)[0].fields if field.id == "level")
    assert texts.say("new-game.no-better") in level.about


@pytest.mark.grid
@pytest.mark.parametrize("size", SIZES)
async def test_keys_walk_turn_and_start(size: tuple[int, int]) -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.press("2")
        await pilot.pause()
        await pilot.press("down", "right", "down", "down", "tab", "left", "shift+tab", "up", "left")
        assert form_of(app).form.result == GameWish("classic", (PERSON, BY_LOT), "easy")
        assert "a person here" in screen_words(app)
        await pilot.press("enter")
        await pilot.pause()
        table = next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))
        assert [player.bot is None for player in table.opened.game.players] == [True, True, False]
    assert games.reached.last is None, "Play now plays against bots"


@pytest.mark.parametrize("size", SIZES)
async def test_a_click_on_an_arrow_turns_its_value(size: tuple[int, int]) -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.press("2")
        await pilot.pause()
        page = form_of(app)
        for by, edition in ((1, "master"), (-1, "classic")):
            value = next(field.value for group in page.form.groups(app.texts) for field in group.fields)
            at = 0 if by < 0 else len(value) + 3
            await pilot.click(offset=place_of(app, f"‹ {value} ›", at))
            await pilot.pause()
            assert page.form.result.edition == edition
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.grid
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["omakase", "monochrome"])
async def test_every_field_is_shown_whole_with_a_sentence_about_it(
    size: tuple[int, int], language: str, theme: str
) -> None:
    app = WasabiApp(MemoryGames(Settings(language, theme, reduced_motion=True)), language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.press("2", "down", "left", "up")
        await pilot.pause()
        page = form_of(app)
        fields = [field for group in page.form.groups(app.texts) for field in group.fields]
        for _ in range(len(fields) - 1):
            field = page.chosen
            assert field is not None
            words = " ".join(screen_words(app).replace("│", " ").replace("|", " ").split())
            seen = in_ascii if app.paints.ascii else str
            assert seen(f"‹ {field.value} ›") in words
            assert all(seen(word) in words for word in field.about.split())
            await pilot.press("down")
        assert page.chosen == fields[0], "the cursor went once around, and passed your own seat"
