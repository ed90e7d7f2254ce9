"""A client's file is enough for a reader to reach the same log."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from wasabi_protocol.game.record import MAGIC, read_record, write_record
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.identity import Identity
from wasabi_protocol.signed.messages import Ballot, Offer, Pledge
from wasabi_protocol.table.genesis import table_id
from wasabi_protocol.table.waiting_room import WaitingRoom
from wasabi_protocol.voting.poll import NOBODY, PERSON

from tests.online.small import small_rules
from tests.protocol.plain import GID, PEOPLE, Item, Node, links
from wasabi_tx.games.plans import NO_PLANS, UNREADABLE
from wasabi_tx.online.saved.disk import FileDisk, Ledger, NoDisk
from wasabi_tx.online.saved.situation import Situation, known_games
from wasabi_tx.online.terms import make_terms
from wasabi_tx.store.seat_notes import AWAY, PLANS, SITUATION


def _head(*names: str) -> tuple[str, bytes]:
    """Return a table, and the beginning of the file of a game of people with these names."""
    people = sorted((Identity(bytes([number]) * 32) for number in range(len(names))), key=lambda who: who.key)
    host, salt = people[0], b"s" * 32
    table = table_id(host.key, salt)
    rooms = [WaitingRoom(table, host.key, who, False) for who in people]
    terms = make_terms(small_rules("classic", len(names)), 2, len(names))

    def tell(key: bytes, envelope: bytes) -> bytes:
        for room in rooms:
            room.receive(key, envelope)
        return envelope

    tell(host.key, signed_message(host, Offer(table, host.key, salt, 1, terms, b"", "", 1, False)))
    for room, who, name in zip(rooms, people, names, strict=True):
        tell(who.key, room.join(who.key, name, b"", None))
    genesis = tell(host.key, rooms[0].propose([who.key for who in people]))
    for room, who in zip(rooms, people, strict=True):
        tell(who.key, room.accept())
    return table, write_record([(host.key, genesis), (host.key, rooms[0].start())])


def test_a_file_is_named_after_the_day_and_the_people_and_no_name_leads_elsewhere(tmp_path: Path) -> None:
    table, head = _head("../../etc/passwd\x1b[2J", "Ана \u202e[/b]", "🍣", "CON.nul" + "x" * 40)
    disk = FileDisk(tmp_path, table)
    name = disk.begin(head)
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".wasabi"] == [name]
    year, month, day, *words, short = name.removesuffix(".wasabi").split("-")
    assert (len(year), len(month), len(day), short) == (4, 2, 2, table[:6])
    assert sorted(words) == ["connulxxxxxx", "etcpasswd2j", "анаb"]
    disk.close()


def test_a_file_that_only_begins_is_gone_on_with_and_no_other(tmp_path: Path) -> None:
    table, head = _head("Ana", "Bo")
    first, bot = FileDisk(tmp_path, table), FileDisk(tmp_path, table, f"{table}-bot")
    name = first.begin(head)
    first.close()
    assert bot.begin(head) != name, "the same game of somebody else here"
    again = FileDisk(tmp_path, table)
    assert again.begin(head) == name
    again.append(b"more")
    again.close()
    later = FileDisk(tmp_path, table)
    assert later.begin(head) != name, "that game went on"
    for disk in (bot, later):
        disk.close()


@pytest.mark.parametrize(
    "text",
    [" " * 200_000, "9" * 5_000, '{"names":[],"turn":1e999,"mine":true,"waits_for":[],"vote":""}'],
    ids=["long", "digits", "infinite"],
)
def test_what_lies_beside_a_seat_may_hold_anything(tmp_path: Path, text: str) -> None:
    disk, mine = FileDisk(tmp_path, "abc"), Situation(("Bo",), 9, mine=True)
    (tmp_path / "seats").mkdir()
    for suffix in (SITUATION, PLANS, AWAY):
        (tmp_path / "seats" / f"abc{suffix}").write_text(text)
    assert known_games(tmp_path) == []
    assert disk.situation() is None
    assert disk.plans() == UNREADABLE
    assert disk.back() is None
    disk.note(mine)
    disk.save_plans(NO_PLANS)
    disk.away(3)
    assert (disk.situation(), disk.plans(), disk.back()) == (mine, NO_PLANS, 3)


class Tape(NoDisk):
    def __init__(self) -> None:
        self.data = MAGIC

    def append(self, data: bytes) -> None:
        self.data += data


def test_a_file_tells_of_the_vote_that_undid_another() -> None:
    """Let two of three go on without seat 1; then it and the third decide in a later round that all stay."""
    a, b = Node(3, 0), Node(3, 1)
    link = a.log.head.link
    tape = Tape()
    ledger = Ledger(tape)

    def liar(kind: type[Ballot | Pledge], number: int, out: int) -> Item:
        place = (GID, 0, 0, 2, link, number, out)
        return PEOPLE[2].key, signed_message(PEOPLE[2], Pledge(*place) if kind is Pledge else Ballot(*place, PERSON))

    def hear(item: Item) -> None:
        ledger.note_events(a.take(item))

    def say(item: Item | None) -> Item:
        assert item is not None
        ledger.own(*item)
        return item

    call = say(a.vote(1))
    hear(liar(Ballot, 1, 1))
    say(a.duties())
    hear(liar(Pledge, 1, 1))
    assert a.log.head.out == 1
    for item in (call, liar(Ballot, 2, NOBODY)):
        b.take(item)
    while b.duties() is not None:
        pass
    for item in (*b.said, liar(Ballot, 2, NOBODY), liar(Pledge, 2, NOBODY)):
        hear(item)
    assert a.log.head.out is None
    ledger.flush()
    items, _ = read_record(tape.data)
    reader = Node(3, None)
    for item in items:
        reader.take(item)
    assert links(reader.log) == links(a.log)
    assert reader.log.state.seats == (0, 1, 2)


def test_how_long_a_slot_has_been_known_is_remembered_over_the_end_of_programs(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path, "abc")
    assert disk.slot_age(b"one", 0.0) == 0.0
    (path,) = (tmp_path / "seats").glob("*.slot")
    os.utime(path, (time.time() - 7200,) * 2)
    assert FileDisk(tmp_path, "abc").slot_age(b"one", 0.0) == pytest.approx(7200, abs=60)
    assert disk.slot_age(b"two", 0.0) == 0.0, "a new one"
    os.utime(path, (time.time() + 7200,) * 2)
    assert disk.slot_age(b"two", 0.0) == 0.0, "a clock that was put back"
    disk.forget()
    assert not path.exists()
    path.mkdir()
    assert disk.slot_age(b"two", 0.0) == 0.0, "where nothing can be noted nobody is late"
