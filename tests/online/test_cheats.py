"""Every rule has a cheat who breaks it: the honest stay in agreement, and the blame names the right seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from wasabi_protocol.game.catch_up import IN_SECONDS, MOST_BYTES
from wasabi_protocol.game.early_entries import MAX_ENTRIES
from wasabi_protocol.sealed import group
from wasabi_protocol.signed.codec import parse, signed_message, write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.messages import Ask, Ballot, Bundle, Join, Say

from wasabi_tx.bots.levels import find_bot
from wasabi_tx.games import game
from wasabi_tx.online.client import events as table_events
from wasabi_tx.online.client.events import TalkHeard
from wasabi_tx.online.terms import STRANGERS

from . import cheats
from .world import Person, World


def _honest(world: World, cheat: Person) -> list[Person]:
    return [person for person in world.people.values() if person is not cheat]


def _blamed(world: World, cheat: Person) -> None:
    """Check that everybody honest blames this seat and nobody else."""
    place = cheat.game.seat
    for person in _honest(world, cheat):
        assert {event.seat for event in person.told(game.InvalidEntry)} == {place}, person.name


def _go_on(world: World, cheat: Person) -> None:
    honest = _honest(world, cheat)
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in honest), 120)
    assert all(p.told(game.Excluded)[0].seat == cheat.game.seat for p in honest if cheat.game.seat is not None)
    world.wake()
    cheat.asleep = True
    slots = max(p.game.session.log.head.number for p in honest)
    world.until(lambda: all(p.game.session.log.head.number >= slots + 12 for p in honest), 120)
    assert len({p.game.session.log.slots[slots + 10].link for p in honest}) == 1


def _illegal(cheat: Person) -> bytes:
    return cheats.signed(cheat, cheats.bundle_of(cheat, ["done", "done"]))


def _wrong_digest(cheat: Person) -> bytes:
    right = parse(_legal(cheat)[64:])
    assert isinstance(right, Bundle)
    return cheats.signed(cheat, replace(right, digest=bytes(32)))


def _no_body(cheat: Person) -> bytes:
    return sign(cheat.me, write(cheats.bundle_of(cheat))[:-20])


@pytest.mark.parametrize("wrong", [_illegal, _wrong_digest, _no_body])
def test_a_wrong_entry_sends_its_author_away_from_three(wrong: Callable[[Person], bytes]) -> None:
    world = World.begun(seats=3)
    cheat = world.mover()
    cheats.mute(cheat)
    cheats.publish(world, cheat, wrong(cheat))
    world.until(lambda: all(p.told(game.InvalidEntry) for p in _honest(world, cheat)), 10)
    _blamed(world, cheat)
    _go_on(world, cheat)


def test_a_wrong_entry_ends_a_game_of_two_and_the_file_proves_it() -> None:
    world = World.begun()
    cheat = world.mover()
    cheats.mute(cheat)
    cheats.publish(world, cheat, _illegal(cheat))
    (honest,) = _honest(world, cheat)
    world.until(lambda: honest.client.done, 30)
    (invalid,) = honest.told(game.InvalidEntry)
    assert invalid.seat == cheat.game.seat
    assert invalid.saved_as == "game"
    found = world.record(honest.name)
    assert not found.valid
    assert found.session.broken is not None
    assert found.session.broken.seat == _seat_of(cheat)
    world.until(lambda: not honest.client.stay(world.now), 70)


def _seat_of(cheat: Person) -> int:
    assert cheat.game.me is not None
    return cheat.game.me.player.seat


def _owing_shares(world: World) -> Person:
    """Return a person whose client writes nothing by itself any more, and owes shares."""
    world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 60)
    cheat = world.people["p1"]
    world.until(
        lambda: cheat.game.session.log.head.number > 8 and cheat.game.sealed and not cheat.game.session.state.automatic,
        60,
    )
    cheats.mute(cheat)
    world.until(lambda: cheat.game.session.owes == ("shares",), 60)
    return cheat


def test_a_share_of_another_card_is_proof() -> None:
    world = World(3, "classic", "share")
    cheat = _owing_shares(world)
    cheats.publish(world, cheat, cheats.other_share(cheat))
    world.until(lambda: all(p.told(game.InvalidEntry) for p in _honest(world, cheat)), 10)
    _blamed(world, cheat)
    _go_on(world, cheat)


def test_a_withheld_share_is_waited_for_then_voted_about() -> None:
    world = World(3, "classic", "withheld", patience=40.0)
    cheat = _owing_shares(world)
    world.wait(35)
    honest = _honest(world, cheat)
    assert all(p.game.session.state.epoch == 0 for p in honest)
    assert all(p.told(game.Overdue)[-1].kind == "shares" for p in honest)
    _go_on(world, cheat)
    assert not any(p.told(game.InvalidEntry) for p in honest), "to be silent proves nothing"


def test_one_who_says_two_things_to_two_is_found_out() -> None:
    world = World.begun(seats=3)
    cheat = world.mover()
    cheats.mute(cheat)
    one, two = _honest(world, cheat)
    right = _legal(cheat)
    cheats.give(world, one, cheat, right)
    cheats.give(world, two, cheat, _illegal(cheat))
    world.until(lambda: one.told(game.InvalidEntry) and two.told(game.InvalidEntry), 30)
    _blamed(world, cheat)
    _go_on(world, cheat)


def _legal(cheat: Person) -> bytes:
    playing, sealed = cheat.game, cheat.game.sealed
    assert sealed is not None
    bundle = find_bot("greedy").choose(playing.observation(), Random(1), 100)
    after = sealed.rules.apply_bundle(sealed.position, bundle)
    steps = [sealed.rules.grammar.format(step) for step in bundle.steps]
    return playing.session.bundle(steps, sealed.seals(bundle.seat, bundle.steps, after))


def test_a_second_body_for_an_old_slot_is_proof_and_cuts_nothing_that_is_settled() -> None:
    world = World.begun(30, seats=3)
    world.mover()
    cheat = world.people["p1"]
    cheats.mute(cheat)
    slots = world.agree()
    old = cheats.last_own(cheat, Bundle)
    early = next(
        message
        for envelope in cheat.game.own
        if isinstance(message := parse(envelope[64:]), Bundle) and message.slot < slots - 10
    )
    assert old.slot > early.slot
    cheats.publish(world, cheat, cheats.signed_badly(cheat, replace(early, digest=bytes(32))))
    world.until(lambda: all(p.told(game.InvalidEntry) for p in _honest(world, cheat)), 10)
    _blamed(world, cheat)
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in _honest(world, cheat)), 120)
    assert all(p.game.session.log.slots[slots + 1].voted for p in _honest(world, cheat)), "the vote stands on the head"
    _go_on(world, cheat)


@pytest.mark.long
def test_forged_and_replayed_envelopes_and_those_without_a_seat_change_nothing() -> None:
    world = World.begun(seats=3, watchers=1)
    mover = world.mover()
    stranger = world.people["w0"]
    before = world.agree()
    seat = _seat_of(mover)
    entry = cheats.bundle_of(mover, ["done", "done"])
    # Under another name; under the own name in another seat; heads and ballots without a seat.
    cheats.publish(world, mover, sign(stranger.me, write(entry)))
    cheats.publish(world, mover, bytes(64) + write(entry))
    cheats.publish(world, stranger, sign(stranger.me, write(entry)))
    gid, log = mover.game.founded.gid, mover.game.session.log
    ballot = Ballot(gid, 0, before, (seat + 1) % 3, log.head.link, 1, seat, "person")
    cheats.publish(world, stranger, signed_message(stranger.me, ballot))
    cheats.publish(world, stranger, cheats.fake_head(stranger, 1), "head")
    for publication in list(world.broker.log)[-200:]:
        world.broker.publish("cheat", publication, world.now)
    world.wait(5)
    assert world.agree() == before
    for person in world.people.values():
        assert not person.told(game.InvalidEntry)
        assert not person.told(game.Vote)
    world.wake()
    world.run()
    world.finished()


def test_replayed_words_do_not_make_a_gone_seat_present() -> None:
    world = World.begun(seats=3, bots=False)
    gone = world.mover()
    one = next(p for p in world.people.values() if p is not gone)
    place = gone.game.seat
    assert place is not None
    old = {kind: cheats.said_before(world, gone, kind) for kind in ("mv", "head")}
    world.kill(gone.name)
    for _ in range(14):
        world.wait(5)
        for kind, words in old.items():
            for envelope in words:
                cheats.publish(world, gone, envelope, kind)
    assert one.told(game.SeatStates)[-1].states[place] is game.SeatState.AWAY
    one.client.vote(place, True, world.now)


def test_heads_of_before_do_not_make_a_seat_present_for_whoever_comes_back_either() -> None:
    world = World.begun(seats=3, bots=False)
    world.wait(40)
    gone = world.mover()
    one = next(p for p in world.people.values() if p is not gone)
    place = gone.game.seat
    assert place is not None
    old = cheats.said_before(world, gone, "head")
    gone.asleep = False
    world.wait(3)
    world.kill(gone.name)
    world.kill(one.name)
    one = world.revive(one.name)
    one.asleep = True
    world.until(lambda: not one.game.asking.catching_up, 60)
    for envelope in old[-8:]:
        world.wait(5)
        cheats.publish(world, gone, envelope, "head")
    assert one.told(game.SeatStates)[-1].states[place] is game.SeatState.AWAY


def test_heads_of_ones_own_earlier_runs_stop_nobody() -> None:
    world = World.begun(bots=False)
    world.wait(20)
    one = world.mover()
    for _ in range(3):
        old = cheats.said_before(world, one, "head")
        world.kill(one.name)
        one = world.revive(one.name)
        one.asleep = True
        world.until(lambda one=one: not one.game.asking.catching_up, 60)  # type: ignore[misc]
        for envelope in old:
            cheats.publish(world, one, envelope, "head")
            world.wait(0.1)
        assert not one.told(game.OtherRun)
        world.wait(20)
    slot = world.agree()
    one.asleep = False
    world.until(lambda: one.game.session.log.head.number > slot, 20)


def test_fake_heads_cause_few_asks() -> None:
    world = World.begun(seats=3)
    cheat = world.mover()
    start = len(world.broker.log)
    began = world.now
    for n in range(120):
        cheats.publish(world, cheat, cheats.fake_head(cheat, n), "head")
        if n % 2:
            cheats.publish(world, cheat, cheat.game.session.head(), "head")
        world.wait(0.5)
    asks = [p for p in world.broker.log[start:] if "/ask/" in p.topic]
    # At most one a second from each reader if the heads come and go, and far fewer if they stay.
    assert len(asks) <= 2 * (world.now - began)
    start = len(world.broker.log)
    for n in range(120, 180):
        cheats.publish(world, cheat, cheats.fake_head(cheat, n), "head")
        world.wait(1)
    assert len([p for p in world.broker.log[start:] if "/ask/" in p.topic]) <= 2 * 8
    world.wake()
    world.run()
    world.finished()


def test_a_flood_of_asks_gets_a_bounded_answer_and_starves_nobody() -> None:
    world = World.begun(20, watchers=1)
    world.mover()
    flooder, asked = world.people["w0"], world.people["p0"]
    start = len(world.broker.log)
    for n in range(200):
        for _ in range(5):
            ask = Ask(world.table, flooder.me.key, asked.me.key, n % 5)
            cheats.publish(world, flooder, signed_message(flooder.me, ask), "ask")
        world.wait(0.25)
        if n == 100:
            world.kill("p1")
            back = world.revive("p1")
            world.until(lambda: not back.game.asking.catching_up, 10)  # noqa: B023
    answers = [p for p in world.broker.log[start:] if "/ans/" in p.topic]
    assert sum(len(p.payload) for p in answers) <= MOST_BYTES * (60 / IN_SECONDS + 1) * 1.2
    assert len(asked.game.watchers) == 1
    world.wake()
    world.run()
    world.finished()


def test_floods_of_garbage_and_chat_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World.begun()
    world.mover()
    cheat = world.people["p1"]
    checks = 0
    holds = group.signature_holds

    def counted(key: bytes, signature: bytes, text: bytes) -> bool:
        nonlocal checks
        checks += 1
        return holds(key, signature, text)

    monkeypatch.setattr("wasabi_protocol.signed.envelope.signature_holds", counted)
    honest = world.people["p0"]
    topic = cheat.client.channel.topic("mv", cheat.me.key)
    for n in range(300):
        honest.client.receive(topic, bytes([n % 256]) * 65_536, False, world.now)
        honest.client.receive(topic, b"\x00" * (n % 70), False, world.now)
    assert checks <= 600
    # Entries from the far future wait, within bounds.
    entry = cheats.bundle_of(cheat)
    for n in range(MAX_ENTRIES + 100):
        far = replace(entry, slot=1000 + n, prev=bytes([n % 256]) * 32)
        cheats.give(world, honest, cheat, cheats.signed(cheat, far))
    assert honest.game.session.log.waiting == MAX_ENTRIES
    for n in range(100):
        say = Say(world.table, cheat.me.key, n, f"line {n}")
        cheats.give(world, honest, cheat, cheats.signed(cheat, say), "say")
    assert len(honest.told(game.Said)) <= 5
    world._settle(honest)
    size = len(honest.disk.record)
    # Votes that nobody answers fill no disk.
    gid, log = cheat.game.founded.gid, honest.game.session.log
    mine, other = _seat_of(cheat), _seat_of(honest)
    for n in range(1, 300):
        ballot = Ballot(gid, 0, log.head.number, mine, log.head.link, n, other, "client")
        cheats.give(world, honest, cheat, cheats.signed(cheat, ballot))
    honest.game.ledger.flush()
    assert len(honest.disk.record) - size < 10_000
    assert not honest.told(game.InvalidEntry)
    world.wake()
    world.run()
    world.finished()


def test_a_stranger_gets_no_seat_by_a_join_for_other_terms_or_in_anothers_name() -> None:
    world = World(2, "classic", "stranger", start=False)
    host = world.sit(0)
    world.wait(1)
    stranger = world.watch()
    offer = host.client.waiting_room.room.offer if host.client.waiting_room.room else None
    assert offer is not None
    bad = Join(world.table, stranger.me.key, bytes(32), bytes(32), "x", b"", b"")
    cheats.publish(world, stranger, signed_message(stranger.me, bad))
    cheats.publish(world, host, sign(stranger.me, write(replace(bad, key=host.me.key))))
    world.wait(3)
    assert host.client.waiting_room.admitted == [host.me.key]
    assert not [event for event in host.told(table_events.Joined) if event.key == stranger.me.key]


@pytest.mark.long
def test_a_seat_that_calls_for_votes_without_end_is_answered_ever_more_slowly() -> None:
    world = World.begun(seats=4)
    cheat = world.mover()
    cheats.mute(cheat)
    honest = _honest(world, cheat)
    first, out = honest[0].game, _seat_of(honest[1])
    said = len(first.own)
    for _ in range(160):
        log = first.session.log
        place = (first.founded.gid, log.state.epoch, log.head.number, _seat_of(cheat), log.head.link)
        cheats.publish(world, cheat, cheats.signed(cheat, Ballot(*place, log.poll.floor + 1, out, "person")))
        world.wait(0.5)
    assert first.session.log.poll.floor > 10, "it was answered"
    assert len(first.own) - said < 70
    assert all(len(p.game.session.ballots.standing()) < 20 for p in honest)


def test_more_proof_against_a_seat_that_is_out_is_bounded() -> None:
    world = World.begun(30, seats=3)
    cheat = world.mover()
    cheats.mute(cheat)
    cheats.publish(world, cheat, _illegal(cheat))
    honest = _honest(world, cheat)
    world.until(lambda: all(p.game.session.state.epoch > 0 for p in honest), 60)
    for envelope in cheat.game.own:
        message = parse(envelope[64:])
        if isinstance(message, Bundle):
            cheats.publish(world, cheat, cheats.signed_badly(cheat, replace(message, digest=bytes(32))))
    world.wait(2)
    assert all(1 <= len(p.game.session.log.evidence) <= 4 for p in honest)


def test_watchers_who_shout_do_not_silence_the_seats() -> None:
    world = World(2, "classic", "shout", start=False)
    world.hosting = replace(world.hosting, terms=replace(world.hosting.terms, options=("watchers-talk",)))
    world.sit(0)
    speaker = world.sit(1)
    world.in_play()
    world.mover()
    reader = world.people["p0"]
    for number in range(8):
        shouter = world.watch(number)
        for n in range(5):
            say = Say(world.table, shouter.me.key, n, "!")
            cheats.give(world, reader, shouter, signed_message(shouter.me, say), "say")
    cheats.give(world, reader, speaker, cheats.signed(speaker, Say(world.table, speaker.me.key, 1, "hello")), "say")
    assert reader.told(game.Said)[-1].text == "hello"
    assert len(reader.told(game.Said)) <= 21


@pytest.mark.parametrize("options", [(), ("watchers-talk",)])
def test_watchers_are_heard_only_where_the_table_lets_them_talk(options: tuple[str, ...]) -> None:
    world = World(2, "classic", "may watchers talk", options=options)
    world.in_play()
    world.mover()
    stranger, reader = world.watch(0), world.people["p0"]
    cheats.give(world, reader, stranger, signed_message(stranger.me, Say(world.table, stranger.me.key, 1, "hm")), "say")
    assert [said.text for said in reader.told(game.Said)] == (["hm"] if options else [])
    speaker = world.people["p1"]
    cheats.give(world, reader, speaker, cheats.signed(speaker, Say(world.table, speaker.me.key, 1, "hello")), "say")
    assert reader.told(game.Said)[-1].text == "hello"


def test_at_a_table_of_strangers_nothing_is_heard_but_digits() -> None:
    world = World(2, "classic", "strangers", options=STRANGERS)
    speaker, reader = world.people["p0"], world.people["p1"]

    def speak(n: int, text: str) -> None:
        line = Say(world.table, speaker.me.key, n, text)
        cheats.give(world, reader, speaker, signed_message(speaker.me, line), "say")

    speak(1, "before the offer")
    world.step()
    speak(2, "in the room")
    world.in_play()
    world.mover()
    speak(3, "33")
    speak(4, "rude")
    speak(5, "3")
    heard = [event.text for event in reader.events if isinstance(event, game.Said | TalkHeard)]
    assert heard == ["3"]
