"""Games in which a seat breaks the rules: the others go on without it, or the result names the entry."""

from __future__ import annotations

from dataclasses import replace

from wasabi_protocol.game.record import replay, write_record
from wasabi_protocol.sealed.group import BASE
from wasabi_protocol.sealed.player import Draw
from wasabi_protocol.signed.codec import parse_as, write
from wasabi_protocol.signed.envelope import open_envelope, sign
from wasabi_protocol.signed.messages import Bundle, Entry, Shares
from wasabi_protocol.verdicts import Code

from tests.protocol.game.test_record import assert_one_game, until
from tests.protocol.sessions import Item, Peer, World, choose
from tests.protocol.toy import Toy


def forged(peer: Peer, entry: Entry) -> Item:
    return peer.who.key, sign(peer.who, write(entry))


def entry_in(peer: Peer, envelope: bytes) -> Entry:
    return parse_as(Entry, open_envelope(peer.who.key, envelope).body)


def spread(world: World, item: Item, *seats: int) -> None:
    world.wire.append(item)
    for seat in seats or tuple(world.peers):
        world.give(seat, item)
    if not seats:
        world.spectator.receive(*item)


def writer(world: World) -> Peer:
    return next(peer for peer in world.online if peer.session.owes)


def test_a_wrong_share_excludes_its_author_and_the_game_goes_on_in_a_new_epoch() -> None:
    world = World(3, passes=8)
    until(world, 12)
    drawer = writer(world)
    world.publish(drawer, drawer.session.bundle(["draw 0"], [Draw(0)]))
    cheat = next(peer for peer in world.online if peer.session.owes)
    hands = {peer.seat: peer.session.hand() for peer in world.online}
    answer = cheat.session.answer()
    assert answer is not None
    share = entry_in(cheat, answer)
    assert isinstance(share, Shares)
    assert isinstance(share.work, list)
    stolen = replace(share, work=[bytes(BASE), share.work[1]])
    world.offline.add(cheat.seat)
    spread(world, forged(cheat, stolen))
    world.settle()
    assert world.spectator.log.evidence[0].code is Code.BAD_PROOF
    assert cheat.seat not in world.spectator.state.seats
    assert world.spectator.state.epoch > 0
    for peer in world.online:
        assert peer.session.hand() == hands[peer.seat]
    world.run(choose)
    assert_one_game(world)
    assert {evidence.seat for evidence in world.spectator.log.evidence} == {cheat.seat}


def test_two_bundles_for_one_slot_split_nobody_for_long() -> None:
    world = World(4, passes=8)
    until(world, 14)
    cheat = writer(world)
    base = world.spectator.log.head.number
    one, two = choose(world, cheat), cheat.session.bundle(["pass"])
    left, right, *_ = others = [peer.seat for peer in world.online if peer is not cheat]
    world.offline.add(cheat.seat)
    items = [(cheat.who.key, envelope) for envelope in (one, two)]
    world.wire += items
    world.give(left, items[0])
    for seat in others[1:]:
        world.give(seat, items[1])
    assert world.peers[left].session.log.head.link != world.peers[right].session.log.head.link
    for seat in others:
        for item in items:
            world.give(seat, item)
    for item in items:
        world.spectator.receive(*item)
    world.settle()
    for peer in world.online:
        assert peer.session.log.slots[base + 1].out == cheat.seat
    world.run(choose)
    assert_one_game(world)


def test_one_of_two_writes_an_illegal_bundle_and_the_file_says_which() -> None:
    world = World(2)
    until(world, 6)
    cheat = writer(world)
    right = entry_in(cheat, cheat.session.bundle(["pass"]))
    assert isinstance(right, Bundle)
    item = forged(cheat, replace(right, steps=("win",)))
    spread(world, item)
    for session in (world.spectator, *(peer.session for peer in world.online)):
        assert session.over
        assert session.broken is not None
        assert (session.broken.seat, session.broken.code) == (cheat.seat, Code.ILLEGAL_STEPS)
    result = replay(write_record([*world.opening.file_head, *world.spectator.items()]), Toy(6))
    assert not result.valid
    assert not result.settled
    assert result.session.broken is not None
    assert result.session.broken.bodies[0].envelope == item[1]


def test_an_entry_that_arrives_after_its_author_was_voted_out_changes_nothing() -> None:
    world = World(3, passes=8)
    until(world, 12)
    absent = writer(world)
    late = choose(world, absent)
    world.offline.add(absent.seat)
    world.vote_out(absent.seat)
    before = world.logs()
    for peer in world.online:
        world.give(peer.seat, (absent.who.key, late))
    assert world.logs() == before
    world.run(choose)
    assert_one_game(world)
    returned = world.peers[absent.seat]
    for item in world.wire:
        world.give(returned.seat, item)
    assert returned.session.owes == ()
    assert returned.session.state.outcome == world.spectator.state.outcome
