"""Whole games in memory: everybody, and a spectator with the log alone, ends in the same state."""

from __future__ import annotations

import pytest
from wasabi_protocol.game.record import replay, write_record
from wasabi_protocol.sealed.player import Draw, Reshuffle, Return, SealedPlayer, TurnUp

from tests.protocol.sessions import Peer, World, choose
from tests.protocol.toy import Toy


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_ends_settled_and_alike_for_all(seats: int) -> None:
    world = World(seats)
    world.run(choose)
    first, *others = world.logs()
    assert len(first) > 10
    assert all(log == first for log in others)
    outcome = world.spectator.state.outcome
    assert outcome is not None
    assert outcome.open
    for peer in world.peers.values():
        assert peer.session.state.outcome == outcome
        assert peer.session.log.evidence == []


def until(world: World, slot: int) -> None:
    """Play until this many slots are closed, or more if automatic entries follow."""
    for _ in range(200):
        world.settle()
        if world.spectator.log.head.number >= slot:
            return
        peer = next(peer for peer in world.online if peer.session.owes)
        world.publish(peer, choose(world, peer))
    raise AssertionError("never came that far")


def game_with_a_vote(name: str, passes: int, after: int = 12) -> World:
    """Play a three-player game to its end; the seat that owes an entry after this many slots is voted out."""
    world = World(3, name, passes)
    until(world, after)
    gone = world.spectator.log.missing[0]
    world.offline.add(gone)
    world.vote_out(gone)
    world.settle()
    world.run(choose)
    return world


def assert_one_game(world: World) -> None:
    first, *others = world.logs()
    assert all(log == first for log in others)
    assert world.spectator.state.outcome is not None
    for peer in world.online:
        assert peer.session.state.outcome == world.spectator.state.outcome


def test_a_player_leaves_in_its_own_turn_and_the_others_play_on() -> None:
    world = World(3)
    until(world, 9)
    peer = next(peer for peer in world.online if "leave" in peer.session.owes)
    world.publish(peer, peer.session.quit(open_keys=True))
    assert peer.seat not in world.spectator.state.seats
    world.run(choose)
    assert_one_game(world)
    assert world.spectator.state.outcome is not None
    assert world.spectator.state.outcome.open


def test_a_wish_to_leave_is_heard_in_the_next_bundle_and_makes_the_wisher_the_next_writer() -> None:
    world = World(4)
    until(world, 10)
    writer = next(peer for peer in world.online if peer.session.owes)
    wisher = next(peer for peer in world.online if peer.seat != writer.seat)
    world.publish(wisher, wisher.session.wish("leave"))
    assert not wisher.session.owes
    world.publish(writer, choose(world, writer))
    world.settle()
    assert wisher.session.owes == ("leave",)
    world.run(choose)
    assert wisher.seat not in world.spectator.state.seats
    assert_one_game(world)


def test_one_of_two_leaves_and_the_other_ends_the_game() -> None:
    world = World(2)
    until(world, 8)
    peer = next(peer for peer in world.online if peer.session.owes)
    world.publish(peer, peer.session.quit())
    other = next(other for other in world.online if other is not peer)
    assert other.session.owes == ("end",)
    world.run(choose)
    assert_one_game(world)


@pytest.mark.parametrize("seats", [3, 4])
def test_a_vanished_player_is_voted_out_and_hands_stay_hidden_and_playable(seats: int) -> None:
    world = World(seats)
    until(world, 12)
    hands = {peer.seat: peer.session.hand() for peer in world.online}
    gone = next(seat for seat in world.spectator.log.missing)
    world.offline.add(gone)
    world.vote_out(gone)
    assert world.spectator.state.epoch > 0
    world.settle()
    for peer in world.online:
        assert peer.session.hand() == hands[peer.seat]
    world.run(choose)
    assert_one_game(world)
    assert world.spectator.state.outcome is not None
    assert not world.spectator.state.outcome.open


def test_two_epochs_in_a_row_then_a_reveal() -> None:
    world = World(4, passes=8)
    until(world, 14)
    for _ in range(2):
        before_the_vote = world.spectator.log.head.number
        gone = next(peer.seat for peer in world.online if peer.seat in world.spectator.log.missing)
        world.offline.add(gone)
        world.vote_out(gone)
        world.settle()
        assert world.spectator.state.epoch == 4 * (before_the_vote + 1) + gone
    before = len(world.spectator.state.decks.faces)
    world.run(choose)
    assert len(world.spectator.state.decks.faces) > before
    assert_one_game(world)


