"""The surroundings of a game: the connection, who is here, what is asked, talk. A screen draws them beside it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import assert_never

from ...table.game import (
    AheadUnfit,
    Can,
    CardsArrived,
    Change,
    Delivery,
    Ended,
    Event,
    Game,
    InvalidEntry,
    Leaving,
    Link,
    OtherRun,
    Overdue,
    PlayedAhead,
    Ready,
    RematchWished,
    Rewound,
    Said,
    SeatState,
    SeatStates,
    SetupProgress,
    Vote,
    Watchers,
)
from ...text import Texts
from ..table.turn_clock import HOUR
from .event_lines import event_line, progress_line

MINUTE = 60
MOST_LINES = 200
MOST_PROOFS = 4
"""One for each seat; no peer makes a screen grow without end."""


@dataclass(frozen=True)
class TalkLine:
    """A line that somebody said; a watcher has no seat."""

    seat: int | None
    who: str
    text: str


@dataclass(frozen=True)
class Around:
    """All of it at one moment; strangers' words are as they wrote them."""

    state: str = "saved"
    """In one word: `saved` on this machine; `sync`, `sent`, `carried` or `down` online."""
    title: str = ""
    states: tuple[SeatState, ...] = ()
    """What is known of everybody, by seat; empty where all are here."""
    watchers: int = 0
    notices: tuple[str, ...] = ()
    """What everybody here should know, the most urgent first."""
    asked: str = ""
    """What waits for an answer, or may be decided now; empty if there is nothing."""
    talk: tuple[TalkLine, ...] = ()
    unread: int = 0
    muted: bool = False
    talks: bool = False
    """Whether anything can be said here, or was."""
    may_talk: bool = False
    """Whether the person at the keyboard can talk."""


