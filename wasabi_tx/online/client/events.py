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
    """Somebody asks for a seat; `runner` is the key of a bot's person, `invited` is true with a ticket."""

    key: bytes
    name: str
    runner: bytes
    invited: bool = False


@dataclass(frozen=True)
class Crowded:
    """Too many ask for a seat at our table: the oldest requests without an invite are dropped."""


@dataclass(frozen=True)
class Admitted:
    key: bytes


@dataclass(frozen=True)
class NoAnswer:
    """The host of the table has not answered; `why` is the last step that worked.

    *no-table*: nothing here knows the table; *not-carried*: the broker does not pass on what we say; *host-away*: the
    table was offered and the host is silent.
    """

    why: str


@dataclass(frozen=True)
class SeatsGiven:
    """The host announced who has a seat so far."""

    keys: tuple[bytes, ...]


@dataclass(frozen=True)
class Dropped:
    """Somebody did not answer when the game was proposed."""

    key: bytes


@dataclass(frozen=True)
class Withdrawn:
    """Somebody closed the room: a guest no longer asks for a seat; the host may come back."""

    key: bytes


@dataclass(frozen=True)
class TurnedAway:
    """The host refused this guest a seat."""

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
    """The offered game cannot be played here."""

    code: str
    params: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True)
class HostBroken:
    """The host signed two contradictory messages: no game will start here."""


@dataclass(frozen=True)
class GameBegun:
    """The game has started: its seats are fixed."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class TalkHeard:
    """Somebody said a line at the table."""

    key: bytes
    text: str


@dataclass(frozen=True)
class CodeOffered:
    """Friends can find our table by a spoken code; `code` is empty while one is void and the next not ready."""

    code: str
    wrong: int = 0
    """Wrong guesses at the code so far."""
    tries_left: int = 0
    """Wrong guesses until the code is void."""
    broker: str = ""
    """The broker to ask, unless everybody's program asks there anyway."""
    locked: bool = False
    """True if asking there needs that broker's password."""


@dataclass(frozen=True)
class Knocking:
    """Somebody without an invite knocks at our table."""

    key: bytes
    name: str


@dataclass(frozen=True)
class KnockEnded:
    """Somebody stopped knocking: they have gone, or they have our answer."""

    key: bytes


@dataclass(frozen=True)
class LobbyTalk:
    """Somebody said a line in the lobby in which our table is listed; the text is cleaned."""

    who: str
    text: str


@dataclass(frozen=True)
class LobbyPeople:
    """The names of the others in that lobby; all text is cleaned."""

    names: tuple[str, ...]


TableEvent = (
    Offered
    | Joined
    | Crowded
    | Admitted
    | NoAnswer
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
)
