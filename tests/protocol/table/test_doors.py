"""Doors of tables: strangers cannot fill a room against invited guests, impersonate a host or change the terms."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Genesis, Message, Offer, Terms
from wasabi_protocol.table.genesis import make_join, table_id
from wasabi_protocol.table.private import door_identity
from wasabi_protocol.table.waiting_room import MAX_ATTEMPTS, MAX_JOINS, GenesisSeen, JoinSeen, WaitingRoom
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.sessions import identity, secret, terms

if TYPE_CHECKING:
    from wasabi_protocol.signed.identity import Identity

HOST = identity("door host")
FRIEND = identity("door friend")
SALT = secret("door salt")
TABLE = table_id(HOST.key, SALT)
DOOR = door_identity(secret("door ticket"))
OFFER = Offer(TABLE, HOST.key, SALT, 1, terms(), DOOR.key, "koi", 1, False)


def said(who: Identity, message: Message) -> tuple[bytes, bytes]:
    return who.key, signed_message(who, message)


def joined(who: Identity, offer: Offer = OFFER, door: Identity | None = None) -> tuple[bytes, bytes]:
    return said(who, make_join(who, offer, secret("nonce", who.key), door=door))


def open_room(me: Identity = HOST, offer: Offer = OFFER, guests: tuple[bytes, ...] = ()) -> WaitingRoom:
    room = WaitingRoom(TABLE, HOST.key, me, guests=guests)
    room.receive(*said(HOST, offer))
    room.receive(*joined(HOST, offer, DOOR))
    return room


def flood(room: WaitingRoom, count: int) -> None:
    for number in range(count):
        room.receive(*joined(identity(("flood", number))))


def code_of(room: WaitingRoom, item: tuple[bytes, bytes]) -> Code:
    with pytest.raises(Refused) as verdict:
        room.receive(*item)
    return verdict.value.code


def test_an_invited_friend_joins_a_room_that_strangers_filled() -> None:
    room = open_room()
    flood(room, MAX_JOINS + 20)
    (event,) = room.receive(*joined(FRIEND, door=DOOR))
    assert isinstance(event, JoinSeen)
    flood(room, 2 * MAX_JOINS)
    assert {HOST.key, FRIEND.key} <= set(room.joins)
    assert len(room.joins) == MAX_JOINS


def test_a_later_stranger_takes_the_place_of_the_first_one() -> None:
    room = open_room()
    flood(room, MAX_JOINS)
    assert identity(("flood", 0)).key not in room.joins
    assert identity(("flood", MAX_JOINS - 1)).key in room.joins


def test_whom_the_host_named_stays() -> None:
    room = open_room()
    flood(room, 1)
    room.preferred.add(identity(("flood", 0)).key)
    flood(room, 3 * MAX_JOINS)
    assert identity(("flood", 0)).key in room.joins


def test_guests_keep_no_joins_but_their_own() -> None:
    room = open_room(FRIEND)
    assert room.receive(*joined(FRIEND, door=DOOR))
    for number in range(MAX_JOINS - 1):
        assert room.receive(*joined(identity(("flood", number))))
        assert not room.receive(*joined(identity(("flood", number)))), "once each"
    assert code_of(room, joined(identity("one more"))) is Code.HOLD_FULL
    assert set(room.joins) == {FRIEND.key}


def test_a_wrong_ticket_is_refused_at_an_open_table_and_none_is_needed() -> None:
    room = open_room()
    stranger = identity("stranger")
    forged = make_join(stranger, OFFER, secret("n"), door=identity("another door"))
    assert code_of(room, said(stranger, forged)) is Code.BAD_PASS
    assert room.receive(*joined(stranger))


def test_attempts_that_nobody_answers_do_not_end_a_table() -> None:
    room, guest = open_room(), open_room(FRIEND)
    for each in (room, guest):
        each.receive(*joined(FRIEND, door=DOOR))
    for number in range(1, 2 * MAX_ATTEMPTS):
        item = HOST.key, room.propose([HOST.key, FRIEND.key])
        room.receive(*item)
        (event,) = guest.receive(*item)
        assert isinstance(event, GenesisSeen)
        assert event.founded.genesis.attempt == number
        guest.receive(FRIEND.key, guest.accept())
    assert len(guest.games) == MAX_ATTEMPTS
    assert len(guest.accepts) <= MAX_ATTEMPTS


def genesis_of(offer: Offer, changed: Terms, room_terms: Offer) -> Genesis:
    joins = tuple(sorted(joined(who, replace(offer, terms=changed)) for who in (HOST, identity("host's other"))))
    return Genesis(TABLE, HOST.key, SALT, 1, changed, room_terms.door, joins)


def test_a_table_may_be_for_exactly_so_many() -> None:
    exactly = replace(OFFER, terms=replace(OFFER.terms, least=2, most=2))
    room = WaitingRoom(TABLE, HOST.key)
    assert room.receive(*said(HOST, exactly))


def test_a_genesis_has_the_terms_of_the_offer() -> None:
    other = terms((3, 2))
    room = WaitingRoom(TABLE, HOST.key)
    room.receive(*said(HOST, OFFER))
    assert code_of(room, said(HOST, genesis_of(OFFER, other, OFFER))) is Code.BAD_TERMS
    assert room.receive(*said(HOST, genesis_of(OFFER, OFFER.terms, OFFER)))


def test_an_offer_after_a_genesis_has_its_terms() -> None:
    room = WaitingRoom(TABLE, HOST.key)
    assert room.receive(*said(HOST, genesis_of(OFFER, OFFER.terms, OFFER)))
    assert code_of(room, said(HOST, replace(OFFER, terms=terms((3, 2))))) is Code.BAD_TERMS


def test_a_door_does_not_make_a_table_its_hosts() -> None:
    thief = identity("thief")
    stolen = replace(OFFER, key=thief.key)
    room = WaitingRoom(TABLE, thief.key)
    assert code_of(room, said(thief, stolen)) is Code.WRONG_TABLE
    joins = tuple(sorted(joined(who, stolen, DOOR) for who in (thief, identity("second"))))
    genesis = Genesis(TABLE, thief.key, SALT, 1, stolen.terms, DOOR.key, joins)
    assert code_of(room, said(thief, genesis)) is Code.WRONG_TABLE


def test_a_private_invite_leads_to_no_open_table() -> None:
    room = WaitingRoom(TABLE, HOST.key, private=True)
    assert code_of(room, said(HOST, OFFER)) is Code.WRONG_TABLE


def test_a_table_for_certain_people_seats_nobody_else() -> None:
    stranger = identity("stranger")
    room, guest = open_room(guests=(HOST.key, FRIEND.key)), open_room(FRIEND, guests=(HOST.key, FRIEND.key))
    assert code_of(room, joined(stranger, door=DOOR)) is Code.NOT_A_SEAT
    assert room.receive(*joined(FRIEND))
    careless = open_room()
    for who in (stranger, FRIEND):
        careless.receive(*joined(who))
    proposed = careless.propose([HOST.key, FRIEND.key, stranger.key])
    assert code_of(guest, (HOST.key, proposed)) is Code.NOT_A_SEAT
