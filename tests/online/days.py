"""Games that last for days, in virtual time: four people look in twice a day, with or without keepers and plans.

`python -m tests.lab.soaks.days` plays whole games of both editions and prints how many days each took, and how many the
same turns would take on a table without messages, where everybody plays at the first look at which it is their turn. No
protocol can be faster than that, except by playing turns without a look.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.games.whole_turns import counts_on_seen, whole_turn
from wasabi_tx.games.game import PlanPlayed, Played
from wasabi_tx.games.plans import NO_PLANS
from wasabi_tx.online.terms import QUICK_START, FindRules

from .small import small_rules
from .world import Person, World

HOUR, DAY = 3600.0, 86_400.0
LOOK = 600.0
"""Seconds that one look lasts."""
IDLE = 3600.0
"""Seconds of a step while nobody does anything."""
HOURS = {"p0": (7.5, 19.0), "p1": (9.0, 20.5), "p2": (12.5, 22.0), "p3": (8.25, 17.75)}


@dataclass
class Club:
    """A table of four, from evening to evening."""

    world: World
    keepers: bool = True
    nights: bool = False
    """True if machines sleep from 23 to 7, and keepers with them."""
    chance: Random = field(default_factory=lambda: Random("club"))
    troubles: bool = False
    """True if keepers are killed, connections break, and the broker forgets."""
    began: float = 0.0
    looks: int = 0
    waits: int = 0
    """Looks that ended in the middle of the player's own turn, because a card did not arrive."""
    turns: int = 0
    """Number of turns people plan when they go."""
    visits: list[tuple[float, str]] = field(default_factory=list)
    """The time and the name of each look."""
    played_planned: set[tuple[str, int]] = field(default_factory=set)
    """Turns played from a plan, with their players."""

    @classmethod
    def meet(cls, edition: str, seed: str, find: FindRules = small_rules, **how: Any) -> Club:
        """Return a club whose members all stay until the first turn, and then plan as after any look."""
        world = World(4, edition, seed, bots=False, find=find, clock=86_400, options=[QUICK_START])
        for person in world.people.values():
            person.asleep = True
        world.until(lambda: all(p.game_or_none is not None and p.game.sealed for p in world.people.values()), 900)
        world.until(lambda: all(p.free and p.game.observation().position.turn for p in world.people.values()), 900)
        club = cls(world, chance=Random(seed), **how)
        club.began = world.now
        for name, person in list(world.people.items()):
            if club.turns:
                club._plan(person)
            club.leave(name)
        club.waits = 0
        return club

    @property
    def days(self) -> float:
        return (self.world.now - self.began) / DAY

    @property
    def hour(self) -> float:
        """Return the hour of the day; the table met at midnight."""
        return (self.world.now - self.began) / HOUR % 24

    @property
    def over(self) -> bool:
        """True if somebody has the end that all have signed, even if their machine is off again."""
        people = (*self.world.people.values(), *self.world.graves.values())
        return any(p.client.done and p.game.session.state.outcome is not None for p in people)

    @property
    def _awake(self) -> bool:
        return not self.nights or 7.0 <= self.hour < 23.0

    def leave(self, name: str) -> None:
        """Close a screen; a keeper takes the seat if there is one."""
        person = self.world.people[name]
        sealed = person.game.sealed
        if not person.client.done and sealed is not None and sealed.position.mover == person.game.seat:
            self.waits += 1
        person.game.ledger.flush()
        if self.keepers:
            self._sit(name, keeping=True)
        else:
            self._kill(name)

    def _kill(self, name: str) -> None:
        self._note_planned(self.world.people[name])
        self.world.kill(name)

    def _note_planned(self, person: Person) -> None:
        self.played_planned.update((person.name, one.turn) for one in person.told(PlanPlayed))

    def keep(self, name: str) -> None:
        """Start a keeper."""
        self.world.keeping.add(name)
        self.world.revive(name).asleep = True

    def _sit(self, name: str, keeping: bool) -> None:
        """Switch between keeper and screen; reading the disk in a new process is tested elsewhere."""
        person = self.world.people[name]
        assert person.client.duties is not None
        person.asleep = person.client.duties.keeping = keeping

    def look_in(self, name: str) -> None:
        """Let somebody open the game, play while it is their move, and close it."""
        world = self.world
        self.looks += 1
        if name in world.graves:
            world.keeping.discard(name)
            world.revive(name)
        person = world.people[name]
        self._sit(name, keeping=False)
        self.visits.append((world.now, name))
        end = world.now + LOOK
        while world.now < end and not person.client.done:
            world.step(1.0)
            quiet = world.now + LOOK - end >= 15.0
            if quiet and person.disk.noted and (noted := person.disk.noted[-1]) is not None and not noted.mine:
                break
        if self.turns and not person.client.done:
            self._plan(person)
            world.step()
        self.leave(name)

    def _plan(self, person: Person) -> None:
        """Plan somebody's next turns as if nobody came in their way, without counting on unseen recipes."""
        now, plans = person.game.observation(), NO_PLANS
        if now.my_turn:
            return
        for _ in range(self.turns):
            foreseen = plans.foreseen(now)
            if foreseen is None:
                break
            steps = whole_turn(foreseen, Random(f"{self.world.seed} {foreseen.position.turn}"))
            if not counts_on_seen(foreseen, steps):
                break
            plans = plans.with_turn(foreseen, steps)
        person.client.save_plans(plans, self.world.now)

    @property
    def at_best(self) -> float:
        """Return how many days the same bundles take if everybody plays as soon as they look in on their turn.

        A planned turn is played at once, and needs no look.
        """
        moment, name = self.began, ""
        visits = iter(self.visits)
        for whose, turn in self.bundles:
            if (whose, turn) in self.played_planned:
                continue
            while name != whose:
                moment, name = next(visits)
        return (moment - self.began) / DAY

    @property
    def bundles(self) -> list[tuple[str, int]]:
        """Author and turn of each bundle in the log; those before the first turn were dealt."""
        playing = next(iter(self.world.people.values())).game
        assert playing.sealed is not None
        names = [playing.founded.joins[seat].name for seat in playing.sealed.order]
        changes = [change for change in playing.history().changes if isinstance(change, Played) and change.before.turn]
        return [(names[change.bundle.seat], change.before.turn) for change in changes]

    def wait_until(self, moment: float) -> None:
        """Let time pass without anybody looking in."""
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
                self._kill(name)
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
                self._kill(person.name)
            else:
                world.disconnect(person)
                world.connect(person)

    def play(self, most_days: float) -> float:
        """Play day after day up to the limit, then straight to the settled end; return how many days it took."""
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
                if self.over:
                    break
            day += 1
        took = self.days
        for person in self.world.people.values():
            self._note_planned(person)
        for name in list(self.world.graves):
            self.world.keeping.discard(name)
            self.world.revive(name)
        self.world.wake()
        self.world.run()
        self.world.finished()
        return took


@dataclass(frozen=True)
class Way:
    """A way for a club to play."""

    name: str
    keepers: bool = True
    nights: bool = False
    troubles: bool = False
    turns: int = 0


WAYS = (
    Way("keepers"),
    Way("keepers, troubles, machines that sleep", nights=True, troubles=True),
    Way("keepers, a planned turn", turns=1),
    Way("keepers, four planned turns", turns=4),
    Way("the same with troubles", troubles=True, turns=4),
    Way("no keepers", keepers=False),
)