def test_a_seat_vanishes_while_an_epoch_is_being_set_up() -> None:
    world = World(4, passes=8)
    until(world, 14)
    hands = {peer.seat: peer.session.hand() for peer in world.online}
    first = world.spectator.log.missing[0]
    world.offline.add(first)
    world.vote_out(first)
    for _ in range(3):
        world.automatic()
    second = world.spectator.log.missing[-1]
    world.offline.add(second)
    world.settle()
    world.vote_out(second)
    world.settle()
    for peer in world.online:
        assert peer.session.hand() == hands[peer.seat]
    world.run(choose)
    assert_one_game(world)


def test_a_leave_then_a_return_by_another() -> None:
    world = World(3, passes=9)
    until(world, 12)
    leaver = next(peer for peer in world.online if "leave" in peer.session.owes)
    world.publish(leaver, leaver.session.quit())
    world.settle()
    writer = next(peer for peer in world.online if peer.session.owes)
    card = min(writer.session.hand())
    world.publish(writer, writer.session.bundle(["return", "pass"], [Return(card)]))
    assert world.spectator.state.decks.deck(card.deck)[-1] == card
    world.run(choose)
    assert_one_game(world)


def test_a_voided_draw_is_owed_anew() -> None:
    world = World(3)
    until(world, 9)
    drawer = next(peer for peer in world.online if peer.session.owes)
    absent = next(peer.seat for peer in world.online if peer is not drawer)
    world.offline.add(absent)
    world.publish(drawer, drawer.session.bundle(["draw 1"], [Draw(1)]))
    world.settle()
    assert world.spectator.log.missing == (absent,)
    hand = drawer.session.hand()
    world.vote_out(absent)
    world.settle()
    assert drawer.session.hand() == hand
    assert "bundle" in drawer.session.owes
    world.publish(drawer, drawer.session.bundle(["draw 0"], [Draw(0)]))
    world.settle()
    assert len(drawer.session.hand()) == len(hand) + 1
    world.run(choose)
    assert_one_game(world)


def test_a_seat_that_vanishes_before_its_first_entry_does_not_stop_the_others() -> None:
    world = World(3)
    world.offline.add(1)
    world.settle()
    assert world.spectator.log.head.number == 0
    world.vote_out(1)
    world.run(choose)
    assert_one_game(world)
    assert 1 not in world.spectator.state.order


def test_cards_turned_up_for_all_are_shuffled_back_in_mid_game() -> None:
    world = World(2, decks=(9, 2), passes=4)
    until(world, 7)
    writer = next(peer for peer in world.online if peer.session.owes)
    for _ in range(2):
        world.publish(writer, writer.session.bundle(["up 1"], [TurnUp(1)]))
        world.settle()
    faces = world.spectator.state.decks.faces
    cards = tuple(card for card in faces if card.deck == 1)
    assert sorted(faces[card] for card in cards) == [0, 1]
    world.publish(writer, writer.session.bundle(["shuffle 1"], [Reshuffle(1, cards)]))
    assert world.spectator.state.kinds == ("shuffle",)
    world.settle()
    assert len(world.spectator.state.decks.deck(1)) == 2
    world.publish(writer, writer.session.bundle(["draw 1"], [Draw(1)]))
    world.run(choose)
    assert_one_game(world)


def test_old_secrets_go_once_nothing_leads_back_to_them() -> None:
    world = World(4, passes=9)
    until(world, 12)
    gone = world.spectator.log.missing[0]
    world.offline.add(gone)
    world.vote_out(gone)
    world.settle()
    epoch = world.spectator.state.epoch
    stored: dict[int, bytes] = {}

    def forgetful(world: World, peer: Peer) -> bytes:
        dump = peer.session.forget()
        if dump is not None:
            stored[peer.seat] = dump
        return choose(world, peer)

    assert all(peer.session.forget() is None for peer in world.online)
    world.run(forgetful)
    assert sorted(stored) == [peer.seat for peer in world.online]
    assert all(SealedPlayer.load(dump).epoch == epoch for dump in stored.values())
    assert_one_game(world)


def test_a_game_is_a_file_that_a_stranger_verifies() -> None:
    world = World(3)
    until(world, 12)
    gone = world.spectator.log.missing[0]
    world.offline.add(gone)
    world.vote_out(gone)
    world.run(choose)
    data = write_record([*world.opening.file_head, *world.spectator.items()])
    result = replay(data, Toy(6))
    assert result.valid
    assert result.settled
    assert result.session.state.position == world.spectator.state.position
    cut = replay(data[:-10], Toy(6))
    assert not cut.valid
    assert not cut.settled
