"""Games for days, in virtual time: four people look in twice a day, with or without keepers.

`python -m tests.table.online.days` plays whole games of both editions and says how many days each took.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.table.online.terms import FindRules

from .small import small_rules
from .world import World

HOUR, DAY = 3600.0, 86_400.0
LOOK = 600.0
"""Seconds for which somebody looks in."""
IDLE = 3600.0
"""Seconds of a step while nobody does anything."""
HOURS = {"p0": (7.5, 19.0), "p1": (9.0, 20.5), "p2": (12.5, 22.0), "p3": (8.25, 17.75)}


@dataclass
class Club:
    """A table of four, from evening to evening."""

    world: World
    keepers: bool = True
    nights: bool = False
    """Whether machines sleep from 23 to 7, and keepers with them."""
    chance: Random = field(default_factory=lambda: Random("club"))
    troubles: bool = False
    """Whether keepers are killed, connections break, and the broker forgets."""
    began: float = 0.0
    looks: int = 0
    waits: int = 0
    """Looks that ended in the middle of one's own turn, because a card did not come."""

    @classmethod
    def meet(cls, edition: str, seed: str, find: FindRules = small_rules, **how: bool) -> Club:
        """Everybody is there until the cards are sealed."""
        world = World(4, edition, seed, bots=False, find=find, clock=86_400)
        for person in world.people.values():
            person.asleep = True
        world.until(lambda: all(p.game_or_none is not None and p.game.sealed for p in world.people.values()), 900)
        world.until(lambda: all(not p.game.session.state.automatic for p in world.people.values()), 900)
        club = cls(world, chance=Random(seed), **how)
        club.began = world.now
        for name in list(world.people):
            club.leave(name)
        club.waits = 0
        return club

    @property
    def days(self) -> float:
        return (self.world.now - self.began) / DAY

    @property
    def hour(self) -> float:
        """What the clock on the wall says; the table was met at midnight."""
        return (self.world.now - self.began) / HOUR % 24

    @property
    def over(self) -> bool:
        return any(person.client.done for person in self.world.people.values())

    @property
    def _awake(self) -> bool:
        return not self.nights or 7.0 <= self.hour < 23.0

    def leave(self, name: str) -> None:
        """The screen closes; a keeper takes the seat if there is one."""
        person = self.world.people[name]
        sealed = person.game.sealed
        if not person.client.done and sealed is not None and sealed.position.mover == person.game.seat:
            self.waits += 1
        person.game.ledger.flush()
        if self.keepers:
            self._sit(name, keeping=True)
        else:
            self.world.kill(name)

    def keep(self, name: str) -> None:
        """A keeper starts."""
        self.world.keeping.add(name)
        self.world.revive(name).asleep = True

    def _sit(self, name: str, keeping: bool) -> None:
        """Keeper or screen: what a new process would read from the disk is proved elsewhere."""
        person = self.world.people[name]
        assert person.client.duties is not None
        person.asleep = person.client.duties.keeping = keeping

    def look_in(self, name: str) -> None:
        """Somebody opens the game, plays while it is their move, and closes it."""
        world = self.world
        self.looks += 1
        if name in world.graves:
            world.keeping.discard(name)
            world.revive(name)
        person = world.people[name]
        self._sit(name, keeping=False)
        end = world.now + LOOK
        while world.now < end and not person.client.done:
            world.step(1.0)
            quiet = world.now + LOOK - end >= 15.0
            if quiet and person.disk.noted and (noted := person.disk.noted[-1]) is not None and not noted.mine:
                break
        self.leave(name)

    def wait_until(self, moment: float) -> None:
        """Nobody looks."""
        world = self.world
        while world.now < moment:
            if self.keepers:
                self._night_and_morning()
            if self.troubles and self.chance.random() < 0.2:
                self._trouble()
            world.step(min(IDLE if world.people else moment - world.now, moment - world.now))

    def _night_and_morning(self) -> None:
        if not self._awake:
            for name in list(self.world.people):
                self.world.kill(name)
        elif self.nights or self.troubles:
            for name in list(self.world.graves):
                self.keep(name)

    def _trouble(self) -> None:
        world = self.world
        what = self.chance.choice(("kill", "cut", "forget"))
        if what == "forget":
            world.broker.forget_retained()
        elif world.people:
            person = world.people[self.chance.choice(sorted(world.people))]
            if what == "kill":
                world.kill(person.name)
            else:
                world.disconnect(person)
                world.connect(person)

    def play(self, most_days: float) -> float:
        """Day after day for so long at most, then all at once to the settled end; how many days it took."""
        day = 0
        while not self.over and self.days < most_days:
            looks = [
                (day * DAY + (hour + self.chance.uniform(-0.5, 0.5)) * HOUR, name)
                for name, hours in HOURS.items()
                for hour in hours
            ]
            for moment, name in sorted(looks):
                self.wait_until(self.began + moment)
                self.look_in(name)
                if self.over and self.keepers:
                    break
            day += 1
        took = self.days
        for name in list(self.world.graves):
            self.world.keeping.discard(name)
            self.world.revive(name)
        self.world.wake()
        self.world.run()
        self.world.finished()
        return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--days", type=float, default=30.0)
    chosen = parser.parse_args()
    for name, find in (("small", small_rules), ("whole", rules_for)):
        for edition in ("classic", "master"):
            for how in ({}, {"nights": True, "troubles": True}, {"keepers": False}):
                started = perf_counter()
                club = Club.meet(edition, chosen.seed, find, **how)
                days = club.play(chosen.days)
                position = next(iter(club.world.people.values())).game.observation().position
                words = ", ".join(f"{key} {value}" for key, value in how.items()) or "keepers"
                print(
                    f"{name} {edition}, {words}: {days:.1f} days, {position.turn} turns, {club.looks} looks, "
                    f"{club.waits} of them waited for a card; "
                    f"{perf_counter() - started:.0f} s",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
