"""The genesis of a game: the hashes that name tables, terms and games, and the checks from an offer to a genesis."""

from __future__ import annotations

import hashlib
from itertools import permutations
from typing import TYPE_CHECKING

from wasabi_protocol.sealed.cards import params_hash
from wasabi_protocol.sealed.group import signature_holds
from wasabi_protocol.signed.codec import open_as, parse_as, write_terms
from wasabi_protocol.signed.envelope import Signed, open_envelope
from wasabi_protocol.signed.identity import Identity, base32
from wasabi_protocol.signed.messages import MAX_SEALED_CARDS, Accept, Genesis, Join, Offer, Start, Terms
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

TABLE_ID_LETTERS = 26
ORDER = "order-"
"""Prefix of the option that names the order of seats; the seats' digits follow."""


def _hash(label: bytes, *parts: bytes) -> bytes:
    return hashlib.sha256(label + b"".join(parts)).digest()


def table_id(host: bytes, salt: bytes) -> str:
    """Return the name of an open table, a hash of its host, so that nobody can offer a table in another host's name."""
    return base32(_hash(b"wsb1 table", host, salt))[:TABLE_ID_LETTERS]


def terms_hash(host: bytes, salt: bytes, door: bytes, terms: Terms) -> bytes:
    """Return the hash that a join agrees to: this host, this table's door, these terms."""
    return _hash(b"wsb1 terms", host, salt, len(door).to_bytes(1, "big"), door, write_terms(terms))


def commitment(table: str, key: bytes, nonce: bytes) -> bytes:
    """Return a join's commitment to the nonce that its author reveals in slot 1."""
    return _hash(b"wsb1 commitment", table.encode(), key, nonce)


def ticket_text(table: str, key: bytes, terms: bytes, commit: bytes) -> bytes:
    """Return the text that the play key of a private table signs to admit a key."""
    return b"wsb1 ticket" + table.encode() + key + terms + commit


def agreed_order(terms: Terms) -> tuple[int, ...]:
    """Return the order of seats that checked terms name, the first player first; empty if it is to be drawn."""
    named = next((option for option in terms.options if option.startswith(ORDER)), ORDER)
    return tuple(int(seat) for seat in named.removeprefix(ORDER))


