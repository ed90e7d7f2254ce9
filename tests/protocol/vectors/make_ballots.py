"""Vectors of ballots and pledges: decisions, proofs, and the next word of an honest seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.record import read_record
from wasabi_protocol.signed.codec import parse, parse_as, write
from wasabi_protocol.signed.envelope import Item, sign
from wasabi_protocol.signed.messages import Ballot, Keys, Pledge
from wasabi_protocol.voting.poll import CLIENT, NOBODY, PERSON

from tests.protocol.sessions import Peer, choose, secret
from tests.protocol.vectors.record import Recording
from tests.protocol.vectors.vector import Vector, pairs


def ballots(gone: Recording) -> list[Vector]:
    """Return vectors on the game whose seat vanished: everything up to its vote, then other words."""
    return _Cases(gone).all()


class _Cases:
    def __init__(self, gone: Recording) -> None:
        self._gone = gone
        self.name = gone.name
        self.items = read_record(gone.file())[0][2:]
        self.people = sorted(gone.opening.people, key=lambda who: who.key)
        self.at = next(n for n, item in enumerate(self.items) if read_header(item[1][64:]) is None)
        words = [parse(item[1][64:]) for item in self.items[self.at : self.at + 4]]
        self.first, self.second = (word for word in words if isinstance(word, Ballot))
        self.pledges = [word for word in words if isinstance(word, Pledge)]
        self.out = self.first.out
        self.start = gone.spectator.log.slots[0].link
        self.owed = self._owed_entry()
        self.vectors: list[Vector] = []

    def _absent(self) -> Peer:
        """Return the absent seat as it was when the others voted."""
        gone = self._gone
        world = self._world = Recording(3, gone.name, gone.game.passes, gone.founded.genesis.terms.decks)
        for item in self.items[: self.at]:
            for peer in world.peers.values():
                peer.take(item)
        return world.peers[self.out]

    def _owed_entry(self) -> Item:
        """Return the entry that the absent seat would have written."""
        peer = self._absent()
        return peer.who.key, choose(self._world, peer)

    def _left(self) -> Item:
        """Return the leave that the absent seat may write instead."""
        peer = self._absent()
        return peer.who.key, peer.session.quit()

    def said(self, word: Ballot | Pledge) -> Item:
        who = self.people[word.seat]
        return who.key, sign(who, write(word))

    def staying(self, number: int) -> list[Item]:
        """Return the messages with which the two present seats decide in a round that nobody is excluded."""
        words: list[Ballot | Pledge] = [self.first, self.second, *self.pledges]
        return [self.said(self.stay(word, number)) for word in words]

    def stay(self, word: Ballot | Pledge, number: int = 1) -> Ballot | Pledge:
        """Return the same seat's word that nobody goes."""
        if isinstance(word, Ballot):
            return replace(word, base=0, prev=self.start, out=NOBODY, round=number)
        return replace(word, base=0, prev=self.start, out=NOBODY, round=number)

    def log(
        self, id_: str, comment: str, then: Sequence[Item], code: str | None = None, blames: int | None = None
    ) -> None:
        given = {"game": self.name, "taken": self.at, "then": pairs(then)}
        self.vectors.append(Vector(f"ballot/{id_}", "log", comment, given, code, blames))

    def duty(self, id_: str, comment: str, seat: int, then: Sequence[Item]) -> None:
        given = {"game": self.name, "taken": self.at, "then": pairs(then), "seat": seat}
        self.vectors.append(Vector(f"duty/{id_}", "duty", comment, given))

    def cast(self, id_: str, comment: str, then: Sequence[Item], out: int, code: str | None = None) -> None:
        given = {"game": self.name, "taken": self.at, "then": pairs(then), "seat": self.first.seat}
        self.vectors.append(Vector(f"cast/{id_}", "cast", comment, given | {"out": out, "by": PERSON}, code))

    def all(self) -> list[Vector]:
        self._deciding()
        self._racing()
        self._wrong()
        self._duties()
        self._casting()
        return self.vectors

    def _deciding(self) -> None:
        one, two = self.said(self.first), self.said(self.second)
        pledges = [self.said(pledge) for pledge in self.pledges]
        stay = self.said(self.stay(self.second))
        self.log("one-yes", "one of two needed", [one])
        self.log("complete", "complete, and pledged by nobody: nothing is decided yet", [one, two])
        self.log("one-pledge", "pledged by one of two needed", [one, two, pledges[0]])
        self.log("pledges-alone", "pledges without the ballots decide nothing", pledges)
        self.log("passed", "complete and pledged: the seat is out", [one, two, *pledges])
        self.log("any-order", "in whatever order", [*reversed(pledges), two, one])
        self.log("no", "without the other's yes nothing is complete", [one, stay, *pledges])
        again = [self.said(replace(ballot, round=2)) for ballot in (self.first, self.second)]
        again += [self.said(replace(pledge, round=2)) for pledge in self.pledges]
        self.log("next-round", "the next round may pass", [one, stay, *again])
        self.log("mixed-rounds", "ballots of two rounds do not add up", [one, again[1], *pledges])
        self.log("mixed-pledges", "pledges of two rounds do not add up", [one, two, pledges[0], again[3], *again[:2]])
        self.log("stays", "all go on together", self.staying(1))
        late = [one, two, pledges[0], *self.staying(2)]
        self.log("later-round", "what was decided in a later round counts", [*late, pledges[1]])
        clients = [self.said(replace(ballot, by="client")) for ballot in (self.first, self.second)]
        self.log("by-clients", "two of three go on by people's word, not by their clients'", [*clients, *pledges])
        bots = [self.said(replace(ballot, by="bot")) for ballot in (self.first, self.second)]
        self.log("by-keepers", "and one of them presses it: two programs are not enough", [*bots, *pledges])
        self.log("by-one", "a person and a program that speaks for its own are", [one, bots[1], *pledges])
        helped = replace(self.pledges[0], seat=self.out)
        comment = "the one who goes may pledge what it saw complete"
        self.log("accused-pledges", comment, [one, two, pledges[0], self.said(helped)])

    def _racing(self) -> None:
        one, two = self.said(self.first), self.said(self.second)
        pledges = [self.said(pledge) for pledge in self.pledges]
        self.log("entry-before", "the owed entry before the vote: it fills its slot", [self.owed])
        self.log("entry-between", "between two ballots", [one, self.owed])
        self.log("vote-after-entry", "what is decided voids it all the same", [one, self.owed, two, *pledges])
        self.log("entry-after", "after the vote it is void for ever", [one, two, *pledges, self.owed])

    def _wrong(self) -> None:
        first = self.first
        one, two = self.said(first), self.said(self.second)
        pledges = [self.said(pledge) for pledge in self.pledges]
        no = self.said(self.stay(first))
        self.log("contradiction", "two ballots in one round: proof", [one, no], "equivocation", first.seat)
        late = [one, two, *pledges, no]
        self.log("contradiction-late", "after the vote too", late, "equivocation", first.seat)
        pledge = self.pledges[0]
        twice = [self.said(pledge), self.said(self.stay(pledge))]
        self.log("two-pledges", "two pledges in one round: proof", twice, "equivocation", pledge.seat)
        other = self.said(self.stay(first, 2))
        self.log("old-epoch", "what is said about a past epoch changes nothing", [one, two, *pledges, other])
        self.log("no-such-seat", "against nobody", [self.said(replace(first, out=3))], "ballot-out")
        forged = self.people[self.second.seat].key, sign(self.people[self.second.seat], write(first))
        self.log("other-voter", "in another's name", [forged], "wrong-seat")
        self.log("other-game", "in another game", [self.said(replace(first, gid=secret("g")))], "wrong-game")
        self.log("other-past", "on another branch it waits", [self.said(replace(first, prev=secret("p")))])
        keys = parse_as(Keys, self.items[self.at + 4][1][64:])
        again = (self.people[keys.seat].key, sign(self.people[keys.seat], write(replace(keys, nonce=secret("n")))))
        comment = "the order is drawn once: no nonce in a later epoch"
        self.log("nonce-again", comment, [one, two, *pledges, again], "bad-nonce", keys.seat)
        mine = self.said(replace(first, seat=self.out, out=first.seat))
        self.log("by-the-absent", "the absent seat votes too, and alone it decides nothing", [mine])

    def _duties(self) -> None:
        one, two = self.said(self.first), self.said(self.second)
        seat = self.second.seat
        stay = self.said(self.stay(self.first))
        self.duty("free", "without the owed entry the person decides", seat, [one])
        self.duty("no", "whoever holds it wants all to stay", seat, [self.owed, one])
        self.duty("accused", "so does the one in question", self.out, [one])
        self.duty("bound", "after such a ballot nothing is written until its round is decided", seat, [two])
        self.duty("next-round", "after a no all go on together, in the next round", seat, [two, stay])
        self.duty("pledge", "what is complete is pledged", seat, [one, two])
        self.duty("accused-pledges", "by the one in question too", self.out, [one, two])
        second = self.said(self.stay(self.first, 2))
        self.duty("complete-binds", "in a later round one speaks for what is complete", seat, [one, two, second])
        self.duty("released", "what is decided releases everybody", seat, [two, *self.staying(2)])
        elsewhere = self.said(replace(self.first, prev=secret("p")))
        comment = "a ballot on a slot that is not known here says in which round its author is"
        self.duty("elsewhere", comment, seat, [elsewhere, second])
        left = self._left()
        comment = "a leave ends the vote: of the two who remain both say in the next round that nobody goes"
        self.duty("left", comment, seat, [two, left, second])
        pledged = next(self.said(self.stay(word)) for word in self.pledges if word.seat == seat)
        comment = "whoever pledged on the ballot of a seat that then left says the same in a ballot of its own"
        self.duty("left-after-pledge", comment, seat, [stay, pledged, left])
        entry = parse(self.owed[1][64:])
        bent = sign(self.people[self.out], write(replace(entry, digest=secret("d"))))  # type: ignore[call-arg]
        wrong = (self.people[self.out].key, bent)
        self.duty("proof", "proof calls for a vote by itself", seat, [wrong])
        self.duty("yes", "and is the answer to one", seat, [wrong, one])

    def _casting(self) -> None:
        one = self.said(self.first)
        self.cast("yes", "a first ballot", [], self.out)
        self.cast("again", "one open ballot at a time", [one], self.out, "bound-by-ballot")
        self.cast("answer", "an answer in the round of the question", [self.said(self.second)], self.out)
        self.cast("no", "and a no", [self.said(self.second)], NOBODY)
        self.cast("next-round", "after a decided round the next", [one, *self.staying(2)], self.out)
        self.cast("holds-entry", "not about a seat that has written", [self.owed], self.out, "ballot-out")
        self.cast("owes-nothing", "only against a seat that owes", [], self.second.seat, "ballot-out")


