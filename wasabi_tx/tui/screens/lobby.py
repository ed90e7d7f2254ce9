"""The lobby: tables on a broker, brokers on the local network, who is present, a line of talk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from ...table.online.lobby import LobbyClient, Spoken
from ...view.online.lobby import LobbyRow, lobby_rows
from ...view.press import ChooseRow
from ..safe_text import clean
from ..services import Brokers, FoundBroker, NotPossible, OnlineTables, TableWish
from ..spans import Line, Span
from .base import Handler
from .rows_screen import RowsScreen, column, paragraph, titled

LOOK_EVERY = 0.5
"""However much strangers say, the list is made anew no more often."""
TALK = 4
WIDE = 100


class LobbyScreen(RowsScreen):
    where = "lobby"

    def __init__(self, online: OnlineTables, broker: str = "") -> None:
        super().__init__()
        self._online = online
        self._broker = broker
        self._lobby: LobbyClient | None = None
        self._brokers: Brokers | None = None
        self._name = ""
        self._lost = ""
        self._up = False
        self._stale = True
        self.rows: list[LobbyRow] = []
        self.found: list[FoundBroker] = []
        self.said: deque[str] = deque(maxlen=50)

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self._look)
        self.run_worker(self._listen(), name="network")
        self._enter(self._broker)

    async def on_unmount(self) -> None:
        if self._lobby is not None:
            await self._lobby.close()

    # What is heard

    def _enter(self, broker: str) -> None:
        """Looks at this broker from now on."""
        try:
            entered = self._online.lobby(broker, self.texts)
        except NotPossible as refused:
            self.app.notify(str(refused), severity="error", markup=False)
            return
        if entered is not None:
            self._broker = broker
            self.run_worker(self._follow(*entered), name="lobby", group="lobby", exclusive=True)

    async def _follow(self, lobby: LobbyClient, name: str) -> None:
        if self._lobby is not None:
            await self._lobby.close()
        self._lobby, self._name, self._up, self._lost, self.rows = lobby, name, False, "", []
        self.said.clear()
        self.draw()
        async for change in lobby.changes():
            if isinstance(change, Spoken):
                self.said.append(self.texts.say("news.said", name=change.who, text=change.text))
            elif change == "up":
                self._up = True
            elif change.startswith("lost: "):
                self._up, self._lost = False, change.removeprefix("lost: ")
            self._stale = True

    async def _listen(self) -> None:
        """Hears of brokers on the local network for as long as this is open."""

        def changed() -> None:
            self._stale = True

        async with self._online.brokers(changed) as brokers:
            self._brokers = brokers
            await asyncio.Event().wait()

    def _look(self) -> None:
        """Makes the list anew if something was heard: ages count, so also every few seconds."""
        if self._brokers is not None:
            self.found = list(self._brokers.found)
            if self._lobby is None and self.found:
                self._enter(_address(self.found[0]))
        if self._lobby is not None and self._stale:
            self._stale = False
            self.rows = lobby_rows(self._lobby.offers(), self.edition_name, self.texts)
        self.draw()

    async def say(self, text: str) -> None:
        if self._lobby is not None:
            self._lobby.say(text)

    # What is drawn

    @property
    def count(self) -> int:
        return len(self.rows) + len(self.found)

    def header(self) -> tuple[str, str, Span]:
        say = self.texts.say
        if self._lobby is None:
            return "WASABI!", say("lobby.title"), Span("", "head")
        state = say("room.online" if self._up else "room.offline")
        mark = Span(f"{'●' if self._up else '○'} {state}", "head-good" if self._up else "turn")
        people = f", {say('tui.people', count=self._lobby.people)}" if self._up else ""
        return "WASABI!", say("lobby.at", broker=self._name) + people, mark

    def lines(self, width: int, height: int) -> list[Line]:
        talk = self._talk(width)
        brokers = self._found_lines(width)
        tables = self._table_lines(width, max(3, height - len(talk) - len(brokers)))
        blank = max(0, height - len(tables) - len(brokers) - len(talk))
        return [*tables, *[()] * blank, *brokers, *talk]

    def _table_lines(self, width: int, height: int) -> list[Line]:
        say = self.texts.say
        lines: list[Line] = [titled(say("lobby.tables", count=len(self.rows)), width)]
        if not self.rows:
            if self._lobby is None:
                key = "lobby.nowhere"
            else:
                key = "lobby.none" if self._up else f"online.lost.{self._lost}" if self._lost else "lobby.connecting"
            return [*lines, *paragraph(say(key, broker=self._name), width, "muted")]
        rows = height - 1
        at = min(self.at, len(self.rows) - 1)
        first = max(0, min(at - rows + 1, len(self.rows) - rows))
        shown = range(first, min(first + rows, len(self.rows)))
        return [*lines, *(self._row(self.rows[number], number, width) for number in shown)]

    def _row(self, row: LobbyRow, number: int, width: int) -> Line:
        chosen, press = number == self.at, ChooseRow(number)
        role = "default" if chosen else "strong" if row.open and row.offer.fresh else "muted"
        # A whole fingerprint where there is room for one, else as much as is shown beside talk.
        finger = row.offer.fingerprint if width >= WIDE else row.offer.fingerprint[:9]
        spare = max(0, width - 67 - len(finger))
        return (
            Span("► " if chosen else "  ", "key", press),
            column(row.offer.table[:6], 7, role, press),
            column(row.edition, 15 + spare // 2, role, press),
            column(row.seats, 8, role, press),
            column(row.state, 14, role, press),
            column(row.age, 7, "muted", press),
            column(row.offer.host, 12 + spare // 2, role, press),
            column(finger, len(finger), "muted", press),
        )

    def _found_lines(self, width: int) -> list[Line]:
        if not self.found:
            return []
        lines: list[Line] = [(), titled(self.texts.say("lobby.brokers"), width)]
        first = max(0, min(self.at - len(self.rows) - 3, len(self.found) - 4))
        for number, one in list(enumerate(self.found))[first : first + 4]:
            at = len(self.rows) + number
            chosen, press = at == self.at, ChooseRow(at)
            role = "default" if chosen else "text"
            here = " ●" if _address(one) == self._broker else ""
            lines.append(
                (
                    Span("► " if chosen else "  ", "key", press),
                    column(one.name, 24, role, press),
                    column(f"{one.host}:{one.port}{here}", 30, "muted", press),
                )
            )
        return lines

    def _talk(self, width: int) -> list[Line]:
        rows: list[Line] = []
        for said in list(self.said)[-TALK:]:
            rows += paragraph(clean(said, 400), width, "text")
        return [titled(self.texts.say("lobby.talk"), width), *rows[-TALK:]] if rows else []

    # What is pressed

    def _chosen(self) -> LobbyRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "take": self._take,
            "look_on": self._look_on,
            "new_table": self._open_hosting,
            "invite": lambda: self.wasabi.ask_invite("join"),
            "leave": self._leave,
        }

    def _leave(self) -> None:
        self.app.pop_screen()

    def _take(self) -> None:
        """Enter: a seat at a table, or the broker."""
        row = self._chosen()
        if row is None:
            if self.at - len(self.rows) < len(self.found):
                self._enter(_address(self.found[self.at - len(self.rows)]))
            return
        if not row.open:
            self._look_on()
        elif self._broker and any(_address(one) == self._broker for one in self.found):
            # A table's own broker lets only those play who have its password, which is in the invite.
            self.app.notify(self.texts.say("lobby.ask-invite", name=clean(row.offer.host, 24)), markup=False)
        else:
            self.wasabi.visit(self._online.join(row.offer.invite, self.texts))

    def _look_on(self) -> None:
        row = self._chosen()
        if row is not None:
            self.wasabi.visit(self._online.watch(row.offer.watch, self.texts))

    def _open_hosting(self) -> None:
        from .hosting import HostPage

        self.app.push_screen(HostPage(), self._host)

    def _host(self, wish: TableWish | None) -> None:
        if wish is not None:
            # A broker that was only heard of lets us watch, no more.
            heard = any(_address(one) == self._broker for one in self.found)
            wish = wish if heard else replace(wish, broker=self._broker)
            self.wasabi.visit(self._online.host(wish, self.texts))


def _address(found: FoundBroker) -> str:
    host = f"[{found.host}]" if ":" in found.host else found.host
    return f"mqtt://{host}:{found.port}"
