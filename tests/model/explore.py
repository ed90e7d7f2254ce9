"""Explores the runs of a small table: honest seats, one liar, and a network that loses, repeats and reorders.

A state is what each honest seat has heard, so a message that never arrives, or arrives twice or late, needs no step
of its own. From each state everything that honest seats know is also carried to all of them: what they come to then,
while the liar is silent, is what they can always come to.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wasabi_protocol.voting.poll import CLIENT, NOBODY, PERSON, VoteChoice, Word

from tests.model.table import GOOD, OTHER, WRONG, Entry, Heard, Message, Rules, Slot, Vote, union

if TYPE_CHECKING:
    from collections.abc import Iterator

State = tuple[Heard, ...]
LAWS = (
    "P1 one log from one set of messages, proof against the liar only",
    "P2 nobody honest is bound for ever",
    "P3 nobody honest goes without the yes of every other honest seat",
    "P4 silence does not stop three of four, nor two people of three",
    "P5 what is confirmed stays",
    "P6 honest seats come to rest",
)


@dataclass(frozen=True)
class Bounds:
    """How much may happen in a run."""

    lies: int = 2
    """Different messages of the liar."""
    calls: int = 1
    """Votes that honest people call by themselves."""
    rounds: int = 2
    """The liar speaks in rounds up to this one."""
    states: int = 10**9


@dataclass(frozen=True)
class Failure:
    """A property that does not hold, and the run that shows it."""

    law: str
    run: tuple[str, ...]


@dataclass
class Explorer:
    """One liar among the seats of these rules."""

    rules: Rules
    liar: int
    bounds: Bounds = field(default_factory=Bounds)

    def __post_init__(self) -> None:
        self.honest = tuple(seat for seat in range(self.rules.seats) if seat != self.liar)
        self.explored = 0
        self._first: State = tuple(frozenset() for _ in self.honest)
        self._rest: dict[Heard, str | None] = {}

    # Many runs

    def search(self) -> Failure | None:
        """The shortest run that breaks a law, or None if there is none among the states that are looked at."""
        came: dict[State, tuple[State, str] | None] = {self._first: None}
        todo = deque([self._first])
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

    def follow(self, run: str) -> Failure | None:
        """A given run, one step a line, as far as it is possible; the law that it breaks on its way."""
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
        """One long run by chance, far beyond what can be searched whole."""
        state = self._first
        run: list[str] = []
        for step, after in self._chance(seed):
            self.explored += 1
            run.append(step)
            lost = self.undone(state, after)
            if lost is not None:
                return Failure(lost, tuple(run))
            state = after
        law = self.broken(state)
        return None if law is None else Failure(law, tuple(run))

    def reach(self, seed: int) -> State:
        """What each honest seat has heard after such a run."""
        return [self._first, *(after for _, after in self._chance(seed))][-1]

    def _chance(self, seed: int, length: int = 30) -> Iterator[tuple[str, State]]:
        rng = random.Random(seed)
        state = self._first
        for _ in range(rng.randrange(length // 3, length)):
            steps = list(self.steps(state))
            kinds = [[step for step in steps if step[0].split()[1] == kind] for kind in ("says", "hears", "tells")]
            weights = [4 * bool(kinds[0]), 4 * bool(kinds[1]), 2 * bool(kinds[2])]
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
        calls = self._calls(known)
        lies = [m for m in known if author(m) == self.liar]
        new = [] if len(lies) >= self.bounds.lies else [m for m in self.lies(state) if m not in known]
        for index, (seat, heard) in enumerate(zip(self.honest, state, strict=True)):
            for message in self.sayings(seat, heard, calls < self.bounds.calls):
                yield f"{seat} says {show(message)}", put(state, index, message)
            for message in known - heard:
                yield f"{seat} hears {show(message)}", put(state, index, message)
            for message in new:
                yield f"{self.liar} tells {seat} {show(message)}", put(state, index, message)

    def sayings(self, seat: int, heard: Heard, may_call: bool) -> Iterator[Message]:
        """Everything that an honest seat may say now."""
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
            for out in (question[1].out, NOBODY):
                said = view.say(out, PERSON)
                if said is not None:
                    yield Vote(epoch, said)
        elif may_call and seat in view.seats and len(view.seats) > 2:
            for out in view.missing:
                said = view.say(out, PERSON)
                if said is not None:
                    yield Vote(epoch, said)

    def _calls(self, known: Heard) -> int:
        """How many votes honest people called: ballots by which a round began."""
        firsts = {
            (m.epoch, m.word.round, m.word.seat)
            for m in known
            if isinstance(m, Vote) and m.word.by == PERSON and author(m) != self.liar and not m.word.choice.stay
        }
        return len(firsts)

    def lies(self, state: State) -> list[Message]:
        """Everything that the liar may sign about what honest seats know."""
        slots = {slot for heard in state for slot in self.rules.log(heard).slots}
        found: set[Message] = set()
        for slot in slots:
            if self.liar in self.rules.owed(slot):
                for content in (GOOD, OTHER, WRONG):
                    found.add(Entry(slot.epoch, slot.number + 1, self.liar, slot.link, content))
            if self.liar in slot.seats and len(slot.seats) > 2:
                found |= {Vote(slot.epoch, word) for word in self._false_words(slot)}
        return sorted(found, key=repr)

    def _false_words(self, slot: Slot) -> Iterator[Word]:
        outs = [*slot.seats] + ([NOBODY] if slot.number == slot.start else [])
        for out in outs:
            for number in range(1, self.bounds.rounds + 1):
                for pledge in (False, True):
                    yield Word(self.liar, number, VoteChoice(slot.number, slot.link, out), PERSON, pledge)

    # The laws

    def broken(self, state: State) -> str | None:
        """A law that this state breaks."""
        for heard in state:
            law = self._unjust(heard)
            if law is not None:
                return law
        return self.at_rest(union(state))

    def _unjust(self, heard: Heard) -> str | None:
        """P3: nobody honest goes without the yes of every other honest seat. Proof names nobody honest."""
        log = self.rules.log(heard)
        if log.proved - {self.liar}:
            return "P1: proof against an honest seat"
        gone = [s for s in self.honest if s not in log.head.seats]
        for out in gone:
            yes = {m.word.seat for m in heard if isinstance(m, Vote) and m.word.choice.out == out and not m.word.pledge}
            if not set(self.honest) - {out} <= yes:
                return "P3: an honest seat is out without the yes of every other honest one"
        return None

    def undone(self, before: State, after: State) -> str | None:
        """P5: what was confirmed stays, unless the liar signed two bodies for that very slot, or an invalid one."""
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
        """P2 and P4, when every honest seat knows what any of them knows and the liar is silent."""
        if known not in self._rest:
            self._rest[known] = self._at_rest(known)
        return self._rest[known]

    def _at_rest(self, known: Heard) -> str | None:
        rules = self.rules
        known, law = self._exhaust(known)
        if law is not None:
            return law
        log = rules.log(known)
        if any(rules.look(seat, known).bound for seat in self.honest if seat in log.head.seats):
            return "P2: an honest seat is bound for ever"
        if not all(seat in log.head.seats for seat in self.honest):
            return None
        for _ in range(8):
            log = rules.log(known)
            if not rules.owed(log.head) or len(log.head.seats) < 3:
                return None
            known, law = self.go_on(known)
            if law is not None:
                return law
        return "P4: the liar stops the others by silence"

    def go_on(self, known: Heard) -> tuple[Heard, str | None]:
        """What honest seats know after they have called for a vote about a silent liar, each as soon as it may."""
        head = self.rules.log(known).head
        by = CLIENT if len(head.seats) > 3 else PERSON
        for seat in self.honest:
            view = self.rules.look(seat, known)
            said = view.say(self.liar, by) if self.liar in view.missing else None
            if said is not None:
                known |= {Vote(head.epoch, said)}
        return self._exhaust(known)

    def _exhaust(self, known: Heard) -> tuple[Heard, str | None]:
        """Everything that honest seats write and say by themselves."""
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
                    if view.question() is not None and (word := view.say(NOBODY, PERSON)) is not None
                }
                if not answers:
                    answers = {Vote(log.head.epoch, word) for view in waiting if (word := view.withdraw()) is not None}
                if not answers:
                    return known, None
                said |= answers
            known |= said
        return known, "P6: honest seats never come to rest"


def author(message: Message) -> int:
    return message.seat if isinstance(message, Entry) else message.word.seat


def put(state: State, index: int, message: Message) -> State:
    return (*state[:index], state[index] | {message}, *state[index + 1 :])


def show(message: Message) -> str:
    if isinstance(message, Entry):
        return f"entry {message.content} of {message.seat} in slot {message.slot} of epoch {message.epoch}"
    word = message.word
    what = "that all stay" if word.choice.stay else f"without {word.choice.out} on slot {word.choice.base}"
    kind = "pledge" if word.pledge else "ballot"
    return f"{kind} of {word.seat} in round {word.round}: {what}"
