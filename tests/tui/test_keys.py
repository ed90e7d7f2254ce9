"""Every action of the list does something, by its key, and has its own words in both languages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from tests.brokers import PATIENCE
from wasabi_tx.app.settings import Settings
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.bindings import ACTIONS, BY_ID, actions_on, footer_on, shown_keys, wrong_keys
from wasabi_tx.tui.screens.base import WasabiScreen
from wasabi_tx.tui.screens.book import BookPage
from wasabi_tx.tui.screens.form import FormPage
from wasabi_tx.tui.screens.help import HelpPage
from wasabi_tx.tui.screens.home import HomeScreen
from wasabi_tx.tui.screens.page import ListPage, TextPage
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.input import WORDS
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.screens.themes import ThemesPage
from wasabi_tx.turn.hint import advise, hint_sentence
from wasabi_tx.turn.plan import Plan
from wasabi_tx.view.table.defaults import own_seat

from .memory_games import app_at
from .on_screen import shown, table_of, table_words, text_of

TURN = 8
WITHOUT_FOOTER = {"unfinished", "curtain", "ending", "review", "themes", "form", "invites"}
ELSEWHERE = {"asked", "room", "lobby", "home", *WITHOUT_FOOTER}
"""Screens whose actions are checked in files of their own."""


async def _asked_for_a_tile(pilot: Pilot[None], app: WasabiApp) -> Plan:
    """Play up to the moment when a tile of the pantry is chosen by its code."""
    plan = table_of(app).followed.plan
    assert plan is not None
    free = max(square for square, one in enumerate(plan.draft.position.board.free) if one)
    await pilot.press("1", *plan.rules.grid.names[free])
    assert plan.moment.prompt.slot == "tile"
    return plan


async def _accept(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = await _asked_for_a_tile(pilot, app)
    before = len(plan.draft.steps)
    await pilot.press("enter")
    assert len(plan.draft.steps) > before


async def _send(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    await pilot.press("space")
    assert plan.wrong, "nothing is chosen yet, and Space says so"
    await _accept(pilot, app)
    while not plan.draft.complete:
        await pilot.press("enter")
    turn = table_of(app).opened.game.position.turn
    await pilot.press("space")
    await pilot.pause()
    assert table_of(app).opened.game.position.turn > turn


async def _back(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    await pilot.press("1", "a")
    assert (plan.typed, bool(plan.begun)) == ("a", True)
    await pilot.press("backspace")
    assert (plan.typed, bool(plan.begun)) == ("", True)
    await pilot.press("backspace")
    assert not plan.begun
    await pilot.press("backspace")
    assert plan.wrong, "there is nothing to undo, and it says so"

    free = plan.draft.position.board.free.index(1)
    await pilot.press("1", *plan.rules.grid.names[free])
    assert plan.draft.steps
    while plan.draft.steps:
        await pilot.press("u" if plan.moment.prompt.slot in ("claim", "place") else "backspace")
    assert plan.moment.prompt.slot == "place", "u does the same where it is no letter of a code"


async def _drop(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    await pilot.press("2", "escape")
    assert not plan.begun
    assert not plan.draft.steps


def _cursor(key: str, moves: tuple[int, int]) -> Callable[[Pilot[None], WasabiApp], Awaitable[None]]:
    async def check(pilot: Pilot[None], app: WasabiApp) -> None:
        plan = table_of(app).followed.plan
        assert plan is not None
        width = plan.rules.grid.columns
        row, column = divmod(plan.cursor, width)
        await pilot.press(key)
        assert divmod(plan.cursor, width) == (row + moves[1], column + moves[0])

    return check


async def _return(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    await pilot.press("p", "7", "6", "7", "enter")
    assert [step.verb for step in plan.draft.steps] == ["pass"]
    assert plan.draft.steps[0].args == own_seat(plan.draft.base).recipes[:1], "the second press of 7 takes it back"


async def _discard(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    await pilot.press("s")
    if not own_seat(plan.draft.base).cards:
        assert plan.message == Texts("en").say("tui.no-discard")
        assert plan.wrong
    else:
        assert plan.begun.verbs == ("discard",)


async def _notation(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    code = plan.rules.code(plan.hand.tiles[1])
    free = plan.rules.grid.names[plan.draft.position.board.free.index(1)]
    await pilot.press("colon", *"place", "space", *code, "x", "backspace", "space", *free, "enter")
    assert plan.draft.steps[0].verb == "place"
    await pilot.press("colon", *"nonsense", "enter")
    assert plan.wrong
    await pilot.press("colon", "q", "escape")
    assert not table_of(app).line.is_open


async def _hint(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    observation, players = plan.draft.observation, table_of(app).opened.game.players
    hints = advise(observation, Texts("en"))
    for number in (*range(len(hints)), 0):
        await pilot.press("i")
        async with asyncio.timeout(PATIENCE):
            while plan.message in ("", Texts("en").say("tui.thinking")):
                await pilot.pause()
        assert plan.said[0] == hint_sentence(hints[number], number, len(hints), observation, players, Texts("en"))
        assert not plan.wrong


async def _take_hint(pilot: Pilot[None], app: WasabiApp) -> None:
    plan = table_of(app).followed.plan
    assert plan is not None
    steps = advise(plan.draft.observation, Texts("en"))[0].steps
    await pilot.press("plus")
    async with asyncio.timeout(PATIENCE):
        while plan.message in ("", Texts("en").say("tui.thinking")):
            await pilot.pause()
    assert not plan.draft.steps, "the hint is shown before it is taken"
    assert plan.said[1] == "+ plays it."
    await pilot.press("plus")
    assert tuple(plan.draft.steps) == steps
    assert plan.draft.complete
    await pilot.press("backspace")
    assert not plan.draft.complete


async def _under(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("v")
    assert not table_of(app).lookups.lifted
    assert Texts("en").say("under.nothing") in shown(app, "bar")


def _page(key: str, page: type) -> Callable[[Pilot[None], WasabiApp], Awaitable[None]]:
    async def check(pilot: Pilot[None], app: WasabiApp) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert isinstance(app.screen, page)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is table_of(app)

    return check


async def _panels(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.resize_terminal(40, 15)
    await pilot.pause()
    before = table_words(table_of(app))
    await pilot.press("tab")
    assert "PANTRY" in table_words(table_of(app))
    await pilot.press("tab", "tab")
    assert table_words(table_of(app)) == before


async def _theme(pilot: Pilot[None], app: WasabiApp) -> None:
    before = app.shown_theme.id
    await pilot.press("f3")
    await pilot.pause()
    assert isinstance(app.screen, ThemesPage)
    await pilot.press("down", "enter")
    await pilot.pause()
    assert isinstance(app.screen, TableScreen)
    assert app.shown_theme.id != before
    assert app.theme == f"wasabi-{app.shown_theme.id}"


async def _pace(pilot: Pilot[None], app: WasabiApp) -> None:
    before = app.settings.pace
    await pilot.press("f6")
    assert app.settings.pace != before
    assert "Others' moves:" in shown(app, "bar")


async def _palette(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("ctrl+p")
    await pilot.pause()
    assert type(app.screen).__name__ == "CommandPalette"


async def _replay(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, ReplayScreen)
    last = len(screen.frames) - 1
    seen = []
    for key in ("end", "right", "left", "home", "left", "right"):
        await pilot.press(key)
        seen.append(screen.at)
    assert seen == [last, last, last - 1, 0, 0, 1]
    await pilot.press("escape")
    await pilot.pause()
    assert app.screen is table_of(app)


async def _run(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    screen = app.screen
    assert isinstance(screen, ReplayScreen)
    # The test controls the time: each step is taken when it says so.
    with patch.object(screen, "set_interval") as clock:
        await pilot.press("end", "p")
        assert clock.call_args.args[1] == screen.step
        assert (screen.running, screen.at) == (True, 0), "from the end it begins anew"
        for _ in screen.frames[1:]:
            assert screen.running
            screen.step()
        assert (screen.running, screen.at) == (False, len(screen.frames) - 1), "at the end it stops"
        await pilot.press("home", "p", "right")
        assert (screen.running, screen.at) == (False, 1), "any key stops it, and does what it does"
        await pilot.press("p", "p")
        assert not screen.running
        assert clock.return_value.stop.call_count == clock.call_count
    await pilot.press("escape")
    await pilot.pause()


async def _result(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    await pilot.press("s")
    await pilot.pause()
    assert isinstance(app.screen, ReplayScreen), "the game goes on"
    await pilot.press("escape")
    await pilot.pause()


async def _whose(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    await pilot.press("v")
    await pilot.pause()
    assert any(Texts("en").say("replay.no-hands") in one.message for one in app._notifications), "the game goes on"
    app.clear_notifications()
    await pilot.press("escape")
    await pilot.pause()


async def _what_if(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    await pilot.press("t")
    await pilot.pause()
    assert any(Texts("en").say("replay.not-over") in one.message for one in app._notifications), "the game goes on"
    app.clear_notifications()
    await pilot.press("escape")
    await pilot.pause()


async def _save_page(pilot: Pilot[None], app: WasabiApp) -> None:
    await pilot.press("y")
    await pilot.pause()
    await pilot.press("m")
    await pilot.pause()
    assert any(Texts("en").say("tui.end.no-file") in one.message for one in app._notifications), "it is a part of one"
    app.clear_notifications()
    await pilot.press("escape")
    await pilot.pause()


def _lacks(key: str) -> Callable[[Pilot[None], WasabiApp], Awaitable[None]]:
    async def check(pilot: Pilot[None], app: WasabiApp) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert Texts("en").say("error.not-here") in shown(app, "bar")
        assert not app._notifications, "nothing covers the question"
        assert app.screen is table_of(app)

    return check


CHECKS: dict[str, Callable[[Pilot[None], WasabiApp], Awaitable[None]]] = {
    "accept": _accept,
    "back": _back,
    "send": _send,
    "drop": _drop,
    "cursor_up": _cursor("up", (0, -1)),
    "cursor_down": _cursor("j", (0, 1)),
    "cursor_left": _cursor("h", (-1, 0)),
    "cursor_right": _cursor("right", (1, 0)),
    "return": _return,
    "discard": _discard,
    "notation": _notation,
    "hint": _hint,
    "take_hint": _take_hint,
    "answer": _lacks("x"),
    "plan": _lacks("n"),
    "talk": _lacks("t"),
    "pause": _lacks("f4"),
    "mute": _lacks("m"),
    "invites": _lacks("f5"),
    "under": _under,
    "book": _page("r", BookPage),
    "who": _page("w", TextPage),
    "log": _page("o", TextPage),
    "since": _replay,
    "panels": _panels,
    "run": _run,
    "next": _replay,
    "previous": _replay,
    "first": _replay,
    "last": _replay,
    "whose": _whose,
    "result": _result,
    "what_if": _what_if,
    "save_page": _save_page,
    "close": _page("o", TextPage),
    "settings": _page("f2", FormPage),
    "theme": _theme,
    "pace": _pace,
    "palette": _palette,
    "help": _page("question_mark", HelpPage),
    "leave": _page("q", ListPage),
}


def test_every_action_has_a_check() -> None:
    assert set(CHECKS) == {action.id for action in ACTIONS if not set(action.where) <= ELSEWHERE}


CHANGE_NOTHING = ("cursor_up", "cursor_down", "cursor_left", "cursor_right", "drop", "under", "panels", "theme")
PAGES = ("book", "who", "log", "since", "settings", "help", "leave")
SEEN_WITH_OTHERS = ("next", "previous", "first", "last", "whose", "result", "what_if", "save_page", "close")
"""Actions that close a replay or a page."""


@pytest.mark.parametrize("names", [CHANGE_NOTHING, PAGES], ids=["what-changes-nothing", "pages"])
async def test_actions_after_which_everything_is_as_before(names: tuple[str, ...]) -> None:
    app = app_at(TURN)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for name in names:
            await CHECKS[name](pilot, app)


@pytest.mark.parametrize("name", [name for name in CHECKS if name not in (*CHANGE_NOTHING, *PAGES, *SEEN_WITH_OTHERS)])
async def test_action(name: str) -> None:
    app = app_at(TURN)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await CHECKS[name](pilot, app)


LOOKUPS = {"book": BookPage, "who": TextPage, "log": TextPage, "since": ReplayScreen}


async def test_while_a_code_is_asked_for_letters_are_its_own_and_ctrl_looks_things_up() -> None:
    app = app_at(TURN, bots=1)
    async with app.run_test(size=(80, 24)) as pilot:
        assert " r recipes" in shown(app, "keys")
        plan = await _asked_for_a_tile(pilot, app)
        assert " Ctrl+R recipes" in shown(app, "keys")
        for name, page in LOOKUPS.items():
            letter, second = BY_ID[name].keys.split(",")
            if letter in plan.letters:
                await pilot.press(letter)
                assert (plan.typed, app.screen) == (letter, table_of(app))
            else:
                assert letter == "y", "only Yellowtail may be used up"
            await pilot.press(second)
            await pilot.pause()
            assert isinstance(app.screen, page)
            await pilot.press("escape")
            await pilot.pause()
            if plan.typed:
                await pilot.press("backspace")
            assert plan.typed == ""
        await pilot.press("ctrl+v")
        assert Texts("en").say("under.nothing") in shown(app, "bar")
        await pilot.press("R")
        assert plan.typed == "R", "a code may begin with its capital"
        await pilot.press("backspace", "question_mark")
        await pilot.pause()
        assert isinstance(app.screen, HelpPage)
        told = " ".join(text_of(app.screen.lines).split())
        assert Texts("en").say("tui.help-codes") in told
        assert "o Ctrl+O everything" in told


def test_keys_are_told_as_they_stand_on_a_keyboard() -> None:
    def told(name: str, language: str, **remapped: str) -> str:
        return " ".join(shown_keys(BY_ID[name], remapped, Texts(language)))

    assert told("book", "en") == "r Ctrl+R"
    assert told("settings", "en") == "F2"
    assert told("cursor_up", "en") == "↑ k"
    assert [told(name, "en") for name in ("accept", "back", "send", "drop")] == ["Enter", "Bksp u", "Space", "Esc"]
    assert [told(name, "it") for name in ("accept", "back", "send", "drop")] == ["Invio", "Bksp u", "Spazio", "Esc"]
    assert told("book", "it", book="shift+tab, f12") == "Shift+Tab F12"


def test_every_action_has_its_words_in_both_languages() -> None:
    for texts in (Texts("en"), Texts("it")):
        for action in ACTIONS:
            assert texts.knows(f"tui.action.{action.id}"), action.id
            assert texts.knows(f"tui.about.{action.id}"), action.id


def test_no_key_does_two_things_on_one_screen_and_none_near_a_board_is_a_column_letter() -> None:
    for where in ("table", "replay", "page", *ELSEWHERE):
        keys = [key for action in actions_on(where) for key in action.keys.split(",")]
        assert len(keys) == len(set(keys)), where
        assert where in ("page", *WITHOUT_FOOTER) or footer_on(where)
    for action in (one for one in ACTIONS if one.where not in (("ending",), ("home",))):
        assert not set(action.keys.split(",")) & set("abcdefg0123456789"), action.id


async def test_every_action_of_a_whole_screen_is_done_by_it() -> None:
    app = app_at(TURN)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(HomeScreen())
        app.open_frames(table_of(app).followed, lambda _: None)
        await pilot.pause()
        seen = set()
        for screen in app.screen_stack:
            assert isinstance(screen, WasabiScreen)
            seen.add(screen.where)
            for action in actions_on(screen.where):
                assert callable(screen.find_action(action.id)), (screen.where, action.id)
        assert seen == {"table", "home", "replay"}


def test_a_remapping_must_name_an_action_and_a_free_key() -> None:
    assert not list(wrong_keys({"hint": "z", "book": "ctrl+r"}))
    assert list(wrong_keys({"nonsense": "z"})) == [("nonsense", "")]
    assert list(wrong_keys({"hint": "a"})) == [("hint", "a")]
    assert list(wrong_keys({"hint": "space"})) == [("hint", "space")]


async def test_a_key_can_be_remapped_in_the_settings() -> None:
    app = app_at(TURN, settings=Settings(reduced_motion=True, bell=False, keys={"book": "z"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("r")
        assert app.screen is table_of(app)
        await pilot.press("z")
        await pilot.pause()
        assert isinstance(app.screen, BookPage)
    assert BY_ID["book"].keys == "r,ctrl+r"


async def test_a_remapping_that_cannot_be_is_reported_and_ignored() -> None:
    app = app_at(TURN, settings=Settings(reduced_motion=True, bell=False, keys={"book": "a"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert [note.message for note in app._notifications] == [Texts("en").say("tui.bad-key", name="book", key="a")]
        await pilot.press("r")
        await pilot.pause()
        assert isinstance(app.screen, BookPage)


@pytest.mark.parametrize(("word", "name"), WORDS.items())
def test_every_word_that_may_be_typed_stands_for_an_action_of_the_table(word: str, name: str) -> None:
    assert "table" in BY_ID[name].where, word


async def test_undo_may_be_typed() -> None:
    app = app_at(TURN)
    async with app.run_test(size=(80, 24)) as pilot:
        plan = await _asked_for_a_tile(pilot, app)
        before = len(plan.draft.steps)
        await pilot.press("colon", *"undo", "enter")
        await pilot.pause()
        assert len(plan.draft.steps) < before
