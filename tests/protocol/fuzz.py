"""Throws bent messages at every reader: `python -m tests.lab.soaks.messages --messages 100000`.

Only the library's own verdicts may be raised, a refused message may change nothing, the log may change only by valid
entries or by unanimous votes, and every message takes bounded time and memory.
"""

from __future__ import annotations

import copy
import random
import resource
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wasabi_protocol.game.events import Blamed, EntryAccepted, Excluded
from wasabi_protocol.game.record import replay, write_record
from wasabi_protocol.signed.codec import write
from wasabi_protocol.signed.envelope import sign
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.table.invite import Carrier, Invite
from wasabi_protocol.table.invite_text import format_invite, parse_invite
from wasabi_protocol.table.private import PrivateTable, read_key
from wasabi_protocol.table.topics import Topic, parse_topic
from wasabi_protocol.table.waiting_room import WaitingRoom
from wasabi_protocol.verdicts import Refused, Verdict

from tests.protocol.game.test_record import game_with_a_vote, until
from tests.protocol.mutations import bend_body, bend_bytes
from tests.protocol.samples import SAMPLES
from tests.protocol.sessions import Item, World, choose, secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from wasabi_protocol.game.session import Session

    from tests.protocol.toy import Position

LONGEST_SECONDS = 3.0
RESIGNED_SHARE = 0.45
FEWEST_RESIGNED = 0.2
MOST_KILOBYTES = 65_536
"""Most kilobytes by which a single message may raise the peak memory."""


@dataclass
class Report:
    """The fuzzer's statistics."""

    messages: int = 0
    resigned: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    memory: int = 0
    largest: int = 0

    def __str__(self) -> str:
        codes = ", ".join(f"{code} {count}" for code, count in self.codes.most_common())
        return (
            f"{self.messages} messages, {self.resigned} re-signed, slowest {self.slowest * 1000:.0f} ms, "
            f"memory grew {self.memory // 1024} MB, by one message {self.largest // 1024} MB: {codes}"
        )


def played_games() -> list[World]:
    """Return two finished games as raw material: one with a vote and a new epoch, one with a leave."""
    voted = game_with_a_vote("fuzz vote", passes=5, after=10)
    left = World(2, "fuzz leave", passes=4)
    until(left, 7)
    for peer in left.online:
        left.publish(peer, peer.session.head())
    left.publish(left.online[0], left.online[0].session.wish("leave"))
    left.run(choose)
    return [voted, left]


def clone(session: Session[Position]) -> Session[Position]:
    """Return a copy that shares only immutable parts."""
    log = session.log
    fixed: list[object] = [session.founded, session.game, *log.slots, *log.open.values()]
    fixed += [signed for slot in log.slots for signed in slot.bodies]
    return copy.deepcopy(session, {id(value): value for value in fixed})


def memory(session: Session[Position]) -> tuple[object, ...]:
    """Return everything that a message could have changed."""
    log = session.log
    links = tuple(slot.link for slot in log.slots)
    entries = tuple((seat, log.open[seat].signed.body_hash) for seat in sorted(log.open))
    seats = range(len(log.keys))
    kept = tuple(session.ballots.kept(seat) for seat in seats)
    covered = tuple(session.heads.covered(seat) for seat in seats)
    counts = (log.waiting, len(log.evidence), len(session.abandoned), session.wishes.leaves(seats))
    return links, entries, kept, covered, counts


class Sessions:
    """Sessions stopped in mid-game, with the messages before and after that point."""

    def __init__(self, worlds: list[World], rng: random.Random) -> None:
        self._rng = rng
        self._targets: list[tuple[World, Session[Position], list[Item]]] = []
        for world in worlds:
            slots = world.spectator.log.slots
            for stop in range(0, len(slots), 2):
                session = world.peer(world.opening.people[0]).session
                for slot in slots[1 : stop + 1]:
                    for signed in slot.bodies:
                        session.receive(signed.key, signed.envelope)
                following = slots[stop + 1].bodies if stop + 1 < len(slots) else ()
                near = [(signed.key, signed.envelope) for signed in following]
                self._targets.append((world, session, near or world.wire))
        self._fresh: dict[int, Session[Position]] = {}

    def throw(self, report: Report) -> None:
        """Throw one bent message at one session."""
        rng = self._rng
        number = rng.randrange(len(self._targets))
        world, pristine, near = self._targets[number]
        session = self._fresh.setdefault(number, clone(pristine))
        key, envelope, resigned = self._bent(world, near)
        report.resigned += resigned
        before = memory(session)
        try:
            events = session.receive(key, envelope, live=rng.random() < 0.5)
        except Verdict:
            assert memory(session) == before, "a refused message changed something"
            raise
        report.codes.update(type(event).__name__ for event in events)
        after = memory(session)
        if after[:2] != before[:2]:
            lawful = any(isinstance(event, (EntryAccepted, Excluded, Blamed)) for event in events)
            assert lawful, "the log changed without an entry, a vote or a proof"
        if after != before:
            del self._fresh[number]

    def _bent(self, world: World, near: list[Item]) -> tuple[bytes, bytes, bool]:
        rng = self._rng
        key, envelope = rng.choice(near) if rng.random() < 0.5 else rng.choice(world.wire)
        body = envelope[SIGNATURE_BYTES:]
        if rng.random() < 0.1:
            sample = rng.choice(SAMPLES)
            known = {"gid": world.founded.gid, "table": world.founded.genesis.table}
            body = write(replace(sample, **{n: v for n, v in known.items() if hasattr(sample, n)}))
        if rng.random() > RESIGNED_SHARE:
            return key, bend_bytes(envelope, rng), False
        people = {who.key: who for who in world.opening.people}
        who = people[key] if rng.random() < 0.8 else rng.choice(world.opening.people)
        others = [other[SIGNATURE_BYTES:] for _, other in near]
        return who.key, sign(who, bend_body(body, others, rng)), True


