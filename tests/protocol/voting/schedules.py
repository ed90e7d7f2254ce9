"""Random schedules of votes: honest seats of the library, one seat that signs anything, and a network without order.

    python -m tests.lab.soaks.votes --seats 3 --count 10000 [--first SEED]

Each schedule runs from its seed. At its end everything that honest seats know is delivered to all of them, the liar is
silent, and these laws apply: the same messages give one log, whatever their order; no honest seat is bound for ever,
unless only the liar remains beside it; no honest seat is out without the yes of every other one; confirmed moves are
still there; proof names only the liar. In some schedules one honest seat, or two of four, also leave. The
liar speaks in the first rounds, in rounds around the one in which an honest seat is, and beyond the last that is heard.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from wasabi_protocol.signed.codec import parse, signed_message
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Ballot, Pledge, Shares
from wasabi_protocol.verdicts import Forbidden
from wasabi_protocol.voting.poll import CLIENT, NOBODY, PERSON, WINDOW

from tests.protocol.plain import GID, LEAVE, PEOPLE, Item, Node, links

STEPS = 90
LAST = 12
"""The slot up to which the game is played without disturbance."""


@dataclass
class Schedule:
    """One run from its seed."""

    seats: int
    seed: int
    lies: int = 12
    """Most messages of the liar."""
    failures: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seats} {self.seed}")
        self.liar = self.rng.randrange(self.seats)
        self.nodes = [Node(self.seats, seat) for seat in range(self.seats) if seat != self.liar]
        self.heard: dict[int, set[bytes]] = {node.seat or 0: set() for node in self.nodes}
        self.wire: list[Item] = []
        self.leaves = self.seed % (self.seats - 1)
        self._confirmed: dict[int, list[bytes]] = {}

    def run(self) -> list[str]:
        told = 0
        for _ in range(STEPS):
            node = self.rng.choice(self.nodes)
            match self.rng.randrange(9):
                case 0 | 1 | 2 | 3 if self.wire:
                    self._hear(node, self.rng.choice(self.wire))
                case 4:
                    self._publish(node, self._leave(node) or node.write())
                case 5:
                    self._publish(node, node.duties())
                case 6:
                    self._publish(node, self._person(node))
                case 7 if self.rng.random() < 0.1:
                    self._publish(node, node.withdraw())
                case 8 if told < self.lies:
                    told += 1
                    lie = self._lie(self.rng.choice(self.nodes))
                    self.wire.append(lie)
                    self._hear(node, lie)
        self._rest()
        self._check()
        return self.failures

    def _leave(self, node: Node) -> Item | None:
        """Let an honest seat leave in its turn, in some schedules."""
        if self.leaves == 0 or len(node.log.state.owed) != 1 or self.rng.random() < 0.6:
            return None
        item = node.write(LEAVE)
        self.leaves -= item is not None
        return item

    def _publish(self, node: Node, item: Item | None) -> None:
        if item is not None:
            self.wire.append(item)
            self.heard[node.seat or 0].add(item[1])
            self._watch(node)

    def _hear(self, node: Node, item: Item) -> None:
        node.take(item)
        self.heard[node.seat or 0].add(item[1])
        self._watch(node)

    def _watch(self, node: Node) -> None:
        """Check that a confirmed move and everything before it stays, unless the liar signed two bodies for that very
        slot.
        """
        seat, log = node.seat or 0, node.log
        before = self._confirmed.get(seat, [])
        now = links(log)
        disputed = any(e.slot == len(before) - 1 for e in log.evidence if e.seat == self.liar)
        if now[: len(before)] != before and not (disputed and now[: len(before) - 1] == before[:-1]):
            self.failures.append(f"P5: seat {seat} lost a confirmed move")
        others = [other for other in (*log.state.seats, *log.doubted) if other != seat]
        last = min([log.open_base(seat), *(log.last_written(other) - 1 for other in others)])
        mine = [slot.number for slot in log.slots if seat in slot.seats and not slot.voted and slot.number <= last]
        self._confirmed[seat] = now[: max(mine, default=0) + 1]

    def _person(self, node: Node) -> Item | None:
        """Let a person answer the open question, or call a vote about somebody who owes an entry."""
        asked = node.ballots.question()
        others = [seat for seat in node.log.missing if seat != node.seat]
        if asked is None and (not others or self.rng.random() < 0.5):
            return None
        out = asked if asked is not None else self.rng.choice(others)
        if asked is not None and self.rng.random() < 0.3:
            out = NOBODY
        try:
            return node.vote(out, self.rng.choice([PERSON, PERSON, CLIENT]))
        except Forbidden:
            return None

    def _lie(self, node: Node) -> Item:
        """Return anything the liar can sign about what an honest seat knows."""
        rng, liar, log = self.rng, self.liar, node.log
        slot = rng.choice(log.slots[-3:])
        epoch, prev = slot.state.epoch, slot.link
        if rng.random() < 0.05:
            prev = b"x" * 32
        message: Shares | Ballot | Pledge
        match rng.randrange(4):
            case 0 | 1:
                works = ["ok", "ok", "ok b", "ok twin", "bad"]
                work = LEAVE if self.seed % 2 and rng.random() < 0.3 else rng.choice(works)
                message = Shares(GID, epoch, slot.number + 1, liar, prev, work)
            case kind:
                out = rng.randrange(self.seats + 1) if rng.random() < 0.7 else NOBODY
                out = NOBODY if out == self.seats else out
                base = log.start if out == NOBODY and rng.random() < 0.9 else slot
                here = node.ballots.view.round() + rng.choice((-1, 0, 0, 1, 1, 2, 3, WINDOW))
                number = rng.randrange(1, 5) if rng.random() < 0.5 else max(1, here)
                place = (GID, base.state.epoch, base.number, liar, base.link, number, out)
                message = Ballot(*place, PERSON) if kind == 2 else Pledge(*place)
        return PEOPLE[liar].key, signed_message(PEOPLE[liar], message)

    # The end

    def _rest(self) -> None:
        """Deliver everything to everybody; people who are asked say no; timeouts expire."""
        for _ in range(400):
            for node in self.nodes:
                for item in self.wire:
                    if item[1] not in self.heard[node.seat or 0]:
                        self._hear(node, item)
            said = [(node, new) for node in self.nodes if (new := node.duties()) is not None]
            if not said and self.nodes[0].log.head.number < LAST:
                said = [(node, new) for node in self.nodes if (new := node.write()) is not None]
            if not said:
                asked = [node for node in self.nodes if node.ballots.question() is not None]
                said = [(node, node.vote(NOBODY)) for node in asked]
            if not said:
                said = [(node, new) for node in self.nodes if (new := node.withdraw()) is not None]
            for node, item in said:
                self._publish(node, item)
            if not said:
                return
        self.failures.append("P6: honest seats never come to rest")

    def _check(self) -> None:
        first, *others = self.nodes
        for other in others:
            if links(other.log) != links(first.log):
                self.failures.append("P1: different logs")
        late = Node(self.seats, None)
        items = self.rng.sample(self.wire, len(self.wire))
        for _ in range(2):
            # Twice, because words dropped from a seat that says too many are accepted again where others rely on them.
            for item in items:
                late.take(item)
        if links(late.log) != links(first.log):
            self.failures.append("P1: a reader comes to another log")
        for node in self.nodes:
            seat = node.seat or 0
            if node.log.proved - {self.liar}:
                self.failures.append("P1: proof against an honest seat")
            seats = node.log.state.seats
            if seat in seats and node.ballots.bound() and not (len(seats) == 2 and self.liar in seats):
                self.failures.append(f"P2: seat {seat} is bound for ever")
            for slot in node.log.slots:
                if slot.voted and slot.out != self.liar and not self._agreed(slot.out or 0):
                    self.failures.append(f"P3: seat {slot.out} is out without every other honest seat's yes")

    def _agreed(self, out: int) -> bool:
        """Return whether every other honest seat still present said yes."""
        yes = set()
        for item in self.wire:
            message = parse(open_envelope(*item).body)
            if isinstance(message, Ballot) and message.out == out:
                yes.add(message.seat)
        seats = {node.seat for node in self.nodes} - {out}
        there = set(self.nodes[0].log.state.seats)
        return seats & there <= yes
