"""Games for days, in virtual time: four people look in twice a day, with or without keepers and turns ahead.

`python -m tests.table.online.days` plays whole games of both editions and says how many days each took, and how many
the same turns would take on a table without messages, where everybody plays at the first look at which it is their
turn. Nothing that a protocol does can be faster than that; only turns that are played without a look can.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import repeat
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from wasabi_protocol.game.state import LATE_SHARES

from tests.table.whole_turns import counts_on_seen, whole_turn
from wasabi_tx.engine.board import make_board
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.editions.classic.position import ClassicPosition
from wasabi_tx.engine.editions.master.position import MasterPosition
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import Position
from wasabi_tx.engine.step import Step
from wasabi_tx.table.ahead import MOST, NOTHING, minded_squares
from wasabi_tx.table.draft import Draft
from wasabi_tx.table.game import Played, PlayedAhead
from wasabi_tx.table.online.terms import QUICK_START, FindRules

from .small import small_rules
from .world import Person, World

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
    turns: int = 0
    """How many turns people leave when they go."""
    ways: int = 1
    """How many alternatives they leave for each."""
    visits: list[tuple[float, str]] = field(default_factory=list)
    """When who looked in."""
    played_ahead: set[tuple[str, int]] = field(default_factory=set)
    """Whose turns were played without a look."""

    @classmethod
    def meet(cls, edition: str, seed: str, find: FindRules = small_rules, late: bool = False, **how: Any) -> Club:
        """Everybody is there until the game begins with its first turn, and leaves a plan like after any look."""
        options = [QUICK_START, LATE_SHARES] if late else [QUICK_START]
        world = World(4, edition, seed, bots=False, find=find, clock=86_400, options=options)
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
        """What the clock on the wall says; the table was met at midnight."""
        return (self.world.now - self.began) / HOUR % 24

    @property
    def over(self) -> bool:
        """Whether somebody has the end that all have signed, also if their machine is off again."""
        people = (*self.world.people.values(), *self.world.graves.values())
        return any(p.client.done and p.game.session.state.outcome is not None for p in people)

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
            self._kill(name)

    def _kill(self, name: str) -> None:
        self._note_ahead(self.world.people[name])
        self.world.kill(name)

    def _note_ahead(self, person: Person) -> None:
        self.played_ahead.update((person.name, one.turn) for one in person.told(PlayedAhead))

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
        """Somebody leaves what they would do on their next turns if nobody came in their way, and if somebody did."""
        now, ahead = person.game.observation(), NOTHING
        if now.my_turn:
            return
        paths = [foreseen := NOTHING.foreseen(now)]
        for _ in range(self.turns):
            if foreseen is None or len(ahead.turns) + self.ways > MOST:
                break
            thoughts = _thoughts(foreseen, paths, self.ways, self.world.seed)
            for steps in thoughts:
                ahead = ahead.with_turn(foreseen, steps)
            paths = [NOTHING.with_turn(foreseen, steps).foreseen(foreseen) for steps in thoughts]
            foreseen = ahead.foreseen(now)
        person.client.leave_ahead(ahead, self.world.now)

    @property
    def at_best(self) -> float:
        """How many days the same bundles take if everybody plays at the first look at which it is their turn.

        What was left for a turn is played when the turn comes, and needs no look.
        """
        moment, name = self.began, ""
        visits = iter(self.visits)
        for whose, turn in self.bundles:
            if (whose, turn) in self.played_ahead:
                continue
            while name != whose:
                moment, name = next(visits)
        return (moment - self.began) / DAY

    @property
    def bundles(self) -> list[tuple[str, int]]:
        """Who sent each bundle and on which turn, by the log; those before the first turn were dealt."""
        playing = next(iter(self.world.people.values())).game
        assert playing.sealed is not None
        names = [playing.founded.joins[seat].name for seat in playing.sealed.order]
        changes = [change for change in playing.history().changes if isinstance(change, Played) and change.before.turn]
        return [(names[change.bundle.seat], change.before.turn) for change in changes]

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
                if self.over:
                    break
            day += 1
        took = self.days
        for person in self.world.people.values():
            self._note_ahead(person)
        for name in list(self.world.graves):
            self.world.keeping.discard(name)
            self.world.revive(name)
        self.world.wake()
        self.world.run()
        self.world.finished()
        return took


def _thoughts(foreseen: Observation, paths: list[Observation | None], ways: int, seed: str) -> list[Sequence[Step]]:
    """What somebody would do: as they foresee it, and in other ways if others come before them.

    Each way is best after another of those that they left for the turn before, and legal after the first of them. None
    completes or returns a recipe that they have not seen.
    """
    found: list[Sequence[Step]] = []
    for way, path in enumerate((*paths, *repeat(None, ways))[:ways]):
        for start in (path, foreseen) if way and path is not None else (foreseen,):
            position = start.position
            for steps in found:
                position = _come_before(foreseen, position, steps)
            chance = Random(f"{seed} {position.turn} {way}")
            steps = whole_turn(observe(foreseen.rules, position, foreseen.seat, foreseen.faces), chance)
            if counts_on_seen(foreseen, steps) and _is_whole(foreseen, steps):
                found.append(steps)
                break
    return found


def _is_whole(foreseen: Observation, steps: Sequence[Step]) -> bool:
    """Whether these steps are a whole turn there too."""
    draft = Draft(foreseen, whole=True)
    try:
        for step in steps:
            draft.add(step)
    except RulesError:
        return False
    return draft.complete


def _come_before(foreseen: Observation, position: Position, steps: Sequence[Step]) -> Position:
    """The position if others came before a turn: tiles that nobody needs lie on its squares, its cards are taken."""
    rules, after = foreseen.rules, position.evolve()
    wanted = {tile for face in foreseen.faces.values() for tile in rules.edition.recipes[face].strip.tiles}
    other = next(tile for tile in range(1, len(rules.edition.ingredients) + 1) if tile not in wanted)
    own, _ = minded_squares(foreseen, steps)
    stacks, blocked = after.board.stacks.copy(), set(after.board.blocked)
    for square in own - blocked:
        stacks[square] = stacks[square] or other
    taken = {step.args for step in steps if step.verb in ("gain", "take")}
    cards = {card for card, *_ in taken}
    if isinstance(after, MasterPosition):
        after.display = tuple(card for card in after.display if card not in cards) or after.display
    elif isinstance(after, ClassicPosition):
        after.kitchen = bytes(0 if card in cards else count for card, count in enumerate(after.kitchen))
        lifted = {square for _, *squares in taken for square in squares}
        after.covers = tuple(square for square in after.covers if square not in lifted)
        blocked -= {square for corner in lifted for square in rules.grid.blocks[corner]}
    board = make_board(stacks, blocked)
    # A full board would be the end of the game.
    after.board = board if any(board.free) else after.board
    return after


@dataclass(frozen=True)
class Way:
    """How a club plays."""

    name: str
    keepers: bool = True
    nights: bool = False
    troubles: bool = False
    turns: int = 0
    ways: int = 1
    late: bool = False
    """Whether the table has late shares."""


WAYS = (
    Way("keepers"),
    Way("keepers, troubles, machines that sleep", nights=True, troubles=True),
    Way("keepers, a turn ahead", turns=1),
    Way("keepers, four turns ahead, each in four ways", turns=4, ways=4),
    Way("the same with troubles", troubles=True, turns=4, ways=4),
    Way("no keepers", keepers=False),
    Way("no keepers, late shares", keepers=False, late=True),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", nargs="*", default=("1", "2", "3", "4", "5"))
    parser.add_argument("--days", type=float, default=40.0)
    parser.add_argument("--edition", choices=("classic", "master"), nargs="*", default=("classic", "master"))
    parser.add_argument("--way", default="", help="only ways with these words in their name")
    parser.add_argument("--small", action="store_true", help="editions with fewer recipes")
    chosen = parser.parse_args()
    for edition in chosen.edition:
        for way in WAYS:
            if chosen.way in way.name:
                took = [_play(edition, seed, way, chosen) for seed in chosen.seeds]
                print(f"{edition}, {way.name}: {median(took):.1f} days in the median of {len(took)}", flush=True)
    return 0


def _play(edition: str, seed: str, way: Way, chosen: argparse.Namespace) -> float:
    started, how = perf_counter(), asdict(way)
    name = how.pop("name")
    club = Club.meet(edition, seed, small_rules if chosen.small else rules_for, **how)
    days = club.play(chosen.days)
    print(
        f"{edition}, {name}, {seed}: {days:.1f} days, {days / club.at_best:.2f} of the best for these looks; "
        f"{len(set(club.bundles))} turns, {len(club.played_ahead)} of them left ahead, {club.looks} looks, "
        f"{club.waits} waited for a card; {perf_counter() - started:.0f} s",
        flush=True,
    )
    return days


if __name__ == "__main__":
    sys.exit(main())