class Rooms:
    """A waiting room after some of its messages."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self._rng = rng
        self._opening = world.opening

    def throw(self, report: Report) -> None:
        rng, opening = self._rng, self._opening
        room = WaitingRoom(opening.room.table, opening.room.host, opening.people[1])
        for item in opening.items[: rng.randrange(len(opening.items))]:
            room.receive(*item)
        key, envelope = rng.choice(opening.items)
        body = envelope[SIGNATURE_BYTES:]
        if rng.random() < RESIGNED_SHARE:
            who = next(who for who in opening.people if who.key == key)
            envelope = sign(who, bend_body(body, [body], rng))
            report.resigned += 1
        else:
            envelope = bend_bytes(envelope, rng)
        known = len(room.joins), len(room.games), len(room.accepts), room.started, room.proof, room.offer
        try:
            room.receive(key, envelope)
        except Refused:
            after = len(room.joins), len(room.games), len(room.accepts), room.started, room.proof, room.offer
            assert after == known, "a refused message changed something"
            raise


class Addresses:
    """Topics, invites, sealed payloads and files."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self._rng = rng
        self._world = world
        self._private = PrivateTable(secret("fuzz"))
        self._payload = self._private.seal(world.wire[0][1])
        self._file = write_record([*world.opening.file_head, *world.spectator.log.after(0)[:4]])
        author, table = "a" * 52, "b" * 26
        play = secret("fuzz invite")[:16]
        carrier = Carrier((("host", 99),), "mqtts", certificate="0" * 64)
        invite = Invite((carrier,), "home", PrivateTable(read_key(play)).table, play, b"", "a" * 16)
        self._texts = [str(Topic("home", "log", author, table, 7)), format_invite(invite)]

    def throw(self, report: Report) -> None:
        rng = self._rng
        choice = rng.random()
        if choice < 0.6:
            text = bend_bytes(rng.choice(self._texts).encode(), rng).decode("latin-1")
            rng.choice([parse_topic, parse_invite])(text)
        elif choice < 0.97:
            self._private.open(bend_bytes(self._payload, rng))
        else:
            result = replay(bend_bytes(self._file, rng), self._world.game)
            report.codes["replayed whole" if result.valid else "replayed in part"] += 1


def fuzz(messages: int, seed: int = 1) -> Report:
    """Throw this many messages; AssertionError or any other error is a finding."""
    rng = random.Random(seed)
    worlds = played_games()
    sessions, rooms, addresses = Sessions(worlds, rng), Rooms(worlds[0], rng), Addresses(worlds[1], rng)
    report = Report()
    start_memory = used = most_memory()
    throws: tuple[Callable[[Report], None], ...] = (*[sessions.throw] * 8, rooms.throw, addresses.throw)
    for _ in range(messages):
        began = time.process_time()
        try:
            rng.choice(throws)(report)
            report.codes["taken"] += 1
        except Verdict as verdict:
            report.codes[verdict.code] += 1
        report.messages += 1
        report.slowest = max(report.slowest, time.process_time() - began)
        before, used = used, most_memory()
        report.largest = max(report.largest, used - before)
    report.memory = used - start_memory
    assert report.slowest < LONGEST_SECONDS, report
    assert report.largest < MOST_KILOBYTES, report
    assert report.resigned >= FEWEST_RESIGNED * messages, report
    return report


def most_memory() -> int:
    """Return the peak memory of this process in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
