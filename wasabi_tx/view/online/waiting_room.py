"""The waiting room: who is seated, who asks for a seat, the progress, and a line for each event."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from ...games.game import Link, SetupProgress, Unsaved
from ...games.game import Said as SaidInGame
from ...net.carriers import CarrierState
from ...online.client import events as table_events
from ...online.client.client import Event
from ...online.client.talk import fingerprint, shown_name
from ...online.terms import (
    BY_CORRESPONDENCE,
    DAY,
    HINTS,
    HOUR,
    QUICK_START,
    WATCHERS_TALK,
    counts_days,
)
from ...text import Texts
from ...text.cells import cut
from .event_lines import event_line, progress_line, unsaved_line

MINUTE = 60
MOST_GUESTS = 200
"""Anybody may knock at an open table, so the list is limited."""
MOST_LINES = 100
MOST_LOBBY_LINES = 3
"""A low limit, so that strangers' chat in the lobby never displaces the events of the room."""


@dataclass(frozen=True)
class Guest:
    """A person or bot in the room; all its words are harmless."""

    name: str
    fingerprint: str
    run_by: str
    """The name of the player who runs this bot; "" for a person."""
    you: bool
    host: bool
    ready: bool = False
    """True if they have signed the proposed game."""
    knocks: bool = False
    """True if they have no invite and wait at the door for one."""


@dataclass(frozen=True)
class OfferView:
    """The terms of the game that is offered."""

    edition: str
    seats: int
    least: int
    clock: int
    options: tuple[str, ...]


