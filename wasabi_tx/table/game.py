"""All that a screen knows of a game, whether it is played here, with peers, watched or replayed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from typing import Protocol

from ..engine.errors import Illegal
from ..engine.observe import Observation
from ..engine.position import Outcome, Position
from ..engine.rules import AnyRules
from ..engine.step import Bundle, Step
from .ahead import NOTHING, Ahead, NotPlayed


class Can(Flag):
    """What this game lets its screen do; without PLAY it is watched."""

    NOTHING = 0
    PLAY = auto()
    CHAT = auto()
    HINT = auto()
    VOTE = auto()
    AHEAD = auto()
    """A person can leave bundles for later turns."""
    REMATCH = auto()
    """The table itself arranges the next game; without it the screen starts one."""


@dataclass(frozen=True)
class Player:
    """Who sits where: a person by name, or a bot by level."""

    name: str
    bot: str | None = None
    """The bot's kind or level; None is a person."""


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
class Left:
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
    """A vote cut the last moves away: the game goes on from an earlier position."""

    after: Position


GIVEN_UP, BROKEN, STOPPED = "given-up", "broken", "stopped"
"""How a game ends that its rules did not end."""


@dataclass(frozen=True)
class Ended:
    outcome: Outcome


@dataclass(frozen=True)
class SetupProgress:
    """Something that takes a while: which words describe it, and how much of it is done."""

    what: str
    done: int
    total: int
    who: str = ""
    """Whose program is at it, where it is one's alone."""


@dataclass(frozen=True)
class Said:
    """A line of talk, as a stranger wrote it."""

    seat: int | None
    """None for a watcher."""
    name: str
    text: str


@dataclass(frozen=True)
class Link:
    """The connection came up or went down."""

    up: bool
    reason: str = ""
    """Why it is down, in the transport's words."""
    closed_by: int | None = None
    """The host's seat, if they closed the table for now before: a broker of theirs went with them."""


class SeatState(StrEnum):
    """What is known of who sits somewhere, at once and without asking."""

    HERE = auto()
    COMPOSING = auto()
    """They have begun their turn; what they do in it is theirs until they send it."""
    PAUSED = auto()
    """They are here, and away from the keyboard for a moment."""
    RECONNECTING = auto()
    AWAY = auto()
    """Nothing was heard of them for a while."""
    CLOSED = auto()
    """They said goodbye, and come back when they like."""

    @property
    def online(self) -> bool:
        """Whether what they send would arrive."""
        return self in (SeatState.HERE, SeatState.COMPOSING, SeatState.PAUSED)


@dataclass(frozen=True)
class SeatStates:
    """What everybody is doing, by seat."""

    states: tuple[SeatState, ...]


@dataclass(frozen=True)
class Delivery:
    """How far this seat's own moves have come: how many are on disk, came back from the broker, are signed by all."""

    sent: int
    carried: int
    confirmed: int


@dataclass(frozen=True)
class Overdue:
    """A seat keeps the others waiting: its program owes an answer, its time to think is over, or it is away."""

    seat: int
    kind: str
    """What is owed, as the protocol calls it (`shares`, `shuffle`, `keys`); `clock` if a person thinks for longer than
    the table's clock, or the `SeatState` of one who cannot move: `reconnecting`, `away`, `closed`."""
    seconds: int
    """For how long by now; 0 when it has come."""
    votable: bool = False
    """Whether the others may vote to go on without it."""


@dataclass(frozen=True)
class Vote:
    """Whether a seat is to be excluded: who of the others wants it, and who does not."""

    out: int
    yes: tuple[int, ...]
    no: tuple[int, ...]
    mine: bool | None
    """What this screen's seat has said; None if nothing yet."""
    open: bool


@dataclass(frozen=True)
class InvalidEntry:
    """An entry was proved invalid."""

    seat: int
    slot: int
    code: str
    saved_as: str
    """Where the evidence is kept."""


@dataclass(frozen=True)
class Leaving:
    """We leave for good, as soon as this seat has moved."""

    after: int


