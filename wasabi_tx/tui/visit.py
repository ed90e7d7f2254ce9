"""A visit to an online table: the waiting room, the game, and again for as long as everyone wants a rematch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..app.failure import Failure
from ..app.values import Opened
from ..store.paths import short_path
from ..view.online.refusals import REFUSALS, say_refusal
from ..view.online.waiting_room import left_line
from .screens.table.screen import TableScreen
from .screens.waiting_room import WaitingRoomScreen

if TYPE_CHECKING:
    from textual.screen import Screen

    from ..online.online_table import OnlineTable
    from .app import WasabiApp


def _short(file: str) -> str:
    return short_path(Path(file)) if file else ""


class Visit:
    """Shows one screen after another, each in the place of the one before, the first in that of `page`."""

    def __init__(self, app: WasabiApp, table: OnlineTable, page: Screen[Any] | None = None) -> None:
        self._app = app
        self._first = table
        self._shown = page

    async def run(self) -> None:
        """Stay at the table and its rematches, then close them; raise `Failure` if there is no game for us."""
        table: OnlineTable | None = self._first
        try:
            while table is not None:
                table = await self._wait_and_play(table)
        except OSError as error:
            raise Failure(self._app.texts.say("play.cannot-save", reason=error)) from None
        except REFUSALS as error:
            raise Failure(say_refusal(error, self._app.texts)) from None
        finally:
            await self._first.close()
            await self._take_down()

    async def _wait_and_play(self, table: OnlineTable) -> OnlineTable | None:
        """Show one waiting room and its game; return the table of the rematch, if there is one."""
        room = WaitingRoomScreen(table)
        await self._show(room)
        if not await room.begun:
            if room.hopeless:
                await table.give_up()
                raise Failure(room.hopeless)
            return None
        game = await table.game()
        opened = Opened(
            game,
            _short(table.saved_as),
            lambda: None,
            game.history,
            table=table.table,
            invite=table.invite if table.seat is not None else "",
            watch_invite=table.watch_invite,
            site=table.site,
        )
        await self._show(TableScreen(opened))
        await table.ended()
        if table.voted_out_by is not None:
            self._app.notify(left_line(table.voted_out_by, self._app.texts), markup=False)
            return None
        following = await table.rematch()
        return following if self._stands() else None

    def _stands(self) -> bool:
        return self._shown is not None and self._shown in self._app.screen_stack

    async def _show(self, screen: Screen[None]) -> None:
        if self._shown is None:
            await self._app.push_screen(screen)
        else:
            await self._close_pages()
            await self._app.switch_screen(screen)
        self._shown = screen

    async def _close_pages(self) -> None:
        """Close all screens on top of ours."""
        while self._stands() and self._app.screen is not self._shown:
            await self._app.pop_screen()

    async def _take_down(self) -> None:
        await self._close_pages()
        # Meanwhile the app may have ended, and taken all of it away.
        if self._stands():
            await self._app.pop_screen()
