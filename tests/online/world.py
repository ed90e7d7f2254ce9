"""A table of clients in virtual time: a broker in memory, disks in memory, bots that move; all of it from a seed."""

from __future__ import annotations

import copy
import copyreg
import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from threading import Lock
from typing import Any, Self, TypeVar

from wasabi_protocol.game.record import Replay, read_record, replay, write_record
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.table.channel import Channel
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.private import PrivateTable, door_identity, read_key

from tests.net.memory import Faults, MemoryBroker
from wasabi_tx.bots.levels import find_bot
from wasabi_tx.games import game
from wasabi_tx.games.game import Delivery
from wasabi_tx.games.plans import NO_PLANS, Plans
from wasabi_tx.net.transport import Arrived, Publication
from wasabi_tx.online.client.client import Client, Event, Manner
from wasabi_tx.online.client.playing import Playing
from wasabi_tx.online.client.waiting_room import Hosting
from wasabi_tx.online.rules_adapter.sealed_position import SealedPosition
from wasabi_tx.online.rules_adapter.umpire import Umpire
from wasabi_tx.online.saved.seat import SavedSeat
from wasabi_tx.online.saved.situation import Situation
from wasabi_tx.online.terms import FindRules, make_terms

from .small import small_rules

E = TypeVar("E")

STEP = 0.25
"""Seconds of virtual time between two ticks of a client."""


def secret(*names: object) -> bytes:
    """Return 32 bytes that are the same in every run."""
    return hashlib.sha256(repr(names).encode()).digest()


# A copy of a table has locks of its own.
copyreg.pickle(type(Lock()), lambda _: (Lock, ()))
_begun: dict[tuple[type[World], int, str], Any] = {}
"""Games just begun, by all that determines them."""


class Killed(BaseException):
    """Ends the program here, as with kill -9."""


@dataclass
class MemoryDisk:
    """The data that survives a crash; `full` makes writes fail, `fuse` ends the program after that number of them."""

    seat: SavedSeat | None = None
    record: bytes = b""
    full: bool = False
    fuse: int | None = None
    torn: float | None = None
    """The fraction of the game file's last write that is there when the program ends in it."""
    writes: int = 0
    saved_plans: str = ""
    """The person's plans for later turns."""
    last_seen: int | None = None
    """The last slot that its person saw before a keeper went on."""
    slot: tuple[bytes, float] | None = None
    """The last slot seen, and when."""
    noted: list[Situation | None] = field(default_factory=list)
    """The game's situations, one after another."""

    def _write(self) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.writes += 1

    def _burn(self) -> None:
        if self.fuse is not None:
            self.fuse -= 1
            if self.fuse <= 0:
                raise Killed

    def save_seat(self, seat: SavedSeat) -> None:
        self._write()
        # This goes through bytes, so that nothing is remembered that a file would not contain.
        self.seat = SavedSeat.load(seat.dump())
        self._burn()

    def begin(self, head: bytes) -> str:
        self._write()
        self.record = head
        self._burn()
        return "game"

    def note(self, situation: Situation | None) -> None:
        self.noted.append(situation)

    def slot_age(self, link: bytes, now: float) -> float:
        if self.slot is None or self.slot[0] != link:
            self.slot = link, now
        return now - self.slot[1]

    def away(self, slot: int) -> None:
        self.last_seen = slot if self.last_seen is None else self.last_seen

    def back(self) -> int | None:
        seen, self.last_seen = self.last_seen, None
        return seen

    def plans(self) -> Plans:
        return Plans.load(self.saved_plans) if self.saved_plans else NO_PLANS

    def save_plans(self, plans: Plans) -> None:
        self._write()
        self.saved_plans = "" if plans == NO_PLANS else plans.dump()
        self._burn()

    def append(self, data: bytes) -> None:
        self._write()
        if self.fuse == 1 and self.torn is not None:
            data = data[: int(len(data) * self.torn)]
        self.record += data
        self._burn()


