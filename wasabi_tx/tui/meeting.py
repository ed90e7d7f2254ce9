"""What the app asks of the machine that it runs on for tables online. The command line provides it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..table.online.lobby import Lobby
    from ..table.online.meet import Attendance
    from ..text import Texts
    from .desk import Saved


@dataclass(frozen=True)
class TableWish:
    """A table that somebody wants to open."""

    edition: str = "classic"
    seats: int = 2
    least: int = 2
    """With so many it may begin."""
    bots: int = 0
    level: str = "normal"
    private: bool = False
    welcome: bool = False
    """Whether everybody may sit who comes, without being asked about."""
    clock: int = 0
    options: tuple[str, ...] = ()
    broker: str = ""
    """Where: the address of a broker; nothing means the one of the settings, or one of our own."""


class OnlineTable(Protocol):
    """A place at a table online, from the waiting room on. Everything of it runs on the app's loop."""

    @property
    def attendance(self) -> Attendance: ...

    @property
    def hosting(self) -> bool: ...

    @property
    def notes(self) -> Sequence[str]:
        """What somebody should know about this place."""
        ...

    def add_bot(self) -> None:
        """A bot of this machine comes for a seat."""
        ...

    @property
    def left(self) -> str:
        """How we lost our seat in a game that goes on, as a sentence; nothing while we have it."""
        ...

    async def ended(self) -> None:
        """Returns when the game is over, or our part in it, and nobody needs us for it any more."""
        ...

    async def again(self) -> bool:
        """Waits until everybody wishes to play again, and then is our place at the next table; False once closed."""
        ...

    async def give_up(self) -> None:
        """The seat will not be taken up again: it is not among the unfinished games any more."""
        ...

    async def close(self) -> None: ...


class Found(Protocol):
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
    def found(self) -> Sequence[Found]: ...


class Meeting(Protocol):
    """`Refused` is the only error that any of this raises."""

    async def host(self, wish: TableWish, texts: Texts) -> OnlineTable: ...

    async def join(self, invite: str, texts: Texts) -> OnlineTable: ...

    async def watch(self, invite: str, texts: Texts) -> OnlineTable: ...

    async def resume(self, name: str, texts: Texts) -> OnlineTable: ...

    def unfinished(self, texts: Texts) -> list[Saved]:
        """Seats at tables online whose games are not over, the newest first."""
        ...

    def lobby(self, broker: str, texts: Texts) -> tuple[Lobby, str] | None:
        """What is offered on a broker, and how that one is called; for no name the one of the settings, if any."""
        ...

    def brokers(self, changed: Callable[[], None]) -> AbstractAsyncContextManager[Brokers]:
        """Listens to the local network."""
        ...
