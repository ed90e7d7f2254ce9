"""A recorded game: when, where and how much each seat published. `python -m tests.lab.load.recording` writes it."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass
from pathlib import Path

FILE = Path(__file__).with_name("game.json")
SEATS = 4
PACE = 8.0
"""Seconds that a person thinks before each bundle."""
SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Said:
    """A publication of a seat; `at` is in seconds from the first move on."""

    at: float
    seat: int
    kind: str
    """The kind of topic, or lobby."""
    number: int
    """The number of the chunk, for a log."""
    size: int
    retain: bool


def read_recording() -> list[Said]:
    return [Said(*said) for said in json.loads(FILE.read_text(encoding="utf-8"))]


def record() -> list[Said]:
    """Play a game of four in virtual time, and record what crosses the broker while people think."""
    from tests.online.world import World
    from wasabi_tx.engine.editions import rules_for

    world = World(SEATS, "classic", "load", find=rules_for)
    people = [world.people[f"p{number}"] for number in range(SEATS)]
    seats = {person.client.channel.author(person.me.key): number for number, person in enumerate(people)}
    for person in people:
        person.asleep = True
    world.until(lambda: all(person.game_or_none and person.game.sealed for person in people), 60)
    start, noted, said, due = world.now, len(world.broker.log), list[Said](), world.now
    while world.now < start + SECONDS:
        if world.now >= due:
            for person in people:
                person.asleep = False
                world.move(person)
                person.asleep = True
            due += PACE
        world.step()
        for publication in world.broker.log[noted:]:
            levels = publication.topic.split("/")
            row, number = (levels[4], int(levels[6]) if levels[4] == "log" else 0) if levels[2] == "t" else ("lobby", 0)
            author = levels[5] if levels[2] == "t" else levels[3]
            at = round(world.now - start, 2)
            said.append(Said(at, seats[author], row, number, len(publication.payload), publication.retain))
        noted = len(world.broker.log)
    return said


def main() -> None:
    lines = ",\n".join(json.dumps(astuple(said)) for said in record())
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
