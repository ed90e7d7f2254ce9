"""The waiting room: who sits, who asks for a seat, what is being done, and a line for each thing that happens."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ..table.game import Link, Progress
from ..table.game import Said as SaidInGame
from ..table.online import news
from ..table.online.client import Event
from ..table.online.people import finger, shown_name
from ..text import Texts
from .news import news_line
from .room import progress_line, room_line

MOST_GUESTS = 200
"""Anybody may knock at an open table: no list grows without end."""
MOST_LINES = 100


@dataclass(frozen=True)
class Guest:
    """Somebody in the room; every word of it is harmless."""

    name: str
    fingerprint: str
    run_by: str
    """Who runs this bot; empty for a person."""
    you: bool
    host: bool
    ready: bool = False
    """Whether they have signed the game that is proposed."""


@dataclass(frozen=True)
class Offer:
    """What is played here."""

    edition: str
    seats: int
    least: int
    clock: int
    options: tuple[str, ...]


class WaitingRoom:
    """Follows the room from its events; `me` is our own key, empty for a watcher."""

    def __init__(self, me: bytes, texts: Texts, edition_name: Callable[[str], str]) -> None:
        self.texts = texts
        self._edition_name = edition_name
        self.offer: Offer | None = None
        self.up = True
        self.progress: Progress | None = None
        self.begun = False
        self.said: deque[str] = deque(maxlen=MOST_LINES)
        self._me = me
        self._host = b""
        self._guests: dict[bytes, tuple[str, bytes]] = {}
        self._seated: list[bytes] = []
        self._ready: set[bytes] = set()

    def take(self, event: Event) -> str | None:
        """Hears what happened; the line for it, unless it needs none."""
        match event:
            case news.Offered(offer):
                terms = offer.terms
                self._host = offer.key
                if offer.key in self._guests:
                    self._sit(offer.key)
                found = Offer(terms.edition, terms.most, terms.least, terms.clock, terms.options)
                if found == self.offer:
                    return None
                self.offer = found
            case news.Joined(key, name, runner):
                if key in self._guests or len(self._guests) >= MOST_GUESTS:
                    return None
                self._guests[key] = shown_name(name, key), runner
                if key == self._host:
                    self._sit(key)
            case news.Admitted(key):
                self._sit(key)
            case news.Dropped(key):
                self._seated = [one for one in self._seated if one != key]
            case news.Accepted(key):
                self._ready.add(key)
            case news.Proposed(keys):
                self._seated = list(keys)
                self._ready.clear()
            case news.Begun():
                self.begun = True
            case Progress():
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

    def _sit(self, key: bytes) -> None:
        if key not in self._seated:
            self._seated.append(key)

    def _line(self, event: Event) -> str | None:
        say = self.texts.say
        match event:
            case news.Offered(offer):
                edition, host = self._edition_name(offer.terms.edition), shown_name(offer.name, offer.key)
                return say("room.offered", edition=edition, seats=offer.terms.most, host=host)
            case news.Joined(key, _, runner):
                return say("room.joined-bot" if runner else "room.joined", name=self.name_of(key), key=finger(key))
            case news.Admitted(key):
                return say("room.seated", name=self.name_of(key))
            case news.Accepted(key):
                return say("room.is-ready", name=self.name_of(key))
            case news.Dropped(key):
                return say("room.unseated", name=self.name_of(key))
            case news.Said(key, text):
                return say("news.said", name=self.name_of(key), text=text)
            case Link() | SaidInGame():
                return news_line(event, (), self.texts)
        return room_line(event, self.texts)

    def name_of(self, key: bytes) -> str:
        return self._guests[key][0] if key in self._guests else finger(key)[:9]

    @property
    def seated(self) -> list[Guest]:
        return [self.guest(key) for key in self._seated]

    @property
    def asking(self) -> list[bytes]:
        """The keys of those who ask for a seat, in their order."""
        return [key for key in self._guests if key not in self._seated]

    @property
    def taken(self) -> int:
        return len(self._seated)

    def guest(self, key: bytes) -> Guest:
        """What is shown of somebody."""
        name, runner = self._guests.get(key, (finger(key)[:9], b""))
        run_by = self.name_of(runner) if runner else ""
        return Guest(name, finger(key), run_by, key == self._me, key == self._host, key in self._ready)

    @property
    def enough(self) -> bool:
        """Whether it may begin with those who sit, although more could come."""
        offer = self.offer
        return offer is not None and not self.begun and offer.least <= self.taken < offer.seats

    @property
    def progress_words(self) -> str:
        """What is being done with the cards; nothing before the game has begun."""
        if self.progress is None:
            return self.texts.say("room.progress-keys") if self.begun else ""
        return progress_line(self.progress, self.texts)

    @property
    def done(self) -> float:
        """How much of the sealed setup is done, from 0 to 1."""
        progress = self.progress
        if progress is None:
            return 0.0
        parts = {"keys": 0.05, "shuffle": 0.1 + 0.8 * progress.done / max(1, progress.total), "shares": 0.95}
        return parts.get(progress.what, 0.5)
