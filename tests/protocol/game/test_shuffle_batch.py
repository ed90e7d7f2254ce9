"""Shuffles known before their turn are checked faster, with the same verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from wasabi_protocol.game.chain import link
from wasabi_protocol.game.record import replay, write_record
from wasabi_protocol.game.session import Session
from wasabi_protocol.game.shuffle_batch import MOST, ShuffleBatch
from wasabi_protocol.sealed import decks as sealed
from wasabi_protocol.sealed.errors import SealedError
from wasabi_protocol.sealed.group import Point
from wasabi_protocol.signed.codec import parse_as, signed_message, write
from wasabi_protocol.signed.envelope import open_envelope, sign
from wasabi_protocol.signed.messages import Shuffle
from wasabi_protocol.verdicts import Code, Refused

from tests.protocol.game.test_record import game_with_a_vote
from tests.protocol.sessions import Item, World, secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.sealed.decks import SealedMessage
    from wasabi_protocol.sealed.state import Decks
    from wasabi_protocol.signed.canonical import Value

    from tests.protocol.toy import Position


@pytest.fixture(scope="module")
def played() -> World:
    """Play a game of three in which one is voted out, so that three seats shuffle, and later two."""
    return game_with_a_vote("plan", passes=5)


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record how many shuffles each check covered; a single one is 1."""
    lengths: list[int] = []

    def check_row(decks: Decks, messages: Sequence[SealedMessage]) -> list[sealed.Checked]:
        found = real_row(decks, messages)
        lengths.append(len(messages))
        return found

    def check(decks: Decks, *entry: object) -> sealed.Checked:
        if entry[2] == "shuffle":
            lengths.append(1)
        return real(decks, *entry)  # type: ignore[arg-type]

    real_row, real = sealed.check_row, sealed.check
    monkeypatch.setattr(sealed, "check_row", check_row)
    monkeypatch.setattr(sealed, "check", check)
    return lengths


def resigned(world: World, entry: Shuffle, by: int | None = None) -> Item:
    """Sign a shuffle with a seat's key, by default that of its author."""
    who = world.peers[entry.seat if by is None else by].who
    return who.key, sign(who, write(entry))


def told(session: Session[Position], items: Sequence[Item]) -> list[str]:
    """Return the events or refusals of a session for these items, one after another."""
    said = []
    for item in items:
        try:
            said.append(repr(session.receive(*item)))
        except Refused as refusal:
            said.append(repr(refusal))
    return said


def bent(entry: Shuffle) -> Shuffle:
    """Return the shuffle with an invalid proof."""
    assert isinstance(entry.work, list)
    outputs, proof = entry.work
    assert isinstance(proof, bytes)
    return replace(entry, work=[outputs, proof[:-32] + bytes(32)])


def test_a_file_is_checked_row_by_row_and_comes_to_the_same(played: World, rows: list[int]) -> None:
    items = played.spectator.items()
    plain, quick = Session(played.founded, played.game), Session(played.founded, played.game)
    quick.expect(items)
    assert told(quick, items) == told(plain, items)
    assert rows == [3, 2, 1, 1, 1, 1, 1]
    assert [slot.state for slot in quick.log.slots] == [slot.state for slot in plain.log.slots]
    assert quick.state == played.spectator.state


def test_nothing_is_kept_when_its_turn_is_over(played: World) -> None:
    session = Session(played.founded, played.game)
    items = played.spectator.items()
    session.expect(items)
    told(session, items)
    assert not session.shuffles._waiting
    assert not session.shuffles._found


def test_a_file_and_an_answer_tell_what_comes(played: World, rows: list[int]) -> None:
    items = played.spectator.items()
    file = write_record([*played.opening.file_head, *items])
    assert replay(file, played.game).valid
    assert rows == [3, 2]
    late = Session(played.founded, played.game)
    late._relay(items)
    assert rows == [3, 2, 3, 2]
    assert late.state == played.spectator.state


@pytest.mark.parametrize("wrong", range(3))
def test_a_wrong_shuffle_in_a_row_is_blamed_on_its_author_as_ever(played: World, rows: list[int], wrong: int) -> None:
    """Its followers continue the shuffle, as accomplices would."""
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    row, prev = [], None
    for number in range(3):
        entry = parse_as(Shuffle, items[first + number][1][64:])
        if number == wrong:
            entry = bent(entry)
        entry = replace(entry, prev=prev or entry.prev)
        prev = link([write(entry)])
        who = played.peers[entry.seat].who
        row.append((who.key, signed_message(who, entry)))
    plain, quick = Session(played.founded, played.game), Session(played.founded, played.game)
    quick.expect([*items[:first], *row])
    assert told(quick, [*items[:first], *row]) == told(plain, [*items[:first], *row])
    assert [(proof.seat, proof.code) for proof in quick.log.evidence] == [(wrong, Code.BAD_PROOF)]
    assert 3 not in rows


