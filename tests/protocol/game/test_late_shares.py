"""Games at tables with late shares: what the rules are told, who is blamed, leaves and votes, files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from wasabi_protocol.game.events import Blamed
from wasabi_protocol.game.record import replay, write_record
from wasabi_protocol.game.rules_port import CardArrived, Drawn, Fact, TurnedUp, bundle_facts
from wasabi_protocol.game.state import LATE_SHARES
from wasabi_protocol.sealed.player import Draw, Return, Reveal, TurnUp
from wasabi_protocol.signed.canonical import Value
from wasabi_protocol.signed.codec import parse_as, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import Bundle, Entry
from wasabi_protocol.verdicts import Code, Forbidden

from tests.protocol.game.test_record import assert_one_game
from tests.protocol.game.test_state import writer
from tests.protocol.sessions import Peer, World, deal
from tests.protocol.toy import Position, Toy


class LateToy(Toy):
    """The toy's rules at a table with late shares: nobody waits for what they drew for themselves."""

    def play(self, position: Position, seat: int, steps: Sequence[str], facts: Sequence[Fact]) -> Position:
        after = super().play(position, seat, steps, facts)
        late = all(isinstance(fact, Drawn) and fact.seat == seat for fact in facts)
        return replace(after, waiting=0) if late else after

    def dealt(self, position: Position, cards: Sequence[CardArrived]) -> Position:
        assert cards, "nothing is told where nothing came"
        for card in cards:
            assert (card.seat, card.card) not in position.hands, "a card comes once"
            assert (card.seat is None) == (card.face is not None)
        return super().dealt(position, cards)


def late_world(seats: int, name: str = "late", passes: int = 9) -> World:
    return World(seats, name, passes, (14, 6), (LATE_SHARES,), LateToy(passes))


def choose(_: World, peer: Peer) -> bytes:
    """Draws whenever nothing is on its way to it, turns a card up now and then, reveals and returns."""
    session = peer.session
    if "end" in session.owes:
        return session.end(open_keys=True, show_hand=True)
    if "bundle" not in session.owes:
        return session.leave(open_keys=True)
    position, decks, hand = session.state.position, session.state.decks, session.hand()
    assert position is not None
    if not position.dealt:
        return session.bundle(["deal"], deal(session))
    mine = [pending for pending in decks.pending if pending.seat == peer.seat]
    if len(mine) < 1 + position.passes_left % 2 and len(hand) < 3 and decks.deck(0):
        return session.bundle(["draw 0"], [Draw(0)])
    if position.passes_left % 4 == 2 and decks.deck(1):
        top = decks.deck(1)[0]
        if not any(card.deck == 1 and card.number + 1 == top.number for card in decks.faces):
            return session.bundle(["up 1"], [TurnUp(1)])
    if not hand:
        return session.bundle(["pass"])
    card = min(hand)
    if position.passes_left % 3 == 0:
        return session.bundle(["return", "pass"], [Return(card)])
    return session.bundle([f"reveal {hand[card]}", "pass"], [Reveal(card)])


def until_drawn(world: World, others: bool = True) -> Peer:
    """Plays until the writer owes shares of a late card, or, if not `others`, has such a card on its way itself."""
    for _ in range(60):
        world.settle()
        peer, decks = writer(world), world.spectator.state.decks
        wanted = decks.wanted(peer.seat) if others else [p for p in decks.pending if p.seat == peer.seat]
        if wanted and "bundle" in peer.session.owes:
            return peer
        world.publish(peer, choose(world, peer))
    raise AssertionError("never came that far")


def assert_rules_and_decks_agree(world: World) -> int:
    """The rules know of exactly the hands that the decks have, after each slot; how many cards were late."""
    late = set()
    for slot in world.spectator.log.slots:
        position, decks = slot.state.position, slot.state.decks
        late |= {pending.card for pending in decks.pending if pending.late}
        if position is not None:
            assert sorted(position.hands) == sorted((held.seat, held.card) for held in decks.held)
            open_cards = {card for card, _ in position.shown}
            assert open_cards == set(decks.faces)
    return len(late)


