"""A saved seat: the private side of a place at a table, as its file stores it; bots' seats lie beside theirs."""

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

from ...store.seats import SeatFile, list_seats

VERSION = 1


class SeatBroken(Exception):
    """The private file of a seat cannot be read."""


MOST_TALK = 50
"""Most lines of talk that are kept for whoever comes back."""


@dataclass(frozen=True)
class SavedSeat:
    """The private side of a place at a table; everybody who has it can play the seat."""

    invite: str
    name: str
    seed: bytes
    """The seed of a bot's signing key; empty for a person, whose key is stored elsewhere."""
    nonce: bytes
    secret: bytes
    """The game secret, or its replacement."""
    bot: str = ""
    """The level of a bot, with its character."""
    bind: str = ""
    """The address on which our own broker listens for this table; empty if the broker is somebody else's."""
    port: int = 0
    """The port of our own broker."""
    engine: str = ""
    """The program that is our own broker, by name or path; empty for the usual one."""
    site: int = 0
    """The port where browsers find our own broker; 0 if they cannot."""
    through: str = ""
    """A given broker address, used instead of the invite's."""
    welcome: bool = True
    """True if everybody who comes to our table may sit; otherwise its host admits each guest."""
    said: tuple[Item, ...] = ()
    """Messages signed before the start, in order."""
    record: str = ""
    """The name of the game's file, once the game has begun."""
    over: bool = False
    guests: tuple[bytes, ...] = ()
    """Keys invited to this table, in order around it; empty if anyone may ask for a seat."""
    heard: tuple[tuple[bytes, int], ...] = ()
    """The counter of each seat's last line of talk, so that an old line is not heard again after a restart."""
    talk: tuple[tuple[bytes, str, bool], ...] = ()
    """The last lines that the seats said: who, what, and whether a person has been shown it."""

    def __repr__(self) -> str:
        return f"SavedSeat({self.record or 'waiting'})"

    def dump(self) -> bytes:
        return bytes(msgpack.packb({"v": VERSION} | {one.name: getattr(self, one.name) for one in fields(self)}))

    @classmethod
    def load(cls, data: bytes) -> SavedSeat:
        """Return the seat stored in these bytes; raise SeatBroken if there is none."""
        try:
            found: dict[str, Any] = msgpack.unpackb(data, use_list=False)
            kept = {one.name: found[one.name] for one in fields(cls)}
        except (ValueError, TypeError, KeyError, msgpack.UnpackException):
            raise SeatBroken from None
        like = cls("", "", b"", b"", b"")
        if any(type(value) is not type(getattr(like, name)) for name, value in kept.items()):
            raise SeatBroken
        if not (_each_holds(kept["said"], bytes, bytes) and _each_holds(kept["heard"], bytes, int)):
            raise SeatBroken
        if not _each_holds(kept["talk"], bytes, str, bool):
            raise SeatBroken
        if not all(isinstance(key, bytes) for key in kept["guests"]) or len(kept["seed"]) not in (0, SEED_BYTES):
            raise SeatBroken
        return cls(**kept)

    def with_talk(self, key: bytes, text: str, shown: bool) -> SavedSeat:
        return replace(self, talk=(*self.talk, (key, text, shown))[-MOST_TALK:])

    def with_said(self, item: Item) -> SavedSeat:
        return replace(self, said=(*self.said, item))


def _each_holds(found: tuple[object, ...], *kinds: type) -> bool:
    """Return whether all of these are tuples of values of these kinds."""
    return all(isinstance(one, tuple) and tuple(map(type, one)) == kinds for one in found)


def new_seat(
    name: str,
    invite: Invite,
    seed: bytes,
    bot: str,
    *,
    bind: str = "",
    port: int = 0,
    engine: str = "",
    site: int = 0,
    through: str = "",
    welcome: bool = True,
    guests: tuple[bytes, ...] = (),
) -> SavedSeat:
    """Return a seat with fresh secrets, which have never been used."""
    return SavedSeat(
        format_invite(invite),
        name,
        seed,
        nonce=os.urandom(32),
        secret=new_game_secret(),
        bot=bot,
        bind=bind,
        port=port,
        engine=engine,
        site=site,
        through=through,
        welcome=welcome,
        guests=guests,
    )


def table_of(name: str) -> str:
    """Return the table of the seat with this name."""
    return name.partition("-")[0]


def bot_seat(table: str, key: bytes) -> str:
    """Return the name of a bot's seat, beside its person's at one table."""
    return f"{table}-{fingerprint(key).replace('-', '')}"


def read_seat(games: Path, name: str) -> SavedSeat | None:
    """Return the saved seat with this name, or None; raise `SeatBroken` if it cannot be read."""
    data = SeatFile(games, name).read()
    return None if data is None else SavedSeat.load(data)


def unfinished(games: Path) -> list[tuple[str, SavedSeat]]:
    """Return the seats whose games are not over, each with its name, the newest first."""
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
    """Return the unfinished seats that belong to a person."""
    return [(name, seat) for name, seat in unfinished(games) if not seat.bot]


def unfinished_bots(games: Path, table: str) -> list[str]:
    """Return the names of this machine's unfinished bot seats at one table."""
    return [name for name, seat in unfinished(games) if seat.bot and table_of(name) == table]
