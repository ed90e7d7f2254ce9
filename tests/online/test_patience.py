"""Every voter has their own patience: people, bots and keepers vote yes only when their own clock allows it.

Somebody who leaves or comes back ends the vote about them, and frees those who voted yes.
"""

from __future__ import annotations

import pytest
from wasabi_protocol.voting.poll import NOBODY, PERSON

from wasabi_tx.engine.errors import Illegal
from wasabi_tx.games import game
from wasabi_tx.online.client.duties import HEAD_EVERY, RARE_HEADS
from wasabi_tx.online.client.patience import AWAY_FOR

from .world import Person, World

DAY = 86_400


def thinker(world: World, name: str = "p0") -> Person:
    """Let a seat reach its turn and think forever."""
    world.in_play()
    person = world.people[name]
    person.asleep = True
    world.until(lambda: "bundle" in person.game.session.owes and person.free, 120)
    world.until(lambda: len(world.heads()) == 1, 60)
    return person


def seat_of(person: Person) -> int:
    assert person.game.me is not None
    return person.game.me.player.seat


def place_of(person: Person) -> int:
    assert person.game.seat is not None
    return person.game.seat


def lie(world: World, liar: Person, victim: Person) -> None:
    """Sign a ballot that the liar's own program would refuse."""
    liar.game.write(liar.game.session.vote(seat_of(victim), PERSON), world.clock(liar.name))
    world._settle(liar)


def plays_on(world: World, people: list[Person], seconds: float = 60) -> None:
    world.wake()
    slots = max(p.game.session.log.head.number for p in people)
    world.until(lambda: all(p.game.session.log.head.number > slots + 3 for p in people), seconds)


@pytest.mark.grid
@pytest.mark.parametrize("clock", [0, 600, DAY])
@pytest.mark.parametrize("seats", [3, 4])
def test_one_ballot_sends_nobody_away_who_still_has_time(seats: int, clock: int) -> None:
    """Try it at a table where bots could make the majority."""
    world = World(seats, "classic", "one ballot", clock=clock, persons=["p0", "p1"])
    victim, liar = thinker(world), world.people["p1"]
    everybody = list(world.people.values())
    for _ in range(4):
        lie(world, liar, victim)
        world.wait(12)
        assert all(seat_of(victim) in p.game.session.state.seats for p in everybody)
        world.until(lambda: not any(p.game.session.ballots.bound() for p in everybody), 20)
    plays_on(world, everybody)
    assert not any(p.told(game.Excluded) for p in everybody)


@pytest.mark.parametrize("seats", [3, 4])
def test_bots_go_on_with_people_when_their_own_clock_says_so_too(seats: int) -> None:
    world = World(seats, "classic", "time over", clock=40, persons=["p0", "p1"])
    mute, caller = thinker(world), world.people["p1"]
    others = [p for p in world.people.values() if p is not mute]
    world.wait(45)
    caller.client.vote(place_of(mute), True, world.now)
    world._settle(caller)
    world.until(lambda: all(p.told(game.Excluded) for p in others), 60)


def test_a_bot_whose_clock_is_a_little_behind_still_agrees() -> None:
    world = World(3, "classic", "behind", clock=40, persons=["p0", "p1"])
    mute, caller, bot = thinker(world), world.people["p1"], world.people["p2"]
    world.wait(35)
    bot.game.patience._since += 3
    world.until(lambda: caller.game.patience.may_vote(seat_of(mute), world.now), 20)
    assert not bot.game.patience.may_vote(seat_of(mute), world.now)
    caller.client.vote(place_of(mute), True, world.now)
    world._settle(caller)
    world.until(lambda: bool(caller.told(game.Excluded)), 60)
    assert not caller.told(game.Vote)[0].no


@pytest.mark.parametrize("clock", [600, DAY])
def test_a_keeper_that_was_told_to_agree_asks_its_own_clock(clock: int) -> None:
    world = World(3, "classic", "keeper's clock", bots=False, clock=clock)
    victim, liar, kept = thinker(world), world.people["p1"], world.people["p2"]
    assert kept.client.duties is not None
    kept.client.duties.keeping = kept.client.duties.votes_yes = True
    lie(world, liar, victim)
    world.wait(12)
    refused = liar.told(game.Vote)[-1]
    assert not refused.open
    assert not refused.no, "a program is named among the people who said no"
    world.until(lambda: not liar.game.session.ballots.bound(), 20)
    assert not any(p.told(game.Excluded) for p in world.people.values())


@pytest.mark.parametrize("seats", [3, 4])
def test_a_person_who_is_asked_too_early_can_only_say_no(seats: int) -> None:
    world = World(seats, "classic", "asked early", bots=False, clock=600)
    victim, liar, asked = thinker(world), world.people["p1"], world.people["p2"]
    lie(world, liar, victim)
    world.until(lambda: bool(asked.told(game.Vote)), 10)
    # Its own program answers for the player in question, and waits for this person.
    with pytest.raises(Illegal, match="vote-too-early"):
        asked.client.vote(place_of(victim), True, world.now)
    assert not asked.game.session.ballots.view.mine
    asked.client.vote(place_of(victim), False, world.now)
    world._settle(asked)
    assert {word.choice.out for word in asked.game.session.ballots.view.mine} == {NOBODY}
    with pytest.raises(Illegal, match="vote-too-early"):
        asked.client.vote(place_of(victim), False, world.now)


