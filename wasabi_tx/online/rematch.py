"""A rematch: the table of the same people that follows from a finished one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wasabi_protocol.signed.messages import Terms
from wasabi_protocol.table.genesis import ORDER, order_of, rematch, rematch_order
from wasabi_protocol.table.private import PrivateTable, derive, read_key

from .client.playing import Playing


@dataclass(frozen=True)
class Rematch:
    """The next table. Everybody derives the same one, so all who ask for it meet at one table."""

    table: str
    host: bytes
    """The key of the lowest seat that the rematch is for."""
    salt: bytes
    play_key: bytes
    """Empty for a table that everybody can read; otherwise derived from the earlier play key, which only players have.
    """
    terms: Terms
    guests: tuple[bytes, ...]
    """The keys of those whom the rematch is for, in order around the table: nobody else gets a seat."""


def rematch_of(playing: Playing, play_key: bytes) -> Rematch:
    """Return the table that follows from this game; `play_key` is the game's own, if it is private."""
    state, seats = playing.session.state, playing.rematch_seats
    host, salt, table = rematch(playing.founded, seats, 0)
    following = derive(play_key, f"rematch {playing.founded.gid.hex()}")[: len(play_key)]
    if following:
        table = PrivateTable(read_key(following)).table
    guests = rematch_order(playing.founded, seats, state.order)
    before = playing.founded.genesis.terms
    options = {option for option in before.options if not option.startswith(ORDER)}
    options.add(ORDER + "".join(map(str, order_of(guests))))
    terms = replace(before, least=len(seats), most=len(seats), options=tuple(sorted(options)))
    return Rematch(table, host, salt, following, terms, guests)
