"""The waiting room: one table, one set of terms, one game; a host that contradicts itself is caught."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from wasabi_protocol.signed.codec import parse_as, signed_message
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Accept, Ask, Genesis, Join, Message, Offer, Start, Terms
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.genesis import (
    Founded,
    agreed_order,
    check_genesis,
    check_terms,
    commitment,
    make_join,
    order_of,
    rematch,
    rematch_order,
    rematch_salt,
    seating,
    table_id,
    terms_hash,
)
from wasabi_protocol.table.private import PrivateTable, door_identity, new_play_key, read_key
from wasabi_protocol.table.waiting_room import (
    MAX_JOINS,
    GenesisSeen,
    HostContradicted,
    Started,
    WaitingRoom,
    find_room,
)
from wasabi_protocol.verdicts import Code, Forbidden, Refused

from tests.protocol.forgery import signed_otherwise
from tests.protocol.sessions import Item, Opening, identity, open_table, secret, terms

if TYPE_CHECKING:
    from wasabi_protocol.signed.identity import Identity


class OfferedTable:
    """A table with its host and guests, before any game."""

    def __init__(self, seats: int = 3) -> None:
        self.people = [identity(("guest", number)) for number in range(seats)]
        self.host = self.people[0]
        self.salt = secret("salt")
        self.id = table_id(self.host.key, self.salt)
        self.offer = Offer(self.id, self.host.key, self.salt, 1, terms(), b"", "koi", 1, False)
        self.items: list[Item] = [self.signed(self.host, self.offer)]
        self.rooms = {who.key: self.room(who) for who in self.people}
        for who in self.people:
            self.publish(who, self.rooms[who.key].join(self.nonce(who)))

    def room(self, who: Identity | None) -> WaitingRoom:
        room = WaitingRoom(self.id, self.host.key, who)
        for item in self.items:
            room.receive(*item)
        return room

    def nonce(self, who: Identity) -> bytes:
        return secret("nonce", who.key)

    def signed(self, who: Identity, message: Message) -> Item:
        return who.key, signed_message(who, message)

    def publish(self, who: Identity, envelope: bytes) -> None:
        self.items.append((who.key, envelope))
        for room in self.rooms.values():
            room.receive(who.key, envelope)

    def propose(self) -> Founded:
        self.publish(self.host, self.rooms[self.host.key].propose([who.key for who in self.people]))
        founded = self.rooms[self.host.key].latest
        assert founded is not None
        return founded

    def genesis(self, **changes: object) -> Item:
        """Return a genesis of the host that its own client would not sign."""
        joins = {key: signed.envelope for key, signed in self.rooms[self.host.key].joins.items()}
        good = Genesis(self.id, self.host.key, self.salt, 1, terms(), b"", tuple(sorted(joins.items())))
        return self.signed(self.host, replace(good, **changes))  # type: ignore[arg-type]


def refused(room: WaitingRoom, item: Item) -> Code:
    with pytest.raises(Refused) as verdict:
        room.receive(*item)
    return verdict.value.code


def test_from_offer_to_start() -> None:
    table = OfferedTable()
    founded = table.propose()
    assert [join.key for join in founded.joins] == sorted(who.key for who in table.people)
    for who in table.people:
        table.publish(who, table.rooms[who.key].accept())
    table.publish(table.host, table.rooms[table.host.key].start())
    for room in table.rooms.values():
        assert room.game is not None
        assert room.game.gid == founded.gid


def test_the_messages_may_come_in_another_order() -> None:
    opening: Opening = open_table(3)
    offer, *others = opening.items
    room = WaitingRoom(opening.room.table, opening.room.host)
    room.receive(*offer)
    start = others.pop()
    assert room.receive(*start) == []
    events = [event for item in [others[3], *others] for event in room.receive(*item)]
    assert any(isinstance(event, Started) for event in events)


def test_an_offer_that_does_not_hash_to_its_table_is_ignored() -> None:
    table = OfferedTable()
    stranger = identity("stranger")
    room = WaitingRoom(table.id, table.host.key)
    forged = replace(table.offer, key=stranger.key)
    assert refused(room, table.signed(stranger, forged)) is Code.WRONG_KEY
    assert refused(room, table.signed(table.host, replace(table.offer, salt=secret("x")))) is Code.WRONG_TABLE
    elsewhere = WaitingRoom(table.id, stranger.key)
    assert refused(elsewhere, table.signed(stranger, forged)) is Code.WRONG_TABLE
    assert refused(room, table.signed(stranger, table.offer)) is Code.WRONG_KEY


@pytest.mark.parametrize(
    "bad",
    [
        replace(terms(), least=4, most=3),
        replace(terms(), options=("b", "a")),
        replace(terms(), options=("a", "a")),
        replace(terms(), params=secret("x")),
        replace(terms(), decks=(130, 1)),
    ],
)
def test_terms_that_cannot_be_played_are_refused(bad: Terms) -> None:
    table = OfferedTable()
    room = WaitingRoom(table.id, table.host.key)
    assert refused(room, table.signed(table.host, replace(table.offer, terms=bad))) is Code.BAD_TERMS


def test_a_table_has_one_set_of_terms() -> None:
    table = OfferedTable()
    other = replace(table.offer, n=2, terms=replace(terms(), clock=60))
    assert refused(table.rooms[table.host.key], table.signed(table.host, other)) is Code.BAD_TERMS


def test_one_join_a_key_and_always_the_same_bytes() -> None:
    table = OfferedTable()
    who = table.people[1]
    room = table.rooms[who.key]
    first = room.joins[who.key].envelope
    assert room.join(secret("another nonce")) == first
    other = make_join(who, table.offer, secret("another nonce"))
    assert room.receive(*table.signed(who, other)) == []
    assert room.joins[who.key].envelope == first


def test_joins_for_other_terms_or_in_another_name_are_refused() -> None:
    table = OfferedTable(2)
    who, stranger = identity("guest"), identity("stranger")
    room = table.rooms[table.host.key]
    good = make_join(who, table.offer, secret("n"))
    assert refused(room, table.signed(stranger, good)) is Code.WRONG_KEY
    assert refused(room, table.signed(who, replace(good, terms=secret("x")))) is Code.BAD_TERMS
    assert refused(room, table.signed(who, replace(good, table="a" * 26))) is Code.WRONG_TABLE
    assert refused(room, table.signed(who, replace(good, ticket=b"t" * 64))) is Code.BAD_PASS


def test_a_rival_host_cannot_quote_our_joins() -> None:
    """The terms hash in a join includes the host."""
    one, two = identity("one"), identity("two")
    salt = secret("salt")
    assert terms_hash(one.key, salt, b"", terms()) != terms_hash(two.key, salt, b"", terms())


def test_a_genesis_that_does_not_hold_is_refused() -> None:
    table = OfferedTable()
    room = table.rooms[table.people[1].key]
    _, envelope = table.genesis()
    joins = parse_as(Genesis, open_envelope(table.host.key, envelope).body).joins
    assert refused(room, table.genesis(joins=tuple(reversed(joins)))) is Code.REPEATED_KEY
    assert refused(room, table.genesis(joins=(joins[0], joins[0]))) is Code.REPEATED_KEY
    swapped = ((joins[0][0], joins[1][1]), (joins[1][0], joins[0][1]))
    assert refused(room, table.genesis(joins=swapped)) is Code.BAD_SIGNATURE
    assert refused(room, table.genesis(terms=replace(terms(), clock=9))) is Code.BAD_TERMS
    assert refused(room, table.genesis(terms=replace(terms(), most=2, least=2))) is Code.BAD_TERMS
    assert refused(room, table.genesis(salt=secret("x"))) is Code.WRONG_TABLE
    assert refused(room, table.genesis(table="a" * 26)) is Code.WRONG_TABLE
    assert room.games == {}


def test_a_commitment_may_not_repeat() -> None:
    table = OfferedTable(2)
    copycat = identity("copycat")
    seen = parse_as(Join, table.rooms[table.host.key].joins[table.people[1].key].body)
    mine = replace(make_join(copycat, table.offer, secret("n")), commit=seen.commit)
    joins = [(key, signed.envelope) for key, signed in table.rooms[table.host.key].joins.items()]
    joins.append(table.signed(copycat, mine))
    item = table.genesis(joins=tuple(sorted(joins)))
    assert refused(table.rooms[table.people[1].key], item) is Code.REPEATED_COMMITMENT
    assert commitment(table.id, copycat.key, b"n") != commitment(table.id, table.host.key, b"n")


def test_a_client_accepts_only_a_game_that_quotes_its_join_byte_for_byte() -> None:
    table = OfferedTable()
    left_out = table.people[2]
    table.publish(table.host, table.rooms[table.host.key].propose([who.key for who in table.people[:2]]))
    with pytest.raises(Forbidden) as verdict:
        table.rooms[left_out.key].accept()
    assert verdict.value.code is Code.MISSING_JOIN
    other = make_join(left_out, table.offer, secret("another nonce"))
    joins = [(key, signed.envelope) for key, signed in table.rooms[table.host.key].joins.items()]
    forged = [item for item in joins if item[0] != left_out.key] + [table.signed(left_out, other)]
    room = table.room(left_out)
    (event,) = room.receive(*table.genesis(attempt=2, joins=tuple(sorted(forged))))
    assert isinstance(event, GenesisSeen)
    assert not event.mine
    with pytest.raises(Forbidden):
        room.accept()


def test_accept_goes_to_the_newest_game_only() -> None:
    table = OfferedTable()
    first = table.propose()
    second = table.propose()
    room = table.rooms[table.people[1].key]
    accept = room.accept()
    assert second.gid in accept
    assert first.gid not in accept


def start_of(table: OfferedTable, founded: Founded) -> Item:
    accepts = [signed_message(who, accept_of(founded, who)) for who in sorted(table.people, key=lambda p: p.key)]
    return table.signed(table.host, Start(founded.gid, table.host.key, tuple(accepts)))


def by_key(table: OfferedTable) -> list[tuple[int, Identity]]:
    return sorted(enumerate(table.people), key=lambda pair: pair[1].key)


def accept_of(founded: Founded, who: Identity) -> Message:
    seat = founded.seat_of(who.key)
    assert seat is not None
    return Accept(founded.gid, seat)


@pytest.mark.parametrize("start_first", [True, False])
def test_start_and_a_later_genesis_are_proof_and_void_the_table(start_first: bool) -> None:
    table = OfferedTable()
    founded = table.propose()
    start, later = start_of(table, founded), table.genesis(attempt=2)
    room = table.rooms[table.people[1].key]
    events = [e for item in ([start, later] if start_first else [later, start]) for e in room.receive(*item)]
    (proof,) = [event for event in events if isinstance(event, HostContradicted)]
    assert {signed.envelope for signed in proof.statements} == {start[1], later[1]}
    assert room.void
    assert room.game is None
    with pytest.raises(Forbidden) as verdict:
        room.begun()
    assert verdict.value.code is Code.TABLE_VOID


def test_two_genesis_of_one_attempt_are_proof() -> None:
    table = OfferedTable()
    table.propose()
    joins = [(key, signed.envelope) for key, signed in sorted(table.rooms[table.host.key].joins.items())]
    (event,) = table.rooms[table.people[1].key].receive(*table.genesis(joins=tuple(joins[:2])))
    assert isinstance(event, HostContradicted)
    with pytest.raises(Forbidden):
        table.rooms[table.people[1].key].accept()


def test_two_starts_of_one_game_are_no_contradiction() -> None:
    table = OfferedTable()
    first = table.propose()
    room = table.room(None)
    room.receive(*start_of(table, first))
    accepts = [signed_otherwise(("guest", n), 7, signed_message(w, accept_of(first, w))[64:]) for n, w in by_key(table)]
    again = table.signed(table.host, Start(first.gid, table.host.key, tuple(accepts)))
    assert again != start_of(table, first)
    assert room.receive(*again) == []
    assert room.proof is None


def test_two_starts_of_two_games_are_proof_once() -> None:
    table = OfferedTable()
    first, second = table.propose(), table.propose()
    room = table.room(None)
    (started, proof) = room.receive(*start_of(table, first))
    assert isinstance(started, Started)
    assert isinstance(proof, HostContradicted)
    assert room.receive(*start_of(table, second)) == []
    assert room.proof == proof.statements


def test_only_words_of_a_room_about_games_that_it_knows_are_taken() -> None:
    table = OfferedTable()
    founded = table.propose()
    guest = table.people[1]
    accept = table.signed(guest, accept_of(founded, guest))
    elsewhere = WaitingRoom(table.id, table.host.key, None)
    elsewhere.receive(*table.items[0])
    assert refused(elsewhere, accept) is Code.WRONG_GAME
    assert refused(elsewhere, table.signed(guest, Ask(table.id, guest.key, bytes(32), 0))) is Code.WRONG_TYPE


def test_somebody_who_looks_on_signs_nothing_and_a_guest_nothing_of_the_hosts() -> None:
    table = OfferedTable()
    keys = [who.key for who in table.people]
    watcher, guest = table.room(None), table.room(table.people[1])
    for room in (watcher, guest):
        with pytest.raises(Forbidden) as verdict:
            room.propose(keys)
        assert verdict.value.code is Code.WRONG_KEY
        with pytest.raises(Forbidden) as verdict:
            room.start()
        assert verdict.value.code is Code.WRONG_KEY
    with pytest.raises(Forbidden) as verdict:
        watcher.join(bytes(32))
    assert verdict.value.code is Code.NOT_PLAYING


def test_a_room_of_invited_friends_lets_nobody_else_push_one_out() -> None:
    table = OfferedTable(1)
    room = table.rooms[table.host.key]
    strangers = [identity(("crowd", number)) for number in range(MAX_JOINS + 1)]
    for who in strangers[: MAX_JOINS - 1]:
        room.receive(*table.signed(who, make_join(who, table.offer, secret("n", who.key))))
    assert len(room.joins) == MAX_JOINS
    first, last = strangers[MAX_JOINS - 1 :]
    room.receive(*table.signed(first, make_join(first, table.offer, secret("n", first.key))))
    assert strangers[0].key not in room.joins, "the oldest stranger goes"
    assert table.host.key in room.joins
    room.preferred.update(room.joins)
    assert refused(room, table.signed(last, make_join(last, table.offer, secret("n", last.key)))) is Code.HOLD_FULL
    assert last.key not in room.joins


def test_a_room_is_found_by_its_hosts_offer_or_genesis_and_by_nothing_else() -> None:
    table = OfferedTable()
    founded = table.propose()
    channel = Channel("main", table.id)
    host, guest = table.host, table.people[1]
    for item in (table.items[0], (host.key, founded.signed.envelope)):
        room = find_room(channel, *item, names_host=lambda key: key == host.key)
        assert (room.table, room.host) == (table.id, host.key)
        with pytest.raises(Refused) as verdict:
            find_room(channel, *item, names_host=lambda key: key != host.key)
        assert verdict.value.code is Code.WRONG_KEY
    for item in (table.signed(guest, accept_of(founded, guest)), start_of(table, founded)):
        with pytest.raises(Refused) as verdict:
            find_room(channel, *item)
        assert verdict.value.code is Code.WRONG_KEY


def test_after_slot_1_the_host_has_no_power() -> None:
    table = OfferedTable()
    founded = table.propose()
    room = table.rooms[table.people[1].key]
    room.receive(*start_of(table, founded))
    room.begun()
    room.receive(*table.genesis(attempt=2))
    assert room.proof is not None
    assert not room.void
    assert room.game is not None


def test_the_host_signs_start_or_the_next_genesis_but_never_both() -> None:
    table = OfferedTable()
    founded = table.propose()
    room = table.rooms[table.host.key]
    with pytest.raises(Forbidden) as verdict:
        room.start()
    assert verdict.value.code is Code.MISSING_ACCEPT
    for who in table.people:
        table.publish(who, table.rooms[who.key].accept())
    start = room.start()
    table.publish(table.host, start)
    assert room.start() == start
    with pytest.raises(Forbidden) as verdict:
        room.propose([who.key for who in table.people])
    assert verdict.value.code is Code.TWO_STATEMENTS
    restarted = table.room(table.host)
    with pytest.raises(Forbidden):
        restarted.propose([who.key for who in table.people])
    assert restarted.game is not None
    assert restarted.game.gid == founded.gid


def test_a_start_needs_the_accept_of_every_seat_and_the_hosts_hand() -> None:
    table = OfferedTable()
    founded = table.propose()
    room = table.rooms[table.people[1].key]
    good = parse_as(Start, open_envelope(*start_of(table, founded)).body)
    short = replace(good, accepts=good.accepts[:2])
    assert refused(room, table.signed(table.host, short)) is Code.MISSING_ACCEPT
    swapped = replace(good, accepts=tuple(reversed(good.accepts)))
    assert refused(room, table.signed(table.host, swapped)) is Code.BAD_SIGNATURE
    guest = table.people[1]
    assert refused(room, table.signed(guest, replace(good, key=guest.key))) is Code.WRONG_KEY
    assert room.started is None


def test_a_private_table_lets_in_only_those_who_hold_the_play_key() -> None:
    play = new_play_key()
    private, door = PrivateTable(read_key(play)), door_identity(play)
    host, guest, watcher = identity("host"), identity("guest"), identity("watcher")
    offer = Offer(private.table, host.key, secret("salt"), 1, terms(), door.key, "koi", 1, False)
    room = WaitingRoom(private.table, host.key, host, private=True)
    room.receive(host.key, signed_message(host, offer))
    good = make_join(guest, offer, secret("n"), door=door)
    room.receive(guest.key, signed_message(guest, good))
    for ticket in (b"", good.ticket, door_identity(read_key(play)).sign(b"anything")):
        forged = replace(make_join(watcher, offer, secret("m")), ticket=ticket)
        with pytest.raises(Refused) as verdict:
            room.receive(watcher.key, signed_message(watcher, forged))
        assert verdict.value.code is Code.BAD_PASS
    room.receive(host.key, room.join(secret("h"), door=door))
    room.receive(host.key, room.propose([host.key, guest.key]))
    assert room.latest is not None


def test_a_founded_game_cannot_be_made_by_hand() -> None:
    with pytest.raises(TypeError):
        Founded()
    table = OfferedTable()
    with pytest.raises(Refused):
        check_genesis(open_envelope(*table.items[0]), table.id)


def test_seating_follows_from_all_nonces_together_and_is_fair() -> None:
    counts = dict.fromkeys(range(3), 0)
    for number in range(600):
        nonces = [(seat, secret("nonce", seat, number)) for seat in range(3)]
        order = seating(secret("gid"), nonces)
        assert sorted(order) == [0, 1, 2]
        assert order == seating(secret("gid"), list(reversed(nonces)))
        counts[order[0]] += 1
    assert all(150 < count < 250 for count in counts.values())


def test_two_presses_of_rematch_make_one_table() -> None:
    founded = open_table(3).founded
    host, salt, table = rematch(founded, [2, 1], 1)
    assert (host, salt, table) == rematch(founded, {1, 2}, 1)
    assert host == founded.keys[1]
    assert table == table_id(host, rematch_salt(founded.gid, 1))
    assert rematch(founded, [1, 2], 2)[2] != table


def test_a_rematch_passes_the_start_on_to_the_next_seat_that_is_still_there() -> None:
    founded = open_table(3).founded
    ana, bo, cy = founded.keys
    assert rematch_order(founded, {0, 1, 2}, (2, 0, 1)) == (ana, bo, cy)
    assert rematch_order(founded, {1, 2}, (2, 0, 1)) == (bo, cy)
    assert order_of((cy, ana, bo)) == (2, 0, 1)


def test_terms_may_name_the_order_of_all_their_seats_and_nothing_else() -> None:
    terms = replace(open_table(3).founded.genesis.terms, least=3, most=3)
    assert agreed_order(terms) == ()
    named = replace(terms, options=("order-201",))
    check_terms(named)
    assert agreed_order(named) == (2, 0, 1)
    nonces = [(seat, secret("nonce", seat)) for seat in range(3)]
    assert seating(secret("gid"), nonces, agreed_order(named)) == (2, 0, 1)
    assert seating(secret("gid"), nonces[:2], agreed_order(named)) == (0, 1), "without a seat that was voted out"
    bad = (("order-",), ("order-01",), ("order-011",), ("order-013",), ("order-ab",), ("order-012", "order-201"))
    for wrong in (*(replace(terms, options=options) for options in bad), replace(named, least=2)):
        with pytest.raises(Refused, match="order"):
            check_terms(wrong)


@pytest.mark.parametrize("count", [-1, 256])
def test_a_rematch_that_cannot_be_counted_is_refused(count: int) -> None:
    with pytest.raises(Refused, match="bad-field"):
        rematch_salt(bytes(32), count)
