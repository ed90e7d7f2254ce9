"""Vectors of ballots: what passes, what proves something, and what an honest seat owes in reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import parse, parse_as, write
from wasabi_protocol.signed.envelope import Item, sign
from wasabi_protocol.signed.messages import Ballot, Keys

from tests.protocol.sessions import choose, secret
from tests.protocol.vectors.record import Recording
from tests.protocol.vectors.vector import Vector, pairs


def ballots(gone: Recording) -> list[Vector]:
    """On the game whose seat vanished: everything up to its vote, then other ballots."""
    return _Cases(gone).all()


class _Cases:
    def __init__(self, gone: Recording) -> None:
        self.name = gone.name
        self.items = read_record(gone.file())[0][2:]
        self.people = sorted(gone.opening.people, key=lambda who: who.key)
        self.at = next(n for n, item in enumerate(self.items) if read_header(item[1][64:]) is None)
        self.vote = [parse_as(Ballot, item[1][64:]) for item in self.items[self.at : self.at + 2]]
        self.first, self.second = self.vote
        self.out = self.first.out
        self.owed = self._owed_entry(gone)
        self.vectors: list[Vector] = []

    def _owed_entry(self, gone: Recording) -> Item:
        """The entry that the absent seat would have written."""
        world = Recording(3, gone.name, gone.game.passes, gone.founded.genesis.terms.decks)
        for item in self.items[: self.at]:
            for peer in world.peers.values():
                peer.take(item)
        peer = world.peers[self.out]
        return peer.who.key, choose(world, peer)

    def said(self, ballot: Ballot) -> Item:
        who = self.people[ballot.seat]
        return who.key, sign(who, write(ballot))

    def log(
        self, id_: str, comment: str, then: Sequence[Item], code: str | None = None, blames: int | None = None
    ) -> None:
        given = {"game": self.name, "taken": self.at, "then": pairs(then)}
        self.vectors.append(Vector(f"ballot/{id_}", "log", comment, given, code, blames))

    def duty(self, id_: str, comment: str, seat: int, then: Sequence[Item]) -> None:
        given = {"game": self.name, "taken": self.at, "then": pairs(then), "seat": seat}
        self.vectors.append(Vector(f"duty/{id_}", "duty", comment, given))

    def cast(self, id_: str, comment: str, then: Sequence[Item], out: int, yes: bool, code: str | None = None) -> None:
        base = self.first.base
        given = {"game": self.name, "taken": self.at, "then": pairs(then), "seat": self.first.seat}
        self.vectors.append(
            Vector(f"cast/{id_}", "cast", comment, given | {"base": base, "out": out, "yes": yes}, code)
        )

    def all(self) -> list[Vector]:
        self._passing()
        self._racing()
        self._wrong()
        self._duties()
        self._casting()
        return self.vectors

    def _passing(self) -> None:
        one, two = self.said(self.first), self.said(self.second)
        no = self.said(replace(self.second, yes=False))
        self.log("one-yes", "one of two needed", [one])
        self.log("passed", "yes from every other seat: these ballots are the slot", [one, two])
        self.log("any-order", "in whatever order", [two, one])
        self.log("no", "a no ends the round", [one, no])
        again = [self.said(replace(ballot, round=2)) for ballot in self.vote]
        self.log("next-round", "the next round may pass", [one, no, *again])
        self.log("mixed-rounds", "votes of two rounds do not add up", [one, again[1]])

    def _racing(self) -> None:
        one, two = self.said(self.first), self.said(self.second)
        self.log("entry-before", "the owed entry before the vote: it fills its slot", [self.owed])
        self.log("entry-between", "between two ballots", [one, self.owed])
        self.log("vote-after-entry", "a unanimous vote voids it all the same", [one, self.owed, two])
        self.log("entry-after", "after the vote it is void for ever", [one, two, self.owed], "void")
        held = replace(self.second, yes=False, held=(self.owed,))
        self.log("no-with-entry", "a no hands on the owed entry", [one, self.said(held)])

    def _wrong(self) -> None:
        first = self.first
        one, two = self.said(first), self.said(self.second)
        no = self.said(replace(first, yes=False))
        self.log("contradiction", "yes and no in one round: proof", [one, no], "equivocation", first.seat)
        self.log("contradiction-late", "after the vote too", [one, two, no], "equivocation", first.seat)
        other = self.said(replace(first, round=2, yes=False))
        self.log("old-epoch", "another round of a past epoch is void", [one, two, other], "void")
        self.log("own-seat", "against oneself", [self.said(replace(first, out=first.seat))], "ballot-out")
        self.log("no-such-seat", "against nobody", [self.said(replace(first, out=3))], "ballot-out")
        forged = self.people[self.second.seat].key, sign(self.people[self.second.seat], write(first))
        self.log("other-voter", "in another's name", [forged], "wrong-seat")
        self.log("other-game", "in another game", [self.said(replace(first, gid=secret("g")))], "wrong-game")
        loaded = self.said(replace(first, held=(self.owed,)))
        self.log("yes-attaches", "a yes attaches nothing: it has one body", [loaded], "wrong-content")
        self.log("other-past", "on another branch it waits", [self.said(replace(first, prev=secret("p")))])
        keys = parse_as(Keys, self.items[self.at + 2][1][64:])
        again = (self.people[keys.seat].key, sign(self.people[keys.seat], write(replace(keys, nonce=secret("n")))))
        comment = "the order is drawn once: no nonce in a later epoch"
        self.log("nonce-again", comment, [one, two, again], "bad-nonce", keys.seat)
        mine = self.said(replace(first, seat=self.out, out=first.seat))
        self.log("by-the-absent", "the absent seat votes too, and alone it decides nothing", [mine])

    def _duties(self) -> None:
        one = self.said(self.first)
        seat = self.second.seat
        self.duty("free", "without the owed entry the user decides", seat, [one])
        self.duty("no", "whoever holds it says no", seat, [self.owed, one])
        self.duty("none-for-accused", "the accused says nothing", self.out, [one])
        two = self.said(self.second)
        self.duty("bound", "after yes nothing is written until the round ends", seat, [two])
        no = self.said(replace(self.first, yes=False))
        self.duty("round-over", "a no ends the round: it may write again", seat, [two, no])
        entry = parse(self.owed[1][64:])
        bent = sign(self.people[self.out], write(replace(entry, digest=secret("d"))))  # type: ignore[call-arg]
        wrong = (self.people[self.out].key, bent)
        self.duty("yes", "with proof against that seat the answer is yes", seat, [wrong, one])

    def _casting(self) -> None:
        one = self.said(self.first)
        two_no = self.said(replace(self.second, yes=False))
        self.cast("yes", "a first yes", [], self.out, True)
        self.cast("again", "one open yes at a time", [one], self.out, True, "round-open")
        self.cast("next-round", "after a no the next round", [one, two_no], self.out, True)
        self.cast("holds-entry", "not while holding the owed entry", [self.owed], self.out, True, "must-say-no")
        self.cast("no-with-entry", "a no attaches it", [self.owed], self.out, False)
        self.cast("owes-nothing", "only against a seat that owes", [], self.second.seat, True, "ballot-out")
