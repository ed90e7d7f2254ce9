"""The end page: it fits every terminal, everything on it works by key and click, and it can be shared."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from textual import events

from tests.brokers import PATIENCE
from wasabi_tx.app.game_page.page import game_in
from wasabi_tx.app.local_games import LocalGames
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import Opened
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.draw.ending import banner_words, paint_ending
from wasabi_tx.tui.draw.sheet import Means
from wasabi_tx.tui.paints import Paints
from wasabi_tx.tui.screens.ending import LOOKED_AT, RISING, TICK, EndPage, EndPicture
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.views.panel_views import RaceView
from wasabi_tx.tui.widgets.table.race import race_canvas
from wasabi_tx.view.table.ending import Completed, Ending, SeatEnding, result_card

from .memory_games import MemoryGames, played, seats
from .on_screen import place_of, screen_rows

SIZES = [(120, 40), (80, 24), (40, 15), (200, 50)]


def over(edition: str = "short-classic", bots: int = 1, **settings: object) -> tuple[MemoryGames, Opened]:
    games = MemoryGames(Settings(reduced_motion=True, bell=False, notes=False))
    for name, value in settings.items():
        object.__setattr__(games.preferred, name, value)
    return games, games.take_up(*played(10_000, edition, seats(1, bots), "over"))


def app_over(edition: str = "short-classic", bots: int = 1, language: str = "en", **settings: object) -> WasabiApp:
    games, opened = over(edition, bots, **settings)
    return WasabiApp(games, opened=opened, language=language)


def page_of(app: WasabiApp) -> EndPage:
    assert isinstance(app.screen, EndPage)
    return app.screen


@pytest.mark.grid
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("edition", ["short-classic", "short-master"])
@pytest.mark.parametrize(("theme", "glyphs"), [("omakase", "letters"), ("hinoki", "emoji"), ("terminal", "ascii")])
@pytest.mark.long
async def test_everything_is_within_the_screen_at_every_size(
    size: tuple[int, int], edition: str, theme: str, glyphs: str
) -> None:
    app = app_over(edition, 3, "it", theme=theme, glyphs=glyphs)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        page = page_of(app)
        words = page.query_one(EndPicture).words
        for result in page.ending.results:
            assert str(result.total) in words
            for recipe in result.recipes:
                assert recipe.worth in words
        assert max(len(line) for line in words.splitlines()) <= size[0]
        foot = " ".join(screen_rows(app)[-2:])
        assert "Invio" in foot
        assert "Esc" in foot, "how to leave is always said"


async def test_the_result_is_copied_as_lines_of_text() -> None:
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("c")
        assert app.clipboard == result_card(page_of(app).ending, Texts("en"))
        first, *rest = app.clipboard.splitlines()
        assert first.startswith("Wasabi TX · ")
        assert [line[:2] for line in rest[:2]] == ["1.", "2."]
        assert all(len(line) <= 72 for line in rest)


async def test_the_result_is_saved_as_a_picture_that_is_xml() -> None:
    app = app_over()
    async with app.run_test(size=(40, 15)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        await pilot.pause()
        assert isinstance(app.games, MemoryGames)
        (svg,) = app.games.pictures_saved
        words = "".join(ElementTree.fromstring(svg).itertext())
        assert "Udon" in words
        assert "HOW THE POINTS WERE MADE" in " ".join(words.split()), "all of it, also on a small terminal"
        assert any("result.svg" in note.message for note in app._notifications)


async def test_a_page_of_the_game_is_made_from_its_replay_and_from_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WASABI_TX_HOME", str(tmp_path))
    (tmp_path / "games").mkdir()
    text, _ = played(10_000, "classic", seats(1, 1), "over")
    (tmp_path / "games" / "ours.txt").write_text(text, encoding="utf-8")
    games, page = LocalGames("en"), tmp_path / "games" / "ours.html"
    app = WasabiApp(games, language="en", replay=games.read("ours.txt", Texts("en")), replay_file="ours.txt")
    async with app.run_test(size=(80, 24)) as pilot:
        for screen in (ReplayScreen, EndPage):
            await pilot.pause()
            assert isinstance(app.screen, screen)
            await pilot.press("m")
            await app.workers.wait_for_complete()
            assert game_in(page.read_text(encoding="utf-8")) == text
            assert any("ours.html" in note.message for note in app._notifications)
            page.unlink()
            await pilot.press("s")


async def test_a_notice_does_not_cover_what_is_opened_after_it() -> None:
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, EndPage)
        await pilot.press("s")
        await pilot.pause()
        assert len(app._notifications) == 1
        await pilot.press("w")
        await pilot.pause()
        assert len(app._notifications) == 0


async def test_every_key_can_be_clicked() -> None:
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.click(offset=place_of(app, Texts("en").say("tui.end.replay_game")))
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)


async def test_a_replay_ends_with_the_result_and_one_can_go_back_to_it() -> None:
    games, opened = over()
    app = WasabiApp(games, language="en", replay=games.read(opened.saved_as, Texts("en")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        await pilot.pause()
        page = page_of(app)
        assert page.ending.you == 0
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        await pilot.press("end", "enter")
        await pilot.pause()
        page_of(app)
        await pilot.press("enter")
        await pilot.pause()
        again = app.screen
        assert isinstance(again, ReplayScreen)
        assert again.at == 0, "the game again from its beginning"


async def test_a_replay_of_a_game_that_goes_on_has_no_result() -> None:
    games = MemoryGames()
    opened = games.take_up(*played(6, "short-classic", seats(1, 1), "over"))
    app = WasabiApp(games, language="en", replay=games.read(opened.saved_as, Texts("en")))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("s", "end", "right")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        assert "result" not in app.screen.query_one("#keys").words  # type: ignore[attr-defined]


async def test_escape_closes_the_table() -> None:
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("b")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        await pilot.press("enter")
        await pilot.pause()
        page_of(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app._exit


async def test_the_wheel_and_the_keys_scroll_a_result_that_is_longer_than_the_screen() -> None:
    app = app_over(bots=3)
    async with app.run_test(size=(40, 15)) as pilot:
        await pilot.pause()
        ending = page_of(app).query_one("#ending")
        await pilot._post_mouse_events([events.MouseScrollDown], ending, offset=(5, 5))
        await pilot.pause()
        assert ending.scroll_y > 0
        await pilot.press("end")
        await pilot.pause()
        assert ending.scroll_y == ending.max_scroll_y
        await pilot.press("home", "pagedown", "up")
        await pilot.pause()
        assert 0 < ending.scroll_y < ending.max_scroll_y


@pytest.mark.parametrize("key", ["enter", "space"])
async def test_who_presses_enter_in_rhythm_sees_the_result_before_another_game_begins(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("wasabi_tx.tui.screens.ending.monotonic", lambda: now)
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        page = page_of(app)
        now += LOOKED_AT - 0.1
        await pilot.press(key, key)
        await pilot.pause()
        assert app.screen is page
        now += 0.2
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_a_click_on_a_new_result_is_meant_and_a_result_that_is_opened_again_waits_for_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wasabi_tx.tui.screens.ending.monotonic", lambda: 1000.0)
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.click(offset=place_of(app, "Enter"))
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
    app = app_over()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("b", "enter")
        await pilot.pause()
        page_of(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_the_podium_rises_once_and_any_key_skips_it() -> None:
    app = app_over(reduced_motion=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        page = page_of(app)
        page._rises.pause()
        page._shown = 0.0
        for _ in range(round(RISING / TICK) - 1):
            page._rise()
        assert page._shown < 1.0
        before = page.query_one(EndPicture).words
        await pilot.press("down")
        assert page._shown == 1.0
        assert page.query_one(EndPicture).words != before
        await pilot.press("b", "enter")
        await pilot.pause()
        assert page_of(app)._shown == 1.0, "it has risen already"


def ending(*totals: int, winners: tuple[int, ...] = (0,), names: tuple[str, ...] = ("Ana", "Bo", "Chiara")) -> Ending:
    results = tuple(
        SeatEnding(
            seat, names[seat], False, seat in winners, 1 + sum(one > total for one in totals),
            (Completed("Tekkamaki", total, 0),) if total else (), total, 0, total,
        )
        for seat, total in enumerate(totals)
    )  # fmt: skip
    race = (tuple(0 for _ in totals), totals)
    return Ending("Classic", "board", tuple(names[seat] for seat in winners), False, results, 9, race)


@pytest.fixture
def means() -> Means:
    (theme, *_), _ = MemoryGames().themes()
    return Means(Paints(textual_theme(theme), "letters"), Texts("en"), {}, {}, {})


@pytest.mark.parametrize(
    ("name", "width", "words"),
    [("Ana", 120, "ANA WINS!"), ("Ana", 80, "ANA!"), ("Ana", 30, ""), ("Zoë", 120, ""), ("寿司", 120, "")],
)
def test_the_winner_is_written_in_blocks_where_there_are_letters_and_room(
    means: Means, name: str, width: int, words: str
) -> None:
    assert banner_words(ending(9, 5, names=(name, "Bo")), means, width) == words


@pytest.mark.parametrize("totals", [(0, 0), (7, 7), (9, 0), (-3, 2), (120, 4, 33)])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_any_scores_can_be_drawn(means: Means, totals: tuple[int, ...], width: int) -> None:
    best = max(range(len(totals)), key=lambda seat: totals[seat])
    for height in (15, 24, 40):
        for shown in (0.0, 0.3, 0.8, 1.0):
            canvas = paint_ending(ending(*totals, winners=(best,)), means, width, height, shown)
            assert canvas.width == width
        words = "\n".join(canvas.words(y) for y in range(canvas.height))
        assert all(str(total) in words for total in totals)


@pytest.mark.parametrize("height", [24, 40])
def test_who_has_left_reads_that_they_have_and_not_that_the_others_did(means: Means, height: int) -> None:
    view = ending(0, 0, winners=(1,))
    view = replace(view, ending="abandoned", you=0, results=(replace(view.results[0], gone=True), view.results[1]))
    canvas = paint_ending(view, means, 120, height)
    words = "\n".join(canvas.words(y) for y in range(canvas.height))
    assert "You left the game." in words
    assert "everybody else" not in words.lower()
    assert "0 to 0" not in words
    canvas = paint_ending(replace(view, you=1), means, 120, height)
    words = "\n".join(canvas.words(y) for y in range(canvas.height))
    assert "everybody else has left" in words.lower(), "so it is for who stayed"


@pytest.mark.parametrize(
    ("top", "labels"), [(0, ["1", "0"]), (1, ["1", "0"]), (2, ["2", "1", "0"]), (30, ["30", "13", "0"])]
)
def test_a_number_stands_only_once_beside_the_race(means: Means, top: int, labels: list[str]) -> None:
    canvas = race_canvas(RaceView(((0, 0), (top, 0)), ("Ana", "Bo"), 0), means, 60, 9)
    assert [label for y in range(1, 9) if (label := canvas.words(y)[:4].strip())] == labels


def test_a_draw_has_two_firsts(means: Means) -> None:
    view = ending(7, 7, 3, winners=(0, 1))
    assert [result.place for result in view.ranked] == [1, 1, 3]
    assert banner_words(view, means, 120) == "A DRAW!"


def test_facts_are_told_only_of_who_is_alone_in_front() -> None:
    view = ending(9, 5)
    assert view.longest_lead is not None
    assert tuple(view.longest_lead) == (0, 1)
    assert view.most_cubes is None
    assert view.best_recipe is not None
    assert view.best_recipe[1].name == "Ana"
    assert ending(0, 0).longest_lead is None
    assert ending(0, 0).best_recipe is None


async def test_the_result_says_how_one_stands_with_those_who_played() -> None:
    games = MemoryGames()
    for seed in ("record", "over"):
        opened = games.take_up(*played(10_000, "short-classic", seats(1, 1), seed))
    app = WasabiApp(games, opened=opened, language="en")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        async with asyncio.timeout(PATIENCE):
            while "You against Udon " not in "\n".join(screen_rows(app)):
                await pilot.pause(0.01)
