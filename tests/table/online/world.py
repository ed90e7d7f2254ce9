"""A table of clients in virtual time: a broker in memory, disks in memory, bots that move; all of it from a seed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from random import Random

from wasabi_protocol.genesis import table_id
from wasabi_protocol.identity import Identity
from wasabi_protocol.private import PrivateTable, door_identity, read_key
from wasabi_protocol.record import read_record

from wasabi_tx.bots.registry import find_bot
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.net.memory import Faults, MemoryBroker
from wasabi_tx.table import game
from wasabi_tx.table.online.channel import Channel
from wasabi_tx.table.online.client import Client, Event, Manner
from wasabi_tx.table.online.disk import Seat
from wasabi_tx.table.online.hall import Hosting
from wasabi_tx.table.online.terms import make_terms

STEP = 0.25
"""How often clients are ticked, in seconds of virtual time."""


def secret(*names: object) -> bytes:
    """32 bytes that are the same in every run."""
    return hashlib.sha256(repr(names).encode()).digest()


@dataclass
class MemoryDisk:
    """What survives a crash; `full` makes the next write fail."""

    seat: Seat | None = None
    record: bytes = b""
    full: bool = False

    def _write(self) -> None:
        if self.full:
            raise OSError(28, "No space left on device")

    def keep(self, seat: Seat) -> None:
        self._write()
        # Through bytes, so that nothing is remembered that a file would not hold.
        self.seat = Seat.load(seat.dump())

    def begin(self, head: bytes) -> str:
        self._write()
        self.record = head
        return "game"

    def append(self, data: bytes) -> None:
        self._write()
        self.record += data


@dataclass
class Person:
    """Somebody at the table: who they are, what their disk holds, and the program that runs for them."""

    name: str
    me: Identity
    disk: MemoryDisk
    client: Client
    level: str = "greedy"
    connected: bool = False
    filters: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asleep: bool = False
    """Thinks for ever."""
    submitted: int = -1

    @property
    def playing(self) -> bool:
        return self.client.playing is not None


class World:
    """Everybody at one table, in virtual time."""

    def __init__(
        self,
        seats: int = 2,
        edition: str = "classic",
        seed: str = "koi",
        faults: Faults | None = None,
        private: bool = False,
        patience: float = 300.0,
        watchers: int = 0,
        clock: int = 0,
    ) -> None:
        self.seed, self.edition, self.patience = seed, edition, patience
        self.broker = MemoryBroker(seed, faults or Faults())
        self.now = 1000.0
        self.rng = Random(seed)
        host = Identity(secret(seed, 0))
        salt = secret(seed, "salt")
        self.play_key = secret(seed, "play") if private else b""
        self.private = PrivateTable(read_key(self.play_key)) if private else None
        self.table = self.private.table if self.private is not None else table_id(host.key, salt)
        rules = rules_for(edition, seats)
        self.hosting = Hosting(make_terms(rules, seats, seats, clock), salt, listed=not private, welcome_all=True)
        self.people: dict[str, Person] = {}
        self.dead: set[str] = set()
        for number in range(seats):
            self.add(f"p{number}", Identity(secret(seed, number)), MemoryDisk(self._new_seat(number)))
        for number in range(watchers):
            self.add(f"w{number}", Identity(secret(seed, "watcher", number)), MemoryDisk())

    def _new_seat(self, number: int) -> Seat:
        return Seat("", f"p{number}", b"", secret(self.seed, "nonce", number), secret(self.seed, "game", number))

    def add(self, name: str, me: Identity, disk: MemoryDisk) -> Person:
        """A new program, or one that was restarted, with what its disk holds."""
        hosting = self.hosting if name == "p0" else None
        door = door_identity(self.play_key) if self.play_key and disk.seat is not None else None
        channel = Channel("main", self.table, self.private)
        manner = Manner(bot=True, patience=self.patience)
        rng = Random(f"{self.seed} {name} {self.now}")
        record = read_record(disk.record)[0] if disk.record and disk.seat is not None else []
        client = Client(
            channel, me, disk, rules_for, self.now, disk.seat, hosting, door, manner=manner, rng=rng, record=record
        )
        person = Person(name, me, disk, client)
        self.people[name] = person
        self.connect(person)
        return person

    # The network

    def connect(self, person: Person) -> None:
        self.broker.connect(person.name, None, self.now)
        person.connected = True
        person.filters = person.client.filters
        self.broker.subscribe(person.name, person.filters, self.now)
        person.client.connected(self.now)

    def disconnect(self, person: Person) -> None:
        if person.connected:
            self.broker.disconnect(person.name, self.now, clean=False)
            person.connected = False
            person.client.lost("closed", self.now)

    def kill(self, name: str) -> None:
        """The program is gone at once, with everything that was not on its disk."""
        person = self.people.pop(name)
        if person.connected:
            self.broker.disconnect(name, self.now, clean=False)
        self.dead.add(name)
        self._graves = {**getattr(self, "_graves", {}), name: person}

    def revive(self, name: str, record: bytes | None = None) -> Person:
        """The program starts again from its disk, or from what is left of it."""
        grave = self._graves.pop(name)
        self.dead.discard(name)
        disk = MemoryDisk(grave.disk.seat, grave.disk.record if record is None else record)
        return self.add(name, grave.me, disk)

    def _settle(self, person: Person) -> None:
        """Publishes what waits, and subscribes anew if other things are to be heard."""
        for publication in person.client.outgoing:
            if person.connected:
                self.broker.publish(person.name, publication, self.now)
        wanted = person.client.filters
        if wanted != person.filters and person.connected:
            new = [each for each in wanted if each not in person.filters]
            self.broker.subscribe(person.name, new, self.now)
            self.broker.unsubscribe(person.name, [each for each in person.filters if each not in wanted])
            person.filters = wanted
        person.events += person.client.take_events()

    # Time

    def step(self) -> None:
        """One quarter of a second: deliveries in order, then everybody's clock, then everybody's move."""
        until = self.now + STEP
        while (due := self.broker.next_time()) is not None and due <= until:
            self.now = max(self.now, due)
            for name, message in self.broker.due(self.now):
                if name in self.people:
                    person = self.people[name]
                    person.client.receive(message.topic, message.payload, message.retained, self.now)
                    self._settle(person)
        self.now = until
        for person in list(self.people.values()):
            person.client.tick(self.now)
            self._settle(person)
            self.move(person)

    def move(self, person: Person) -> None:
        playing = person.client.playing
        if playing is None or playing.me is None or person.asleep or playing.over or playing.asking.catching_up:
            return
        laid = playing.laid
        if laid is None or laid.owed or "bundle" not in playing.session.owes or playing.session.ballots.bound():
            return
        if playing.leaving or playing.session.heads.other_run is not None:
            return
        view = playing.observation()
        bundle = find_bot(person.level).choose(view, Random(f"{self.seed} {view.position.turn}"), 1000)
        playing.play(bundle, self.now)
        person.client._work(self.now)
        self._settle(person)

    def run(self, seconds: float = 4000.0) -> None:
        """Until everybody's game is over, or time is."""
        until = self.now + seconds
        while self.now < until and not all(person.client.done for person in self.people.values()):
            self.step()

    def until(self, condition: object, seconds: float = 4000.0) -> None:
        assert callable(condition)
        until = self.now + seconds
        while self.now < until and not condition():
            self.step()
        assert condition(), "it did not come to that"

    # What came of it

    def heads(self) -> set[tuple[int, bytes]]:
        return {
            (person.client.playing.session.log.head.number, person.client.playing.session.log.head.link)
            for person in self.people.values()
            if person.client.playing is not None
        }

    def changes(self, name: str) -> list[game.Event]:
        kinds = (game.Played, game.Dealt, game.Left, game.Excluded)
        return [event for event in self.people[name].events if isinstance(event, kinds)]
