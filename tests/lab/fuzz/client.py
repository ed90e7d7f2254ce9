"""The whole client as a target: it survives any message under any topic, signed by anyone."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cache

from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import Identity

from tests.online.world import World, secret
from tests.protocol.mutations import HOSTILE, bend_body, bend_bytes
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client.client import Client

from .chance import Chosen

MOST_MESSAGES = 4
LIVES = 200
"""Runs after which the clients are recreated: some messages end a game for good."""


@dataclass
class Scene:
    """Clients in the middle of a game and before one, and all messages until then."""

    clients: list[Client]
    log: list[Publication]
    people: list[Identity]
    now: float
    left: int = LIVES


@cache
def _pristine() -> Scene:
    world = World(3, "classic", "fuzz client", watchers=1)
    world.in_play(16)
    for person in world.people.values():
        person.asleep = True
    world.wait(3)
    newcomer, watcher = world.sit(9), world.watch(1)
    playing = [world.people["p0"].client, world.people["p1"].client, world.people["w0"].client]
    log = [publication for publication in world.broker.log if len(publication.payload) > 64]
    people = [person.me for person in world.people.values()] + [Identity(secret("fuzz stranger"))]
    return Scene([*playing, newcomer.client, watcher.client], log, people, world.now)


_scenes: list[Scene] = []


def _scene() -> Scene:
    if not _scenes or _scenes[0].left <= 0:
        pristine = _pristine()
        fixed: dict[int, object] = {id(one): one for one in (*pristine.log, *pristine.people)}
        for client in pristine.clients:
            playing = client.playing
            if playing is not None:
                for slot in playing.session.log.slots:
                    fixed[id(slot)] = slot
                fixed[id(playing.founded)] = playing.founded
                fixed[id(playing.session.game)] = playing.session.game
        _scenes[:] = [copy.deepcopy(pristine, fixed)]
    return _scenes[0]


def client(data: bytes) -> str:
    """Send a few messages to every client, then tick; no exception escapes. Return the last topic's kind."""
    chance, scene = Chosen(data), _scene()
    scene.left -= 1
    topic = ""
    for _ in range(1 + chance.randrange(MOST_MESSAGES)):
        publication = chance.choice(scene.log)
        topic, payload = publication.topic, publication.payload
        how = chance.randrange(6)
        if how == 0:
            payload = bend_bytes(payload, chance)
        elif how == 1:
            payload = chance.choice(HOSTILE)
        elif how <= 4:
            who = chance.choice(scene.people)
            other = chance.choice(scene.log).payload[64:]
            payload = sign(who, bend_body(payload[64:], [other], chance))
            topic = chance.choice(scene.log).topic.rsplit("/", 1)[0] + "/" + scene.clients[0].channel.author(who.key)
        if chance.random() < 0.1:
            topic = bend_bytes(topic.encode(), chance).decode("latin-1")
        for one in scene.clients:
            one.receive(topic, payload, chance.random() < 0.3, scene.now)
    scene.now += chance.randrange(4) / 4
    for one in scene.clients:
        one.tick(scene.now)
        one.take_outgoing()
        one.take_events()
    return topic.rsplit("/", 2)[-2] if topic.count("/") > 2 else "nowhere"
