"""Vectors of doings: which reports of the seats count, and for how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Doing, Head, Message

from tests.protocol.sessions import secret
from tests.protocol.vectors.make_tables import PEOPLE, TABLE
from tests.protocol.vectors.vector import Book, Vector

ANA, BO = PEOPLE[0], PEOPLE[1]
RUN = b"r" * 16
HEAD = Head(secret("gid"), 0, 6, secret("prev"), RUN, 1, bytes(16))
COMPOSING = Doing(TABLE, ANA.key, RUN, 1, 7, "composing")
PAUSED = Doing(TABLE, ANA.key, RUN, 2, 0, "paused")
LOST = Doing(TABLE, ANA.key, RUN, 1, 0, "lost")


def _heard(message: Message, now: float = 0.0, by: Identity = ANA) -> dict[str, Any]:
    return {"key": by.key.hex(), "envelope": signed_message(by, message).hex(), "now": now}


def _doings() -> Iterator[Vector]:
    def case(
        name: str,
        comment: str,
        then: Sequence[dict[str, Any]],
        now: float = 1.0,
        slot: int = 7,
        code: str | None = None,
    ) -> Vector:
        keys = [ANA.key.hex(), BO.key.hex()]
        given = {"table": TABLE, "keys": keys, "then": list(then), "slot": slot, "now": now}
        return Vector(f"doing/{name}", "doing", comment, given, code)

    head, composing, paused, lost = (_heard(message) for message in (HEAD, COMPOSING, PAUSED, LOST))
    again = _heard(replace(HEAD, n=2), 2.0)
    nothing = _heard(replace(PAUSED, n=3, what=""))
    yield case("composing", "a seat has begun a turn", [head, composing])
    yield case("sent", "and has sent it: the slot is another", [head, composing], slot=8)
    yield case("paused", "somebody is away from the keyboard for a moment", [head, paused], slot=9)
    yield case("nothing", "and is back", [head, paused, nothing])
    yield case("older", "said before what was heard", [head, paused, composing])
    yield case("repeated", "heard before", [head, composing, nothing, composing])
    yield case("before-a-head", "no head has made this run known", [composing])
    other = _heard(replace(HEAD, run=b"s" * 16, n=1))
    yield case("other-run", "of a run that is over", [head, other, paused])
    back = [head, paused, other, _heard(replace(HEAD, n=2)), composing]
    yield case("run-is-back", "an older word of a run that is back", back)
    yield case("lost", "its broker says that it vanished", [head, lost], now=3.0)
    yield case("lost-just-now", "it may be heard over another broker", [head, lost], now=2.9)
    yield case("lost-and-back", "and is", [head, lost, again], now=5.0)
    yield case("lost-twice", "over several brokers: it is asked once", [head, lost, _heard(LOST, 2.0)], now=3.0)
    often = [head, lost, again, _heard(LOST, 2.1), _heard(replace(HEAD, n=3), 4.9), _heard(LOST, 5.0)]
    yield case("lost-often", "it is asked at most once in 5 s", often, now=7.9)
    runs = [head, lost]
    for number in range(1, 6):
        run = bytes([number]) * 16
        runs += [_heard(replace(HEAD, run=run), float(number)), _heard(replace(LOST, run=run), float(number))]
    yield case("lost-in-every-run", "however many runs it begins, it is asked no more often", runs, now=5.0)
    yield case("lost-unasked", "and shown as lost only after it was asked", often[:4], now=9.0)
    yield case("lost-other-run", "the will of an earlier run", [head, _heard(replace(LOST, run=b"s" * 16))], now=9.0)
    yield case("lost-before-a-head", "it vanished before anybody heard a head of it", [lost], now=3.0)
    yield case("stranger", "somebody without a seat", [head, _doing_of_stranger()], code="not-a-seat")
    yield case("other-key", "in another's name", [head, _heard(COMPOSING, by=BO)], code="wrong-key")
    forged = dict(composing, envelope=signed_message(BO, COMPOSING).hex())
    yield case("forged", "signed by another seat", [head, forged], code="bad-signature")
    elsewhere = _heard(replace(COMPOSING, table="a" * 26))
    yield case("other-table", "of another table", [head, elsewhere], code="wrong-table")


def _doing_of_stranger() -> dict[str, Any]:
    who = PEOPLE[2]
    return _heard(replace(COMPOSING, key=who.key), by=who)


def books() -> list[Book]:
    return [Book("doings", "what seats say that they are doing", list(_doings()))]