def test_a_table_with_a_clock_gives_that_time_to_one_who_is_gone_too() -> None:
    world = World(3, "classic", "gone with a clock", bots=False, clock=600)
    gone, caller = thinker(world), world.people["p1"]
    place = place_of(gone)
    world.kill(gone.name)
    world.wait(590)
    with pytest.raises(Illegal, match="vote-too-early"):
        caller.client.vote(place, True, world.now)
    world.wait(15)
    caller.client.vote(place, True, world.now)


def test_a_bot_that_is_gone_is_waited_for_a_minute_only() -> None:
    world = World(3, "classic", "a bot gone", clock=600, persons=["p1", "p2"])
    gone, caller = thinker(world), world.people["p1"]
    place = place_of(gone)
    world.wait(70)
    with pytest.raises(Illegal, match="vote-too-early"):
        caller.client.vote(place, True, world.now)
    world.kill(gone.name)
    world.wait(70)
    caller.client.vote(place, True, world.now)


def test_bots_alone_never_send_a_person_away() -> None:
    """Wait for long: a person's absence alone lets no bot vote."""
    world = World(3, "classic", "a person gone", patience=30.0, clock=40, persons=["p0"])
    gone = thinker(world)
    world.kill(gone.name)
    world.wait(1200)
    bots = list(world.people.values())
    assert not any(p.told(game.Vote) for p in bots)
    back = world.revive(gone.name)
    plays_on(world, [back, *bots], 120)


@pytest.mark.grid
@pytest.mark.parametrize(("seats", "yes"), [(3, 1), (4, 1), (4, 2), (4, 3)])
def test_a_seat_that_leaves_in_the_middle_of_a_vote_about_it_frees_those_who_voted(seats: int, yes: int) -> None:
    world = World(seats, "classic", f"leaves {yes}", bots=False, clock=40)
    world.in_play()
    mute = world.mover()
    others = [p for p in world.people.values() if p is not mute]
    world.wait(45)
    place = place_of(mute)
    for voter in others[:yes]:
        # They have not heard of one another yet.
        voter.client.vote(place, True, world.now)
    for voter in others[:yes]:
        assert voter.game.session.ballots.bound()
    mute.client.quit(world.now)
    for person in world.people.values():
        world._settle(person)
    world.until(lambda: all(seat_of(mute) not in p.game.session.state.seats for p in others), 20)
    world.until(lambda: not any(p.game.session.ballots.bound() for p in others), 20)
    plays_on(world, others)


def test_who_comes_back_frees_those_who_voted_at_once() -> None:
    world = World(3, "classic", "comes back", bots=False)
    world.in_play()
    gone = world.mover()
    caller, other = [p for p in world.people.values() if p is not gone]
    place = place_of(gone)
    world.kill(gone.name)
    world.wait(65)
    world.kill(other.name)
    caller.client.vote(place, True, world.now)
    world._settle(caller)
    world.wait(5)
    assert caller.game.session.ballots.bound()
    world.revive(gone.name).asleep = True
    world.until(lambda: not caller.game.session.ballots.bound(), 20)
    assert not caller.told(game.Excluded)


def test_by_correspondence_one_who_just_came_back_reads_before_voting() -> None:
    """Check that everything sent meanwhile, including the absent player's move, reaches them first."""
    world = World(3, "classic", "just back", bots=False, clock=3600)
    gone, caller = thinker(world), world.people["p1"]
    place = place_of(gone)
    world.kill(gone.name)
    world.disconnect(caller)
    for _ in range(13):
        world.step(300.0)
    world.connect(caller)
    world.wait(AWAY_FOR - 10)
    with pytest.raises(Illegal, match="vote-too-early"):
        caller.client.vote(place, True, world.now)
    world.wait(15)
    caller.client.vote(place, True, world.now)


def test_heads_are_rare_where_a_turn_may_take_hours() -> None:
    """Check that a seat counts as away after two and a half missed heads, as elsewhere."""
    heads = {clock: _heads_in(clock, 600.0) for clock in (0, 3600)}
    assert abs(heads[0] - 600 / HEAD_EVERY) <= 2
    assert abs(heads[3600] - 600 / RARE_HEADS) <= 2


def _heads_in(clock: int, seconds: float) -> int:
    """Count the heads of one seat at a table where nothing happens."""
    world = World(2, "classic", "quiet", bots=False, clock=clock)
    person = thinker(world)
    other = next(p for p in world.people.values() if p is not person)
    world.wait(5)
    topic, before = person.client.channel.topic("head", person.me.key), len(world.broker.log)
    world.wait(seconds)
    found = sum(published.topic == topic for published in world.broker.log[before:])
    world.kill(person.name)
    world.wait(2.5 * (RARE_HEADS if clock else HEAD_EVERY) - 12)
    assert other.game.patience.here(seat_of(person), world.now)
    world.wait(15)
    assert not other.game.patience.here(seat_of(person), world.now)
    return found