def ballots_of_four(world: Recording) -> list[Vector]:
    """Return vectors among four seats: three votes are enough, two are not."""
    log = world.spectator.log
    people = sorted(world.opening.people, key=lambda who: who.key)
    out, base, start = log.missing[0], log.head, log.slots[0]
    one, two, three = (seat for seat in log.state.seats if seat != out)
    given: dict[str, object] = {"game": world.name, "taken": len(read_record(world.file())[0]) - 2}

    def said(seat: int, word: Ballot | Pledge) -> Item:
        return people[seat].key, sign(people[seat], write(word))

    def wanted(*seats: int) -> list[Item]:
        return [said(seat, Ballot(log.gid, 0, base.number, seat, base.link, 1, out, PERSON)) for seat in seats]

    def pledged(*seats: int) -> list[Item]:
        return [said(seat, Pledge(log.gid, 0, base.number, seat, base.link, 1, out)) for seat in seats]

    def staying(*seats: int) -> list[Item]:
        ballots = [said(seat, Ballot(log.gid, 0, 0, seat, start.link, 2, NOBODY, CLIENT)) for seat in seats]
        return ballots + [said(seat, Pledge(log.gid, 0, 0, seat, start.link, 2, NOBODY)) for seat in seats]

    def case(id_: str, comment: str, then: list[Item]) -> Vector:
        return Vector(f"ballot/{id_}", "log", comment, given | {"then": pairs(then)})

    def duty(id_: str, comment: str, then: list[Item]) -> Vector:
        return Vector(f"duty/{id_}", "duty", comment, given | {"then": pairs(then), "seat": one})

    all_want = wanted(one, two, three)
    by_clients = [
        said(seat, Ballot(log.gid, 0, base.number, seat, base.link, 1, out, CLIENT)) for seat in (one, two, three)
    ]
    gone = [*all_want, *pledged(one, two, three)]
    return [
        case("two-of-four", "two of four decide nothing", [*wanted(one, two), *pledged(one, two)]),
        case("three-of-four", "three of four do", gone),
        case("clients-of-four", "but not their clients by themselves", [*by_clients, *pledged(one, two, three)]),
        case("two-pledges-of-four", "two pledges are not enough", [*all_want, *pledged(one, two)]),
        case(
            "accused-of-four",
            "the one in question does not replace one of the others",
            [*wanted(one, two, out), *pledged(one, two, out)],
        ),
        case("accused-pledges-of-four", "but its pledge counts as anybody's", [*all_want, *pledged(one, two, out)]),
        case("two-stay-of-four", "two alone do not decide that nobody goes", [*staying(one, two), *gone]),
        case("three-stay-of-four", "three do, and the later round counts", [*staying(one, two, three), *gone]),
        duty("two-of-four", "what two of four want is not complete", wanted(one, two)),
        duty("three-of-four", "what three want is, and is pledged", all_want),
    ]
