"""Values that the screens and the application exchange: games to start, opened and saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..view.names import BY_LOT, PERSON

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.transcript import Past


@dataclass(frozen=True)
class Opened:
    """A game that is being played and saved."""

    game: Game
    saved_as: str
    close: Callable[[], None]
    earlier: Past | None = None
    """Everything played before the game was resumed."""
    warning: str = ""
    """Why the game is not saved, if it is not."""
    table: str = ""
    """The online table whose visit shows this game; it is notified when the game is closed, and cleans up."""
    invite: str = ""
    """The invite to play at that table; empty for a watcher."""
    watch_invite: str = ""
    site: str = ""
    """The address before an invite that leads a browser there; empty without one."""


@dataclass(frozen=True)
class Saved:
    """A game on disk."""

    name: str
    words: str
    finished: bool


@dataclass(frozen=True)
class UnfinishedGame:
    """An unfinished game on this machine."""

    name: str
    partners: str
    hints: tuple[str, ...]
    """Its state, in ever fewer words."""
    about: str
    """Its state as a line by itself."""


@dataclass(frozen=True)
class UnfinishedGames:
    """The games that can be continued."""

    newest: UnfinishedGame | None = None
    """The newest one on this machine."""
    count: int = 0
    """The number of all of them, including online games."""


@dataclass(frozen=True)
class WaitingGame:
    """An online game that somebody can come back to."""

    seat: str
    partners: str
    situation: str
    """The turn, the player to move, and since when."""


@dataclass(frozen=True)
class GameWish:
    """A game that somebody wants to start."""

    edition: str = "classic"
    others: tuple[str, ...] = (BY_LOT,)
    """The other players, in order: a `PERSON` at this screen, a rival by name, or one `BY_LOT`."""
    level: str = "normal"
    as_printed: bool = False
    """True to follow the rulebook even where we change it on purpose."""

    @property
    def people(self) -> int:
        return 1 + self.others.count(PERSON)


@dataclass(frozen=True)
class TableWish:
    """A table that somebody wants to open."""

    edition: str = "classic"
    seats: int = 2
    least: int = 2
    """The fewest players with whom the game may begin."""
    bots: int = 0
    level: str = "normal"
    rivals: tuple[str, ...] = ()
    """Bots by name, perhaps empty, each perhaps with a level after a colon; the others are chosen at random."""
    private: bool = False
    welcome: bool = False
    """True if everybody who comes may sit, without asking the host."""
    clock: int = 600
    """Seconds a turn may take before the others may vote."""
    options: tuple[str, ...] = ()
    anywhere: bool = False
    """True if friends on other networks can come: a private table on our own broker and on relays."""
    browsers: bool = False
    """True if our own broker serves the program to browsers, too."""
    brokers: tuple[str, ...] = ()
    """Brokers that all carry the table; empty for the one in the settings, or our own."""
