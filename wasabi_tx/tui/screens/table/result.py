"""The result of a table: how its game ended, and what comes after it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ....games.game import Can
from ....view.table.ending import end_view

if TYPE_CHECKING:
    from ..ending import EndPage
    from .screen import TableScreen


class Result:
    """Opens the page of the result, and does what is chosen there."""

    def __init__(self, table: TableScreen) -> None:
        self._table = table

    def open(self, fresh: bool = False) -> None:
        """Show how the game ended; one can come back to it from the board."""
        from ....games.review import ReviewWish
        from ..ending import EndPage

        table = self._table
        followed, game, texts = table.followed, table.opened.game, table.texts
        again = bool(game.people) and (Can.REMATCH not in game.can or len(game.position.playing) > 1)
        ways = (*(("again",) if again else ()), "replay_game", "board")
        race = followed.race
        ending = end_view(
            game.rules, game.position, game.players, texts, followed.outcome, race=race, you=followed.seated
        )
        saved = table.opened.saved_as
        note = texts.say("tui.end.saved-as", file=saved) if saved else ""
        # Whoever sat here last may ask what would have been better.
        wish = ReviewWish(followed.record, followed.seated) if followed.seated is not None else None
        page = EndPage(ending, ways, note=note, fresh=fresh, review=wish, file=saved)
        table.app.push_screen(page, self._after_end)
        table.run_worker(self._tell_record(page), name="record")

    async def _tell_record(self, page: EndPage) -> None:
        """Show the person's record against these players on the page of the result."""
        table = self._table
        words = await asyncio.to_thread(table.wasabi.games.after_game, table.opened, table.texts)
        if words:
            page.show_note(words)

    def _after_end(self, way: str | None) -> None:
        table = self._table
        if way == "replay_game":
            table.wasabi.open_frames(table.followed, lambda _: self.open(), table.opened.saved_as)
        elif way == "again":
            table.run_worker(self._rematch(), name="rematch")
        elif way == "home":
            table.leaving.close_table()

    async def _rematch(self) -> None:
        """Begin another game with the same seats; people at other machines are asked first."""
        table = self._table
        if Can.REMATCH in table.opened.game.can:
            if await table.attempt(table.opened.game.rematch()):
                table.show_notice(table.texts.say("tui.wished-again"))
            return
        await table.opened.game.close()
        table.opened.close()
        table.wasabi.rematch(table)
