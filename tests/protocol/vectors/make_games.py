"""Vectors of logs, evidence, ballots and whole games, based on recorded ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from wasabi_protocol.game.chain import link
from wasabi_protocol.game.record import read_record, write_record
from wasabi_protocol.sealed.group import SIZE, public_scalar
from wasabi_protocol.signed.canonical import Value
from wasabi_protocol.signed.codec import parse_as, write
from wasabi_protocol.signed.envelope import Item, sign
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import (
    Abandon,
    Ballot,
    Bundle,
    End,
    Entry,
    Head,
    Keys,
    Message,
    Pledge,
    Shares,
    Wish,
)
from wasabi_protocol.voting.poll import NOBODY, PERSON

from tests.protocol.forgery import signed_otherwise
from tests.protocol.sessions import secret
from tests.protocol.vectors.make_ballots import ballots, ballots_of_four
from tests.protocol.vectors.record import Recording, four_seats, three_seats, two_seats, vanished
from tests.protocol.vectors.vector import Book, Vector, pairs


class Logbook:
    """Cases based on one recorded game."""

    def __init__(self, world: Recording) -> None:
        self.world = world
        self.items = read_record(world.file())[0][2:]
        self.people = sorted(world.opening.people, key=lambda who: who.key)

    def entries(self) -> list[Entry]:
        return [parse_as(Entry, envelope[64:]) for _, envelope in self.items]

    def said(self, seat: int, message: Message) -> Item:
        who = self.people[seat]
        return who.key, sign(who, write(message))

    def case(
        self,
        id_: str,
        comment: str,
        taken: int,
        then: Sequence[Item],
        code: str | None = None,
        blames: int | None = None,
    ) -> Vector:
        given = {"game": self.world.name, "taken": taken, "then": pairs(then)}
        return Vector(id_, "log", comment, given, code, blames)


def _links() -> Iterator[Vector]:
    yield Vector("link/one", "link", "one body", {"bodies": [b"body".hex()]})
    yield Vector("link/two", "link", "two bodies in seat order", {"bodies": [b"bo".hex(), b"dy".hex()]})
    yield Vector("link/reversed", "link", "another order, another link", {"bodies": [b"dy".hex(), b"bo".hex()]})


def _headers(log: Logbook) -> Iterator[Vector]:
    body = log.items[0][1][64:]
    yield Vector("header/good", "header", "the first fields of an entry", {"body": body.hex()})
    rest = body[: body.index(b"work")] + b"work\xc1"
    yield Vector("header/nonsense-after", "header", "readable whatever follows", {"body": rest.hex()})
    loose = body.replace(b"\xa5epoch\x00", b"\xa5epoch\xcc\x00")
    yield Vector("header/loose", "header", "not canonical", {"body": loose.hex()}, "bad-field")
    ballot = write(Ballot(secret("gid"), 0, 1, 0, secret("prev"), 1, 1, PERSON))
    yield Vector("header/ballot", "header", "a ballot is no entry", {"body": ballot.hex()}, "bad-field")


def _slots(log: Logbook) -> Iterator[Vector]:
    """Yield vectors on the game of two: slot 1 is a round of keys, slots 2 and 3 are shuffles."""
    items, entries = log.items, log.entries()
    yield log.case("slot/half", "a round closes when every owed entry is in", 0, items[:1])
    yield log.case("slot/closed", "and then the next is open", 0, items[:2])
    yield log.case("slot/any-order", "whatever the order in which they come", 0, items[1::-1])
    yield log.case("slot/again", "the same body again changes nothing", 1, items[:1])
    seat = entries[0].seat
    name = next(n for n, who in enumerate(log.world.opening.people) if who.key == items[0][0])
    other = signed_otherwise((f"vectors: {log.world.name}", name), 5, items[0][1][64:])
    yield log.case("slot/other-signature", "nor does another signature of it", 1, [(items[0][0], other)])
    yield log.case("slot/early", "an entry before its past is held", 0, [items[2]])
    yield log.case("slot/released", "and counts when the past is there", 0, [items[2], *items[:2]])
    keys = entries[0]
    assert isinstance(keys, Keys)
    second = log.said(seat, replace(keys, work=_unproved(keys.work)))
    yield log.case("slot/second-body", "a second body for one place: proof", 1, [second], "equivocation", seat)
    yield log.case("slot/second-body-late", "also long after", 6, [second], "equivocation", seat)
    yield log.case("slot/bad-proof", "a key without a valid proof: proof", 0, [second], "bad-proof", seat)
    bad = log.said(entries[2].seat, replace(entries[2], prev=secret("elsewhere")))
    yield log.case("slot/other-branch", "another past is held and never blamed", 2, [bad])
    yield log.case(
        "slot/other-game",
        "another game",
        2,
        [log.said(entries[2].seat, replace(entries[2], gid=secret("g")))],
        "wrong-game",
    )
    yield log.case("slot/other-seat", "in another's name", 2, [log.said(1 - entries[2].seat, entries[2])], "wrong-seat")
    epoch = log.said(entries[2].seat, replace(entries[2], epoch=1))
    yield log.case("slot/other-epoch", "another epoch on this past", 2, [epoch], "wrong-epoch", entries[2].seat)
    turn = log.said(1 - entries[2].seat, replace(entries[2], seat=1 - entries[2].seat))
    yield log.case("slot/not-owed", "nobody owes this", 2, [turn], "not-owed")
    first = entries[0]
    assert isinstance(first, Keys)
    shares = Shares(first.gid, 0, 1, seat, first.prev, [])
    yield log.case(
        "slot/other-type", "something else than what is owed", 0, [log.said(seat, shares)], "wrong-type", seat
    )
    body = items[0][1][64:]
    unknown = (items[0][0], sign(log.people[seat], body.replace(b"\xa4keys", b"\xa4spel")))
    yield log.case("slot/unknown-type", "an entry of a type that is not known", 0, [unknown], "unknown-type", seat)
    newer = (items[0][0], sign(log.people[seat], body.replace(b"\xa1v\x01", b"\xa1v\x02")))
    yield log.case("slot/newer-version", "another version is dropped", 0, [newer], "unknown-version")
    broken = body[: body.index(b"work")] + b"work\xc1"
    nonsense = sign(log.people[seat], broken)
    yield log.case(
        "slot/nonsense", "nonsense after a readable header: proof", 0, [(items[0][0], nonsense)], "bad-encoding", seat
    )
    unread = sign(log.people[seat], b"\x80")
    yield log.case("slot/unreadable", "nonsense without one is dropped", 0, [(items[0][0], unread)], "bad-field")
    yield log.case("slot/stranger", "by a key without a seat", 0, [_stranger(first)], "wrong-seat")
    nonce = log.said(seat, replace(first, nonce=secret("another nonce")))
    yield log.case("slot/bad-nonce", "a nonce that the join did not hide", 0, [nonce], "bad-nonce", seat)


def _unproved(work: Value) -> Value:
    """Return the same points with another answer in their proof: nothing else is wrong."""
    assert isinstance(work, list)
    *points, proof = work
    assert isinstance(proof, bytes)
    return [*points, proof[:-SIZE] + public_scalar(int.from_bytes(proof[-SIZE:], "little") + 1)]


def _stranger(entry: Entry) -> Item:
    who = Identity(secret("stranger"))
    return who.key, sign(who, write(entry))


def _bundles(log: Logbook) -> Iterator[Vector]:
    entries = log.entries()
    at = next(n for n, entry in enumerate(entries) if isinstance(entry, Bundle) and entry.steps == ("deal",))
    deal = entries[at]
    assert isinstance(deal, Bundle)

    def case(name: str, comment: str, code: str, bundle: Bundle) -> Vector:
        item = log.said(bundle.seat, bundle)
        return log.case(f"bundle/{name}", comment, at, [item], code, bundle.seat)

    yield log.case("bundle/good", "steps, seals and digest agree", at, [log.items[at]])
    yield case("digest", "another digest", "wrong-digest", replace(deal, digest=secret("digest")))
    yield case("steps", "a step that the rules refuse", "illegal-steps", replace(deal, steps=("win",)))
    yield case("no-seals", "steps without their seals", "illegal-steps", replace(deal, seals=[]))
    yield case("no-steps", "seals without their steps", "illegal-steps", replace(deal, steps=()))
    yield case("bad-seal", "a seal that does not exist", "bad-proof", replace(deal, seals=[["peek", 0]]))
    other = 1 - deal.seat
    said = log.said(other, Wish(deal.gid, other, "leave"))
    wish = said[1]
    rematch = log.said(other, Wish(deal.gid, other, "rematch"))[1]
    mine = log.said(deal.seat, Wish(deal.gid, deal.seat, "leave"))[1]
    heard = log.said(deal.seat, replace(deal, wishes=(wish,)))
    yield log.case("wish/heard", "a quoted leave makes the wisher the next writer", at, [heard])
    yield case("wish-own", "one's own wish", "wrong-wish", replace(deal, wishes=(mine,)))
    yield case("wish-rematch", "not a leave", "wrong-wish", replace(deal, wishes=(rematch,)))
    yield case("wish-twice", "one wish twice", "wrong-wish", replace(deal, wishes=(wish, wish)))
    yield log.case(
        "wish/said", "a wish by itself changes nothing", at, [log.said(other, Wish(deal.gid, other, "leave"))]
    )
    false = log.said(deal.seat, Wish(deal.gid, other, "leave"))
    yield log.case("wish/other-seat", "in another's name", at, [false], "wrong-seat")


def _ends(log: Logbook) -> Iterator[Vector]:
    at = len(log.items) - 2
    end = log.entries()[at]
    assert isinstance(end, End)

    def case(name: str, comment: str, code: str, changed: End) -> Vector:
        return log.case(f"end/{name}", comment, at, [log.said(end.seat, changed)], code, end.seat)

    yield log.case("end/good", "every seat signs how it ended", at, log.items[at:])
    yield case("scores", "other scores", "wrong-content", replace(end, scores=(*end.scores[:-1], 99)))
    yield case("digest", "another digest", "wrong-digest", replace(end, digest=secret("digest")))
    yield case("hand", "a hand that is not proved", "bad-proof", replace(end, hand=_unproved(end.hand)))
    yield log.case("end/half", "one signature does not end it", at, log.items[at : at + 1])


def _out_of_turn(log: Logbook) -> Iterator[Vector]:
    first = log.entries()[0]
    prev = link([log.world.founded.signed.body])
    gid = first.gid
    yield log.case("abandon/good", "one of two waits no longer", 0, [log.said(0, Abandon(gid, 0, 0, prev))])
    yield log.case("abandon/other-seat", "in another's name", 0, [log.said(1, Abandon(gid, 0, 0, prev))], "wrong-seat")
    yield log.case(
        "abandon/other-game", "of another game", 0, [log.said(0, Abandon(secret("g"), 0, 0, prev))], "wrong-game"
    )
    run = b"r" * 16
    first_head, next_head = (log.said(0, Head(gid, 0, 0, prev, run, n, bytes(16))) for n in (1, 2))
    yield log.case("head/good", "how far a seat's log reaches", 0, [first_head])
    false = log.said(1, Head(gid, 0, 0, prev, run, 1, bytes(16)))
    yield log.case("head/other-seat", "in another's name", 0, [false], "not-a-seat")
    yield log.case("head/next", "the same, later", 0, [first_head, next_head])
    yield log.case("head/repeated", "heard before: no sign of life", 0, [first_head, first_head])
    yield log.case("head/older", "said before what was heard: none either", 0, [next_head, first_head])
    yield log.case("head/before-its-entry", "an old one, to whoever hears it first", len(log.items), [first_head])
    yield log.case("head/stranger", "by a key without a seat", 0, [_head_of_stranger(gid, prev)], "not-a-seat")


def _head_of_stranger(gid: bytes, prev: bytes) -> Item:
    who = Identity(secret("stranger"))
    return who.key, sign(who, write(Head(gid, 0, 0, prev, b"r" * 16, 1, bytes(16))))


def _evidence(log: Logbook) -> Iterator[Vector]:
    keys = [who.key.hex() for who in log.people]
    entry = log.entries()[0]
    seat, one = entry.seat, log.items[0][1]
    two = log.said(seat, replace(entry, work=[]))[1]  # type: ignore[call-arg]
    name = next(n for n, who in enumerate(log.world.opening.people) if who.key == log.items[0][0])
    again = signed_otherwise((f"vectors: {log.world.name}", name), 5, one[64:])
    elsewhere = log.said(seat, replace(entry, slot=2))[1]
    gid = entry.gid
    vote = Ballot(gid, 0, 1, seat, entry.prev, 1, 1 - seat, PERSON)
    yes, no = (log.said(seat, replace(vote, out=out))[1] for out in (1 - seat, NOBODY))
    bot = log.said(seat, replace(vote, by="bot"))[1]
    pledged, stays = (log.said(seat, Pledge(gid, 0, 1, seat, entry.prev, 1, out))[1] for out in (1 - seat, NOBODY))
    good: dict[str, Any] = {"gid": gid.hex(), "keys": keys, "seat": seat, "one": one.hex(), "two": two.hex()}

    def case(id_: str, comment: str, code: str | None = None, **changes: Any) -> Vector:
        return Vector(f"equivocation/{id_}", "equivocation", comment, good | changes, code)

    yield case("good", "two bodies of one seat for one slot")
    yield case("ballots", "two ballots in one round", one=yes.hex(), two=no.hex())
    yield case("pledges", "two pledges in one round", one=pledged.hex(), two=stays.hex())
    wrong = "wrong-content"
    yield case("same-body", "one body signed twice proves nothing", wrong, two=again.hex())
    yield case("other-slot", "two places", wrong, two=elsewhere.hex())
    yield case("ballot-and-entry", "an entry and a ballot", wrong, two=yes.hex())
    yield case("ballot-and-pledge", "a ballot and a pledge", wrong, one=yes.hex(), two=stays.hex())
    yield case("speakers", "one choice, said by a person and by a bot", wrong, one=yes.hex(), two=bot.hex())
    yield case("other-game", "of another game", "wrong-game", gid=secret("g").hex())
    yield case("other-seat", "of another seat", "bad-signature", seat=1 - seat)
    yield case("no-seat", "of nobody", "not-a-seat", seat=3)


# Whole games


def _records(two: Recording, three: Recording, gone: Recording) -> Iterator[Vector]:
    def case(name: str, comment: str, world: Recording, data: bytes | None = None, **verdict: Any) -> Vector:
        given: dict[str, Any] = {"game": world.name} | ({} if data is None else {"file": data.hex()})
        return Vector(f"game/{name}", "record", comment, given, verdict.get("code"), verdict.get("blames"))

    yield case("two-seats", "a whole game, settled", two)
    yield case("three-seats", "a wish, a leave, and the end without that seat", three)
    yield case("vanished", "a vote, a new epoch, and the end", gone)
    data = two.file()
    items, _ = read_record(data)
    head, rest = items[:2], items[2:]
    yield case("any-order", "after genesis and start, any order will do", two, write_record([*head, *rest[::-1]]))
    yield case("unfinished", "valid, not settled", two, write_record([*head, *rest[:5]]))
    yield case("cut", "the last envelope is not whole", two, data[:-10], code="cut")
    yield case("gap", "an entry is missing", two, write_record([*head, *rest[:3], *rest[4:]]), code="gap")
    other = read_record(three.file())[0][2]
    spliced = write_record([*head, *rest, other])
    yield case("spliced", "an entry of another game", two, spliced, code="wrong-game")
    bent = (rest[0][0], rest[0][1][:-1] + bytes([rest[0][1][-1] ^ 1]))
    yield case("bent", "a bit flipped", two, write_record([*head, bent, *rest[1:]]), code="bad-signature")
    yield case("no-start", "no start", two, write_record(head[:1]), code="bad-file")
    yield case(
        "other-start",
        "the start of another game",
        two,
        write_record([head[0], read_record(three.file())[0][1]]),
        code="wrong-key",
    )
    yield case("other-magic", "another file", two, b"wasabi game 2\n" + write_record(head)[14:], code="bad-file")
    yield _broken(two, case)


def _broken(world: Recording, case: Any) -> Vector:
    log = Logbook(world)
    at, bundle = next((n, entry) for n, entry in enumerate(log.entries()) if isinstance(entry, Bundle))
    item = log.said(bundle.seat, replace(bundle, steps=("win",)))
    head = read_record(world.file())[0][:2]
    data = write_record([*head, *log.items[:at], item])
    comment = "one of two breaks the rules: the file names the entry"
    vector: Vector = case("broken", comment, world, data, code="illegal-steps", blames=bundle.seat)
    return vector


def books() -> list[Book]:
    two, three, gone, four = two_seats(), three_seats(), vanished(), four_seats()
    log = Logbook(two)
    slots = [*_links(), *_headers(log), *_slots(log), *_bundles(log), *_ends(log), *_out_of_turn(log), *_evidence(log)]
    games = {world.name: world.recorded() for world in (two, three, gone, four)}
    return [
        Book("slots", "the chain of slots, what belongs in it, and proof", slots),
        Book("ballots", "going on without a seat", [*ballots(gone), *ballots_of_four(four)]),
        Book("games", "whole recorded games", list(_records(two, three, gone)), games=games),
    ]
