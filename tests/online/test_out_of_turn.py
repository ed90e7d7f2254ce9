"""Leaving, vanishing, voting: the game goes on for those who stay, and nobody is voted out too early."""

from __future__ import annotations

import pytest
from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.codec import parse_as
from wasabi_protocol.signed.messages import Ballot
from wasabi_protocol.voting.poll import PERSON

from wasabi_tx.engine.errors import Illegal, RulesError
from wasabi_tx.engine.step import Bundle, Step
from wasabi_tx.games import game

from .world import Person, World


@pytest.mark.grid
@pytest.mark.parametrize(("edition", "seats"), [("classic", 2), ("classic", 4), ("master", 3)])
@pytest.mark.parametrize("mine", [True, False])
def test_a_seat_leaves_at_its_own_turn_or_at_anothers(edition: str, seats: int, mine: bool) -> None:
    world = World(seats, edition, f"leave {mine}")
    world.in_play()
    mover = world.mover()
    leaver = mover if mine else next(p for p in world.people.values() if p is not mover)
    leaver.client.quit(world.now)
    world._settle(leaver)
    world.wait(1)
    assert [event.after for event in leaver.told(game.Leaving)] == ([] if mine else [mover.game.seat])
    world.wake()
    world.until(lambda: leaver.game.out or leaver.game.over, 60)
    assert leaver.told(game.SeatLeft)
    if seats == 2:
        world.run(100)
        outcome = mover.game.sealed.position.outcome if mover.game.sealed else None
        assert outcome is not None
        assert outcome.ending == "abandoned"
        return
    stays = [p for p in world.people.values() if p is not leaver]
    slots = leaver.game.session.log.head.number
    world.until(lambda: all(p.game.session.log.head.number >= slots + 6 for p in stays), 60)
    assert all(p.told(game.SeatLeft) for p in stays)
    assert stays[0].game.session.state.epoch == 0, "whoever says goodbye costs nobody a shuffle"
    world.until(lambda: not leaver.client.stay(world.now), 120)


def test_a_wish_to_leave_survives_a_restart_and_a_deaf_network() -> None:
    world = World.begun(seats=3)
    mover = world.mover()
    leaver = next(p for p in world.people.values() if p is not mover)
    world.broker.cut(mover.name)
    leaver.client.quit(world.now)
    world._settle(leaver)
    world.wait(3)
    world.broker.forget_retained()
    world.kill(leaver.name)
    leaver = world.revive(leaver.name)
    assert leaver.game.leaving
    world.broker.heal(mover.name)
    world.wake()
    leaver.asleep = True
    world.until(lambda: leaver.game.out, 200)


def _left_of_two(seed: str) -> tuple[World, Person, Person]:
    """Return a private game of two that one of them has just left; the other does not know yet."""
    world = World(2, "classic", seed, private=True)
    world.in_play()
    leaver = world.mover()
    stays = next(p for p in world.people.values() if p is not leaver)
    leaver.client.quit(world.now)
    world._settle(leaver)
    assert leaver.game.out
    return world, leaver, stays


def test_the_one_who_stays_waits_until_a_leaver_that_was_killed_has_the_end() -> None:
    world, leaver, stays = _left_of_two("killed leaver")
    world.kill(leaver.name)
    world.until(lambda: stays.client.done, 20)
    assert stays.client.stay(world.now)
    leaver = world.revive(leaver.name)
    world.until(lambda: leaver.client.done, 20)
    world.until(lambda: not any(p.client.stay(world.now) for p in (leaver, stays)), 20)
    world.finished()


def test_the_one_who_stays_does_not_wait_for_a_leaver_that_never_comes_back() -> None:
    world, leaver, stays = _left_of_two("lost leaver")
    world.kill(leaver.name)
    world.until(lambda: stays.client.done, 20)
    world.until(lambda: not stays.client.stay(world.now), 70)


def test_a_leaver_ends_by_itself_when_the_one_who_heard_it_is_gone() -> None:
    world, leaver, stays = _left_of_two("alone")
    world.disconnect(leaver)
    world.until(lambda: stays.client.done, 20)
    world.kill(stays.name)
    world.broker.forget_retained()
    world.connect(leaver)
    world.wait(10)
    assert leaver.client.goes_on(world.now), "the other may come back"
    world.until(lambda: not leaver.client.goes_on(world.now), 60)
    world.until(lambda: not leaver.client.stay(world.now), 60)
    result = leaver.game.result
    assert result is not None
    assert not result.settled
    assert result.verified


