"""The waiting room: who sits, who asks, the invite to copy, then the sealed shuffle."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from time import monotonic
from typing import ClassVar

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import OptionList, ProgressBar, Static
from textual.widgets.option_list import Option

from ...online.client import events as table_events
from ...online.client.client import Event
from ...online.online_table import OnlineTable
from ...text.cells import fit
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
    link_rows,
    people_line,
    terms_of,
)
from ..bindings import bindings_on
from ..draw.qr_code import qr_lines
from ..safe_text import plain
from ..widgets.list_title import ListTitle
from .online_screen import ROOMY, OnlineScreen, Primary
from .page import ListPage, TextPage

LOOK_AGAIN = 2.0
DOOR_PAUSE = 30.0
"""Seconds between two bells for guests: strangers with ever new keys could otherwise ring without end."""
GENERAL = ("-general", "-general")
"""Notes that are in the help too, and shown here only if there is much room."""
HOPELESS = (table_events.CannotPlay, table_events.HostBroken)


class Invite(Vertical):
    """An invite below a line about its purpose; a click copies it.

    It begins in the first column and nothing is beside it, so that it can also be marked with a mouse.
    """

    DEFAULT_CSS = """
    Invite { height: auto; }
    Invite > ListTitle { padding: 0 1; }
    Invite > Static { height: auto; width: 100%; color: $accent; }
    """

    def __init__(self, action: str) -> None:
        super().__init__(id=f"invite-{action}")
        self._action = action
        self._title, self._rows = ListTitle(), Static()

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._rows

    def show(self, heading: str, note: str, rows: Sequence[str]) -> None:
        self._title.words, self._title.note = heading, note
        content = plain("\n".join(rows))
        copies = Style.from_meta({"act": self._action})
        self._rows.update(content if self._action in ("code", "link") else content.stylize(copies))


class Shuffling(Vertical):
    """The progress of the sealed shuffle."""

    def __init__(self) -> None:
        super().__init__(id="progress")
        self._words, self._sealed = Static(), Static(classes="sealed")
        self._bar = ProgressBar(1.0, show_eta=False, show_percentage=False)

    def compose(self) -> ComposeResult:
        yield self._words
        yield self._bar
        yield self._sealed

    def show(self, words: str, done: float, sealed: str) -> None:
        self._words.update(plain(words))
        self._bar.update(progress=done)
        self._sealed.update(plain(sealed))


class WaitingRoomScreen(OnlineScreen):
    """Shows a table until its game can be shown; then `begun` is true, or false when it was left before."""

    where = "room"
    CSS_PATH = ["online_screen.tcss", "waiting_room.tcss"]  # noqa: RUF012 - as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-low"), (ROOMY, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = bindings_on("room")

    def __init__(self, table: OnlineTable) -> None:
        super().__init__()
        self.table = table
        self.begun: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        """True once the game can be shown; False if this screen was left before."""
        self.hopeless = ""
        """The reason why there will be no game here for us."""
        self.copied = ""
        self._rang_at_door = -DOOR_PAUSE
        self.add_class("-host" if table.hosting else "-guest" if table.seat is not None else "-watcher")
        self._terms = Static(id="terms")
        self._carried = Static(id="carried")
        self._invites = {name: Invite(name) for name in ("link", "code", "copy", "copy_watch")}
        self._progress = Shuffling()
        self._seats_title, self._seats = ListTitle(id="seats"), Static(id="seat-rows")
        self._asking_title, self._asking = ListTitle(id="askers"), OptionList(id="asking")
        self._lobby_title, self._lobby_said = ListTitle(id="lobby"), Static(id="lobby-said")
        self._notes, self._fingerprint, self._unaudited = (Static(classes=f"note {one}") for one in ("", *GENERAL))
        self._happened, self._said = ListTitle(), Static()
        self._heard: tuple[object, ...] = ()
        """The events already shown."""

    def compose_body(self) -> Iterable[Widget]:
        seats = (self._seats_title, self._seats)
        # Whoever opened the table has to invite others before anybody can sit.
        parts = (self._invites.values(), (self._progress,), seats)
        asking = (self._asking_title, self._asking, self._lobby_title, self._lobby_said)
        notes = (self._fingerprint, self._notes, self._unaudited)
        self._asking.can_focus = False
        order = parts if self.table.hosting else (seats, self._invites.values(), (self._progress,))
        top = [widget for part in order for widget in part]
        room = VerticalScroll(self._terms, self._carried, *top, *asking, *notes, id="room", can_focus=False)
        happened = Vertical(self._happened, VerticalScroll(self._said, id="said", can_focus=False), id="happened")
        yield Vertical(room, happened, id="body")

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
        """Follow the events before the game."""
        table = self.table
        self._name_terminal()
        while (event := await table.next_event()) is not None:
            line = self.room.handle(event)
            if line is not None and self._calls(event) and self.wasabi.settings.bell:
                self.app.bell()
            self._name_terminal()
            if isinstance(event, HOPELESS) or event == table_events.TurnedAway(table.me.key):
                self.hopeless = self.room.said[-1]
                self.go_away()
                return
            if isinstance(event, table_events.Joined) and table.asks and table.expects(event.key):
                await table.admit(event.key)
            self.draw_soon()
            # A crowd at the door must not keep keys waiting.
            await asyncio.sleep(0)

    def _calls(self, event: Event) -> bool:
        """Return True if a user who looks elsewhere should be called: a guest at the door, a game that begins."""
        if isinstance(event, table_events.LobbyTalk):
            # Strangers could ring without end: once is enough to say that somebody is there.
            return len(self.room.lobby_said) == 1
        if isinstance(event, table_events.Joined | table_events.Knocking):
            return self.table.hosting and not self.table.expects(event.key) and self._door_rings()
        return isinstance(event, table_events.GameBegun)

    def _door_rings(self) -> bool:
        """Return True, and note the time, if the last bell for a guest was long enough ago."""
        now = monotonic()
        rings = now - self._rang_at_door >= DOOR_PAUSE
        if rings:
            self._rang_at_door = now
        return rings

    def _name_terminal(self) -> None:
        """Show in the terminal's title what the room is waiting for."""
        say = self.texts.say
        asking = len(self.room.asking) if self.table.hosting else 0
        words = say("room.asking", count=asking) if asking else say("room.title", table=self.table.title)
        self.wasabi.set_title(f"{say('tui.brand')} {words}")

    async def _await_cards(self) -> None:
        """Go on to the table when everything is shuffled."""
        await self.table.until(lambda now: now.shuffled)
        if not self.table.snapshot.shuffled:
            return
        self._reading.cancel()
        if not self.begun.done():
            self.begun.set_result(True)

    def go_away(self) -> None:
        if not self.begun.done():
            self.begun.set_result(False)

    async def send_talk(self, text: str) -> None:
        await self.table.send_talk(text)

    # Drawing

    @property
    def at(self) -> int:
        """The number of the guest at the door who is chosen."""
        return min(self._asking.highlighted or 0, max(0, len(self._askers) - 1))

    def idle(self) -> Collection[str]:
        if self.room.begun:
            return ("admit", "turn_away", "add_bot", "begin", "copy", "talk_lobby")
        if not self.table.hosting:
            return ("admit", "turn_away", "add_bot", "begin", "talk_lobby")
        gone = [] if self.room.asking else ["admit", "turn_away"]
        gone += [] if self.table.in_lobby else ["talk_lobby"]
        return gone if self.room.enough else [*gone, "begin"]

    def primary(self) -> Primary | None:
        """Return the main button: admit a guest first, then begin the game if there are enough players."""
        idle, say = self.idle(), self.texts.say
        if "admit" not in idle:
            name = clean(self.room.guest(self._askers[self.at]).name, 24)
            return Primary("admit", say("room.let-sit", name=name))
        if "begin" not in idle:
            return Primary("begin", say("room.start-with", count=self.room.taken), say("room.or-wait"))
        if self.room.waits:
            return Primary("", self.room.waits)
        return None if "copy" in idle else Primary("copy", say("room.copy-first"), say("room.then-paste"))

    def header(self) -> tuple[str, str, bool]:
        say, up = self.texts.say, self.room.up
        state = f"● {say('room.online')}" if up else f"○ {say('room.offline')}"
        return say("room.title", table=self.table.title), state, not up

    def refresh_body(self) -> None:
        room, say = self.room, self.texts.say
        # One column is kept for a bar to scroll.
        width = self.size.width - 1
        self._terms.update(plain(self._terms_words()))
        carried = carriers_line(self.table.carriers, self.texts)
        self._carried.display = bool(carried)
        self._carried.update(plain(carried))
        self._show_invites(width)
        self._progress.display = room.begun
        self._progress.show(room.progress_words, room.done, say("room.sealed"))
        self._show_seats(width)
        self._show_asking()
        self._show_lobby(width)
        notes = "\n".join(map(sentence, self.table.notes)) if not room.begun else ""
        self._notes.display = bool(notes)
        self._notes.update(plain(notes))
        self._fingerprint.update(plain(say("room.fingerprint")))
        self._unaudited.update(plain(say("room.unaudited")))
        self._show_happened()

    def _terms_words(self) -> str:
        offer = self.room.offer
        if offer is None:
            return self.room.unanswered or self.texts.say("room.no-offer")
        return " · ".join([clean(self.edition_name(offer.edition), 30), *terms_of(offer, self.texts)])

    def _show_invites(self, width: int) -> None:
        room, table, say = self.room, self.table, self.texts.say
        shown: dict[str, tuple[str, str, list[str]]] = {}
        if table.site:
            note = f"({say('room.shows-qr', key=self.key_of('qr_code'))})"
            shown["link"] = (say("room.open-link"), note, link_rows(table.site + table.invite, width))
        if room.code:
            # Short enough to say on the telephone: it comes first.
            shown["code"] = (say("room.say-code-locked" if room.code_locked else "room.say-code"), " ", [room.code])
        ways = [("invite-play", table.invite, "copy")] if table.seat is not None else []
        for key, invite, action in (*ways, ("invite-watch", table.watch_invite, "copy_watch")):
            heading, note = say(f"room.{key}"), say("room.copies", key=self.key_of(action))
            if self.copied == action:
                note = say("room.copied")
                note = note if cell_len(f" {heading}  ({note}) ") <= width else say("room.copied-short")
            shown[action] = (heading, f"({note})", command_rows(command_for(invite), width))
        for name, part in self._invites.items():
            part.display = name in shown and not room.begun
            if name in shown:
                part.show(*shown[name])

    def _show_seats(self, width: int) -> None:
        say, offer, seated = self.texts.say, self.room.offer, self.room.seated
        taken = say("room.taken", count=len(seated), seats=offer.seats) if offer is not None else ""
        if offer is not None and len(seated) < offer.least < offer.seats:
            taken += f" · {say('room.enough', count=offer.least)}"
        self._seats_title.words, self._seats_title.right = say("room.seats"), taken
        rows = [self._seat_row(number, guest, width) for number, guest in enumerate(seated, 1)]
        count = offer.seats if offer is not None else len(seated)
        rows += [self._free_seat(number, width) for number in range(len(seated) + 1, count + 1)]
        apart = "\n\n" if self.size.height >= ROOMY else "\n"
        self._seats.update(Content(apart).join(rows))

    def _seat_row(self, number: int, guest: Guest, width: int) -> Content:
        seat = (number - 1) % 4 + 1
        look = f"bold $on-seat-{seat} on $seat-{seat}" if self.wasabi.paints.pixels else f"bold reverse $seat-{seat}"
        badge = Content(f" {number}").stylize(look)
        words = self._person(guest)
        room = max(0, width - 3 - words.cell_length)
        row = Content(" ").append(words).append(" " * room).stylize("on $panel")
        return Content(" ").append(badge).append(row)

    def _free_seat(self, number: int, width: int) -> Content:
        """Return `3 waiting for a friend…     n add bot`."""
        say = self.texts.say
        row = Content.assemble(" ", (f" {number}", "$muted on $panel"), (f" {say('room.free')}", "$muted"))
        if "add_bot" in self.idle():
            return row
        key, words = self.key_of("add_bot"), f" {say('tui.action.add_bot')}"
        gap = width - row.cell_length - cell_len(key + words) - 2
        if gap <= 0:
            return row
        press = Style.from_meta({"act": "add_bot"})
        bot = Content.assemble((key, "bold $accent"), (words, "$muted")).stylize(press)
        return row.append(" " * gap).append(bot)

    def _person(self, guest: Guest) -> Content:
        """Return a person as the room shows them."""
        say = self.texts.say
        words = [say("room.run-by", name=clean(guest.run_by, 24))] if guest.run_by else []
        words += [say("room.host")] if guest.host else []
        words += [say("room.ready")] if guest.ready else []
        words += [say("room.at-the-door")] if guest.knocks else []
        words += [say("room.you")] if guest.you else []
        name = plain(fit(clean(guest.name), 16)).stylize("bold")
        return name.append(plain(f"{guest.fingerprint}  ").stylize("$muted")).append(plain(", ".join(words)))

    @property
    def _askers(self) -> list[bytes]:
        """The guests who ask for a seat, other than this user."""
        return [key for key in self.room.asking if key != self.table.me.key]

    def _show_asking(self) -> None:
        asking, say = self._askers, self.texts.say
        self._asking.display = self._asking_title.display = bool(asking)
        note = " "
        if self.table.hosting:
            keys = {"admit": self.key_of("admit"), "refuse": self.key_of("turn_away")}
            note = f"({say('room.answer-keys', **keys)})"
        self._asking_title.words, self._asking_title.note = say("room.asking", count=len(asking)), note
        at = self.at
        rows = [self._asker(key, number == at) for number, key in enumerate(asking)]
        if [option.prompt for option in self._asking.options] != rows:
            self._asking.set_options([Option(row) for row in rows])
            self._asking.highlighted = at if asking and self.table.hosting else None
            if asking:
                # Whoever waits at the door is in sight, however small the terminal is.
                self.call_after_refresh(self._asking.scroll_visible, animate=False)

    def _asker(self, key: bytes, chosen: bool) -> Content:
        guest = self._person(self.room.guest(key))
        # The chosen one has the colours of the list.
        return Content("► ").append(guest.plain) if chosen and self.table.hosting else Content("  ").append(guest)

    def _show_lobby(self, width: int) -> None:
        """Show who looks at the lobby while we wait, and what they say."""
        room, say = self.room, self.texts.say
        shown = not room.begun and bool(room.lobby_people or room.lobby_said)
        self._lobby_title.display = self._lobby_said.display = shown
        if not shown:
            return
        answers = "talk_lobby" not in self.idle()
        note = f"({say('room.lobby-answer', key=self.key_of('talk_lobby'))})" if answers else " "
        self._lobby_title.words, self._lobby_title.note = say("room.lobby", count=len(room.lobby_people)), note
        names = people_line(room.lobby_people, width - 2, self.texts)
        said = [clean(words, 400) for words in room.lobby_said][-MOST_LOBBY_LINES:]
        self._lobby_said.update(plain("\n".join(filter(None, [names, *said]))))

    def _show_happened(self) -> None:
        """Show all that happened, the newest at the end and in sight."""
        heard = tuple(self.room.said)
        self._happened.words = self.texts.say("room.happened")
        if heard != self._heard:
            self._heard = heard
            self._said.update(plain("\n".join(clean(words, 400) for words in heard)))
            if isinstance(self._said.parent, VerticalScroll):
                self._said.parent.scroll_end(animate=False)

    # Actions

    def action_row_up(self) -> None:
        self._move(-1)

    def action_row_down(self) -> None:
        self._move(1)

    def action_row_first(self) -> None:
        self._move(-len(self._askers))

    def action_row_last(self) -> None:
        self._move(len(self._askers))

    def action_page_up(self) -> None:
        self.query_one("#room", VerticalScroll).scroll_page_up(animate=False)

    def action_page_down(self) -> None:
        self.query_one("#room", VerticalScroll).scroll_page_down(animate=False)

    def _move(self, by: int) -> None:
        """Choose another guest at the door."""
        if self.table.hosting and self._askers:
            self._asking.highlighted = max(0, min(self.at + by, len(self._askers) - 1))
            self.draw()

    @on(OptionList.OptionHighlighted)
    @on(OptionList.OptionSelected)
    def _chosen_guest(self) -> None:
        self.draw()

    async def on_click(self, event: events.Click) -> None:
        action = event.style.meta.get("act")
        if action is not None:
            event.stop()
            await self.action_act(action)

    def _host_only(self) -> bool:
        if not self.table.hosting:
            self.app.notify(self.texts.say("room.host-only"), markup=False)
        return self.table.hosting

    def action_withdraw(self) -> None:
        self.action_leave()

    def action_talk_lobby(self) -> None:
        """Open a line to the lobby in which our table is listed."""
        if self._host_only() and "talk_lobby" not in self.idle():
            self.open_line(self._say_in_lobby, "room.say-in-lobby")

    async def _say_in_lobby(self, line: str) -> None:
        self.table.say_in_lobby(line)

    async def action_admit(self) -> None:
        asking = self._askers
        if asking and self._host_only():
            await self.table.admit(asking[self.at])

    async def action_turn_away(self) -> None:
        asking = self._askers
        if asking and self._host_only():
            await self.table.turn_away(asking[self.at])

    def action_add_bot(self) -> None:
        if not self._host_only() or self.room.begun:
            return
        offer = self.room.offer
        if offer is not None and self.room.taken >= offer.seats:
            self.app.notify(self.texts.say("room.full"), markup=False)
            return
        self.table.add_bot()
        self.room.said.append(self.texts.say("room.bot-comes"))
        self.draw()

    async def action_begin(self) -> None:
        if not self._host_only() or self.room.begun:
            return
        if not self.room.enough:
            offer = self.room.offer
            count = offer.least if offer is not None else 2
            self.app.notify(self.texts.say("room.too-few", count=count), markup=False)
            return
        await self.table.propose()

    def action_copy(self) -> None:
        if self.table.seat is None:
            self.action_copy_watch()
        else:
            self._copy("copy", self.table.invite)

    def action_copy_watch(self) -> None:
        self._copy("copy_watch", self.table.watch_invite)

    def _copy(self, which: str, invite: str) -> None:
        self.app.copy_to_clipboard(command_for(invite))
        self.copied = which
        self.draw()

    def action_qr_code(self) -> None:
        """Show the invite, or the link that leads a browser there, as a QR code for a camera."""
        table = self.table
        invite = table.invite if table.seat is not None else table.watch_invite
        lines = qr_lines(table.site + invite, self.wasabi.paints.theme.dark)
        self.app.push_screen(TextPage(self.texts.say("room.qr-link" if table.site else "room.qr-code"), lines))

    def action_leave(self) -> None:
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
            self.go_away()
        elif way == "for-good":
            self.run_worker(self._give_up(), name="give up")

    async def _give_up(self) -> None:
        try:
            await self.table.give_up()
        except REFUSALS as error:
            self.app.notify(say_refusal(error, self.texts), severity="error", markup=False)
        self.go_away()
