"""What a client keeps: its secrets and its words before the game, and the game itself as it grows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import msgpack  # type: ignore[import-untyped]

Item = tuple[bytes, bytes]


class SeatBroken(Exception):
    """The private file of a seat cannot be read."""


@dataclass(frozen=True)
class Seat:
    """The private side of a place at a table; whoever has it can play it."""

    invite: str
    name: str
    seed: bytes
    """The signing key's seed of a bot; empty for a person, whose key is kept elsewhere."""
    nonce: bytes
    secret: bytes
    """The game secret, or what replaced it."""
    bot: str = ""
    """The level of a bot."""
    bind: str = ""
    """Where the broker of our own listens that carries this table; empty if it is somebody else's."""
    welcome: bool = True
    """Whether whoever comes to a table of ours may sit; otherwise its host says so of each."""
    said: tuple[Item, ...] = ()
    """What was signed before the start, in order."""
    record: str = ""
    """The game's file, once it has begun."""
    over: bool = False

    def __repr__(self) -> str:
        return f"Seat({self.record or 'waiting'})"

    def dump(self) -> bytes:
        return bytes(msgpack.packb({"v": 1, **{name: getattr(self, name) for name in _FIELDS}}))

    @classmethod
    def load(cls, data: bytes) -> Seat:
        try:
            # Older files do not say who was welcome.
            found: dict[str, Any] = {"welcome": True, **msgpack.unpackb(data, use_list=False)}
            kept = {name: found[name] for name in _FIELDS}
        except (ValueError, TypeError, KeyError, msgpack.UnpackException):
            raise SeatBroken from None
        if not all(isinstance(kept[name], kind) for name, kind in _FIELDS.items()):
            raise SeatBroken
        return cls(**kept)

    def with_said(self, item: Item) -> Seat:
        return replace(self, said=(*self.said, item))


_FIELDS: dict[str, type] = {
    "invite": str,
    "name": str,
    "seed": bytes,
    "nonce": bytes,
    "secret": bytes,
    "bot": str,
    "bind": str,
    "welcome": bool,
    "said": tuple,
    "record": str,
    "over": bool,
}


class Disk(Protocol):
    """Every call returns when what it was given is safe; an `OSError` means that it is not, and nothing was sent."""

    def keep(self, seat: Seat) -> None:
        """The private side, in the place of the one before."""

    def begin(self, head: bytes) -> str:
        """A new game file that starts with these bytes; its name."""

    def append(self, data: bytes) -> None:
        """More of the game file."""


class NoDisk:
    """For watchers who keep nothing."""

    def keep(self, seat: Seat) -> None:
        del seat

    def begin(self, head: bytes) -> str:
        del head
        return ""

    def append(self, data: bytes) -> None:
        del data
