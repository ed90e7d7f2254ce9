"""A saved game on the screen: one name for one person, and only keys that do something."""

from __future__ import annotations

import pytest

from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.draw.pages import log_lines
from wasabi_tx.tui.screens.replay import ReplayScreen
from wasabi_tx.tui.screens.table.screen import TableScreen
from wasabi_tx.tui.widgets.painted import Painted

from .memory_games import MemoryGames, played, seats
from .on_screen import text_of


def replay(turn: int, language: str = "en") -> WasabiApp:
    edition = "short-classic" if turn > 100 else "classic"
    return WasabiApp(MemoryGames(), language=language, replay=played(turn, edition, seats(1, 1), "replay")[1])


def words_of(app: WasabiApp, *names: str) -> str:
    return " ".join(" ".join(app.screen.query_one(f"#{name}", Painted).words.split()) for name in names)


@pytest.mark.parametrize(
    ("language", "own", "gift", "never"),
    [("en", "You gave", "to you", "Ana"), ("it", "Ana ha dato", "a Ana", " te")],
)
async def test_one_person_has_one_name_in_what_happened(language: str, own: str, gift: str, never: str) -> None:
    app = replay(3, language)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)
        seen = ""
        for _ in range(7):
            await pilot.press("right")
            seen += f" {words_of(app, 'story', 'bar')} "
        assert own in seen
        assert gift in seen
        assert never not in seen
        log = text_of(log_lines(screen._entries, screen._players, app.texts, screen._observation.seat))
        assert gift in log
        assert never not in log


@pytest.mark.parametrize(("turn", "open_hands"), [(8, False), (10_000, True)])
@pytest.mark.long
async def test_a_hand_is_offered_only_where_one_is_open(turn: int, open_hands: bool) -> None:
    app = replay(turn)
    async with app.run_test(size=(120, 40)) as pilot:
        assert ("v hand" in words_of(app, "keys")) == open_hands
        assert "play on" not in words_of(app, "keys"), "nobody takes the game over"
        await pilot.press("v")
        await pilot.pause()
        told = [str(note.message) for note in app._notifications]
        assert told == ([] if open_hands else [Texts("en").say("replay.no-hands")])


async def test_from_any_step_of_a_finished_game_one_plays_on_and_comes_back() -> None:
    app = replay(10_000)
    async with app.run_test(size=(80, 24)) as pilot:
        shown = app.screen
        assert isinstance(shown, ReplayScreen)
        await pilot.press("end", "t")
        await pilot.pause()
        assert len(app.screen_stack) == 1, "the game is over there"
        shown.at = next(at for at, one in enumerate(shown.frames) if one.position.turn == 3)
        await pilot.press("t")
        await pilot.pause()
        table = app.screen
        assert isinstance(table, TableScreen)
        assert table.opened.game.position is shown.frames[shown.at].position
        assert not table.opened.saved_as
        await pilot.press("q", "enter")
        await pilot.pause()
        assert app.screen is shown


async def test_nobody_tries_out_in_a_game_that_is_not_over() -> None:
    app = replay(8)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await pilot.pause()
        assert isinstance(app.screen, ReplayScreen)
        assert [str(note.message) for note in app._notifications] == [Texts("en").say("replay.not-over")]
