"""Tables with late shares: whole games, with faults, kills, goodbyes and votes while cards are on their way."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from wasabi_protocol.game.rules_port import Turn
from wasabi_protocol.game.state import LATE_SHARES
from wasabi_protocol.sealed.state import Pending
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.messages import Bundle

from wasabi_tx.net.memory import Faults
from wasabi_tx.table import game
from wasabi_tx.table.online.replayed import transcript_of
from wasabi_tx.table.online.result import check_record
from wasabi_tx.table.online.terms import Unplayable, make_terms, rules_of

from .byzantine import Report, play
from .faults import KINDS, faulty_game
from .kills import chain
from .small import small_rules
from .test_told import ToldWorld
from .world import Person, World

LateWorld = partial(ToldWorld, options=[LATE_SHARES])
"""Everybody is also told of each card and each turn as it comes."""


def waiting(world: World) -> tuple[Pending, ...]:
    return next(iter(world.people.values())).game.session.state.decks.pending


def seat_of(person: Person) -> int:
    assert person.game.me is not None
    return person.game.me.player.seat


def until_waiting(world: World, own: bool, next_one: bool = False) -> Person:
    """Plays until cards are on their way; the mover, who has some of them (`own`) or owes shares, from then on asleep.

    With `next_one` the one who moves after the mover has some of them.
    """
    world.in_play(8)
    for _ in range(80):
        mover = world.mover()
        state, seat = mover.game.session.state, seat_of(mover)
        drew = {pending.seat for pending in state.decks.pending}
        order = [one for one in state.order if one in state.seats]
        follower = order[(order.index(seat) + 1) % len(order)]
        if (seat in drew if own else seat not in drew and drew) and (follower in drew or not next_one):
            return mover
        head = mover.game.session.log.head.number
        mover.asleep = False
        world.until(lambda head=head, mover=mover: mover.game.session.log.head.number > head, 60)  # type: ignore[misc]
    raise AssertionError("no card was ever on its way")


def assert_nobody_played_blind(world: World) -> None:
    """Whoever did more than draw had all of their cards; and nobody was blamed."""
    for person in world.people.values():
        session = person.game.session
        assert not session.log.evidence
        for before, slot in zip(session.log.slots, session.log.slots[1:], strict=False):
            message = None if slot.voted else parse(slot.bodies[0].body)
            if isinstance(message, Bundle) and any(not step.startswith("draw") for step in message.steps):
                assert message.seat not in {pending.seat for pending in before.state.decks.pending}


@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("classic", 4), ("master", 2), ("master", 3)])
def test_a_whole_game_comes_to_its_end_and_every_file_proves_it(edition: str, seats: int) -> None:
    world = LateWorld(seats=seats, edition=edition, seed="late", watchers=1)
    world.run()
    world.finished()
    assert_nobody_played_blind(world)
    assert world.arrivals > 2 * seats
    states = [slot.state for slot in world.people["p0"].game.session.log.slots]
    assert any(pending.late for state in states for pending in state.decks.pending)
    waits = sum(state.decks.kind == "shares" for state in states)
    assert waits == 0 if edition == "classic" else waits > 0, "only open cards are waited for"
    checked = check_record(world.people["p0"].disk.record, small_rules)
    assert checked.session is not None
    assert checked.fault is None
    transcript = transcript_of(checked.session)
    assert transcript is not None
    assert transcript.moves


def test_programs_that_do_not_know_the_option_stay_away_by_the_version_of_the_rules() -> None:
    rules = small_rules("classic", 2)
    late, plain = make_terms(rules, 2, 2, options=[LATE_SHARES]), make_terms(rules, 2, 2)
    assert late.rules != plain.rules
    for terms in (late, plain):
        assert rules_of(terms, small_rules)(2).edition.id == "classic"
    for terms in (replace(late, rules=plain.rules), replace(plain, rules=late.rules)):
        with pytest.raises(Unplayable, match="rules-version"):
            rules_of(terms, small_rules)


def test_a_screen_is_told_of_late_cards_where_words_are_lost_repeated_and_late() -> None:
    world = LateWorld(seats=2, edition="master", seed="badly", faults=Faults(0.1, 0.1, (0.0, 1.0)))
    world.run(3600)
    world.finished()
    assert world.arrivals > 3


def test_a_game_survives_every_kind_of_fault_at_once() -> None:
    faulty_game("late faults", "classic", 3, KINDS, [LATE_SHARES])


def test_a_game_of_two_survives_kill_after_kill() -> None:
    slots, kills = chain("master", 2, "late kills", 6, [LATE_SHARES])
    assert slots > 40
    assert kills >= 8


def test_a_liar_raises_nothing_and_blames_nobody_else() -> None:
    report = Report()
    play("byzantine late one", report, [LATE_SHARES])
    assert report.games == 1


@pytest.mark.parametrize(("edition", "own"), [("classic", True), ("master", False)])
def test_a_watcher_who_comes_late_sees_the_same_game(edition: str, own: bool) -> None:
    world = LateWorld(seats=2, edition=edition, seed="looks on")
    until_waiting(world, own)
    watcher = world.watch()
    world.until(lambda: watcher.game_or_none is not None and len(world.heads()) == 1, 60)
    assert watcher.game.session.state.decks.digest() == world.people["p0"].game.session.state.decks.digest()
    assert waiting(world)
    world.wake()
    world.until(lambda: not waiting(world) and len(world.heads()) == 1)


@pytest.mark.parametrize(
    ("edition", "seats", "own"), [("classic", 3, True), ("master", 3, False), ("classic", 2, True)]
)
def test_a_seat_leaves_while_cards_are_on_their_way(edition: str, seats: int, own: bool) -> None:
    world = LateWorld(seats=seats, edition=edition, seed=f"goodbye {own}")
    leaver = until_waiting(world, own)
    stays = [person for person in world.people.values() if person is not leaver]
    leaver.client.leave(world.now)
    world._settle(leaver)
    world.wake()
    world.until(lambda: leaver.game.out and all(p.told(game.Left) for p in stays), 60)
    places = {place for p in stays for event in _since_left(p) for place in event.seats}
    assert leaver.game.seat not in places, "whoever left gets no card"
    slots = leaver.game.session.log.head.number
    world.until(lambda: all(p.client.done or p.game.session.log.head.number >= slots + 8 for p in stays))
    for person in stays:
        assert not person.game.session.log.evidence
        assert person.game.session.state.epoch == 0
        assert world.record(person.name).valid


def _since_left(person: Person) -> list[game.CardsArrived]:
    left = next(number for number, event in enumerate(person.events) if isinstance(event, game.Left))
    return [event for event in person.events[left:] if isinstance(event, game.CardsArrived)]


@pytest.mark.parametrize(("edition", "own"), [("classic", False), ("master", False), ("classic", True)])
def test_a_seat_is_voted_out_while_cards_are_on_their_way(edition: str, own: bool) -> None:
    """The next one's card among them: it is drawn anew, and is there before its holder is to move."""
    world = LateWorld(seats=3, edition=edition, seed="vanished", patience=30.0)
    gone = until_waiting(world, own, next_one=not own)
    follower = next(iter(p.seat for p in waiting(world) if p.seat != seat_of(gone))) if not own else None
    world.kill(gone.name)
    world.until(lambda: all(person.told(game.Excluded) for person in world.people.values()))
    state = next(iter(world.people.values())).game.session.state
    if follower is not None:
        assert state.due == Turn(follower)
    world.wake()
    stays = list(world.people.values())
    world.until(lambda: all(person.free and person.game.session.state.played for person in stays))
    slots = stays[0].game.session.log.head.number
    world.until(lambda: all(p.game.session.log.head.number >= slots + 10 for p in stays))
    assert_nobody_played_blind(world)
    assert all(world.record(person.name).valid for person in stays)


def test_a_program_that_was_killed_with_cards_on_their_way_has_its_hand_again() -> None:
    world = LateWorld(seats=2, seed="comes back")
    mover = until_waiting(world, own=False)
    drawer = next(person for person in world.people.values() if person is not mover)
    for person in (mover, drawer):
        world.kill(person.name)
        world.wait(2)
        world.revive(person.name)
    back = world.people[drawer.name]
    world.until(lambda: not waiting(world) and back.game.session.state.decks.hand(seat_of(back)), 60)
    assert back.game.me is not None
    assert set(back.game.session.state.decks.hand(seat_of(back))) <= set(back.game._hand)


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_a_file_is_read_while_cards_are_on_their_way(edition: str) -> None:
    world = LateWorld(seats=2, edition=edition, seed="late file")
    until_waiting(world, own=False)
    found = transcript_of(world.record("p0").session)
    assert found is not None
    assert found.moves
    assert found.last.outcome is None
