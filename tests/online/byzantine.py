"""A Byzantine client in virtual time: `python -m tests.lab.soaks.byzantine --games N`.

It has a seat and its key. Whatever it signs, no honest client raises anything, nobody honest is blamed, honest clients
reach the same log, and what they store stays bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import msgpack
from wasabi_protocol.signed.codec import FIELDS, write
from wasabi_protocol.signed.envelope import MAX_ENVELOPE, sign
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import TYPES
from wasabi_protocol.voting.poll import BOT, CLIENT, NOBODY, PERSON, PROOF

from tests.net.memory import Faults
from tests.protocol.mutations import HOSTILE, bend_body, bend_bytes
from tests.protocol.samples import SAMPLES
from wasabi_tx.engine.errors import RulesError
from wasabi_tx.net.transport import Publication
from wasabi_tx.online.client.client import Client

from .world import Person, World

KINDS = ("mv", "mv", "mv", "mv", "head", "log", "ask", "ans", "say")
MOST_SECONDS = 240
QUIET_SECONDS = 60
"""Seconds of silence from the liar at the end, in which everything that honest clients know reaches all of them."""
MOST_HELD = 4_000_000
"""Bytes of evidence and ballots that one client may store and pass on because of one liar."""


@dataclass
class Report:
    """The results of the games."""

    games: int = 0
    messages: int = 0
    ends: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        ends = ", ".join(f"{end} {count}" for end, count in self.ends.most_common())
        return f"{self.games} games, {self.messages} messages of liars, nothing raised, nobody honest blamed: {ends}"


class FalseWords:
    """Messages that a seat's key can sign: mutated ones of its own and of others, and invented ones of every type."""

    def __init__(self, me: Identity, client: Client, rng: Random, heard: Callable[[], list[bytes]]) -> None:
        """Set up; `heard` returns the latest bodies, by any author."""
        self._me, self._client, self._rng, self._heard = me, client, rng, heard

    def envelope(self) -> bytes:
        """Return one more false message."""
        return sign(self._me, self._body())[:MAX_ENVELOPE]

    def _body(self) -> bytes:
        rng, heard, game = self._rng, self._heard(), self._client.playing
        own = [envelope[64:] for envelope in game.own] if game is not None else []
        how = rng.random()
        if how < 0.35 and own:
            return self._bent(rng.choice(own[-6:]), heard)
        if how < 0.55:
            return rng.choice(heard)
        if how < 0.8:
            return self._bent(rng.choice(heard), heard)
        if how < 0.97:
            return self._made_up()
        return rng.choice(HOSTILE)

    def _bent(self, body: bytes, others: list[bytes]) -> bytes:
        try:
            return bend_body(body, others, self._rng)
        except (ValueError, TypeError, OverflowError, msgpack.UnpackException):
            # This is its own earlier nonsense.
            return bend_bytes(body, self._rng)

    def _made_up(self) -> bytes:
        """Return a message of any type, with identifiers taken from this game."""
        rng, game = self._rng, self._client.playing
        sample = rng.choice(SAMPLES)
        fields = {name: getattr(sample, name) for name in FIELDS[type(sample)]}
        if game is not None:
            head = game.session.log.head
            seat = game.founded.seat_of(self._me.key)
            slots = game.session.log.slots
            base = slots[rng.randrange(max(0, len(slots) - 4), len(slots))]
            known: dict[str, object] = {
                "gid": game.founded.gid,
                "table": self._client.channel.table,
                "key": self._me.key,
                "epoch": max(0, base.state.epoch + rng.choice([0, 0, 0, 1, -1])),
                "slot": head.number + rng.choice([0, 1, 1, 2, 50]),
                "base": base.number,
                "prev": rng.choice([base.link, base.link, head.link, rng.randbytes(32)]),
                "seat": seat if rng.random() < 0.9 else rng.randrange(4),
                "round": game.session.log.poll.floor + rng.choice([0, 1, 1, 1, 2, 2, 3, 70]),
                "n": rng.randrange(2**20),
                "whom": rng.choice(game.founded.keys),
                "after": rng.randrange(40),
                "want": rng.choice(["leave", "rematch"]),
                "by": rng.choice([PERSON, PERSON, PROOF, CLIENT, BOT]),
                "out": rng.choice([NOBODY, *range(len(game.founded.keys))]),
            }
            if known["out"] == NOBODY and rng.random() < 0.9:
                start = game.session.log.start
                known |= {"epoch": start.state.epoch, "base": start.number, "prev": start.link}
            quoted = [(key, envelope) for key, envelope in game.session.log.after(max(0, head.number - 3))]
            if quoted:
                picked = [rng.choice(quoted) for _ in range(rng.choice([1, 2, 8, 64]))]
                known |= {"items": tuple(picked), "entries": tuple(envelope for _, envelope in picked)}
            fields |= {name: value for name, value in known.items() if name in fields}
        body = write(TYPES[sample.t](**fields))
        return body if rng.random() < 0.7 else self._bent(body, [body])


