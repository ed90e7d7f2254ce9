"""Explores the runs of a small table: honest seats, one liar, and a network that loses, repeats and reorders.

A state is the set of messages each honest seat has heard, so a message that never arrives, or arrives twice or late,
needs no step of its own. From each state, everything that honest seats know is also delivered to all of them: the
result, while the liar is silent, is what they can always reach.

The seats contain people, bots, keepers and programs whose person has gone. Each has its own clock, which may expire at
any moment or never; its result is part of what that seat has "heard", and is never delivered to others.

A search from the first state alone ends a few steps from it. It finds no ballot on a slot that was closed and is open
again, with the seat that has proof out of calls for a vote: the run in `variants.py` that leads there has 21 steps and
four lies. A long random run gets there only once in thousands, and used to be judged at its end alone. So the model
missed the state in which two honest seats are rounds apart with nothing between them that counts, and the one behind
did not follow. Hence a search also begins in the middle of a game (`beginnings.py`), and a long run is judged after
each of its steps.

In the same way it missed a seat that pledged on the ballots of two others, one of which then left: that takes a vote in
vain before it, three lies of which one is a ballot in a second round, and a leave at the end, where a search from any
earlier beginning has the liar speak in one round only. So one more search begins after such a pledge.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.voting import poll
from wasabi_protocol.voting.poll import NOBODY, VoteChoice, Word

from tests.model.runs import WIDE, Bounds, Failure, State, author, put, show
from tests.model.table import (
    ABSENT,
    BOT,
    GOOD,
    LEAVE,
    OTHER,
    PERSON,
    WRONG,
    Entry,
    Heard,
    Message,
    Rules,
    Slot,
    Vote,
    Waited,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

LAWS = (
    "P1 one log from one set of messages, proof against the liar only",
    "P2 nobody honest is bound for ever, unless only the liar is left beside it",
    "P3 nobody honest goes without the yes of every other honest seat",
    "P4 silence stops nobody where a person calls a vote and no other seat is without its person",
    "P5 what is confirmed stays",
    "P6 honest seats come to rest",
    "P7 nobody goes before its time is over by the clock of every other honest seat, unless there is proof",
    "P8 nobody goes unless a person pressed it or there is proof; bots alone send away a bot",
)


@dataclass
class Explorer:
    """A table with one liar among the seats of these rules."""

    rules: Rules
    liar: int
    bounds: Bounds = field(default_factory=Bounds)

    def __post_init__(self) -> None:
        self.honest = tuple(seat for seat in range(self.rules.seats) if seat != self.liar)
        self.explored = 0
        self._first: State = tuple(frozenset() for _ in self.honest)
        self._rest: dict[Heard, str | None] = {}

    # Many runs

    def search(self, beginning: str = "") -> Failure | None:
        """Return the shortest run from a beginning that breaks a law, or None if no explored state does."""
        first = self.begin(beginning)
        came: dict[State, tuple[State, str] | None] = {first: None}
        todo = deque([first])
        while todo and self.explored < self.bounds.states:
            state = todo.popleft()
            self.explored += 1
            law = self.broken(state)
            if law is not None:
                return Failure(law, self._run(came, state))
            for step, after in self.steps(state):
                lost = self.undone(state, after)
                if lost is not None:
                    return Failure(lost, (*self._run(came, state), step))
                if after not in came:
                    came[after] = (state, step)
                    todo.append(after)
        return None

    def begin(self, beginning: str) -> State:
        """Take the possible steps of a beginning; the bounds count from there on."""
        wide, bounds = Explorer(self.rules, self.liar, WIDE), self.bounds
        state = self._first
        for line in beginning.split("\n"):
            if line == "everybody hears everything":
                shared = frozenset(m for m in union(state) if not isinstance(m, Waited))
                state = tuple(heard | shared for heard in state)
            state = next((after for step, after in wide.steps(state) if step == line), state)
        known = union(state)
        rounds = max((m.word.round for m in known if isinstance(m, Vote)), default=0)
        self.bounds = Bounds(
            lies=bounds.lies + sum(author(m) == self.liar for m in known),
            calls=bounds.calls + self._calls(known),
            rounds=bounds.rounds + rounds,
            leaves=bounds.leaves + self._leaves(known),
            states=bounds.states,
        )
        return state

    def follow(self, run: str) -> Failure | None:
        """Follow a given run, one step per line, as far as possible; return the law that it breaks on its way."""
        state = self._first
        done: list[str] = []
        for line in run.split("\n"):
            after = next((after for step, after in self.steps(state) if step == line), None)
            if after is None:
                continue
            done.append(line)
            law = self.undone(state, after) or self.broken(after)
            if law is not None:
                return Failure(law, tuple(done))
            state = after
        return None

    def walk(self, seed: int) -> Failure | None:
        """Take one long random run, far beyond an exhaustive search, and judge it after each step."""
        state = self._first
        run: list[str] = []
        for step, after in self._chance(seed):
            self.explored += 1
            run.append(step)
            law = self.undone(state, after) or self.broken(after)
            if law is not None:
                return Failure(law, tuple(run))
            state = after
        return None

    def reach(self, seed: int) -> State:
        """Return what each honest seat has heard after a random run."""
        return [self._first, *(after for _, after in self._chance(seed))][-1]

    def _chance(self, seed: int, length: int = 30) -> Iterator[tuple[str, State]]:
        rng = random.Random(seed)
        state = self._first
        for _ in range(rng.randrange(length // 3, length)):
            steps = list(self.steps(state))
            verbs = ("says", "hears", "tells", "waits")
            kinds = [[step for step in steps if step[0].split()[1] == verb] for verb in verbs]
            weights = [weight * bool(kind) for weight, kind in zip((4, 4, 2, 2), kinds, strict=True)]
            if not any(weights):
                return
            step, state = rng.choice(rng.choices(kinds, weights)[0])
            yield step, state

    def _run(self, came: dict[State, tuple[State, str] | None], state: State) -> tuple[str, ...]:
        steps = []
        while (before := came[state]) is not None:
            state, step = before
            steps.append(step)
        return tuple(reversed(steps))

    # One step

    def steps(self, state: State) -> Iterator[tuple[str, State]]:
        known = union(state)
        calls, leaves = self._calls(known), self._leaves(known)
        lies = [m for m in known if author(m) == self.liar]
        new = [] if len(lies) >= self.bounds.lies else [m for m in self.lies(state) if m not in known]
        for index, (seat, heard) in enumerate(zip(self.honest, state, strict=True)):
            for message in self.sayings(seat, heard, calls < self.bounds.calls):
                yield f"{seat} says {show(message)}", put(state, index, message)
            if leaves < self.bounds.leaves and (leave := self._leave(seat, heard)) is not None:
                yield f"{seat} says {show(leave)}", put(state, index, leave)
            waited = self._waited(seat, heard)
            if waited is not None:
                number = self.rules.log(heard).head.number
                yield f"{seat} waits on slot {number}", put(state, index, waited)
            for message in known - heard:
                if not isinstance(message, Waited):
                    yield f"{seat} hears {show(message)}", put(state, index, message)
            for message in new:
                yield f"{self.liar} tells {seat} {show(message)}", put(state, index, message)

    def _leave(self, seat: int, heard: Heard) -> Entry | None:
        """Return the entry with which a person leaves in their turn."""
        entry, head = self.rules.entry(seat, heard), self.rules.log(heard).head
        if entry is None or self.rules.kinds[seat] != PERSON or not self.rules.is_turn(head):
            return None
        return entry._replace(content=LEAVE)

    def _waited(self, seat: int, heard: Heard) -> Waited | None:
        """Return the next timeout of a seat's clock, if others keep it waiting."""
        log = self.rules.log(heard)
        waits = any(other != seat and other not in log.open for other in self.rules.owed(log.head))
        waited = Waited(seat, log.head.link)
        return waited if waits and seat in log.head.seats and waited not in heard else None

    def sayings(self, seat: int, heard: Heard, may_call: bool) -> Iterator[Message]:
        """Yield everything that an honest seat may say now."""
        rules = self.rules
        entry = rules.entry(seat, heard)
        if entry is not None:
            yield entry
        view = rules.look(seat, heard)
        epoch = rules.log(heard).head.epoch
        word = view.word()
        if word is not None:
            yield Vote(epoch, word)
        tired = view.withdraw()
        if tired is not None:
            yield Vote(epoch, tired)
        question = view.question()
        if question is not None:
            no = view.ballot(NOBODY, poll.CLIENT)
            if no is not None:
                yield Vote(epoch, no)
        for out in [question[1].out] if question is not None else view.missing if may_call else ():
            yes = self.yes(seat, heard, out)
            if yes is not None:
                yield yes

    def yes(self, seat: int, heard: Heard, out: int) -> Vote | None:
        """Return a seat's ballot to exclude another, as an answer or a call; None if it must not."""
        rules = self.rules
        view, kind = rules.look(seat, heard), rules.kinds[seat]
        if seat not in view.seats or len(view.seats) < 3 or not rules.patient(seat, heard) or kind == ABSENT:
            return None
        question = view.question()
        answers = question is not None and (kind != BOT or self._wanted_by_people(view.words, question[1]))
        if not answers and not rules.may_call(seat, out, view.seats):
            return None
        word = view.ballot(out, poll.PERSON if kind == PERSON else poll.BOT)
        return None if word is None else Vote(rules.log(heard).head.epoch, word)

    def _wanted_by_people(self, words: frozenset[Word], choice: VoteChoice) -> bool:
        """Return whether a person wants this; a bot agrees to nothing else."""
        return any(
            word.choice == choice and word.by == poll.PERSON and word.seat not in self.rules.bots for word in words
        )

    def _leaves(self, known: Heard) -> int:
        """Return how many honest seats have left."""
        return sum(isinstance(m, Entry) and m.content == LEAVE and m.seat != self.liar for m in known)

    def _calls(self, known: Heard) -> int:
        """Return how many votes honest people called: ballots that began a round."""
        firsts = {
            (m.epoch, m.word.round, m.word.seat)
            for m in known
            if isinstance(m, Vote) and m.word.by == poll.PERSON and author(m) != self.liar and not m.word.choice.stay
        }
        return len(firsts)

    def lies(self, state: State) -> list[Message]:
        """Return everything that the liar may sign, given what honest seats know."""
        slots = {slot for heard in state for slot in self.rules.log(heard).slots}
        found: set[Message] = set()
        for slot in slots:
            if self.liar in self.rules.owed(slot):
                for content in (GOOD, OTHER, WRONG, LEAVE) if self.rules.is_turn(slot) else (GOOD, OTHER, WRONG):
                    found.add(Entry(slot.epoch, slot.number + 1, self.liar, slot.link, content))
            if self.liar in slot.seats and len(slot.seats) > 2:
                found |= {Vote(slot.epoch, word) for word in self._false_words(slot)}
        return sorted(found, key=repr)

    def _false_words(self, slot: Slot) -> Iterator[Word]:
        outs = [*slot.seats] + ([NOBODY] if slot.number == slot.start else [])
        for out in outs:
            for number in range(1, self.bounds.rounds + 1):
                for pledge in (False, True):
                    yield Word(self.liar, number, VoteChoice(slot.number, slot.link, out), poll.PERSON, pledge)

    # The laws

    def broken(self, state: State) -> str | None:
        """Return a law that this state breaks."""
        known = union(state)
        for heard in state:
            law = self._unjust(heard) or self._hasty(heard, known)
            if law is not None:
                return law
        return self.at_rest(known)

    def _hasty(self, heard: Heard, known: Heard) -> str | None:
        """Check P7 and P8: a seat excluded without proof had its time by all honest clocks, and a person wanted it."""
        rules, log = self.rules, self.rules.log(heard)
        for base, slot in zip(log.slots, log.slots[1:], strict=False):
            if slot.out is None or slot.out in log.proved:
                continue
            others = [seat for seat in base.seats if seat != slot.out]
            if any(seat != self.liar and Waited(seat, base.link) not in known for seat in others):
                return "P7: a seat is out before its time is over"
            choice = VoteChoice(base.number, base.link, slot.out)
            words = frozenset(m.word for m in heard if isinstance(m, Vote))
            if not self._wanted_by_people(words, choice) and not {slot.out, *others} <= rules.bots:
                return "P8: a seat is out and nobody pressed it"
        return None

    def _unjust(self, heard: Heard) -> str | None:
        """Check P3: an honest seat is excluded only with the yes of every other honest one. Check that no proof names
        one.
        """
        log = self.rules.log(heard)
        if log.proved - {self.liar}:
            return "P1: proof against an honest seat"
        gone = [s for s in self.honest if s not in log.head.seats and s not in log.head.left]
        for out in gone:
            yes = {m.word.seat for m in heard if isinstance(m, Vote) and m.word.choice.out == out and not m.word.pledge}
            if not set(self.honest) - {out} <= yes:
                return "P3: an honest seat is out without the yes of every other honest one"
        return None

    def undone(self, before: State, after: State) -> str | None:
        """Check P5: confirmed moves stay, unless the liar signed two bodies for that very slot, or an invalid one."""
        for seat, old, new in zip(self.honest, before, after, strict=True):
            if old is new:
                continue
            confirmed = self.rules.confirmed(seat, old)
            if not confirmed:
                continue
            was, now = self.rules.log(old).slots, self.rules.log(new).slots
            if now[:confirmed] != was[:confirmed]:
                return "P5: a confirmed move is gone"
            disputed = self.rules.rivals(was[confirmed - 1], self.liar, new)
            if now[confirmed : confirmed + 1] != was[confirmed : confirmed + 1] and not disputed:
                return "P5: a confirmed move is gone"
        return None

    def at_rest(self, known: Heard) -> str | None:
        """Check P2 and P4, when all honest seats share their knowledge and the liar is silent."""
        if known not in self._rest:
            self._rest[known] = self._at_rest(known)
        return self._rest[known]

    def _at_rest(self, known: Heard) -> str | None:
        rules = self.rules
        known, law = self._exhaust(known)
        if law is not None:
            return law
        log = rules.log(known)
        here = [seat for seat in self.honest if seat in log.head.seats]
        stalled = len(log.head.seats) < 3 and self.liar in log.head.seats
        if not stalled and any(rules.look(seat, known).bound for seat in here):
            return "P2: an honest seat is bound for ever"
        if len(here) < len(self.honest) or not self._can_go_on():
            return None
        for _ in range(8):
            log = rules.log(known)
            if self.liar not in rules.owed(log.head) or self.liar in log.open or len(log.head.seats) < 3:
                return None
            known, law = self.go_on(known)
            if law is not None:
                return law
        return "P4: the liar stops the others by silence"

    def _can_go_on(self) -> bool:
        """Return whether the honest seats may go on without a silent liar: a person calls the vote and all others
        agree.
        """
        kinds = {self.rules.kinds[seat] for seat in self.honest}
        return ABSENT not in kinds and (PERSON in kinds or (kinds == {BOT} and self.liar in self.rules.bots))

    def go_on(self, known: Heard) -> tuple[Heard, str | None]:
        """Return what honest seats know after a vote about a silent liar, each voting once its own clock allows."""
        link = self.rules.log(known).head.link
        known |= {Waited(seat, link) for seat in self.honest}
        callers = sorted(self.honest, key=lambda seat: self.rules.kinds[seat] != PERSON)
        for seat in callers:
            said = self.yes(seat, known, self.liar) if self.liar in self.rules.look(seat, known).missing else None
            if said is not None:
                known |= {said}
        return self._exhaust(known)

    def _exhaust(self, known: Heard) -> tuple[Heard, str | None]:
        """Let honest seats write and say everything they can on their own."""
        rules = self.rules
        for _ in range(200):
            log = rules.log(known)
            said: set[Message] = set()
            for seat in self.honest:
                entry = rules.entry(seat, known)
                word = rules.look(seat, known).word()
                said |= {entry} if entry is not None else set()
                said |= {Vote(log.head.epoch, word)} if word is not None else set()
            if said <= known:
                waiting = [rules.look(seat, known) for seat in self.honest]
                answers = {
                    Vote(log.head.epoch, word)
                    for view in waiting
                    if view.question() is not None and (word := view.ballot(NOBODY, poll.CLIENT)) is not None
                }
                if not answers:
                    answers = {Vote(log.head.epoch, word) for view in waiting if (word := view.withdraw()) is not None}
                if not answers:
                    return known, None
                said |= answers
            known |= said
        return known, "P6: honest seats never come to rest"
