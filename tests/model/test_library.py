"""The model's log beside the library's: from the same messages both derive the same slots, votes and duties."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from wasabi_protocol.game.chain import cut_link, link, read_header
from wasabi_protocol.game.log import Log
from wasabi_protocol.signed.codec import signed_message, write
from wasabi_protocol.signed.envelope import open_envelope
from wasabi_protocol.signed.messages import Ballot, Pledge, Shares
from wasabi_protocol.verdicts import Code, Invalid
from wasabi_protocol.voting.poll import VoteChoice, Word
from wasabi_protocol.voting.voter import Voter

from tests.model import table
from tests.model.beginnings import BEGINNINGS
from tests.model.explore import Explorer
from tests.model.searches import LARGE
from tests.model.table import BOT, GOOD, KEEPER, LEAVE, OTHER, PERSON, WRONG, Rules, Slot, Waited
from tests.protocol.plain import GENESIS, GID, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wasabi_protocol.game.chain import VerifiedEntry
    from wasabi_protocol.signed.messages import Entry

WORK = {GOOD: "ok", OTHER: "ok other", WRONG: "bad", LEAVE: "leave"}
KINDS = ((PERSON, PERSON, PERSON, PERSON), (PERSON, BOT, PERSON, KEEPER), (BOT, PERSON, BOT, BOT), (BOT,) * 4)


@dataclass(frozen=True)
class LibraryState:
    """The model's table as a state of the library's log."""

    rules: Rules
    seats: tuple[int, ...]
    epoch: int = 0
    number: int = 0
    played: bool = True

    @property
    def owed(self) -> tuple[int, ...]:
        return self.rules.owed(Slot(self.number, b"", self.seats, self.epoch, 0))

    @property
    def bots(self) -> frozenset[int]:
        return self.rules.bots

    def judge(self, entry: Entry) -> object:
        if not isinstance(entry, Shares) or entry.work == WORK[WRONG]:
            raise Invalid(Code.BAD_PROOF, entry.seat)
        return entry.work

    def close(self, entries: Sequence[VerifiedEntry]) -> LibraryState:
        leavers = {entry.seat for entry in entries if entry.work == WORK[LEAVE]}
        seats = tuple(seat for seat in self.seats if seat not in leavers)
        return replace(self, seats=seats, number=self.number + 1)

    def without(self, out: int, epoch: int) -> LibraryState:
        seats = tuple(seat for seat in self.seats if seat != out)
        return replace(self, seats=seats, epoch=epoch, number=self.number + 1)


MADE: dict[bytes, bytes] = {}
"""The library's link for each of the model's, kept from one table to the next because the model caches its logs."""


@dataclass(frozen=True)
class Translated(Rules):
    """Rules that record the content of each link and translate it to the library's."""

    made: dict[bytes, bytes] = field(default_factory=lambda: MADE, compare=False)

    def link(self, made: bytes) -> bytes:
        return link([GENESIS]) if made == table.link("genesis") else self.made[made]

    def close(self, head: Slot, entries: list[table.Entry]) -> Slot:
        slot = super().close(head, entries)
        self.made[slot.link] = link([write(self.entry_message(entry)) for entry in entries])
        return slot

    def cut(self, base: Slot, out: int, doubted: bool) -> Slot:
        slot = super().cut(base, out, doubted)
        self.made[slot.link] = cut_link(self.link(base.link), out)
        return slot

    def entry_message(self, entry: table.Entry) -> Shares:
        return Shares(GID, entry.epoch, entry.slot, entry.seat, self.link(entry.prev), WORK[entry.content])

    def choice(self, choice: VoteChoice) -> VoteChoice:
        return choice._replace(prev=self.link(choice.prev))

    def word(self, word: Word | None) -> Word | None:
        return None if word is None else word._replace(choice=self.choice(word.choice))

    def vote_message(self, vote: table.Vote) -> Ballot | Pledge:
        word, choice = vote.word, self.choice(vote.word.choice)
        place = (GID, vote.epoch, choice.base, word.seat, choice.prev, word.round, choice.out)
        return Pledge(*place) if word.pledge else Ballot(*place, word.by)

    def library(self, heard: table.Heard, rng: random.Random) -> Log[LibraryState]:
        """Return the library's log after the same messages, in random order."""
        keys = [who.key for who in PEOPLE[: self.seats]]
        log = Log(GID, GENESIS, keys, LibraryState(self, tuple(range(self.seats))))
        messages = sorted((m for m in heard if not isinstance(m, Waited)), key=repr)
        for said in rng.sample(messages, len(messages)):
            assert not isinstance(said, Waited)
            message = self.entry_message(said) if isinstance(said, table.Entry) else self.vote_message(said)
            who = PEOPLE[message.seat]
            signed = open_envelope(who.key, signed_message(who, message))
            header = read_header(signed.body)
            if isinstance(message, Shares):
                assert header is not None
                log.add_entry(signed, header)
            else:
                log.add_vote(signed, message)
        return log


@pytest.mark.parametrize("seats", [3, 4])
def test_the_library_comes_to_the_log_of_the_model(seats: int) -> None:
    votes = proofs = leaves = 0
    beginnings = [*BEGINNINGS.values()]
    for seed in range(60):
        rules = Translated(seats, 2 + seed % 3, kinds=KINDS[seed // 3 % len(KINDS)])
        explorer = Explorer(rules, seed % seats, LARGE)
        rng = random.Random(seed)
        state = explorer.reach(seed) if seed % 2 else explorer.begin(rng.choice(beginnings))
        for heard in (*state, explorer.go_on(table.union(state))[0]):
            compare(rules, heard, rules.library(heard, rng), explorer.honest)
            votes += rules.log(heard).head.start > 0
            proofs += bool(rules.log(heard).proved)
            leaves += bool(rules.log(heard).head.left)
    assert votes
    assert proofs
    assert leaves


def compare(rules: Translated, heard: table.Heard, log: Log[LibraryState], seats: tuple[int, ...]) -> None:
    ours = rules.log(heard)
    assert [slot.link for slot in log.slots] == [rules.link(slot.link) for slot in ours.slots]
    assert (log.state.seats, log.state.epoch) == (ours.head.seats, ours.head.epoch)
    assert tuple(sorted(log.open)) == ours.open
    assert log.proved == ours.proved
    for seat in seats:
        view, found = rules.look(seat, heard), Voter(log, seat).view
        assert found.bound == view.bound
        assert found.word() == rules.word(view.word())
        assert found.withdraw() == rules.word(view.withdraw())
        question = view.question()
        assert found.question() == (question and (question[0], rules.choice(question[1])))