def test_a_leaver_follows_the_game_of_those_who_think() -> None:
    world = World.begun(seats=3)
    leaver = world.mover()
    leaver.client.quit(world.now)
    world._settle(leaver)
    world.wait(300)
    assert leaver.game.out
    assert leaver.client.goes_on(world.now)
    world.disconnect(leaver)
    world.wait(300)
    assert leaver.client.goes_on(world.now), "nobody can be heard without a connection"


@pytest.mark.parametrize(("edition", "seats"), [("classic", 3), ("master", 3)])
def test_bots_go_on_without_one_who_vanished_and_keep_their_hands(edition: str, seats: int) -> None:
    world = World.begun(16, seats=seats, edition=edition, patience=90.0)
    gone = world.mover()
    stays = [p for p in world.people.values() if p is not gone]
    hands = {p.name: sorted(p.game.observation().faces.values()) for p in stays}
    world.kill(gone.name)
    world.wait(55)
    assert all(p.game.session.state.epoch == 0 for p in stays), "not yet"
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in stays), 120)
    world.until(lambda: all(p.free and not p.game.session.state.automatic for p in stays), 60)
    assert {p.name: sorted(p.game.observation().faces.values()) for p in stays} == hands
    excluded = stays[0].told(game.Excluded)[0]
    assert len(excluded.voters) == seats - 1
    back = world.revive(gone.name)
    world.until(lambda: back.game.out, 60)
    assert back.told(game.Excluded), "whoever comes back is told why it only looks on"
    world.wake()
    with pytest.raises(RulesError):
        back.client.play(Bundle(0, (Step("done"),)), world.now)
    if edition == "classic":
        world.run()
        assert len(world.heads()) == 1
        assert all(world.record(p.name).settled for p in stays)


def test_a_bot_that_was_told_no_does_not_ask_again_at_once() -> None:
    world = World.begun(seats=3, patience=90.0)
    gone = world.mover()
    caller, other = [p for p in world.people.values() if p is not gone]
    for bot, patience in ((caller, 60.0), (other, 180.0)):
        assert bot.client.duties is not None
        bot.client.duties.patience = patience
    world.kill(gone.name)
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in (caller, other)), 300)
    voted = next(slot for slot in caller.game.session.log.slots if slot.voted)
    rounds = max(parse_as(Ballot, body.body).round for body in voted.bodies if b"ballot" in body.body)
    assert 2 <= rounds <= 12, "two minutes of no"


@pytest.mark.long
def test_one_who_vanishes_before_the_seats_are_drawn_has_none() -> None:
    for bots in (True, False):
        world = World(3, "classic", "early", patience=60.0, bots=bots)
        # Its program ends before its first message in the game: offer, join, accept, file, seat.
        gone = world.people["p2"]
        gone.disk.fuse = len(gone.disk.seat.said if gone.disk.seat else ()) + 3 - gone.disk.writes + 1
        world.until(lambda: "p2" in world.graves, 60)  # noqa: B023
        world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 60)  # noqa: B023
        assert all(p.game.sealed is None for p in world.people.values())
        world.until(lambda: all(p.game.sealed is not None for p in world.people.values()), 200)  # noqa: B023
        sealed = world.people["p0"].game.sealed
        assert sealed is not None
        assert len(sealed.order) == 2
        world.run(300 if bots else 60)
        assert len(world.heads()) == 1
        if bots:
            world.finished()


@pytest.mark.long
def test_two_gone_at_once_are_waited_for() -> None:
    world = World.begun(seats=4, patience=60.0)
    mover = world.mover()
    other = next(p for p in world.people.values() if p is not mover)
    world.kill(mover.name)
    world.kill(other.name)
    stays = list(world.people.values())
    world.wait(200)
    assert all(p.game.session.state.epoch == 0 for p in stays)
    # The owed entry may still come: those who voted yes receive it.
    world.revive(mover.name)
    world.revive(other.name)
    world.wake()
    world.wait(60)
    world.run()
    assert len(world.heads()) == 1
    assert all(p.game.session.state.outcome is not None for p in world.people.values())


def test_a_bot_never_gives_up_a_game_of_two() -> None:
    world = World.begun(patience=70.0)
    mover = world.mover()
    (stays,) = [p for p in world.people.values() if p is not mover]
    world.kill(mover.name)
    world.wait(400)
    assert not stays.client.done
    assert not stays.game.session.abandoned
    # Its person may: the statement is saved.
    stays.game.abandon(world.now)
    world.until(lambda: stays.client.done, 20)
    assert stays.client.stay(world.now)
    world.until(lambda: not stays.client.stay(world.now), 70)
    found = world.record(stays.name)
    assert found.valid
    assert not found.settled
    assert found.session.abandoned, "the statement is in the file"
    world.broker.forget_retained()
    back = world.revive(mover.name)
    world.until(lambda: back.client.done, 60)
    assert world.record(back.name).session.abandoned, "and in the file of the one who came back"


