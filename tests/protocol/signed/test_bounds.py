"""Bounds are consistent: every message that quotes another can carry its largest form."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wasabi_protocol.signed.canonical import MAX_PARTS, Value, encode
from wasabi_protocol.signed.codec import FIELDS, limit_of, parse, signed_message
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_ENVELOPE
from wasabi_protocol.signed.fields import Binary, Flag, Integer, Kind, Many, OneOf, RowOf, Text, Whole
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import (
    ENTRIES,
    TYPES,
    Abandon,
    Accept,
    Answer,
    Ballot,
    Blame,
    Bundle,
    Chunk,
    Entry,
    Genesis,
    Join,
    Message,
    Offer,
    Start,
    Terms,
    Wish,
)
from wasabi_protocol.verdicts import Code, Forbidden

from tests.protocol.sessions import identity

SPOKEN = (*ENTRIES, *(TYPES[name] for name in ("ballot", "pledge", "wish", "abandon") if name in TYPES))
"""The messages that seats send in a game and others relay."""
QUOTES: dict[tuple[type[Message], str], tuple[type[Message], ...]] = {
    (Genesis, "joins"): (Join,),
    (Start, "accepts"): (Accept,),
    (Bundle, "wishes"): (Wish,),
    (Blame, "entries"): tuple(kind for kind in SPOKEN if kind not in (Wish, Abandon)),
    (Answer, "items"): (Offer, Join, Genesis, Accept, Start, *SPOKEN),
    (Chunk, "entries"): (Offer, Join, Genesis, Accept, Start, *SPOKEN),
    (Ballot, "held"): (*ENTRIES, Ballot),
}
QUOTING = {place: kinds for place, kinds in QUOTES.items() if place[1] in FIELDS[place[0]]}


def largest(kind: Kind | None, room: int) -> Value:
    """Return the field value that takes the most bytes; `room` is for kinds without a bound of their own."""
    match kind:
        case None:
            return {name: largest(each, room) for name, each in FIELDS[Terms].items()}
        case Integer(low, high):
            return max((low, high), key=lambda number: len(encode(number)))
        case Flag():
            return True
        case Binary(lengths, most):
            return bytes(max(lengths, default=most))
        case Text(most, alphabet):
            return (alphabet or "x")[0] * most
        case OneOf(words):
            return max(words, key=len)
        case Many(of, _, high):
            return [largest(of, room) for _ in range(high)]
        case RowOf(kinds):
            return [largest(each, room) for each in kinds]
        case Whole():
            return bytes(room)
    raise AssertionError(kind)


def envelope_bytes(kind: type[Message]) -> int:
    """Return the largest size of an envelope of this type, by its fields and by its readers' limit."""
    limit = limit_of(kind)
    body: dict[str, Value] = {"v": 1, "t": kind.t}
    body |= {name: largest(each, limit) for name, each in FIELDS[kind].items()}
    return min(limit, SIGNATURE_BYTES + len(encode(body)))


def binaries(kind: Kind | None) -> Iterator[Binary]:
    match kind:
        case Binary():
            yield kind
        case Many(of):
            yield from binaries(of)
        case RowOf(kinds):
            for each in kinds:
                yield from binaries(each)


def quoting_bytes(kind: type[Message], field: str, quoted: int, count: int) -> int:
    """Return the size of a message that quotes this many envelopes and is otherwise as long as possible."""
    each = FIELDS[kind][field]
    assert isinstance(each, Many)
    one: Value = bytes(quoted)
    if isinstance(each.of, RowOf):
        one = [bytes(32), one]
    body: dict[str, Value] = {"v": 1, "t": kind.t}
    body |= {name: largest(known, 0) for name, known in FIELDS[kind].items()}
    body[field] = [one] * count
    return SIGNATURE_BYTES + len(encode(body))


@pytest.mark.parametrize(("place", "kinds"), QUOTING.items(), ids=lambda value: str(value)[:40])
def test_whatever_may_be_said_may_be_quoted(place: tuple[type[Message], str], kinds: tuple[type[Message], ...]) -> None:
    quoting, field = place
    each = FIELDS[quoting][field]
    assert isinstance(each, Many)
    room = max(binary.most for binary in binaries(each))
    for kind in kinds:
        longest = envelope_bytes(kind)
        assert longest <= room, f"{quoting.t}.{field} cannot hold a {kind.t} of {longest} bytes"
        count = max(1, each.low) if room == MAX_ENTRY else each.high
        size = quoting_bytes(quoting, field, longest, count)
        limit = MAX_ENTRY if issubclass(quoting, Entry) else MAX_ENVELOPE
        if not issubclass(quoting, Entry):
            assert size <= limit, f"a {quoting.t} with {count} of {kind.t} would have {size} bytes"


def test_every_field_that_holds_envelopes_is_listed_here() -> None:
    found = {
        (kind, name)
        for kind in TYPES.values()
        for name, each in FIELDS[kind].items()
        if isinstance(each, Many) and any(binary.most for binary in binaries(each))
    }
    assert found == set(QUOTING)


def test_the_most_parts_that_any_message_has_can_be_read() -> None:
    for kind in TYPES.values():
        for name, each in FIELDS[kind].items():
            if isinstance(each, Many):
                rows = each.high if isinstance(each.of, RowOf) else 0
                assert 2 + rows + 1 <= MAX_PARTS, f"{kind.t}.{name}"


def test_what_nobody_could_quote_is_not_signed() -> None:
    me = identity("bounds")
    for kind in SPOKEN:
        body = {name: largest(each, 0) for name, each in FIELDS[kind].items()}
        wide = [name for name, each in FIELDS[kind].items() if isinstance(each, Whole)]
        if not wide:
            continue
        body[wide[0]] = bytes(MAX_ENTRY)
        whole = encode({"v": 1, "t": kind.t, **body})
        with pytest.raises(Forbidden) as verdict:
            signed_message(me, parse(whole))
        assert verdict.value.code is Code.TOO_LONG
