"""Vectors from the offer to the start, and of a host that contradicts itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from wasabi_protocol.signed.codec import write, write_terms
from wasabi_protocol.signed.envelope import Item, sign
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Accept, Genesis, Message, Offer, Start
from wasabi_protocol.table.genesis import make_join, table_id, terms_hash
from wasabi_protocol.table.private import PrivateTable, door_identity, read_key

from tests.protocol.sessions import identity, secret, terms
from tests.protocol.vectors.vector import Book, Vector, pairs

PEOPLE = sorted((identity(("vector", number)) for number in range(3)), key=lambda who: who.key)
HOST = PEOPLE[1]
SALT = secret("vector salt")
TABLE = table_id(HOST.key, SALT)
TERMS = terms((3, 2))
OFFER = Offer(TABLE, HOST.key, SALT, 1, TERMS, b"", "Ana", 1, False)
AGREED = terms_hash(HOST.key, SALT, b"", TERMS)
NONCES = [secret("vector nonce", number) for number in range(3)]
JOINS = [make_join(who, OFFER, nonce, f"p{seat}") for seat, (who, nonce) in enumerate(zip(PEOPLE, NONCES, strict=True))]


def said(who: Identity, message: Message) -> Item:
    """Return a message as its author sends it."""
    return who.key, sign(who, write(message))


def quoted(seats: Sequence[int]) -> tuple[Item, ...]:
    return tuple(said(PEOPLE[seat], JOINS[seat]) for seat in seats)


GENESIS = Genesis(TABLE, HOST.key, SALT, 1, TERMS, b"", quoted((0, 1, 2)))


def _one(item: Item, **more: Any) -> dict[str, Any]:
    return {"key": item[0].hex(), "envelope": item[1].hex(), **more}


def _offers() -> Iterator[Vector]:
    def case(name: str, comment: str, offer: Offer, code: str | None = None, who: Identity = HOST) -> Vector:
        return Vector(f"offer/{name}", "offer", comment, _one(said(who, offer), table=TABLE), code)

    yield case("good", "the table's name is the hash of its host and salt", OFFER)
    yield case("other-salt", "it does not hash to this table", replace(OFFER, salt=secret("x")), "wrong-table")
    yield case("other-host", "another key's table", replace(OFFER, key=PEOPLE[0].key), "wrong-key")
    moved = replace(OFFER, key=PEOPLE[0].key)
    yield case("stolen", "a thief offers it as its own", moved, "wrong-table", PEOPLE[0])
    door = door_identity(secret("ticket")).key
    yield case("tickets", "an open table whose invites carry tickets", replace(OFFER, door=door))
    yield case("too-many-cards", "131 sealed cards", replace(OFFER, terms=replace(TERMS, decks=(130, 1))), "bad-terms")
    wrong = replace(TERMS, params=secret("params"))
    yield case("other-params", "points of another suite", replace(OFFER, terms=wrong), "bad-terms")
    less = replace(TERMS, least=3, most=2)
    yield case("least-above-most", "at least 3, at most 2", replace(OFFER, terms=less), "bad-terms")
    unsorted = replace(TERMS, options=("open", "chat"))
    yield case("options-unsorted", "options ascend", replace(OFFER, terms=unsorted), "bad-terms")
    sure = replace(TERMS, least=3, most=3, options=("order-201",))
    yield case("order", "a rematch names the order of its seats", replace(OFFER, terms=sure))
    twice = replace(sure, options=("order-200",))
    yield case("order-twice", "a seat sits in one place", replace(OFFER, terms=twice), "bad-terms")
    fewer = replace(sure, least=2)
    yield case("order-open", "two or three cannot have one order", replace(OFFER, terms=fewer), "bad-terms")


def _private() -> tuple[Offer, Identity]:
    play = secret("play key")
    door = door_identity(play)
    table = PrivateTable(read_key(play)).table
    return Offer(table, HOST.key, SALT, 1, TERMS, door.key, "Ana", 1, False), door


def _joins() -> Iterator[Vector]:
    def case(name: str, comment: str, item: Item, code: str | None = None, **changes: Any) -> Vector:
        given = _one(item, table=TABLE, terms=AGREED.hex(), door="") | changes
        return Vector(f"join/{name}", "join", comment, given, code)

    join, who = JOINS[0], PEOPLE[0]
    yield case("good", "one key, these terms, a commitment", said(who, join))
    yield case("other-terms", "agreed to something else", said(who, replace(join, terms=secret("t"))), "bad-terms")
    yield case("other-table", "for another table", said(who, join), "wrong-table", table="a" * 26)
    yield case("other-key", "in somebody else's name", said(PEOPLE[2], join), "wrong-key")
    yield case(
        "spare-ticket", "a ticket where there is no door", said(who, replace(join, ticket=bytes(64))), "bad-pass"
    )
    offer, door = _private()
    agreed = terms_hash(HOST.key, SALT, offer.door, TERMS).hex()
    behind = {"table": offer.table, "terms": agreed, "door": offer.door.hex()}
    let_in = make_join(who, offer, NONCES[0], door=door)
    yield case("door", "let in by the key of a private table's door", said(who, let_in), **behind)
    yield case("no-ticket", "a watcher without one", said(who, replace(let_in, ticket=b"")), "bad-pass", **behind)
    stolen = make_join(PEOPLE[2], offer, NONCES[0])
    copied = said(PEOPLE[2], replace(stolen, ticket=let_in.ticket))
    yield case("other-ticket", "somebody else's ticket", copied, "bad-pass", **behind)
    door = door_identity(secret("ticket"))
    opened = replace(OFFER, door=door.key)
    agreed = terms_hash(HOST.key, SALT, door.key, TERMS).hex()
    free: dict[str, Any] = {"terms": agreed, "door": door.key.hex(), "open": True}
    invited = make_join(who, opened, NONCES[0], door=door)
    yield case("invited", "an open table's ticket", said(who, invited), **free)
    yield case("stranger", "at an open table strangers may ask too", said(who, replace(invited, ticket=b"")), **free)
    forged = replace(invited, ticket=let_in.ticket)
    yield case("forged-ticket", "a ticket of another door", said(who, forged), "bad-pass", **free)


def _genesis() -> Iterator[Vector]:
    def case(name: str, comment: str, genesis: Genesis, code: str | None = None, who: Identity = HOST) -> Vector:
        return Vector(f"genesis/{name}", "genesis", comment, _one(said(who, genesis), table=TABLE), code)

    yield case("good", "three joins, ascending by key", GENESIS)
    yield case("two-seats", "two of them", replace(GENESIS, joins=quoted((0, 2))))
    yield case("not-host", "by another than the table's host", GENESIS, "wrong-key", PEOPLE[0])
    yield case("descending", "keys in another order", replace(GENESIS, joins=quoted((1, 0))), "repeated-key")
    yield case("key-twice", "one key in two seats", replace(GENESIS, joins=quoted((0, 0))), "repeated-key")
    copy = replace(JOINS[2], commit=JOINS[0].commit)
    twice = replace(GENESIS, joins=(*quoted((0, 1)), said(PEOPLE[2], copy)))
    yield case("commitment-twice", "a copied commitment", twice, "repeated-commitment")
    bent = (PEOPLE[0].key, quoted((0,))[0][1][:-1] + b"\x01")
    yield case(
        "join-bent",
        "a join that its author did not sign",
        replace(GENESIS, joins=(bent, *quoted((1,)))),
        "bad-signature",
    )
    wrong = said(PEOPLE[0], Accept(secret("gid"), 0))
    yield case("join-other", "something else than a join", replace(GENESIS, joins=(wrong, *quoted((1,)))), "wrong-type")
    other = replace(GENESIS, terms=replace(TERMS, clock=60))
    yield case("other-terms", "terms that the joins did not agree to", other, "bad-terms")
    four = replace(GENESIS, terms=replace(TERMS, most=2))
    yield case("too-many-seats", "more joins than the terms allow", four, "bad-terms")
    yield case("other-salt", "for a table that is not this one", replace(GENESIS, salt=secret("x")), "wrong-table")


def gid_of(genesis: Genesis) -> bytes:
    """Return the id of a genesis's game."""
    return sha256(b"wsb1 genesis" + write(genesis)).digest()


