"""Catching up with the log: asking the seat that seems to know more, and answering those who ask us."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from wasabi_protocol.game.heads import FIRST_WAIT, LONGEST_WAIT
from wasabi_protocol.game.session import Session
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_PAYLOAD, SEAL_OVERHEAD
from wasabi_protocol.signed.messages import MAX_HELD, Answer, Ask, Head

from ..rules.sealed_position import SealedPosition

NOBODY = bytes(32)
"""Asks whoever is there: no key is this one."""
CATCH_UP = 3.0
"""So long a client that comes back waits for the others' logs before it signs anything."""
CATCH_UP_BEHIND = 15.0
"""And so long while somebody's head, or its own of before, says that there is more to know."""
ASK_AGAIN = 1.0
WATCHER_EVERY = 60.0
"""So often a watcher asks although it lacks nothing: it is how the seats know that somebody looks on."""
NOTHING = 99_999


@dataclass
class Asking:
    """What this client asks at a table. With a session it follows the seats' heads."""

    me: bytes
    table: str
    session: Session[SealedPosition] | None = None
    catching_up: bool = False
    _answered: set[bytes] = field(default_factory=set)
    _since: float | None = None
    _again: float = 0.0
    _shown: float = 0.0
    _before: Head | None = None
    _tries: int = 0
    _last_head: int = -1
    _held_due: float = 0.0
    _held_wait: float = FIRST_WAIT

    def connected(self, now: float) -> list[Ask]:
        """Everybody is asked once; before their answers nothing is signed by a client that comes back."""
        session = self.session
        if session is None:
            return [Ask(self.table, self.me, NOBODY, 0)]
        self._since, self._again, self._shown = now, now + ASK_AGAIN, now + WATCHER_EVERY
        self._answered.clear()
        return [self._ask(key, 0) for key in self._others()]

    def lost(self) -> None:
        self._since = None

    def own_head(self, head: Head) -> None:
        """A head that this key published before: what it covered has to be here before we sign again."""
        if self._before is None or head.slot >= self._before.slot:
            self._before = head

    def answered(self, key: bytes) -> None:
        """A seat told us what it knows."""
        self._answered.add(key)

    def _others(self) -> list[bytes]:
        session = self.session
        if session is None:
            return []
        keys = session.founded.keys
        return [keys[seat] for seat in session.state.seats if keys[seat] != self.me]

    def _ask(self, whom: bytes, back: int) -> Ask:
        head = 0 if self.session is None else self.session.log.head.number
        return Ask(self.table, self.me, whom, max(0, head - back))

    def tick(self, now: float) -> list[Ask]:
        """What to ask now."""
        session = self.session
        if session is None:
            return self._ask_anybody(now)
        asks = self._catch_up(session, now)
        head = session.log.head.number
        if head != self._last_head:
            self._last_head, self._tries, self._held_wait = head, 0, FIRST_WAIT
            self._held_due = now + FIRST_WAIT
        for seat, key in enumerate(session.founded.keys):
            if key != self.me and session.heads.ask_due(seat, now):
                asks.append(self._ask(key, self._further()))
        if not asks and (session.log.waiting or session.ballots.bound()) and now >= self._held_due:
            # Entries wait for a past that nobody's head spoke of, or we for the end of a vote.
            self._held_wait = min(2 * self._held_wait, LONGEST_WAIT)
            self._held_due = now + self._held_wait
            asks.append(self._ask(NOBODY, self._further()))
        if not asks and self.me not in session.founded.keys and now >= self._shown:
            self._shown = now + WATCHER_EVERY
            asks.append(Ask(self.table, self.me, NOBODY, NOTHING))
        return asks

    def _catch_up(self, session: Session[SealedPosition], now: float) -> list[Ask]:
        if not self.catching_up or self._since is None:
            return []
        waited = now - self._since
        behind = session.heads.behind() or self._lacks_own(session)
        if (self._caught_up() and not behind) or waited >= (CATCH_UP_BEHIND if behind else CATCH_UP):
            self.catching_up = False
            return []
        if now < self._again:
            return []
        self._again = now + ASK_AGAIN
        return [self._ask(key, self._further()) for key in self._others() if key not in self._answered]

    def _lacks_own(self, session: Session[SealedPosition]) -> bool:
        before = self._before
        return before is not None and before.slot > session.log.head.number

    def _ask_anybody(self, now: float) -> list[Ask]:
        if now < self._held_due:
            return []
        self._held_due, self._held_wait = now + self._held_wait, min(2 * self._held_wait, LONGEST_WAIT)
        return [Ask(self.table, self.me, NOBODY, 0)]

    def _further(self) -> int:
        """How far behind our head to ask from: a vote may have cut what we hold."""
        self._tries += 1
        return 0 if self._tries == 1 else 4**self._tries

    def _caught_up(self) -> bool:
        return self._answered.issuperset(self._others())


MOST_BYTES = 256_000
IN_SECONDS = 10.0
OTHERS_WAIT = 2.0
MOST_ASKERS = 32
FOR_STRANGERS = MOST_BYTES // 2
"""Whoever has no seat gets at most so much of it: a flood of asks must not keep a seat from catching up."""
ASK_PAUSE = 0.5
"""Seconds within which the same asker is not answered again: brokers repeat an ask that two filters match."""
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
        self._answered: dict[bytes, float] = {}
        self._spent: deque[tuple[float, int, bool]] = deque()
        self._total = {True: 0, False: 0}

    def asked(self, ask: Ask, now: float) -> list[Answer]:
        """Somebody asks: what to answer now."""
        if ask.key == self._me:
            return []
        if ask.whom == self._me:
            if now < self._answered.get(ask.key, now):
                return []
            self._note(ask.key, now)
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

    def _note(self, asker: bytes, now: float) -> None:
        self._answered = {key: due for key, due in self._answered.items() if due > now}
        self._answered[asker] = now + ASK_PAUSE

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
