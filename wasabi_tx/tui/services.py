"""The services that the app asks of the machine: settings, themes, games on disk, online tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..view.names import BY_LOT, PERSON

if TYPE_CHECKING:
    from ..table.game import Game
    from ..table.online.lobby import LobbyClient
    from ..table.online.online_table import OnlineTable
    from ..table.transcript import Past, Transcript
    from ..text import Texts
    from ..view.online.call import Call
    from ..view.pictures import Pictures
    from ..view.progress import Progress
    from ..view.settings import Settings
    from ..view.theme import Theme


class NotPossible(Exception):
    """Something cannot be had; its only argument is a sentence that says why."""

    @property
    def sentence(self) -> str:
        """The same by itself: what stands after a command's name begins with a small letter."""
        words = str(self)
        return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class Opened:
    """A game that is being played and saved."""

    game: Game
    saved_as: str
    close: Callable[[], None]
    earlier: Past | None = None
    """What was played before it was taken up again."""
    table: str = ""
    """The table online whose visit shows it: that one hears when the game is closed, and clears it away."""


@dataclass(frozen=True)
class Saved:
    """A game on disk."""

    name: str
    words: str
    finished: bool


@dataclass(frozen=True)
class LeftGame:
    """A game on this machine that somebody left before its end."""

    name: str
    partners: str
    hints: tuple[str, ...]
    """How it stands, in ever fewer words."""
    about: str
    """The same as a line by itself."""


@dataclass(frozen=True)
class LeftGames:
    """What can be continued."""

    newest: LeftGame | None = None
    """Of those on this machine."""
    count: int = 0
    """Of all, those online too."""


@dataclass(frozen=True)
class WaitingGame:
    """A game online that somebody can come back to."""

    seat: str
    partners: str
    situation: str
    """Its turn, whose move it is, and since when."""


@dataclass(frozen=True)
class GameWish:
    """A game that somebody wants to start."""

    edition: str = "classic"
    others: tuple[str, ...] = (BY_LOT,)
    """Who sits beside you, in order: a `PERSON` at this screen, a rival by name, or one `BY_LOT`."""
    level: str = "normal"

    @property
    def people(self) -> int:
        return 1 + self.others.count(PERSON)


class LocalGames(Protocol):
    """`NotPossible` is the only error that any of this raises."""

    def settings(self) -> tuple[Settings, list[str]]:
        """What is preferred, and sentences about what is wrong in the file."""
        ...

    def keep(self, settings: Settings) -> None: ...

    def progress(self) -> Progress:
        """How far the person here has come."""
        ...

    def keep_progress(self, progress: Progress) -> None: ...

    def themes(self) -> tuple[list[Theme], list[str]]:
        """Every theme that can be used, and sentences about those that cannot."""
        ...

    def pictures(self) -> tuple[Pictures, list[str]]:
        """The pictures of the ingredients, and sentences about what is wrong with them."""
        ...

    def editions(self, texts: Texts) -> list[tuple[str, str]]:
        """Names of editions, each with what it is called."""
        ...

    def start(self, wish: GameWish, texts: Texts) -> Opened: ...

    def again(self, opened: Opened, texts: Texts) -> Opened:
        """A new game with the same seats and edition; the next seat starts."""
        ...

    def saved(self, texts: Texts) -> list[Saved]:
        """Games on disk, the newest first."""
        ...

    def left(self, texts: Texts) -> LeftGames:
        """Unfinished games."""
        ...

    def waiting(self, texts: Texts) -> list[WaitingGame]:
        """Unfinished games online: first those that wait for the person here."""
        ...

    def call(self, call: Call, seen: bool) -> None:
        """Calls the person here for something at a table online; one who has `seen` it is not called for it later."""
        ...

    def save_picture(self, name: str, svg: str, texts: Texts) -> str:
        """Saves a picture under a name that begins so; where it is."""
        ...

    def resume(self, name: str, texts: Texts) -> Opened: ...

    def read(self, name: str, texts: Texts) -> Transcript: ...


@dataclass(frozen=True)
class TableWish:
    """A table that somebody wants to open."""

    edition: str = "classic"
    seats: int = 2
    least: int = 2
    """The number of seats with which it may begin."""
    bots: int = 0
    level: str = "normal"
    rivals: tuple[str, ...] = ()
    """Bots by name; the others are drawn by lot."""
    private: bool = False
    welcome: bool = False
    """Whether everybody may sit who comes, without being asked about."""
    clock: int = 600
    """Seconds a turn before the others may vote."""
    options: tuple[str, ...] = ()
    anywhere: bool = False
    """Whether friends on other networks can come: a private table on a broker of ours and on relays."""
    brokers: tuple[str, ...] = ()
    """Where: on all of these; none means the one of the settings, or one of our own."""


class FoundBroker(Protocol):
    """A broker that somebody announces on the local network."""

    @property
    def name(self) -> str: ...

    @property
    def host(self) -> str: ...

    @property
    def port(self) -> int: ...


class Brokers(Protocol):
    """What is announced on the local network now."""

    @property
    def found(self) -> Sequence[FoundBroker]: ...


class OnlineTables(Protocol):
    """`NotPossible` is the only error that any of this raises."""

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable: ...

    async def join(self, invite: str, texts: Texts) -> OnlineTable: ...

    async def watch(self, invite: str, texts: Texts) -> OnlineTable: ...

    async def resume(self, name: str, texts: Texts) -> OnlineTable: ...

    def unfinished(self, texts: Texts) -> list[Saved]:
        """Seats at tables online whose games are not over, the newest first."""
        ...

    def lobby(self, broker: str, texts: Texts) -> tuple[LobbyClient, str] | None:
        """What is offered on a broker, and how that one is called; for no name the one of the settings, if any."""
        ...

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Brokers]:
        """Listens to the local network."""
        ...

    async def close(self) -> None:
        """Leaves every table that is still open."""
        ...
