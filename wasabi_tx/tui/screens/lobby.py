"""The lobby: tables on a broker, brokers on the local network, who is present, a line of talk."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...app.failure import Failure
from ...app.online_tables import OnlineTables
from ...app.values import TableWish
from ...games.game import Link
from ...net.address import Address
from ...online.knocking import BadKnock
from ...online.lobby import LobbyClient, Spoken
from ...text.cells import cut, fit
from ...text.foreign import clean
from ...view.online.lobby_cards import Fact, facts_title, short_name, table_card, table_facts, way_to
from ...view.online.lobby_columns import BY_STATE, COLUMNS, LobbyRow, Reader, column_widths, lobby_rows
from ...view.online.refusals import say_refusal
from ...view.online.waiting_room import people_line
from ..bindings import bindings_on
from ..canvas import BOLD, REVERSE, Canvas
from ..draw.lobby import PITCH, paint_card
from ..draw.sheet import Means, Sheet
from ..forms.form import following
from ..safe_text import plain
from ..text_lines import led
from ..widgets.list_title import ListTitle
from ..widgets.painted_option import PaintedOption
from .online_screen import OnlineScreen, Primary
from .page import Reading

if TYPE_CHECKING:
    from ...net.discovery import Browser, Found

LEAST = (100, 30)
"""Fewest columns and rows of a terminal for tables as cards."""
PAGE = 10
"""Rows that PageUp and PageDown move."""
LABEL = 12
"""Columns of a fact's label."""
LOOK_EVERY = 0.5
"""The list is redrawn no more often than this, however much strangers say."""
NAMED = ("take", "look_on", "talk")
"""Actions whose keys are shown on the cards, or beside them."""


