"""Heads: signed hints of how far a seat's log reaches, the basis of confirmations and asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wasabi_protocol.game.events import HeadSeen, OtherRun
from wasabi_protocol.signed.messages import Head
from wasabi_protocol.verdicts import Code, Refused

if TYPE_CHECKING:
    from wasabi_protocol.game.chain import State
    from wasabi_protocol.game.log import Log

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
MOST_RUNS = 64
"""Number of runs per seat whose counters are remembered."""
NO_RUN = bytes(16)
"""Value of `met` while no other run is known."""


class Heads:
    """The latest heads of the seats. A head changes no state and must come from a seat."""

    def __init__(self, log: Log[State], me: int | None, run: bytes) -> None:
        self._log = log
        self._me = me
        self.run = run
        self._count = 0
        self._accepted: set[bytes] = set()
        self.met = NO_RUN
        """The last other run of our own key that was heard of."""
        self._heard: dict[int, dict[bytes, int]] = {}
        self._seen: dict[int, Head] = {}
        self._held: dict[int, Head] = {}
        self._asked: dict[int, tuple[float, float, bytes]] = {}
        self.other_run: bytes | None = None

    def receive(self, key: bytes, head: Head, live: bool = True) -> list[HeadSeen | OtherRun]:
        """Record a verified head; `live` is false if the broker had retained it."""
        if head.gid != self._log.gid:
            raise Refused(Code.WRONG_GAME)
        if self._log.seat_of(key) != head.seat:
            raise Refused(Code.NOT_A_SEAT)
        if head.seat == self._me:
            return self._own(head) if live else []
        if not self._is_new(head):
            return []
        held, seen = self._on_log(self._held.get(head.seat)), self._on_log(self._seen.get(head.seat))
        if seen is not None and (held is None or seen.slot > held.slot):
            # An earlier head still covers its slots, even if a newer one is lower or ahead of us.
            self._held[head.seat] = seen
        if seen is None or head.slot >= seen.slot:
            self._seen[head.seat] = head
        return [HeadSeen(head, self._ahead(head))]

    def _on_log(self, head: Head | None) -> Head | None:
        return head if head is not None and self._log.knows(head.slot, head.prev) else None

    def _own(self, head: Head) -> list[HeadSeen | OtherRun]:
        """Detect that our key is in use elsewhere: another run has heard of this one. Other heads may be old."""
        if head.run == self.run:
            return []
        self.met = head.run
        if head.met != self.run or head.run in self._accepted or head.run == self.other_run:
            return []
        self.other_run = head.run
        return [OtherRun(head.run)]

    def _is_new(self, head: Head) -> bool:
        """Return whether the seat may have sent this head just now; anyone can replay old heads."""
        heard = self._heard.setdefault(head.seat, {})
        if head.n <= heard.get(head.run, -1) or head.slot < self._log.last_written(head.seat) - 1:
            return False
        # The last key in the dict is the run heard last.
        heard.pop(head.run, None)
        heard[head.run] = head.n
        if len(heard) > MOST_RUNS:
            del heard[next(iter(heard))]
        return True

    def next(self, gid: bytes, seat: int) -> Head:
        """Return our next heartbeat, with a new counter."""
        self._count += 1
        head = self._log.head
        return Head(gid, seat, head.number, head.link, self.run, self._count, self.met)

    def _ahead(self, head: Head) -> bool:
        return head.slot >= self._log.head.number and not self._log.knows(head.slot, head.prev)

    def is_goodbye(self, seat: int, run: bytes) -> bool:
        """Return whether a goodbye in this run comes from the run heard last; anyone can replay old goodbyes."""
        return run in list(self._heard.get(seat, ()))[-1:]

    def confirm_run(self, run: bytes) -> None:
        """Start a new run after the user chose this machine to play on, so that the other machine stops."""
        if self.other_run is not None:
            self._accepted.add(self.other_run)
        self.run, self._count, self.other_run = run, 0, None

    # Asking

    def behind(self) -> bool:
        """Return whether any seat's head shows that it knows more than we do."""
        return any(self._ahead(head) for head in self._seen.values())

    def ask_due(self, seat: int, now: float) -> bool:
        """Return whether a seat's head calls for an ask now; after each True the next wait doubles, up to 60 s."""
        head = self._seen.get(seat)
        if head is None or not self._ahead(head):
            return False
        here = self._log.head.link
        wait = FIRST_WAIT
        if seat in self._asked:
            last, before, known = self._asked[seat]
            # A seat that claims to have more but sends nothing new is asked less and less often.
            if now < last + (before if known == here else FIRST_WAIT):
                return False
            wait = min(2 * before, LONGEST_WAIT) if known == here else FIRST_WAIT
        self._asked[seat] = (now, wait, here)
        return True

    # Confirmation

    def covered(self, seat: int) -> int:
        """Return the last slot of this log that a seat's signed entries or head cover."""
        heads = (self._on_log(self._seen.get(seat)), self._on_log(self._held.get(seat)))
        by_head = max((head.slot for head in heads if head is not None), default=0)
        return max(by_head, self._log.last_written(seat) - 1, 0)

    def reached(self) -> int:
        """Return the last slot that every other current seat has, by its entries or its head."""
        others = [seat for seat in self._log.state.seats if seat != self._me]
        return min((self.covered(seat) for seat in others), default=self._log.head.number)

    def confirmed(self) -> int:
        """Return the last slot past which every other seat signed an entry, so that no vote can undo it."""
        log = self._log
        others = [seat for seat in (*log.state.seats, *log.doubted) if seat != self._me]
        if not log.state.owed:
            # There is no vote about a game that every seat has signed to the end.
            return self.reached()
        last = min((log.last_written(seat) - 1 for seat in others), default=log.head.number)
        return max(min(last, self._log.open_base(self._me)), 0)