class Liar:
    """A seat of a world that sends false messages, to everybody or to only one, as a lying broker would."""

    def __init__(self, world: World, person: Person, rng: Random) -> None:
        self.world, self.person, self.rng = world, person, rng
        self.sent = 0
        person.lies = True
        self._words = FalseWords(person.me, person.client, rng, self._heard)
        world.broker.connect("liar", None, world.now)

    def lie(self) -> None:
        """Send one more message under its own name."""
        rng, person = self.rng, self.person
        kind = rng.choice(KINDS)
        n = rng.randrange(3) if kind == "log" else None
        topic = person.client.channel.topic(kind, person.me.key, n)
        payload = person.client.channel.payload(self._words.envelope())
        self.sent += 1
        if rng.random() < 0.3:
            others = [one for one in self.world.people.values() if one is not person]
            one = rng.choice(others)
            one.client.receive(topic, payload, rng.random() < 0.2, self.world.now)
            self.world._settle(one)
        else:
            self.world.broker.publish("liar", Publication(topic, payload, 1, kind in ("head", "log")), self.world.now)

    def _heard(self) -> list[bytes]:
        private = self.world.private
        payloads = [one.payload for one in self.world.broker.log[-120:] if "/t/" in one.topic and one.payload]
        bodies = [(payload if private is None else private.open(payload))[64:] for payload in payloads]
        # Its own nonsense may be nothing but a signature.
        return [body for body in bodies if body]


def play(seed: str, report: Report) -> None:
    """Play one game; an AssertionError or any other exception is a finding."""
    rng = Random(seed)
    seats, edition = rng.choice([(2, "classic"), (3, "classic"), (3, "master"), (4, "classic")])
    faults = Faults(drop=0.05, duplicate=0.05, delay=(0.0, 0.6)) if rng.random() < 0.5 else Faults()
    world = World(seats, edition, seed, faults, private=rng.random() < 0.3, patience=30, watchers=1)
    world.until(lambda: all(p.game_or_none is not None for p in world.people.values()), 120)
    if rng.random() < 0.7:
        slots = rng.randrange(2, 24)
        world.until(lambda: world.people["p0"].game.session.log.head.number >= slots, 300)
    names = [name for name in world.people if name.startswith("p")]
    person = world.people[rng.choice(names)]
    liar = Liar(world, person, rng)
    if rng.random() < 0.5:
        person.asleep = True
    until = world.now + MOST_SECONDS
    lies = rng.randrange(20, 120)
    honest = [one for one in world.people.values() if one is not person]
    while world.now < until and not all(one.client.done for one in honest):
        if liar.sent < lies and world.now < until - QUIET_SECONDS:
            for _ in range(rng.randrange(3)):
                liar.lie()
        try:
            world.step()
        except RulesError:
            # A bot moved while a vote changed the table: its driver tries again.
            continue
    _check(world, person, honest)
    report.games += 1
    report.messages += liar.sent
    report.ends[_end(honest)] += 1


def _check(world: World, liar: Person, honest: list[Person]) -> None:
    for one in honest:
        session = one.game.session
        seat = one.game.founded.seat_of(liar.me.key)
        blamed = {evidence.seat for evidence in session.log.evidence}
        assert blamed <= {seat}, f"{one.name} blames somebody honest: {session.log.evidence}"
        held = sum(len(signed.envelope) for evidence in session.log.evidence for signed in evidence.bodies)
        held += sum(len(signed.envelope) for signed in session.ballots.present())
        assert held <= MOST_HELD, f"{one.name} holds {held} bytes because of a liar"
        one.game.ledger.flush()
    logs = [[slot.link for slot in one.game.session.log.slots] for one in honest]
    longest = max(logs, key=len)
    assert all(log == longest[: len(log)] for log in logs), f"honest clients have different logs: {world.now}"


def _end(honest: list[Person]) -> str:
    sessions = [one.game.session for one in honest]
    if all(session.state.outcome is not None for session in sessions):
        return "settled"
    if any(session.broken is not None for session in sessions):
        return "broken off with proof"
    return "blamed" if any(session.log.evidence for session in sessions) else "waits"
