"""The state of a game: entries that close a slot together, cards on their way, leavers and votes, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from wasabi_protocol.game.events import Blamed
from wasabi_protocol.game.rules_port import Drawn, Due, Turn, TurnedUp
from wasabi_protocol.sealed import decks as sealed
from wasabi_protocol.sealed.decks import Checked
from wasabi_protocol.sealed.errors import SealsStopped
from wasabi_protocol.sealed.group import multiply_base, public_scalar
from wasabi_protocol.sealed.player import Draw, Reshuffle, Reveal
from wasabi_protocol.sealed.proofs import prove_key
from wasabi_protocol.sealed.state import Place
from wasabi_protocol.signed.canonical import Value
from wasabi_protocol.signed.codec import parse_as, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Bundle, Keys
from wasabi_protocol.verdicts import Code, Invalid

from tests.protocol.game.test_record import until
from tests.protocol.sessions import Peer, World, choose, secret
from tests.protocol.toy import Position, Toy


def writer(world: World) -> Peer:
    return next(peer for peer in world.online if peer.session.owes)


def test_two_seats_with_one_masking_key_are_proof_against_the_later_one() -> None:
    world = World(3, "one key")
    session, x = world.spectator, public_scalar(7)
    place, events = Place(1, session.log.head.link), []
    for seat, peer in sorted(world.peers.items()):
        envelope = peer.session.answer()
        assert envelope is not None
        if seat < 2:
            transcript = session.state.decks.context(place, seat).transcript(b"key")
            work: list[Value] = [bytes(multiply_base(x)), prove_key(transcript, secret("proof"), x)]
            keys = parse_as(Keys, envelope[SIGNATURE_BYTES:])
            envelope = sign(peer.who, write(replace(keys, work=work)))
        events += session.receive(peer.who.key, envelope)
    (evidence,) = [event.evidence for event in events if isinstance(event, Blamed)]
    assert (evidence.seat, evidence.code) == (1, Code.BAD_PROOF)
    assert session.log.head.number == 0


def test_cards_on_their_way_arrive_after_the_shuffle_that_came_with_them() -> None:
    world = World(2, "both at once", decks=(8, 1))
    until(world, 6)
    peer = writer(world)
    world.publish(peer, peer.session.bundle(["draw 1"], [Draw(1)]))
    world.settle()
    (card,) = [card for card in peer.session.hand() if card.deck == 1]
    world.publish(peer, peer.session.bundle([f"reveal {peer.session.hand()[card]}"], [Reveal(card)]))
    before = len(peer.session.hand())
    world.publish(peer, peer.session.bundle(["shuffle 1", "draw 0"], [Reshuffle(1, (card,)), Draw(0)]))
    kinds = []
    while world.spectator.state.automatic:
        kinds.append(world.spectator.state.decks.kind)
        position = world.spectator.state.position
        assert position is not None
        assert position.waiting == 1
        assert len(position.hand(peer.seat)) == before
        world.publish(one := writer(world), one.session.answer() or b"")
    assert kinds == ["shuffle", "shuffle", "shares"]
    assert len(peer.session.hand()) == before + 1


def test_one_who_was_to_leave_and_vanished_is_voted_out_and_the_next_one_leaves() -> None:
    world = World(4, "leavers", passes=6)
    until(world, 12)
    author = writer(world)
    first, second, _ = (peer for peer in world.online if peer is not author)
    for peer in (first, second):
        world.publish(peer, peer.session.wish("leave"))
    world.publish(author, choose(world, author))
    world.settle()
    assert list(world.spectator.state.leaving) == [first.seat, second.seat]
    assert world.spectator.state.owed == (first.seat,)
    world.offline.add(first.seat)
    world.vote_out(first.seat)
    assert list(world.spectator.state.leaving) == [second.seat]
    world.run(choose)
    assert world.spectator.state.outcome is not None
    assert world.spectator.state.gone == ((second.seat, True),)


class _Spy(Toy):
    """Records what a vote made void, and requires a turn of the remaining seat."""

    void: Sequence[Drawn | TurnedUp] = ()

    def due(self, position: Position) -> Due:
        return Turn(position.order[0])

    def excluded(self, position: Position, seat: int, void: Sequence[Drawn | TurnedUp]) -> Position:
        self.void = void
        return super().excluded(position, seat, void)


def test_a_vote_voids_the_cards_on_their_way_to_those_who_stay() -> None:
    world = World(3, "void")
    until(world, 4)
    author = writer(world)
    world.publish(author, choose(world, author))
    state = world.spectator.state
    assert state.decks.kind == "shares"
    spy = _Spy()
    after = replace(state, game=spy).without(1, 99)
    assert [fact.seat for fact in spy.void if isinstance(fact, Drawn)] == [
        seat for _ in range(2) for seat in state.order if seat != 1
    ]
    assert after.stopped is None


def test_a_game_whose_rules_want_a_turn_of_one_who_is_alone_stops() -> None:
    world = World(2, "alone")
    until(world, 6)
    state = world.spectator.state
    assert state.without(1, 99).stopped is None
    assert replace(state, game=_Spy()).without(1, 99).stopped == "rules.turn-alone"


def test_before_the_seats_are_drawn_a_vote_leaves_the_others_without_a_position() -> None:
    after = World(3, "early vote").spectator.state.without(1, 9)
    assert after.position is None
    assert (after.seats, after.epoch, after.owed, after.kinds) == ((0, 2), 9, (0, 2), ("keys",))


def test_cards_that_do_not_add_up_though_every_proof_holds_stop_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(2, "halt")
    until(world, 6)
    peer, session = writer(world), world.spectator
    envelope = choose(world, peer)
    bundle = parse_as(Bundle, envelope[SIGNATURE_BYTES:])

    def impossible(*_: object) -> Checked:
        raise SealsStopped("face.repeated")

    monkeypatch.setattr(sealed, "check", impossible)
    with pytest.raises(Invalid) as verdict:
        session.state.digest_after(bundle)
    assert verdict.value.code is Code.WRONG_CONTENT
    session.receive(peer.who.key, envelope)
    assert session.state.stopped == "face.repeated"
    assert not session.state.kinds
    assert not session.state.owed
    assert not session.log.evidence


def _ended(name: str, show: bool, leavers_word: bool | None) -> World:
    """Play a game of three in which all seats open their keys; a leaver, if any, decides for itself."""
    world = World(3, name, passes=4)
    until(world, 8)
    if leavers_word is not None:
        leaver = writer(world)
        world.publish(leaver, leaver.session.quit(open_keys=leavers_word))

    def policy(_: World, peer: Peer) -> bytes:
        if "end" in peer.session.owes:
            return peer.session.end(open_keys=True, show_hand=show)
        return choose(world, peer)

    world.run(policy)
    return world


def test_a_hand_is_shown_at_the_end_or_kept() -> None:
    for show in (True, False):
        state = _ended(f"show {show}", show, None).spectator.state
        assert state.outcome is not None
        kept = {held.card for held in state.decks.held}
        assert kept
        assert (kept <= set(state.outcome.faces)) is show
        assert set(state.decks.faces) <= set(state.outcome.faces)


def test_keys_are_opened_only_if_the_one_who_left_agreed_too() -> None:
    for word in (True, False):
        outcome = _ended(f"word {word}", True, word).spectator.state.outcome
        assert outcome is not None
        assert outcome.open is word
