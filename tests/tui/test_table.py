"""The table under rough handling: any size at any moment, garbage, strangers' names, other languages and themes."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.widgets import OptionList, Static
from textual.widgets._toast import Toast, ToastRack

from tests.brokers import PATIENCE
from wasabi_tx.app.settings import Settings
from wasabi_tx.app.theme import parse_theme
from wasabi_tx.app.values import Opened
from wasabi_tx.engine.scores import all_scores
from wasabi_tx.games.game import Can
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.draw.ending import banner_words
from wasabi_tx.tui.screens.book import BookPage
from wasabi_tx.tui.screens.curtain import Curtain
from wasabi_tx.tui.screens.ending import EndPage, EndPicture
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.page import TextPage
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.textual_theme import textual_theme
from wasabi_tx.tui.widgets.painted import Painted
from wasabi_tx.tui.widgets.table.board import Board
from wasabi_tx.tui.widgets.table.notice import Notice
from wasabi_tx.tui.widgets.table.shape import LEAST_HEIGHT, LEAST_WIDTH, SECTIONS

from .memory_games import MemoryGames, app_at, played, seats
from .on_screen import screen_words, shown, squares_on, table_of, table_words
from .player import Person

QUIET = Settings(reduced_motion=True, bell=False)


@pytest.mark.long
async def test_resizing_at_any_moment_breaks_nothing() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in ((120, 40), (10, 3), (40, 15), (160, 50), (1, 1), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.press("1", "right")
            await pilot.press("escape")
        await pilot.pause()
        assert "YOUR TURN" in shown(app, "header")
        assert table_of(app).query_one("#board").display


@pytest.mark.grid
@pytest.mark.parametrize("edition", ["classic", "master"])
@pytest.mark.parametrize("theme", ["omakase", "monochrome"])
@pytest.mark.long
async def test_with_ascii_alone_nothing_else_reaches_the_terminal(theme: str, edition: str) -> None:
    settings = Settings(theme=theme, glyphs="ascii", reduced_motion=True, bell=False)
    app = app_at(20, edition=edition, settings=settings)
    async with app.run_test(size=(80, 24)) as pilot:
        for size in ((80, 24), (120, 40), (200, 50), (40, 15)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            written = "".join(strip.text for strip in app.screen._compositor.render_strips())
            assert written.isascii(), {char for char in written if not char.isascii()}


async def test_a_long_turn_has_a_clock_in_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("wasabi_tx.tui.screens.table.screen.monotonic", lambda: now)
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        assert "YOUR TURN  " in shown(app, "header")
        now += 42
        table_of(app)._tick()
        assert "YOUR TURN 0:40  " in shown(app, "header"), "motion is reduced here"
        await pilot.press("1", "escape")
        assert "YOUR TURN 0:40  " in shown(app, "header")
        await pilot.resize_terminal(10, 3)
        now += 10
        table_of(app)._tick()
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert "YOUR TURN 0:50  " in shown(app, "header")


@pytest.mark.parametrize("way", ["v", "escape", "place"])
async def test_looking_underneath_is_told_and_ends(way: str) -> None:
    app = app_at(30)
    async with app.run_test(size=(80, 24)) as pilot:
        table = table_of(app)
        board = table.query_one(Board)
        covered = [look.cover for look in squares_on(board)]
        assert "wasabi" in covered
        await pilot.press("v")
        assert "underneath (v)" in shown(app, "header")
        assert sum(look.cover == "" for look in squares_on(board)) > covered.count("")
        plan = table.followed.plan
        assert plan is not None
        square = plan.rules.grid.names[plan.draft.position.board.free.index(1)]
        await pilot.press(*(["1", *square] if way == "place" else [way]))
        assert bool(plan.draft.steps) == (way == "place")
        assert "underneath" not in shown(app, "header")
        assert [look.cover for look in squares_on(board)] == covered
        if plan.draft.steps:
            await pilot.press("backspace")
            assert "underneath" not in shown(app, "header"), "what was put back stays there"


async def test_whoever_only_watches_puts_everything_back_by_esc_too(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_at(30)
    async with app.run_test(size=(80, 24)) as pilot:
        monkeypatch.setattr(type(table_of(app).opened.game), "can", Can.NOTHING)
        table_of(app).followed.plan = None
        await pilot.press("v")
        assert "underneath (v)" in shown(app, "header")
        await pilot.press("escape")
        assert "underneath" not in shown(app, "header")
        assert not app._notifications


async def test_looking_underneath_ends_with_the_turn() -> None:
    app = app_at(30)
    async with app.run_test(size=(80, 24)) as pilot:
        table = table_of(app)
        assert table.followed.plan is not None
        table.followed.plan = None
        await pilot.press("v")
        assert "underneath (v)" in shown(app, "header")
        table.followed.renew_plan()
        await Person(pilot, mouse=False).play_turn()
        assert "underneath" not in shown(app, "header")


async def test_a_tiny_terminal_gets_a_polite_notice_and_the_game_waits() -> None:
    app = app_at(8)
    async with app.run_test(size=(39, 14)) as pilot:
        await pilot.pause()
        assert app.screen.get_widget_at(20, 5)[0] is table_of(app).query_one(Notice), "it covers the table"
        assert " ".join(shown(app, "notice").splitlines()).startswith("This terminal is too small")


async def test_the_notice_breaks_no_word() -> None:
    app = app_at(8)
    async with app.run_test(size=(30, 8)) as pilot:
        await pilot.pause()
        words = Texts("en").say("tui.too-small", width=LEAST_WIDTH, height=LEAST_HEIGHT)
        assert " ".join(shown(app, "notice").split()) == words


@pytest.mark.grid
@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize("size", [(40, 15), (60, 20), (72, 20), (60, 40)])
async def test_where_panels_are_hidden_the_footer_says_how_to_see_them(size: tuple[int, int], language: str) -> None:
    app = app_at(8, language=language)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert table_of(app).table.tiny
        assert "Tab" in shown(app, "keys")


async def test_the_small_table_shows_its_panels_by_tab() -> None:
    app = app_at(8)
    async with app.run_test(size=(40, 15)) as pilot:
        await pilot.pause()
        seen = []
        for _ in SECTIONS:
            seen.append(table_words(table_of(app)))
            await pilot.press("tab")
            await pilot.pause()
        assert len(set(seen)) == len(SECTIONS)
        assert table_words(table_of(app)) == seen[0]
        assert "PANTRY" in "".join(seen)


async def test_codes_can_be_looked_up_by_their_word() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("colon", *"codes", "enter")
        await pilot.pause()
        page = app.screen
        assert isinstance(page, BookPage)
        await pilot.press("end")
        await pilot.pause()
        whole = screen_words(app)
        await pilot.press("pageup")
        await pilot.pause()
        whole += screen_words(app)
        edition = table_of(app).opened.game.rules.edition
        assert all(f"{one.code}  {one.names['en']}" in whole for one in edition.ingredients)
        assert all(f"{action.code} {action.names['en']}: " in whole for action in edition.actions)
        assert all(category.names["en"] in whole for category in edition.categories)
        await pilot.press("escape")
        await pilot.press("colon", *"send", "enter")
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.wrong, "only Space sends"


async def test_pasted_garbage_plays_nothing() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.Paste("1d3\x1b[31m\nplace Ri a1; done\x00" * 500))
        await pilot.pause()
        plan = table_of(app).followed.plan
        assert plan is not None
        assert not plan.draft.steps
        await pilot.press("colon")
        app.post_message(events.Paste("\x1b[2J[/bad]\u202e" * 500))
        await pilot.pause()
        await pilot.press("enter")
        assert plan.wrong
        assert not plan.draft.steps


async def test_every_printable_key_is_harmless_without_space() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        turn = table_of(app).opened.game.position.turn
        for char in "zxZ!#$%&()*+-./;<=>@[]^{|}~'\"hjkl0987654321àß寿":
            await pilot.press(char)
        assert table_of(app).opened.game.position.turn == turn


async def test_the_language_changes_at_once_and_the_draft_stays() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = table_of(app).followed.plan
        assert plan is not None
        await pilot.press("1", *plan.rules.grid.names[plan.draft.position.board.free.index(1)])
        steps = plan.draft.steps
        app.change(language="it")
        await pilot.pause()
        assert Texts("it").say("tui.your-turn") in shown(app, "header")
        plan = table_of(app).followed.plan
        assert plan is not None
        assert plan.draft.steps == steps
        assert isinstance(app.games, MemoryGames)
        assert app.games.kept[-1].language == "it"


@pytest.mark.long
async def test_every_theme_draws_the_table_and_its_pages() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        for theme in app.themes:
            app.change(theme=theme.id)
            for key in ("f2", "r"):
                await pilot.press(key)
                await pilot.press("escape")
            await pilot.pause()
            assert app.shown_theme is theme
            assert app.theme == f"wasabi-{theme.id}"
            assert app.paints.colours == (theme.id != "monochrome")
    assert len(app.themes) == 8


@pytest.mark.parametrize(("colours", "theme"), [(0, "monochrome"), (16, "terminal"), (256, "omakase")])
async def test_a_terminal_that_lacks_colours_has_a_theme_that_needs_none(colours: int, theme: str) -> None:
    games = MemoryGames()
    app = WasabiApp(games, opened=games.open("classic", seats(1, 1), "x"), language="en", colours=colours)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.shown_theme.id == theme
        assert not app.paints.ascii, "signs need no colour"
        app.change(language="it")
        assert app.shown_theme.id == theme
        assert games.kept[-1].theme == Settings().theme, "what the terminal lacks is nobody's preference"
        await pilot.press("f3", "down", "enter")
        assert app.shown_theme.id == games.kept[-1].theme != theme


async def test_sixteen_colours_leave_a_theme_without_colours_as_it_is() -> None:
    games = MemoryGames(preferred=Settings(theme="monochrome"))
    app = WasabiApp(games, opened=games.open("classic", seats(1, 1), "x"), language="en", colours=16)
    assert app.shown_theme.id == "monochrome"
    assert app.paints.ascii


async def test_a_theme_may_leave_out_whatever_it_likes() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        for base in ("", '[base]\ntext = "#ffffff"\n', '[base]\nbackground = "ansi_black"\n'):
            head = 'name = { en = "Sparse", it = "Scarno" }\ndark = false\n'
            sparse = parse_theme(f"sparse-{len(app.themes)}", head + base)
            app.themes.append(sparse)
            app.register_theme(textual_theme(sparse))
            app.change(theme=sparse.id)
            await pilot.press("1", "w")
            await pilot.press("escape", "escape")
            assert app.shown_theme is sparse


async def test_a_theme_that_does_not_exist_gives_a_notice() -> None:
    app = app_at(8, settings=Settings(theme="nowhere", reduced_motion=True, bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.shown_theme.id == "omakase"
        assert [note.message for note in app._notifications] == [Texts("en").say("tui.no-theme", name="nowhere")]


async def test_a_notification_covers_neither_the_header_nor_what_is_asked() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.notify("something happened " * 10)
        await pilot.pause()
        toast = app.screen.get_child_by_type(ToastRack).query_one(Toast)
        async with asyncio.timeout(PATIENCE):
            while not toast.region:
                await pilot.pause()
        assert toast.region.y == 1
        assert toast.region.bottom <= table_of(app).query_one("#bar").region.y


async def test_nothing_of_the_next_hand_shows_behind_the_curtain() -> None:
    app = app_at(people=2, bots=0, seed="curtain")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        curtain = app.screen
        assert isinstance(curtain, Curtain)
        assert "You are watching" in shown(app, "hand")
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen_stack[-1] is table_of(app)
        assert table_of(app).followed.plan is not None


async def test_the_curtain_asks_before_it_closes_the_game() -> None:
    app = app_at(people=2, bots=0, seed="curtain", settings=Settings("en", keys={"ready": "f9"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        curtain = app.screen
        assert isinstance(curtain, Curtain)
        assert "press F9, or click" in str(curtain.query_one(Static).render())
        assert "Esc closes the game." in str(curtain.query_one(Static).render())
        await pilot.press("q", "escape")
        assert app.screen is curtain
        await pilot.press("q", "down", "enter")
        assert app.screen is curtain, "the way to stay"
        await pilot.press("q", "enter")
        await pilot.pause()
        assert not isinstance(app.screen, Curtain)
    assert isinstance(app.games, MemoryGames)
    (name,) = app.games.files
    assert app.games.resume(name, Texts("en")).game.position.outcome is None


@pytest.mark.parametrize(("language", "turn"), [("en", "turn"), ("it", "turno")])
async def test_the_curtain_says_how_the_game_stands(language: str, turn: str) -> None:
    app = app_at(9, people=2, bots=0, seed="curtain", language=language)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        curtain, position = app.screen, table_of(app).opened.game.position
        assert isinstance(curtain, Curtain)
        ana, bo = all_scores(position)
        words = f"{turn} {position.turn} · Ana: {ana}, Bo: {bo}"
        assert words in str(curtain.query_one(Static).render())


@pytest.mark.long
async def test_closing_keeps_the_game_and_leaving_for_good_lets_the_others_play_on() -> None:
    app = app_at(8, bots=2, edition="short-classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q", "down", "enter", "y")
        await pilot.pause()
        told: set[str] = set()
        async with asyncio.timeout(PATIENCE):
            # A slow machine may take longer to finish the game than a notification stays.
            while not told or not table_of(app).followed.over:
                told |= {str(note.message) for note in app._notifications}
                await pilot.pause()
        assert table_of(app).opened.game.position.seats[0].gone, "the bots have finished the game"
        assert told == {Texts("en").say("play.left-alone")}
    closed = app_at(8)
    async with closed.run_test(size=(80, 24)) as pilot:
        await pilot.press("q", "enter")
        await pilot.pause()
    assert isinstance(closed.games, MemoryGames)
    (name,) = closed.games.files
    assert closed.games.resume(name, Texts("en")).game.position.turn >= 8


@pytest.mark.parametrize(("glyphs", "mark"), [("letters", "►"), ("ascii", ">")])
async def test_a_mark_stands_before_what_is_chosen_in_a_list(glyphs: str, mark: str) -> None:
    app = app_at(8, settings=Settings(glyphs=glyphs, reduced_motion=True, bell=False))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q", "down")
        await pilot.pause()
        options = app.screen.query_one(OptionList)
        written = [strip.text for strip in app.screen._compositor.render_strips()]
        y, x = options.content_region.y, options.content_region.x
        assert [line[x : x + 3] for line in written[y : y + 3]] == ["  S", f"{mark} R", "  K"]


async def test_leaving_one_other_ends_the_game_and_the_screen_says_so() -> None:
    app = app_at(8, bots=1, edition="short-classic")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("q")
        await pilot.pause()
        option = app.screen.query_one(OptionList).get_option("for-good")
        assert str(option.prompt) == Texts("en").say("tui.leave-and-end")
        await pilot.press("down", "enter", "y")
        async with asyncio.timeout(PATIENCE):
            while not isinstance(app.screen, EndPage):
                await pilot.pause()
        assert "Udon wins." in app.screen.query_one(EndPicture).words
        assert not app._notifications, "no bot plays on"


async def test_the_end_is_scrolled_by_its_own_keys() -> None:
    games = MemoryGames()
    app = WasabiApp(games, opened=games.take_up(*played(10_000, "short-classic", seats(1, 1), "over")), language="en")
    async with app.run_test(size=(80, 18)) as pilot:
        await pilot.pause()
        page = app.screen
        assert isinstance(page, EndPage)
        ending = page.query_one("#ending")
        for key, top in (("pagedown", ending.max_scroll_y), ("home", 0), ("down", 1), ("pageup", 0)):
            await pilot.press(key)
            await pilot.pause()
            assert ending.scroll_y == top, key


async def test_a_replay_begins_with_words_and_has_its_pages() -> None:
    games = MemoryGames()
    app = WasabiApp(games, opened=games.take_up(*played(10_000, "short-classic", seats(1, 1), "over")), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("w")
        await pilot.pause()
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        assert Texts("en").say("replay.beginning") in replay.query_one("#bar", Painted).words
        for key in ("o", "w", "r", "question_mark"):
            await pilot.press(key)
            assert isinstance(app.screen, TextPage | BookPage | HelpPage), key
            await pilot.press("escape")
            assert isinstance(app.screen, ReplayScreen)
        await pilot.press("end")
        assert "YOUR TURN" not in replay.query_one("#header", Painted).words


@pytest.mark.parametrize("way", ["since", "end", "file"])
async def test_a_replay_shows_the_recipes_that_one_held(way: str) -> None:
    games = MemoryGames()
    text, earlier = played(8 if way == "since" else 10_000, "short-classic", seats(1, 1), "over")
    app = WasabiApp(games, opened=None if way == "file" else games.take_up(text, earlier), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        if way == "file":
            app.open_replay(earlier)
        await pilot.press(*({"since": ["y"], "end": ["w"], "file": []}[way]))
        await pilot.pause()
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        held = 0
        for number, frame in enumerate(replay.frames):
            replay._go(number)
            words = replay.query_one("#recipes", Painted).words
            for card in frame.position.seats[0].recipes:
                held += 1
                assert earlier.rules.edition.recipes[earlier.faces[card]].names["en"] in words
        assert held


async def test_the_replay_of_a_finished_game_shows_one_hand_after_another() -> None:
    text, earlier = played(10_000, "short-classic", seats(1, 1), "over")
    app = WasabiApp(MemoryGames(), language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        app.open_replay(earlier)
        await pilot.press("end")
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        assert text
        shown = []
        for _ in range(3):
            await pilot.press("v")
            await pilot.pause()
            shown.append(replay._seat)
            for card in () if replay._seat is None else earlier.last.seats[replay._seat].recipes:
                name = earlier.rules.edition.recipes[earlier.faces[card]].names["en"]
                assert name in replay.query_one("#recipes", Painted).words
        assert shown == [1, None, 0]


async def test_ctrl_c_leaves_at_once_with_everything_saved() -> None:
    app = app_at(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert not app.is_running or app._exit
    assert isinstance(app.games, MemoryGames)
    (name,) = app.games.files
    assert app.games.read(name, Texts("en")).last.turn >= 8


async def test_the_end_tells_who_won_and_offers_another_game_and_a_replay() -> None:
    games = MemoryGames()
    again = games.take_up(*played(10_000, "short-classic", seats(1, 1), "over"))
    app = WasabiApp(games, opened=again, language="en")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        page = app.screen
        assert isinstance(page, EndPage)
        words = page.query_one(EndPicture).words
        assert "wins" in words or "You win" in words or "draw" in words
        assert "HOW THE POINTS WERE MADE" in words
        await pilot.press("w")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        await pilot.press("end", "escape")
        await pilot.pause()
        assert isinstance(app.screen, EndPage), "one comes back to where one came from"
        await pilot.press("b")
        await pilot.pause()
        table = app.screen
        assert isinstance(table, TableScreen)
        assert "Enter See the result" in " ".join(shown(app, "bar").split())
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, EndPage), "it can be opened again"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert table.opened is not again
        assert table.opened.game.position.outcome is None


def won_by(winner: bool) -> tuple[MemoryGames, Opened]:
    """Return a short game that the first seat has won alone, or has not."""
    for number in range(20):
        games = MemoryGames()
        opened = games.take_up(*played(10_000, "short-classic", seats(1, 1), f"end {number}"))
        outcome = opened.game.position.outcome
        assert outcome is not None
        if (outcome.winners == (0,)) == winner:
            return games, opened
    raise AssertionError("nobody ever wins")


@pytest.mark.grid
@pytest.mark.parametrize("winner", [True, False])
@pytest.mark.parametrize(("size", "blocks"), [((120, 40), True), ((80, 24), False)])
async def test_a_win_is_written_large_where_there_is_room(winner: bool, size: tuple[int, int], blocks: bool) -> None:
    games, opened = won_by(winner)
    app = WasabiApp(games, opened=opened, language="en")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        page = app.screen
        assert isinstance(page, EndPage)
        words = page.query_one(EndPicture).words
        assert bool(banner_words(page.ending, page._means(), size[0])), "there are letters of blocks for everybody here"
        assert ("wins" in words or "You win" in words) != blocks, "what is written large is not written twice"
        assert page.ending.you_win == winner
        assert any(0x2800 <= ord(char) < 0x2900 for char in words), "the race is drawn in dots"
