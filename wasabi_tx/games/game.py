"""The interface of a game for screens, whether it is played here or with peers, watched or replayed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from typing import Protocol

from ..engine.errors import Illegal
from ..engine.observe import Observation
from ..engine.position import Outcome, Position
from ..engine.rules import AnyRules
from ..engine.step import Bundle, Step
from .plans import NO_PLANS, NotPlayed, Plans


class Can(Flag):
    """The actions that this game offers its screen; without PLAY it is watched."""

    NOTHING = 0
    PLAY = auto()
    CHAT = auto()
    EMOTE = auto()
    """Only the phrases of the digits can be said."""
    HINT = auto()
    VOTE = auto()
    PLAN = auto()
    """A person can plan later turns."""
    TAKE_BACK = auto()
    """The person's last turn can be taken back now."""
    INVITE = auto()
    """Others can be invited to look on."""
    REMATCH = auto()
    """The table itself arranges the next game; otherwise the screen starts one."""


@dataclass(frozen=True)
class Player:
    """The occupant of a seat: a person by name, or a bot by level."""

    name: str
    bot: str | None = None
    """The bot's kind or level; None for a person."""


@dataclass(frozen=True)
class Played:
    """A seat's bundle was applied."""

    bundle: Bundle
    before: Position
    after: Position


@dataclass(frozen=True)
class Dealt:
    """Chance turned up something that everyone sees."""

    step: Step
    after: Position


@dataclass(frozen=True)
class SeatLeft:
    """A seat left for good."""

    seat: int
    after: Position


@dataclass(frozen=True)
class Excluded:
    """The others voted a seat out."""

    seat: int
    voters: tuple[int, ...]
    after: Position


@dataclass(frozen=True)
class Rewound:
    """A vote removed the last moves: the game continues from an earlier position."""

    after: Position


GIVEN_UP, BROKEN, STOPPED = "given-up", "broken", "stopped"
"""Endings of games that the rules did not end."""


@dataclass(frozen=True)
class Ended:
    outcome: Outcome


@dataclass(frozen=True)
class SetupProgress:
    """Progress of a lengthy operation: the key of its description, and how much is done."""

    what: str
    done: int
    total: int
    who: str = ""
    """The player whose client is working, if only one is."""


@dataclass(frozen=True)
class Said:
    """A line of chat, as a stranger wrote it."""

    seat: int | None
    """The speaker's seat, or None for a watcher."""
    name: str
    text: str
    earlier: bool = False
    """True if it was shown here before this program began."""


@dataclass(frozen=True)
class Link:
    """The connection came up or went down."""

    up: bool
    reason: str = ""
    """The reason why it is down, as the transport reports it."""
    closed_by: int | None = None
    """The host's seat, if they closed the table for now and their broker went with them."""


class SeatState(StrEnum):
    """The known state of a seat's player, available at once without asking them."""

    HERE = auto()
    COMPOSING = auto()
    """The player has begun a turn, whose contents stay private until it is sent."""
    PAUSED = auto()
    """The player is here but away from the keyboard for a moment."""
    RECONNECTING = auto()
    AWAY = auto()
    """The player has not been heard from for a while."""
    CLOSED = auto()
    """The player has said goodbye and may come back at any time."""

    @property
    def online(self) -> bool:
        """True if their messages would arrive."""
        return self in (SeatState.HERE, SeatState.COMPOSING, SeatState.PAUSED)


@dataclass(frozen=True)
class SeatStates:
    """The state of every seat."""

    states: tuple[SeatState, ...]


@dataclass(frozen=True)
class Delivery:
    """Counts of this seat's own moves that are on disk, have come back from the broker, and are signed by all."""

    sent: int
    carried: int
    confirmed: int


@dataclass(frozen=True)
class Overdue:
    """A seat keeps the others waiting: its client owes an answer, its time to think is over, or it is away."""

    seat: int
    kind: str
    """The protocol's name for what is owed (`shares`, `shuffle`, `keys`); `clock` if a person exceeds the table's
    clock; or the `SeatState` of a player who cannot move: `reconnecting`, `away`, `closed`.
    """
    seconds: int
    """Seconds overdue so far; 0 once it has come."""
    votable: bool = False
    """True if the others may vote to go on without the seat."""


@dataclass(frozen=True)
class Vote:
    """A vote on excluding a seat: which of the others want it, and which have said no themselves."""

    out: int
    yes: tuple[int, ...]
    no: tuple[int, ...]
    mine: bool | None
    """The vote of this screen's seat, or None if it has not voted."""
    open: bool


@dataclass(frozen=True)
class InvalidEntry:
    """An entry was proved invalid."""

    seat: int
    slot: int
    code: str
    saved_as: str
    """The file with the evidence."""


@dataclass(frozen=True)
class Leaving:
    """We leave for good as soon as this seat has moved."""

    after: int


@dataclass(frozen=True)
class OtherRun:
    """This seat's key is in use elsewhere: nothing is signed here until `confirm_run`."""


@dataclass(frozen=True)
class Unsaved:
    """This machine cannot write what it must save, so nothing is sent until it can; without a reason, it can again."""

    reason: str


