"""The public state machine: which messages are valid, and how a full slot of them changes the decks.

`check` does the curve work for one message and returns a `Checked`, the only thing that `close` accepts; so nothing
unverified can become part of a state. Both raise only the errors of this package.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from wasabi_protocol.sealed.cards import check_sizes, params_hash
from wasabi_protocol.sealed.epoch import (
    Carried,
    Multiplied,
    begin_epoch,
    check_carry,
    check_multiply,
    check_tags,
    close_carry,
    close_multiply,
    close_tags,
)
from wasabi_protocol.sealed.errors import SealRefused
from wasabi_protocol.sealed.group import self_test
from wasabi_protocol.sealed.leaving import check_leave
from wasabi_protocol.sealed.play import check_open, check_seals
from wasabi_protocol.sealed.setup import (
    SealedMessage,
    Shuffled,
    check_keys,
    check_shuffle,
    check_shuffles,
    close_keys,
    close_shuffle,
)
from wasabi_protocol.sealed.sharing import CheckedShares, check_shares, close_shares
from wasabi_protocol.sealed.state import Decks, Key, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

__all__ = ["Checked", "SealedMessage", "begin_epoch", "check", "check_row", "close", "open_decks", "params_hash"]

_Found: TypeAlias = Key | Carried | Shuffled | Multiplied | CheckedShares | Decks
_HASH_SIZE = 32
_LAST_SLOT = 2**32
_SEATS = range(4)

_OWED: Mapping[str, Callable[[Decks, Place, int, object], _Found]] = {
    "keys": check_keys,
    "carry": check_carry,
    "shuffle": check_shuffle,
    "multiply": check_multiply,
    "tags": check_tags,
    "shares": check_shares,
}
_FREE: Mapping[str, Callable[[Decks, Place, int, object], Decks]] = {
    "seals": check_seals,
    "leave": check_leave,
    "open": check_open,
}


@dataclass(frozen=True, slots=True, init=False)
class Checked:
    """A message verified against these decks in this place; only `check` and `check_row` create one."""

    decks: Decks
    place: Place
    seat: int
    kind: str
    found: _Found

    def __init__(self) -> None:
        raise TypeError("only what was checked is Checked")


def _checked(decks: Decks, place: Place, seat: int, kind: str, found: _Found) -> Checked:
    checked = object.__new__(Checked)
    for name, value in (("decks", decks), ("place", place), ("seat", seat), ("kind", kind), ("found", found)):
        object.__setattr__(checked, name, value)
    return checked


def open_decks(gid: bytes, identities: Mapping[int, bytes], sizes: Sequence[int]) -> Decks:
    """Return the decks before a game begins: every seat owes its key.

    Raise `UnsafeLibrary` if the installed libsodium would accept points that others refuse.
    """
    _test_once()
    seats = tuple(sorted(identities))
    if not 2 <= len(seats) <= len(_SEATS) or any(seat not in _SEATS for seat in seats):
        raise SealRefused("decks.seats", seats=seats)
    if len(gid) != _HASH_SIZE or any(len(key) != _HASH_SIZE for key in identities.values()):
        raise SealRefused("encoding.shape")
    ordered = tuple((seat, bytes(identities[seat])) for seat in seats)
    return Decks(bytes(gid), ordered, check_sizes(sizes), epoch=0, seats=seats, kind="keys")


@cache
def _test_once() -> None:
    self_test()


def check(decks: Decks, place: Place, seat: int, kind: str, payload: object) -> Checked:
    """Verify one message; raise `SealRefused` if it is invalid, `SealsStopped` if it reveals an impossible card."""
    _check_place(place)
    if kind in _FREE and decks.kind == "play" and seat in decks.seats:
        return _checked(decks, place, seat, kind, _FREE[kind](decks, place, seat, payload))
    owed = decks.owed
    if kind != owed.kind or seat not in owed.seats:
        raise SealRefused("state.not-owed", kind=kind, owed=owed.kind)
    return _checked(decks, place, seat, kind, _OWED[kind](decks, place, seat, payload))


def check_row(decks: Decks, messages: Sequence[SealedMessage]) -> list[Checked]:
    """Verify consecutive shuffles at once: cheaper than one by one, but an error does not show which one is wrong."""
    for message in messages:
        _check_place(message.place)
    seats = tuple(message.seat for message in messages)
    if decks.kind != "shuffle" or seats != decks.seats[decks.turns : decks.turns + len(seats)]:
        raise SealRefused("state.not-owed", kind="shuffle", owed=decks.kind)
    row = []
    for message, found in zip(messages, check_shuffles(decks, messages), strict=True):
        row.append(_checked(decks, message.place, message.seat, "shuffle", found))
        decks = close(decks, row[-1:])
    return row


def _check_place(place: Place) -> None:
    if len(place.prev) != _HASH_SIZE or not 0 <= place.slot < _LAST_SLOT:
        raise SealRefused("state.place")


def close(decks: Decks, entries: Iterable[Checked]) -> Decks:
    """Return the decks after a slot with every message owed in it, or with one that a player was free to write."""
    checked = sorted(entries, key=lambda entry: entry.seat)
    if any(entry.decks != decks or entry.place != checked[0].place for entry in checked):
        raise SealRefused("state.other-slot")
    found = [entry.found for entry in checked]
    match found:
        case [Decks() as after]:
            return after
        case _ if tuple(entry.seat for entry in checked) != decks.owed.seats:
            raise SealRefused("state.incomplete", owed=decks.owed.seats)
        case [Shuffled() as shuffled]:
            return close_shuffle(decks, shuffled)
        case [Multiplied() as multiplied]:
            return close_multiply(decks, multiplied)
    if decks.kind == "keys":
        return close_keys(decks, [key for key in found if isinstance(key, Key)])
    if decks.kind == "carry":
        return close_carry(decks, [hand for hand in found if isinstance(hand, Carried)])
    shares = [entry for entry in found if isinstance(entry, CheckedShares)]
    return close_tags(decks, shares) if decks.kind == "tags" else close_shares(decks, shares)
