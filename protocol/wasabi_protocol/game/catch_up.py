"""Catching up with a log: ask the seat that seems to know more, and answer others who ask.

Time is the caller's own clock, in seconds, passed with each call.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from wasabi_protocol.game.chain import read_header
from wasabi_protocol.game.heads import FIRST_WAIT, LONGEST_WAIT
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_PAYLOAD, SEAL_OVERHEAD
from wasabi_protocol.signed.identity import SIGNATURE_BYTES
from wasabi_protocol.signed.messages import MAX_HELD, Answer, Ask, Chunk, Head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wasabi_protocol.game.session import Session
    from wasabi_protocol.signed.envelope import Item

P = TypeVar("P")

NOBODY = bytes(32)
"""The addressee of an ask that anyone may answer; no real key has this value."""
CATCH_UP = 3.0
"""Seconds a returning client waits for the others' logs before it signs anything."""
CATCH_UP_BEHIND = 15.0
"""The same, while a head of another seat, or an earlier head of our own, shows that entries are missing here."""
ASK_AGAIN = 1.0
WATCHER_EVERY = 60.0
"""Seconds between asks of a watcher that lacks nothing; the asks show the seats that someone is watching."""
NOTHING = 99_999


class Asking(Generic[P]):
    """The asks of this client at a table. With a session, it follows the seats' heads."""

    def __init__(self, me: bytes, table: str, session: Session[P] | None = None, *, catching_up: bool = False) -> None:
        self.me = me
        self.table = table
        self.session = session
        self.catching_up = catching_up
        self._answered: set[bytes] = set()
        self._since: float | None = None
        self._again = self._shown = self._held_due = 0.0
        self._before: Head | None = None
        self._tries = 0
        self._last_head = -1
        self._held_wait = FIRST_WAIT

    def connected(self, now: float) -> list[Ask]:
        """Return one ask for each seat; a returning client signs nothing until they answer."""
        session = self.session
        if session is None:
            return [Ask(self.table, self.me, NOBODY, 0)]
        self._since, self._again, self._shown = now, now + ASK_AGAIN, now + WATCHER_EVERY
        self._answered.clear()
        return [self._ask(key, 0) for key in self._others()]

    def lost(self) -> None:
        self._since = None

    def own_head(self, head: Head) -> None:
        """Record a head that our key published earlier; everything it covers must arrive before we sign again."""
        if self._before is None or head.slot >= self._before.slot:
            self._before = head

    def answered(self, key: bytes) -> None:
        """Record that a seat answered."""
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
        """Return the asks that are due now."""
        session = self.session
        if session is None:
            return self._ask_everyone(now)
        asks = self._catch_up(session, now)
        head = session.log.head.number
        if head != self._last_head:
            self._last_head, self._tries, self._held_wait = head, 0, FIRST_WAIT
            self._held_due = now + FIRST_WAIT
        for seat, key in enumerate(session.founded.keys):
            if key != self.me and session.heads.ask_due(seat, now):
                asks.append(self._ask(key, self._further()))
        if not asks and (session.log.waiting or session.ballots.bound()) and now >= self._held_due:
            # Entries wait for a past that no head mentioned, or a vote has to end before we may write.
            self._held_wait = min(2 * self._held_wait, LONGEST_WAIT)
            self._held_due = now + self._held_wait
            asks.append(self._ask(NOBODY, self._further()))
        if not asks and self.me not in session.founded.keys and now >= self._shown:
            self._shown = now + WATCHER_EVERY
            asks.append(Ask(self.table, self.me, NOBODY, NOTHING))
        return asks

    def _catch_up(self, session: Session[P], now: float) -> list[Ask]:
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

    def _lacks_own(self, session: Session[P]) -> bool:
        before = self._before
        return before is not None and before.slot > session.log.head.number

    def _ask_everyone(self, now: float) -> list[Ask]:
        if now < self._held_due:
            return []
        self._held_due, self._held_wait = now + self._held_wait, min(2 * self._held_wait, LONGEST_WAIT)
        return [Ask(self.table, self.me, NOBODY, 0)]

    def _further(self) -> int:
        """Return how many slots before our head to start asking; a vote may have cut entries we have."""
        self._tries += 1
        return 0 if self._tries == 1 else 4**self._tries

    def _caught_up(self) -> bool:
        return self._answered.issuperset(self._others())