def accepts(genesis: Genesis, seats: Sequence[int] = (0, 1, 2)) -> tuple[Item, ...]:
    return tuple(said(PEOPLE[seat], Accept(gid_of(genesis), seat)) for seat in seats)


def start_of(genesis: Genesis) -> Start:
    return Start(gid_of(genesis), HOST.key, tuple(envelope for _, envelope in accepts(genesis)))


def _starts() -> Iterator[Vector]:
    founded = _one(said(HOST, GENESIS), table=TABLE)

    def case(kind: str, name: str, comment: str, item: Item, code: str | None = None) -> Vector:
        return Vector(f"{kind}/{name}", kind, comment, _one(item, genesis=founded), code)

    gid = gid_of(GENESIS)
    yield case("accept", "good", "a seat accepts this game", accepts(GENESIS)[0])
    yield case("accept", "other-game", "another game", said(PEOPLE[0], Accept(secret("gid"), 0)), "wrong-game")
    yield case("accept", "other-seat", "for another seat", said(PEOPLE[0], Accept(gid, 1)), "wrong-seat")
    start = start_of(GENESIS)
    yield case("start", "good", "every accept, quoted in seat order", said(HOST, start))
    yield case("start", "not-host", "by a guest", said(PEOPLE[0], start), "wrong-key")
    missing = replace(start, accepts=start.accepts[:2])
    yield case("start", "missing-accept", "one seat did not accept", said(HOST, missing), "missing-accept")
    turned = replace(start, accepts=start.accepts[::-1])
    yield case("start", "accepts-reversed", "accepts in another order", said(HOST, turned), "bad-signature")
    yield case("start", "other-game", "another game", said(HOST, replace(start, gid=secret("gid"))), "wrong-game")


