"""Notes at a table: shown once, dismissed by Esc or the end of the turn, and never shown if turned off."""

from __future__ import annotations

from wasabi_tx.app.settings import Settings
from wasabi_tx.lessons.progress import Progress
from wasabi_tx.text import Texts
from wasabi_tx.tui.app import WasabiApp
from wasabi_tx.tui.widgets.painted import Painted

from .memory_games import MemoryGames, app_at
from .on_screen import table_of

CARD = Texts("en").say("note.card", key="v")


def _app(notes: bool = True) -> tuple[WasabiApp, MemoryGames]:
    """Return the app in the middle of a game in which the person holds a card."""
    chosen = Settings(reduced_motion=True, bell=False, notes=notes)
    app = app_at(21, bots=1, edition="classic", seed="picture", settings=chosen)
    games = app.games
    assert isinstance(games, MemoryGames)
    app.progress = games.reached = Progress(noted=frozenset({"wasabi", "stack", "full", "last"}))
    return app, games


def _note(app: WasabiApp) -> str:
    return " ".join(table_of(app).query_one("#asked", Painted).words.split())


async def test_a_first_card_is_explained_once_and_put_away() -> None:
    app, games = _app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        table = table_of(app)
        assert table.followed.view().cards, "the game must have come to a card"
        table._moved()
        await pilot.pause()
        assert CARD in _note(app)
        assert "card" in games.reached.noted
        await pilot.press("escape")
        await pilot.pause()
        assert CARD not in _note(app)
        table._moved()
        await pilot.pause()
        assert CARD not in _note(app)


async def test_whoever_wants_no_notes_gets_none() -> None:
    app, games = _app(notes=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        table_of(app)._moved()
        await pilot.pause()
        assert CARD not in _note(app)
        assert "card" not in games.reached.noted
