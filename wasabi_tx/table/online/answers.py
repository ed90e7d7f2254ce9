"""Answers to those who ask for the log: at once if we are named, later if nobody else answered; never without limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from wasabi_protocol.envelope import MAX_PAYLOAD, SEAL_OVERHEAD
from wasabi_protocol.messages import MAX_HELD, Answer, Ask

MOST_BYTES = 256_000
IN_SECONDS = 10.0
OTHERS_WAIT = 2.0
MOST_ASKERS = 32
_ANSWER_BYTES = MAX_PAYLOAD - SEAL_OVERHEAD - 512
_ITEM_BYTES = 48

Item = tuple[bytes, bytes]


class Answers:
    """What we owe to askers. `items_after` gives the log beyond a slot, the beginning of all included for slot 0."""

    def __init__(self, me: bytes, table: str, items_after: Callable[[int], list[Item]], rng: Random) -> None:
        self._me = me
        self._table = table
        self._items_after = items_after
        self._rng = rng
        self._later: dict[bytes, tuple[float, int]] = {}
        self._spent: deque[tuple[float, int]] = deque()

    def asked(self, ask: Ask, now: float) -> list[Answer]:
        """Somebody asks: what to answer now."""
        if ask.key == self._me:
            return []
        if ask.whom == self._me:
            self._later.pop(ask.key, None)
            # Having nothing more is an answer too: somebody may wait for everybody's.
            return self._answer(ask.after, now) or [Answer(self._table, self._me, ())]
        if len(self._later) < MOST_ASKERS or ask.key in self._later:
            self._later[ask.key] = (now + OTHERS_WAIT + self._rng.random(), ask.after)
        return []

    def answered(self) -> None:
        """Somebody else answered: whoever asked has what we would have said."""
        self._later.clear()

    def tick(self, now: float) -> list[Answer]:
        """What is due because nobody else answered."""
        due = [asker for asker, (when, _) in self._later.items() if when <= now]
        if not due:
            return []
        after = min(self._later.pop(asker)[1] for asker in due)
        return self._answer(after, now)

    def _answer(self, after: int, now: float) -> list[Answer]:
        answers: list[Answer] = []
        chosen: list[Item] = []
        size = 0
        for key, envelope in self._items_after(after):
            cost = len(envelope) + _ITEM_BYTES
            if chosen and (size + cost > _ANSWER_BYTES or len(chosen) == MAX_HELD):
                answers.append(Answer(self._table, self._me, tuple(chosen)))
                chosen, size = [], 0
            if not self._may_spend(cost, now):
                break
            chosen.append((key, envelope))
            size += cost
        if chosen:
            answers.append(Answer(self._table, self._me, tuple(chosen)))
        return answers

    def _may_spend(self, cost: int, now: float) -> bool:
        while self._spent and self._spent[0][0] <= now - IN_SECONDS:
            self._spent.popleft()
        if sum(spent for _, spent in self._spent) + cost > MOST_BYTES:
            return False
        self._spent.append((now, cost))
        return True
