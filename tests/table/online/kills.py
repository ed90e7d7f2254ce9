"""kill -9 after every single write of a peer, in the middle of it too: `python -m tests.table.online.kills`."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from random import Random

from wasabi_protocol.game.state import LATE_SHARES

from .world import World

AWAY = 0.5
"""How long a killed peer stays away, in seconds of virtual time."""


def writes_of(edition: str, seats: int, seed: str, name: str, options: Collection[str] = ()) -> int:
    """How often a peer writes to its disk in a whole game, once it is connected."""
    world = World(seats, edition, seed, options=options)
    before = world.people[name].disk.writes
    world.run()
    written = world.people[name].disk.writes - before
    world.finished()
    return written


def kill_at(
    edition: str, seats: int, seed: str, name: str, write: int, torn: bool, options: Collection[str] = ()
) -> int:
    """A game in which a peer dies in one write and comes back; how many slots it came to."""
    world = World(seats, edition, seed, options=options)
    kill_once(world, name, write, Random(f"{seed} {name} {write}").random() if torn else None)
    world.run()
    world.finished()
    return world.agree()


def kill_once(world: World, name: str, write: int, torn: float | None) -> None:
    """Lets a peer die in its n-th write from now on, and come back."""
    disk = world.people[name].disk
    disk.fuse, disk.torn = write, torn
    world.until(lambda: name in world.graves)
    world.wait(AWAY)
    world.revive(name)


def chain(edition: str, seats: int, seed: str, every: int, options: Collection[str] = ()) -> tuple[int, int]:
    """One game in which each peer in its turn dies again and again; how many slots and kills it came to."""
    world, rng, kills = World(seats, edition, seed, options=options), Random(seed), 0
    names = [f"p{number}" for number in range(seats)]
    while not all(world.people[name].client.done for name in names):
        name = names[kills % seats]
        disk = world.people[name].disk
        disk.fuse, disk.torn = rng.randint(1, every), rng.random() if rng.random() < 0.5 else None
        world.until(lambda name=name: name in world.graves or world.people[name].client.done)  # type: ignore[misc]
        if name in world.graves:
            kills += 1
            world.wait(AWAY)
            world.revive(name)
        else:
            disk.fuse = None
            world.run(60)
    world.run()
    world.finished()
    return world.agree(), kills


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", action="append", choices=["classic", "master"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="koi")
    parser.add_argument("--chains", type=int, default=0, help="only so many games with many kills each")
    parser.add_argument("--late", action="store_true", help="at tables with late shares")
    options = parser.parse_args()
    late = [LATE_SHARES] if options.late else []
    for edition in options.edition or ["classic", "master"]:
        kills = 0
        for number in range(options.chains):
            kills += chain(edition, options.seats, f"{options.seed} {number}", 6, late)[1]
        for name in [f"p{number}" for number in range(0 if options.chains else options.seats)]:
            for write in range(1, writes_of(edition, options.seats, options.seed, name, late) + 1):
                for torn in (False, True):
                    kill_at(edition, options.seats, options.seed, name, write, torn, late)
                    kills += 1
        print(f"{edition}, {options.seats} seats: {kills} kills, every game went on to its signed end")


if __name__ == "__main__":
    main()
