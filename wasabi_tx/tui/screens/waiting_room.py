"""The waiting room: who sits, who asks, the invite to copy, then the sealed shuffle."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from time import monotonic

from rich.cells import cell_len

from ...table.online.client import events as table_events
from ...table.online.client.client import Event
from ...table.online.online_table import OnlineTable
from ...text.foreign import clean
from ...view.online.refusals import REFUSALS, say_refusal
from ...view.online.surroundings import sentence
from ...view.online.waiting_room import (
    MOST_LOBBY_LINES,
    Guest,
    WaitingRoomView,
    carriers_line,
    command_for,
    command_rows,
    people_line,
    terms_of,
)
from ...view.press import ChooseRow, Do, Press
from ..draw.qr_code import qr_lines
from ..keys import BY_ID, shown_keys
from ..spans import Line, Span, line_width
from .base import Handler
from .page import ListPage, TextPage
from .rows_screen import Primary, RowsScreen, column, paragraph, titled

BAR = 40
LOOK_AGAIN = 2.0
DOOR_PAUSE = 30.0
"""Seconds between two bells for guests: strangers with ever new keys could otherwise ring without end."""
ROOM_BETWEEN_SEATS = 20
"""Rows that are left for seats and what follows, of which gaps between seats may take some."""
SOME_ROOM = 5
"""Rows that are left before what is said in the lobby may take some."""
MUCH_ROOM = 8
"""Rows that are left for what happened, of which a note may take some."""
HOPELESS = (table_events.CannotPlay, table_events.HostBroken)


class WaitingRoomScreen(RowsScreen):
    """Shows a table until its game can be shown; then `begun` is true, or false when it was left before."""

    where = "room"

    def __init__(self, table: OnlineTable) -> None:
        super().__init__()
        self.table = table
        self.begun: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """Whether the game can be shown; False once this screen was left."""
        self.hopeless = ""
        """Why there will be no game here for us."""
        self.copied = ""
        self._rang_at_door = -DOOR_PAUSE

    def on_mount(self) -> None:
        me = self.table.me.key if self.table.seat is not None else b""
        self.room = WaitingRoomView(me, self.texts, self.edition_name)
        self._reading = self.run_worker(self._follow(), name="room")
        self.run_worker(self._await_cards(), name="cards")
        if self.table.carriers:
            # No word of the table tells how one of several brokers is.
            self.set_interval(LOOK_AGAIN, self.draw_soon)

    # The room

    async def _follow(self) -> None:
        """Takes what happens before the game."""
        table = self.table
        self._name_terminal()
        while (event := await table.next_event()) is not None:
            line = self.room.take(event)
            if line is not None and self._calls(event) and self.wasabi.settings.bell:
                self.wasabi.ring()
            self._name_terminal()
            if isinstance(event, HOPELESS) or event == table_events.TurnedAway(table.me.key):
                self.hopeless = self.room.said[-1]
                self.leave()
                return
            if isinstance(event, table_events.Joined) and table.asks and table.expects(event.key):
                await table.admit(event.key)
            self.draw_soon()
            # A crowd at the door must not keep keys waiting.
            await asyncio.sleep(0)

    def _calls(self, event: Event) -> bool:
        """Whether somebody who looks elsewhere wants to hear of this: a guest at the door, a game that begins."""
        if isinstance(event, table_events.LobbyTalk):
            # Strangers could ring without end: once is enough to say that somebody is there.
            return len(self.room.lobby_said) == 1
        if isinstance(event, table_events.Joined | table_events.Knocking):
            return self.table.hosting and not self.table.expects(event.key) and self._door_rings()
        return isinstance(event, table_events.GameBegun)

    def _door_rings(self) -> bool:
        """Whether the last bell for a guest was long enough ago; it rings now, then."""
        now = monotonic()
        rings = now - self._rang_at_door >= DOOR_PAUSE
        if rings:
            self._rang_at_door = now
        return rings

    def _name_terminal(self) -> None:
        """The terminal's title says what the room is waiting for."""
        say = self.texts.say
        asking = len(self.room.asking) if self.table.hosting else 0
        words = say("room.asking", count=asking) if asking else say("room.title", table=self.table.title)
        self.wasabi.set_title(f"{say('tui.brand')} {words}")

    async def _await_cards(self) -> None:
        """Goes on to the table when everything is shuffled."""
        await self.table.until(lambda now: now.shuffled)
        if not self.table.snapshot.shuffled:
            return
        self._reading.cancel()
        if not self.begun.done():
            self.begun.set_result(True)

    def leave(self) -> None:
        if not self.begun.done():
            self.begun.set_result(False)

    async def say(self, text: str) -> None:
        await self.table.say(text)

    # What is drawn

    @property
    def count(self) -> int:
        return len(self.room.asking) if self.table.hosting else 0

    def idle(self) -> Collection[str]:
        if self.room.begun:
            return ("admit", "turn_away", "add_bot", "begin", "copy", "talk_lobby")
        if not self.table.hosting:
            return ("admit", "turn_away", "add_bot", "begin", "talk_lobby")
        gone = [] if self.room.asking else ["admit", "turn_away"]
        gone += [] if self.table.in_lobby else ["talk_lobby"]
        return gone if self.room.enough else [*gone, "begin"]

    def primary(self) -> Primary | None:
        """A guest at the door comes first; then the game, if there are enough for it."""
        idle, say = self.idle(), self.texts.say
        if "admit" not in idle:
            name = clean(self.room.guest(self.room.asking[self.at]).name, 24)
            return Primary("admit", say("room.let-sit", name=name))
        if "begin" not in idle:
            return Primary("begin", say("room.start-with", count=self.room.taken), say("room.or-wait"))
        if self.room.waits:
            return Primary("", self.room.waits)
        return None if "copy" in idle else Primary("copy", say("room.copy-first"), say("room.then-paste"))

    def header(self) -> tuple[str, str, Span]:
        say = self.texts.say
        title = say("room.title", table=self.table.title)
        up = self.room.up
        words = f"● {say('room.online')}" if up else f"○ {say('room.offline')}"
        return self.texts.say("tui.brand"), title, Span(words, "head-good" if up else "turn")

    def lines(self, width: int, height: int) -> list[Line]:
        carried = carriers_line(self.table.carriers, self.texts)
        top: list[Line] = [(), *self._terms(width)]
        top += [*(paragraph(carried, width, "muted") if carried else ()), ()]
        invites = [*self._invites(width), ()] if not self.room.begun else [*self._progress(width), ()]
        seats = self._seats(width, apart=height - len(top) - len(invites) >= ROOM_BETWEEN_SEATS)
        # Whoever opened the table has to invite others before anybody can sit.
        top += [*invites, *seats] if self.table.hosting else [*seats, (), *invites[:-1]]
        rest = height - len(top) - 2
        asking = self._asking(width, max(1, min(len(self._askers), rest - 3)))
        lobby = self._lobby_lines(width) if rest - len(asking) >= SOME_ROOM else []
        asking += lobby
        notice = self._notes(width, rest - len(asking))
        if rest - len(asking) - len(notice) >= MUCH_ROOM:
            # Where there is no room for it, it stands in the help.
            notice += self._note("room.unaudited", width)
        if rest - len(asking) - len(notice) >= MUCH_ROOM:
            notice = self._note("room.fingerprint", width) + notice
        talk = self._talk(width, rest - len(asking) - len(notice))
        return [*top, *asking, *notice, *talk]

    def _terms(self, width: int) -> list[Line]:
        offer, say = self.room.offer, self.texts.say
        if offer is None:
            return [(Span(f" {say('room.no-offer')}", "muted"),)]
        words = [clean(self.edition_name(offer.edition), 30), *terms_of(offer, self.texts)]
        return paragraph(" · ".join(words), width, "text")

    def _seats(self, width: int, *, apart: bool) -> list[Line]:
        """A row each, `apart` where there is room."""
        say, offer, seated = self.texts.say, self.room.offer, self.room.seated
        taken = say("room.taken", count=len(seated), seats=offer.seats) if offer is not None else ""
        if offer is not None and len(seated) < offer.least < offer.seats:
            taken += f" · {say('room.enough', count=offer.least)}"
        lines = [titled(say("room.seats"), width, right=taken)]
        for number in range(1, (offer.seats if offer is not None else len(seated)) + 1):
            if apart and number > 1:
                lines.append(())
            if number > len(seated):
                lines.append(self._free_seat(number, width))
                continue
            role = f"badge-{(number - 1) % 4 + 1}"
            badge = (Span(" ", "text"), Span(f" {number}", role), Span(" ", "bar"))
            row = (*badge, *self._person(seated[number - 1], seated=True))
            lines.append((*row, Span(" " * max(0, width - line_width(row) - 1), "bar")))
        return lines

    def _free_seat(self, number: int, width: int) -> Line:
        """`3 waiting for a friend…     n add bot`"""
        say = self.texts.say
        row = (Span(" ", "text"), Span(f" {number}", "bar"), Span(f" {say('room.free')}", "muted"))
        if "add_bot" in self.idle():
            return row
        key = shown_keys(BY_ID["add_bot"], self.wasabi.settings.keys, self.texts)[0]
        words = f" {say('tui.action.add_bot')}"
        gap = width - line_width(row) - cell_len(key + words) - 2
        bot = (Span(" " * gap, "text"), Span(key, "key", Do("add_bot")), Span(words, "muted", Do("add_bot")))
        return (*row, *bot) if gap > 0 else row

    def _person(
        self, guest: Guest, press: Press | None = None, role: str = "strong", seated: bool = False
    ) -> tuple[Span, ...]:
        """Who somebody is; one who is `seated` has a row with a ground of its own."""
        say = self.texts.say
        words = [say("room.run-by", name=clean(guest.run_by, 24))] if guest.run_by else []
        words += [say("room.host")] if guest.host else []
        words += [say("room.ready")] if guest.ready else []
        words += [say("room.at-the-door")] if guest.knocks else []
        words += [say("room.you")] if guest.you else []
        return (
            column(guest.name, 16, "head" if seated else role, press),
            column(guest.fingerprint, len(guest.fingerprint) + 2, "bar" if seated else "muted", press),
            Span(", ".join(words), "button-words" if seated else "text", press),
        )

    @property
    def _askers(self) -> list[bytes]:
        """Those who ask for a seat; a guest who does is told so elsewhere."""
        return [key for key in self.room.asking if key != self.table.me.key]

    def _asking(self, width: int, rows: int) -> list[Line]:
        asking, say = self._askers, self.texts.say
        if not asking:
            return []
        words, note = say("room.asking", count=len(asking)), " "
        if self.table.hosting:
            admit, refuse = (
                shown_keys(BY_ID[action], self.wasabi.settings.keys, self.texts)[0] for action in ("admit", "turn_away")
            )
            note = f"({say('room.answer-keys', admit=admit, refuse=refuse)})"
        lines: list[Line] = [(), titled(words, width, note)]
        first = max(0, min(self.at - rows + 1, len(asking) - rows))
        for number in range(first, min(first + rows, len(asking))):
            guest = self.room.guest(asking[number])
            chosen = self.table.hosting and number == self.at
            mark = Span("  ► " if chosen else "    ", "key", ChooseRow(number))
            lines.append((mark, *self._person(guest, ChooseRow(number), "default" if chosen else "text")))
        return lines

    def _lobby_lines(self, width: int) -> list[Line]:
        """Who looks at the lobby while we wait, and what they say."""
        room = self.room
        if room.begun or not (room.lobby_people or room.lobby_said):
            return []
        said = [line for words in room.lobby_said for line in paragraph(clean(words, 400), width, "muted")]
        note = " "
        if "talk_lobby" not in self.idle():
            key = shown_keys(BY_ID["talk_lobby"], self.wasabi.settings.keys, self.texts)[0]
            note = f"({self.texts.say('room.lobby-answer', key=key)})"
        names = people_line(room.lobby_people, width - 2, self.texts)
        return [
            (),
            titled(self.texts.say("room.lobby", count=len(room.lobby_people)), width, note),
            *([(Span(f" {names}", "text"),)] if names else []),
            *said[-MOST_LOBBY_LINES:],
        ]

    def _invites(self, width: int) -> list[Line]:
        table, say = self.table, self.texts.say
        lines: list[Line] = []
        if self.room.code:
            # Short enough to say on the telephone: it comes first.
            words = say("room.say-code-locked" if self.room.code_locked else "room.say-code")
            lines += [titled(words, width, " "), (Span(self.room.code, "accent"),)]
        ways = [("invite-play", table.invite, "copy")] if table.seat is not None else []
        for key, invite, action in (*ways, ("invite-watch", table.watch_invite, "copy_watch")):
            keys = shown_keys(BY_ID[action], self.wasabi.settings.keys, self.texts)[0]
            heading, note = say(f"room.{key}"), say("room.copies", key=keys)
            if self.copied == action:
                note = say("room.copied")
                note = note if cell_len(f" {heading}  ({note}) ") <= width else say("room.copied-short")
            lines.append(titled(heading, width, f"({note})"))
            # From the first column on and nothing beside it, so that it can also be marked with a mouse.
            lines += [(Span(row, "accent", Do(action)),) for row in command_rows(command_for(invite), width)]
        return lines

    def _progress(self, width: int) -> list[Line]:
        done = round(self.room.done * BAR)
        bar = Span("█" * done + "·" * (BAR - done), "good")
        return [
            *paragraph(self.room.progress_words, width, "strong"),
            (Span(" ", "text"), bar),
            *self._note("room.sealed", width),
        ]

    def _notes(self, width: int, rows: int) -> list[Line]:
        """What one has to know about this table: no notification, which would cover the seats and then the table."""
        if self.room.begun or not self.table.notes:
            return []
        lines = [line for note in self.table.notes for line in paragraph(sentence(note), width, "muted")]
        return [(), *lines][: max(0, rows)]

    def _note(self, key: str, width: int) -> list[Line]:
        return [(), *paragraph(self.texts.say(key), width, "muted")]

    def _talk(self, width: int, rows: int) -> list[Line]:
        if rows < 2:
            return []
        lines: list[Line] = []
        for said in reversed(self.room.said):
            lines = [*paragraph(clean(said, 400), width, "muted"), *lines]
            if len(lines) >= rows - 1:
                break
        gap: list[Line] = [()] if rows > len(lines) + 1 else []
        return [*gap, titled(self.texts.say("room.happened"), width), *lines[-(rows - 1) :]]

    # What is pressed

    def _host_only(self) -> bool:
        if not self.table.hosting:
            self.app.notify(self.texts.say("room.host-only"), markup=False)
        return self.table.hosting

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(),
            "admit": self._let_sit,
            "turn_away": self._turn_away,
            "add_bot": self._add_bot,
            "begin": self._begin,
            "copy": self._copy_invite,
            "copy_watch": self._copy_watch,
            "qr_code": self._show_qr_code,
            "talk_lobby": self._answer_lobby,
            "leave": self._ask_to_leave,
            "withdraw": self._ask_to_leave,
        }

    def _answer_lobby(self) -> None:
        """A line to the lobby in which our table is listed."""
        if self._host_only() and "talk_lobby" not in self.idle():
            self.open_line(self._say_in_lobby, "room.say-in-lobby")

    async def _say_in_lobby(self, line: str) -> None:
        self.table.say_in_lobby(line)

    async def _let_sit(self) -> None:
        asking = self.room.asking
        if asking and self._host_only():
            await self.table.admit(asking[self.at])

    async def _turn_away(self) -> None:
        asking = self.room.asking
        if asking and self._host_only():
            await self.table.turn_away(asking[self.at])

    def _add_bot(self) -> None:
        if not self._host_only() or self.room.begun:
            return
        offer = self.room.offer
        if offer is not None and self.room.taken >= offer.seats:
            self.app.notify(self.texts.say("room.full"), markup=False)
            return
        self.table.add_bot()
        self.room.said.append(self.texts.say("room.bot-comes"))
        self.draw()

    async def _begin(self) -> None:
        if not self._host_only() or self.room.begun:
            return
        if not self.room.enough:
            offer = self.room.offer
            count = offer.least if offer is not None else 2
            self.app.notify(self.texts.say("room.too-few", count=count), markup=False)
            return
        await self.table.propose()

    def _copy_invite(self) -> None:
        if self.table.seat is None:
            self._copy_watch()
        else:
            self._copy("copy", self.table.invite)

    def _copy_watch(self) -> None:
        self._copy("copy_watch", self.table.watch_invite)

    def _copy(self, which: str, invite: str) -> None:
        self.app.copy_to_clipboard(command_for(invite))
        self.copied = which
        self.draw()

    def _show_qr_code(self) -> None:
        """The invite for the camera of a telephone, which passes it on to whatever people write to each other with."""
        invite = self.table.invite if self.table.seat is not None else self.table.watch_invite
        light = self.wasabi.palette.theme.dark
        try:
            lines = qr_lines(invite, light)
        except ImportError:
            self.app.notify(self.texts.say("room.no-qr-code"), markup=False)
            return
        self.app.push_screen(TextPage(self.texts.say("room.qr-code"), lines))

    def _ask_to_leave(self) -> None:
        """Close and come back later, or give the seat up."""
        say = self.texts.say
        ways = [("later", say("tui.close-later"))]
        if self.table.seat is not None:
            if not self.room.begun:
                ways.append(("for-good", say("room.give-up")))
        else:
            ways = [("later", say("tui.stop-watching"))]
        ways.append(("stay", say("room.stay")))
        page = ListPage(say("tui.about.leave"), ways, say("tui.do-it"), say("room.stay"))
        self.app.push_screen(page, self._leaving)

    def _leaving(self, way: str | None) -> None:
        if way == "later":
            self.leave()
        elif way == "for-good":
            self.run_worker(self._give_up(), name="give up")

    async def _give_up(self) -> None:
        try:
            await self.table.give_up()
        except REFUSALS as error:
            self.app.notify(say_refusal(error, self.texts), severity="error", markup=False)
        self.leave()
