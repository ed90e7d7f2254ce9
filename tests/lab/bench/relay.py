"""The load of a whole private game on a relay, in virtual time: `python -m tests.lab.bench.relay --seats 4`."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from dataclasses import dataclass, field

from tests.online.world import World
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.pacing import PUBLISHES_A_SECOND, Pace
from wasabi_tx.net.transport import Publication


@dataclass
class Load:
    """The load on one broker."""

    publications: int = 0
    bytes: int = 0
    seconds: Counter[int] = field(default_factory=Counter)
    """Publications of everybody together in each second."""
    longest_wait: float = 0.0
    """Longest wait of a publication, once each client's are paced as on relays."""
    filters: int = 0
    """The most filters that a client had at any moment."""
    left_behind: int = 0
    """Topics still retained after everybody has left."""
    lasted: float = 0.0


def measure(seats: int, edition: str = "classic", seed: str = "relay") -> Load:
    """Play a private game of bots to its end, and let everybody leave."""
    world, load = World(seats, edition, seed, private=True, find=rules_for), Load()
    paces: dict[str, Pace] = {}
    carry = world.broker.publish

    def publish(client: str, publication: Publication, now: float) -> None:
        load.publications += 1
        load.bytes += len(publication.payload)
        load.seconds[math.floor(now)] += 1
        wait = paces.setdefault(client, Pace(clock=lambda: world.now)).wait()
        load.longest_wait = max(load.longest_wait, wait)
        load.filters = max(load.filters, *(len(one.filters) for one in world.broker._clients.values()))
        carry(client, publication, now)

    vars(world.broker)["publish"] = publish
    started = world.now
    world.run()
    world.finished()
    load.lasted = world.now - started
    for person in world.people.values():
        while person.client.stay(world.now):
            world.step()
        person.client.close()
        for publication in person.client.take_outgoing():
            world.broker.publish(person.name, publication, world.now)
    load.left_behind = len(world.broker.retained)
    return load


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--seats", type=int, default=4)
    reader.add_argument("--edition", default="classic")
    load = measure(**vars(reader.parse_args()))
    print(f"publications          {load.publications}")
    print(f"bytes                 {load.bytes}")
    print(f"busiest second        {max(load.seconds.values())} publications of all, as the clients make them")
    print(f"longest wait          {load.longest_wait:.1f} s, if a client publishes {PUBLISHES_A_SECOND} a second")
    print(f"filters of a client   {load.filters}")
    print(f"retained at the end   {load.left_behind} topics")
    print(f"seconds of the game   {load.lasted:.0f}, bots without a pause")


if __name__ == "__main__":
    main()
