"""Somebody's visit to a table online: the waiting room, the game, and once more for as long as all wish it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..table.online.peer_game import PeerGame
from ..table.online.rules.history import catch_up
from ..view.log.earlier import earlier_of
from .screens.table.screen import TableScreen
from .screens.waiting_room import WaitingRoomScreen
from .services import NotPossible, OnlineTable, Opened

if TYPE_CHECKING:
    from textual.screen import Screen

    from .app import WasabiApp


class Visit:
    """Shows one screen after another, each in the place of the one before."""

    def __init__(self, app: WasabiApp, table: OnlineTable) -> None:
        self._app = app
        self._table = table
        self._shown: Screen[None] | None = None

    async def run(self) -> None:
        """Returns when the table was left; then it is closed. `NotPossible` if there cannot be a game here for us."""
        try:
            while await self._wait_and_play():
                pass
        except OSError as error:
            raise NotPossible(self._app.texts.say("room.trouble", reason=error.strerror or error)) from None
        finally:
            await self._table.close()
            await self._take_down()

    async def _wait_and_play(self) -> bool:
        """One waiting room and its game; whether everybody plays again."""
        room = WaitingRoomScreen(self._table)
        await self._show(room)
        if not await room.begun:
            if room.hopeless:
                await self._table.give_up()
                raise NotPossible(room.hopeless)
            return False
        await self._show(TableScreen(await self._open()))
        await self._table.ended()
        if self._table.left:
            self._app.notify(self._table.left, markup=False)
            return False
        return await self._table.again() and self._stands()

    async def _open(self) -> Opened:
        attendance = self._table.attendance
        past = await catch_up(attendance.driver)
        game = PeerGame(attendance.driver, attendance.title, lambda: attendance.saved_as)
        return Opened(game, attendance.saved_as, lambda: None, earlier_of(game, past), visited=True)

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
        """Whatever lies on our screen belongs to it."""
        while self._stands() and self._app.screen is not self._shown:
            await self._app.pop_screen()

    async def _take_down(self) -> None:
        if self._stands():
            await self._close_pages()
            await self._app.pop_screen()