def assert_facts_name_the_tops_of_decks(world: World) -> int:
    """Each draw is told to the rules as the card that lay on top, older cards on their way or not; how many with."""
    with_older = 0
    for before, slot in pairwise(world.spectator.log.slots):
        entry = None if slot.voted else parse_as(Entry, slot.bodies[0].body)
        if not isinstance(entry, Bundle) or not isinstance(entry.seals, list):
            continue
        facts = bundle_facts(entry, before.state.decks, slot.state.decks)
        lying = [list(deck) for deck in before.state.decks.decks]
        said = [fact for fact in facts if isinstance(fact, Drawn | TurnedUp)]
        wanted = [seal for seal in entry.seals if isinstance(seal, list) and seal[0] in ("draw", "up")]
        assert [fact.card for fact in said] == [lying[int(str(seal[1]))].pop(0) for seal in wanted]
        assert len(facts) == sum(isinstance(seal, list) and seal[0] != "shares" for seal in entry.seals)
        with_older += bool(said and before.state.decks.pending)
    return with_older


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_ends_alike_for_all_and_its_file_proves_it(seats: int) -> None:
    world = late_world(seats)
    world.run(choose)
    assert_one_game(world)
    assert assert_rules_and_decks_agree(world) >= 5
    assert assert_facts_name_the_tops_of_decks(world) >= 2
    for peer in world.online:
        assert not peer.session.log.evidence
        assert peer.session.state.decks.digest() == world.spectator.state.decks.digest()
    found = replay(write_record([*world.opening.file_head, *world.spectator.items()]), LateToy(9))
    assert found.valid
    assert found.settled
    assert found.session.log.head.link == world.spectator.log.head.link


def test_a_draw_makes_no_slot_of_shares_but_the_deal_and_an_open_card_do() -> None:
    world = late_world(3)
    world.run(choose)
    log = world.spectator.log.slots
    for before, slot in pairwise(log):
        if slot.state.decks.kind == "shares" and before.state.decks.kind == "play":
            entry = parse_as(Bundle, slot.bodies[0].body)
            assert entry.steps in (("deal",), ("up 1",))


def test_the_hands_at_the_end_are_without_a_card_that_never_came() -> None:
    world = late_world(3, passes=3)
    world.run(choose)
    state = world.spectator.state
    assert state.outcome is not None
    assert state.decks.pending
    assert {held.card for held in state.decks.held} <= set(state.outcome.faces)
    assert not {pending.card for pending in state.decks.pending} & set(state.outcome.faces)
    assert_one_game(world)


# Blame


def bent(peer: Peer, seals: list[Value]) -> bytes:
    """The writer's honest bundle with other seals, signed by its own key."""
    honest = parse_as(Bundle, peer.session.bundle(["pass"])[SIGNATURE_BYTES:])
    return sign(peer.who, write(replace(honest, seals=seals)))


@pytest.mark.parametrize("wrong", ["missing", "twice", "last", "proof", "short"])
def test_a_bundle_with_wrong_late_shares_is_proof_against_its_author(wrong: str) -> None:
    world = late_world(3)
    peer = until_drawn(world)
    honest = parse_as(Bundle, peer.session.bundle(["pass"])[SIGNATURE_BYTES:]).seals
    assert isinstance(honest, list)
    (seal,) = honest
    assert isinstance(seal, list)
    verb, shares, proof = seal
    assert isinstance(shares, bytes)
    assert isinstance(proof, bytes)
    seals: dict[str, list[Value]] = {
        "missing": [],
        "twice": honest * 2,
        "last": [["draw", 0, peer.seat], *honest],
        "proof": [[verb, shares, proof[:-1] + bytes([proof[-1] ^ 1])]],
        "short": [[verb, shares[32:], proof]],
    }
    before = world.spectator.log.head.link
    (event,) = world.spectator.receive(peer.who.key, bent(peer, seals[wrong]))
    assert isinstance(event, Blamed)
    assert (event.evidence.seat, event.evidence.code) == (peer.seat, Code.BAD_PROOF)
    assert world.spectator.log.head.link == before


