"""The waiting room line by line: who comes, who may sit, how far the cards are shuffled."""

from __future__ import annotations

from collections.abc import Callable

from ..online.client import events as table_events
from ..online.client.client import Event
from ..text import Texts
from ..view.online.waiting_room import WaitingRoomView, terms_of
from ..view.table.plain_table import wrap
from .console import Console


class PlainWaitingRoom:
    """Reports what happens before a game, and asks the host who may sit."""

    def __init__(
        self,
        console: Console,
        texts: Texts,
        edition_name: Callable[[str], str],
        expects: Callable[[bytes], bool],
        admit: Callable[[bytes], None] | None = None,
        turn_away: Callable[[bytes], None] = lambda _key: None,
        begin: Callable[[], None] | None = None,
    ) -> None:
        """Set up; a host can `admit` guests, turn them away, and `begin` before all seats are taken."""
        self._console = console
        self._texts = texts
        self._room = WaitingRoomView(b"", texts, edition_name)
        self._expects = expects
        self._admit = admit
        self._turn_away = turn_away
        self._begin = begin
        self._asked = 0
        """The number of seats that were taken when the host was last asked whether to begin."""

    def show_event(self, event: Event) -> None:
        """Handle one event: print a line, or ask the host."""
        line = self._room.handle(event)
        if line is not None:
            self._tell(event, line)
        if self._begin is not None and self._room.enough and self._room.taken > self._asked:
            self._asked = self._room.taken
            if self._asked_yes("room.begin-now", count=self._room.taken):
                self._begin()

    def _tell(self, event: Event, line: str) -> None:
        self._say(line)
        if isinstance(event, table_events.Offered) and self._room.offer is not None:
            self._say("; ".join(terms_of(self._room.offer, self._texts)))
        if isinstance(event, table_events.GameBegun):
            self._say(self._texts.say("room.unaudited"))
        if isinstance(event, table_events.Joined | table_events.Knocking) and self._admit is not None:
            (self._admit if self._may_sit(event.key) else self._turn_away)(event.key)

    def _may_sit(self, key: bytes) -> bool:
        """Return whether a guest may sit: the host, the host's own bots, and everyone the host accepts."""
        if self._expects(key):
            return True
        return self._asked_yes("room.may-sit")

    def _asked_yes(self, question: str, **params: object) -> bool:
        self._say(self._texts.say(question, **params))
        return self._console.ask().strip().casefold() in self._texts.say("play.yes").split()

    def _say(self, line: str) -> None:
        self._console.say_all(wrap(line))