@dataclass(frozen=True)
class OtherRun:
    """This seat's key is alive elsewhere: nothing is signed here until `confirm_run`."""


@dataclass(frozen=True)
class Watchers:
    """How many look on."""

    count: int


@dataclass(frozen=True)
class RematchWished:
    """Which seats want to play again."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class CardsArrived:
    """Sealed cards that were on their way have come to these seats."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class Ready:
    """Nothing keeps this seat from moving any more: it has caught up, no vote binds it, no other run of it plays."""


@dataclass(frozen=True)
class PlayedAhead:
    """A bundle that our person had left for this turn was played."""

    turn: int


@dataclass(frozen=True)
class AheadUnfit:
    """What our person had left for a turn was not played, and is gone."""

    why: NotPlayed


Change = Played | Dealt | Left | Excluded
"""What leads from one position to the next."""

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
    | Watchers
    | RematchWished
    | CardsArrived
    | Ready
    | PlayedAhead
    | AheadUnfit
)
"""What happens around the table and changes no position."""

Event = Change | Rewound | Ended | Notice


class Game(Protocol):
    """A game that a screen follows. One reader takes its events; state changes on one asyncio loop only.

    What a kind of game cannot do raises `Illegal("not-here")`; `can` tells it beforehand.
    """

    @property
    def rules(self) -> AnyRules: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def title(self) -> str:
        """What the table is called; empty if it has no name."""
        ...

    @property
    def can(self) -> Can: ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats played by persons at this keyboard."""
        ...

    @property
    def viewer(self) -> int | None:
        """Whose eyes this screen shows; None is a watcher."""
        ...

    @property
    def position(self) -> Position: ...

    @property
    def observation(self) -> Observation:
        """What the viewer may know now."""
        ...

    @property
    def clock(self) -> int:
        """Seconds that a turn may take before the others may vote; 0 is for ever."""
        ...

    @property
    def since(self) -> float | None:
        """When the present wait began, by the monotonic clock; None if that is not known."""
        ...

    @property
    def late_cards(self) -> bool:
        """Whether a recipe that somebody draws comes only by their next turn."""
        ...

    @property
    def awaiting(self) -> bool:
        """Whether the viewer is to move, but others have still to open a card for them: then nothing can be sent."""
        ...

    @property
    def ahead(self) -> Ahead:
        """What the viewer has left for later turns."""
        ...

    def seen_by(self, seat: int) -> Observation:
        """What a person at this keyboard may know, also when it is not their turn; `Illegal` for other seats."""
        ...

    def events(self) -> AsyncIterator[Event]:
        """Everything that happens from now on, up to and including the end."""
        ...

    async def submit(self, bundle: Bundle) -> None:
        """Plays the bundle, or raises a `RulesError`, and then nothing has changed."""
        ...

    async def leave_ahead(self, ahead: Ahead) -> None:
        """Leaves this for the viewer's later turns, in the place of what was left before."""
        ...

    async def leave(self, seat: int) -> None:
        """The seat leaves for good."""
        ...

    async def say(self, text: str) -> None:
        """Says a line to the table."""
        ...

    async def vote(self, out: int, yes: bool) -> None:
        """Answers whether a seat is to be excluded, or calls that vote."""
        ...

    async def rematch(self) -> None:
        """Wishes for another game with the same seats."""
        ...

    async def confirm_run(self) -> None:
        """The other run of this key is over: this one signs again."""
        ...

    async def doing(self, state: SeatState) -> None:
        """Shows the others what the person here is doing, where there are others: `HERE`, `COMPOSING` or `PAUSED`."""
        ...

    async def close(self) -> None:
        """Stops following; what was played stays saved."""
        ...


class Alone:
    """A game without other machines: nobody there to talk to, to vote with, or to wait for."""

    ahead = NOTHING
    awaiting = False
    clock = 0
    since = None
    late_cards = False
    title = ""

    async def leave_ahead(self, ahead: Ahead) -> None:
        del ahead
        raise Illegal("not-here")

    async def say(self, text: str) -> None:
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
        """Nobody is there to see it."""
