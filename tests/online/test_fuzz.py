"""Hostile bytes change nothing and raise nothing: mutated traffic, unsigned, signed by strangers or by seats."""

from __future__ import annotations

import contextlib
from random import Random

import pytest
from wasabi_protocol.game.chain import read_header
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.verdicts import Refused

from tests.protocol.mutations import HOSTILE, bend_body, bend_bytes

from .hub import Hub, found
from .world import World, secret


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_bent_entries_of_the_seat_whose_turn_it_is_are_judged_and_nothing_else(edition: str) -> None:
    rng = Random(edition)
    hub = Hub(found(edition, 3, "fuzz"), edition, "fuzz")
    bodies: list[bytes] = []
    judged = 0
    for _ in range(70):
        before, length = hub.fork(), hub.view.log.head.number
        if not hub.automatic():
            hub.turn(rng.choice(["greedy", "random"]))
        for slot in hub.view.log.slots[length + 1 :]:
            signed = rng.choice(slot.bodies)
            bodies.append(signed.body)
            me = next(me.identity for me in hub.opened.me.values() if me.identity.key == signed.key)
            for _ in range(6):
                bent = sign(me, bend_body(signed.body, bodies, rng))
                fork = before.fork()
                with contextlib.suppress(Refused):
                    events = fork.view.receive(me.key, bent)
                    judged += bool(events)
                assert fork.view.log.head.number <= before.view.log.head.number + 1
                seats = {evidence.seat for evidence in fork.view.log.evidence}
                assert seats <= {hub.opened.founded.keys.index(me.key)}, "nobody else is blamed"
    assert judged > 100


def test_steps_of_nonsense_are_refused_as_steps() -> None:
    hub = Hub(found("classic", 2, "nonsense"), "classic", "nonsense")
    hub.settle()
    (seat,) = hub.view.state.owed
    rng = Random(1)
    words = [
        "place",
        "Tu",
        "a1",
        "d3",
        "claim",
        "3.7",
        "9.99@9",
        "draw",
        "2",
        "-1",
        "",
        " ",
        "\u202e",
        "0",
        "give",
        "99",
    ]
    for _ in range(400):
        text = " ".join(rng.choice(words) for _ in range(rng.randrange(5)))
        assert hub.verdict(seat, [text] * rng.randrange(1, 4), []) is not None or text.startswith("give")


@pytest.mark.long
def test_a_client_takes_any_bytes_on_any_topic() -> None:
    world = World(3, "classic", "fuzz clients", watchers=1)
    world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 60)
    world.until(lambda: world.people["p0"].game.session.log.head.number >= 14, 60)
    for person in world.people.values():
        person.asleep = True
    world.wait(3)
    rng, stranger = Random(7), Identity(secret("stranger"))
    newcomer = world.sit(9) if "p9" not in world.people else world.people["p9"]
    log = [publication for publication in world.broker.log if len(publication.payload) > 64]
    bodies = [publication.payload[64:] for publication in log]
    before = world.people["p0"].game.session.log.head.link
    targets = [world.people["p0"].client, world.people["w0"].client, newcomer.client]
    for _ in range(1500):
        publication = rng.choice(log)
        topic, payload = publication.topic, publication.payload
        how = rng.randrange(5)
        if how == 0:
            payload = bend_bytes(payload, rng)
        elif how == 1:
            payload = sign(stranger, bend_body(payload[64:], bodies, rng))
        elif how == 2:
            payload = rng.choice(HOSTILE)
        elif how == 3:
            # Signed by its author, but not an entry: those are judged above.
            who = rng.choice([person.me for person in world.people.values()])
            body = bend_body(payload[64:], bodies, rng)
            payload = payload if read_header(body) is not None else sign(who, body)
            topic = rng.choice(log).topic.rsplit("/", 1)[0] + "/" + world.people["p0"].client.channel.author(who.key)
        topic = topic if rng.random() < 0.9 else bend_bytes(topic.encode(), rng).decode("latin-1")
        for client in targets:
            client.receive(topic, payload, rng.random() < 0.3, world.now)
            client.take_outgoing()
    for client in targets:
        client.tick(world.now)
    assert world.people["p0"].game.session.log.head.link == before
    world.people.pop("p9", None)
    for person in world.people.values():
        person.asleep = False
    world.run()
    assert len(world.heads()) == 1


def test_a_whole_game_again_changes_nothing() -> None:
    world = World(2, "classic", "again", watchers=1)
    world.run()
    before = world.heads()
    for publication in list(world.broker.log):
        for person in world.people.values():
            person.client.receive(publication.topic, publication.payload, False, world.now)
    assert world.heads() == before
    for person in world.people.values():
        assert not person.game.session.log.evidence