@dataclass
class Person:
    """Somebody at the table: their identity, their disk, and the program that runs for them."""

    name: str
    me: Identity
    disk: MemoryDisk
    client: Client
    level: str = "greedy"
    connected: bool = False
    filters: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asleep: bool = False
    """True if they think forever."""
    lies: bool = False
    """True if their key also signs elsewhere what this client never said: nothing is promised to it."""
    confirmed: int = 0
    troubles: int = 0

    @property
    def game(self) -> Playing:
        assert self.client.playing is not None, "the game has not begun"
        return self.client.playing

    @property
    def will(self) -> Publication | None:
        """Return the message that the broker publishes when it loses this person."""
        will = self.client.will
        return None if will is None else will()

    @property
    def game_or_none(self) -> Playing | None:
        return self.client.playing

    @property
    def free(self) -> bool:
        """True if no card is on its way: a person moves next."""
        return self.game.sealed is not None and not self.game.sealed.owed

    @property
    def told_last_delivery(self) -> Delivery:
        return self.told(Delivery)[-1]

    def told(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]


class World:
    """Everybody at one table, in virtual time."""

    def __init__(
        self,
        seats: int = 2,
        edition: str = "classic",
        seed: str = "koi",
        faults: Faults | None = None,
        private: bool = False,
        tickets: bool = False,
        patience: float = 300.0,
        watchers: int = 0,
        clock: int = 0,
        bots: bool = True,
        persons: Collection[str] = (),
        least: int = 0,
        welcome_all: bool = True,
        start: bool = True,
        find: FindRules = small_rules,
        clocks: Mapping[str, float] | None = None,
        options: Collection[str] = (),
        salt: str = "salt",
        brought: Mapping[str, str] | None = None,
    ) -> None:
        """Set up a table; at a table of bots, `persons` are the names of those who play themselves.

        The bots in `brought` came with the player named there, who is a person.

        Another `salt` makes another table of the same people.
        """
        self.find = find
        self.brought = dict(brought or {})
        self.persons = {*persons, *self.brought.values()}
        self.seed, self.edition, self.patience, self.bots = seed, edition, patience, bots
        self.broker = MemoryBroker(seed, faults or Faults())
        self.now = 1000.0
        self.clocks: dict[str, float] = dict(clocks or {})
        self.keeping: set[str] = set()
        """Names of those whose program is a keeper when it starts."""
        self.rng = Random(seed)
        host = Identity(secret(seed, 0))
        mixed = secret(seed, salt)
        self.play_key = secret(seed, "play", *([salt] if salt != "salt" else [])) if private else b""
        self.invited = self.play_key or (secret(seed, "ticket")[:16] if tickets else b"")
        self.private = PrivateTable(read_key(self.play_key)) if private else None
        self.table = self.private.table if self.private is not None else table_id(host.key, mixed)
        rules = find(edition, seats)
        terms = make_terms(rules, least or seats, seats, clock, options)
        self.hosting = Hosting(terms, mixed, listed=not private, welcome_all=welcome_all)
        self.guests: tuple[bytes, ...] = ()
        self.people: dict[str, Person] = {}
        self.graves: dict[str, Person] = {}
        for number in range(seats if start else 0):
            self.sit(number)
        for number in range(watchers):
            self.watch(number)

    @classmethod
    def begun(cls, slots: int = 12, **options: Any) -> Self:
        """Return a table whose game already has that number of slots; equal ones are dealt only once."""
        key = (cls, slots, repr(sorted(options.items())))
        if key not in _begun:
            _begun[key] = cls(**options)
            _begun[key].in_play(slots)
        world: Self = copy.deepcopy(_begun[key])
        return world

    def sit(self, number: int) -> Person:
        """Seat a new player; 0 is the host."""
        return self.add(f"p{number}", Identity(secret(self.seed, number)), MemoryDisk(self._new_seat(number)))

    def watch(self, number: int = 0) -> Person:
        """Add a watcher."""
        return self.add(f"w{number}", Identity(secret(self.seed, "watcher", number)), MemoryDisk())

    def _new_seat(self, number: int) -> SavedSeat:
        nonce, game_secret = secret(self.seed, "nonce", number), secret(self.seed, "game", number)
        return SavedSeat("", f"p{number}", b"", nonce, game_secret, guests=self.guests)

    def add(self, name: str, me: Identity, disk: MemoryDisk) -> Person:
        """Add a new or restarted program, with the data on its disk."""
        hosting = self.hosting if name == "p0" else None
        door = door_identity(self.invited) if self.invited and disk.seat is not None else None
        channel = Channel("main", self.table, self.private)
        bot = self.bots and name not in self.persons
        runner = secret(self.seed, "runner") if bot else b""
        if name in self.brought:
            runner = Identity(secret(self.seed, int(self.brought[name].removeprefix("p")))).key
        manner = Manner(bot=bot, patience=self.patience, runner=runner, keeping=name in self.keeping)
        rng = Random(f"{self.seed} {name} {self.now}")
        record = read_record(disk.record)[0] if disk.record and disk.seat is not None else []
        client = Client(
            channel=channel,
            me=me,
            disk=disk,
            find=self.find,
            now=self.clock(name),
            seat=disk.seat,
            hosting=hosting,
            door=door,
            manner=manner,
            rng=rng,
            record=record,
        )
        person = Person(name, me, disk, client)
        self.people[name] = person
        self.connect(person)
        return person

    def clock(self, name: str) -> float:
        """Return the clock of one client: no other matters to it."""
        return self.now + self.clocks.get(name, 0.0)

    # The network

    def connect(self, person: Person) -> None:
        self.broker.connect(person.name, person.will, self.now)
        person.connected = True
        person.filters = person.client.filters
        self.broker.subscribe(person.name, person.filters, self.now)
        person.client.connected(self.clock(person.name))

    def disconnect(self, person: Person) -> None:
        if person.connected:
            self.broker.disconnect(person.name, self.now, clean=False)
            person.connected = False
            person.client.lost("closed", self.clock(person.name))

    def kill(self, name: str) -> None:
        """Kill a program at once, with everything that was not on its disk."""
        person = self.people.pop(name)
        if person.connected:
            self.broker.disconnect(name, self.now, clean=False)
        self.graves[name] = person

    def revive(self, name: str, record: bytes | None = None, seat: SavedSeat | None = None) -> Person:
        """Restart a program from its disk, or from what remains of it; a torn end is cut off."""
        grave = self.graves.pop(name)
        record = grave.disk.record if record is None else record
        seat = seat or grave.disk.seat
        if record:
            record = write_record(read_record(record)[0])
        if seat is not None and not seat.record:
            record = b""
        return self.add(
            name,
            grave.me,
            MemoryDisk(
                seat, record, saved_plans=grave.disk.saved_plans, last_seen=grave.disk.last_seen, slot=grave.disk.slot
            ),
        )

    def _safely(self, person: Person, action: Callable[[], object]) -> bool:
        """Return whether a client survived this; anything not yet sent dies with it."""
        try:
            action()
        except Killed:
            self.kill(person.name)
            return False
        except OSError:
            # This is what a client's driver does: it reports the trouble and goes on.
            person.troubles += 1
        self._settle(person)
        return True

    def _settle(self, person: Person) -> None:
        """Publish pending messages, and resubscribe if the filters have changed."""
        for publication in person.client.take_outgoing():
            if person.connected:
                self.broker.publish(person.name, publication, self.now)
        wanted = person.client.filters
        if wanted != person.filters and person.connected:
            new = [each for each in wanted if each not in person.filters]
            self.broker.subscribe(person.name, new, self.now)
            self.broker.unsubscribe(person.name, [each for each in person.filters if each not in wanted])
            person.filters = wanted
        events = person.client.take_events()
        for event in events:
            if isinstance(event, game.Delivery) and not person.lies:
                # The promise: a move that everybody signed for is never lost, unless a vote cut it away. A round in
                # which somebody signed two entries may be rewritten.
                anew = bool(person.told(game.Excluded)) or bool(person.told(game.InvalidEntry))
                assert event.confirmed >= person.confirmed or anew, person.name
                person.confirmed = event.confirmed
        person.events += events

    # Time

    def step(self, seconds: float = STEP) -> None:
        """Advance a part of a second: deliveries in order, then everybody's clock, then everybody's move."""
        until = self.now + seconds
        while (due := self.broker.next_time()) is not None and due <= until:
            self.now = max(self.now, due)
            for name, message in self.broker.due(self.now):
                if name in self.people:
                    self._deliver(self.people[name], message)
        self.now = until
        for person in list(self.people.values()):
            if self._safely(person, lambda person=person: person.client.tick(self.clock(person.name))):  # type: ignore[misc]
                self.move(person)

    def _deliver(self, person: Person, message: Arrived) -> None:
        now = self.clock(person.name)
        self._safely(person, lambda: person.client.receive(message.topic, message.payload, message.retained, now))

    def move(self, person: Person) -> None:
        playing = person.client.playing
        if playing is None or playing.me is None or person.asleep or playing.over or playing.asking.catching_up:
            return
        sealed = playing.sealed
        if sealed is None or sealed.owed or "bundle" not in playing.session.owes or playing.session.ballots.bound():
            return
        if playing.leaving or playing.session.heads.other_run is not None:
            return
        view = playing.observation()
        bundle = find_bot(person.level).choose(view, Random(f"{self.seed} {view.position.turn}"), 1000)
        self._safely(person, lambda: person.client.play(bundle, self.clock(person.name)))

    def run(self, seconds: float = 900.0) -> None:
        """Run until everybody's game is over, or the time is."""
        until = self.now + seconds
        while self.now < until and not all(person.client.done for person in self.people.values()):
            self.step()

    def wait(self, seconds: float) -> None:
        """Let time pass; long waits in longer steps."""
        until = self.now + seconds
        while self.now < until:
            self.step(min(1.0, until - self.now) if seconds >= 10 else STEP)

    def until(self, condition: Callable[[], object], seconds: float = 900.0) -> None:
        until = self.now + seconds
        while self.now < until and not condition():
            self.step()
        assert condition(), "it did not come to that"

    def in_play(self, slots: int = 12) -> None:
        """Run until the game has that number of slots."""
        self.until(lambda: all(p.game_or_none is not None for p in self.people.values()), 60)
        self.until(lambda: self.people["p0"].game.session.log.head.number >= slots, 600)

    def mover(self) -> Person:
        """Return the player to move; from now on everybody sleeps."""
        for person in self.people.values():
            person.asleep = True
        self.until(lambda: any("bundle" in p.game.session.owes and p.free for p in self.people.values()), 60)
        self.until(lambda: len(self.heads()) == 1, 60)
        return next(p for p in self.people.values() if "bundle" in p.game.session.owes)

    def wake(self) -> None:
        for person in self.people.values():
            person.asleep = False

    # Results

    def heads(self) -> set[tuple[int, bytes]]:
        return {
            (person.client.playing.session.log.head.number, person.client.playing.session.log.head.link)
            for person in self.people.values()
            if person.client.playing is not None
        }

    def agree(self) -> int:
        """Check that everybody has the same log; return its number of slots."""
        heads = self.heads()
        assert len(heads) == 1, [(p.name, p.game.session.log.head.number) for p in self.people.values()]
        return next(iter(heads))[0]

    def record(self, name: str) -> Replay[SealedPosition]:
        """Return somebody's game file, checked from its first byte to its last."""
        person = self.people.get(name) or self.graves[name]
        person.game.ledger.flush()
        return replay(person.disk.record, Umpire(lambda seats: self.find(self.edition, seats)))

    def finished(self) -> None:
        """Check that everybody's game came to the same signed end, and that every file proves it."""
        for person in self.people.values():
            assert person.client.done, person.name
            assert person.game.session.state.outcome is not None, person.name
        slots = self.agree()
        for name, person in self.people.items():
            if person.game.me is not None:
                found = self.record(name)
                assert found.valid, (name, found.refused, found.session.log.evidence)
                assert found.settled, name
                assert found.session.log.head.number == slots