class WaitingRoomView:
    """Follows the room by its events; `me` is our own key, empty for a watcher."""

    def __init__(self, me: bytes, texts: Texts, edition_name: Callable[[str], str]) -> None:
        self.texts = texts
        self._edition_name = edition_name
        self.offer: OfferView | None = None
        self.up = True
        self.progress: SetupProgress | None = None
        self.begun = False
        self.unanswered = ""
        """The sentence about a host who does not answer; "" while all is well."""
        self.code = ""
        """The command that a host's friend can type instead of the invite, if it is offered."""
        self.code_locked = False
        """True if the command needs the password of the broker."""
        self.said: deque[str] = deque(maxlen=MOST_LINES)
        self.lobby_said: deque[str] = deque(maxlen=MOST_LOBBY_LINES)
        self.lobby_people: tuple[str, ...] = ()
        """The other people in the lobby that lists this table."""
        self._me = me
        self._host = b""
        self._guests: dict[bytes, tuple[str, bytes]] = {}
        self._knocks: dict[bytes, str] = {}
        self._seated: list[bytes] = []
        self._ready: set[bytes] = set()

    def handle(self, event: Event) -> str | None:
        """Update the room from an event; return the line for it, or None if it needs none."""
        match event:
            case table_events.Offered(offer):
                terms = offer.terms
                self._host = offer.key
                self.unanswered = ""
                if offer.key in self._guests:
                    self._sit(offer.key)
                found = OfferView(terms.edition, terms.most, terms.least, terms.clock, terms.options)
                if found == self.offer:
                    return None
                self.offer = found
            case table_events.Joined(key, name, runner, invited):
                if key in self._guests or not self._has_room(invited):
                    return None
                self._guests[key] = shown_name(name, key), runner
                if key == self._host:
                    self._sit(key)
            case table_events.Admitted(key):
                self._sit(key)
            case table_events.NoAnswer():
                self.unanswered = self._line(event) or ""
            case table_events.SeatsGiven(keys):
                self.unanswered = ""
                return self._seats_given(keys)
            case table_events.Dropped(key):
                self._seated = [one for one in self._seated if one != key]
            case table_events.Withdrawn(key):
                return self._withdrawn(key)
            case table_events.TurnedAway(key):
                mine = key == self._me
                words = self.texts.say("room.you-turned-away" if mine else "room.turned-away", name=self.name_of(key))
                self._forget(key)
                self.said.append(words)
                return words
            case table_events.Knocking(key, name):
                self._knocks[key] = shown_name(name, key)
            case table_events.KnockEnded(key):
                self._knocks.pop(key, None)
            case table_events.Accepted(key):
                self._ready.add(key)
            case table_events.Proposed(keys):
                self._seated = list(keys)
                self._ready.clear()
            case table_events.LobbyPeople(names):
                self.lobby_people = names
                return None
            case table_events.LobbyTalk(who, text):
                words = self.texts.say("room.lobby-said", name=who, text=text)
                self.lobby_said.append(words)
                return words
            case table_events.CodeOffered():
                self.code, self.code_locked = code_command(event), event.locked
            case table_events.GameBegun():
                self.begun, self.unanswered = True, ""
            case SetupProgress():
                if event == self.progress:
                    return None
                self.progress = event
                return self.progress_words
            case Link(up, _):
                self.up = up
        line = self._line(event)
        if line is None or (self.said and self.said[-1] == line):
            return None
        self.said.append(line)
        return line

    def _seats_given(self, keys: Sequence[bytes]) -> str | None:
        """Apply the host's list of seated players; return the line if we are newly on it."""
        mine = self._me in keys and self._me not in self._seated
        if not self.begun:
            self._seated = list(keys)
        if not mine or self._me == self._host:
            return None
        line = self.texts.say("room.you-seated", name=self.name_of(self._host))
        self.said.append(line)
        return line

    def _withdrawn(self, key: bytes) -> str | None:
        """Note that somebody closed the room: a guest is removed, the host keeps the first seat."""
        if key not in self._guests and key != self._host:
            return None
        hosts = key == self._host
        line = self.texts.say("room.host-closed" if hosts else "room.withdrawn", name=self.name_of(key))
        if not hosts:
            self._forget(key)
        self.said.append(line)
        return line

    def _forget(self, key: bytes) -> None:
        self._guests.pop(key, None)
        self._seated = [one for one in self._seated if one != key]
        self._ready.discard(key)

    def _has_room(self, invited: bool) -> bool:
        """Return whether another guest fits; an invited one displaces the first of those still asking for a seat."""
        if len(self._guests) >= MOST_GUESTS and invited and self._unseated:
            del self._guests[self._unseated[0]]
        return len(self._guests) < MOST_GUESTS

    def _sit(self, key: bytes) -> None:
        if key not in self._seated:
            self._seated.append(key)

    def _line(self, event: Event) -> str | None:
        say = self.texts.say
        match event:
            case table_events.Offered(offer):
                edition, host = self._edition_name(offer.terms.edition), shown_name(offer.name, offer.key)
                sentence = "room.you-offered" if offer.key == self._me else "room.offered"
                return say(sentence, edition=edition, seats=offer.terms.most, host=host)
            case table_events.Joined(self._me):
                return None if self._me == self._host else say("room.you-joined", key=fingerprint(self._me))
            case table_events.Admitted(self._me):
                return None
            case table_events.Accepted(self._me):
                return say("room.you-ready")
            case table_events.Joined(key, _, runner):
                who = "hosting" if key == self._host else "joined-bot" if runner else "joined"
                return say(f"room.{who}", name=self.name_of(key), key=fingerprint(key))
            case table_events.Knocking(key):
                return say("room.knocks", name=self.name_of(key), key=fingerprint(key))
            case table_events.Admitted(key):
                return say("room.seated", name=self.name_of(key))
            case table_events.Accepted(key):
                return say("room.is-ready", name=self.name_of(key))
            case table_events.NoAnswer("host-away"):
                return say("room.no-answer.host-away", name=self.name_of(self._host))
            case table_events.Dropped(key):
                return say("room.unseated", name=self.name_of(key))
            case table_events.TalkHeard(key, text):
                return say("news.said", name=self.name_of(key), text=text)
            case Link() | SaidInGame():
                return event_line(event, (), self.texts)
        return room_line(event, self.texts)

    def name_of(self, key: bytes) -> str:
        if key in self._guests:
            return self._guests[key][0]
        return self._knocks.get(key, fingerprint(key)[:9])

    @property
    def seated(self) -> list[Guest]:
        return [self.guest(key) for key in self._seated]

    @property
    def asking(self) -> list[bytes]:
        """The keys of those who ask for a seat, in order; those who knock come last."""
        return [*self._unseated, *(key for key in self._knocks if key not in self._guests)]

    @property
    def _unseated(self) -> list[bytes]:
        return [key for key in self._guests if key not in self._seated]

    @property
    def waits(self) -> str:
        """The thing that a guest waits for: a seat or, once seated, the others."""
        if self._me not in self._guests or self.begun or self._host in (b"", self._me):
            return ""
        if self.unanswered:
            return self.texts.say("room.wait-for-silent", name=self.name_of(self._host))
        if self._me in self._seated:
            return self.texts.say("room.wait-for-others")
        return self.texts.say("room.wait-for-host", name=self.name_of(self._host))

    @property
    def taken(self) -> int:
        return len(self._seated)

    def guest(self, key: bytes) -> Guest:
        """Return the view of one person or bot."""
        _, runner = self._guests.get(key, ("", b""))
        return Guest(
            self.name_of(key),
            fingerprint(key),
            self.name_of(runner) if runner else "",
            you=key == self._me,
            host=key == self._host,
            ready=key in self._ready,
            knocks=key in self._knocks and key not in self._guests,
        )

    @property
    def enough(self) -> bool:
        """True if the game may begin with those seated, although more could come."""
        offer = self.offer
        return offer is not None and not self.begun and offer.least <= self.taken < offer.seats

    @property
    def progress_words(self) -> str:
        """The progress of the cards' setup in words; "" before the game has begun."""
        if self.progress is None:
            return self.texts.say("room.progress-keys") if self.begun else ""
        return progress_line(self.progress, self.texts)

    @property
    def done(self) -> float:
        """The completed share of the sealed setup, from 0 to 1."""
        progress = self.progress
        if progress is None:
            return 0.0
        parts = {"keys": 0.05, "shuffle": 0.1 + 0.8 * progress.done / max(1, progress.total), "shares": 0.95}
        return parts.get(progress.what, 0.5)


