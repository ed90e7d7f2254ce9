"""The surroundings of a game, drawn beside it: the connection, who is here, open questions, chat."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import assert_never

from ...games.game import (
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
    PlanDropped,
    PlanPlayed,
    Ready,
    RematchWished,
    Rewound,
    Said,
    SeatState,
    SeatStates,
    SetupProgress,
    Unsaved,
    Vote,
    Watchers,
)
from ...text import Texts
from ..table.turn_clock import HOUR
from .event_lines import event_line, progress_line, unsaved_line

MINUTE = 60
MOST_LINES = 200
FEWEST = 2
"""Players without whom there is no game."""
MOST_PROOFS = 4
"""One for each seat, so that no peer can make a screen grow without limit."""


@dataclass(frozen=True)
class TalkLine:
    """A line of chat; a watcher has no seat."""

    seat: int | None
    who: str
    text: str


@dataclass(frozen=True)
class Around:
    """The surroundings at one moment; strangers' words are as they wrote them."""

    state: str = "saved"
    """The state in one word: `saved` on this machine; `sync`, `sent`, `carried` or `down` online."""
    title: str = ""
    states: tuple[SeatState, ...] = ()
    """The state of every seat; empty where everyone is here."""
    watchers: int = 0
    notices: tuple[str, ...] = ()
    """News for everybody here, most urgent first."""
    asked: str = ""
    """The question that waits for an answer or may be decided now, or ""."""
    talk: tuple[TalkLine, ...] = ()
    unread: int = 0
    muted: bool = False
    talks: bool = False
    """True if there is or was any chat here."""
    may_talk: bool = False
    """True if the person at the keyboard can chat."""


class Surroundings:
    """Follows a table by its events."""

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
        self.unsaved = ""
        """Reason why this machine cannot save the game now; empty while it can."""
        self.leaving: Leaving | None = None
        """Set if the person at the keyboard is leaving for good."""
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
        """True if this screen only watches."""
        return Can.PLAY not in self._game.can

    @property
    def reached(self) -> bool:
        """True if there is a connection to the table."""
        return self._link.up

    @property
    def unsent(self) -> bool:
        """True if a move of the person at the keyboard waits here for a connection."""
        return not self._link.up and self._delivery.carried < self._delivery.sent

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that owe an entry or are away, about which the others may want to vote."""
        owing = () if self.waiting is None else (self.waiting.seat,)
        gone = {number for number, seat in enumerate(self._game.position.seats) if seat.gone}
        away = [seat for seat in range(len(self._states)) if self._gone(seat)]
        return tuple(seat for seat in sorted({*owing, *away}) if seat not in gone and seat != self._game.viewer)

    def time_left(self, seat: int) -> str:
        """Return how long until a vote about a seat is possible at a table by correspondence, or "" if it is now."""
        waiting, clock = self.waiting, self._game.clock
        if clock < HOUR or self.vote is not None or (waiting is not None and waiting.votable):
            return ""
        seconds = clock - (waiting.seconds if waiting is not None and waiting.seat == seat else 0)
        hours, minutes = divmod(max(MINUTE, seconds) // MINUTE, 60)
        key, count = ("tui.asked.hours", hours) if hours else ("tui.asked.minutes", minutes)
        return self.texts.say(key, count=count)

    def state_of(self, seat: int) -> SeatState:
        """Return the state of a seat; `HERE` for a number that is no seat."""
        return self._states[seat] if 0 <= seat < len(self._states) else SeatState.HERE

    def handle(self, event: Event) -> None:
        """Update the surroundings from an event."""
        match event:
            case Said(seat, name, text, earlier):
                self._hear(seat, name, text, earlier)
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
            case Unsaved(reason):
                self.unsaved = reason
            case Watchers(count):
                self._watchers = count
            case RematchWished(seats):
                self.rematch = seats
            case SetupProgress():
                self._progress = event
            case Rewound(after):
                self._rewound = after.turn
                self._forget_waiting()
            case PlanPlayed() | PlanDropped():
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
        """Forget waits and votes, because the game went on."""
        self.waiting = self._progress = self.vote = self._counted = None

    def _count(self, vote: Vote) -> None:
        self._counted = vote
        mine = vote.open and vote.mine is None and self._game.viewer not in (None, vote.out)
        self.vote = vote if mine else None

    def _hear(self, seat: int | None, name: str, text: str, earlier: bool) -> None:
        who = name or (self.texts.say("news.watcher") if seat is None else self._game.players[seat].name)
        self.lines.append(TalkLine(seat, who, self.texts.words("tui.emote").get(text, text)))
        if not (earlier or self.muted or seat == self._game.viewer):
            self.unread += 1

    def confirmed(self) -> None:
        """Note that the key plays here and nowhere else."""
        self.other_run = False

    @property
    def now(self) -> Around:
        """The surroundings for a screen to show now."""
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
        """Return the notices as sentences, because they are on lines of their own."""
        found: list[str] = []
        if not self._link.up:
            found.append(self._line(self._link))
        if self.unsaved:
            found.append(unsaved_line(self.unsaved, self.texts))
        if self.leaving is not None:
            found.append(self._line(self.leaving))
        found += [self._line(proof) for proof in reversed(self._proofs)]
        if self._counted is not None and self.vote is None:
            found.append(self._line(self._counted))
        if self._progress is not None:
            found.append(progress_line(self._progress, self.texts))
        if self._rewound >= 0:
            found.append(self.texts.say("news.rewound", turn=self._rewound))
        return [sentence(words) for words in (*found, *self._rematch())]

    def _rematch(self) -> list[str]:
        """Return who wishes for a rematch, and who will not be there."""
        if not self.rematch:
            return []
        here = [seat for seat in self._game.position.playing if seat in self.rematch or not self._gone(seat)]
        gone = [self._game.players[seat].name for seat in self._game.position.playing if seat not in here]
        if len(here) < FEWEST and gone:
            return [self.texts.say("news.rematch-closed", name=gone[0])]
        without = self.texts.say("news.rematch-without", names=", ".join(gone))
        return [self._line(RematchWished(self.rematch)), *([without] if gone else [])]

    def _gone(self, seat: int) -> bool:
        """Return whether a seat has closed the table or is away."""
        return self.state_of(seat) in (SeatState.AWAY, SeatState.CLOSED)


def sentence(words: str) -> str:
    """Turn a line into a sentence."""
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