def test_shares_that_nobody_asked_for_are_proof_against_their_author() -> None:
    world = late_world(3)
    owing = until_drawn(world)
    seals = parse_as(Bundle, owing.session.bundle(["pass"])[SIGNATURE_BYTES:]).seals
    assert isinstance(seals, list)
    other = World(3, "other", 9, (14, 6), (LATE_SHARES,), LateToy(9))
    while not (position := other.spectator.state.position) or not position.dealt or other.spectator.state.automatic:
        other.settle()
        one = writer(other)
        other.publish(one, choose(other, one))
        other.settle()
    peer = writer(other)
    assert not other.spectator.state.decks.wanted(peer.seat)
    (event,) = other.spectator.receive(peer.who.key, bent(peer, seals))
    assert isinstance(event, Blamed)
    assert (event.evidence.seat, event.evidence.code) == (peer.seat, Code.BAD_PROOF)


def test_a_seat_that_draws_cannot_reveal_the_card_before_it_has_come() -> None:
    world = late_world(2)
    peer = until_drawn(world, others=False)
    (pending, *_) = (p for p in world.spectator.state.decks.pending if p.seat == peer.seat)
    with pytest.raises(Forbidden):
        peer.session.bundle(["reveal 0", "pass"], [Reveal(pending.card)])


# Leaves and votes


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("own", [True, False])
def test_a_seat_leaves_with_a_card_on_its_way_or_with_shares_to_give(seats: int, own: bool) -> None:
    world = late_world(seats, f"leaves {own}")
    peer = until_drawn(world, others=not own)
    world.publish(peer, peer.session.leave(open_keys=True))
    assert peer.seat not in world.spectator.state.seats
    world.run(choose)
    assert_one_game(world)
    assert_rules_and_decks_agree(world)
    assert not world.spectator.log.evidence


def test_a_leave_that_was_heard_brings_the_card_of_who_waits_for_it_alone() -> None:
    world = late_world(2, passes=12)
    peer = until_drawn(world)
    drawer = next(one for one in world.online if one is not peer)
    before = len(drawer.session.hand())
    world.publish(peer, peer.session.leave())
    assert len(drawer.session.state.decks.hand(drawer.seat)) > before
    world.run(choose)
    assert_one_game(world)


def voted_game(seats: int, own: bool) -> World:
    """A whole game in which one with a card on its way, or with shares to give, is voted out."""
    world = late_world(seats, f"votes {own}", passes=12)
    gone = until_drawn(world, others=not own).seat
    hands = {peer.seat: peer.session.hand() for peer in world.online if peer.seat != gone}
    void = [pending for pending in world.spectator.state.decks.pending if pending.seat != gone]
    world.offline.add(gone)
    world.vote_out(gone)
    assert world.spectator.state.epoch > 0
    assert [pending.card for pending in world.spectator.state.decks.voided] == [pending.card for pending in void]
    world.settle()
    for peer in world.online:
        assert peer.session.hand() == hands[peer.seat]
    world.run(choose)
    return world


@pytest.mark.parametrize(("seats", "own"), [(3, True), (3, False), (4, False)])
def test_a_seat_is_voted_out_with_cards_on_their_way(seats: int, own: bool) -> None:
    world = voted_game(seats, own)
    assert_one_game(world)
    assert_rules_and_decks_agree(world)
    found = replay(write_record([*world.opening.file_head, *world.spectator.items()]), LateToy(12))
    assert found.valid
    assert found.settled