def room_line(event: Event, texts: Texts) -> str | None:
    """Return the line for an event before the game that concerns the whole room, or None if it needs none."""
    match event:
        case table_events.Proposed(keys):
            return texts.say("room.proposed", count=len(keys))
        case table_events.CodeOffered("", wrong):
            return texts.say("room.code-void", count=wrong)
        case table_events.CodeOffered(_, 0):
            return texts.say("room.code-offered", command=code_command(event))
        case table_events.CodeOffered(tries_left=left):
            return texts.say("room.code-tried", count=left)
        case table_events.CannotPlay(code, params):
            return texts.say(f"online.cannot-play.{code}", **params)
        case table_events.NoAnswer("host-away"):
            return texts.say("room.no-answer.host-away", name=texts.say("room.the-host"))
        case table_events.NoAnswer(why):
            return texts.say(f"room.no-answer.{why}")
        case table_events.Crowded():
            return texts.say("room.crowded")
        case table_events.HostBroken():
            return texts.say("room.host-broken")
        case table_events.GameBegun(names):
            return texts.say("room.begun", names=", ".join(names))
        case Unsaved(reason):
            return unsaved_line(reason, texts)
    return None


def terms_of(offer: OfferView, texts: Texts) -> list[str]:
    """Return the terms of the game: when it starts, its clock, and what is allowed or dealt."""
    starts = texts.say("room.starts", count=offer.seats)
    if offer.least < offer.seats:
        starts = texts.say("room.least", seats=offer.seats, count=offer.least)
    return [starts, clock_line(offer.clock, texts), *option_words(offer.options, texts)]


def clock_line(clock: int, texts: Texts) -> str:
    """Return how long a turn may take at a table."""
    if counts_days(clock):
        return texts.say("room.correspondence-days", count=clock // DAY)
    if clock >= BY_CORRESPONDENCE:
        return texts.say("room.correspondence", count=clock // HOUR)
    if clock and clock % MINUTE == 0:
        return texts.say("room.clock-minutes", count=clock // MINUTE)
    return texts.say("room.clock", seconds=clock) if clock else texts.say("room.no-clock")


def option_words(options: Sequence[str], texts: Texts) -> list[str]:
    """Return the names of the options that a table has agreed on besides its rules and its clock."""
    return [texts.say(f"room.option.{one}") for one in (QUICK_START, HINTS, WATCHERS_TALK) if one in options]


def carriers_line(carriers: Sequence[CarrierState], texts: Texts) -> str:
    """Return the brokers that the table lives on and their states, or "" if there is only one."""
    if not carriers:
        return ""
    shown = (f"{'●' if one.up else '○'} {one.name}" for one in carriers)
    return texts.say("room.carriers", names="  ".join(shown))


def command_for(invite: str) -> str:
    """Return the command that leads to the table of an invite."""
    return f"wasabi-tx {invite}"


def people_line(names: Sequence[str], width: int, texts: Texts) -> str:
    """List the people in a lobby as far as a row has room for their names, then the number of others."""
    if not names:
        return ""
    for shown in range(len(names), 0, -1):
        words = texts.say("lobby.here", names=", ".join(names[:shown]))
        words += f" +{len(names) - shown}" if shown < len(names) else ""
        if cell_len(words) <= width:
            return words
    return cut(texts.say("lobby.here", names=names[0]), width)


def link_rows(link: str, width: int) -> list[str]:
    """Split a link into rows; whoever copies them gets it whole, because a browser's line joins them."""
    return [link[start : start + max(width, 2)] for start in range(0, len(link), max(width, 2))]


def command_rows(command: str, width: int) -> list[str]:
    """Split a command into rows to copy and paste into a shell, which joins them at the backslashes."""
    rows = []
    # Room for a letter and a backslash at least: while a screen is resized, its width may be anything.
    width = max(width, 2)
    while len(command) > width:
        rows.append(command[: width - 1] + "\\")
        command = command[width - 1 :]
    return [*rows, command]


def code_command(offered: table_events.CodeOffered) -> str:
    """Return the command that leads to the table of a code, or "" if the code is void."""
    if not offered.code:
        return ""
    return f"wasabi-tx join {offered.code}" + (f" --broker {offered.broker}" if offered.broker else "")


def left_line(voters: Sequence[str], texts: Texts) -> str:
    """Describe how we lost our seat in a game that continues: by these people's vote, or by leaving."""
    return texts.say("room.voted-out", names=", ".join(voters)) if voters else texts.say("room.you-left")
