"""Answers to those who ask for the log: at once if we are named, later if nobody else answered; never without limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from wasabi_protocol.envelope import MAX_ENTRY, MAX_PAYLOAD, SEAL_OVERHEAD
from wasabi_protocol.messages import MAX_HELD, Answer, Ask

MOST_BYTES = 256_000
IN_SECONDS = 10.0
OTHERS_WAIT = 2.0
MOST_ASKERS = 32
FOR_STRANGERS = MOST_BYTES // 2
"""Whoever has no seat gets at most so much of it: a flood of asks must not keep a seat from catching up."""
_ANSWER_BYTES = MAX_PAYLOAD - SEAL_OVERHEAD - 512
_ITEM_BYTES = 48
_EMPTY_BYTES = 300

Item = tuple[bytes, bytes]


class Answers:
    """What we owe to askers. `items_after` gives the log beyond a slot, the beginning of all included for slot 0."""

    def __init__(
        self,
        me: bytes,
        table: str,
        items_after: Callable[[int], list[Item]],
        rng: Random,
        seats: tuple[bytes, ...] = (),
    ) -> None:
        self._me = me
        self._table = table
        self._items_after = items_after
        self._rng = rng
        self._seats = frozenset(seats)
        self._later: dict[bytes, tuple[float, int]] = {}
        self._spent: deque[tuple[float, int, bool]] = deque()
        self._total = {True: 0, False: 0}

    def asked(self, ask: Ask, now: float) -> list[Answer]:
        """Somebody asks: what to answer now."""
        if ask.key == self._me:
            return []
        if ask.whom == self._me:
            self._later.pop(ask.key, None)
            seated = ask.key in self._seats
            if not self._room(_EMPTY_BYTES, now, seated):
                return []
            answers = self._answer(ask.after, now, seated)
            if not answers:
                # Having nothing more is an answer too: somebody may wait for everybody's.
                self._spend(_EMPTY_BYTES, now, seated)
                answers = [Answer(self._table, self._me, ())]
            return answers
        if len(self._later) < MOST_ASKERS or ask.key in self._later:
            self._later[ask.key] = (now + OTHERS_WAIT + self._rng.random(), ask.after)
        return []

    def answered(self, answer: Answer) -> None:
        """Somebody else answered: whoever asked has what we would have said."""
        if answer.items:
            self._later.clear()

    def tick(self, now: float) -> list[Answer]:
        """What is due because nobody else answered."""
        due = [asker for asker, (when, _) in self._later.items() if when <= now]
        if not due:
            return []
        seated = any(asker in self._seats for asker in due)
        after = min(self._later.pop(asker)[1] for asker in due)
        return self._answer(after, now, seated) if self._room(_EMPTY_BYTES, now, seated) else []

    def _answer(self, after: int, now: float, seated: bool) -> list[Answer]:
        answers: list[Answer] = []
        chosen: list[Item] = []
        size = 0
        for key, envelope in self._items_after(after):
            if len(envelope) > MAX_ENTRY:
                continue
            cost = len(envelope) + _ITEM_BYTES
            if chosen and (size + cost > _ANSWER_BYTES or len(chosen) == MAX_HELD):
                answers.append(Answer(self._table, self._me, tuple(chosen)))
                chosen, size = [], 0
            if not self._room(cost, now, seated):
                break
            self._spend(cost, now, seated)
            chosen.append((key, envelope))
            size += cost
        if chosen:
            answers.append(Answer(self._table, self._me, tuple(chosen)))
        return answers

    def _room(self, cost: int, now: float, seated: bool) -> bool:
        while self._spent and self._spent[0][0] <= now - IN_SECONDS:
            _, spent, theirs = self._spent.popleft()
            self._total[theirs] -= spent
        strangers = self._total[False] + (0 if seated else cost)
        return sum(self._total.values()) + cost <= MOST_BYTES and (seated or strangers <= FOR_STRANGERS)

    def _spend(self, cost: int, now: float, seated: bool) -> None:
        self._spent.append((now, cost, seated))
        self._total[seated] += cost
