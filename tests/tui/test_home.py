"""Home: every way leads somewhere, by keys and by clicks."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from dataclasses import replace

import pytest
from textual import events
from textual.widgets import Input, OptionList

from tests.brokers import PATIENCE
from wasabi_tx.app.failure import Failure
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.values import GameWish, Opened, WaitingGame
from wasabi_tx.engine.scores import all_scores
from wasabi_tx.games.game import Player
from wasabi_tx.lessons.progress import LastGame, Progress
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.draw.belt import ON_IT, paint_belt
from wasabi_tx.tui.draw.lettering import lettering_width
from wasabi_tx.tui.forms.settings import GROUPS
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.home import MORE, PLAY, HomeScreen
from wasabi_tx.tui.screens.page import ListPage, TextPage
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.yes_no import YesNoPage
from wasabi_tx.tui.widgets.belt import Belt
from wasabi_tx.tui.widgets.field import Typed
from wasabi_tx.tui.widgets.ways import WayRow
from wasabi_tx.view.names import BY_LOT

from .memory_games import MemoryGames, played, seats
from .on_screen import place_of, screen_words
from .party import Party


def _to(way: str) -> list[str]:
    return ["down"] * (*PLAY, *MORE).index(way) + ["enter"]


@pytest.mark.parametrize(
    ("way", "screen"),
    [("play", TableScreen), ("table", FormPage), ("hotseat", FormPage), ("settings", FormPage), ("help", HelpPage)],
)
async def test_a_way_leads_to_its_screen(way: str, screen: type) -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*_to(way))
        await pilot.pause()
        assert isinstance(app.screen, screen)


async def test_the_record_counts_the_games_that_are_saved() -> None:
    games = MemoryGames()
    games.take_up(*played(10_000, "classic", seats(1, 1), "record"))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, TextPage)
        assert "of 1 game won." in screen_words(app)
        assert "You and Udon: " in screen_words(app)
        await pilot.press("escape", *_to("record")[:-1])
        await pilot.pause()
        assert "of 1 game won;" in screen_words(app), "where it is chosen"


async def test_a_click_on_a_way_takes_it() -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.click(offset=place_of(app, "Play now     "))
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_a_game_is_chosen_closed_continued_and_replayed() -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*_to("table"))
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        await pilot.press("q", "enter")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert "Continue with" in _menu(app), "the cursor is on the game that was closed"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.earlier is not None
        await pilot.press("q", "enter")
        await pilot.pause()
        await pilot.press(*["down"] * 4, "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
    assert len(games.files) == 1


async def test_a_page_in_a_browser_offers_no_way_that_needs_a_broker_of_its_own(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WasabiApp, "is_web", True)
    app = party.app(party.online())
    async with app.run_test(size=(80, 24)):
        menu = _menu(app)
        assert {"Join", "Watch", "Lobby"} <= set(menu.split())
        assert not {"Host", "Anybody"} & set(menu.split())


async def test_nothing_offers_to_continue_where_every_game_is_finished() -> None:
    games = MemoryGames()
    games.take_up(*played(10_000, "short-classic", seats(1, 1), "over"))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Continue" not in _menu(app)
        assert "Unfinished" not in _menu(app)
        await pilot.press("c", "u")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize(
    ("language", "continues", "about"),
    [
        ("en", "Continue with Udon", "First edition, turn {turn} · You: {mine}, Udon: {theirs}"),
        ("it", "Continua con Udon", "Prima edizione, turno {turn} · Tu: {mine}, Udon: {theirs}"),
    ],
)
async def test_home_says_which_game_can_be_continued_and_begins_with_it(
    language: str, continues: str, about: str
) -> None:
    games = MemoryGames()
    text, game = played(8, "classic", seats(1, 1), "left")
    games.take_up(text, game)
    mine, theirs = all_scores(game.last)
    stands = {"turn": game.last.turn, "mine": mine, "theirs": theirs}
    app = WasabiApp(games, language=language)
    async with app.run_test(size=(80, 24)) as pilot:
        words = _menu(app)
        assert continues in words
        assert about.format(**stands) in words
        assert f"{app.texts.say('table.turn', **stands)}, {mine} : {theirs}" in words
        assert app.texts.say("tui.home.unfinished") not in words, "there is no other one"
        assert app.screen.query_one(Belt).display
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.game.position.turn == game.last.turn


@pytest.mark.long
async def test_several_unfinished_games_are_chosen_from_a_list() -> None:
    games = MemoryGames()
    for seed in ("one", "two"):
        games.take_up(*played(3, "classic", seats(1, 1), seed))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert "Unfinished" in _menu(app)
        await pilot.press("u")
        await pilot.pause()
        assert isinstance(app.screen, ListPage)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.saved_as == "game-0"
        await pilot.press("q", "enter")
        await pilot.pause()
        await pilot.press("c")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.saved_as == "game-1", "the newest"


async def test_an_unfinished_game_is_deleted_after_a_question() -> None:
    games = MemoryGames()
    for seed in ("one", "two"):
        games.take_up(*played(3, "classic", seats(1, 1), seed))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("u")
        await pilot.pause()
        assert "delete" in screen_words(app)
        await pilot.press("delete")
        await pilot.pause()
        assert isinstance(app.screen, YesNoPage)
        await pilot.press("n")
        await pilot.pause()
        assert len(games.files) == 2
        for left in (1, 0):
            await pilot.press("delete")
            await pilot.pause()
            await pilot.press("y")
            await pilot.pause()
            assert len(games.files) == left
        assert isinstance(app.screen, HomeScreen), "nothing is left to list"
        assert "Continue" not in _menu(app)


@pytest.mark.grid
@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("left", [0, 1, 2])
@pytest.mark.parametrize("waiting", [0, 3])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (100, 34), (120, 36), (120, 40)])
async def test_nothing_at_home_lies_over_something_else(
    party: Party, size: tuple[int, int], waiting: int, left: int, learned: bool
) -> None:
    games = MemoryGames(reached=Progress(learned=frozenset({"classic"} if learned else ())))
    games.online = [WaitingGame(str(number), "Ana", "turn 9") for number in range(waiting)]
    for seed in ("one", "two")[:left]:
        games.take_up(*played(3, "classic", seats(1, 1), seed))
    app = WasabiApp(games, language="en", online=party.online)
    async with app.run_test(size=size):
        home = app.screen
        assert isinstance(home, HomeScreen)
        rows = [row for row in home.query(WayRow) if row.is_on_screen]
        assert tuple(row.way.id for row in rows) == home.ways
        cells = [(x, row.region.y) for row in rows for x in row.region.column_range]
        assert len(cells) == len(set(cells))
        assert all(y < size[1] - 1 for _, y in cells), "the keys have the last row"
        assert not home.query_one("#home").show_vertical_scrollbar


async def test_what_is_refused_is_said_and_home_stays() -> None:
    class Full(MemoryGames):
        def start(self, wish: GameWish, texts: Texts) -> Opened:
            raise Failure(f"[/bad] no room for {wish.people} {texts.language}")

    app = WasabiApp(Full(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert [note.message for note in app._notifications] == ["[/bad] no room for 1 en"]


async def test_every_setting_changes_at_once_and_is_kept() -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        for name in (name for names in GROUPS.values() for name in names):
            before = app.settings
            await pilot.press(*("Yuki" if name == "name" else ()), "enter" if name == "name" else "right")
            assert app.settings == replace(before, **{name: getattr(app.settings, name)})
            assert app.settings != before, name
            assert games.kept[-1] == app.settings
            await pilot.press("down")
        await pilot.press("down", "enter")
        await pilot.pause()
        assert Texts("it").say("tui.home.play") in _menu(app)


async def test_the_language_asked_for_at_the_start_holds_until_another_is_chosen() -> None:
    games = MemoryGames(Settings(language="it", reduced_motion=True))
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.texts.language == "en"
        await pilot.press("f2", "down", "right")
        assert app.texts.language == "it"
        assert games.kept[-1].language == "it"


async def test_the_name_is_typed_in_its_line_and_never_longer_than_a_name_may_be() -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f2")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, FormPage)
        line = page.query_one(Typed).line
        place = place_of(app, "your login name")
        await pilot.press(*"[/q] j", "x", "backspace")
        await pilot.pause()
        assert line.value == "[/q] j"
        assert place_of(app, "[/q] j") == place, "it is typed where it is shown"
        await pilot.press(*"0123456789", "enter")
        assert app.settings.name == "[/q] j012345"
        assert games.kept == [app.settings]
        await pilot.press(*"Bo", "escape", " ", "enter")
        assert app.settings.name == "[/q] j012345"
        assert isinstance(app.screen, FormPage), "Esc drops what is typed, and closes only then"
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


@pytest.mark.parametrize("size", [(20, 6), (40, 15), (200, 60)])
async def test_home_fits_every_terminal(size: tuple[int, int]) -> None:
    app = WasabiApp(MemoryGames(), language="it")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)
        assert app._exception is None


async def test_a_home_that_is_longer_than_the_screen_scrolls(party: Party) -> None:
    app = WasabiApp(MemoryGames(), language="en", online=party.online)
    async with app.run_test(size=(40, 9)) as pilot:
        await pilot.pause()
        home, ways = app.screen.query_one("#home"), app.screen.query(WayRow)
        assert home.show_vertical_scrollbar
        app.post_message(events.MouseScrollDown(None, 10, 5, 0, 1, 0, False, False, False))
        await pilot.pause()
        assert home.scroll_y > 0
        await pilot.press("pageup")
        await pilot.wait_for_animation()
        assert home.scroll_y == 0
        await pilot.press("up")
        await pilot.wait_for_animation()
        assert screen_words(app).count("▸q Quit") == 1, "the cursor is where one sees it"
        await pilot.hover(offset=place_of(app, "Settings"))
        assert [row.way.id for row in ways if row.mouse_hover] == ["settings"]


def _first(options: OptionList) -> str:
    return str(options.get_option_at_index(0).prompt).lower() if options.option_count else ""


async def test_the_palette_finds_actions_and_themes() -> None:
    app = WasabiApp(MemoryGames(), language="it")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert app.screen.query_one(Input).placeholder == Texts("it").say("tui.search")
        await pilot.press(*"washi")
        options = app.screen.query_one(OptionList)
        async with asyncio.timeout(PATIENCE):
            while "washi" not in _first(options):
                await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert app.settings.theme == "washi"


async def test_a_list_that_is_longer_than_the_screen_scrolls_and_says_how_to_close_it() -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 10)) as pilot:
        page = ListPage("numbers", [(str(number), str(number)) for number in range(20)])
        app.push_screen(page)
        await pilot.pause()
        foot = page.query_one("#foot")
        assert foot.region.height == 1
        assert foot.region.bottom < 10
        options = page.query_one(OptionList)
        await pilot.press("end")
        await pilot.pause()
        assert options.highlighted == options.option_count - 1
        assert options.scroll_offset.y > 0


@pytest.mark.parametrize(("columns", "heard"), [(80, []), (81, [signal.SIGWINCH])])
async def test_a_terminal_whose_signal_was_lost_is_still_followed(
    columns: int, heard: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[int] = []
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)):
        monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((columns, 24)))
        monkeypatch.setattr(signal, "raise_signal", raised.append)
        monkeypatch.setattr(WasabiApp, "is_headless", False)
        app.follow_terminal()
        monkeypatch.undo()
    assert raised == heard


async def test_a_screen_that_was_not_told_of_a_size_takes_it_over(monkeypatch: pytest.MonkeyPatch) -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        never = app.set_interval(3600, lambda: None)
        monkeypatch.setattr(app, "set_timer", lambda *_args, **_options: never)
        await pilot.resize_terminal(120, 40)
        assert app.screen.outer_size == (80, 24)
        app.follow_terminal()
        await pilot.pause()
        assert app.screen.outer_size == (120, 40)
    assert not app.screen_stack
    app.follow_terminal()  # The last tick of an app that has ended finds no screen.


async def test_home_lists_what_is_online_only_where_there_is_any(party: Party) -> None:
    for online in (None, party.online):
        app = WasabiApp(MemoryGames(), language="en", online=online)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            words = _menu(app)
            assert ("Host" in words) == (online is not None)
            assert ("Lobby" in words) == (online is not None)


@pytest.mark.parametrize(("language", "box"), [("en", "W A S A B I !"), ("it", "S U S H I !")])
async def test_home_is_called_as_the_box_is_called_in_that_language(language: str, box: str) -> None:
    assert lettering_width(Texts(language).say("tui.brand")), "it can be written in blocks"
    app = WasabiApp(MemoryGames(), language=language)
    async with app.run_test(size=(60, 24)):
        assert box in _menu(app)


@pytest.mark.parametrize(("key", "screen"), [("1", TableScreen), ("2", FormPage), ("5", FormPage)])
async def test_every_way_has_a_key_of_its_own(key: str, screen: type) -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(app.screen, screen)


async def test_left_and_right_go_to_the_same_row_of_the_other_column(party: Party) -> None:
    app = WasabiApp(MemoryGames(), language="en", online=party.online)
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen
        assert isinstance(home, HomeScreen)
        await pilot.press("down", "right")
        assert home.chosen == "join"
        await pilot.press("left")
        assert home.chosen == "table"


async def test_the_belt_runs_while_somebody_is_there_and_then_rests() -> None:
    app = WasabiApp(MemoryGames(Settings(reduced_motion=False, bell=False)), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        home = app.screen
        assert isinstance(home, HomeScreen)
        belt = home.query_one(Belt)
        assert belt.display
        before = belt.canvas
        home.move_belt()
        assert belt.canvas.rows != before.rows
        for _ in range(250):
            home.move_belt()
        rests = belt.canvas
        home.move_belt()
        assert belt.canvas is rests
        await pilot.press("down")
        home.move_belt()
        assert belt.canvas is not rests


async def test_with_reduced_motion_the_belt_never_runs() -> None:
    app = WasabiApp(MemoryGames(Settings(reduced_motion=True, bell=False)), language="en")
    async with app.run_test(size=(80, 24)):
        home = app.screen
        assert isinstance(home, HomeScreen)
        belt = home.query_one(Belt)
        before = belt.canvas
        home.move_belt()
        assert belt.canvas is before


async def test_the_belt_has_no_end() -> None:
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)):
        paints = app.paints
    for large in (False, True):
        pitch = len((paints.pictures.large if large else paints.pictures.middle)["Sa"][0]) + 4
        round_trip = 6 * pitch * len(ON_IT)
        first, later = paint_belt(paints, 100, large), paint_belt(paints, 100, large, round_trip)
        assert first.rows == later.rows


WAITING = [
    WaitingGame("abc", "Ana, Bo", "turn 9 · your move since yesterday 23:58"),
    WaitingGame("def", "Chiara", "turn 3 · waiting for Chiara since 10:15"),
]


def _menu(app: WasabiApp) -> str:
    return screen_words(app)


@pytest.mark.parametrize(
    ("language", "alone", "continues"), [("en", "alone", "Continue"), ("it", "nessun altro", "Continua")]
)
async def test_a_game_in_which_one_is_alone_is_just_continued(
    party: Party, language: str, alone: str, continues: str
) -> None:
    games, online = MemoryGames(), party.online()
    games.online = [WaitingGame("abc", alone, "")]
    app = WasabiApp(games, language=language, online=lambda: online)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        button = next(line for line in _menu(app).splitlines() if continues in line)
        assert alone not in button


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
async def test_home_begins_with_the_games_that_wait(party: Party, size: tuple[int, int]) -> None:
    app = party.app(party.online())
    assert isinstance(app.games, MemoryGames)
    app.games.online = list(WAITING)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        words = _menu(app)
        assert words.index("Ana, Bo") < words.index("Chiara") < words.index("Play now")
        assert "your move since yesterday" in words
        assert ("Continue with Ana, Bo" in words) == (size > (60, 20)), "a list has no button"
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        assert screen.ways[0] == "table:abc"
        await pilot.press("left")
        assert screen.chosen == "table:abc", "there is nothing beside a game"
        await pilot.press("down", "down", "right")
        assert screen.chosen == "host"
        await pilot.press("2")
        await pilot.pause()
        assert isinstance(app.screen, FormPage)
        assert screen.chosen == "table", "digits mean what they meant before"


async def test_enter_at_home_goes_on_with_the_first_game_that_waits(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    online = party.online()
    taken = []

    async def resume(name: str, _texts: Texts) -> None:
        taken.append(name)
        raise Failure("nobody is there")

    monkeypatch.setattr(online, "resume", resume)
    app = party.app(online)
    assert isinstance(app.games, MemoryGames)
    app.games.online = list(WAITING)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert taken == ["abc", "def"]


async def test_what_was_chosen_stays_chosen_when_a_game_begins_to_wait(party: Party) -> None:
    app = party.app(party.online())
    games = app.games
    assert isinstance(games, MemoryGames)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down")
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        assert screen.chosen == "table"
        games.online = list(WAITING)
        screen._look_for_games()
        assert (screen.chosen, screen.ways.index("table")) == ("table", 3)
        games.online = []
        screen._look_for_games()
        assert (screen.chosen, screen.ways.index("table")) == ("table", 1)


@pytest.mark.long
async def test_play_now_remembers_the_last_game_against_bots() -> None:
    games = MemoryGames()
    app = WasabiApp(games, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        assert "one bot, 15 minutes" in _menu(app)
        await pilot.press(*_to("table"))
        await pilot.pause()
        await pilot.press("right", "down", "right", "down", "left", "down", "down", "right", "enter")
        await pilot.pause()
        # Whoever plays another edition for the first time is offered its lesson.
        await pilot.press("down", "enter")
        await pilot.pause()
        await pilot.press("q", "enter")
        await pilot.pause()
        assert games.reached.last == LastGame("master", ("Udon", BY_LOT), "easy")
        assert "2 bots" in _menu(app)
        await pilot.press("down")
        assert "Second edition, 2 bots, as last time" in _menu(app)
        assert "one bot" not in _menu(app)
        assert app.last_wish == GameWish("master", ("Udon", BY_LOT), "easy")
        await pilot.press("1")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.game.rules.edition.id == "master"
        assert app.screen.opened.game.players[1] == Player("Udon", "easy-builder")
        assert len(app.screen.opened.game.players) == 3


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("keys", "lesson"), [(("enter",), True), (("down", "enter"), False)])
async def test_whoever_knows_the_game_is_offered_the_lesson_of_another_edition_once(
    language: str, keys: tuple[str, ...], lesson: bool
) -> None:
    games = MemoryGames(reached=Progress(learned=frozenset({"classic"})))
    app = WasabiApp(games, language=language)
    texts = Texts(language)
    async with app.run_test(size=(80, 24)) as pilot:
        for first in (True, False):
            await pilot.press("2")
            await pilot.pause()
            await pilot.press(*(["right"] if first or lesson else []), "enter")
            await pilot.pause()
            offered = isinstance(app.screen, ListPage)
            assert offered is first
            if offered:
                assert texts.say("tui.new-edition.learn") in screen_words(app)
                await pilot.press(*keys)
                await pilot.pause()
            assert isinstance(app.screen, TableScreen)
            assert (app.screen.guiding is not None) is (lesson and first)
            assert app.screen.opened.game.rules.edition.id == "master"
            app.pop_screen()
            await pilot.pause()


async def test_whoever_is_new_to_the_game_is_offered_no_lesson_of_what_is_different() -> None:
    app = WasabiApp(MemoryGames(reached=Progress()), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("2")
        await pilot.pause()
        await pilot.press("right", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert app.screen.opened.game.rules.edition.id == "master"


def test_an_edition_that_is_gone_is_not_played_again() -> None:
    games = MemoryGames(reached=Progress(last=LastGame("my-box", ("Udon", BY_LOT), "easy")))
    assert WasabiApp(games, language="en").last_wish == GameWish()


def test_a_rival_whom_nobody_knows_any_more_is_drawn_by_lot() -> None:
    games = MemoryGames(reached=Progress(last=LastGame("classic", ("Udon", "Tofu"), "easy")))
    assert WasabiApp(games, language="en").last_wish == GameWish("classic", ("Udon", BY_LOT), "easy")