def test_a_person_gives_up_waiting_for_the_other_of_two() -> None:
    world = World.begun(bots=False)
    gone = world.mover()
    (stays,) = [p for p in world.people.values() if p is not gone]
    place = gone.game.seat
    assert place is not None
    world.kill(gone.name)
    world.wait(70)
    heard = stays.told(game.Overdue)[-1]
    assert (heard.seat, heard.kind, heard.votable) == (place, "away", True)
    stays.client.vote(place, True, world.now)
    assert stays.client.done
    assert stays.game.session.abandoned


def test_people_are_asked_before_anybody_is_sent_away() -> None:
    world = World.begun(seats=3, bots=False)
    gone = world.mover()
    one, two = [p for p in world.people.values() if p is not gone]
    sealed = one.game.sealed
    assert sealed is not None
    place = gone.game.seat
    assert place is not None
    with pytest.raises(Illegal, match="vote-too-early"):
        one.client.vote(place, True, world.now)
    world.kill(gone.name)
    world.wait(30)
    with pytest.raises(Illegal, match="vote-too-early"):
        one.client.vote(place, True, world.now)
    world.wait(35)
    assert not one.told(game.Vote)
    one.client.vote(place, True, world.now)
    world._settle(one)
    world.until(lambda: two.told(game.Vote), 10)
    asked = two.told(game.Vote)[-1]
    assert (asked.out, asked.mine, asked.open) == (place, None, True)
    two.client.vote(place, False, world.now)
    world._settle(two)
    world.until(lambda: one.told(game.Vote)[-1].no, 10)
    assert one.game.session.ballots.bound()
    # In a game of three, the two who are there decide that nobody goes.
    world.until(lambda: not one.game.session.ballots.bound() and two.game.session.log.poll.floor > 0, 10)
    assert one.game.session.state.epoch == 0, "a no ends the round"
    two.client.vote(place, True, world.now)
    world._settle(two)
    world.until(lambda: len(one.told(game.Vote)) > 2 and one.told(game.Vote)[-1].mine is None, 10)
    one.client.vote(place, True, world.now)
    world._settle(one)
    world.until(lambda: 0 < one.game.session.state.epoch == two.game.session.state.epoch, 60)
    assert one.told(game.Excluded)[-1].seat == place


def test_a_clock_allows_a_vote_about_one_who_only_thinks() -> None:
    for clock in (0, 40):
        world = World.begun(seats=3, bots=False, clock=clock)
        thinks = world.mover()
        voter = next(p for p in world.people.values() if p is not thinks)
        place = thinks.game.seat
        assert place is not None
        world.wait(45)
        late = [event for event in voter.told(game.Overdue) if event.kind == "clock"]
        assert bool(late) == bool(clock), "everybody hears when the time to think is over"
        assert all(event.votable and event.seat == place and event.seconds >= clock for event in late)
        if clock:
            voter.client.vote(place, True, world.now)
        else:
            with pytest.raises(Illegal, match="vote-too-early"):
                voter.client.vote(place, True, world.now)


def test_nobody_is_waited_for_any_more_once_they_have_moved() -> None:
    world = World.begun(seats=3, bots=False, clock=20)
    voter = next(p for p in world.people.values() if p is not world.mover())
    world.wait(25)
    assert voter.told(game.Overdue)[-1].seconds >= 20
    world.wake()
    world.until(lambda: voter.told(game.Overdue)[-1].seconds == 0, 30)


def test_nobody_hears_that_they_themselves_are_waited_for() -> None:
    world = World.begun(seats=3, bots=False, clock=20)
    thinks = world.mover()
    world.wait(100)
    assert not [event for event in thinks.told(game.Overdue) if event.seat == thinks.game.seat and event.seconds]


def test_whoever_is_away_is_said_to_be_and_is_not_any_more_when_back_and_thinking() -> None:
    world = World.begun(seats=3, bots=False)
    gone = world.mover()
    stays = next(p for p in world.people.values() if p is not gone)
    place = gone.game.seat
    world.kill(gone.name)
    world.wait(40)
    away = stays.told(game.Overdue)[-1]
    assert (away.seat, away.kind, away.votable) == (place, "away", False)
    world.revive(gone.name).asleep = True
    world.wait(15)
    assert stays.told(game.Overdue)[-1].seconds == 0


