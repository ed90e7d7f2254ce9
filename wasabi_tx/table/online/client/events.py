"""Events at an online table before and around its game, for screens and headless players."""

from __future__ import annotations

from dataclasses import dataclass, field

from wasabi_protocol.signed.messages import Offer


@dataclass(frozen=True)
class Offered:
    """The host's terms are known, or were renewed."""

    offer: Offer


@dataclass(frozen=True)
class Joined:
    """Somebody asks for a seat; `runner` is the key of the person who runs a bot, `invited` is true with a ticket."""

    key: bytes
    name: str
    runner: bytes
    invited: bool = False


@dataclass(frozen=True)
class Crowded:
    """Too many ask for a seat at our table: the first of those without an invite are dropped."""


@dataclass(frozen=True)
class Admitted:
    key: bytes


@dataclass(frozen=True)
class SeatsGiven:
    """The host says who has a seat so far."""

    keys: tuple[bytes, ...]


@dataclass(frozen=True)
class Dropped:
    """Somebody did not answer when the game was proposed."""

    key: bytes


@dataclass(frozen=True)
class Withdrawn:
    """Somebody closed the room: a guest asks for no seat any more, the host comes back or does not."""

    key: bytes


@dataclass(frozen=True)
class TurnedAway:
    """The host gives this guest no seat."""

    key: bytes


@dataclass(frozen=True)
class Accepted:
    """Somebody is ready: they signed the game that is proposed."""

    key: bytes


@dataclass(frozen=True)
class Proposed:
    keys: tuple[bytes, ...]


@dataclass(frozen=True)
class CannotPlay:
    """The game that is offered cannot be played here."""

    code: str
    params: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class HostBroken:
    """The host signed two things that exclude each other: nothing will start here."""


@dataclass(frozen=True)
class GameBegun:
    """The game has started: its seats are fixed."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class TalkHeard:
    """Somebody talks at the table."""

    key: bytes
    text: str


@dataclass(frozen=True)
class CodeOffered:
    """Friends find our table under a spoken code; after too many wrong ones it is void, and `code` is empty."""

    code: str
    wrong: int = 0
    """How often somebody has tried with wrong words."""
    left: int = 0
    """How often that may still happen before it is void."""
    broker: str = ""
    """Where one must ask for it, unless everybody's program asks there anyway."""
    locked: bool = False
    """Whether only those can ask there who have the password of that broker."""


@dataclass(frozen=True)
class Knocking:
    """Somebody without an invite knocks at our table."""

    key: bytes
    name: str


@dataclass(frozen=True)
class KnockEnded:
    """They do not knock any more: they have gone, or they have our answer."""

    key: bytes


@dataclass(frozen=True)
class LobbyTalk:
    """Somebody talks in the lobby in which our table is listed; every word of it is harmless."""

    who: str
    text: str


@dataclass(frozen=True)
class LobbyPeople:
    """What the others in that lobby are called; every word of it is harmless."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Trouble:
    """This machine cannot keep what it must: nothing is sent until it can."""

    reason: str


TableEvent = (
    Offered
    | Joined
    | Crowded
    | Admitted
    | SeatsGiven
    | Dropped
    | Withdrawn
    | TurnedAway
    | Accepted
    | Proposed
    | CannotPlay
    | HostBroken
    | GameBegun
    | TalkHeard
    | CodeOffered
    | Knocking
    | KnockEnded
    | LobbyTalk
    | LobbyPeople
    | Trouble
)
