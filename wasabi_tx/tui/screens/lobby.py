"""The lobby: tables on a broker, brokers on the local network, who is present, a line of talk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from textual.app import ComposeResult

from ...table.game import Link
from ...table.online.knocking import BadKnock
from ...table.online.lobby import LobbyClient, Spoken
from ...text.foreign import clean
from ...view.online.lobby_cards import Fact, facts_title, short_name, table_card, table_facts, way_to
from ...view.online.lobby_columns import BY_STATE, COLUMNS, LobbyRow, Reader, column_widths, lobby_rows
from ...view.online.refusals import say_refusal
from ...view.online.waiting_room import people_line
from ...view.press import ChooseRow, SortBy
from ..draw.belt import belt_rows
from ..draw.lobby import CARD, LEAST, LobbyPage, Nearby, paint_lobby
from ..draw.sheet import Means
from ..forms.form import following
from ..keys import BY_ID, shown_keys
from ..services import Brokers, FoundBroker, NotPossible, OnlineTables, TableWish
from ..spans import Line, Span
from ..widgets.painting import Painting
from ..widgets.panel import Pressed
from .base import Handler
from .rows_screen import Primary, RowsScreen, column, paragraph, titled

LOOK_EVERY = 0.5
"""The list is redrawn no more often than this, however much strangers say."""
TALK = 4
NAMED = ("take", "look_on", "talk")
"""Actions whose keys stand on the cards, or beside them."""


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
        self._by, self._reverse = BY_STATE, False
        self._only_open = False
        self._knock: asyncio.Task[None] | None = None
        self.at_door: LobbyRow | None = None
        """Where we knock now."""
        self.rows: list[LobbyRow] = []
        self.found: list[FoundBroker] = []
        self.said: deque[Spoken] = deque(maxlen=50)
        self._painted: tuple[object, ...] = ()
        """What the cards were painted from: the same is never painted again."""

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self._look)
        self.run_worker(self._listen(), name="network")
        self._enter(self._broker)

    async def on_unmount(self) -> None:
        await self._go_away()
        if self._lobby is not None:
            await self._lobby.close()

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield Painting("cards")

    # What is heard

    def _enter(self, broker: str) -> None:
        """Looks at this broker from now on."""
        try:
            entered = self._online.lobby(broker, self.texts)
        except NotPossible as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        if entered is not None:
            self._broker = broker
            self.run_worker(self._follow(*entered), name="lobby", group="lobby", exclusive=True)

    async def _follow(self, lobby: LobbyClient, name: str) -> None:
        await self._go_away()
        if self._lobby is not None:
            await self._lobby.close()
        self._lobby, self._name, self._up, self._lost, self.rows = lobby, name, False, "", []
        self.said.clear()
        if lobby.kept_back:
            self.app.notify(self.texts.say("online.password-kept-back", broker=name), markup=False, timeout=10)
        self.draw()
        async for change in lobby.changes():
            if isinstance(change, Spoken):
                self.said.append(change)
            elif isinstance(change, Link):
                self._up, self._lost = change.up, change.reason
            self._stale = True

    async def _listen(self) -> None:
        """Hears of brokers on the local network for as long as this is open."""

        def changed() -> None:
            self._stale = True

        async with self._online.brokers(changed) as brokers:
            self._brokers = brokers
            await asyncio.Event().wait()

    def _look(self) -> None:
        """Makes a new list if something was heard, and every few seconds because ages change."""
        if self._brokers is not None:
            self.found = list(self._brokers.found)
            if self._lobby is None and self.found:
                self._enter(_address(self.found[0]))
        if self._lobby is not None and self._stale:
            self._stale = False
            self._list(self._lobby)
        self.draw()

    def _list(self, lobby: LobbyClient) -> None:
        """Makes a new list; the cursor stays on its table, wherever that is now."""
        chosen = self._chosen()
        offers = lobby.offers()
        if self.at_door is not None and self.at_door.offer.table not in [offer.table for offer in offers]:
            self._say_refusal(BadKnock("closed"))
            self._withdraw()
        self.rows = lobby_rows(offers, self._reader, self._by, self._reverse, only_open=self._only_open)
        if chosen is not None:
            tables = [row.offer.table for row in self.rows]
            self.at = tables.index(chosen.offer.table) if chosen.offer.table in tables else self.at

    def _sort(self, column: str) -> None:
        """Sorts by a column; the second time the other way round."""
        self._by, self._reverse = column, column == self._by and not self._reverse
        if self._lobby is not None:
            self._list(self._lobby)
        self.draw()

    def _filter(self) -> None:
        """Lists only tables at which one can still sit down, or all again."""
        self._only_open = not self._only_open
        if self._lobby is not None:
            self._list(self._lobby)
        self.draw()

    async def on_pressed(self, message: Pressed) -> None:
        # All else is for the screen of rows, which hears of it too.
        if isinstance(message.press, SortBy):
            message.stop()
            self._sort(message.press.column)

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
            return say("tui.brand"), say("lobby.title"), Span("", "head")
        state = say("room.online" if self._up else "room.offline")
        mark = Span(f"{'●' if self._up else '○'} {state}", "head-good" if self._up else "turn")
        people = f", {say('tui.people', count=len(self._lobby.present) + 1)}" if self._up else ""
        return say("tui.brand"), say("lobby.at", broker=self._name) + people, mark

    def primary(self) -> Primary | None:
        say, row = self.texts.say, self._chosen()
        if row is not None:
            table, host = short_name(row.offer.table), clean(row.offer.host, 24)
            return Primary("take", say(f"lobby.{way_to(row.offer, self._writes)}-at", table=table, host=host))
        at = self.at - len(self.rows)
        if 0 <= at < len(self.found):
            return Primary("take", say("lobby.look-at", broker=clean(self.found[at].name, 24)))
        return Primary("new_table", say("lobby.open-own"))

    @property
    def _reader(self) -> Reader:
        return Reader(self.texts, self.edition_name)

    @property
    def _writes(self) -> bool:
        return self._lobby is not None and self._lobby.writes

    @property
    def _has_cards(self) -> bool:
        """Whether there is room for cards; else each table is a row."""
        return self.size.width >= LEAST[0] and self.size.height >= LEAST[1]

    def lines(self, width: int, height: int) -> list[Line]:
        if self._has_cards:
            return []
        talk = [*self._door_lines(width), *self._people(width), *self._talk(width)]
        brokers = self._found_lines(width)
        tables = self._table_lines(width, max(3, height - len(talk) - len(brokers)))
        blank = max(0, height - len(tables) - len(brokers) - len(talk))
        return [*tables, *[()] * blank, *brokers, *talk]

    @property
    def has_belt(self) -> bool:
        return self._has_cards and super().has_belt

    def draw(self) -> None:
        super().draw()
        if self.is_attached and self.size.width:
            self._draw_cards()

    def _draw_cards(self) -> None:
        cards, width = self.query_one("#cards", Painting), self.size.width
        cards.display = self._has_cards
        if not self._has_cards:
            return
        top = 1 + (belt_rows(large=True) if self.has_belt else 0) + 1
        height = self.size.height - top - 2
        keys = {name: self._key_of(name) for name in NAMED}
        page, paints, texts = self._page(height), self.wasabi.paints, self.texts
        painted = (page, keys, paints, texts.language, width, height)
        if painted != self._painted:
            self._painted = painted
            cards.styles.offset = (0, top)
            cards.styles.width, cards.styles.height = width, height
            cards.canvas = paint_lobby(page, Means(paints, texts, {}, {}, keys), width, height)

    def _page(self, height: int) -> LobbyPage:
        """What the cards show, with those alone that may be on the screen."""
        say, reader = self.texts.say, self._reader
        at, reach = min(self.at, len(self.rows) - 1), height // CARD
        first = max(0, at - reach)
        order = say("lobby.sorted", column=say(f"lobby.column.{self._by}"), arrow="↑" if self._reverse else "↓")
        about, facts = self._facts()
        return LobbyPage(
            title=say("lobby.tables", count=len(self.rows)),
            note_does="filter" if self._only_open else "sort",
            note=self._filter_note() or f"{order}  {self._key_of('sort')}",
            cards=tuple(table_card(row, reader, self._writes) for row in self.rows[first : at + reach + 1]),
            first=first,
            count=len(self.rows),
            at=self.at,
            empty="" if self.rows else self._why_empty(),
            present=self._lobby.present if self._lobby is not None else (),
            talk=tuple(self.said),
            brokers=tuple(
                Nearby(one.name, f"{one.host}:{one.port}", _address(one) == self._broker) for one in self.found
            ),
            about=about,
            facts=facts,
            door=self._door_words(),
        )

    def _facts(self) -> tuple[str, tuple[Fact, ...]]:
        """All about the table, or the broker, under the cursor; first what it is called."""
        row, say = self._chosen(), self.texts.say
        if row is not None:
            return facts_title(row.offer, self._reader), table_facts(row.offer, self._reader, self._writes)
        at = self.at - len(self.rows)
        if not 0 <= at < len(self.found):
            return "", ()
        one = self.found[at]
        words = say("lobby.about.broker", address=clean(f"{one.host}:{one.port}"), key=self._key_of("take"))
        return clean(one.name, 40), (Fact(say("lobby.fact.broker"), words),)

    def _table_lines(self, width: int, height: int) -> list[Line]:
        say = self.texts.say
        words, note = say("lobby.tables", count=len(self.rows)), self._filter_note()
        lines: list[Line] = [titled(words, width, f"({note})" if note else "")]
        if not self.rows:
            return [*lines, *paragraph(self._why_empty(), width, "muted")]
        rows = height - 2
        at = min(self.at, len(self.rows) - 1)
        first = max(0, min(at - rows + 1, len(self.rows) - rows))
        shown = range(first, min(first + rows, len(self.rows)))
        return [*lines, self._titles(width), *(self._row(self.rows[number], number, width) for number in shown)]

    def _key_of(self, action: str) -> str:
        return shown_keys(BY_ID[action], self.wasabi.settings.keys, self.texts)[0]

    def _filter_note(self) -> str:
        return self.texts.say("lobby.only-open", key=self._key_of("filter")) if self._only_open else ""

    def _why_empty(self) -> str:
        if self._lobby is None:
            key = "lobby.nowhere"
        else:
            key = "lobby.none" if self._up else f"online.lost.{self._lost}" if self._lost else "lobby.connecting"
        keys = {"new": self._key_of("new_table"), "invite": self._key_of("invite")}
        return self.texts.say(key, broker=self._name, **keys)

    def _door_words(self) -> str:
        if self.at_door is None:
            return ""
        name = clean(self.at_door.offer.host, 24)
        return self.texts.say("lobby.knocking", name=name, key=self._key_of("withdraw"))

    def _door_lines(self, width: int) -> list[Line]:
        return [(), *paragraph(self._door_words(), width, "strong")] if self.at_door is not None else []

    def _titles(self, width: int) -> Line:
        """The title of each column; the one that the list is sorted by has an arrow."""
        arrow = "↑" if self._reverse else "↓"
        titles = [
            (self.texts.say(f"lobby.column.{one.name}") + (f" {arrow}" if one.name == self._by else ""), one.name)
            for one in COLUMNS
        ]
        cells = zip(titles, column_widths(width), strict=True)
        return (Span("  ", "muted"), *(column(words, room, "muted", SortBy(name)) for (words, name), room in cells))

    def _row(self, row: LobbyRow, number: int, width: int) -> Line:
        chosen, press = number == self.at, ChooseRow(number)
        role = "default" if chosen else "strong" if row.open and row.offer.fresh else "muted"
        cells = [Span("► " if chosen else "  ", "key", press)]
        for one, text, room in zip(COLUMNS, row.texts, column_widths(width), strict=True):
            shown = text if one.whole else text[:room]
            cells.append(column(shown, room, "muted" if one.quiet and not chosen else role, press))
        return tuple(cells)

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

    def _people(self, width: int) -> list[Line]:
        """Who else is here."""
        words = people_line(self._lobby.people, width - 2, self.texts) if self._lobby is not None else ""
        return [(), (Span(f" {words}", "text"),)] if words else []

    def _talk(self, width: int) -> list[Line]:
        rows: list[Line] = []
        for said in list(self.said)[-TALK:]:
            line = self.texts.say("news.said", name=said.who, text=said.text)
            rows += paragraph(clean(line, 400), width, "text")
        return [titled(self.texts.say("lobby.talk"), width), *rows[-TALK:]] if rows else []

    # What is pressed

    def _chosen(self) -> LobbyRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "take": self._take,
            "look_on": self._look_on,
            "withdraw": self._step_back,
            "filter": self._filter,
            "sort": lambda: self._sort(following([one.name for one in COLUMNS], self._by)),
            "new_table": self._open_hosting,
            "invite": lambda: self.wasabi.ask_invite("join"),
            "leave": self._leave,
        }

    def _leave(self) -> None:
        self.app.pop_screen()

    def _step_back(self) -> None:
        """Away from the door at which we knock, or else out of the lobby."""
        if self.at_door is None:
            self._leave()
        else:
            self._withdraw()

    def _take(self) -> None:
        """Enter: a seat at a table, or the broker."""
        row = self._chosen()
        if row is None:
            if self.at - len(self.rows) < len(self.found):
                self._enter(_address(self.found[self.at - len(self.rows)]))
            return
        if not row.open:
            self._look_on()
        elif self._lobby is not None and self._lobby.writes:
            self._withdraw()
            self.wasabi.visit(self._online.join(row.offer.invite, self.texts))
        elif self._lobby is not None and (self.at_door is None or self.at_door.offer.table != row.offer.table):
            # Nobody plays on this broker without its password, which is in the invite.
            self._withdraw()
            self.at_door = row
            self._knock = asyncio.create_task(self._wait_at_door(self._lobby, row))
            self.draw()

    async def _wait_at_door(self, lobby: LobbyClient, row: LobbyRow) -> None:
        """Knocks until the host answers; then we go in, or it is said why not."""
        try:
            invite = await lobby.knock(row.offer.table)
        except BadKnock as refused:
            self._say_refusal(refused)
        else:
            if self.wasabi.settings.bell:
                self.wasabi.ring()
            self.wasabi.visit(self._online.join(invite, self.texts))
        finally:
            if self.at_door is row:
                self.at_door = None
                self.draw()

    def _say_refusal(self, refused: BadKnock) -> None:
        self.app.notify(say_refusal(refused, self.texts), markup=False, timeout=10)

    def _withdraw(self) -> None:
        """We wait at no door any more, and the host sees so."""
        if self._knock is not None:
            self._knock.cancel()
        self.at_door = None
        self.draw()

    async def _go_away(self) -> None:
        """The same, and our last word has left."""
        knock, self._knock = self._knock, None
        if knock is not None:
            knock.cancel()
            await asyncio.gather(knock, return_exceptions=True)
        self.at_door = None

    def _look_on(self) -> None:
        row = self._chosen()
        if row is not None:
            self._withdraw()
            self.wasabi.visit(self._online.watch(row.offer.watch, self.texts))

    def _open_hosting(self) -> None:
        from ..forms.hosting import HostForm
        from .form import FormPage

        self.app.push_screen(FormPage(HostForm(self.wasabi.games.editions(self.texts))), self._host)

    def _host(self, wish: TableWish | None) -> None:
        if wish is not None:
            self._withdraw()
            # On a broker that was found on the network we can only watch.
            heard = any(_address(one) == self._broker for one in self.found)
            wish = wish if heard or not self._broker else replace(wish, brokers=(self._broker,))
            self.wasabi.visit(self._online.host(wish, self.texts))


def _address(found: FoundBroker) -> str:
    host = f"[{found.host}]" if ":" in found.host else found.host
    return f"mqtt://{host}:{found.port}"
