"""All that a screen knows of a game, whether it is played here, with peers, watched or replayed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, Protocol

from ..engine.observe import Observation
from ..engine.position import Outcome, Position
from ..engine.rules import Rules
from ..engine.step import Bundle, Step


class Can(Flag):
    """What this kind of game lets its screen do."""

    NOTHING = 0
    PLAY = auto()
    CHAT = auto()
    SEEK = auto()
    HINT = auto()


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
    """Chance supplied something that everybody sees."""

    step: Step
    after: Position


@dataclass(frozen=True)
class Left:
    """A seat left for good."""

    seat: int
    after: Position


@dataclass(frozen=True)
class Progress:
    """Something that takes a while: which words describe it, and how much of it is done."""

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Ended:
    outcome: Outcome


Event = Played | Dealt | Left | Progress | Ended


class Game(Protocol):
    """A game that a screen follows. One reader takes its events; state changes on one asyncio loop only."""

    @property
    def rules(self) -> Rules[Any]: ...

    @property
    def players(self) -> tuple[Player, ...]: ...

    @property
    def can(self) -> Can: ...

    @property
    def observation(self) -> Observation:
        """What whoever sits at this screen may know now."""
        ...

    def events(self) -> AsyncIterator[Event]:
        """Everything that happens from now on, up to and including the end."""
        ...

    async def submit(self, bundle: Bundle) -> None:
        """Plays the bundle, or raises a `RulesError`, and then nothing has changed."""
        ...

    async def leave(self, seat: int) -> None:
        """The seat leaves for good."""
        ...

    async def close(self) -> None:
        """Stops following; what was played stays saved."""
        ...
