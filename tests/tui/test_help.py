"""Help with pictures: everything on a table is drawn as it looks there, with a sentence that is never cut."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.widgets import TabbedContent

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.games.game import Player
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.text.topics import find_topic, find_topics
from wasabi_tx.tui.canvas import Canvas
from wasabi_tx.tui.draw.legend import LegendPicture, paint_legend
from wasabi_tx.tui.draw.sheet import Means
from wasabi_tx.tui.draw.who import WhoPicture
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.views.board_view import ingredients

from .memory_games import MemoryGames, app_at
from .on_screen import screen_words, table_of

KEYS = {"accept": "Enter", "under": "v"}
ONLY = {"classic": {"cup"}, "master": {"wasabi", "tokens", "in-hand"}}
"""Sentences about what an edition does not have."""


def means_in(theme_id: str, language: str, edition: str) -> Means:
    games = MemoryGames()
    theme = next(one for one in games.themes()[0] if one.id == theme_id)
    paints = Paints(textual_theme(theme), "letters", games.pictures()[0])
    return Means(paints, Texts(language), ingredients(rules_for(edition, 2).edition), {}, KEYS)


@pytest.mark.parametrize("width", [34, 74, 94])
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize("theme", ["omakase", "terminal", "monochrome"])
def test_every_sentence_is_there_whole(theme: str, edition: str, language: str, width: int) -> None:
    means = means_in(theme, language, edition)
    canvas = paint_legend(rules_for(edition, 2).edition, means, width)
    assert canvas.width == width
    seen = {word for y in range(canvas.height) for word in canvas.words(y).split()}
    for key in Texts(language).words("help"):
        if key not in ONLY[edition] | {"board", "signs"}:
            missing = [one for one in means.texts.say(f"help.{key}", **KEYS).split() if one not in seen]
            assert not missing, (key, missing)


def title_of(language: str, edition: str, name: str) -> str:
    topic = find_topic(language, edition, name)
    assert topic is not None
    return topic.title


async def test_the_keys_of_a_table_come_first_and_pictures_follow() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, HelpPage)
        assert "do what the green button says" in screen_words(app)
        picture = page.query_one(LegendPicture)
        assert Texts("en").say("help.board").upper() in picture.words
        assert picture.size == (picture.canvas.width, picture.canvas.height)
        await pilot.resize_terminal(40, 15)
        await pilot.pause()
        assert picture.canvas.width <= 36


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", ["classic", "master"])
async def test_help_has_four_pages_and_the_rules_fit_on_one(edition: str, language: str) -> None:
    app, texts = app_at(8, edition=edition, language=language), Texts(language)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        page, shown = app.screen, []
        assert isinstance(page, HelpPage)
        for _ in range(4):
            shown.append(page.query_one(TabbedContent).active)
            if page.lines[0].words == title_of(language, edition, "short"):
                pane = page.query_one(f"#{shown[-1]} VerticalScroll")
                assert pane.max_scroll_y == 0, "all of it is seen"
                assert all(word in screen_words(app) for line in page.lines for word in line.text.split())
            await pilot.press("tab")
            await pilot.pause()
        assert len(set(shown)) == 4
        assert page.query_one(TabbedContent).active == shown[0]
        await pilot.press("left")
        await pilot.pause()
        assert page.lines[0].words == title_of(language, edition, "rulings")
        for name in ("keys", "short", "topics", "rulings"):
            assert texts.say(f"help-page.{name}") in screen_words(app)


async def test_letters_pick_lines_of_all_pages_and_every_tab_says_how_many() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", *"wasabi cube", "tab", "tab")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, HelpPage)
        told = [line for line in page.lines if line.words]
        assert "take one cube at once" in " ".join(line.words for line in told)
        assert not page.query_one(LegendPicture).display
        found = [line for line in told if "wasabi" in line.text.casefold() and "cube" in line.text.casefold()]
        titles = [line for line in told if line.style]
        assert found
        count = len(told) - len(titles)
        assert f"{Texts('en').say('help-page.topics')} {count}" in screen_words(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HelpPage), "Esc clears what was typed"
        assert f"{Texts('en').say('help-page.topics')} {count}" not in screen_words(app)
        assert page.query_one(LegendPicture).display
        await pilot.press(*"xyzzy")
        await pilot.pause()
        assert Texts("en").say("help-page.none") in screen_words(app)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_a_click_on_a_title_opens_its_page_where_keys_scroll_and_letters_pick() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        page = app.screen
        await pilot.click("#--content-tab-help-rulings")
        await pilot.pause()
        assert isinstance(page, HelpPage)
        assert page.lines[0].words == title_of("en", "classic", "rulings")
        await pilot.press("pagedown")
        await pilot.pause()
        assert page.query_one("#help-rulings VerticalScroll").scroll_y > 0
        await pilot.press(*"chop")
        await pilot.pause()
        assert page.query_one("#help-rulings VerticalScroll").scroll_y == 0, (
            "letters go into the line after a click, too"
        )
        assert all("chop" in line.text.casefold() for line in page.lines[1:] if line.words and not line.style)


@pytest.mark.parametrize(("language", "commands"), [("en", r"[Tt]ype|[Pp]ress"), ("it", r"[Ss]criv|[Pp]remi")])
@pytest.mark.parametrize("edition", ["classic", "master"])
def test_the_rules_on_the_screen_name_neither_words_to_type_nor_a_key(
    edition: str, language: str, commands: str
) -> None:
    for topic in find_topics(language, edition):
        assert not re.search(rf"\b({commands})", topic.text), topic.text
        assert not topic.text.startswith(">")


@pytest.mark.grid
@pytest.mark.parametrize(("edition", "key"), [("classic", "w"), ("master", "ctrl+w")])
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 15)])
@pytest.mark.long
async def test_the_players_page_shows_everybody_and_what_they_completed(
    edition: str, key: str, size: tuple[int, int]
) -> None:
    app = app_at(14, edition=edition, bots=2)
    async with app.run_test(size=size) as pilot:
        await pilot.press(key)
        await pilot.pause()
        words = app.screen.query_one(WhoPicture).words
        table = table_of(app)
        for seat, view in zip(table.opened.game.position.seats, table.followed.view().seats, strict=True):
            assert ("You" if view.you else view.name) in words
            for done in seat.claimed:
                assert table.opened.game.rules.edition.recipes[done.recipe].names["en"][:8] in words
        assert max(map(len, words.splitlines())) <= size[0] - 4


@pytest.mark.parametrize("size", [(80, 24), (40, 15)])
async def test_the_players_page_tells_what_a_rival_is_like(size: tuple[int, int]) -> None:
    app = app_at(3, players=(Player("Ana"), Player("Ponzu", "normal-blocker")))
    async with app.run_test(size=size) as pilot:
        await pilot.press("w")
        await pilot.pause()
        words = app.screen.query_one(WhoPicture).words.split()
        assert [one for one in Texts("en").say("seat.about.blocker").split() if one not in words] == []


def test_a_canvas_is_pasted_at_any_place_and_what_lies_outside_is_left_out() -> None:
    other = Canvas(3, 1, 7)
    other.text(0, 0, "abc", 1)
    for x, words in ((-3, ""), (-2, "c"), (-1, "bc"), (0, "abc"), (3, "   ab"), (5, ""), (9, "")):
        canvas = Canvas(5, 1, 0)
        canvas.paste(other, x, 0)
        assert canvas.words(0) == words, x
        assert [len(row) for row in canvas.rows[0]] == [5] * 5


def test_a_user_edition_with_one_base_tile_has_a_legend_too() -> None:
    edition = rules_for("classic", 2).edition
    few = replace(edition, ingredients=edition.ingredients[:3])
    assert paint_legend(few, means_in("omakase", "en", "classic"), 74).height > 5
