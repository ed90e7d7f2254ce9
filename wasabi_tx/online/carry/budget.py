"""A reader's budget: how much work it does for each author, and for all strangers together, before it drops messages.

Work is counted before it is done: signatures to check, envelopes that a message quotes, bytes to parse. Unused budget
accumulates up to a bound, so somebody who was silent may say a lot at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from wasabi_protocol.signed.messages import Answer, Blame, Chunk, Genesis, Message, Start


class Work(IntEnum):
    """The kinds of work that are counted."""

    CHECKS = 0
    QUOTES = 1
    SIZE = 2


@dataclass(frozen=True)
class Share:
    """The work that one sender may cause, in the order of `Work`: at once, and more with each second."""

    most: tuple[int, int, int]
    a_second: tuple[int, int, int]


SEAT = Share((8_000, 8_000, 16_000_000), (1_000, 400, 8_000_000))
"""A whole game at once, and then more than any game needs. It is bounded because anyone can publish under a
seat's topic; quotes have their own budget, because anyone can repeat a seat's long answers to drown its moves."""
STRANGERS = Share((600, 600, 256_000), (200, 200, 64_000))
"""Shared by all strangers: their messages are short."""
STRANGER = Share((100, 130, 64_000), (20, 40, 16_000))
LONG = 2_000
"""Size in bytes that few strangers' messages exceed; larger ones are charged before their signature is checked."""
MOST_STRANGERS = 256
"""Strangers who are counted separately; the one silent for longest is forgotten first."""


def quoted(message: Message | None) -> int:
    """Return how many envelopes a message passes on, each with its own signature."""
    match message:
        case Answer(items=items) | Genesis(joins=items):
            return len(items)
        case Chunk(entries=entries) | Blame(entries=entries) | Start(accepts=entries):
            return len(entries)
    return 0


class Account:
    """The remaining budget of one share."""

    def __init__(self, share: Share, now: float) -> None:
        self._share = share
        self._left = [float(most) for most in share.most]
        self._now = now

    def has(self, work: Work, amount: int, now: float) -> bool:
        passed = max(0.0, now - self._now)
        self._now = max(self._now, now)
        for kind, more in enumerate(self._share.a_second):
            self._left[kind] = min(self._share.most[kind], self._left[kind] + passed * more)
        return amount <= self._left[work]

    def spend(self, work: Work, amount: int) -> None:
        self._left[work] -= amount


class Budget:
    """The budgets of all senders that one client hears; `comes_first` recognizes seats by their names in topics."""

    def __init__(self, comes_first: Callable[[str], bool]) -> None:
        self._comes_first = comes_first
        self._seats: dict[str, Account] = {}
        self._each: dict[str, Account] = {}
        self._all: Account | None = None
        self.dropped = 0
        """Number of messages dropped because the budget was spent."""

    def check(self, author: str, size: int, now: float) -> bool:
        """Charge for checking a message's signature; return whether the budget allows it."""
        if size > LONG and not self._comes_first(author) and not self.spend(author, Work.SIZE, size, now):
            return False
        return self.spend(author, Work.CHECKS, 1, now)

    def parse(self, author: str, size: int, now: float) -> bool:
        """Charge for parsing a message whose signature is valid; return whether the budget allows it."""
        paid = size > LONG and not self._comes_first(author)
        return paid or self.spend(author, Work.SIZE, size, now)

    def quote(self, author: str, message: Message | None, now: float) -> bool:
        """Charge for checking the envelopes that a message passes on; return whether the budget allows it."""
        return self.spend(author, Work.QUOTES, quoted(message), now)

    def spend(self, author: str, work: Work, amount: int, now: float) -> bool:
        """Charge this much work to an author; return whether the budget allows it."""
        if not amount:
            return True
        accounts = self._accounts(author, now)
        if not all(account.has(work, amount, now) for account in accounts):
            self.dropped += 1
            return False
        for account in accounts:
            account.spend(work, amount)
        return True

    def _accounts(self, author: str, now: float) -> list[Account]:
        if self._comes_first(author):
            return [self._seats.setdefault(author, Account(SEAT, now))]
        if self._all is None:
            self._all = Account(STRANGERS, now)
        own = self._each.pop(author, None) or Account(STRANGER, now)
        self._each[author] = own
        if len(self._each) > MOST_STRANGERS:
            del self._each[next(iter(self._each))]
        return [self._all, own]