def _rooms() -> Iterator[Vector]:
    def case(name: str, comment: str, items: Sequence[Item], code: str | None = None, host: Identity = HOST) -> Vector:
        given = {"table": TABLE, "host": host.key.hex(), "then": pairs(items)}
        return Vector(f"room/{name}", "room", comment, given, code)

    second = replace(GENESIS, attempt=2)
    before = [said(HOST, OFFER), *quoted((0, 1, 2))]
    first, later = said(HOST, GENESIS), said(HOST, second)
    start, later_start = said(HOST, start_of(GENESIS)), said(HOST, start_of(second))
    yield case("started", "offer, joins, genesis, accepts, start", [*before, first, *accepts(GENESIS), start])
    yield case("start-first", "the start arrives before its genesis", [*before, start, first])
    again = said(PEOPLE[0], make_join(PEOPLE[0], OFFER, secret("second nonce")))
    yield case("second-join", "the first join of a key counts, another changes nothing", [*before, again])
    yield case("join-before-offer", "nothing to agree to", [quoted((0,))[0]], "bad-join")
    yield case("two-attempts", "a second attempt is no contradiction", [*before, first, later])
    both = "two-statements"
    yield case("start-then-genesis", "start of attempt 1, then genesis 2", [*before, first, start, later], both)
    yield case("genesis-then-start", "genesis 2, then start of attempt 1", [*before, first, later, start], both)
    yield case("two-starts", "the start of attempt 2 waits already", [*before, first, start, later_start, later], both)
    rival = said(HOST, replace(GENESIS, joins=quoted((0, 1))))
    yield case("two-genesis", "two different ones for one attempt", [*before, first, rival], both)
    new = said(HOST, replace(OFFER, n=2, terms=replace(TERMS, clock=60)))
    yield case("other-terms", "a table has one set of terms", [said(HOST, OFFER), new], "bad-terms")
    changed = replace(OFFER, terms=replace(TERMS, clock=60))
    theirs = tuple(said(who, make_join(who, changed, nonce)) for who, nonce in zip(PEOPLE, NONCES, strict=True))
    swapped = said(HOST, replace(GENESIS, terms=changed.terms, joins=theirs))
    yield case("genesis-other-terms", "a genesis has the terms of the offer", [*before, swapped], "bad-terms")
    yield case("offer-other-terms", "an offer has the terms of the genesis", [swapped, said(HOST, OFFER)], "bad-terms")
    thief = PEOPLE[0]
    stolen = said(thief, replace(OFFER, key=thief.key, door=door_identity(secret("ticket")).key))
    yield case("impostor", "a door does not make an open table another's", [stolen], "wrong-table", thief)
    yield case("not-host", "somebody else's genesis", [*before, said(PEOPLE[0], GENESIS)], "wrong-key")


def _names() -> Iterator[Vector]:
    def case(of: str, comment: str, **given: Any) -> Vector:
        return Vector(f"name/{of}", "name", comment, {"of": of, **given})

    yield case("key", "a key in a topic: base32, lower case, no padding", key=HOST.key.hex())
    yield case("table", "26 characters of a hash", key=HOST.key.hex(), salt=SALT.hex())
    yield case("commitment", "what a join shows of its nonce", table=TABLE, key=HOST.key.hex(), nonce=NONCES[0].hex())
    agreed = {"key": HOST.key.hex(), "salt": SALT.hex(), "door": "", "terms": write_terms(TERMS).hex()}
    yield case("terms", "what a join agrees to", **agreed)
    yield case("rematch", "the salt of the next table of the same people", gid=gid_of(GENESIS).hex(), count=1)
    nonces = [[seat, nonce.hex()] for seat, nonce in enumerate(NONCES)]
    given = {"gid": gid_of(GENESIS).hex(), "nonces": nonces}
    yield Vector("seating/three", "seating", "the order around the table, the first player first", given)
    turned = {"gid": gid_of(GENESIS).hex(), "nonces": nonces[::-1]}
    yield Vector("seating/any-order", "seating", "whatever the order in which nonces arrive", turned)
    less = {"gid": gid_of(GENESIS).hex(), "nonces": nonces[:2]}
    yield Vector("seating/two", "seating", "without a seat that was voted out before", less)
    named = {"gid": gid_of(GENESIS).hex(), "nonces": nonces, "order": [2, 0, 1]}
    yield Vector("seating/agreed", "seating", "the order that the terms name", named)
    yield Vector("seating/agreed-two", "seating", "the same without seat 2", {**named, "nonces": nonces[:2]})


def books() -> list[Book]:
    vectors = [*_names(), *_offers(), *_joins(), *_genesis(), *_starts(), *_rooms()]
    return [Book("tables", "from the offer to the start", vectors)]
