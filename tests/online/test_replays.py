"""Nothing that somebody signed at a table has any effect when anybody sends it again later."""

from __future__ import annotations

import pytest
from wasabi_protocol.signed.messages import TYPES, Say
from wasabi_protocol.verdicts import Verdict

from tests.online.test_goodbyes import close
from tests.online.world import Person, World
from wasabi_tx.net.transport import Arrived
from wasabi_tx.online.client.driver import snapshot_of

ELSEWHERE = {"closed", "birth", "off", "knock", "knocked"}
"""Messages of a lobby or a door, whose own tests replay them."""
NOT_IN_THE_STORY = {"carry", "multiply", "tags", "blame", "abandon"}
"""Entries and proofs: the log accepts each once, by its place in the chain or by its bytes."""


def facts(person: Person, now: float) -> object:
    """Return everything that a client believes, shows or would do."""
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

    delivered: set[tuple[str, bytes]]

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
                kinds.add("entry" if letter.message is None else letter.message.t)
                # This bypasses the budget, which would spare a client most of it.
                client._take(letter, retained, now)
                what = (person.name, "entry" if letter.message is None else letter.message, retained)
                assert facts(person, now) == before, what
                assert not client.take_events(), what
        client.take_outgoing()
    return kinds


def test_every_kind_of_message_is_accounted_for() -> None:
    story = {"offer", "say", "join", "seated", "genesis", "accept", "start", "head", "doing", "ask", "answer", "chunk"}
    entries = {"keys", "shuffle", "shares", "bundle", "leave", "end"}
    votes = {"wish", "ballot", "pledge"}
    assert story | entries | votes | ELSEWHERE | NOT_IN_THE_STORY == set(TYPES)


@pytest.mark.parametrize("private", [False, True])
@pytest.mark.long
def test_nothing_that_was_said_at_a_table_does_anything_again(private: bool) -> None:
    """Let a guest go and come back, all sit and play, one vanish and be voted out, and the game end."""
    world = Listening(3, "classic", "said again", start=False, private=private, patience=20.0)
    world.delivered = set()
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
    assert {"offer", "say", "join", "seated", "genesis", "accept", "start", "head", "doing", "entry"} <= heard
    assert {"ask", "answer", "chunk", "ballot", "pledge"} <= heard