MOST_BYTES = 256_000
IN_SECONDS = 10.0
OTHERS_WAIT = 2.0
FOR_STRANGERS = MOST_BYTES // 2
"""The part of `MOST_BYTES` for keys without a seat, so that a flood of asks cannot keep a seat from catching up."""
TO_STRANGERS = 10
"""Most answers to strangers in `IN_SECONDS`; a relay carries few messages per seat, however short they are."""
ASK_PAUSE = 0.5
"""Seconds before the same key gets another answer; brokers repeat an ask that matches two filters."""
_ANSWER_BYTES = MAX_PAYLOAD - SEAL_OVERHEAD - 512
_CHUNK_BYTES = 6_000
"""Size at which a chunk is closed; a chunk that still grows is published again each time."""
_ITEM_BYTES = 48
_ENTRY_BYTES = 8
_LEAST = {True: 300, False: FOR_STRANGERS // TO_STRANGERS}
"""Minimum bytes charged for an answer, to a seat (True) and to strangers (False)."""
_STRANGERS = b""
"""The entry under which all keys without a seat wait together; one answer serves them all."""


def log_chunks(table: str, key: bytes, envelopes: Iterable[bytes]) -> list[Chunk]:
    """Split an author's own envelopes into the chunks of its retained log; as the log grows, only the last chunk
    changes.

    A ballot too large for a chunk is omitted; its author repeats it while it matters.
    """
    parts: list[list[bytes]] = [[]]
    size = 0
    for envelope in envelopes:
        cost = len(envelope) + _ENTRY_BYTES
        if len(envelope) > MAX_ENTRY:
            continue
        # Everything said before the game goes into the first chunk, where late joiners look for it.
        word = len(parts) == 1 and read_header(envelope[SIGNATURE_BYTES:]) is None
        if parts[-1] and (size + cost > (_ANSWER_BYTES if word else _CHUNK_BYTES) or len(parts[-1]) == MAX_HELD):
            parts.append([])
            size = 0
        parts[-1].append(envelope)
        size += cost
    return [Chunk(table, key, n, tuple(part)) for n, part in enumerate(parts) if part]


def known_after(session: Session[P], start: Item, slot: int) -> list[Item]:
    """Return the content of an answer: the log after a slot, then proofs, ballots, wishes and statements.

    For slot 0, the genesis and the start come first.
    """
    founded = session.founded.signed
    opening = [(founded.key, founded.envelope), start] if slot == 0 else []
    proofs = [signed for evidence in session.log.evidence for signed in evidence.bodies]
    said = [*proofs, *session.ballots.present(), *session.wishes.held(), *session.abandoned.values()]
    return [*opening, *session.log.after(slot), *((signed.key, signed.envelope) for signed in said)]


class Answers:
    """Answers to askers, limited in bytes and number.

    `items_after` returns the items after a slot (see `known_after`); `chance` returns a random number from 0 to 1.
    """

    def __init__(
        self,
        me: bytes,
        table: str,
        items_after: Callable[[int], list[Item]],
        chance: Callable[[], float],
        seats: tuple[bytes, ...] = (),
    ) -> None:
        self._me = me
        self._table = table
        self._items_after = items_after
        self._chance = chance
        self._seats = frozenset(seats)
        self._later: dict[bytes, tuple[float, int]] = {}
        self._answered: dict[bytes, float] = {}
        self._spent: deque[tuple[float, int, bool]] = deque()
        self._total = {True: 0, False: 0}

    def asked(self, ask: Ask, now: float) -> list[Answer]:
        """Return the answers to send for this ask now."""
        if ask.key == self._me:
            return []
        asker = ask.key if ask.key in self._seats else _STRANGERS
        if ask.whom != self._me:
            self._wait(asker, now + OTHERS_WAIT + self._chance(), ask.after)
            return []
        if now < self._answered.get(ask.key, now):
            return []
        self._note(ask.key, now)
        self._wait(asker, now, ask.after)
        answers = self.tick(now)
        if not answers and asker != _STRANGERS and self._room(_LEAST[True], now, True):
            # An empty answer counts too: a seat may be waiting for one from every other seat.
            self._spend(_LEAST[True], now, True)
            answers = [Answer(self._table, self._me, ())]
        return answers

    def _wait(self, asker: bytes, when: float, after: int) -> None:
        known, lowest = self._later.get(asker, (when, after))
        self._later[asker] = (min(known, when), min(lowest, after))

    def _note(self, asker: bytes, now: float) -> None:
        self._answered = {key: due for key, due in self._answered.items() if due > now}
        self._answered[asker] = now + ASK_PAUSE

    def answered(self, answer: Answer) -> None:
        """Drop our pending answers if another seat has sent the same content."""
        if answer.items:
            self._later.clear()

    def tick(self, now: float) -> list[Answer]:
        """Return the answers now due because no other seat answered, or because the budget was used up before."""
        answers: list[Answer] = []
        for seated in (True, False):
            due = [key for key, (when, _) in self._later.items() if when <= now and (key != _STRANGERS) is seated]
            if due and self._room(_LEAST[seated], now, seated):
                answers += self._answer(min(self._later.pop(key)[1] for key in due), now, seated)
        return answers

    def answers_after(self, after: int, now: float) -> list[Answer]:
        """Return unasked answers with everything after a slot, because a seat wants to go on without it."""
        return self._answer(after, now, seated=True)

    def _answer(self, after: int, now: float, seated: bool) -> list[Answer]:
        answers: list[Answer] = []
        chosen: list[Item] = []
        size = spent = 0
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
            spent += cost
        if chosen:
            answers.append(Answer(self._table, self._me, tuple(chosen)))
        if spent < len(answers) * _LEAST[seated]:
            self._spend(len(answers) * _LEAST[seated] - spent, now, seated)
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
