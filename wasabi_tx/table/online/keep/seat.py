"""A saved seat: the private side of a place at a table, as its file holds it; those of bots lie beside a person's."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import msgpack
from wasabi_protocol.sealed.secrets import new_game_secret
from wasabi_protocol.signed.envelope import Item
from wasabi_protocol.signed.identity import SEED_BYTES, fingerprint
from wasabi_protocol.table.invite import Invite
from wasabi_protocol.table.invite_text import format_invite

from ....store.seats import SeatFile, list_seats

VERSION = 1


class SeatBroken(Exception):
    """The private file of a seat cannot be read."""


@dataclass(frozen=True)
class SavedSeat:
    """The private side of a place at a table; everybody who has it can play it."""

    invite: str
    name: str
    seed: bytes
    """The signing key's seed of a bot; empty for a person, whose key is kept elsewhere."""
    nonce: bytes
    secret: bytes
    """The game secret, or what replaced it."""
    bot: str = ""
    """The level of a bot, with its character."""
    bind: str = ""
    """Where the broker of our own listens that carries this table; empty if it is somebody else's."""
    port: int = 0
    """On which port; 0 in files that do not say."""
    map_port: bool = False
    """Whether the router is asked to forward it."""
    through: str = ""
    """The way to the broker that we were told to take instead of the invite's."""
    welcome: bool = True
    """Whether everybody who comes to a table of ours may sit; otherwise its host admits each guest."""
    said: tuple[Item, ...] = ()
    """What was signed before the start, in order."""
    record: str = ""
    """The game's file, once it has begun."""
    over: bool = False
    guests: tuple[bytes, ...] = ()
    """Who is invited to this table; empty if anyone may ask for a seat."""
    heard: tuple[tuple[bytes, int], ...] = ()
    """The counter of the last line of talk of each seat, so that an old line is not heard again after a restart."""

    def __repr__(self) -> str:
        return f"SavedSeat({self.record or 'waiting'})"

    def dump(self) -> bytes:
        return bytes(msgpack.packb({"v": VERSION} | {one.name: getattr(self, one.name) for one in fields(self)}))

    @classmethod
    def load(cls, data: bytes) -> SavedSeat:
        """The seat that these bytes hold; `SeatBroken` if they hold none."""
        try:
            # Older files do not say all of it.
            older = {"welcome": True, "guests": (), "port": 0, "map_port": False, "through": "", "heard": ()}
            found: dict[str, Any] = {**older, **msgpack.unpackb(data, use_list=False)}
            kept = {one.name: found[one.name] for one in fields(cls)}
        except (ValueError, TypeError, KeyError, msgpack.UnpackException):
            raise SeatBroken from None
        like = cls("", "", b"", b"", b"")
        if any(type(value) is not type(getattr(like, name)) for name, value in kept.items()):
            raise SeatBroken
        if not (_each_holds(kept["said"], bytes, bytes) and _each_holds(kept["heard"], bytes, int)):
            raise SeatBroken
        if not all(isinstance(key, bytes) for key in kept["guests"]) or len(kept["seed"]) not in (0, SEED_BYTES):
            raise SeatBroken
        return cls(**kept)

    def with_said(self, item: Item) -> SavedSeat:
        return replace(self, said=(*self.said, item))


def _each_holds(found: tuple[object, ...], *kinds: type) -> bool:
    """Whether all of these are tuples of values of these kinds."""
    return all(isinstance(one, tuple) and tuple(map(type, one)) == kinds for one in found)


def new_seat(
    name: str,
    invite: Invite,
    seed: bytes,
    bot: str,
    *,
    bind: str = "",
    port: int = 0,
    map_port: bool = False,
    through: str = "",
    welcome: bool = True,
    guests: tuple[bytes, ...] = (),
) -> SavedSeat:
    """A seat with fresh secrets, which have never been used."""
    return SavedSeat(
        format_invite(invite),
        name,
        seed,
        nonce=os.urandom(32),
        secret=new_game_secret(),
        bot=bot,
        bind=bind,
        port=port,
        map_port=map_port,
        through=through,
        welcome=welcome,
        guests=guests,
    )


def table_of(name: str) -> str:
    """The table of the seat with this name."""
    return name.partition("-")[0]


def bot_seat(table: str, key: bytes) -> str:
    """The name of a bot's seat, beside its person's at one table."""
    return f"{table}-{fingerprint(key).replace('-', '')}"


def read_seat(games: Path, name: str) -> SavedSeat | None:
    """What was kept of the seat with this name; `SeatBroken` if it cannot be read."""
    data = SeatFile(games, name).read()
    return None if data is None else SavedSeat.load(data)


def unfinished(games: Path) -> list[tuple[str, SavedSeat]]:
    """Seats whose games are not over, the newest first, each with its name."""
    found = []
    for name in list_seats(games):
        try:
            seat = read_seat(games, name)
        except (SeatBroken, OSError):
            continue
        if seat is not None and not seat.over:
            found.append((name, seat))
    return found


def unfinished_of_person(games: Path) -> list[tuple[str, SavedSeat]]:
    """Those of them that a person holds."""
    return [(name, seat) for name, seat in unfinished(games) if not seat.bot]


def unfinished_bots(games: Path, table: str) -> list[str]:
    """The names of those that bots of this machine hold at one table."""
    return [name for name, seat in unfinished(games) if seat.bot and table_of(name) == table]
