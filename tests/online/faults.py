"""Games on a network that breaks in every way at once: `python -m tests.lab.soaks.virtual_faults --games 50`."""

from __future__ import annotations

from collections import Counter
from random import Random

from tests.net.memory import Faults

from .world import World

KINDS = ("drop", "duplicate", "delay", "cut", "reconnect", "forget", "kill")


def faulty_game(seed: str, edition: str, seats: int, kinds: tuple[str, ...] = KINDS) -> Counter[str]:
    """Play a whole game with faults from a seed, to its verified end; return the number of faults of each kind."""
    rng = Random(seed)
    faults = Faults(
        drop=rng.choice([0.02, 0.1, 0.25]) if "drop" in kinds else 0.0,
        duplicate=rng.choice([0.05, 0.3]) if "duplicate" in kinds else 0.0,
        # Different delays change the order of messages.
        delay=(0.0, rng.choice([0.05, 1.0, 3.0])) if "delay" in kinds else (0.0, 0.0),
    )
    # These people have unlimited patience: nobody is voted out here.
    world = World(seats, edition, seed, faults, patience=100_000.0, watchers=1)
    count: Counter[str] = Counter()
    troubles = [kind for kind in kinds if kind in ("cut", "reconnect", "forget", "kill")]
    while not _done(world) and world.now < 20_000:
        if troubles and world.now < 1_200 and rng.random() < 0.06:
            trouble = rng.choice(troubles)
            count[trouble] += 1
            _trouble(world, trouble, rng)
        world.step()
    world.broker.faults = Faults()
    world.wait(1)
    world.finished()
    count["messages"] = len(world.broker.log)
    return count


def _done(world: World) -> bool:
    return all(person.client.done for person in world.people.values())


def _trouble(world: World, kind: str, rng: Random) -> None:
    name = rng.choice(sorted(world.people))
    person = world.people[name]
    seconds = rng.choice([0.5, 3.0, 20.0])
    match kind:
        case "cut":
            world.broker.cut(name)
            world.wait(seconds)
            world.broker.heal(name)
            # A client cut off while subscribing notices when its keepalive fails.
            world.disconnect(person)
            world.connect(person)
        case "reconnect":
            world.disconnect(person)
            world.wait(seconds)
            world.connect(person)
        case "forget":
            world.broker.forget_retained()
        case "kill" if person.game_or_none is not None and person.game_or_none.me is not None:
            world.kill(name)
            world.wait(seconds)
            world.revive(name)