@pytest.mark.parametrize("wrong", range(3))
def test_a_shuffle_is_not_taken_for_another_that_was_expected_in_its_place(played: World, wrong: int) -> None:
    """The author wrote two: a good one in the file, and this one."""
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    before, (key, envelope) = items[: first + wrong], items[first + wrong]
    false = bent(parse_as(Shuffle, envelope[64:]))
    come = [*before, (key, signed_message(played.peers[false.seat].who, false))]
    plain, quick = Session(played.founded, played.game), Session(played.founded, played.game)
    quick.expect(items)
    assert told(quick, come) == told(plain, come)
    assert [(proof.seat, proof.code) for proof in quick.log.evidence] == [(wrong, Code.BAD_PROOF)]


def test_what_was_found_counts_only_for_the_same_entry_and_the_same_decks(played: World) -> None:
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    one, two = (parse_as(Shuffle, envelope[64:]) for _, envelope in items[first : first + 2])
    session = Session(played.founded, played.game)
    told(session, items[:first])
    start = session.state.decks

    def found() -> tuple[ShuffleBatch, Decks]:
        kept = ShuffleBatch()
        for key, envelope in items:
            kept.note(open_envelope(key, envelope))
        return kept, sealed.close(start, [kept.check(start, one)])

    kept, decks = found()
    assert kept.check(decks, two).decks == decks
    for other in (replace(two, slot=two.slot + 1), bent(two)):
        kept, decks = found()
        with pytest.raises(SealedError, match=r"proof\.shuffle"):
            kept.check(decks, other)
    kept, decks = found()
    assert isinstance(two.work, list)
    assert isinstance(two.work[0], bytes)
    with pytest.raises(SealedError, match=r"mask\.repeated"):
        kept.check(replace(decks, spent=frozenset({Point(two.work[0][:32])})), two)


def test_what_is_expected_is_not_believed(played: World) -> None:
    items = played.spectator.items()
    session = Session(played.founded, played.game)
    unsigned = [(key, bytes(64) + envelope[64:]) for key, envelope in items]
    session.expect(unsigned)
    for item in unsigned:
        with pytest.raises(Refused, match="bad-signature"):
            session.receive(*item)
    assert len(session.log.slots) == 1


def test_a_second_shuffle_of_a_seat_costs_a_check_and_changes_nothing(played: World, rows: list[int]) -> None:
    """The second shuffle was announced first, but never arrives."""
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    entry = parse_as(Shuffle, items[first][1][64:])
    false = replace(entry, slot=entry.slot + 1, seat=1, prev=link([items[first][1][64:]]))
    session = Session(played.founded, played.game)
    session.expect([resigned(played, false), *items])
    told(session, items)
    assert session.state == played.spectator.state
    assert not session.log.evidence
    assert rows == [1, 1, 1, 2]


@pytest.mark.parametrize("wrong", ["signature", "author", "key", "game"])
def test_what_nobody_signed_for_this_game_is_not_even_kept(played: World, rows: list[int], wrong: str) -> None:
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    entry = parse_as(Shuffle, items[first][1][64:])
    false = replace(entry, slot=entry.slot + 1, seat=1, prev=link([items[first][1][64:]]))
    key, envelope = {
        "signature": (resigned(played, false)[0], bytes(64) + write(false)),
        "author": resigned(played, false, by=2),
        "key": (secret("nobody"), resigned(played, false)[1]),
        "game": resigned(played, replace(false, gid=bytes(32))),
    }[wrong]
    session = Session(played.founded, played.game)
    session.expect([(key, envelope), *items])
    told(session, items)
    assert rows == [3, 2]


@pytest.mark.parametrize("seat", range(3))
@pytest.mark.parametrize("work", [[], b"", [b"", b""], [1, 2], [[], []], {"a": 1}])
def test_whatever_follows_a_shuffle_is_never_an_exception(played: World, seat: int, work: Value) -> None:
    items = played.spectator.items()
    first = next(number for number, item in enumerate(items) if b"shuffle" in item[1][:100])
    session = Session(played.founded, played.game)
    told(session, items[:first])
    body = items[first][1][64:]
    false = replace(parse_as(Shuffle, body), seat=seat, slot=99_999, prev=link([body]), work=work)
    session.expect([items[first], resigned(played, false), (b"", b""), (b"", b"junk" * 40)])
    assert "EntryAccepted" in "".join(told(session, items[first : first + 1]))


def test_only_so_much_is_kept(played: World) -> None:
    session = Session(played.founded, played.game)
    entry = Shuffle(played.founded.gid, 0, 1, 0, bytes(32), [])
    session.expect(resigned(played, replace(entry, prev=n.to_bytes(32, "big"))) for n in range(MOST + 5))
    assert len(session.shuffles._waiting) == MOST