def seating(gid: bytes, nonces: Sequence[tuple[int, bytes]], agreed: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the seats in order around the table, the first player first: the agreed order, or one from all nonces."""
    if agreed:
        return tuple(seat for seat in agreed if seat in dict(nonces))
    seed = _hash(b"wsb1 order", gid, *(bytes([seat]) + nonce for seat, nonce in sorted(nonces)))
    return tuple(sorted((seat for seat, _ in nonces), key=lambda seat: _hash(b"wsb1 place", seed, bytes([seat]))))


def rematch_salt(gid: bytes, count: int) -> bytes:
    """Return the salt of the next table of the same people, so that two wishes for a rematch lead to one table."""
    if count not in range(256):
        raise Refused(Code.BAD_FIELD, "count")
    return _hash(b"", gid, b"rematch", count.to_bytes(1, "big"))


def rematch(founded: Founded, present: Collection[int], count: int) -> tuple[bytes, bytes, str]:
    """Return host, salt and table of the next game of those still present; the lowest seat invites."""
    host, salt = founded.keys[min(present)], rematch_salt(founded.gid, count)
    return host, salt, table_id(host, salt)


def rematch_order(founded: Founded, present: Collection[int], order: Sequence[int]) -> tuple[bytes, ...]:
    """Return the keys of those still present in their next order: the start passes on to the next seat."""
    return tuple(founded.keys[seat] for seat in (*order[1:], *order[:1]) if seat in present)


def order_of(keys: Sequence[bytes]) -> tuple[int, ...]:
    """Return the seats of these keys, all of a table, in their order."""
    return tuple(sorted(keys).index(key) for key in keys)


def check_terms(terms: Terms) -> None:
    """Raise Refused unless this version can play a game with these terms."""
    if terms.least > terms.most or list(terms.options) != sorted(set(terms.options)):
        raise Refused(Code.BAD_TERMS)
    named = [option for option in terms.options if option.startswith(ORDER)]
    fitting = {ORDER + "".join(seats) for seats in permutations("0123"[: terms.most])}
    if named and (terms.least < terms.most or len(named) > 1 or named[0] not in fitting):
        raise Refused(Code.BAD_TERMS, "order")
    if sum(terms.decks) > MAX_SEALED_CARDS or params_hash(terms.decks) != terms.params:
        raise Refused(Code.BAD_TERMS, "decks")


def is_open(table: str, host: bytes, salt: bytes) -> bool:
    """Return whether the name is the hash of this host and salt: an open table. Any other name is a private table's."""
    return table_id(host, salt) == table


def check_offer(signed: Signed, offer: Offer, table: str) -> None:
    """Raise Refused unless this is the host's own offer for this table; an invite identifies a private one instead."""
    if offer.key != signed.key:
        raise Refused(Code.WRONG_KEY)
    if offer.table != table or not (offer.door or is_open(table, offer.key, offer.salt)):
        raise Refused(Code.WRONG_TABLE)
    check_terms(offer.terms)


def check_join(signed: Signed, join: Join, table: str, terms: bytes, door: bytes, needs_ticket: bool = True) -> None:
    """Raise Refused unless the join is its author's own, for these terms, and admitted by the door if there is one.

    At an open table strangers may ask for a seat too: a ticket is optional there, but must be valid if given.
    """
    if join.key != signed.key:
        raise Refused(Code.WRONG_KEY)
    if join.table != table:
        raise Refused(Code.WRONG_TABLE)
    if join.terms != terms:
        raise Refused(Code.BAD_TERMS)
    text = ticket_text(table, join.key, terms, join.commit)
    if not join.ticket:
        if door and needs_ticket:
            raise Refused(Code.BAD_PASS)
    elif not door or not signature_holds(door, join.ticket, text):
        raise Refused(Code.BAD_PASS)


def make_join(
    identity: Identity, offer: Offer, nonce: bytes, name: str = "", runner: bytes = b"", door: Identity | None = None
) -> Join:
    """Create a key's only join; the nonce must be on disk before it is sent."""
    terms = terms_hash(offer.key, offer.salt, offer.door, offer.terms)
    commit = commitment(offer.table, identity.key, nonce)
    ticket = b"" if door is None or not offer.door else door.sign(ticket_text(offer.table, identity.key, terms, commit))
    return Join(offer.table, identity.key, terms, commit, name, runner, ticket)


class Founded:
    """A valid genesis: the game's id, its keys by seat, its joins; only `check_genesis` creates one."""

    __slots__ = ("genesis", "gid", "joins", "keys", "signed")
    signed: Signed
    genesis: Genesis
    gid: bytes
    keys: tuple[bytes, ...]
    joins: tuple[Join, ...]

    def __init__(self) -> None:
        raise TypeError("only check_genesis makes a Founded")

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat of a key: its place among the keys in ascending order."""
        return self.keys.index(key) if key in self.keys else None


def check_genesis(signed: Signed, table: str) -> Founded:
    """Return the game that this genesis founds at this table; raise Refused if anything in it is invalid."""
    genesis = parse_as(Genesis, signed.body)
    if genesis.key != signed.key:
        raise Refused(Code.WRONG_KEY)
    private = not is_open(table, genesis.key, genesis.salt)
    if genesis.table != table or (private and not genesis.door):
        raise Refused(Code.WRONG_TABLE)
    check_terms(genesis.terms)
    if not genesis.terms.least <= len(genesis.joins) <= genesis.terms.most:
        raise Refused(Code.BAD_TERMS, "seats")
    keys = [key for key, _ in genesis.joins]
    if keys != sorted(set(keys)):
        raise Refused(Code.REPEATED_KEY)
    terms = terms_hash(genesis.key, genesis.salt, genesis.door, genesis.terms)
    joins: list[Join] = []
    for key, envelope in genesis.joins:
        quoted, join = open_as(Join, key, envelope)
        check_join(quoted, join, table, terms, genesis.door, needs_ticket=private)
        joins.append(join)
    if len({join.commit for join in joins}) != len(joins):
        raise Refused(Code.REPEATED_COMMITMENT)
    founded = object.__new__(Founded)
    founded.signed, founded.genesis = signed, genesis
    founded.gid = _hash(b"wsb1 genesis", signed.body)
    founded.keys, founded.joins = tuple(keys), tuple(joins)
    return founded


def check_accept(founded: Founded, signed: Signed, accept: Accept) -> None:
    """Raise Refused unless a seat of this game accepts it."""
    if accept.gid != founded.gid:
        raise Refused(Code.WRONG_GAME)
    if founded.seat_of(signed.key) != accept.seat:
        raise Refused(Code.WRONG_SEAT)


def check_start(founded: Founded, signed: Signed, start: Start) -> None:
    """Raise Refused unless the host starts this game with the accept of every seat."""
    if start.key != signed.key or signed.key != founded.genesis.key:
        raise Refused(Code.WRONG_KEY)
    if start.gid != founded.gid:
        raise Refused(Code.WRONG_GAME)
    if len(start.accepts) != len(founded.keys):
        raise Refused(Code.MISSING_ACCEPT)
    for key, envelope in zip(founded.keys, start.accepts, strict=True):
        check_accept(founded, *open_as(Accept, key, envelope))


def found(envelope: bytes, host: bytes, table: str) -> Founded:
    """Return the game of a genesis envelope."""
    return check_genesis(open_envelope(host, envelope), table)
