"""What the app asks of the machine that it runs on: settings, themes, games on disk. The command line provides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..table.game import Game
    from ..table.transcript import Transcript
    from ..text import Texts
    from ..view.settings import Settings
    from ..view.theme import Theme


class Refused(Exception):
    """Something cannot be had; its only argument is a sentence that says why."""


@dataclass(frozen=True)
class Opened:
    """A game that is being played and saved."""

    game: Game
    saved_as: str
    close: Callable[[], None]
    earlier: Transcript | None = None
    """What was played before it was taken up again."""
    visited: bool = False
    """Whether it is shown by a visit to a table online: that one hears when the game is closed, and clears it away."""


@dataclass(frozen=True)
class Saved:
    """A game on disk."""

    name: str
    words: str
    finished: bool


@dataclass(frozen=True)
class Wish:
    """A game that somebody wants to start."""

    edition: str
    people: int
    bots: int
    level: str


class Desk(Protocol):
    """`Refused` is the only error that any of this raises."""

    def settings(self) -> tuple[Settings, list[str]]:
        """What is preferred, and sentences about what is wrong in the file."""
        ...

    def keep(self, settings: Settings) -> None: ...

    def themes(self) -> tuple[list[Theme], list[str]]:
        """Every theme that can be used, and sentences about those that cannot."""
        ...

    def editions(self, texts: Texts) -> list[tuple[str, str]]:
        """Names of editions, each with what it is called."""
        ...

    def start(self, wish: Wish, texts: Texts) -> Opened: ...

    def again(self, opened: Opened, texts: Texts) -> Opened:
        """A new game with the same seats and edition; the next seat starts."""
        ...

    def saved(self, texts: Texts) -> list[Saved]:
        """Games on disk, the newest first."""
        ...

    def resume(self, name: str, texts: Texts) -> Opened: ...

    def read(self, name: str, texts: Texts) -> Transcript: ...
