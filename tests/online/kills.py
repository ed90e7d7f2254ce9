"""kill -9 after every single write of a peer, and in the middle of it: `python -m tests.lab.soaks.virtual_kills`."""

from __future__ import annotations

from random import Random

from .world import World

AWAY = 0.5
"""Seconds of virtual time that a killed peer stays away."""


def writes_of(edition: str, seats: int, seed: str, name: str) -> int:
    """Return how often a peer writes to its disk in a whole game, once it is connected."""
    world = World(seats, edition, seed)
    before = world.people[name].disk.writes
    world.run()
    written = world.people[name].disk.writes - before
    world.finished()
    return written


def kill_at(edition: str, seats: int, seed: str, name: str, write: int, torn: bool) -> int:
    """Play a game in which a peer dies in one write and comes back; return its number of slots."""
    world = World(seats, edition, seed)
    kill_once(world, name, write, Random(f"{seed} {name} {write}").random() if torn else None)
    world.run()
    world.finished()
    return world.agree()


def kill_once(world: World, name: str, write: int, torn: float | None) -> None:
    """Let a peer die in its n-th write from now on, and come back."""
    disk = world.people[name].disk
    disk.fuse, disk.torn = write, torn
    world.until(lambda: name in world.graves)
    world.wait(AWAY)
    world.revive(name)


def chain(edition: str, seats: int, seed: str, every: int) -> tuple[int, int]:
    """Play one game in which each peer in turn dies again and again; return its numbers of slots and kills."""
    world, rng, kills = World(seats, edition, seed), Random(seed), 0
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