def test_whoever_lost_the_connection_calls_nobody_else_away() -> None:
    world = World.begun(seats=3, bots=False)
    mover = world.mover()
    cut = next(p for p in world.people.values() if p is not mover)
    world.disconnect(cut)
    told = len(cut.told(game.Overdue))
    world.wait(90)
    assert not [event for event in cut.told(game.Overdue)[told:] if event.seconds]


def test_a_bot_does_not_help_to_send_away_one_who_thinks() -> None:
    world = World.begun(seats=3, patience=50.0)
    thinks = world.mover()
    voter = next(p for p in world.people.values() if p is not thinks)
    world.wait(60)
    session = voter.game.session
    assert thinks.game.me is not None
    ballot = session.vote(thinks.game.me.player.seat, PERSON)
    voter.game.write(ballot, world.now)
    world.wait(10)
    assert all(p.game.session.state.epoch == 0 for p in world.people.values())
    world.wake()
    slots = world.agree()
    world.until(lambda: all(p.game.session.log.head.number > slots + 3 for p in world.people.values()), 60)


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4])
def test_bots_among_themselves_go_on_without_one_that_lives_and_never_moves(seats: int) -> None:
    """Keep its client answering, sharing and voting; only its clock runs out."""
    world = World.begun(seats=seats, patience=30.0, clock=40)
    mute = world.mover()
    others = [p for p in world.people.values() if p is not mute]
    world.wait(35)
    assert all(p.game.session.state.epoch == 0 for p in others), "not before its clock has run out"
    world.wake()
    mute.asleep = True
    world.until(lambda: all(p.game.session.state.outcome is not None for p in others), 900)
    assert len({p.game.session.log.head.link for p in others}) == 1
    for bot in others:
        (excluded,) = bot.told(game.Excluded)
        assert excluded.seat == bot.game.places((mute.game.founded.seat_of(mute.me.key) or 0,))[0]
        assert not bot.game.session.log.evidence, "to be slow is no crime"
        assert world.record(bot.name).settled


@pytest.mark.long
def test_bots_wait_for_a_person_who_is_there_however_long_it_takes() -> None:
    world = World.begun(seats=3, patience=30.0, clock=40, persons=["p0"])
    world.people["p0"].asleep = True
    world.until(lambda: "bundle" in world.people["p0"].game.session.owes and world.people["p0"].free, 120)
    bots = [world.people["p1"], world.people["p2"]]
    place = bots[0].game.places((world.people["p0"].game.founded.seat_of(world.people["p0"].me.key) or 0,))[0]
    world.wait(1800)
    assert all(p.game.session.state.epoch == 0 for p in bots)
    late = bots[0].told(game.Overdue)[-1]
    assert (late.seat, late.kind, late.votable) == (place, "clock", True), "and everybody can read why"
    world.wake()
    world.run()
    world.finished()


@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_the_owed_entry_arrives_before_between_or_after_the_ballots(when: str) -> None:
    world = World(3, "classic", f"owed {when}", bots=False)
    world.in_play()
    late = world.mover()
    one, two = [p for p in world.people.values() if p is not late]
    place = late.game.seat
    assert place is not None
    assert late.game.me is not None
    out = late.game.me.player.seat
    # Its entry is written but reaches nobody.
    world.broker.cut(late.name)
    late.asleep = False
    world.move(late)
    world.wait(2)
    late.asleep = True
    (entry,) = late.game.own[-1:]
    world.wait(70)
    topic = late.client.channel.topic("mv", late.me.key)
    payload = late.client.channel.payload(entry)

    def arrives(person: Person) -> None:
        person.client.receive(topic, payload, False, world.now)
        world._settle(person)

    if when == "before":
        arrives(two)
    one.client.vote(place, True, world.now)
    world._settle(one)
    if when == "between":
        arrives(two)
    world.wait(2)
    if when == "after":
        two.client.vote(place, True, world.now)
        world._settle(two)
        world.wait(2)
        arrives(two)
        arrives(one)
        world.until(lambda: 0 < one.game.session.state.epoch == two.game.session.state.epoch, 60)
        world.broker.heal(late.name)
        world.disconnect(late)
        world.connect(late)
        world.until(lambda: late.game.out, 60)
        return
    # The one who has the entry votes no and passes it on: nobody is voted out, and all go on with it.
    world.until(lambda: all(p.game.session.log.head.number > 12 for p in (one, two)), 60)
    world.until(lambda: len({p.game.session.log.written(0, _slot(entry), out) for p in (one, two)}) == 1, 60)
    assert one.game.session.log.written(0, _slot(entry), out) is not None
    world.broker.heal(late.name)
    world.disconnect(late)
    world.connect(late)
    world.wake()
    slots = one.game.session.log.head.number
    world.until(lambda: all(p.game.session.log.head.number > slots + 3 for p in world.people.values()), 60)