class LobbyScreen(OnlineScreen):
    where = "lobby"
    CSS_PATH = ["online_screen.tcss", "lobby.tcss"]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("lobby")

    def __init__(self, online: OnlineTables, broker: str = "") -> None:
        super().__init__()
        self._online = online
        self._broker = broker
        self._lobby: LobbyClient | None = None
        self._brokers: Browser | None = None
        self._broker_name = ""
        self._here = ""
        """The address of the broker that we look at, without its password."""
        self._lost = ""
        self._up = False
        self._stale = True
        self._by, self._reverse = BY_STATE, False
        self._only_open = False
        self._knock: asyncio.Task[None] | None = None
        self.at_door: LobbyRow | None = None
        """The table whose host we are asking for a seat."""
        self.rows: list[LobbyRow] = []
        self.found: list[Found] = []
        self.visited: list[Address] = []
        """Brokers that were looked at before, the last one first."""
        self._ours: frozenset[str] = frozenset()
        """The tables at which we have a seat."""
        self.said: deque[Spoken] = deque(maxlen=50)
        self.at = 0
        """The table, or after them the broker, found or visited before, that is chosen."""
        self._listed: tuple[object, ...] = ()
        """The contents of the present list, which is rebuilt only if they change."""
        self._tables_title, self._columns = ListTitle(), Static(id="columns")
        self.tables, self.brokers = OptionList(id="tables"), OptionList(id="brokers")
        self.earlier = OptionList(id="earlier")
        self._empty = Static(id="empty")
        self._people_title, self._people = ListTitle(), Static(id="people")
        self._talk_title, self._talk = ListTitle(id="talk-title"), Static()
        self._brokers_title = ListTitle(id="brokers-title")
        self._earlier_title = ListTitle(id="earlier-title")
        self._rights = Static(id="rights")
        self._facts_title, self._facts = ListTitle(id="facts-title"), Reading(())
        self._door = Static(id="door")
        self._heard = 0

    def on_mount(self) -> None:
        self.set_interval(LOOK_EVERY, self._look)
        self.run_worker(self._listen(), name="network")
        self._read_visited()
        self._enter(self._broker)

    async def on_unmount(self) -> None:
        await self._go_away()
        if self._lobby is not None:
            await self._lobby.close()

    def compose_body(self) -> Iterable[Widget]:
        self.tables.can_focus = self.brokers.can_focus = self.earlier.can_focus = False
        talk = VerticalScroll(self._talk, id="talk", can_focus=False)
        yield Container(
            Vertical(self._tables_title, self._columns, self.tables, self._empty, id="left"),
            Vertical(
                Vertical(self._people_title, self._people, id="present"),
                Vertical(self._talk_title, talk, id="talking"),
                Vertical(self._brokers_title, self.brokers, classes="brokers"),
                Vertical(self._earlier_title, self.earlier, classes="brokers"),
                id="right",
            ),
            id="body",
        )
        yield Vertical(self._facts_title, self._facts, id="about")
        yield self._rights
        yield self._door

    def on_screen_resume(self) -> None:
        with suppress(Failure):
            self._ours = frozenset(seat.name for seat in self._online.unfinished(self.texts))
        super().on_screen_resume()

    # Events

    def _enter(self, broker: str) -> None:
        """Switch to this broker's lobby."""
        try:
            entered = self._online.lobby(broker, self.texts)
        except Failure as refused:
            self.app.notify(refused.sentence, severity="error", markup=False)
            return
        if entered is not None:
            self._broker, self._here = broker, str(entered[0].address)
            self._read_visited()
            self.run_worker(self._follow(*entered), name="lobby", group="lobby", exclusive=True)

    async def _follow(self, lobby: LobbyClient, name: str) -> None:
        await self._go_away()
        if self._lobby is not None:
            await self._lobby.close()
        self._lobby, self._broker_name, self._up, self._lost, self.rows = lobby, name, False, "", []
        self.said.clear()
        if lobby.kept_back:
            self.app.notify(self.texts.say("online.password-kept-back", broker=name), markup=False, timeout=10)
        self.draw()
        async for change in lobby.changes():
            if isinstance(change, Spoken):
                self.said.append(change)
            elif isinstance(change, Link):
                self._up, self._lost = change.up, change.reason
                if change.up and self._broker and not self._on_network:
                    self._online.keep_visited(self._broker)
                    self._read_visited()
            self._stale = True

    def _read_visited(self) -> None:
        """Read which other brokers were looked at before."""
        self.visited = [one for one in self._online.visited() if str(one) != self._here]

    @property
    def _on_network(self) -> bool:
        """True if the broker is on the local network, where we can only watch, and host on this machine."""
        return any(_address(one) == self._broker for one in self.found)

    @property
    def _watches_only(self) -> bool:
        return self._lobby is not None and self._lobby.watches_only

    async def _listen(self) -> None:
        """Listen for brokers on the local network while this screen is open."""

        def changed() -> None:
            self._stale = True

        async with self._online.brokers(changed) as brokers:
            self._brokers = brokers
            await asyncio.Event().wait()

    def _look(self) -> None:
        """Refresh the list after news, and every few seconds because ages change."""
        if self._brokers is not None:
            self.found = list(self._brokers.found)
            if self._lobby is None and self.found:
                self._enter(_address(self.found[0]))
        if self._lobby is not None and self._stale:
            self._stale = False
            self._list(self._lobby)
        self.draw()

    def _list(self, lobby: LobbyClient) -> None:
        """Make a new list; keep the cursor on its table."""
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
        """Sort by a column, in reverse the second time."""
        self._by, self._reverse = column, column == self._by and not self._reverse
        if self._lobby is not None:
            self._list(self._lobby)
        self.draw()

    def action_filter(self) -> None:
        """Toggle between open tables and all tables."""
        self._only_open = not self._only_open
        if self._lobby is not None:
            self._list(self._lobby)
        self.draw()

    async def send_talk(self, text: str) -> None:
        if self._lobby is not None:
            self._lobby.send_talk(text)

    # Drawing

    @property
    def count(self) -> int:
        return len(self.rows) + len(self._places)

    @property
    def _places(self) -> list[tuple[str, str, str]]:
        """Return all brokers of the lists: address, name, and whatever else is shown."""
        near = [(_address(one), clean(one.name, 40), clean(f"{one.host}:{one.port}")) for one in self.found]
        return [*near, *((one.url(), clean(f"{one.host}:{one.port}"), one.scheme) for one in self.visited)]

    @property
    def _place(self) -> tuple[str, str, str] | None:
        """Return the broker under the cursor."""
        at = self.at - len(self.rows)
        return self._places[at] if 0 <= at < len(self._places) else None

    def header(self) -> tuple[str, str, bool]:
        say = self.texts.say
        if self._lobby is None:
            return say("lobby.title"), "", False
        state = f"{'●' if self._up else '○'} {say('room.online' if self._up else 'room.offline')}"
        people = f", {say('tui.people', count=len(self._lobby.present) + 1)}" if self._up else ""
        return say("lobby.at", broker=self._broker_name) + people, state, not self._up

    def primary(self) -> Primary | None:
        say, row = self.texts.say, self._chosen()
        if row is not None:
            table, host = short_name(row.offer.table), clean(row.offer.host, 24)
            way = way_to(row.offer, self._writes, row.offer.table in self._ours)
            return Primary("take", say(f"lobby.{way}-at", table=table, host=host))
        if self._place is not None:
            return Primary("take", say("lobby.look-at", broker=cut(self._place[1], 24)))
        if self._locked:
            return Primary("address", say("lobby.go-to"))
        return Primary("new_table", say("lobby.open-own"))

    @property
    def _locked(self) -> bool:
        """True if no table can be opened from here."""
        return self._watches_only and not self._on_network

    def idle(self) -> Collection[str]:
        return (*(("talk",) if self._watches_only else ()), *(("new_table",) if self._locked else ()))

    @property
    def _reader(self) -> Reader:
        return Reader(self.texts, self.edition_name)

    @property
    def _writes(self) -> bool:
        return self._lobby is not None and self._lobby.writes

    @property
    def _has_cards(self) -> bool:
        """True if there is room for cards; otherwise each table is a row."""
        return self.size.width >= LEAST[0] and self.size.height >= LEAST[1]

    def refresh_body(self) -> None:
        self.at = max(0, min(self.at, self.count - 1))
        self.set_class(self._has_cards, "-cards")
        self.belt.display = self.belt.display and self._has_cards
        say = self.texts.say
        note, order = self._filter_note(), "↑" if self._reverse else "↓"
        title = self._tables_title
        title.words = say("lobby.tables", count=len(self.rows))
        title.action = "filter" if note else "sort"
        sorted_by = say("lobby.sorted", column=say(f"lobby.column.{self._by}"), arrow=order)
        title.right = note or (f"{sorted_by}  {self.key_of('sort')}" if self._has_cards else "")
        self._columns.update(self._column_titles())
        self._columns.display = not self._has_cards and bool(self.rows)
        self._empty.display = not self.rows
        self._empty.update(plain(self._why_empty()))
        self.tables.display = bool(self.rows)
        self._show_lists()
        self._show_beside()
        about, facts = self._facts_words()
        self._facts_title.words = about
        self._facts.lines = tuple(led(cut(one.label, LABEL - 1).ljust(LABEL), "$muted", one.words) for one in facts)
        self._facts.refresh(layout=True)
        self._rights.display = self._watches_only
        self._rights.update(plain(say("lobby.watch-only", key=self.key_of("address"))))
        self._door.display = self.at_door is not None
        self._door.update(plain(self._door_words()))

    def _show_lists(self) -> None:
        """Show tables and brokers; only those in sight are painted."""
        offers = tuple(row.offer for row in self.rows)
        made = (offers, self._ours, self._has_cards, self._writes, self._places, self._broker)
        look = (self.wasabi.paints, self.texts.language, self.size, self.at)
        if (made, look) == self._listed:
            return
        self._listed = (made, look)
        top = self.tables.scroll_y
        height = PITCH if self._has_cards else 1
        self.tables.set_options(
            Option(PaintedOption(height, partial(self._paint_table, number))) for number in range(len(self.rows))
        )
        near = len(self.found)
        places = [Option(PaintedOption(1, partial(self._paint_broker, one))) for one in range(len(self._places))]
        self.brokers.set_options(places[:near])
        self.earlier.set_options(places[near:])
        self.tables.scroll_to(y=top, animate=False, force=True)
        self.tables.highlighted = self.at if self.at < len(self.rows) else None
        at = self.at - len(self.rows)
        self.brokers.highlighted = at if 0 <= at < near else None
        self.earlier.highlighted = at - near if near <= at < len(places) else None

    def _paint_table(self, number: int, width: int) -> Canvas:
        keys = {name: self.key_of(name) for name in NAMED}
        means = Means(self.wasabi.paints, self.texts, {}, {}, keys)
        row, chosen = self.rows[min(number, len(self.rows) - 1)], number == self.at
        if self._has_cards:
            ours = row.offer.table in self._ours
            return paint_card(table_card(row, self._reader, self._writes, ours), means, width, chosen)
        sheet = Sheet(means, width, 1)
        x = sheet.write(0, 0, "► " if chosen else "  ", "accent", BOLD)
        if chosen:
            sheet.canvas.ground(x, 0, width - x, 1, sheet.paints["accent"] if sheet.paints.pixels else sheet.ground)
        for one, text, room in zip(COLUMNS, row.texts, column_widths(width), strict=True):
            words = fit(clean(text if one.whole else text[:room]), room)
            weight = BOLD if chosen or (row.open and row.offer.fresh and not one.quiet) else 0
            weight |= REVERSE if chosen and not sheet.paints.pixels else 0
            ink = "background" if chosen and sheet.paints.pixels else "text" if weight else "muted"
            x = sheet.write(x, 0, words, ink, weight)
        return sheet.canvas

    def _paint_broker(self, number: int, width: int) -> Canvas:
        sheet = Sheet(Means(self.wasabi.paints, self.texts), width, 1)
        address, name, about = self._places[min(number, len(self._places) - 1)]
        chosen = len(self.rows) + number == self.at
        if chosen and sheet.paints.pixels:
            sheet.canvas.ground(0, 0, width, 1, sheet.paints["panel"])
        here = address == self._broker
        sheet.write(0, 0, "►" if chosen else "●" if here else " ", "accent", BOLD)
        end = sheet.write(2, 0, cut(name, width - len(about) - 3), "text", BOLD)
        sheet.write_right(0, cut(about, width - end - 1), "muted")
        return sheet.canvas

    def _show_beside(self) -> None:
        """Show who else is here, what they say, and brokers on the local network."""
        if not (self._people.is_attached and self._talk_title.is_attached):
            # News may arrive while the screen is being composed or taken away.
            return
        say = self.texts.say
        self._people_title.words = say("lobby.present")
        self._people.update(self._people_content())
        self._people.parent.display = self._has_cards or bool(self._people_content())  # type: ignore[union-attr]
        self._talk_title.words, self._talk_title.action = say("lobby.talk"), "talk"
        self._talk_title.right = self.key_of("talk") if self._has_cards else ""
        said = [self._said(one) for one in self.said]
        silence = plain(say("lobby.silence")).stylize("$faint")
        self._talk.update(Content("\n").join(said) if said else silence)
        self._talk_title.parent.display = self._has_cards or bool(said)  # type: ignore[union-attr]
        if len(said) != self._heard and isinstance(self._talk.parent, VerticalScroll):
            self._heard = len(said)
            self._talk.parent.scroll_end(animate=False)
        self._brokers_title.words = say("lobby.brokers")
        self._brokers_title.parent.display = bool(self.found)  # type: ignore[union-attr]
        self._earlier_title.words, self._earlier_title.action = say("lobby.earlier"), "address"
        self._earlier_title.right = self.key_of("address") if self._has_cards else ""
        self._earlier_title.parent.display = bool(self.visited)  # type: ignore[union-attr]

    def _said(self, one: Spoken) -> Content:
        who, text = clean(one.who, 40), clean(one.text)
        if self._has_cards:
            return plain(who).stylize("bold $accent").append(plain(f" {text}"))
        return plain(clean(self.texts.say("news.said", name=one.who, text=one.text), 400))

    def _people_content(self) -> Content:
        if self._lobby is None:
            return Content("")
        if not self._has_cards:
            return plain(people_line(self._lobby.people, self.size.width - 2, self.texts))
        say = self.texts.say
        rows = []
        for one in self._lobby.present:
            hosted = say("lobby.hosts", table=short_name(one.table)) if one.table else ""
            where = say("lobby.begun") if one.playing else hosted
            rows.append(Content.assemble(("● ", "$accent"), plain(clean(one.name, 24)), (f"  {where}", "$muted")))
        return Content("\n").join([*rows, Content.assemble(("● ", "$accent"), (say("tui.you"), "bold"))])

    def _column_titles(self) -> Content:
        """Return the title of each column; the one that the list is sorted by has an arrow."""
        parts = [Content("  ")]
        for one, room in zip(COLUMNS, column_widths(self.tables.size.width or self.size.width), strict=True):
            words = self.texts.say(f"lobby.column.{one.name}")
            words += f" {'↑' if self._reverse else '↓'}" if one.name == self._by else ""
            parts.append(plain(fit(words, room)).stylize(Style.from_meta({"sort": one.name})))
        return Content("").join(parts).stylize("$muted")

    def _facts_words(self) -> tuple[str, tuple[Fact, ...]]:
        """Return the title and the facts of the table or broker under the cursor."""
        row, say = self._chosen(), self.texts.say
        if row is not None:
            return facts_title(row.offer, self._reader), table_facts(row.offer, self._reader, self._writes)
        if self._place is None:
            return "", ()
        words = say("lobby.about.broker", address=self._place[2], key=self.key_of("take"))
        return self._place[1], (Fact(say("lobby.fact.broker"), words),)

    def _filter_note(self) -> str:
        return self.texts.say("lobby.only-open", key=self.key_of("filter")) if self._only_open else ""

    def _why_empty(self) -> str:
        if self._lobby is None:
            key = "lobby.nowhere"
        else:
            none = "lobby.none-here" if self._locked else "lobby.none"
            key = none if self._up else f"online.lost.{self._lost}" if self._lost else "lobby.connecting"
        keys = {"new": self.key_of("new_table"), "invite": self.key_of("invite"), "address": self.key_of("address")}
        return self.texts.say(key, broker=self._broker_name, **keys)

    def _door_words(self) -> str:
        if self.at_door is None:
            return ""
        name = clean(self.at_door.offer.host, 24)
        return self.texts.say("lobby.knocking", name=name, key=self.key_of("withdraw"))

    # Actions

    def action_row_up(self) -> None:
        self._move(-1)

    def action_row_down(self) -> None:
        self._move(1)

    def action_row_first(self) -> None:
        self._move(-self.count)

    def action_row_last(self) -> None:
        self._move(self.count)

    def action_page_up(self) -> None:
        self._move(-PAGE)

    def action_page_down(self) -> None:
        self._move(PAGE)

    def _move(self, by: int) -> None:
        self.at += by
        self.draw()

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        """Choose what was clicked; a second click does what Enter does."""
        event.stop()
        before = {self.tables: 0, self.brokers: len(self.rows), self.earlier: len(self.rows) + len(self.found)}
        at = event.option_index + before[event.option_list]
        if at == self.at:
            self.action_take()
        else:
            self.at = at
            self.draw()

    def on_click(self, event: events.Click) -> None:
        column = event.style.meta.get("sort")
        if column is not None:
            event.stop()
            self._sort(column)

    def _chosen(self) -> LobbyRow | None:
        return self.rows[self.at] if self.at < len(self.rows) else None

    def action_sort(self) -> None:
        self._sort(following([one.name for one in COLUMNS], self._by))

    def action_address(self) -> None:
        """Type the address of a broker to look at."""
        self.open_line(self._go_to, "lobby.type-address")

    async def _go_to(self, line: str) -> None:
        if line.strip():
            self._enter(line.strip())

    def action_talk(self) -> None:
        if not self._watches_only:
            super().action_talk()

    def action_invite(self) -> None:
        self.wasabi.ask_invite("join")

    def action_leave(self) -> None:
        self.app.pop_screen()

    def action_withdraw(self) -> None:
        """Withdraw our knock, or leave the lobby if there is none."""
        if self.at_door is None:
            self.action_leave()
        else:
            self._withdraw()

    def action_take(self) -> None:
        """Enter: a seat at a table, or the broker."""
        row = self._chosen()
        if row is None:
            if self._place is not None:
                self._enter(self._place[0])
            return
        if row.offer.table in self._ours:
            self._withdraw()
            self.wasabi.visit(self._online.resume(row.offer.table, self.texts))
        elif not row.open:
            self.action_look_on()
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
        """Knock until the host answers, then go in or show the refusal."""
        try:
            invite = await lobby.knock(row.offer.table)
        except BadKnock as refused:
            self._say_refusal(refused)
        else:
            if self.wasabi.settings.bell:
                self.app.bell()
            self.wasabi.visit(self._online.join(invite, self.texts))
        finally:
            if self.at_door is row:
                self.at_door = None
                self.draw()

    def _say_refusal(self, refused: BadKnock) -> None:
        self.app.notify(say_refusal(refused, self.texts), markup=False, timeout=10)

    def _withdraw(self) -> None:
        """Withdraw our knock in the background."""
        if self._knock is not None:
            self._knock.cancel()
        self.at_door = None
        self.draw()

    async def _go_away(self) -> None:
        """Withdraw our knock and wait until the host has been told."""
        knock, self._knock = self._knock, None
        if knock is not None:
            knock.cancel()
            await asyncio.gather(knock, return_exceptions=True)
        self.at_door = None

    def action_look_on(self) -> None:
        row = self._chosen()
        if row is not None:
            self._withdraw()
            self.wasabi.visit(self._online.watch(row.offer.watch, self.texts))

    def action_new_table(self) -> None:
        if self._locked:
            return
        from ..forms.hosting import HostForm
        from .form import FormPage

        form = HostForm(self.wasabi.games.editions(self.texts), self._online.visited(), self.app.is_web)
        self.app.push_screen(FormPage(form), self._host)

    def _host(self, wish: TableWish | None) -> None:
        if wish is not None:
            self._withdraw()
            wish = (
                wish if self._on_network or wish.brokers or not self._broker else replace(wish, brokers=(self._broker,))
            )
            self.wasabi.visit(self._online.host(wish, self.texts))


def _address(found: Found) -> str:
    host = f"[{found.host}]" if ":" in found.host else found.host
    return f"mqtt://{host}:{found.port}"
