"""What a client writes to its disk is enough for a reader of the file to come to the same log."""

from __future__ import annotations

from wasabi_protocol.game.record import MAGIC, read_record
from wasabi_protocol.signed.codec import signed_message
from wasabi_protocol.signed.messages import Ballot, Pledge
from wasabi_protocol.voting.poll import NOBODY, PERSON

from tests.protocol.plain import GID, PEOPLE, Item, Node, links
from wasabi_tx.table.online.keep.disk import Ledger, NoDisk


class Tape(NoDisk):
    def __init__(self) -> None:
        self.data = MAGIC

    def append(self, data: bytes) -> None:
        self.data += data


def test_a_file_tells_of_the_vote_that_undid_another() -> None:
    """Two of three go on without seat 1; then it and the third decide in a later round that all stay."""
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