def _slot(entry: bytes) -> int:
    header = read_header(entry[64:])
    assert header is not None
    return header.slot


def test_one_who_vanishes_before_it_signed_the_end_does_not_keep_the_others_from_it() -> None:
    world = World.begun(seats=3, patience=40.0)
    world.until(lambda: any(p.game.session.state.kinds == ("end",) for p in world.people.values()) or _last(world))
    gone = "p1"
    world.kill(gone)
    world.run(400)
    stays = list(world.people.values())
    assert all(p.game.session.state.outcome is not None for p in stays)
    assert len(world.heads()) == 1
    assert all(world.record(p.name).settled for p in stays)


def _last(world: World) -> bool:
    sealed = world.people["p0"].game.sealed
    return sealed is not None and sealed.position.outcome is not None


def test_a_ballot_is_on_disk_before_it_is_sent() -> None:
    world = World.begun(seats=3, bots=False)
    gone = world.mover()
    one = next(p for p in world.people.values() if p is not gone)
    place = gone.game.seat
    assert place is not None
    assert gone.game.me is not None
    out = gone.game.me.player.seat
    world.kill(gone.name)
    world.wait(65)
    one.disk.full = True
    with pytest.raises(OSError, match="space"):
        one.client.vote(place, True, world.now)
    assert not [p for p in one.client.take_outgoing() if b"ballot" in p.payload]
    one.disk.full = False
    one.client.vote(place, True, world.now)
    assert [word.choice.out for word in one.game.session.ballots.view.mine] == [out]
    # A restart does not forget it: nothing is written on that base until the round is over.
    world._settle(one)
    world.kill(one.name)
    one = world.revive(one.name)
    assert one.game.session.ballots.bound()


@pytest.mark.parametrize("bots", [True, False])
def test_by_correspondence_nobody_is_away_before_the_clock_has_run_out(bots: bool) -> None:
    world = World.begun(seats=3, bots=bots, clock=3600)
    gone = world.mover()
    others = [p for p in world.people.values() if p is not gone]
    place = gone.game.seat
    assert place is not None
    world.kill(gone.name)
    for _ in range(11):
        world.step(300.0)
    assert not any(person.told(game.Vote) for person in others)
    if not bots:
        with pytest.raises(Illegal, match="vote-too-early"):
            others[0].client.vote(place, True, world.now)
    for _ in range(2):
        world.step(300.0)
    if bots:
        world.until(lambda: all(p.told(game.Excluded) for p in others), 60)
    else:
        others[0].client.vote(place, True, world.now)


def test_by_correspondence_the_clock_goes_on_while_everybody_is_away() -> None:
    """Let people who look in now and then vote as soon as the time is up, not only those who stayed."""
    world = World.begun(seats=3, bots=False, clock=3600)
    gone = world.mover()
    names = [name for name, person in world.people.items() if person is not gone]
    place = gone.game.seat
    assert place is not None
    world.wait(5)
    for name in list(world.people):
        world.kill(name)
    world.step(3500.0)
    caller, other = (world.revive(name) for name in names)
    for person in (caller, other):
        person.asleep = True
    world.wait(80)
    with pytest.raises(Illegal, match="vote-too-early"):
        caller.client.vote(place, True, world.now)
    world.disconnect(other)
    world.connect(other)
    world.wait(80)
    caller.client.vote(place, True, world.now)
    world._settle(caller)
    world.until(lambda: bool(other.told(game.Vote)), 60)
    other.client.vote(place, True, world.now)
    world._settle(other)
    world.until(lambda: bool(caller.told(game.Excluded)), 120)


@pytest.mark.parametrize("yes", [True, False])
def test_a_keeper_says_no_in_a_vote_unless_its_person_told_it_otherwise(yes: bool) -> None:
    world = World.begun(seats=3, bots=False, clock=3600)
    gone = world.mover()
    caller, kept = [p for p in world.people.values() if p is not gone]
    place = gone.game.seat
    assert place is not None
    assert kept.client.duties is not None
    kept.client.duties.keeping, kept.client.duties.votes_yes = True, yes
    world.kill(gone.name)
    for _ in range(13):
        world.step(300.0)
    caller.client.vote(place, True, world.now)
    world._settle(caller)
    world.until(lambda: any(vote.yes or vote.no for vote in caller.told(game.Vote)[-1:]), 60)
    if yes:
        world.until(lambda: bool(caller.told(game.Excluded)), 120)
    else:
        world.until(lambda: bool(caller.told(game.Vote)[-1].no), 120)
        assert not caller.told(game.Excluded)
