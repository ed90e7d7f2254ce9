"""Taking a turn back: only among bots, only the last own turn, and only after a second key press."""

from __future__ import annotations

from wasabi_tx.text import Texts

from .gate import send_turn
from .memory_games import MemoryGames, app_at
from .on_screen import screen_words, table_of


async def test_undo_with_nothing_chosen_takes_the_last_turn_back_when_it_is_pressed_twice() -> None:
    app = app_at(9, bots=1)
    async with app.run_test(size=(120, 40)) as pilot:
        table = table_of(app)
        game, games = table.opened.game, app.games
        assert isinstance(games, MemoryGames)
        (file,) = games.files.values()
        before, text = game.position, file.getvalue()
        while game.position.turn < before.turn + 2:
            if table.followed.chooses:
                await send_turn(app)
            await pilot.pause()
        while not table.followed.chooses:
            await pilot.pause()
        later = game.position
        await pilot.press("backspace")
        await pilot.pause()
        assert game.position is later
        assert "to take back your last turn" in screen_words(app)
        await pilot.press("1", "backspace", "backspace")
        assert game.position is later, "something else was pressed between: it is asked again"
        await pilot.press("backspace")
        await pilot.pause()
        assert game.position is before
        assert file.getvalue() == text
        assert table.followed.chooses
        assert all(entry.turn < before.turn for entry in table.followed.log)
        await pilot.press("backspace")
        await pilot.pause()
        assert Texts("en").say("play.nothing-to-undo") in screen_words(app), "no further"


async def test_two_people_take_nothing_back() -> None:
    app = app_at(9, people=2, bots=0)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "backspace")
        await pilot.pause()
        assert Texts("en").say("play.nothing-to-undo") in screen_words(app)
