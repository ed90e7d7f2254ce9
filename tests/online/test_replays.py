"""Nothing that somebody signed at a table has any effect when anybody sends it again later, there or elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from wasabi_protocol.signed.codec import parse
from wasabi_protocol.signed.messages import TYPES, Say
from wasabi_protocol.table.channel import Letter
from wasabi_protocol.verdicts import Verdict

from tests.online import cheats
from tests.online.test_goodbyes import close
from tests.online.world import Person, World
from wasabi_tx.net.transport import Arrived
from wasabi_tx.online.client.driver import snapshot_of

ELSEWHERE = {"closed", "birth", "off", "knock", "knocked", "seek"}
"""Messages of a lobby or a door, and of those who seek: `test_lobby.py` and `test_knocking.py` of the protocol's tests
replay them, and so does `test_seeking.py`.
"""
IN_THE_ROOM = {"offer", "say", "join", "seated", "genesis", "accept", "start"}
IN_A_GAME = {"head", "doing", "ask", "answer", "chunk", "keys", "shuffle", "shares", "bundle", "end"}
IN_A_VOTE = {"ballot", "pledge", "carry", "multiply", "tags"}
"""The words of a vote, and the entries of the epoch that it begins."""


def facts(person: Person, now: float) -> object:
    """Return all that a client believes, shows or would do."""
    client = person.client
    room, playing = client.waiting_room, client.playing
    protocol_room = room.room
    before = (
        list(room.admitted),
        sorted(room._gone),
        sorted(room._turned_away),
        sorted(room._drops.items()),
        room._seats_told,
        None if protocol_room is None else (protocol_room.offer, sorted(protocol_room.joins), protocol_room.proof),
        None if protocol_room is None else (sorted(protocol_room.games), protocol_room.started),
        room.started,
        dict(client.talk._last),
    )
    if playing is None:
        return before, snapshot_of(client)
    session, seats = playing.session, range(len(playing.founded.keys))
    slot = session.log.head.number
    inside = (
        session.log.head,
        len(session.log.slots),
        list(session.log.evidence),
        sorted(session.wishes.leavers()),
        session.ballots.bound(),
        [session.heads.covered(seat) for seat in seats],
        session.heads.confirmed(),
        session.heads.other_run,
        sorted(playing.patience.closed),
        sorted(playing.patience._heard.items()),
        [playing.doings.word(seat, slot, now) for seat in seats],
        playing.asking.catching_up,
    )
    return before, snapshot_of(client), inside


class Listening(World):
    """A world that remembers what was delivered to whom."""

    def __init__(self, *options: Any, **more: Any) -> None:
        self.delivered: set[tuple[str, bytes]] = set()
        super().__init__(*options, **more)

    def _deliver(self, person: Person, message: Arrived) -> None:
        self.delivered.add((person.name, message.payload))
        super()._deliver(person, message)


def replay_all(world: Listening) -> set[str]:
    """Send everything that was ever said to everybody; return the kinds of those messages."""
    kinds: set[str] = set()
    # Messages still on their way would be heard for the first time.
    while due := world.broker.due(world.now):
        for name, message in due:
            world._deliver(world.people[name], message)
    told = dict.fromkeys((one.topic, one.payload) for one in world.broker.log)
    for person in world.people.values():
        client, now = person.client, world.clock(person.name)
        client.take_outgoing()
        client.take_events()
        before = facts(person, now)
        for topic, payload in told:
            for retained in (False, True):
                try:
                    letter = client.channel.read(topic, payload)
                except Verdict:
                    continue
                if isinstance(letter.message, Say) and (person.name, payload) not in world.delivered:
                    # Somebody who came later hears a line for the first time, however old it is.
                    continue
                kinds.add(kind_of(letter))
                # This bypasses the budget, which would spare a client most of it.
                client._take(letter, retained, now)
                what = (person.name, kind_of(letter), letter.message, retained)
                assert facts(person, now) == before, what
                assert not client.take_events(), what
        client.take_outgoing()
    return kinds


def kind_of(letter: Letter) -> str:
    return parse(letter.signed.body).t


def test_every_kind_of_message_is_accounted_for() -> None:
    assert IN_THE_ROOM | IN_A_GAME | IN_A_VOTE | {"wish", "leave", "blame", "abandon"} | ELSEWHERE == set(TYPES)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.long
def test_nothing_that_was_said_at_a_table_does_anything_again(private: bool) -> None:
    """Let a guest go and come back, all sit and play, one vanish and be voted out, and the game end."""
    world = Listening(3, "classic", "said again", start=False, private=private, patience=20.0)
    heard: set[str] = set()

    def moment() -> None:
        heard.update(replay_all(world))

    host, guest = world.sit(0), world.sit(1)
    world.wait(3)
    guest.client.send_talk("ciao", 1_790_000_000)
    host.client.send_talk("hello", 1_790_000_000)
    world.wait(1)
    moment()
    close(world, guest)
    world.wait(3)
    moment()
    guest = world.revive("p1")
    world.wait(4)
    moment()
    world.sit(2)
    world.in_play(8)
    moment()
    mover = world.mover()
    mover.client.doing("composing", world.now)
    world.wait(3)
    moment()
    close(world, mover)
    world.wait(3)
    moment()
    world.revive(mover.name)
    world.wait(12)
    world.wake()
    world.wait(5)
    moment()
    gone = next(name for name in world.people if name != "p0")
    world.kill(gone)
    world.until(lambda: any(slot.out is not None for slot in world.people["p0"].game.session.log.slots), 200)
    moment()
    world.run()
    moment()
    world.finished()
    assert heard >= IN_THE_ROOM | IN_A_GAME | IN_A_VOTE


@pytest.mark.parametrize("private", [False, True])
def test_a_leave_proof_and_a_surrender_do_nothing_again(private: bool) -> None:
    """Let one of four leave, another be proved wrong and voted out, and one of the last two give up."""
    world = Listening(4, "classic", "goes", private=private, patience=20.0)
    world.in_play()
    leaver = world.mover()
    world.wake()
    other = next(person for person in world.people.values() if person is not leaver)
    other.client.quit(world.now)
    world.until(lambda: other.game.out, 60)
    heard = replay_all(world)
    cheat = world.mover()
    cheats.mute(cheat)
    cheats.publish(world, cheat, cheats.signed_badly(cheat, replace(cheats.bundle_of(cheat), steps=("nothing",))))
    world.until(lambda: any(slot.out is not None for slot in leaver.game.session.log.slots), 60)
    heard |= replay_all(world)
    last = [person for person in world.people.values() if person not in (other, cheat)]
    world.until(lambda: all(person.game.sealed is not None and person.free for person in last), 60)
    last[0].client.abandon(world.now)
    world.wait(3)
    heard |= replay_all(world)
    assert {"wish", "leave", "blame", "abandon"} <= heard


# At another table


def carried_over(one: Listening, other: Listening) -> int:
    """Send everything that was said at one table to everybody at another; return how many messages that were."""
    told = dict.fromkeys((said.topic, said.payload) for said in one.broker.log)
    reader = next(iter(one.people.values())).client.channel
    sent = 0
    for person in other.people.values():
        client, now = person.client, other.clock(person.name)
        client.take_outgoing()
        client.take_events()
        before = facts(person, now)
        for topic, payload in told:
            try:
                letter = reader.read(topic, payload)
            except Verdict:
                continue
            # Sealed anew, as somebody could who has both invites.
            here = client.channel.topic(letter.topic.kind, letter.key, letter.topic.n)
            for where, what in ((topic, payload), (here, client.channel.payload(letter.envelope))):
                sent += 1
                try:
                    client._take(client.channel.read(where, what), False, now)
                except Verdict:
                    continue
                assert facts(person, now) == before, (person.name, kind_of(letter), letter.message)
                assert not client.take_events(), (person.name, kind_of(letter), letter.message)
        client.take_outgoing()
    return sent


@pytest.mark.parametrize("private", [False, True])
def test_nothing_that_was_said_at_one_table_does_anything_at_another_of_the_same_people(private: bool) -> None:
    one = Listening(3, "classic", "two tables", private=private, patience=20.0)
    one.in_play(20)
    one.people["p1"].client.send_talk("ciao", 1_790_000_000)
    one.kill("p2")
    one.run()
    other = Listening(3, "classic", "two tables", start=False, private=private, salt="another")
    assert other.table != one.table
    other.sit(0)
    other.sit(1)
    other.wait(2)
    assert carried_over(one, other) > 500
    other.sit(2)
    other.in_play(14)
    assert carried_over(one, other) > 500
    other.run()
    other.finished()