@dataclass(frozen=True)
class Watchers:
    """The number of watchers."""

    count: int


@dataclass(frozen=True)
class RematchWished:
    """The seats that want to play again."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class CardsArrived:
    """Sealed cards on their way to these seats have arrived."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class Ready:
    """This seat can move now: it has caught up, no vote binds it, and no other run of it plays."""


@dataclass(frozen=True)
class PlanPlayed:
    """The plan of our person for this turn was played."""

    turn: int


@dataclass(frozen=True)
class PlanDropped:
    """The plan of our person for a turn was not played, and all plans were dropped."""

    why: NotPlayed


Change = Played | Dealt | SeatLeft | Excluded
"""Events that lead from one position to the next."""

Notice = (
    SetupProgress
    | Said
    | Link
    | SeatStates
    | Delivery
    | Overdue
    | Vote
    | InvalidEntry
    | Leaving
    | OtherRun
    | Unsaved
    | Watchers
    | RematchWished
    | CardsArrived
    | Ready
    | PlanPlayed
    | PlanDropped
)
"""Events around the table that change no position."""

Event = Change | Rewound | Ended | Notice


class Game(Protocol):
    """A game that a screen follows. One reader consumes its events; state changes on a single asyncio loop.

    Unsupported operations raise `Illegal("not-here")`; `can` lists the supported ones.
    """

    @property
    def rules(self) -> AnyRules: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def title(self) -> str:
        """The name of the table, or "" if it has none."""
        ...

    @property
    def can(self) -> Can: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats played by people at this keyboard."""
        ...

    @property
    def viewer(self) -> int | None:
        """The seat whose view this screen shows; None for a watcher."""
        ...

    @property
    def position(self) -> Position: ...

    @property
    def observation(self) -> Observation:
        """Everything that the viewer may know now."""
        ...

    @property
    def dealt(self) -> bool:
        """True once starting tiles and first recipes are dealt, where the rulebook lets players choose them."""
        ...

    @property
    def clock(self) -> int:
        """Seconds that a turn may take before the others may vote; 0 for no limit."""
        ...

    @property
    def since(self) -> float | None:
        """The monotonic time at which the present wait began; None if unknown."""
        ...

    @property
    def awaiting(self) -> bool:
        """True if the viewer is to move but others must still open a card for them, so that nothing can be sent."""
        ...

    @property
    def plans(self) -> Plans:
        """Return the viewer's plans for later turns."""
        ...

    def seen_by(self, seat: int) -> Observation:
        """Return what a person at this keyboard may know, even out of turn; raise `Illegal` for other seats."""
        ...

    def events(self) -> AsyncIterator[Event]:
        """Yield everything that happens from now on, up to and including the end."""
        ...

    async def submit(self, bundle: Bundle) -> None:
        """Play the bundle; raise a `RulesError` and change nothing if it is refused."""
        ...

    async def take_back(self) -> None:
        """Go back to the beginning of the last turn of the only person, among bots."""
        ...

    async def save_plans(self, plans: Plans) -> None:
        """Replace the viewer's plans for later turns."""
        ...

    async def quit(self, seat: int) -> None:
        """Make the seat leave for good."""
        ...

    async def send_talk(self, text: str) -> None:
        """Send a line of chat to the table."""
        ...

    async def vote(self, out: int, yes: bool) -> None:
        """Vote on excluding a seat, or call that vote."""
        ...

    async def rematch(self) -> None:
        """Ask for another game with the same seats."""
        ...

    async def confirm_run(self) -> None:
        """Confirm that the other run of this key is over, so that this one signs again."""
        ...

    async def doing(self, state: SeatState) -> None:
        """Show any others what the person here is doing: `HERE`, `COMPOSING` or `PAUSED`."""
        ...

    async def close(self) -> None:
        """Stop following; everything played stays saved."""
        ...


class Alone:
    """A game without other machines: nobody to talk to, to vote with, or to wait for."""

    plans = NO_PLANS
    awaiting = False
    clock = 0
    dealt = True
    since = None
    title = ""

    async def take_back(self) -> None:
        raise Illegal("not-here")

    async def save_plans(self, plans: Plans) -> None:
        del plans
        raise Illegal("not-here")

    async def send_talk(self, text: str) -> None:
        del text
        raise Illegal("not-here")

    async def vote(self, out: int, yes: bool) -> None:
        del out, yes
        raise Illegal("not-here")

    async def rematch(self) -> None:
        raise Illegal("not-here")

    async def confirm_run(self) -> None:
        raise Illegal("not-here")

    async def doing(self, state: SeatState) -> None:
        """Do nothing, since nobody is there to see it."""


def first_person(players: Sequence[Player]) -> int:
    """Return the first seat that a person plays; the first of all if none does."""
    return next((seat for seat, player in enumerate(players) if player.bot is None), 0)


def lone_person(people: Sequence[int]) -> int | None:
    """Return the seat of the only person, or None if there are several or none."""
    return people[0] if len(people) == 1 else None
