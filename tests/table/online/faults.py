"""Games on a network that breaks in every way at once: `python -m tests.table.online.faults --games 50`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection
from random import Random

from wasabi_protocol.game.state import LATE_SHARES

from wasabi_tx.net.memory import Faults

from .world import World

KINDS = ("drop", "duplicate", "delay", "cut", "reconnect", "forget", "kill")


def faulty_game(
    seed: str, edition: str, seats: int, kinds: tuple[str, ...] = KINDS, options: Collection[str] = ()
) -> Counter[str]:
    """A whole game with faults from a seed, ended, agreed and verified; how many faults of each kind there were."""
    rng = Random(seed)
    faults = Faults(
        drop=rng.choice([0.02, 0.1, 0.25]) if "drop" in kinds else 0.0,
        duplicate=rng.choice([0.05, 0.3]) if "duplicate" in kinds else 0.0,
        # Different delays change the order of what is sent.
        delay=(0.0, rng.choice([0.05, 1.0, 3.0])) if "delay" in kinds else (0.0, 0.0),
    )
    # People who have all the time in the world: nobody is voted out here.
    world = World(seats, edition, seed, faults, patience=100_000.0, watchers=1, options=options)
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
            # Whoever was cut off while it subscribed notices when its keepalive fails.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", default="faults")
    parser.add_argument("--late", action="store_true", help="at tables with late shares")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for number in range(options.games):
        seed = f"{options.seed} {number}"
        rng = Random(seed)
        edition, seats = rng.choice(["classic", "master"]), rng.choice([2, 2, 3, 4])
        print(seed, edition, seats, end=" ", flush=True)
        count = faulty_game(seed, edition, seats, options=[LATE_SHARES] if options.late else [])
        print(dict(count))
        total += count
    print(f"{options.games} games ended, agreed and verified: {dict(total)}")


if __name__ == "__main__":
    main()