class Surroundings:
    """Follows a table from its events."""

    def __init__(self, game: Game, texts: Texts) -> None:
        self.texts = texts
        self._game = game
        self._link = Link(True)
        self._delivery = Delivery(0, 0, 0)
        self._states: tuple[SeatState, ...] = (SeatState.HERE,) * len(game.players)
        self._watchers = 0
        self.waiting: Overdue | None = None
        self.vote: Vote | None = None
        """The vote that waits for the answer of the person at the keyboard."""
        self.other_run = False
        self.leaving: Leaving | None = None
        """The person at the keyboard leaves for good."""
        self._counted: Vote | None = None
        self._progress: SetupProgress | None = None
        self._proofs: deque[InvalidEntry] = deque(maxlen=MOST_PROOFS)
        self._rewound = -1
        self.rematch: tuple[int, ...] = ()
        self.lines: deque[TalkLine] = deque(maxlen=MOST_LINES)
        self.unread = 0
        self.muted = False

    @property
    def watching(self) -> bool:
        """Whether this screen only looks on."""
        return Can.PLAY not in self._game.can

    @property
    def reached(self) -> bool:
        """Whether there is a connection to the table."""
        return self._link.up

    @property
    def unsent(self) -> bool:
        """Whether a move of the person at the keyboard waits here for a connection."""
        return not self._link.up and self._delivery.carried < self._delivery.sent

    @property
    def missing(self) -> tuple[int, ...]:
        """Seats that the others might want to go on without."""
        owing = () if self.waiting is None else (self.waiting.seat,)
        gone = {number for number, seat in enumerate(self._game.position.seats) if seat.gone}
        away = [seat for seat, state in enumerate(self._states) if state in (SeatState.AWAY, SeatState.CLOSED)]
        return tuple(seat for seat in sorted({*owing, *away}) if seat not in gone and seat != self._game.viewer)

    def time_left(self, seat: int) -> str:
        """How long one has to wait at a table by correspondence before a vote about a seat; nothing if one may vote."""
        waiting, clock = self.waiting, self._game.clock
        if clock < HOUR or self.vote is not None or (waiting is not None and waiting.votable):
            return ""
        seconds = clock - (waiting.seconds if waiting is not None and waiting.seat == seat else 0)
        hours, minutes = divmod(max(MINUTE, seconds) // MINUTE, 60)
        key, count = ("tui.asked.hours", hours) if hours else ("tui.asked.minutes", minutes)
        return self.texts.say(key, count=count)

    def state_of(self, seat: int) -> SeatState:
        """What is known of who sits there; of nobody there is nothing to know."""
        return self._states[seat] if 0 <= seat < len(self._states) else SeatState.HERE

    def take(self, event: Event) -> None:
        """Hears what happened."""
        match event:
            case Said(seat, name, text):
                self._hear(seat, name, text)
            case Link():
                self._link = event
            case SeatStates(states):
                self._states = states
            case Delivery():
                self._delivery = event
            case Overdue(_, _, seconds):
                self.waiting = event if seconds else None
            case Vote():
                self._count(event)
            case InvalidEntry():
                self._proofs.append(event)
            case Leaving():
                self.leaving = event
            case OtherRun():
                self.other_run = True
            case Watchers(count):
                self._watchers = count
            case RematchWished(seats):
                self.rematch = seats
            case SetupProgress():
                self._progress = event
            case Rewound(after):
                self._rewound = after.turn
                self._forget_waiting()
            case PlayedAhead() | AheadUnfit():
                pass
            case CardsArrived() | Ready() | Ended():
                self._forget_waiting()
            case _ if isinstance(event, Change):
                self._forget_waiting()
                if event.after.turn > self._rewound:
                    self._rewound = -1
            case _:
                assert_never(event)

    def _forget_waiting(self) -> None:
        """The game went on: nobody keeps the others waiting, and earlier votes are over."""
        self.waiting = self._progress = self.vote = self._counted = None

    def _count(self, vote: Vote) -> None:
        self._counted = vote
        mine = vote.open and vote.mine is None and self._game.viewer not in (None, vote.out)
        self.vote = vote if mine else None

    def _hear(self, seat: int | None, name: str, text: str) -> None:
        who = name or (self.texts.say("news.watcher") if seat is None else self._game.players[seat].name)
        self.lines.append(TalkLine(seat, who, text))
        if not self.muted and seat != self._game.viewer:
            self.unread += 1

    def confirmed(self) -> None:
        """This is the place where the key plays."""
        self.other_run = False

    @property
    def now(self) -> Around:
        """What a screen shows now."""
        shown = () if self.muted else tuple(self.lines)
        return Around(
            state=self._state,
            title=self._game.title,
            states=self._states,
            watchers=self._watchers,
            notices=tuple(self._notices()),
            asked=self._asked(),
            talk=shown,
            unread=self.unread,
            muted=self.muted,
            talks=Can.CHAT in self._game.can or bool(self.lines),
            may_talk=Can.CHAT in self._game.can,
        )

    @property
    def _state(self) -> str:
        if not self._game.title:
            return "saved"
        if not self._link.up:
            return "down"
        sent, carried, confirmed = self._delivery.sent, self._delivery.carried, self._delivery.confirmed
        return "sync" if confirmed >= sent else "carried" if carried >= sent else "sent"

    def _asked(self) -> str:
        if self.other_run:
            return self.texts.say("news.other-run")
        if self.vote is not None:
            return self._line(self.vote)
        owing = self.waiting
        voted = self._counted is not None and self._counted.open
        if owing is None or not owing.votable or voted or self._game.viewer in (None, owing.seat):
            return ""
        return self.texts.say("news.may-vote", name=self._game.players[owing.seat].name)

    def _line(self, event: Vote | InvalidEntry | Leaving | Link | RematchWished) -> str:
        return event_line(event, self._game.players, self.texts, self._game.viewer) or ""

    def _notices(self) -> list[str]:
        """As sentences, because they are on lines of their own."""
        found: list[str] = []
        if not self._link.up:
            found.append(self._line(self._link))
        if self.leaving is not None:
            found.append(self._line(self.leaving))
        found += [self._line(proof) for proof in reversed(self._proofs)]
        if self._counted is not None and self.vote is None:
            found.append(self._line(self._counted))
        if self._progress is not None:
            found.append(progress_line(self._progress, self.texts))
        if self._rewound >= 0:
            found.append(self.texts.say("news.rewound", turn=self._rewound))
        closed = [seat for seat, state in enumerate(self._states) if state is SeatState.CLOSED]
        declined = [seat for seat in closed if seat not in self.rematch]
        if self.rematch and declined:
            found.append(self.texts.say("news.rematch-closed", name=self._game.players[declined[0]].name))
        elif self.rematch:
            found.append(self._line(RematchWished(self.rematch)))
        return [sentence(words) for words in found]


def sentence(words: str) -> str:
    """A line as a sentence."""
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
